"""Named axes: every dimension of every tensor says what it counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from .errors import InputError, RecordingError


@dataclass(frozen=True)
class Axis:
    """One dimension of a tensor.

    `name` is its role in this tensor (`query`), `over` the size it runs over (`tgt`); for most axes both are the same.
    """

    name: str
    over: str

    def __str__(self) -> str:
        return self.name if self.name == self.over else f"{self.name}:{self.over}"


Axes = tuple[Axis, ...]


@lru_cache(maxsize=256)
def parse_axes(text: str) -> Axes:
    """Read axes as a tap writes them: `"batch head query:tgt key:src"`. The same text gives the same object."""
    axes = []
    for word in text.split():
        name, _, over = word.partition(":")
        axes.append(Axis(name, over or name))
    names = [axis.name for axis in axes]
    assert len(set(names)) == len(names), f"an axis stands twice in {text!r}"
    return tuple(axes)


def bind_sizes(sizes: dict[str, int], axes: Axes, shape: Iterable[int], *, tap: str) -> None:
    """Bind each axis to its size for the whole pass.

    Raises:
        RecordingError: the tensor has another number of dimensions, or a size that an earlier tap contradicts.
    """
    shape = tuple(shape)
    if len(shape) != len(axes):
        raise RecordingError(f"{tap} has {len(shape)} dimensions {shape}; its axes are ({named(axes)})", where=tap)
    for axis, size in zip(axes, shape, strict=True):
        if sizes.setdefault(axis.over, size) != size:
            raise RecordingError(f"{tap}: axis {axis} has {size}; {axis.over} is {sizes[axis.over]} elsewhere", where=tap)


def parse_index(text: str, axes: Axes, shape: tuple[int, ...]) -> dict[str, int | slice]:
    """Read a slice as it stands in an address: `"batch:0,head:1,query:0-64/2"`.

    A number keeps one index and drops the axis; `start-stop` keeps a range (stop excluded); `/step` takes every
    step-th of it. Axes that are not named stay whole.

    Raises:
        InputError: an unknown axis, or an index outside the tensor; the message states the shape.
    """
    sizes = {axis.name: size for axis, size in zip(axes, shape, strict=True)}
    index: dict[str, int | slice] = {}
    for part in filter(None, text.split(",")):
        name, _, selection = part.partition(":")
        if name not in sizes:
            raise InputError(f"no axis {name[:40]!r}; this tensor is ({named(axes)}) = {shape}", where="index")
        if name in index:
            raise InputError(f"axis {name!r} stands twice in the index", where="index")
        index[name] = _selection(selection, name, sizes[name], shape)
    return index


def apply_index(axes: Axes, index: Mapping[str, int | slice]) -> tuple[Axes, tuple[int | slice, ...]]:
    """Return the axes that are left under `index`, and the subscript that takes it."""
    left = tuple(axis for axis in axes if not isinstance(index.get(axis.name), int))
    return left, tuple(index.get(axis.name, slice(None)) for axis in axes)


def named(axes: Axes) -> str:
    """Return the axes as one reads them: `batch, head, query:tgt, key:src`."""
    return ", ".join(str(axis) for axis in axes)


def _selection(text: str, name: str, size: int, shape: tuple[int, ...]) -> int | slice:
    wrong = InputError(
        f"{name}:{text[:40]} is outside this tensor: {name} runs from 0 to {size - 1}, its shape is {shape}", where="index"
    )
    bounds, _, step = text.partition("/")
    start, dash, stop = bounds.partition("-")
    if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in (start, stop or "0", step or "1")):
        raise wrong
    if not dash and not step:
        if int(start) >= size:
            raise wrong
        return int(start)
    low, high, stride = int(start), int(stop or size), int(step or 1)
    if not (dash and 0 <= low < high <= size and stride >= 1):
        raise wrong
    return slice(low, high, stride)
