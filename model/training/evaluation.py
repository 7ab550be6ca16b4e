"""How a training is doing on what it never sees: a loss, an accuracy, and what it writes by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

from ..transformer import Transformer
from .batches import make_batch
from .scores import greedy
from .session import Session
from .threads import one_thread

PAIRS = 32
SAMPLES = 4


@dataclass(frozen=True)
class Evaluation:
    """Held-out loss, the share of tokens predicted right with the right target before them, and some sentences written.

    A loss that is not finite is None. `samples` are (source, target, what the model wrote), the last None where it found no end.
    """

    loss: float | None
    accuracy: float
    samples: tuple[tuple[str, str, str | None], ...]

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "loss": self.loss,
            "accuracy": self.accuracy,
            "samples": [
                {"src": src, "tgt": tgt, "written": written, "right": written == tgt} for src, tgt, written in self.samples
            ],
        }


def evaluate(session: Session) -> Evaluation:
    """Look at a few held-out pairs, always the same ones; the session goes on as if nothing had been."""
    tests = session.lesson.tests[:PAIRS]
    card = session.lesson.card
    batch = make_batch(tests, card)
    with _resting(session.network) as network, torch.inference_mode(), one_thread():
        logits = network(batch.src_ids, batch.tgt_ids)
        loss = network.loss(logits.log_softmax(-1), batch.labels)
        counted = batch.labels != card.tokenizer.pad_id
        accuracy = (logits.argmax(-1) == batch.labels)[counted].double().mean()
        shown = tests[:SAMPLES]
        written = greedy(network, [pair.src for pair in shown], card)
    samples = tuple((pair.src, pair.tgt, text) for pair, text in zip(shown, written, strict=True))
    return Evaluation(float(loss) if loss.isfinite() else None, float(accuracy), samples)


@contextmanager
def _resting(network: Transformer) -> Iterator[Transformer]:
    """Put the network in evaluation mode inside: no dropout, so the die is not thrown either."""
    training = network.training
    network.eval()
    try:
        yield network
    finally:
        network.train(training)
