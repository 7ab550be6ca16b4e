"""Scores of whole translations: exact matches, tokens, BLEU and chrF as sacrebleu works them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from ..catalogue import ModelCard
from ..transformer import Transformer
from .batches import make_batch
from .scores import greedy
from .tasks import Pair
from .threads import one_thread

BATCH = 100
ORDERS = 4


@dataclass(frozen=True)
class Measure:
    """A score from 0 to 100 with the settings it depends on; None where it is undefined, and then `why`."""

    score: float | None
    signature: str
    why: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"score": self.score, "signature": self.signature, "why": self.why}


def score_translations(network: Transformer, pairs: Sequence[Pair], card: ModelCard) -> dict[str, Any]:
    """Decode held-out sources greedily and compare with their targets; plain values for JSON."""
    written = greedy(network, [pair.src for pair in pairs], card)
    targets = [pair.tgt for pair in pairs]
    texts = [text or "" for text in written]
    right, total = _tokens(network, pairs, card)
    return {
        "sentences": len(pairs),
        "exact": sum(text == target for text, target in zip(written, targets, strict=True)),
        "endless": written.count(None),
        "tokens": {"right": right, "total": total},
        "bleu": bleu(texts, targets).as_dict(),
        "chrf": chrf(texts, targets).as_dict(),
    }


def bleu(written: Sequence[str], targets: Sequence[str]) -> Measure:
    """Return corpus BLEU; undefined where no sentence that was written has the four words of the longest n-gram."""
    from sacrebleu.metrics.bleu import BLEU  # which every start would wait for, and only scores need

    metric = BLEU()
    found = metric.corpus_score(list(written), [list(targets)])
    signature = str(metric.get_signature())
    for order, count in enumerate(found.totals, 1):
        if not count:
            words = "word" if order == 1 else "words"
            why = f"no sentence that was written has {order} {words}, so there are no {order}-grams to compare (0 / 0)"
            return Measure(None, signature, why)
    return Measure(min(found.score, 100.0), signature)


def chrf(written: Sequence[str], targets: Sequence[str]) -> Measure:
    """Return corpus chrF; undefined where nothing was written at all."""
    from sacrebleu.metrics.chrf import CHRF

    metric = CHRF()
    found = metric.corpus_score(list(written), [list(targets)])
    signature = str(metric.get_signature())
    if not any(map(str.strip, written)):
        return Measure(None, signature, "nothing was written, so there are no characters to compare (0 / 0)")
    return Measure(min(found.score, 100.0), signature)


@torch.inference_mode()
@one_thread()
def _tokens(network: Transformer, pairs: Sequence[Pair], card: ModelCard) -> tuple[int, int]:
    """Count the labels, and those predicted right with the right target before them."""
    right = total = 0
    for start in range(0, len(pairs), BATCH):
        batch = make_batch(pairs[start : start + BATCH], card)
        counted = batch.labels != card.tokenizer.pad_id
        right += int((network(batch.src_ids, batch.tgt_ids).argmax(-1) == batch.labels)[counted].sum())
        total += int(counted.sum())
    return right, total
