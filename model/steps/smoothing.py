"""Label smoothing (section 5.4): what the loss compares the probabilities with, and how uncertain that is by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from .base import Step
from .named import Named, Target
from .working import Equation, Operands, Working

OTHERS = {"all": 0, "others": 1, "real": 2}
"""For each convention, how many tokens get no share of ε: none; the label; the label and the padding."""


@dataclass(frozen=True)
class SmoothTarget(Step):
    """1 − ε for the label, and ε shared out among the others; a row of 0 where the label is padding. Reads (labels,).

    `over` names the convention: "all" shares ε out among all V tokens, the label among them; "others" among the V − 1 others;
    "real" among the V − 2 others that are not padding.
    """

    kind = "smooth_target"
    rule = r"q_v = (1 - \varepsilon) [v = \mathrm{label}] + \frac{\varepsilon}{n}"
    eps: float = 0.1
    over: str = "all"
    pad_id: int = 0

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        labels = operands[0].value.tolist()
        vocab = target.sizes["vocab"]
        rows = [[[self.cell(label, id, vocab) for id in range(vocab)] for label in row] for row in labels]
        return torch.tensor(rows, dtype=torch.float64).reshape(target.shape)

    def cell(self, label: int, id: int, vocab: int) -> float:
        """Return what one token is worth where this is the label, in Python's own floats."""
        if label == self.pad_id:
            return 0.0
        share = self.eps / max(vocab - OTHERS[self.over], 1)
        if id == label:
            return 1 - self.eps + (share if self.over == "all" else 0.0)
        return 0.0 if self.over == "real" and id == self.pad_id else share

    def explain(self, operands: Operands) -> Working:
        label = operands.found(0, "label", operands.cell[:2], (0, 1))
        vocab, id = operands.target.sizes["vocab"], operands.cell[2]
        result = self.cell(int(label.value), id, vocab)
        n = max(vocab - OTHERS[self.over], 1)
        if label.value == self.pad_id:
            return Working("The label is padding, so the whole row is 0: it adds nothing to the loss.", (label,), result=0.0)
        if id == label.value:
            parts = ("1 −", self.eps, *(("+", self.eps, "÷", str(n)) if self.over == "all" else ()))
            return Working("This token is the label.", (label,), equations=(Equation("", parts, result),), result=result)
        if result == 0:
            return Working("Padding gets no share.", (label,), equations=(Equation("", ("0",), 0.0),), result=0.0)
        says = f"Not the label: its share of ε, which {n} tokens get."
        return Working(says, (label,), equations=(Equation("", (self.eps, "÷", str(n)), result),), result=result)


@dataclass(frozen=True)
class Entropic(Step):
    """−x ln x, and 0 where x is 0. Reads (x,)."""

    kind = "entropic"
    rule = r"y = - x \ln x"
    same_cell = True

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x = operands[0].value
        return torch.where(x == 0, 0, -x * torch.log(torch.where(x == 0, 1, x)))

    def explain(self, operands: Operands) -> Working:
        x = operands.at(0, "x")
        result = float(-x.value * np.log(x.value)) if x.value else 0.0
        says = "Minus the number times its logarithm: what it adds to the entropy of its row."
        return Working(says, (x,), equations=(Equation("", ("−", x, "× ln", x), result),), result=result)
