"""How many numbers a network has learned, block by block, with the formula written out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from .legend import Entry, Legend


@dataclass(frozen=True)
class BlockCount:
    """The parameters of one block: `8·32 + 32 + 32·8 + 8` = 552. A shared table counts where it stands first."""

    name: str
    count: int
    formula: str


@dataclass(frozen=True)
class ParameterCount:
    """One weight or bias: `8·32` = 256. `shared_with` are its other names; it counts under the first one alone."""

    name: str
    count: int
    formula: str
    share: float
    shared_with: tuple[str, ...]


@dataclass(frozen=True)
class Parameters:
    """The parameters of a network; a matrix that several blocks share counts once.

    `embeddings` are those with one row a token. `parts` holds the sum of every part that has parameters in it, outermost first.
    """

    total: int
    embeddings: int
    blocks: tuple[BlockCount, ...]
    each: tuple[ParameterCount, ...]
    parts: Mapping[str, int]

    @property
    def without_embeddings(self) -> int:
        """All parameters but the tables with one row a token."""
        return self.total - self.embeddings


def count_parameters(legend: Legend) -> Parameters:
    """Count the parameters of a network from its legend."""
    entries = [entry for entry in legend.entries.values() if entry.shape is not None]
    total = sum(map(_count, entries))
    blocks: dict[str, list[Entry]] = {}
    parts: dict[str, int] = {}
    for entry in entries:
        blocks.setdefault(entry.block, []).append(entry)
        for around in _around(entry.name):
            parts[around] = parts.get(around, 0) + _count(entry)
        for around in (around for name in entry.shared_with for around in _around(name)):
            parts.setdefault(around, 0)
    return Parameters(
        total=total,
        embeddings=sum(_count(entry) for entry in entries if _is_table(entry)),
        blocks=tuple(
            BlockCount(part.name, sum(map(_count, blocks[part.name])), " + ".join(map(_formula, blocks[part.name])))
            for part in legend.root.walk()
            if part.name in blocks
        ),
        each=tuple(
            ParameterCount(entry.name, _count(entry), _formula(entry), _count(entry) / total, entry.shared_with)
            for entry in entries
        ),
        parts={part.name: parts[part.name] for part in legend.root.walk() if part.name in parts},
    )


def _count(entry: Entry) -> int:
    assert entry.shape is not None
    return math.prod(entry.shape)


def _formula(entry: Entry) -> str:
    assert entry.shape is not None
    return "·".join(map(str, entry.shape))


def _is_table(entry: Entry) -> bool:
    return len(entry.axes) == 2 and entry.axes[0].over == "vocab"


def _around(name: str) -> list[str]:
    """Return what a parameter's name leads through: "a.b.w" stands in "", "a" and "a.b"."""
    words = name.split(".")
    return [".".join(words[:depth]) for depth in range(len(words))]
