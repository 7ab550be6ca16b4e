"""What every step has: operands, a replay of the whole tensor, and the explanation of one cell."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from .named import Named, Target
from .working import Operands, Working

Flows = tuple[Tensor | None, ...] | None
"""What one unit of each cell of each operand adds; None for an operand that is a weight of the sum, or when it is no sum."""


@dataclass(frozen=True)
class Step(ABC):
    """How a tap's value follows from the tensors it reads.

    `reads` are names as the tap's own block sees them; the legend replaces them by full names. A step without a `replay` and an
    `explain` cannot be made. `rule` is its rule in TeX. `same_cell` says that a cell is made at the place of the operand's cell.
    """

    kind: ClassVar[str]
    rule: ClassVar[str]
    leaf: ClassVar[bool] = False
    same_cell: ClassVar[bool] = False
    reads: tuple[str, ...] = ()

    @abstractmethod
    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        """Recompute the whole tensor from its operands, by a formula that shares no code with the network.

        Floats arrive as float64, ids as int64, masks as bool; the result has `target.shape`.
        """

    @abstractmethod
    def explain(self, operands: Operands) -> Working:
        """Write one cell out: the cells it is made from, and how they combine."""

    def flow(self, operands: Sequence[Named], target: Target, upstream: Tensor, recorded: Tensor) -> Flows:
        """Go back through a weighted sum: from what one unit of each cell of the result adds somewhere, to that of the operands.

        Args:
            operands: as recorded; those that are weights of the sum are taken as they are.
            upstream: float64, of `target.shape`.
            recorded: the result, as recorded.

        Returns:
            One tensor for each operand; None when this step is no weighted sum of what it reads.
        """
        return None

    def beneath(self, operands: Sequence[Named], cell: tuple[int, ...]) -> tuple[int, tuple[int, ...]] | None:
        """Return which operand's which cell a number is but another form of, as a probability is of a logit; else None."""
        return None


@dataclass(frozen=True)
class Leaf(Step):
    """Something that is read from no tensor: it was given, drawn or learned."""

    leaf = True
    rule = r"\text{no operands}"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        raise AssertionError(f"{type(self).__name__} has nothing to be recomputed from")

    def explain(self, operands: Operands) -> Working:
        return Working(self.origin(operands), result=operands.recorded)

    @abstractmethod
    def origin(self, operands: Operands) -> str:
        """Return one sentence: how this value came to be."""
