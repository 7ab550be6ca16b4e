"""Values whose dimensions are found by the names of their axes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor

from ..axes import Axes, Axis


@dataclass(frozen=True)
class Named:
    """A value whose dimensions are named: `value.shape[i]` is the size of `axes[i]`."""

    axes: Axes
    value: Tensor

    def dim(self, name: str) -> int:
        """Return the dimension whose axis has this name, or else runs over it."""
        return place_of(Axis(name, name), self.axes)


@dataclass(frozen=True)
class Target:
    """What a step has to come out as: its axes, and the size of every axis of the pass."""

    axes: Axes
    sizes: Mapping[str, int]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape that these axes have in this pass."""
        return tuple(self.sizes[axis.over] for axis in self.axes)


def align(operand: Named, axes: Axes) -> Tensor:
    """Move the operand's dimensions to where `axes` has them, with size 1 for those it lacks."""
    places = [place_of(axis, axes) for axis in operand.axes]
    value = operand.value.permute(sorted(range(len(places)), key=places.__getitem__))
    for i in range(len(axes)):
        if i not in places:
            value = value.unsqueeze(i)
    return value


def gather(value: Tensor, axes: Axes, to: Axes) -> Tensor:
    """Undo `align`: add up along the axes that `to` lacks, and put the others in its order."""
    places = [place_of(axis, axes) for axis in to]
    others = [i for i in range(len(axes)) if i not in places]
    return value.permute(*others, *places).sum(tuple(range(len(others)))) if others else value.permute(places)


def place_of(axis: Axis, axes: Axes) -> int:
    """Return where `axes` has this axis: the one of its name, or else the one that runs over the same."""
    by_name = [i for i, other in enumerate(axes) if other.name == axis.name]
    by_size = [i for i, other in enumerate(axes) if other.over == axis.over]
    places = by_name or by_size
    assert len(places) == 1, f"axis {axis} has no single place among {[str(other) for other in axes]}"
    return places[0]
