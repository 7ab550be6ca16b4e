"""One cell written out: which cells of which operands it is made from, and how they combine."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch

from ..axes import Axis
from .named import Named, Target, place_of

Number = float | int | bool
Place = int | None
Of = Literal["value", "gradient"]

ELSEWHERE = -1
"""In `Line.takes`: the place on this axis is neither the explained cell's nor running; arithmetic or a token id found it."""


@dataclass(frozen=True)
class Line:
    """Cells of one operand: a single one, or all along the axes whose place in `cell` is None, in row-major order.

    `role` is what the rule calls it. `takes` says, for each axis of the operand, which dimension of the explained cell gives its
    place; None where it runs. `values` is one-dimensional, float64, int64 or bool: the tensor's or its gradient's (`of`).
    """

    name: str
    role: str
    cell: tuple[Place, ...]
    takes: tuple[Place, ...]
    axes: tuple[Axis, ...]
    shape: tuple[int, ...]
    values: np.ndarray
    of: Of = "value"

    @property
    def runs(self) -> tuple[int, ...]:
        """The dimensions along which the line runs; none for a single cell."""
        return tuple(i for i, place in enumerate(self.cell) if place is None)

    @property
    def value(self) -> Number:
        """The value of a single cell."""
        assert not self.runs, f"{self.name} is a line of {self.values.size} cells"
        found: Number = self.values[0].item()
        return found

    def cell_at(self, row: int) -> tuple[int, ...]:
        """Return the cell of the tensor that is the line's cell number `row`."""
        found = list(self.cell)
        for i in reversed(self.runs):
            row, found[i] = divmod(row, self.shape[i])
        return tuple(place for place in found if place is not None)


@dataclass(frozen=True)
class Column:
    """Numbers worked out row by row beside the operands.

    `adds` says that their total means something; `running` that what is shown are the totals up to each row.
    """

    title: str
    values: np.ndarray
    adds: bool = False
    running: bool = False


@dataclass(frozen=True)
class Equation:
    """One line of arithmetic: `parts` are words and signs, numbers, and single cells of operands; `value` is what it makes."""

    title: str
    parts: tuple[str | float | Line, ...]
    value: Number


@dataclass(frozen=True)
class Working:
    """How one cell follows from its operands.

    `operands` are lines of equal length, the rows of a table with `columns`, and single cells. `result` is the cell again, in
    float64, worked out from these values alone.
    """

    says: str
    operands: tuple[Line, ...] = ()
    columns: tuple[Column, ...] = ()
    equations: tuple[Equation, ...] = ()
    result: Number = 0.0

    @property
    def table(self) -> tuple[Line, ...]:
        """The operands that run."""
        return tuple(line for line in self.operands if line.runs)

    @property
    def rows(self) -> int:
        """How many rows the table has."""
        return int(self.table[0].values.size) if self.table else 0


@dataclass(frozen=True)
class Operands:
    """What a step reads, seen from one cell of its result. Cells are found by the names of their axes.

    `names` and `tensors` are in the order of the step's `reads`, values as recorded; `recorded` is the value of the cell itself.
    """

    names: Sequence[str]
    tensors: Sequence[Named]
    target: Target
    cell: tuple[int, ...]
    recorded: Number

    def __len__(self) -> int:
        return len(self.tensors)

    def place(self, name: str) -> int:
        """Return the explained cell's place on an axis."""
        return self.cell[place_of(Axis(name, name), self.target.axes)]

    def at(self, i: int, role: str, *, along: Collection[str] = ()) -> Line:
        """Return the cell of operand `i` at the explained cell's places, or the line along some of its axes."""
        takes = [None if axis.name in along else place_of(axis, self.target.axes) for axis in self.tensors[i].axes]
        return self._line(i, role, [None if dim is None else self.cell[dim] for dim in takes], takes)

    def row(self, i: int, role: str) -> Line:
        """Return the line along the last axis of operand `i`."""
        return self.at(i, role, along=(self.tensors[i].axes[-1].name,))

    def found(self, i: int, role: str, places: Sequence[Place], takes: Sequence[Place]) -> Line:
        """Return cells of operand `i` whose places the step has found by itself."""
        return self._line(i, role, places, takes)

    def _line(self, i: int, role: str, places: Sequence[Place], takes: Sequence[Place]) -> Line:
        named = self.tensors[i]
        picked = named.value[tuple(slice(None) if place is None else place for place in places)]
        values = (picked.to(torch.float64) if picked.is_floating_point() else picked).reshape(-1).numpy()
        return Line(self.names[i], role, tuple(places), tuple(takes), named.axes, tuple(named.value.shape), values)
