"""Which cells of a tensor an address asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from ..model.axes import Axes, apply_index, parse_index
from ..model.errors import InputError
from ..model.trace import Record
from .answers import Slice
from .errors import TooLargeError

_SHORT = 200
"""Characters of an index up to which what it says is kept."""


def cut(record: Record, *, index: str = "", fit: str = "", max_cells: int, lenient: bool = False) -> Slice:
    """Return the cells that `index` and `fit` choose.

    Args:
        index: as docs/http-api.md writes it, `batch:0,query:0-64/2`. `lenient` skips axes that this tensor does not have.
        fit: `24x12` thins the last two axes to at most 24 columns and 12 rows, by taking every k-th cell.

    Raises:
        InputError: an index outside the tensor. TooLargeError: more than `max_cells`.
    """
    find = _place if len(index) <= _SHORT else _place.__wrapped__
    place = find(record.axes, record.shape, index, fit, lenient)
    values = record.numpy()[place.subscript]
    if values.size > max_cells:
        raise TooLargeError(
            f"{record.name} has {values.size} cells; one answer holds {max_cells}. "
            f"Ask for a part: ?index={place.axes[0].name}:0-64",
            where="index",
        )
    return Slice(record.name, place.axes, values, start=place.start, step=place.step, shape=place.shape)


@dataclass(frozen=True)
class _Place:
    """Where the chosen cells are, in any tensor of these axes and this shape."""

    axes: Axes
    subscript: tuple[int | slice, ...]
    start: tuple[int, ...]
    step: tuple[int, ...]
    shape: tuple[int, ...]


@lru_cache(maxsize=1024)
def _place(axes: Axes, shape: tuple[int, ...], index: str, fit: str, lenient: bool) -> _Place:
    """Read what an address says; kept, since a page asks for two dozen tensors at each step, and a class for the same ones."""
    if lenient:
        names = {axis.name for axis in axes}
        index = ",".join(part for part in index.split(",") if part.partition(":")[0] in names)
    chosen = parse_index(index, axes, shape)
    if fit:
        chosen = _thin(axes, shape, chosen, fit)
    left, subscript = apply_index(axes, chosen)
    ranges = [(_range(part, size), size) for part, size in zip(subscript, shape, strict=True) if isinstance(part, slice)]
    return _Place(
        axes=left,
        subscript=subscript,
        start=tuple(part.start for part, _ in ranges),
        step=tuple(part.step for part, _ in ranges),
        shape=tuple(size for _, size in ranges),
    )


def _thin(axes: Axes, shape: tuple[int, ...], index: Mapping[str, int | slice], fit: str) -> dict[str, int | slice]:
    match = re.fullmatch(r"([1-9]\d{0,4})x([1-9]\d{0,4})", fit)
    if not match:
        raise InputError(f"fit is {fit[:40]!r}; it must be columns x rows, such as 24x12", where="fit")
    thinned = dict(index)
    left = [(axis.name, size) for axis, size in zip(axes, shape, strict=True) if not isinstance(index.get(axis.name), int)]
    for (name, size), most in zip(reversed(left), map(int, match.groups()), strict=False):
        part = _range(index.get(name, slice(None)), size)
        length = len(range(part.start, part.stop, part.step))
        thinned[name] = slice(part.start, part.stop, part.step * max(1, -(-length // most)))
    return thinned


def _range(part: int | slice, size: int) -> slice:
    assert isinstance(part, slice)
    start, stop, step = part.indices(size)
    return slice(start, stop, step)
