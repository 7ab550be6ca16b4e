"""What every step has: operands, and a replay that finds dimensions by the names of their axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from ..axes import Axes, Axis


@dataclass(frozen=True)
class Named:
    """A value whose dimensions are named: `value.shape[i]` is the size of `axes[i]`."""

    axes: Axes
    value: Tensor

    def dim(self, name: str) -> int:
        """Return the dimension whose axis has this name, or else runs over it."""
        return _place(Axis(name, name), self.axes)


@dataclass(frozen=True)
class Target:
    """What a replay has to come out as: its axes, and the size of every axis of the pass."""

    axes: Axes
    sizes: Mapping[str, int]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape that these axes have in this pass."""
        return tuple(self.sizes[axis.over] for axis in self.axes)


@dataclass(frozen=True)
class Step:
    """How a tap's value follows from the tensors it reads.

    `reads` are names as the tap's own block sees them; the legend replaces them by full names. A `leaf` reads nothing and was
    given or drawn: there is nothing to recompute it from.
    """

    kind: ClassVar[str]
    leaf: ClassVar[bool] = False
    reads: tuple[str, ...] = ()

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        """Recompute the tensor from its operands.

        Floats arrive as float64, ids as int64, masks as bool; the result has `target.shape`.
        """
        raise AssertionError(f"{type(self).__name__} has no formula to replay")


def align(operand: Named, axes: Axes) -> Tensor:
    """Move the operand's dimensions to where `axes` has them, with size 1 for those it lacks."""
    places = [_place(axis, axes) for axis in operand.axes]
    value = operand.value.permute(sorted(range(len(places)), key=places.__getitem__))
    for i in range(len(axes)):
        if i not in places:
            value = value.unsqueeze(i)
    return value


def _place(axis: Axis, axes: Axes) -> int:
    by_name = [i for i, other in enumerate(axes) if other.name == axis.name]
    by_size = [i for i, other in enumerate(axes) if other.over == axis.over]
    places = by_name or by_size
    assert len(places) == 1, f"axis {axis} has no single place among {[str(other) for other in axes]}"
    return places[0]
