"""How often a model is right: greedy decoding, compared with the whole target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from ..catalogue import ModelCard
from ..deadline import look
from ..transformer import Transformer
from .batches import pad, source_ids
from .tasks import Pair
from .threads import one_thread

BATCH = 250


@dataclass(frozen=True)
class Score:
    """How many of `total` sentences came out exactly right."""

    right: int
    total: int

    @property
    def accuracy(self) -> float:
        """The share that is right, 0 to 1."""
        return self.right / self.total


def exact_matches(network: Transformer, pairs: Sequence[Pair], card: ModelCard) -> Score:
    """Decode the sources and count the targets met exactly, the end included."""
    written = greedy(network, [pair.src for pair in pairs], card)
    return Score(sum(text == pair.tgt for text, pair in zip(written, pairs, strict=True)), len(pairs))


def greedy(network: Transformer, sources: Sequence[str], card: ModelCard) -> list[str | None]:
    """Return what the network makes of each source; None where no end token came within the card's `decode_steps`."""
    order = sorted(range(len(sources)), key=lambda place: len(sources[place]))
    written: dict[int, str | None] = {}
    for start in range(0, len(order), BATCH):
        places = order[start : start + BATCH]
        src_ids = pad([source_ids(sources[place], card) for place in places], card.tokenizer.pad_id)
        written |= {place: _text(ids, card) for place, ids in zip(places, _decode(network, src_ids, card), strict=True)}
    return [written[place] for place in range(len(sources))]


@torch.inference_mode()
@one_thread()
def _decode(network: Transformer, src_ids: Tensor, card: ModelCard) -> list[list[int]]:
    tgt_ids = torch.full((len(src_ids), 1), card.tokenizer.start_id)
    ended = torch.zeros(len(src_ids), dtype=torch.bool)
    for step in range(card.decode_steps):
        look(f"token {step + 1} of {len(src_ids)} sentences")
        best = network(src_ids, tgt_ids)[:, -1].argmax(-1)
        tgt_ids = torch.cat((tgt_ids, best.unsqueeze(1)), dim=1)
        ended |= best == card.tokenizer.end_id
        if ended.all():
            break
    return [row[1:] for row in tgt_ids.tolist()]


def _text(ids: list[int], card: ModelCard) -> str | None:
    end = card.tokenizer.end_id
    return card.tokenizer.decode(ids[: ids.index(end)]) if end in ids else None
