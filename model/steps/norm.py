"""The steps of layer normalisation (Ba et al., 2016)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from .base import Flows, Step
from .named import Named, Target
from .working import Column, Equation, Operands, Working


@dataclass(frozen=True)
class Mean(Step):
    """The mean along the last axis. Reads (x,)."""

    kind = "mean"
    rule = r"\mu = \frac{1}{n} \sum_i x_i"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x = operands[0].value
        return x.sum(-1) / x.shape[-1]

    def explain(self, operands: Operands) -> Working:
        x = operands.row(0, "x")
        total, n = float(x.values.sum()), x.values.size
        equations = (Equation("the sum", ("Σ x",), total), Equation("the mean", (total, "÷", str(n)), total / n))
        columns = (Column("running sum", x.values, running=True),)
        return Working(f"The position’s {n} numbers, added and divided by {n}.", (x,), columns, equations, total / n)

    def flow(self, operands: Sequence[Named], target: Target, upstream: Tensor, recorded: Tensor) -> Flows:
        shape = operands[0].value.shape
        return ((upstream / shape[-1]).unsqueeze(-1).expand(shape),)


@dataclass(frozen=True)
class Variance(Step):
    """The squared differences from the mean, added up and divided by n or n − 1. Reads (x,)."""

    kind = "variance"
    rule = r"\sigma^2 = \frac{1}{n} \sum_i (x_i - \mu)^2 \text{, or over } n - 1"
    divisor: str = "n"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x = operands[0].value
        squares = (x - x.sum(-1, keepdim=True) / x.shape[-1]).pow(2).sum(-1)
        return squares / (x.shape[-1] - (self.divisor == "n-1"))

    def explain(self, operands: Operands) -> Working:
        x = operands.row(0, "x")
        n = x.values.size
        mean = float(x.values.sum()) / n
        centred = x.values - mean
        total = float((centred * centred).sum())
        by = n - (self.divisor == "n-1")
        result = total / by if by else float("nan")
        equations = (
            Equation("the mean", ("Σ x ÷", str(n)), mean),
            Equation("sum of the squares", ("Σ (x − mean)²",), total),
            Equation("the variance", (total, "÷", str(by)), result),
        )
        columns = (Column("x − mean", centred), Column("squared", centred * centred, adds=True))
        says = f"How far the position’s {n} numbers are from their mean: squared, added, divided by {by}."
        return Working(says, (x,), columns, equations, result)


@dataclass(frozen=True)
class Deviation(Step):
    """√(variance + ε), or √variance + ε. Reads (variance,)."""

    kind = "deviation"
    rule = r"\sigma = \sqrt{\sigma^2 + \varepsilon} \text{, or } \sqrt{\sigma^2} + \varepsilon"
    same_cell = True
    eps: float = 1e-5
    inside: bool = True

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        variance = operands[0].value
        return (variance + self.eps) ** 0.5 if self.inside else variance**0.5 + self.eps

    def explain(self, operands: Operands) -> Working:
        variance = operands.at(0, "variance")
        result = float((variance.value + self.eps) ** 0.5 if self.inside else variance.value**0.5 + self.eps)
        parts = ("√(", variance, "+", self.eps, ")") if self.inside else ("√", variance, "+", self.eps)
        where = "inside" if self.inside else "outside"
        says = f"The root of the variance, with ε = {self.eps:g} {where}, so that nothing is divided by 0."
        return Working(says, (variance,), equations=(Equation("", parts, result),), result=result)


@dataclass(frozen=True)
class Centre(Step):
    """Each cell less its row's mean. Reads (x, mean)."""

    kind = "centre"
    rule = r"y = x - \mu"
    same_cell = True

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return operands[0].value - operands[1].value.unsqueeze(-1)

    def explain(self, operands: Operands) -> Working:
        x, mean = operands.at(0, "x"), operands.at(1, "mean")
        result = x.value - mean.value
        return Working(
            "The cell less its row’s mean.", (x, mean), equations=(Equation("", (x, "−", mean), result),), result=result
        )

    def flow(self, operands: Sequence[Named], target: Target, upstream: Tensor, recorded: Tensor) -> Flows:
        return upstream, -upstream.sum(-1)


@dataclass(frozen=True)
class GainOffset(Step):
    """gain ⊙ x + offset. Reads (x, gain, offset)."""

    kind = "gain_offset"
    rule = r"y = g \odot x + b"
    same_cell = True

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x, gain, offset = (operand.value for operand in operands)
        return gain * x + offset

    def explain(self, operands: Operands) -> Working:
        x, gain, offset = operands.at(0, "x"), operands.at(1, "gain"), operands.at(2, "offset")
        result = gain.value * x.value + offset.value
        says = "The normalised cell times its column’s learned gain, plus its learned offset."
        return Working(says, (x, gain, offset), equations=(Equation("", (gain, "×", x, "+", offset), result),), result=result)

    def flow(self, operands: Sequence[Named], target: Target, upstream: Tensor, recorded: Tensor) -> Flows:
        return upstream * operands[1].value, None, upstream.flatten(0, -2).sum(0)
