"""Sums, products, linear layers and activations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from .base import Named, Step, Target, align


@dataclass(frozen=True)
class Same(Step):
    """The tensor itself under another name. Reads (x,)."""

    kind = "same"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return operands[0].value


@dataclass(frozen=True)
class Scale(Step):
    """Every cell times `by`. Reads (x,)."""

    kind = "scale"
    by: float = 1.0

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return operands[0].value * self.by


@dataclass(frozen=True)
class Add(Step):
    """Cell plus cell; an axis that one of the two lacks is repeated. Reads (x, y)."""

    kind = "add"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x, y = (align(operand, target.axes) for operand in operands)
        return (x + y).expand(target.shape)


@dataclass(frozen=True)
class Multiply(Step):
    """Cell times cell. Reads (x, y)."""

    kind = "multiply"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x, y = (align(operand, target.axes) for operand in operands)
        return (x * y).expand(target.shape)


@dataclass(frozen=True)
class Divide(Step):
    """Cell over cell; a divisor without the last axis serves the whole row. Reads (x, divisor)."""

    kind = "divide"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x, divisor = (operand.value for operand in operands)
        return x / (divisor.unsqueeze(-1) if divisor.dim() < x.dim() else divisor)


@dataclass(frozen=True)
class Linear(Step):
    """x W + b, along x's last axis. Reads (x, W) or (x, W, b).

    W is (in, out); `by_row` says it is (out, in), as the output layer's, whose rows are tokens.
    """

    kind = "linear"
    by_row: bool = False

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x, weight = operands[0].value, operands[1].value
        product: Tensor = torch.tensordot(x, weight, dims=([x.dim() - 1], [1 if self.by_row else 0]))
        return product + operands[2].value if len(operands) == 3 else product


@dataclass(frozen=True)
class Activation(Step):
    """max(0, x), or GELU: x times the normal distribution function of x. Reads (x,)."""

    kind = "activation"
    name: str = "relu"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x = operands[0].value
        if self.name == "gelu":
            return x * (1 + torch.erf(x / math.sqrt(2))) / 2
        return torch.where(x > 0, x, 0)


@dataclass(frozen=True)
class Exponential(Step):
    """e^x. Reads (x,)."""

    kind = "exp"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return torch.exp(operands[0].value)


@dataclass(frozen=True)
class Total(Step):
    """The sum of all cells; for a mask, how many are allowed. Reads (x,)."""

    kind = "total"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return operands[0].value.sum()
