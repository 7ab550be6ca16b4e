"""Statistics of a tensor, against numpy's own mean and deviation, to the bit."""

from __future__ import annotations

import numpy as np
import pytest
from glassformer.model.summary import summarise, summarise_all
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

VALUES = arrays(np.float32, array_shapes(max_dims=4, max_side=12), elements=st.floats(-1e6, 1e6, width=32))


def of_numpy(values: np.ndarray) -> tuple[float, float]:
    return float(values.mean(dtype=np.float64)), float(values.std(dtype=np.float64))


@given(VALUES)
def test_mean_and_deviation_are_numpys_to_the_bit(values: np.ndarray) -> None:
    for seen in (values, values.T, values[..., ::-1], np.broadcast_to(values, (3, *values.shape))):
        found = summarise(seen)
        assert (found.mean, found.std) == of_numpy(seen)
        assert (found.min, found.max) == (float(seen.min()), float(seen.max()))


ANY = arrays(np.float32, array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=9), elements=st.floats(width=32))


@given(st.lists(ANY, max_size=6))
@example([np.array([-0.0, -0.0, 0.0], dtype=np.float32), np.array([[0.0, -0.0]] * 9, dtype=np.float32)])
def test_many_at_once_are_what_each_is_alone(values: list[np.ndarray]) -> None:
    """NaN and infinite cells, scalars, arrays without a cell, other orders in memory, and one that is too large among them."""
    large = np.arange(9000, dtype=np.float32)
    seen = [*values, *(each.T for each in values), large, np.broadcast_to(large[:3], (2, 3)), large > 4000, large[:7].astype(int)]
    assert repr(summarise_all(seen)) == repr([summarise(each) for each in seen])


@pytest.mark.parametrize("size", [1, 8191, 8192, 8193, 50_000])
def test_mean_and_deviation_are_numpys_at_every_size(size: int) -> None:
    values = np.random.default_rng(size).standard_normal(size).astype(np.float32) * 1e3
    assert (summarise(values).mean, summarise(values).std) == of_numpy(values)
