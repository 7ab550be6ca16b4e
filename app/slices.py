"""Which cells of a tensor an address asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..model.axes import apply_index, parse_index
from ..model.errors import InputError
from ..model.trace import Record
from .answers import Slice
from .errors import TooLargeError


def cut(record: Record, *, index: str = "", fit: str = "", max_cells: int, lenient: bool = False) -> Slice:
    """Return the cells that `index` and `fit` choose.

    Args:
        index: as docs/http-api.md writes it, `batch:0,query:0-64/2`. `lenient` skips axes that this tensor does not have.
        fit: `24x12` thins the last two axes to at most 24 columns and 12 rows, by taking every k-th cell.

    Raises:
        InputError: an index outside the tensor. TooLargeError: more than `max_cells`.
    """
    if lenient:
        names = {axis.name for axis in record.axes}
        index = ",".join(part for part in index.split(",") if part.partition(":")[0] in names)
    chosen = parse_index(index, record.axes, record.shape)
    if fit:
        chosen = _thin(record, chosen, fit)
    axes, subscript = apply_index(record.axes, chosen)
    values = record.numpy()[subscript]
    if values.size > max_cells:
        raise TooLargeError(
            f"{record.name} has {values.size} cells; one answer holds {max_cells}. Ask for a part: ?index={axes[0].name}:0-64",
            where="index",
        )
    ranges = [_range(part, size) for part, size in zip(subscript, record.shape, strict=True) if isinstance(part, slice)]
    return Slice(
        name=record.name,
        axes=axes,
        values=values,
        start=tuple(part.start for part in ranges),
        step=tuple(part.step for part in ranges),
        shape=tuple(size for size, part in zip(record.shape, subscript, strict=True) if isinstance(part, slice)),
    )


def _thin(record: Record, index: Mapping[str, int | slice], fit: str) -> dict[str, int | slice]:
    match = re.fullmatch(r"([1-9]\d{0,4})x([1-9]\d{0,4})", fit)
    if not match:
        raise InputError(f"fit is {fit[:40]!r}; it must be columns x rows, such as 24x12", where="fit")
    thinned = dict(index)
    left = [
        (axis.name, size)
        for axis, size in zip(record.axes, record.shape, strict=True)
        if not isinstance(index.get(axis.name), int)
    ]
    for (name, size), most in zip(reversed(left), map(int, match.groups()), strict=False):
        part = _range(index.get(name, slice(None)), size)
        length = len(range(part.start, part.stop, part.step))
        thinned[name] = slice(part.start, part.stop, part.step * max(1, -(-length // most)))
    return thinned


def _range(part: int | slice, size: int) -> slice:
    assert isinstance(part, slice)
    start, stop, step = part.indices(size)
    return slice(start, stop, step)
