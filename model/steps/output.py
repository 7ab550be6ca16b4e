"""From logits to the loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from .attention import NotPadding
from .base import Named, Step, Target


@dataclass(frozen=True)
class LogSoftmax(Step):
    """x − ln Σ e^x along the last axis. Reads (x,)."""

    kind = "log_softmax"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x = operands[0].value
        top = x.amax(-1, keepdim=True)
        return x - top - torch.log(torch.exp(x - top).sum(-1, keepdim=True))


@dataclass(frozen=True)
class LabelLoss(Step):
    """−ln p of the label. Reads (log_probs, labels)."""

    kind = "label_loss"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        log_probs, labels = (operand.value for operand in operands)
        return -torch.take_along_dim(log_probs, labels.unsqueeze(-1), dim=-1).squeeze(-1)


@dataclass(frozen=True)
class Counted(NotPadding):
    """Counted where the label is not the padding's. Reads (labels,)."""

    kind = "counted"


@dataclass(frozen=True)
class Keep(Step):
    """The value where it counts, 0 elsewhere. Reads (x, counted)."""

    kind = "keep"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x, counted = (operand.value for operand in operands)
        return torch.where(counted, x, 0)
