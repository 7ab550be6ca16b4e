"""Sentences become a padded batch of ids, and every position keeps its token for the labels of the axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from .catalogue import ModelCard
from .errors import EmptyInputError, InputError
from .recipe import Recipe
from .tokenizers import Token

Rows = tuple[tuple[Token, ...], ...]

UNSHIFTED = (
    "Every label is the token that is fed at its own position: the target is not shifted, so the model need only copy what it is "
    "given. Nothing is learned that way; decoding has no such token to copy."
)


@dataclass(frozen=True)
class Batch:
    """The inputs of one forward pass, as tokens: rows of equal length, padded on the right.

    `labels` is None where only a prefix is known.
    """

    src: Rows
    tgt: Rows
    labels: Rows | None
    notices: tuple[str, ...] = ()

    @property
    def sizes(self) -> dict[str, int]:
        """Sizes of the axes that depend on the sentences."""
        return {"batch": len(self.src), "src": len(self.src[0]), "tgt": len(self.tgt[0])}


def ids_of(rows: Rows) -> Tensor:
    """Return rows of tokens as ids (batch, seq), int64."""
    return torch.tensor([[token.id for token in row] for row in rows], dtype=torch.int64)


def make_batch(card: ModelCard, recipe: Recipe, *, max_length: int) -> Batch:
    """Cut a recipe's sentences into tokens, shift the targets and pad.

    A target `<start> a b <end>` becomes the decoder's input `<start> a b` and the labels `a b <end>`: every position has to
    predict the token after it. The option `shift: none` makes the mistake of leaving the labels where they are, and says so.

    Raises:
        InputError: a row is longer than `max_length`, or an id is outside the vocabulary.
        EmptyInputError: a row has nothing to run on.
    """
    src, notices = source_rows(card, recipe.src, max_length=max_length)
    if recipe.prefix is not None:
        tgt = _prefix_rows(card, recipe.prefix, max_length=max_length)
        if recipe.rows is not None:
            src = tuple(src[sentence] for sentence in recipe.rows)
        return Batch(src=src, tgt=tgt, labels=None, notices=notices)

    assert recipe.tgt is not None
    targets = []
    for place, text in enumerate(recipe.tgt):
        where = Where("target", "tgt", place, len(recipe.tgt))
        row = target_row(card, text)
        if len(row) < 2:
            raise EmptyInputError(f"{where} has no token: there is nothing to predict", where=where.field)
        where.check_length(len(row) - 1, max_length)
        targets.append(row)
        notices += _unknown(card, row, where, ", and as a label it is left out of the loss")
    shifted = recipe.options.get("shift", "right") == "right"
    labels = _pad(card, [row[1:] if shifted else row[:-1] for row in targets])
    if not shifted:
        notices += (UNSHIFTED,)
    if all(token.id == card.tokenizer.pad_id for row in labels for token in row):
        notices += ("No label counts, since all are padding: the loss has no mean (0 / 0).",)
    return Batch(src, _pad(card, [row[:-1] for row in targets]), labels, tuple(dict.fromkeys(notices)))


def source_row(card: ModelCard, text: str) -> tuple[Token, ...]:
    """Return the tokens of a source, after <start> where the card says so."""
    return (*[special(card, "start")] * card.start_src, *card.tokenizer.encode(text))


def target_row(card: ModelCard, text: str) -> tuple[Token, ...]:
    """Return <start>, the tokens of a target, and <end> where the vocabulary has one."""
    end = () if card.tokenizer.end_id is None else (special(card, "end"),)
    return (special(card, "start"), *card.tokenizer.encode(text), *end)


def source_rows(card: ModelCard, sentences: Sequence[str], *, max_length: int) -> tuple[Rows, tuple[str, ...]]:
    """Cut source sentences into padded rows of tokens; also return notices about unknown words."""
    rows: list[tuple[Token, ...]] = []
    notices: tuple[str, ...] = ()
    for place, text in enumerate(sentences):
        where = Where("source", "src", place, len(sentences))
        row = source_row(card, text)
        if len(row) == card.start_src:
            raise EmptyInputError(f"{where} is empty: type at least one token", where=where.field)
        where.check_length(len(row), max_length)
        rows.append(row)
        notices += _unknown(card, row, where)
    return _pad(card, rows), tuple(dict.fromkeys(notices))


@dataclass(frozen=True)
class Where:
    """One sentence among several, as messages name it: "the source" when it is alone, else "source 2"."""

    title: str
    name: str
    place: int
    among: int

    def __str__(self) -> str:
        return f"the {self.title}" if self.among == 1 else f"{self.title} {self.place + 1}"

    @property
    def field(self) -> str:
        """The field of an error: `src.1`."""
        return f"{self.name}.{self.place}"

    def check_length(self, length: int, limit: int) -> None:
        """Raise InputError, naming both numbers, when this sentence is too long."""
        if length > limit:
            raise InputError(f"{self} has {length} tokens; this model takes {limit}", where=self.field)


def special(card: ModelCard, which: str) -> Token:
    """Return the token <start>, <end> or <pad> of a model."""
    id = {"start": card.tokenizer.start_id, "end": card.tokenizer.end_id, "pad": card.tokenizer.pad_id}[which]
    assert id is not None, f"{card.id} has no {which} token"
    return card.tokenizer.token(id)


def _pad(card: ModelCard, rows: Sequence[Sequence[Token]]) -> Rows:
    longest = max(len(row) for row in rows)
    return tuple((*row, *[special(card, "pad")] * (longest - len(row))) for row in rows)


def _prefix_rows(card: ModelCard, prefix: Sequence[Sequence[int]], *, max_length: int) -> Rows:
    lengths = {len(row) for row in prefix}
    if len(lengths) != 1 or 0 in lengths:
        raise InputError(f"the rows of prefix have {sorted(lengths)} ids; all need the same number, at least 1", where="prefix")
    if (length := lengths.pop()) > max_length:
        raise InputError(f"the prefix has {length} tokens; this model takes {max_length}", where="prefix")
    try:
        return tuple(tuple(card.tokenizer.token(id) for id in row) for row in prefix)
    except InputError as error:
        raise InputError(error.message, where="prefix") from None


def _unknown(card: ModelCard, cut: Sequence[Token], where: Where, more: str = "") -> tuple[str, ...]:
    notices = []
    for token in cut:
        if token.unknown:
            instead = card.tokenizer.token(token.id)
            effect = f", no position looks at it{more}" if token.id == card.tokenizer.pad_id else ""
            sentence = f"{where.title.capitalize()} {where.place + 1}"
            unknown = f"“{token.text[:40]}” is no {card.tokenizer.unit} this model knows"
            notices.append(f"{sentence}: {unknown}: it is fed {instead.text} instead{effect}.")
    return tuple(notices)
