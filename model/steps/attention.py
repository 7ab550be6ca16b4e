"""The steps of attention (section 3.2): heads, scores, softmax, mix, and the masks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from .base import Named, Step, Target, align


@dataclass(frozen=True)
class SplitHeads(Step):
    """Column c of the width becomes column c mod d_k of head c div d_k. Reads (x,)."""

    kind = "split"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        d_k = target.sizes["d_k"]
        return torch.stack(torch.split(operands[0].value, d_k, dim=-1), dim=1)


@dataclass(frozen=True)
class JoinHeads(Step):
    """The heads side by side again: the inverse of the split. Reads (heads,)."""

    kind = "concat"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        heads = operands[0]
        return torch.cat(heads.value.unbind(heads.dim("head")), dim=-1)


@dataclass(frozen=True)
class Contract(Step):
    """The sum over one axis of the products of two tensors' cells. Reads (x, y); `over` names the axis.

    Scores sum over d_k (`kind` "dot"); weights times V sums over the keys ("mix"), the one place where positions mix.
    """

    kind = "contract"
    over: str = ""

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        letters: dict[str, str] = {}
        terms = ["".join(letters.setdefault(axis.name, chr(97 + len(letters))) for axis in x.axes) for x in operands]
        assert self.over in letters, f"{self.over} is no axis of the operands"
        result = "".join(letters[axis.name] for axis in target.axes)
        return torch.einsum(f"{','.join(terms)}->{result}", *(operand.value for operand in operands))


@dataclass(frozen=True)
class Dot(Contract):
    """Row of Q with row of K: the scores."""

    kind = "dot"


@dataclass(frozen=True)
class Mix(Contract):
    """Rows of V, weighted."""

    kind = "mix"


@dataclass(frozen=True)
class ApplyMask(Step):
    """The score where attending is allowed, −∞ where it is blocked. Reads (scores, mask)."""

    kind = "mask"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        scores, mask = operands
        allowed = align(mask, target.axes).expand(target.shape)
        return torch.where(allowed, scores.value, -math.inf)


@dataclass(frozen=True)
class Softmax(Step):
    """e^x over the sum of e^x along one axis; all 0 where every cell is blocked. Reads (x,)."""

    kind = "softmax"
    over: str = ""

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x = operands[0]
        dim = x.dim(self.over)
        top = x.value.amax(dim, keepdim=True)
        powers = torch.exp(x.value - torch.where(top.isneginf(), 0, top))
        total = powers.sum(dim, keepdim=True)
        return torch.where(total == 0, 0, powers / total)


@dataclass(frozen=True)
class NotPadding(Step):
    """Allowed where the id is not the padding's. Reads (ids,)."""

    kind = "not_padding"
    pad_id: int = 0

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return ~torch.eq(operands[0].value, self.pad_id)


@dataclass(frozen=True)
class NotLater(Step):
    """Allowed where the key stands no later than the query."""

    kind = "not_later"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        queries, keys = target.shape
        return torch.tensor([[key <= query for key in range(keys)] for query in range(queries)]).reshape(queries, keys)


@dataclass(frozen=True)
class Everything(Step):
    """Allowed everywhere: this mask is switched off."""

    kind = "everything"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return torch.ones(target.shape, dtype=torch.bool)


@dataclass(frozen=True)
class AllOf(Step):
    """Allowed where every mask read allows. Reads one or more masks."""

    kind = "all_of"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        allowed = torch.ones(target.shape, dtype=torch.bool)
        for operand in operands:
            allowed = allowed & align(operand, target.axes)
        return allowed
