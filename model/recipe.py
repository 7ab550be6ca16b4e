"""A recipe is all that a trace is made from. Its canonical JSON, as base64url, *is* the trace's id.

So a link, a reload, a server restart or a second process shows the same numbers: no server has to remember anything.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Self

from .catalogue import pinned
from .errors import InputError, RecipeError

LONGEST = 4500  # bytes of canonical JSON: with base64 a link stays below the 8 kB that servers and browsers take

KEPT = 2000
"""The longest id that is not read anew each time: what a thousand of these keep in memory is some megabytes."""

Options = Mapping[str, Any]


class Coded(ABC):
    """Something whose id is its own canonical JSON, as base64url without padding. `what` names what it is a recipe of."""

    what: ClassVar[str]

    @abstractmethod
    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain values, without what is at its default."""

    @classmethod
    @abstractmethod
    def from_dict(cls, raw: Mapping[str, Any]) -> Self:
        """Read the fields as a person writes them. Raises InputError naming the field."""

    @cached_property
    def written(self) -> bytes:
        """The canonical JSON."""
        return canonical(self.as_dict()).encode()

    @cached_property
    def id(self) -> str:
        """The id."""
        return _base64url(self.written)

    @classmethod
    def from_id(cls, id: str) -> Self:
        """Read an id. Raises RecipeError unless it is exactly what `id` would be."""
        return cls._read_kept(id) if len(id) <= KEPT else cls._read(id)

    @classmethod
    @lru_cache(maxsize=1024)
    def _read_kept(cls, id: str) -> Self:
        return cls._read(id)

    @classmethod
    def _read(cls, id: str) -> Self:
        try:
            found = cls.from_dict(from_id(id))
        except InputError as error:
            raise RecipeError(f"this id is no recipe of {cls.what}: {error}", where="id") from None
        if found.id != id:
            raise RecipeError(f"this id is no recipe of {cls.what}: it is not in canonical form", where="id")
        return found


