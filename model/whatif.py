"""What if one logit were another: probabilities, loss and gradient of its row, worked out anew in float64."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .errors import InputError
from .explanation import checked
from .trace import Trace

LARGEST = 1e6


@dataclass(frozen=True)
class Row:
    """One row of logits (vocab,) and what follows from it: probabilities, its term of the loss, the loss of the batch.

    `gradient` (vocab,) is that of the loss with respect to these logits: (softmax less target) over the count.
    """

    logits: np.ndarray
    probabilities: np.ndarray
    target: np.ndarray
    term: float
    mean: float
    gradient: np.ndarray


@dataclass(frozen=True)
class WhatIf:
    """A row of logits as it is, and as it would be with one of them changed."""

    cell: tuple[int, int, int]
    before: Row
    after: Row


def what_if(trace: Trace, cell: Sequence[int], logit: float) -> WhatIf:
    """Return what becomes of a row of logits when the one at `cell` (batch, position, token) is another number.

    Raises:
        InputError: no labels, a cell outside the logits, or a number that is not finite or beyond a million.
    """
    if trace.batch.labels is None:
        raise InputError("there is no loss without labels: run with a target", where="tgt")
    batch, position, token = checked(trace["logits"], cell)
    if not (math.isfinite(logit) and abs(logit) <= LARGEST):
        raise InputError(f"logit is {logit}; it must be a number from −{LARGEST:.0f} to {LARGEST:.0f}", where="logit")
    logits = trace.logits[batch, position].double().numpy()
    changed = logits.copy()
    changed[token] = logit
    return WhatIf((batch, position, token), _row(trace, batch, position, logits), _row(trace, batch, position, changed))


def _row(trace: Trace, batch: int, position: int, logits: np.ndarray) -> Row:
    target, count = _target(trace, batch, position), int(trace["loss.count"].value)
    top = logits.max()
    log_probs = logits - top - np.log(np.exp(logits - top).sum())
    probabilities = np.exp(log_probs)
    counted = bool(trace["loss.counted"].value[batch, position])
    term = float(-(target[target > 0] * log_probs[target > 0]).sum()) if counted else 0.0
    terms = trace["loss.terms"].value.double()
    total = float(terms.sum() - terms[batch, position]) + term
    gradient = (probabilities * target.sum() - target) / count if counted and count else np.zeros_like(logits)
    return Row(logits, probabilities, target, term, total / count if count else math.nan, gradient)


def _target(trace: Trace, batch: int, position: int) -> np.ndarray:
    """Return what the row is compared with: the smoothed target, or 1 for the label."""
    if "loss.smoothed.targets" in trace:
        smoothed: np.ndarray = trace["loss.smoothed.targets"].value[batch, position].double().numpy()
        return smoothed
    target = np.zeros(trace.config.vocab_size)
    target[int(trace["loss.labels"].value[batch, position])] = 1.0
    return target
