"""A training batch laid open, position by position: what is fed, what may be seen, what is to be said, and what it costs."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import torch

from .catalogue import card
from .errors import InputError
from .tokenizers import Token
from .trace import Trace

_WEIGHTS = re.compile(r"decoder\.layers\.\d+\.self_attn\.weights")


@dataclass(frozen=True)
class Leak:
    """How strongly a position looks at the very token that it has to predict, which stands one place later in its own input.

    `name` is the weights' tensor, `cell` the largest of them.
    """

    name: str
    cell: tuple[int, int, int, int]
    weight: float


@dataclass(frozen=True)
class Place:
    """One position of one sentence.

    `sees` are the positions of the decoder's input that the mask lets it look at. `log_prob` is that of the label, `term` what
    the position adds to the loss, `share` that part of the whole. `leak` is None where the label cannot be seen.
    """

    fed: Token
    sees: tuple[int, ...]
    label: Token
    counted: bool
    predicted: Token
    probability: float
    log_prob: float
    surprisal: float
    term: float
    share: float
    leak: Leak | None

    @property
    def right(self) -> bool:
        """Whether the likeliest token is the label."""
        return self.predicted.id == self.label.id


@dataclass(frozen=True)
class Sheet:
    """A batch: the source and the positions of each sentence, and the loss put together.

    `untrained` is ln V, the loss of a model that holds every token equally likely; `floor` is the least that the loss can be, 0
    without label smoothing. `unshifted` is true where every label is the token that is fed at its own position.
    """

    src: tuple[tuple[Token, ...], ...]
    places: tuple[tuple[Place, ...], ...]
    total: float
    count: int
    mean: float
    sentence_means: tuple[float, ...]
    mean_of_means: float
    untrained: float
    floor: float
    unshifted: bool


def lay_open(trace: Trace) -> Sheet:
    """Return the sheet of a trace.

    Raises:
        InputError: the trace has no labels.
    """
    batch = trace.batch
    if batch.labels is None:
        raise InputError("this run was given a prefix and no target, so there is no label and no loss", where="tgt")
    total, count = float(trace["loss.total"].value), int(trace["loss.count"].value)
    entropy = trace["loss.smoothed.entropy"].value if "loss.smoothed.entropy" in trace else torch.zeros(1)
    return Sheet(
        src=batch.src,
        places=tuple(tuple(_place(trace, i, j, total) for j in range(len(row))) for i, row in enumerate(batch.tgt)),
        total=total,
        count=count,
        mean=float(trace["loss.mean"].value),
        sentence_means=tuple(trace["loss.sentence_means"].value.tolist()),
        mean_of_means=float(trace["loss.mean_of_means"].value),
        untrained=math.log(trace.config.vocab_size),
        floor=float(entropy.sum()) / count if count else math.nan,
        unshifted=all(
            fed.id == label.id
            for row, labels in zip(batch.tgt, batch.labels, strict=True)
            for fed, label in zip(row, labels, strict=True)
        ),
    )


def _place(trace: Trace, sentence: int, position: int, total: float) -> Place:
    assert trace.batch.labels is not None
    label = trace.batch.labels[sentence][position]
    log_probs = trace["log_probs"].value[sentence, position]
    predicted = int(trace.logits[sentence, position].argmax())
    term = float(trace["loss.terms"].value[sentence, position])
    seen = trace["masks.decoder_self_attn"].value[sentence, position]
    return Place(
        fed=trace.batch.tgt[sentence][position],
        sees=tuple(seen.nonzero().flatten().tolist()),
        label=label,
        counted=bool(trace["loss.counted"].value[sentence, position]),
        predicted=card(trace.recipe.model).tokenizer.token(predicted),
        probability=float(log_probs[predicted].exp()),
        log_prob=float(log_probs[label.id]),
        surprisal=float(trace["loss.surprisal"].value[sentence, position]),
        term=term,
        share=term / total if total else 0.0,
        leak=_leak(trace, sentence, position),
    )


def _leak(trace: Trace, sentence: int, position: int) -> Leak | None:
    """Find the largest weight on the input that is this position's own label: the next one, where the target is shifted."""
    assert trace.batch.labels is not None
    row, label = trace.batch.tgt[sentence], trace.batch.labels[sentence][position]
    place = position + 1 if trace.recipe.options.get("shift", "right") == "right" else position
    if place >= len(row) or row[place].id != label.id:
        return None
    if not bool(trace["masks.decoder_self_attn"].value[sentence, position, place]):
        return None
    found = None
    for name in filter(_WEIGHTS.fullmatch, trace):
        weights = trace[name].value[sentence, :, position, place]
        head = int(weights.argmax())
        weight = float(weights[head])
        if found is None or weight > found.weight:
            found = Leak(name, (sentence, head, position, place), weight)
    return found
