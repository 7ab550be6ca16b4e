"""Sums, products, linear layers and activations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from .base import Flows, Step
from .named import Named, Target, align, gather
from .sums import sum_of_products
from .working import Column, Equation, Line, Operands, Working


@dataclass(frozen=True)
class Same(Step):
    """The tensor itself under another name. Reads (x,)."""

    kind = "same"
    rule = "y = x"
    same_cell = True

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return operands[0].value

    def explain(self, operands: Operands) -> Working:
        return the_same(operands.at(0, "x"), "The same number under another name.")

    def flow(self, operands: Sequence[Named], target: Target, upstream: Tensor, recorded: Tensor) -> Flows:
        return (upstream,)


@dataclass(frozen=True)
class Scale(Step):
    """Every cell times `by`; `written` says where that number comes from. Reads (x,)."""

    kind = "scale"
    rule = r"y = c \, x"
    same_cell = True
    by: float = 1.0
    written: str = ""

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return operands[0].value * self.by

    def explain(self, operands: Operands) -> Working:
        x = operands.at(0, "x")
        result = x.value * self.by
        says = f"The cell times {self.written or f'{self.by:g}'}."
        return Working(says, (x,), equations=(Equation("scaled", (x, "×", self.by), result),), result=result)

    def flow(self, operands: Sequence[Named], target: Target, upstream: Tensor, recorded: Tensor) -> Flows:
        return (upstream * self.by,)


@dataclass(frozen=True)
class Add(Step):
    """Cell plus cell; an axis that one of the two lacks is repeated. Reads (x, y)."""

    kind = "add"
    rule = "z = x + y"
    same_cell = True

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x, y = (align(operand, target.axes) for operand in operands)
        return (x + y).expand(target.shape)

    def explain(self, operands: Operands) -> Working:
        x, y = operands.at(0, "x"), operands.at(1, "y")
        return _of_two(x, "+", y, x.value + y.value, "One cell of each, added.")

    def flow(self, operands: Sequence[Named], target: Target, upstream: Tensor, recorded: Tensor) -> Flows:
        return tuple(gather(upstream, target.axes, operand.axes) for operand in operands)


@dataclass(frozen=True)
class Multiply(Step):
    """Cell times cell. Reads (x, y)."""

    kind = "multiply"
    rule = r"z = x \odot y"
    same_cell = True

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x, y = (align(operand, target.axes) for operand in operands)
        return (x * y).expand(target.shape)

    def explain(self, operands: Operands) -> Working:
        x, y = operands.at(0, "x"), operands.at(1, "y")
        return _of_two(x, "×", y, x.value * y.value, "One cell of each, multiplied.")

    def flow(self, operands: Sequence[Named], target: Target, upstream: Tensor, recorded: Tensor) -> Flows:
        return gather(upstream * align(operands[1], target.axes), target.axes, operands[0].axes), None


@dataclass(frozen=True)
class Divide(Step):
    """Cell over cell; a divisor without the last axis serves the whole row. Reads (x, divisor)."""

    kind = "divide"
    rule = r"z = \frac{x}{y}"
    same_cell = True

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x, divisor = (operand.value for operand in operands)
        return x / (divisor.unsqueeze(-1) if divisor.dim() < x.dim() else divisor)

    def explain(self, operands: Operands) -> Working:
        x, y = operands.at(0, "x"), operands.at(1, "y")
        result = x.value / y.value if y.value else math.nan if not x.value else math.copysign(math.inf, x.value)
        whole_row = len(y.cell) < len(x.cell)
        says = "The cell over the divisor, which serves its whole row." if whole_row else "One number over the other."
        return _of_two(x, "÷", y, result, says)

    def flow(self, operands: Sequence[Named], target: Target, upstream: Tensor, recorded: Tensor) -> Flows:
        divisor = operands[1].value
        return upstream / (divisor.unsqueeze(-1) if divisor.dim() < upstream.dim() else divisor), None


@dataclass(frozen=True)
class Linear(Step):
    """x W + b, along x's last axis. Reads (x, W) or (x, W, b).

    W is (in, out); `by_row` says it is (out, in), as the output layer's, whose rows are tokens.
    """

    kind = "linear"
    rule = r"y_j = \sum_i x_i W_{ij} + b_j"
    by_row: bool = False

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x, weight = operands[0].value, operands[1].value
        product: Tensor = torch.tensordot(x, weight, dims=([x.dim() - 1], [1 if self.by_row else 0]))
        return product + operands[2].value if len(operands) == 3 else product

    def explain(self, operands: Operands) -> Working:
        last = len(operands.cell) - 1
        column = operands.cell[last]
        x = operands.row(0, "x")
        if self.by_row:
            w = operands.found(1, "W", (column, None), (last, None))
        else:
            w = operands.found(1, "W", (None, column), (None, last))
        offset = operands.found(2, "b", (column,), (last,)) if len(operands) == 3 else None
        which = f"{'row' if self.by_row else 'column'} {column} of the weights"
        says = f"The position’s row of x with {which}, product by product{', and an offset' if offset else ''}."
        return sum_of_products(says, x, w, offset=offset)

    def flow(self, operands: Sequence[Named], target: Target, upstream: Tensor, recorded: Tensor) -> Flows:
        weight = operands[1].value if self.by_row else operands[1].value.T
        rows = upstream.flatten(0, -2)
        live, columns = rows.any(1).nonzero().squeeze(1), rows.any(0).nonzero().squeeze(1)
        if len(columns) < len(weight):  # one logit needs one row of a table of many thousands
            weight = weight[columns]
        x = rows.new_zeros(len(rows), weight.shape[1])
        x[live] = rows[live][:, columns] @ weight.to(torch.float64)
        return x.reshape(operands[0].value.shape), None, *([rows.sum(0)] if len(operands) == 3 else [])


@dataclass(frozen=True)
class Activation(Step):
    """max(0, x), or GELU: x times the normal distribution function of x. Reads (x,)."""

    kind = "activation"
    rule = r"y = \max(0, x) \text{ or } y = x \, \Phi(x)"
    same_cell = True
    name: str = "relu"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x = operands[0].value
        if self.name == "gelu":
            return x * (1 + torch.erf(x / math.sqrt(2))) / 2
        return torch.where(x < 0, 0, x)

    def explain(self, operands: Operands) -> Working:
        x = operands.at(0, "x")
        if self.name == "gelu":
            share = (1 + math.erf(x.value / math.sqrt(2))) / 2
            lines = (Equation("share kept", ("Φ(", x, ")"), share), Equation("GELU", (x, "×", share), x.value * share))
            says = "Times Φ(x), how likely a normal number is to be smaller than x: negative values fade out."
            return Working(says, (x,), equations=lines, result=x.value * share)
        result = x.value if x.value > 0 or x.value != x.value else 0.0
        says = "Positive, so it passes as it is." if x.value > 0 else "Not positive, so it becomes 0."
        return Working(says, (x,), equations=(Equation("ReLU", ("max(0,", x, ")"), result),), result=result)

    def flow(self, operands: Sequence[Named], target: Target, upstream: Tensor, recorded: Tensor) -> Flows:
        x = operands[0].value.to(torch.float64)
        return (upstream * torch.where(x == 0, 0, recorded / x),)


@dataclass(frozen=True)
class Exponential(Step):
    """e^x. Reads (x,)."""

    kind = "exp"
    rule = "y = e^x"
    same_cell = True

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return torch.exp(operands[0].value)

    def explain(self, operands: Operands) -> Working:
        x = operands.at(0, "x")
        result = float(np.exp(np.float64(x.value)))
        return Working("e to the power of the cell.", (x,), equations=(Equation("", ("e ^", x), result),), result=result)

    def beneath(self, operands: Sequence[Named], cell: tuple[int, ...]) -> tuple[int, tuple[int, ...]] | None:
        return 0, cell


@dataclass(frozen=True)
class Subtract(Step):
    """Cell less cell. Reads (x, y)."""

    kind = "subtract"
    rule = "z = x - y"
    same_cell = True

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return operands[0].value - operands[1].value

    def explain(self, operands: Operands) -> Working:
        x, y = operands.at(0, "x"), operands.at(1, "y")
        return _of_two(x, "−", y, x.value - y.value, "One less the other.")

    def flow(self, operands: Sequence[Named], target: Target, upstream: Tensor, recorded: Tensor) -> Flows:
        return upstream, -upstream


@dataclass(frozen=True)
class Total(Step):
    """The sum along the axes that the result does not have; for a mask, how many are allowed. Reads (x,)."""

    kind = "total"
    rule = r"y = \sum_i x_i"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x = operands[0]
        lost = [i for i, axis in enumerate(x.axes) if axis.name in self.lost(x, target)]
        return x.value.sum(dim=lost) if lost else x.value

    def explain(self, operands: Operands) -> Working:
        along = self.lost(operands.tensors[0], operands.target)
        x = operands.at(0, "x", along=along)
        counts = x.values.dtype == bool
        result = x.values.sum().item()
        columns = () if counts else (Column("running sum", x.values, running=True),)
        equations = (Equation("how many" if counts else "the sum", (f"{x.values.size} cells",), result),)
        every = "All cells" if not operands.target.axes else "The row’s cells"
        return Working(f"How many {every.lower()} are true." if counts else f"{every}, added.", (x,), columns, equations, result)

    @staticmethod
    def lost(x: Named, target: Target) -> list[str]:
        """Return the names of the axes of `x` that are summed over."""
        kept = {axis.name for axis in target.axes}
        return [axis.name for axis in x.axes if axis.name not in kept]


def the_same(x: Line, says: str) -> Working:
    """Return the working of a cell that is another cell."""
    return Working(says, (x,), equations=(Equation("", (x,), x.value),), result=x.value)


def _of_two(x: Line, sign: str, y: Line, result: float, says: str) -> Working:
    return Working(says, (x, y), equations=(Equation("", (x, sign, y), result),), result=result)
