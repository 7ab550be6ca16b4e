"""From logits to the loss."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from .base import Step
from .named import Named, Target
from .working import ELSEWHERE, Column, Equation, Operands, Working


@dataclass(frozen=True)
class LogSoftmax(Step):
    """x − ln Σ e^x along the last axis. Reads (x,)."""

    kind = "log_softmax"
    rule = r"y_j = x_j - \ln \sum_k e^{x_k}"
    same_cell = True

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x = operands[0].value
        top = x.amax(-1, keepdim=True)
        return x - top - torch.log(torch.exp(x - top).sum(-1, keepdim=True))

    def explain(self, operands: Operands) -> Working:
        x = operands.row(0, "x")
        top = float(x.values.max())
        less = x.values - top
        powers = np.exp(less)
        total = float(powers.sum())
        here = float(x.values[operands.cell[-1]])
        result = here - top - math.log(total)
        equations = (
            Equation("largest of the row", ("max x",), top),
            Equation("sum of the powers", ("Σ e^(x − max)",), total),
            Equation("its logarithm", ("ln", total), math.log(total)),
            Equation("this cell", (here, "−", top, "−", math.log(total)), result),
        )
        columns = (Column("x − max", less), Column("e^(x − max)", powers, adds=True))
        says = "The logit less the logarithm of the sum of all powers: what a softmax does, in logarithms."
        return Working(says, (x,), columns, equations, result)

    def beneath(self, operands: Sequence[Named], cell: tuple[int, ...]) -> tuple[int, tuple[int, ...]] | None:
        return 0, cell


@dataclass(frozen=True)
class LabelLoss(Step):
    """−ln p of the label. Reads (log_probs, labels)."""

    kind = "label_loss"
    rule = r"y = -\ln p(\mathrm{label})"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        log_probs, labels = (operand.value for operand in operands)
        return -torch.take_along_dim(log_probs, labels.unsqueeze(-1), dim=-1).squeeze(-1)

    def explain(self, operands: Operands) -> Working:
        label = operands.found(1, "label", operands.cell, (0, 1))
        log_prob = operands.found(0, "ln p", (*operands.cell, int(label.value)), (0, 1, ELSEWHERE))
        says = f"Minus the log-probability of the label, token {label.value}: 0 where the model was certain of it."
        return Working(
            says, (log_prob, label), equations=(Equation("", ("−", log_prob), -log_prob.value),), result=-log_prob.value
        )

    def beneath(self, operands: Sequence[Named], cell: tuple[int, ...]) -> tuple[int, tuple[int, ...]] | None:
        return 0, (*cell, int(operands[1].value[cell]))
