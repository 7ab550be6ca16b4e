"""Multiplications counted by us, beside those that torch counts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from glassformer.model.decoding.counting import count
from glassformer.model.library import Library
from torch.nn import functional as F
from torch.utils.flop_counter import FlopCounterMode

LIBRARY = Library()


def counted_by_torch(work: Callable[[], object]) -> int:
    """Return torch's count: it counts an addition beside each multiplication."""
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        work()
    return int(counter.get_total_flops()) // 2


def matrix(*shape: int) -> torch.Tensor:
    return torch.ones(shape)


PRODUCTS: dict[str, Callable[[], object]] = {
    "two matrices": lambda: matrix(3, 4) @ matrix(4, 5),
    "stacks": lambda: matrix(2, 7, 3, 4) @ matrix(2, 7, 4, 5),
    "stacks and one matrix": lambda: matrix(2, 7, 3, 4) @ matrix(4, 5),
    "with a bias": lambda: F.linear(matrix(6, 4), matrix(5, 4), matrix(5)),
    "stacks with a bias": lambda: F.linear(matrix(2, 6, 4), matrix(5, 4), matrix(5)),
    "added": lambda: torch.baddbmm(matrix(2, 3, 5), matrix(2, 3, 4), matrix(2, 4, 5)),
    "by letters": lambda: torch.einsum("bhqd,bhkd->bhqk", matrix(2, 3, 4, 5), matrix(2, 3, 6, 5)),
    "none": lambda: (matrix(3, 4) * matrix(3, 4)).sum().softmax(0),
    "nothing in them": lambda: matrix(0, 4) @ matrix(4, 5),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_are_counted_as_torch_counts_them(name: str) -> None:
    assert count(PRODUCTS[name]) == counted_by_torch(PRODUCTS[name])


@pytest.mark.parametrize("model", ["tiny", "copy", "pig-latin"])
def test_a_pass_through_a_network_is_counted_as_torch_counts_it(model: str) -> None:
    network = LIBRARY.get(model).network
    src, tgt = torch.ones(2, 4, dtype=torch.long), torch.ones(2, 3, dtype=torch.long)
    counted = count(lambda: network(src, tgt))
    assert counted == counted_by_torch(lambda: network(src, tgt)) > 1000


def test_vectors_are_counted_by_hand() -> None:
    """torch counts none of these."""
    assert count(lambda: matrix(3, 4) @ matrix(4)) == 12
    assert count(lambda: torch.dot(matrix(4), matrix(4))) == 4


def test_a_product_that_is_not_known_is_no_silent_nought() -> None:
    with pytest.raises(AssertionError, match="is not counted"):
        count(lambda: torch.addbmm(matrix(3, 5), matrix(2, 3, 4), matrix(2, 4, 5)))
