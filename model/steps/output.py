"""From logits to the loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

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
    """−log p of the label; 0 where the label is padding. Reads (log_probs, labels)."""

    kind = "label_loss"
    pad_id: int = 0

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        log_probs, labels = (operand.value for operand in operands)
        picked = torch.take_along_dim(log_probs, labels.unsqueeze(-1), dim=-1).squeeze(-1)
        return torch.where(labels == self.pad_id, 0, -picked)
