"""Sentences made into batches: the source, the decoder's input and the labels."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from ..batch import source_row, target_row
from ..catalogue import ModelCard
from .tasks import Pair

POOL = 8

Draw = Callable[[random.Random], Pair]
_State = tuple[Any, ...]


@dataclass(frozen=True)
class Batch:
    """Token ids, padded on the right: source (batch, src), decoder input and labels (batch, tgt)."""

    src_ids: Tensor
    tgt_ids: Tensor
    labels: Tensor


def make_batch(pairs: Sequence[Pair], card: ModelCard) -> Batch:
    """Return the batch of some pairs.

    The target is `<start> … <end>`. The decoder's input is all of it but the last token, the labels all but the first: at each
    position the network reads the target up to there and has to predict the next token.
    """
    targets = [target_ids(pair.tgt, card) for pair in pairs]
    return Batch(
        src_ids=pad([source_ids(pair.src, card) for pair in pairs], card.tokenizer.pad_id),
        tgt_ids=pad([ids[:-1] for ids in targets], card.tokenizer.pad_id),
        labels=pad([ids[1:] for ids in targets], card.tokenizer.pad_id),
    )


def source_ids(text: str, card: ModelCard) -> list[int]:
    """Return the ids of a source, as the page feeds it."""
    return [token.id for token in source_row(card, text)]


def target_ids(text: str, card: ModelCard) -> list[int]:
    """Return the ids of a whole target, <start> and <end> included, as the page feeds it."""
    return [token.id for token in target_row(card, text)]


def pad(rows: Sequence[Sequence[int]], pad_id: int) -> Tensor:
    """Return rows of ids as one tensor, shorter rows filled up on the right."""
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[pad_id] * (longest - len(row))] for row in rows])


class Stream:
    """Batches without end, the same ones for the same seed; where it stands can be kept and taken up again.

    Sentences are drawn some batches ahead and sorted by length, so that a batch holds little padding; the batches then come in
    random order.
    """

    def __init__(self, draw: Draw, card: ModelCard, *, batch: int, seed: int) -> None:
        self._draw, self._card, self._batch = draw, card, batch
        self._rng = random.Random(seed)
        self._before: _State = self._rng.getstate()
        self._pool: list[list[Pair]] = []
        self._place = 0

    def pairs(self) -> list[Pair]:
        """Return the sentences of the next batch."""
        if self._place == len(self._pool):
            self._fill()
        self._place += 1
        return self._pool[self._place - 1]

    def batch(self) -> Batch:
        """Return the next batch."""
        return make_batch(self.pairs(), self._card)

    @property
    def position(self) -> dict[str, Any]:
        """Where the stream stands, as plain values for JSON: the random numbers before the pool, and the place in it."""
        version, numbers, gauss = self._before
        return {"version": version, "numbers": list(numbers), "gauss": gauss, "place": self._place, "drawn": bool(self._pool)}

    @position.setter
    def position(self, kept: Mapping[str, Any]) -> None:
        self._before = (kept["version"], tuple(kept["numbers"]), kept["gauss"])
        self._rng.setstate(self._before)
        self._pool, self._place = [], 0
        if kept["drawn"]:
            self._fill()
            self._place = kept["place"]

    def _fill(self) -> None:
        self._before = self._rng.getstate()
        pairs = sorted((self._draw(self._rng) for _ in range(POOL * self._batch)), key=lambda pair: len(pair.tgt))
        self._pool = [pairs[start : start + self._batch] for start in range(0, len(pairs), self._batch)]
        self._rng.shuffle(self._pool)
        self._place = 0
