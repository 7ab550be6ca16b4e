"""How a tensor follows from its operands: one class for each kind of step, apart from the forward pass.

A step names its operands and can `replay` them: the whole tensor again in float64, by a formula that shares no code with the
network and finds dimensions by the names of their axes. Agreement is therefore evidence: a forgotten transpose or a softmax over
the wrong axis shows as a difference.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from .axes import Axes, Axis


@dataclass(frozen=True)
class Named:
    """A value whose dimensions are named: `value.shape[i]` is the size of `axes[i]`."""

    axes: Axes
    value: Tensor

    def dim(self, name: str) -> int:
        """Return the dimension whose axis has this name, or else runs over it."""
        for key in (lambda axis: axis.name, lambda axis: axis.over):
            places = [i for i, axis in enumerate(self.axes) if key(axis) == name]
            if len(places) == 1:
                return places[0]
        raise AssertionError(f"no single axis {name!r} among {[str(axis) for axis in self.axes]}")


@dataclass(frozen=True)
class Target:
    """What a replay has to come out as: its axes, and the size of every axis of the pass."""

    axes: Axes
    sizes: Mapping[str, int]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape that these axes have in this pass."""
        return tuple(self.sizes[axis.over] for axis in self.axes)


@dataclass(frozen=True)
class Step:
    """How a tap's value follows from the tensors it reads.

    `reads` are names as the tap's own block sees them; the legend replaces them by full names. A `leaf` reads nothing and was
    given or drawn: there is nothing to recompute it from.
    """

    kind: ClassVar[str]
    leaf: ClassVar[bool] = False
    reads: tuple[str, ...] = ()

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        """Recompute the tensor from its operands.

        Floats arrive as float64, ids as int64, masks as bool; the result has `target.shape`.
        """
        raise AssertionError(f"{type(self).__name__} has no formula to replay")


# ---- what comes from outside


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


# ---- tokens and positions


@dataclass(frozen=True)
class Embed(Step):
    """Row `ids[b, i]` of the table. Reads (ids, table)."""

    kind = "embed"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        ids, table = operands
        one_hot = torch.nn.functional.one_hot(ids.value, table.value.shape[0]).to(torch.float64)
        return torch.tensordot(one_hot, table.value, dims=([-1], [0])) if ids.value.numel() < 256 else table.value[ids.value]


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


# ---- arithmetic


@dataclass(frozen=True)
class Same(Step):
    """The tensor itself under another name. Reads (x,)."""

    kind = "same"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return operands[0].value


@dataclass(frozen=True)
class Scale(Step):
    """Every cell times `by`. Reads (x,)."""

    kind = "scale"
    by: float = 1.0

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return operands[0].value * self.by


@dataclass(frozen=True)
class Add(Step):
    """Cell plus cell; an axis that one of the two lacks is repeated. Reads (x, y)."""

    kind = "add"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x, y = (_align(operand, target.axes) for operand in operands)
        return (x + y).expand(target.shape)


@dataclass(frozen=True)
class Multiply(Step):
    """Cell times cell. Reads (x, y)."""

    kind = "multiply"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x, y = (_align(operand, target.axes) for operand in operands)
        return (x * y).expand(target.shape)


@dataclass(frozen=True)
class Linear(Step):
    """x W + b, along x's last axis. Reads (x, W) or (x, W, b).

    W is (in, out); `by_row` says it is (out, in), as the output layer's, whose rows are tokens.
    """

    kind = "linear"
    by_row: bool = False

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x, weight = operands[0].value, operands[1].value
        product = torch.tensordot(x, weight, dims=([x.dim() - 1], [1 if self.by_row else 0]))
        return product + operands[2].value if len(operands) == 3 else product


@dataclass(frozen=True)
class Activation(Step):
    """max(0, x), or GELU: x times the normal distribution function of x. Reads (x,)."""

    kind = "activation"
    name: str = "relu"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x = operands[0].value
        return x * (1 + torch.erf(x / math.sqrt(2))) / 2 if self.name == "gelu" else torch.where(x > 0, x, 0)


