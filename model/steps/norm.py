"""The steps of layer normalisation (Ba et al., 2016)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from .base import Named, Step, Target


@dataclass(frozen=True)
class Mean(Step):
    """The mean along the last axis. Reads (x,)."""

    kind = "mean"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x = operands[0].value
        return x.sum(-1) / x.shape[-1]


@dataclass(frozen=True)
class Variance(Step):
    """The squared differences from the mean, added up and divided by n or n − 1. Reads (x,)."""

    kind = "variance"
    divisor: str = "n"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x = operands[0].value
        squares = (x - x.sum(-1, keepdim=True) / x.shape[-1]).pow(2).sum(-1)
        return squares / (x.shape[-1] - (self.divisor == "n-1"))


@dataclass(frozen=True)
class Deviation(Step):
    """√(variance + ε), or √variance + ε. Reads (variance,)."""

    kind = "deviation"
    eps: float = 1e-5
    inside: bool = True

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        variance = operands[0].value
        return (variance + self.eps) ** 0.5 if self.inside else variance**0.5 + self.eps


@dataclass(frozen=True)
class Centre(Step):
    """Each cell less its row's mean. Reads (x, mean)."""

    kind = "centre"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return operands[0].value - operands[1].value.unsqueeze(-1)


@dataclass(frozen=True)
class GainOffset(Step):
    """gain ⊙ x + offset. Reads (x, gain, offset)."""

    kind = "gain_offset"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x, gain, offset = (operand.value for operand in operands)
        return gain * x + offset
