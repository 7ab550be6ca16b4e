"""Teacher forcing beside free running: what the decoder is fed and what it answers, position by position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from ..catalogue import card
from ..errors import InputError
from ..recipe import Recipe, texts
from ..tokenizers import Token
from ..trace import Trace
from .decoding import Decoding
from .recipe import DecodingRecipe


@dataclass(frozen=True)
class Fed:
    """One position of one way of running: what was fed there, what the model holds likeliest next, and how likely."""

    fed: Token
    predicted: Token
    log_prob: float


@dataclass(frozen=True)
class Position:
    """One position of a sentence both ways. `forced` or `free` is None where that way has ended; `label` is what was right."""

    forced: Fed | None
    free: Fed | None
    label: Token | None


@dataclass(frozen=True)
class Beside:
    """One sentence both ways. `parts` is the first position that is fed another token, or None where they never part.

    `differs` is the first position whose predictions differ.
    """

    positions: tuple[Position, ...]
    parts: int | None
    differs: int | None


def forced_recipe(recipe: DecodingRecipe, targets: Sequence[str]) -> Recipe:
    """Return the recipe of one pass over whole targets, for the sentences of a decoding.

    Raises:
        InputError: there is not one target for each sentence.
    """
    tgt = texts(list(targets), "tgt")
    if len(tgt) != len(recipe.src):
        raise InputError(f"there are {len(recipe.src)} sentences and {len(tgt)} targets; each needs its own", where="tgt")
    return Recipe(recipe.model, recipe.src, tgt=tgt, options=recipe.options, seed=recipe.seed)


def compare_forced(decoding: Decoding, trace: Trace) -> tuple[Beside, ...]:
    """Set a decoding that has come to its end beside the trace of `forced_recipe`, sentence by sentence."""
    return tuple(_beside(decoding, trace, sentence) for sentence in range(len(trace.batch.src)))


def _beside(decoding: Decoding, trace: Trace, sentence: int) -> Beside:
    forced, labels = _forced(trace, sentence)
    free = _free(decoding, sentence)
    positions = tuple(Position(a, b, label) for a, b, label in zip_longest(forced, free, labels))
    both = [(i, place.forced, place.free) for i, place in enumerate(positions)]
    parts = next((i for i, a, b in both if a is None or b is None or a.fed.id != b.fed.id), None)
    differs = next((i for i, a, b in both if a is None or b is None or a.predicted.id != b.predicted.id), None)
    return Beside(positions, parts, differs)


def _forced(trace: Trace, sentence: int) -> tuple[list[Fed], list[Token]]:
    """Return the positions of the given target that count, and their labels."""
    labels = trace.batch.labels
    assert labels is not None
    pad = trace.config.pad_id
    real = [i for i, label in enumerate(labels[sentence]) if label.id != pad or not label.special]
    return [_fed(trace, sentence, i) for i in real], [labels[sentence][i] for i in real]


def _fed(trace: Trace, row: int, position: int) -> Fed:
    log_probs = trace["log_probs"].value[row, position]
    id = int(trace.logits[row, position].argmax())
    return Fed(trace.batch.tgt[row][position], card(trace.recipe.model).tokenizer.token(id), float(log_probs[id]))


def _free(decoding: Decoding, sentence: int) -> list[Fed]:
    """Return the best hypothesis step by step: what was fed, and what was likeliest after it."""
    made = []
    for node in decoding.path(decoding.best(sentence))[1:]:
        row = decoding.steps[node.step].rows[node.row]
        made.append(Fed(row.prefix[-1], row.top[0].token, row.top[0].log_prob))
    return made
