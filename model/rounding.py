"""How far float32 may be from float64: what each kind of step adds up, and what rounding costs it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from .steps import (
    Activation,
    Add,
    ApplyMask,
    Centre,
    Contract,
    Embed,
    FirstRows,
    JoinHeads,
    Keep,
    LabelLoss,
    Linear,
    LogSoftmax,
    Mean,
    Named,
    Same,
    Softmax,
    SplitHeads,
    Step,
    Subtract,
    Total,
    Variance,
)

ROUNDING = 2.0**-24
"""The most that one rounding to float32 changes a number, relative to it: 24 bits."""

_MOVES = (Same, SplitHeads, JoinHeads, Embed, FirstRows, ApplyMask, Keep, LabelLoss)
_ADDS_WHAT_IT_READS = (Add, Subtract, Centre, Mean, Activation)
_TERMS_OF_ERF = 5  # torch's erf for float32 is a polynomial of five terms (Abramowitz and Stegun, 7.1.26)


@dataclass(frozen=True)
class Allowance:
    """What rounding explains for one tensor.

    `terms` is how many numbers one cell adds up: 1 for a cell worked out alone, 0 where cells are only moved. `scale` is what
    differences are measured against: the most that a cell's terms amount to, not what is left of them after they cancel, since
    cancelling leaves their roundings behind. `tolerance` is the limit for difference / scale.
    """

    terms: int
    scale: float

    @property
    def tolerance(self) -> float:
        """0 where cells are only moved; else 4 (1 + √terms) roundings."""
        return 4 * (1 + math.sqrt(self.terms)) * ROUNDING if self.terms else 0.0

    @property
    def says(self) -> str:
        """Why this is right, in plain words."""
        if self.terms == 0:
            return "Cells are only moved, chosen or compared here, so both must agree to the last bit."
        bits = "float32 keeps 24 bits, so one rounding changes a number by at most 2⁻²⁴ = 6e−8 of it"
        if self.terms == 1:
            return f"{bits}. A cell here takes a few roundings; eight are allowed."
        return (
            f"{bits}. A cell here adds up {self.terms} terms, whose roundings grow as √{self.terms}: 4 (1 + √{self.terms}) are "
            "allowed. They are measured against the most that the terms amount to, since terms that cancel leave their "
            "roundings behind."
        )


def moves(step: Step) -> bool:
    """Return whether a step only moves, chooses or compares cells, so that nothing is rounded."""
    return isinstance(step, _MOVES) or (isinstance(step, Activation) and step.name == "relu")


def allowance(step: Step, recorded: Tensor, operands: Sequence[Named]) -> Allowance:
    """Return what rounding explains when `recorded` was made by this step from these operands."""
    if moves(step) or not recorded.is_floating_point():
        return Allowance(0, largest(recorded))
    if isinstance(step, Linear):
        x, weight, *bias = (operand.value for operand in operands)
        columns = weight.norm(dim=1 if step.by_row else 0)
        scale = _most(x.norm(dim=-1)) * _most(columns) + sum(largest(value) for value in bias)
        return Allowance(x.shape[-1] + len(bias), scale)
    if isinstance(step, Contract):
        lengths = [operand.value.norm(dim=operand.dim(step.over)) for operand in operands]
        return Allowance(_size(operands[0], step.over), math.prod(map(_most, lengths)))
    if isinstance(step, _ADDS_WHAT_IT_READS):
        scale = max(largest(recorded), *(largest(operand.value) for operand in operands))
        return Allowance(_terms(step, operands, recorded.numel()), scale)
    return Allowance(_terms(step, operands, recorded.numel()), largest(recorded))


def largest(value: Tensor) -> float:
    """Return the largest finite magnitude, 0 if there is none."""
    if value.numel() == 0:
        return 0.0
    low, high = (float(bound) for bound in torch.aminmax(value))
    if math.isfinite(low) and math.isfinite(high):
        return max(abs(low), abs(high))
    finite = value[value.isfinite()]
    return largest(finite)


def _most(lengths: Tensor) -> float:
    """Return the longest row's length. By Cauchy and Schwarz, Σ |x y| is at most the length of x times that of y."""
    return largest(lengths)


def _terms(step: Step, operands: Sequence[Named], cells: int) -> int:
    if isinstance(step, Softmax):
        return _size(operands[0], step.over)
    if isinstance(step, LogSoftmax | Mean | Variance):
        return operands[0].value.shape[-1]
    if isinstance(step, Activation):
        return _TERMS_OF_ERF
    return operands[0].value.numel() // max(cells, 1) if isinstance(step, Total) else 1


def _size(operand: Named, axis: str) -> int:
    return operand.value.shape[operand.dim(axis)]
