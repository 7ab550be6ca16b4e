"""What comes from outside, and tokens and positions as vectors (sections 3.4 and 3.5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from .base import Named, Step, Target


@dataclass(frozen=True)
class Given(Step):
    """Token ids and labels, as the recipe says."""

    kind = "given"
    leaf = True


@dataclass(frozen=True)
class Learned(Step):
    """A parameter: drawn at the start, then changed by training."""

    kind = "parameter"
    leaf = True


@dataclass(frozen=True)
class Drawn(Step):
    """Dropout's multipliers: 0 with probability `rate`, else 1 / (1 − rate); all 1 outside training."""

    kind = "drawn"
    leaf = True
    rate: float = 0.0


@dataclass(frozen=True)
class Embed(Step):
    """Row `ids[b, i]` of the table. Reads (ids, table)."""

    kind = "embed"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        ids, table = operands
        return table.value[ids.value]


@dataclass(frozen=True)
class Sinusoid(Step):
    """PE(pos, 2i) = sin(pos / 10000^(2i/d_model)), PE(pos, 2i + 1) = cos of the same (section 3.5)."""

    kind = "positions"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        length, width = target.shape
        rows = [[self.cell(pos, column, width) for column in range(width)] for pos in range(length)]
        return torch.tensor(rows, dtype=torch.float64).reshape(length, width)

    @staticmethod
    def cell(pos: int, column: int, width: int) -> float:
        """Return one cell, worked out in Python's own floats."""
        angle = pos / 10000 ** (2 * (column // 2) / width)
        return math.sin(angle) if column % 2 == 0 else math.cos(angle)


@dataclass(frozen=True)
class FirstRows(Step):
    """The first rows of a table, one for each position. Reads (table,)."""

    kind = "rows"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return operands[0].value[: target.shape[0]]