@dataclass(frozen=True)
class Recipe(Coded):
    """What one forward pass is made from.

    Attributes:
        model: id of the model.
        src: source sentences, one for each row of the batch.
        tgt: whole target sentences, from which the decoder's input and the labels follow; or None.
        prefix: instead of `tgt`, the decoder's input as token ids, one list a row; there are no labels then.
        rows: for a prefix, which source sentence each row belongs to, where rows are not the sentences in order. The encoder then
            runs once for each sentence, and rows share its memory.
        options: changed settings of the model, and `mode` ("eval" or "train").
        seed: seed of random weights and of dropout; None is the model's own.

    Raises:
        InputError: a field is of the wrong kind, or the recipe is too long for a link.
    """

    what = "a trace"

    model: str
    src: tuple[str, ...]
    tgt: tuple[str, ...] | None = None
    prefix: tuple[tuple[int, ...], ...] | None = None
    rows: tuple[int, ...] | None = None
    options: Options = field(default_factory=dict)
    seed: int | None = None

    def __post_init__(self) -> None:
        if (self.tgt is None) == (self.prefix is None):
            raise InputError(
                "a recipe has either tgt (whole target sentences) or prefix (the decoder's input as ids)", where="tgt"
            )
        self._check_rows()
        check_fields(self.model, (*self.src, *(self.tgt or ())), self.options, self.seed)
        if len(self.written) > LONGEST:
            length = len(self.written)
            raise InputError(f"the sentences are too long for a link: {length} bytes of at most {LONGEST}", where="src")

    def _check_rows(self) -> None:
        rows = self.tgt if self.tgt is not None else self.prefix
        assert rows is not None
        sentences = range(len(self.src))
        if self.rows is None:
            if len(rows) != len(self.src):
                raise InputError(
                    f"there are {len(self.src)} source sentences and {len(rows)} targets; each needs its partner", where="tgt"
                )
            return
        if self.prefix is None or len(self.rows) != len(rows) or not all(_is_in(row, sentences) for row in self.rows):
            raise InputError(
                f"rows must name, for each of {len(rows)} prefixes, one of {len(sentences)} source sentences", where="rows"
            )
        if list(self.rows) == list(sentences):
            raise InputError("rows are the sentences in order, which is what they are without it; leave it out", where="rows")

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any]) -> Recipe:
        """Read a recipe as a person writes it. Raises InputError naming the field."""
        known = {"model", "src", "tgt", "prefix", "rows", "options", "seed"}
        check_known(raw, known)
        prefix = raw.get("prefix")
        if prefix is not None:
            if not isinstance(prefix, Sequence) or not all(_is_ids(row) for row in prefix):
                raise InputError("prefix must be a list of lists of token ids", where="prefix")
            prefix = tuple(tuple(row) for row in prefix)
        tgt, rows = raw.get("tgt"), raw.get("rows")
        if rows is not None and not _is_ids(rows):
            raise InputError("rows must be a list of whole numbers", where="rows")
        return cls(
            model=pinned_model(raw),
            src=texts(raw.get("src"), "src"),
            tgt=None if tgt is None else texts(tgt, "tgt"),
            prefix=prefix,
            rows=None if rows is None else tuple(rows),
            options=raw.get("options") or {},
            seed=raw.get("seed"),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the recipe as plain values, without what is at its default."""
        made: dict[str, Any] = {"model": self.model, "src": list(self.src)}
        if self.tgt is not None:
            made["tgt"] = list(self.tgt)
        if self.prefix is not None:
            made["prefix"] = [list(row) for row in self.prefix]
        if self.rows is not None:
            made["rows"] = list(self.rows)
        if self.options:
            made["options"] = dict(self.options)
        if self.seed is not None:
            made["seed"] = self.seed
        return made


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical(raw: Mapping[str, Any]) -> str:
    """Return JSON with sorted keys and no spaces."""
    return _CANONICAL.encode(raw)


def to_id(raw: Mapping[str, Any]) -> str:
    """Return the base64url text of the canonical JSON, without padding."""
    return _base64url(canonical(raw).encode())


def _base64url(text: bytes) -> str:
    return base64.urlsafe_b64encode(text).decode().rstrip("=")


def from_id(id: str) -> dict[str, Any]:
    """Read back what `to_id` wrote. Raises RecipeError."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{4,}", id) or len(id) > 2 * LONGEST:
        raise RecipeError("this id is no recipe: it is not base64url, or too long", where="id")
    try:
        raw = json.loads(base64.urlsafe_b64decode(id + "=" * (-len(id) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        raise RecipeError("this id is no recipe: it does not hold JSON", where="id") from None
    if not isinstance(raw, dict):
        raise RecipeError("this id is no recipe: it holds no object", where="id")
    return raw


def texts(raw: Any, where: str) -> tuple[str, ...]:
    """Return a list of sentences as a tuple; a single sentence counts as a list of one. Raises InputError."""
    raw = [raw] if isinstance(raw, str) else raw
    if not isinstance(raw, Sequence) or not raw or not all(isinstance(text, str) for text in raw):
        raise InputError(f"{where} must be a list of at least one sentence", where=where)
    return tuple(raw)


def pinned_model(raw: Mapping[str, Any]) -> Any:
    """Return the model of a recipe by the id whose weights never change, so that its link shows the same numbers for ever."""
    model = raw.get("model", "")
    return pinned(model) if isinstance(model, str) else model


def check_known(raw: Mapping[str, Any], known: set[str]) -> None:
    """Raise InputError for a field that a recipe does not have."""
    for name in raw:
        if name not in known:
            raise InputError(f"no field is named {str(name)[:40]!r}; there are {', '.join(sorted(known))}", where=str(name)[:40])


def check_fields(model: Any, sentences: Sequence[str], options: Any, seed: Any) -> None:
    """Check what all recipes have in common. Raises InputError."""
    if not isinstance(model, str) or not model:
        raise InputError("model must be the id of a model", where="model")
    if not isinstance(options, Mapping) or not all(isinstance(name, str) for name in options):
        raise InputError("options must be an object of settings", where="options")
    for name, value in options.items():
        if not isinstance(value, bool | int | float | str) or (isinstance(value, float) and not abs(value) < float("inf")):
            raise InputError(f"option {name[:40]} must be a number, a word, true or false", where="options")
    for text in (model, *sentences, *options, *(value for value in options.values() if isinstance(value, str))):
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise InputError("there is half a character (a lone surrogate), which is no text", where="src")
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 2**63):
        raise InputError(f"seed is {str(seed)[:40]}; it must be a whole number from 0 to 2^63 − 1", where="seed")


def _is_ids(row: Any) -> bool:
    return (
        isinstance(row, Sequence)
        and not isinstance(row, str)
        and all(isinstance(id, int) and not isinstance(id, bool) for id in row)
    )


def _is_in(row: Any, sentences: range) -> bool:
    return isinstance(row, int) and not isinstance(row, bool) and row in sentences
