"""Sentences made into batches: the source, the decoder's input and the labels."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from ..batch import source_row, target_row
from ..catalogue import ModelCard
from .tasks import Pair, Task

POOL = 8


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


def draw_batches(task: Task, card: ModelCard, *, seed: int) -> Iterator[Batch]:
    """Yield batches without end, the same ones for the same seed.

    Sentences are drawn some batches ahead and sorted by length, so that a batch holds little padding; the batches then come in
    random order.
    """
    rng = random.Random(seed)
    while True:
        pairs = sorted((task.draw(rng) for _ in range(POOL * task.batch)), key=lambda pair: len(pair.tgt))
        pool = [pairs[start : start + task.batch] for start in range(0, len(pairs), task.batch)]
        rng.shuffle(pool)
        yield from (make_batch(chosen, card) for chosen in pool)