# ---- attention


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
        allowed = _align(mask, target.axes).expand(target.shape)
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


# ---- masks


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
            allowed = allowed & _align(operand, target.axes)
        return allowed


# ---- layer normalisation


@dataclass(frozen=True)
class Mean(Step):
    """The mean along the last axis. Reads (x,)."""

    kind = "mean"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x = operands[0].value
        return x.sum(-1) / x.shape[-1]


@dataclass(frozen=True)
class Variance(Step):
    """The mean of the squared differences from the mean, over n or n − 1. Reads (x, mean)."""

    kind = "variance"
    divisor: str = "n"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x, mean = (operand.value for operand in operands)
        squares = (x - mean.unsqueeze(-1)).pow(2).sum(-1)
        return squares / (x.shape[-1] - (self.divisor == "n-1"))


@dataclass(frozen=True)
class Deviation(Step):
    """√(variance + ε), or √variance + ε. Reads (variance,)."""

    kind = "deviation"
    eps: float = 1e-5
    inside: bool = True

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        variance = operands[0].value
        return (variance + self.eps) ** 0.5 if self.inside else variance**0.5 + self.eps


@dataclass(frozen=True)
class Centre(Step):
    """Each cell less its row's mean. Reads (x, mean)."""

    kind = "centre"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return operands[0].value - operands[1].value.unsqueeze(-1)


@dataclass(frozen=True)
class Divide(Step):
    """Cell over cell; a divisor without the last axis serves the whole row. Reads (x, divisor)."""

    kind = "divide"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x, divisor = (operand.value for operand in operands)
        return x / (divisor.unsqueeze(-1) if divisor.dim() < x.dim() else divisor)


@dataclass(frozen=True)
class GainOffset(Step):
    """gain ⊙ x + offset. Reads (x, gain, offset)."""

    kind = "gain_offset"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x, gain, offset = (operand.value for operand in operands)
        return gain * x + offset


# ---- output and loss


@dataclass(frozen=True)
class LogSoftmax(Step):
    """x − ln Σ e^x along the last axis. Reads (x,)."""

    kind = "log_softmax"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x = operands[0].value
        top = x.amax(-1, keepdim=True)
        return x - top - torch.log(torch.exp(x - top).sum(-1, keepdim=True))


@dataclass(frozen=True)
class Exponential(Step):
    """e^x. Reads (x,)."""

    kind = "exp"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return torch.exp(operands[0].value)


@dataclass(frozen=True)
class LabelLoss(Step):
    """−log p of the label; 0 where the position is not counted. Reads (log_probs, labels, counted)."""

    kind = "label_loss"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        log_probs, labels, counted = (operand.value for operand in operands)
        picked = torch.take_along_dim(log_probs, labels.unsqueeze(-1), dim=-1).squeeze(-1)
        return torch.where(counted, -picked, 0)


@dataclass(frozen=True)
class Total(Step):
    """The sum of all cells; for a mask, how many are allowed. Reads (x,)."""

    kind = "total"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return operands[0].value.sum()


def _align(operand: Named, axes: Axes) -> Tensor:
    """Move the operand's dimensions to where `axes` has them, with size 1 for those it lacks."""
    places = [_place(axis, axes) for axis in operand.axes]
    value = operand.value.permute(sorted(range(len(places)), key=places.__getitem__))
    for i in range(len(axes)):
        if i not in places:
            value = value.unsqueeze(i)
    return value


def _place(axis: Axis, axes: Axes) -> int:
    by_name = [i for i, other in enumerate(axes) if other.name == axis.name]
    by_size = [i for i, other in enumerate(axes) if other.over == axis.over]
    places = by_name or by_size
    assert len(places) == 1, f"axis {axis} has no single place among {[str(other) for other in axes]}"
    return places[0]
