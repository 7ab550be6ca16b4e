"""What every step has: operands, a replay of the whole tensor, and the explanation of one cell."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from .named import Named, Target
from .working import Operands, Working


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
