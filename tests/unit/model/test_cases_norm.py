"""Reported faults of layer norm and its place, with the right values."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from glassformer.model.config import ModelConfig
from glassformer.model.layers import LayerNorm, Residual
from torch import Tensor
from torch.testing import assert_close


def norm(row: list[float], **options: Any) -> Tensor:
    block = LayerNorm(ModelConfig(vocab_size=2, d_model=len(row), n_heads=1, **options), "src", {"x": "x"}).requires_grad_(False)
    block.gain.fill_(1)
    block.offset.fill_(0)
    return block(torch.tensor([[row]]))[0, 0]


TEXTBOOK: dict[str, Any] = {"norm_divisor": "n-1", "norm_eps": 1e-6, "norm_eps_inside": False}


@pytest.mark.parametrize(
    ("row", "options", "right"),
    [
        ([1, 0, 0, 0], {}, [1.732005, -0.577335, -0.577335, -0.577335]),
        ([1, 2, 3, 4], {}, [-1.341635, -0.447212, 0.447212, 1.341635]),
        ([0.0001, 0, 0, 0], {}, [0.023715, -0.007905, -0.007905, -0.007905]),
        ([1, 0, 0, 0], TEXTBOOK, [1.499997, -0.499999, -0.499999, -0.499999]),
        ([1, 2, 3, 4], TEXTBOOK, [-1.161894, -0.387298, 0.387298, 1.161894]),
        ([0.0001, 0, 0, 0], {"norm_eps": 1e-6}, [0.074930, -0.024977, -0.024977, -0.024977]),
        ([0.0001, 0, 0, 0], {"norm_eps": 1e-6, "norm_eps_inside": False}, [1.692954, -0.564318, -0.564318, -0.564318]),
        ([7, 7, 7, 7], {}, [0, 0, 0, 0]),
    ],
)
def test_layer_norm_divides_by_what_it_says(row: list[float], options: dict[str, Any], right: list[float]) -> None:
    assert_close(norm([float(x) for x in row], **options), torch.tensor([float(x) for x in right]), atol=1e-5, rtol=0)


@pytest.mark.parametrize(
    ("where", "right"),
    [("post", [-1.347147, -0.577349, 0.962248, 0.962248]), ("pre", [-1.683271, 1.552788, 3.447212, 4.670818])],
)
def test_the_norm_stands_where_the_setting_says(where: Any, right: list[float]) -> None:
    block = Residual(ModelConfig(vocab_size=2, d_model=4, n_heads=1, norm=where), "src", {"x": "x", "sublayer": "y"})
    block.requires_grad_(False)
    block.norm.gain.fill_(1)
    block.norm.offset.fill_(0)
    out = block(torch.tensor([[[1.0, 2.0, 3.0, 4.0]]]), lambda x: x * torch.tensor([2.0, 1.0, 1.0, 0.5]))
    assert_close(out[0, 0], torch.tensor(right), atol=1e-5, rtol=0)
