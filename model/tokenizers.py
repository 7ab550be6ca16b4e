"""Text to token ids and back: words, numbers or characters. Plain text never makes a special token."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol

from .errors import InputError

PAD, START, END, UNKNOWN = "<pad>", "<start>", "<end>", "<unk>"


@dataclass(frozen=True)
class Token:
    """One token of a sentence: its id, how it is written, and what is special about it.

    `special` is true for <pad>, <start>, <end> and <unk>. `unknown` marks text that the vocabulary does not have: `text` is what
    the person typed, `id` is what the model is fed instead.
    """

    id: int
    text: str
    special: bool = False
    unknown: bool = False


class Tokenizer(Protocol):
    """What every tokeniser can do."""

    unit: ClassVar[str]

    @property
    def vocab_size(self) -> int:
        """How many ids there are, from 0."""

    @property
    def pad_id(self) -> int:
        """The id of <pad>."""

    @property
    def start_id(self) -> int:
        """The id of <start>."""

    @property
    def end_id(self) -> int | None:
        """The id of <end>, or None for a vocabulary without it."""

    def encode(self, text: str) -> tuple[Token, ...]:
        """Cut a sentence into tokens, without <start> and <end>."""

    def token(self, id: int) -> Token:
        """Return the token of an id. Raises InputError outside the vocabulary, naming the range."""

    def decode(self, ids: Sequence[int]) -> str:
        """Write ids as text, special tokens left out."""


@dataclass(frozen=True)
class ListTokenizer:
    """A tokeniser whose vocabulary is a list; an id is a place in it."""

    unit: ClassVar[str] = "word"
    joint: ClassVar[str] = " "
    vocabulary: tuple[str, ...]

    def __post_init__(self) -> None:
        assert self.vocabulary[:2] == (PAD, START), "a vocabulary starts with <pad> and <start>"
        assert len(set(self.vocabulary)) == len(self.vocabulary), "a token stands twice in the vocabulary"

    @cached_property
    def specials(self) -> frozenset[str]:
        """The tokens that stand for something other than text."""
        return frozenset((PAD, START, END, UNKNOWN)) & frozenset(self.vocabulary)

    @property
    def vocab_size(self) -> int:
        return len(self.vocabulary)

    @property
    def pad_id(self) -> int:
        return 0

    @property
    def start_id(self) -> int:
        return 1

    @cached_property
    def end_id(self) -> int | None:
        return self.vocabulary.index(END) if END in self.vocabulary else None

    def cut(self, text: str) -> Sequence[str]:
        """Cut a sentence into pieces."""
        return text.split()

    def encode(self, text: str) -> tuple[Token, ...]:
        """Cut a sentence into tokens; a piece that is not in the vocabulary becomes <unk>, or <pad> where there is none."""
        known = self._known
        instead = self.vocabulary.index(UNKNOWN) if UNKNOWN in self.vocabulary else self.pad_id
        return tuple(
            Token(known[piece], piece) if piece in known else Token(instead, piece, unknown=True) for piece in self.cut(text)
        )

    @cached_property
    def _known(self) -> dict[str, int]:
        return {piece: id for id, piece in enumerate(self.vocabulary) if piece not in self.specials}

    def token(self, id: int) -> Token:
        check_id(id, self.vocab_size)
        return self._tokens[id]

    @cached_property
    def _tokens(self) -> tuple[Token, ...]:
        return tuple(Token(id, text, special=text in self.specials) for id, text in enumerate(self.vocabulary))

    def decode(self, ids: Sequence[int]) -> str:
        return self.joint.join(token.text for token in map(self.token, ids) if not token.special)


@dataclass(frozen=True)
class WordTokenizer(ListTokenizer):
    """Words, cut at white space, in small letters."""

    def cut(self, text: str) -> Sequence[str]:
        return text.lower().split()


@dataclass(frozen=True)
class NumberTokenizer(ListTokenizer):
    """Whole numbers, cut at white space or commas."""

    unit: ClassVar[str] = "number"

    def cut(self, text: str) -> Sequence[str]:
        return text.replace(",", " ").split()


@dataclass(frozen=True)
class CharacterTokenizer(ListTokenizer):
    """Single characters, in small letters."""

    unit: ClassVar[str] = "character"
    joint: ClassVar[str] = ""

    def cut(self, text: str) -> Sequence[str]:
        return tuple(text.lower())


@dataclass(frozen=True)
class HashTokenizer:
    """Words without a word list: the CRC-32 of a word picks its id.

    For a model with random weights and a large vocabulary, whose real word list is not at hand. Ids cannot be turned back into
    words, so they are written as `#id`.
    """

    unit: ClassVar[str] = "word"
    vocab_size: int
    pad_id: int = 0
    start_id: int = 1
    end_id: int | None = 2

    def encode(self, text: str) -> tuple[Token, ...]:
        return tuple(
            Token(3 + zlib.crc32(word.encode("utf-8", "replace")) % (self.vocab_size - 3), word) for word in text.lower().split()
        )

    def token(self, id: int) -> Token:
        check_id(id, self.vocab_size)
        return Token(id, (PAD, START, END)[id], special=True) if id < 3 else Token(id, f"#{id}")

    def decode(self, ids: Sequence[int]) -> str:
        return " ".join(token.text for token in map(self.token, ids) if not token.special)


def check_id(id: int, vocab_size: int) -> None:
    """Raise InputError, naming the id and the valid range, unless `id` is in the vocabulary."""
    if not 0 <= id < vocab_size:
        raise InputError(f"token id {id} is outside the vocabulary: ids run from 0 to {vocab_size - 1}", where="ids")
