"""Beam search as bookkeeping: from the scores of all continuations to the hypotheses that stay (section 6.1).

Pure: it knows log-probabilities and ids, no network. Ended hypotheses keep their place in the beam for as long as nothing better
crowds them out, so that width 1 is greedy decoding and a beam wide enough for every sequence is exhaustive search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .strategy import Beam


@dataclass(frozen=True)
class Hypothesis:
    """One way to go on: out of row `row` (None: it had ended before, as hypothesis `node`) with token `id`."""

    row: int | None
    node: int
    id: int
    log_prob: float
    total: float
    length: int
    score: float
    ended: bool


def expand(
    row: int, node: int, total: float, length: int, order: np.ndarray, log_probs: np.ndarray, strategy: Beam, *, end: int | None
) -> list[Hypothesis]:
    """Return the best continuations of one live hypothesis, at most as many as the beam is wide.

    Args:
        total, length: the hypothesis' sum of log-probabilities and number of tokens.
        order: all ids, the best first. log_probs: (vocab,). end: id of the end token.
    """
    grown = []
    for id in order[: strategy.width].tolist():
        log_prob = float(log_probs[id])
        score = (total + log_prob) / strategy.penalty(length + 1)
        grown.append(Hypothesis(row, node, id, log_prob, total + log_prob, length + 1, score, id == end))
    return grown


def keep(ended: Sequence[Hypothesis], grown: Sequence[Hypothesis], width: int) -> tuple[list[Hypothesis], list[Hypothesis]]:
    """Return the `width` best of what had ended and what has grown, and those that are dropped; of equals, what stands first."""
    ranked = sorted([*ended, *grown], key=lambda hypothesis: -hypothesis.score)
    return ranked[:width], ranked[width:]
