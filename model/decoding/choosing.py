"""From one row of logits to candidates, and to the token that is chosen or drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..tokenizers import Tokenizer
from .steps import SHOWN, Candidate, Cut
from .strategy import Sample, Strategy


@dataclass(frozen=True)
class Choice:
    """The token chosen at the end of one row, with the best candidates in order; `order` are all ids, the best first."""

    id: int
    top: tuple[Candidate, ...]
    order: np.ndarray
    log_probs: np.ndarray
    margin: float
    tied: int
    draw: float | None


def choose(logits: np.ndarray, log_probs: np.ndarray, tokenizer: Tokenizer, strategy: Strategy, *, row: int, step: int) -> Choice:
    """Choose the next token of one row.

    Args:
        logits, log_probs: (vocab,) of the row's last position. Ties go to the lowest id.
        row, step: where in the decoding this is; the draw depends on them and on the strategy's seed.
    """
    order = np.argsort(-logits, kind="stable")
    best = logits[order[: max(SHOWN, 2)]]
    margin = float(best[0]) - float(best[1]) if len(best) > 1 else float("inf")
    tied = int((logits == best[0]).sum())
    if not isinstance(strategy, Sample):
        top = tuple(Candidate(tokenizer.token(int(id)), float(logits[id]), float(log_probs[id])) for id in order[:SHOWN])
        return Choice(int(order[0]), top, order, log_probs, margin, tied, None)

    kept = filter_logits(logits, order, strategy)
    draw = float(np.random.Generator(np.random.PCG64([strategy.seed, row, step])).random())
    ends = np.cumsum(kept.chances[order])
    place = min(int(np.searchsorted(ends, draw * ends[-1], side="right")), int(np.count_nonzero(kept.chances)) - 1)
    top = tuple(
        Candidate(
            tokenizer.token(int(id)),
            float(logits[id]),
            float(log_probs[id]),
            float(kept.tempered[id]),
            kept.cut(int(id)),
            float(kept.chances[id]),
        )
        for id in _shown(order, place)
    )
    return Choice(int(order[place]), top, order, log_probs, margin, tied, draw)


@dataclass(frozen=True)
class Kept:
    """What temperature, top-k and top-p leave of a row: tempered logits, who is cut by what, and the chances of the draw."""

    tempered: np.ndarray
    by_k: np.ndarray
    by_p: np.ndarray
    chances: np.ndarray

    def cut(self, id: int) -> Cut | None:
        """Return what took a token out, or None."""
        return "top_k" if self.by_k[id] else "top_p" if self.by_p[id] else None


def filter_logits(logits: np.ndarray, order: np.ndarray, strategy: Sample) -> Kept:
    """Apply temperature, top-k and top-p to a row of logits, in float64; `order` are its ids, the best first."""
    wide = logits.astype(np.float64)
    if strategy.temperature == 0:
        tempered = np.where(np.arange(wide.size) == order[0], 0.0, -np.inf)
    else:
        tempered = wide / strategy.temperature
    by_k = np.zeros(wide.size, dtype=bool)
    if strategy.top_k:
        by_k[order[strategy.top_k :]] = True
    chances = _softmax(np.where(by_k, -np.inf, tempered))

    before = np.cumsum(chances[order]) - chances[order]
    by_p = np.zeros(wide.size, dtype=bool)
    by_p[order[before >= strategy.top_p]] = True
    by_p &= ~by_k
    by_p[order[0]] = False
    return Kept(tempered, by_k, by_p, _softmax(np.where(by_k | by_p, -np.inf, tempered)))


def _softmax(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(logits - logits.max())
    shares: np.ndarray = powers / powers.sum()
    return shares


def _shown(order: np.ndarray, place: int) -> np.ndarray:
    """Return the best ids, and the drawn one where it is not among them."""
    return order[:SHOWN] if place < SHOWN else np.append(order[: SHOWN - 1], order[place])
