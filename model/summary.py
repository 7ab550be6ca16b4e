"""Statistics of tensors over their finite values: of one, or of many small ones at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

AT_ONCE = 8192
"""Cells that numpy adds up in one go; so far its own mean and deviation and those below agree to the bit, in half of the time."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Statistics of a tensor over its finite values (`std` is the population's); None where there is none.

    What is not finite is counted apart.
    """

    min: float | None
    max: float | None
    mean: float | None
    std: float | None
    finite: int
    zero: int
    nan: int
    positive_infinity: int
    negative_infinity: int


def summarise(values: np.ndarray) -> Summary:
    """Return statistics over the finite values of an array of any shape."""
    size = values.size
    zero = int(size - np.count_nonzero(values))
    if size == 0:
        return Summary(None, None, None, None, 0, 0, 0, 0, 0)
    low, high = _plain(np.minimum.reduce(values, axis=None)), _plain(np.maximum.reduce(values, axis=None))
    if not (math.isfinite(low) and math.isfinite(high)):
        return _summarise_finite(values, zero)
    if size > AT_ONCE or 0 in values.strides:
        return Summary(low, high, float(values.mean(dtype=np.float64)), float(values.std(dtype=np.float64)), size, zero, 0, 0, 0)
    return _of_finite(values.astype(np.float64), low, high, zero)


def _summarise_finite(values: np.ndarray, zero: int) -> Summary:
    finite = values[np.isfinite(values)]
    nan = int(np.isnan(values).sum())
    positive = int(np.isposinf(values).sum())
    counts = (finite.size, zero, nan, positive, values.size - finite.size - nan - positive)
    if finite.size == 0:
        return Summary(None, None, None, None, *counts)
    wide = finite.astype(np.float64)
    return Summary(_plain(wide.min()), _plain(wide.max()), float(wide.mean()), float(wide.std()), *counts)


def summarise_all(arrays: Sequence[np.ndarray]) -> list[Summary]:
    """Return what `summarise` does for each, to the bit; arrays of up to `AT_ONCE` cells lie behind one another meanwhile.

    Calling numpy costs more than a small array does: extremes and zeros are found for all at once, sums one by one.
    """
    small = [0 < array.size <= AT_ONCE and 0 not in array.strides for array in arrays]
    pieces = [array.ravel("K") for array, is_small in zip(arrays, small, strict=True) if is_small]
    found = iter(_summarise_pieces(pieces) if pieces else ())
    return [(next(found) if is_small else None) or summarise(array) for array, is_small in zip(arrays, small, strict=True)]


def _summarise_pieces(pieces: Sequence[np.ndarray]) -> list[Summary | None]:
    """Return the statistics of flat arrays, None for one that is not finite throughout."""
    sizes = np.array([piece.size for piece in pieces])
    wide = np.concatenate(pieces, dtype=np.float64, casting="unsafe")
    ends = np.cumsum(sizes)
    starts = ends - sizes
    lows, highs = np.minimum.reduceat(wide, starts).tolist(), np.maximum.reduceat(wide, starts).tolist()
    zeros = np.add.reduceat(wide == 0, starts, dtype=np.int64).tolist()
    return [
        _of_finite(wide[start:end], low, high, zero) if math.isfinite(low) and math.isfinite(high) else None
        for start, end, low, high, zero in zip(starts.tolist(), ends.tolist(), lows, highs, zeros, strict=True)
    ]


def _plain(extreme: float) -> float:
    """Return an extreme value, of the two zeros always the same: which one numpy finds depends on where they lie."""
    return float(extreme) + 0.0


def _of_finite(wide: np.ndarray, low: float, high: float, zero: int) -> Summary:
    """Return the statistics of some float64 cells, which are overwritten."""
    mean = np.add.reduce(wide, axis=None) / wide.size
    wide -= mean
    wide *= wide
    return Summary(
        _plain(low), _plain(high), float(mean), math.sqrt(np.add.reduce(wide, axis=None) / wide.size), wide.size, zero, 0, 0, 0
    )
