"""The steps of attention (section 3.2): heads, scores, softmax, mix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from .arithmetic import the_same
from .base import Flows, Step
from .named import Named, Target
from .sums import sum_of_products
from .working import ELSEWHERE, Column, Equation, Operands, Working


@dataclass(frozen=True)
class SplitHeads(Step):
    """Column c of the width becomes column c mod d_k of head c div d_k. Reads (x,)."""

    kind = "split"
    rule = r"y_{h, c} = x_{h d_k + c}"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        d_k = target.sizes["d_k"]
        return torch.stack(torch.split(operands[0].value, d_k, dim=-1), dim=1)

    def explain(self, operands: Operands) -> Working:
        batch, head, row, column = operands.cell
        d_k = operands.target.sizes["d_k"]
        x = operands.found(0, "x", (batch, row, head * d_k + column), (0, 2, ELSEWHERE))
        says = f"Head {head}, column {column} is column {head} × {d_k} + {column} = {head * d_k + column} of the whole width."
        return the_same(x, says)

    def flow(self, operands: Sequence[Named], target: Target, upstream: Tensor, recorded: Tensor) -> Flows:
        return (torch.cat(upstream.unbind(1), dim=-1),)


@dataclass(frozen=True)
class JoinHeads(Step):
    """The heads side by side again: the inverse of the split. Reads (heads,)."""

    kind = "concat"
    rule = r"y_c = x_{c \, \mathrm{div} \, d_k, \; c \, \mathrm{mod} \, d_k}"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        heads = operands[0]
        return torch.cat(heads.value.unbind(heads.dim("head")), dim=-1)

    def explain(self, operands: Operands) -> Working:
        batch, row, wide = operands.cell
        d_k = operands.target.sizes["d_k"]
        head, column = divmod(wide, d_k)
        x = operands.found(0, "x", (batch, head, row, column), (0, ELSEWHERE, 1, ELSEWHERE))
        return the_same(x, f"Column {wide} = {head} × {d_k} + {column} is column {column} of head {head}.")

    def flow(self, operands: Sequence[Named], target: Target, upstream: Tensor, recorded: Tensor) -> Flows:
        return (torch.stack(torch.split(upstream, target.sizes["d_k"], dim=-1), dim=operands[0].dim("head")),)


@dataclass(frozen=True)
class Contract(Step):
    """The sum over one axis of the products of two tensors' cells. Reads (x, y); `over` names the axis.

    Scores sum over d_k (`kind` "dot"); weights times V sums over the keys ("mix"), the one place where positions mix.
    """

    kind = "contract"
    rule = r"z = \sum_i x_i y_i"
    roles: ClassVar[tuple[str, str]] = ("x", "y")
    said: ClassVar[str] = "Product by product, added."
    over: str = ""

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        letters: dict[str, str] = {}
        terms = ["".join(letters.setdefault(axis.name, chr(97 + len(letters))) for axis in x.axes) for x in operands]
        assert self.over in letters, f"{self.over} is no axis of the operands"
        result = "".join(letters[axis.name] for axis in target.axes)
        return torch.einsum(f"{','.join(terms)}->{result}", *(operand.value for operand in operands))

    def explain(self, operands: Operands) -> Working:
        x, y = (operands.at(i, role, along=(self.over,)) for i, role in enumerate(self.roles))
        return sum_of_products(self.said, x, y)


@dataclass(frozen=True)
class Dot(Contract):
    """Row of Q with row of K: the scores."""

    kind = "dot"
    rule = r"s_{ij} = \sum_c q_{ic} k_{jc}"
    roles = ("q", "k")
    said = "The query’s row of Q with the key’s row of K, product by product: large where the two point the same way."


@dataclass(frozen=True)
class Mix(Contract):
    """Rows of V, weighted."""

    kind = "mix"
    rule = r"y_{ic} = \sum_j w_{ij} v_{jc}"
    roles = ("w", "v")
    said = "Every key’s value, times the weight that this query gives that key, added."

    def flow(self, operands: Sequence[Named], target: Target, upstream: Tensor, recorded: Tensor) -> Flows:
        return None, operands[0].value.to(torch.float64).transpose(-2, -1) @ upstream


@dataclass(frozen=True)
class Softmax(Step):
    """e^x over the sum of e^x along one axis; all 0 where every cell is blocked. Reads (x,)."""

    kind = "softmax"
    rule = r"y_j = \frac{e^{x_j - \max x}}{\sum_k e^{x_k - \max x}}"
    same_cell = True
    over: str = ""

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x = operands[0]
        dim = x.dim(self.over)
        top = x.value.amax(dim, keepdim=True)
        powers = torch.exp(x.value - torch.where(top.isneginf(), 0, top))
        total = powers.sum(dim, keepdim=True)
        return torch.where(total == 0, 0, powers / total)

    def explain(self, operands: Operands) -> Working:
        x = operands.at(0, "x", along=(self.over,))
        here = operands.place(self.over)
        top = float(x.values.max())
        if top == -np.inf:
            says = "Every key of this row is blocked: there is nothing to share out, so the weight is 0."
            return Working(says, (x,), equations=(Equation("no key is allowed", ("0",), 0.0),), result=0.0)
        less = x.values - top
        powers = np.exp(less)
        total = float(powers.sum())
        result = float(powers[here]) / total
        columns = (Column("x − max", less), Column("e^(x − max)", powers, adds=True), Column("share", powers / total, adds=True))
        equations = (
            Equation("largest of the row", ("max x",), top),
            Equation("sum of the powers", ("Σ e^(x − max)",), total),
            Equation("this cell’s share", (float(powers[here]), "÷", total), result),
        )
        says = "e to the power of each score of the row, less the largest, so that nothing overflows; this one’s share of it all."
        if x.values[here] == -np.inf:
            says = "This key is blocked: its score is −∞, and e to the power of −∞ is exactly 0, so its share is 0."
        return Working(says, (x,), columns, equations, result)
