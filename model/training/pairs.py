"""Pairs of sentences that a person brings: a text with two columns, read strictly, line by line."""

from __future__ import annotations

import csv
import random
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import EmptyInputError, InputError
from ..tokenizers import END, PAD, START, UNKNOWN, CharacterTokenizer, ListTokenizer, WordTokenizer
from .tasks import Pair

SEPARATORS = {"\t": "tab", "|": "|", ",": "comma"}
SPECIALS = (PAD, START, END, UNKNOWN)
LEAST_PAIRS = 2
UNITS: dict[str, type[ListTokenizer]] = {"word": WordTokenizer, "character": CharacterTokenizer}


@dataclass(frozen=True)
class Corpus:
    """What was read: pairs to learn from, pairs kept for the test, the tokeniser, and what a person should know about it."""

    training: tuple[Pair, ...]
    held_out: tuple[Pair, ...]
    tokenizer: ListTokenizer
    notices: tuple[str, ...]
    longest: int


@dataclass(frozen=True)
class Reading:
    """How a text is read: what a token is, how many there may be, which share is kept for the test, and the limits."""

    unit: str = "word"
    vocabulary: int = 4000
    held_out: float = 0.1
    tokens: int = 128
    most: int = 50_000


def decode_text(content: bytes) -> str:
    """Return the text of a file: UTF-8, or UTF-16 where its first bytes say so.

    Raises:
        InputError: it is neither; the message names the line.
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"line {line} holds the byte {content[error.start]:#04x}, which is no UTF-8 text: save the file as UTF-8",
            where="pairs",
        ) from None


def read_corpus(text: str, reading: Reading, *, seed: int) -> Corpus:
    """Read a text of two columns; the same text and seed give the same split.

    Raises:
        InputError, EmptyInputError: a line that is no pair, or too long; too many or too few lines. The message names the line
            and the limit.
    """
    lines, notices = _pairs(text, reading)
    pairs = list(dict.fromkeys(lines))
    if len(pairs) < len(lines):
        notices += (f"{_lines(len(lines) - len(pairs))} repeated word for word: one of each is kept.",)
    training, held_out = _split(pairs, reading.held_out, seed=seed)
    tokenizer, unknown = _tokenizer(training, reading)
    if unknown:
        what = "words" if reading.unit == "word" else "characters"
        notices += (f"{unknown} rarer {what} are read as {UNKNOWN}: the vocabulary holds {reading.vocabulary} tokens.",)
    longest = max(len(tokenizer.cut(side)) for pair in pairs for side in (pair.src, pair.tgt))
    return Corpus(training, held_out, tokenizer, notices, longest)


def _pairs(text: str, reading: Reading) -> tuple[list[Pair], tuple[str, ...]]:
    rows = text.removeprefix("\ufeff").splitlines()
    filled = [(number, row) for number, row in enumerate(rows, 1) if row.strip()]
    if not filled:
        raise EmptyInputError("there are no lines; each needs a source and a target", where="pairs")
    if len(filled) > reading.most:
        raise InputError(f"there are {len(filled)} lines; the limit is {reading.most}", where="pairs")
    separator = next((mark for mark in SEPARATORS if mark in filled[0][1]), None)
    if separator is None:
        raise InputError(
            f"line {filled[0][0]} has one column; each line needs a source and a target, with a tab, | or comma between",
            where="pairs",
        )
    empty = len(rows) - len(filled)
    notices = (f"{_lines(empty)} empty and left out.",) if empty else ()
    return [_pair(number, row, separator, reading) for number, row in filled], notices


def _pair(number: int, row: str, separator: str, reading: Reading) -> Pair:
    for letter in row:
        if letter == "\ufffd" or (unicodedata.category(letter) in ("Cc", "Cs") and letter != "\t"):
            raise InputError(
                f"line {number} holds U+{ord(letter):04X}, which is no letter: save the file as UTF-8 text", where="pairs"
            )
    columns = next(csv.reader([row])) if separator == "," else row.split(separator)
    if len(columns) != 2:
        count = "one column" if len(columns) == 1 else f"{len(columns)} columns"
        raise InputError(
            f"line {number} has {count}; each line needs a source and a target, with a {SEPARATORS[separator]} between",
            where="pairs",
        )
    sides = [" ".join(unicodedata.normalize("NFC", column).lower().split()) for column in columns]
    for name, side in zip(("source", "target"), sides, strict=True):
        tokens = len(side.split()) if reading.unit == "word" else len(side)
        if not tokens:
            raise EmptyInputError(f"line {number} has an empty {name}", where="pairs")
        if tokens > reading.tokens:
            raise InputError(
                f"line {number}: the {name} has {tokens} {reading.unit}s; the limit is {reading.tokens}", where="pairs"
            )
    return Pair(*sides)


def _split(pairs: Sequence[Pair], share: float, *, seed: int) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Keep a share of the sources for the test, all pairs of one source on the same side."""
    sources = list(dict.fromkeys(pair.src for pair in pairs))
    if len(sources) < LEAST_PAIRS:
        raise InputError(
            f"there is {len(sources)} source sentence; {LEAST_PAIRS} are the least: one to learn, one to test", where="pairs"
        )
    count = min(max(1, round(share * len(sources))), len(sources) - 1)
    kept = set(random.Random(seed).sample(sources, count))
    return tuple(pair for pair in pairs if pair.src not in kept), tuple(pair for pair in pairs if pair.src in kept)


def _tokenizer(pairs: Sequence[Pair], reading: Reading) -> tuple[ListTokenizer, int]:
    """Return a tokeniser of the commonest tokens, and how many did not find room."""
    kind = UNITS[reading.unit]
    cut = kind((*SPECIALS,)).cut
    counted = Counter(token for pair in pairs for side in (pair.src, pair.tgt) for token in cut(side) if token not in SPECIALS)
    common = sorted(counted, key=lambda token: (-counted[token], token))[: reading.vocabulary - len(SPECIALS)]
    return kind((*SPECIALS, *sorted(common))), len(counted) - len(common)


def _lines(count: int) -> str:
    return "1 line is" if count == 1 else f"{count} lines are"
