"""What comes from outside, and tokens and positions as vectors (sections 3.4 and 3.5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from .arithmetic import the_same
from .base import Leaf, Step
from .named import Named, Target
from .working import ELSEWHERE, Equation, Operands, Working


@dataclass(frozen=True)
class Given(Leaf):
    """Token ids and labels, as the recipe says."""

    kind = "given"

    def origin(self, operands: Operands) -> str:
        return f"Given: this position of the sentence holds token {operands.recorded}."


@dataclass(frozen=True)
class Learned(Leaf):
    """A parameter: drawn at the start, then changed by training."""

    kind = "parameter"

    def origin(self, operands: Operands) -> str:
        return "A parameter: it is the same for every sentence."


@dataclass(frozen=True)
class Drawn(Leaf):
    """Dropout's multipliers: 0 with probability `rate`, else 1 / (1 − rate); all 1 outside training."""

    kind = "drawn"
    rate: float = 0.0

    def origin(self, operands: Operands) -> str:
        if operands.recorded == 0:
            return f"The die fell: dropped. That happens to {self.rate:.0%} of the cells in train mode."
        if operands.recorded == 1:
            return "1: nothing is dropped outside train mode."
        return f"The die fell: kept, and grown by 1 / (1 − {self.rate:g}), so that the mean stays."


@dataclass(frozen=True)
class Embed(Step):
    """Row `ids[b, i]` of the table. Reads (ids, table)."""

    kind = "embed"
    rule = r"y = E_{\mathrm{id}}"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        ids, table = operands
        return table.value[ids.value]

    def explain(self, operands: Operands) -> Working:
        id = operands.at(0, "id")
        column = operands.cell[-1]
        row = operands.found(1, "E", (int(id.value), column), (ELSEWHERE, len(operands.cell) - 1))
        says = f"The token’s id is {id.value}, so this is column {column} of row {id.value} of the table."
        equation = Equation("", (f"row {id.value}, column {column}:", row), row.value)
        return Working(says, (id, row), equations=(equation,), result=row.value)


@dataclass(frozen=True)
class Sinusoid(Step):
    """PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i + 1) = cos of the same (section 3.5)."""

    kind = "positions"
    rule = r"PE_{pos, 2i} = \sin \frac{pos}{10000^{2i/d}}, \; PE_{pos, 2i+1} = \cos \frac{pos}{10000^{2i/d}}"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        length, width = target.shape
        column = torch.arange(width, dtype=torch.float64)
        even = column - column % 2
        angle = torch.arange(length, dtype=torch.float64).unsqueeze(1) * 10000 ** (-even / width)
        return torch.where(column == even, torch.sin(angle), torch.cos(angle))

    @staticmethod
    def cell(pos: int, column: int, width: int) -> float:
        """Return one cell, worked out in Python's own floats."""
        angle = pos / 10000 ** (2 * (column // 2) / width)
        return math.sin(angle) if column % 2 == 0 else math.cos(angle)

    def explain(self, operands: Operands) -> Working:
        pos, column = operands.cell
        width = operands.target.shape[1]
        even = column - column % 2
        divisor = 10000 ** (even / width)
        name = "cos" if column % 2 else "sin"
        result = self.cell(pos, column, width)
        equations = (
            Equation("the divisor", (f"10000^({even}/{width})",), divisor),
            Equation("the angle", (f"position {pos} ÷", divisor), pos / divisor),
            Equation(f"its {'cosine' if column % 2 else 'sine'}", (name, pos / divisor), result),
        )
        pair = f"Columns {even} and {even + 1} are a pair, sine and cosine" if even + 1 < width else f"Column {even} is a sine"
        return Working(f"{pair}, with a wavelength of {2 * math.pi * divisor:.4g} positions.", equations=equations, result=result)


@dataclass(frozen=True)
class FirstRows(Step):
    """The first rows of a table, one for each position. Reads (table,)."""

    kind = "rows"
    rule = r"y_{pos} = P_{pos}"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return operands[0].value[: target.shape[0]]

    def explain(self, operands: Operands) -> Working:
        pos, column = operands.cell
        return the_same(
            operands.found(0, "P", (pos, column), (0, 1)), f"Row {pos} of the table: position {pos} has a vector of its own."
        )
