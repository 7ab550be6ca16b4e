"""How many numbers a network has learned, block by block, with the formula written out."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .legend import Legend


@dataclass(frozen=True)
class BlockCount:
    """The parameters of one block: `8·32 + 32 + 32·8 + 8` = 552. A shared table counts where it stands first."""

    name: str
    count: int
    formula: str


@dataclass(frozen=True)
class Parameters:
    """The parameters of a network; a matrix that several blocks share counts once.

    `embeddings` are those with one row a token.
    """

    total: int
    embeddings: int
    blocks: tuple[BlockCount, ...]

    @property
    def without_embeddings(self) -> int:
        """All parameters but the tables with one row a token."""
        return self.total - self.embeddings


def count_parameters(legend: Legend) -> Parameters:
    """Count the parameters of a network from its legend."""
    shapes: dict[str, list[tuple[int, ...]]] = {}
    embeddings = 0
    for entry in legend.entries.values():
        if entry.shape is not None:
            shapes.setdefault(entry.block, []).append(entry.shape)
            if len(entry.shape) == 2 and entry.axes[0].over == "vocab":
                embeddings += math.prod(entry.shape)
    blocks = tuple(
        BlockCount(
            part.name,
            sum(map(math.prod, shapes[part.name])),
            " + ".join("·".join(map(str, shape)) for shape in shapes[part.name]),
        )
        for part in legend.root.walk()
        if part.name in shapes
    )
    return Parameters(sum(block.count for block in blocks), embeddings, blocks)
