"""The steps of masks: who may attend to whom. True means allowed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from .base import Step
from .named import Named, Target, align
from .working import Equation, Operands, Working


@dataclass(frozen=True)
class ApplyMask(Step):
    """The score where attending is allowed, −∞ where it is blocked. Reads (scores, mask)."""

    kind = "mask"
    rule = r"y = x \text{ if allowed, else } -\infty"
    same_cell = True

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        scores, mask = operands
        allowed = align(mask, target.axes).expand(target.shape)
        return torch.where(allowed, scores.value, -math.inf)

    def explain(self, operands: Operands) -> Working:
        score, allowed = operands.at(0, "x"), operands.at(1, "mask")
        result = score.value if allowed.value else -math.inf
        says = "Allowed, so the score stays." if allowed.value else "Blocked, so the score becomes −∞, whose share is exactly 0."
        parts = (score, "since it is", allowed) if allowed.value else ("−∞ instead of", score, "since it is", allowed)
        equation = Equation("", parts, result)
        return Working(says, (score, allowed), equations=(equation,), result=result)


@dataclass(frozen=True)
class NotPadding(Step):
    """Allowed where the id is not the padding's. Reads (ids,)."""

    kind = "not_padding"
    rule = r"\mathrm{id} \ne \mathrm{pad}"
    pad_id: int = 0

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return ~torch.eq(operands[0].value, self.pad_id)

    def explain(self, operands: Operands) -> Working:
        id = operands.at(0, "id")
        result = id.value != self.pad_id
        return Working(self._says(result), (id,), equations=(Equation("", (id, "≠", str(self.pad_id)), result),), result=result)

    def _says(self, real: bool) -> str:
        return (
            f"The token is {'not ' if real else ''}padding (id {self.pad_id}), so the key is {'allowed' if real else 'blocked'}."
        )


@dataclass(frozen=True)
class Counted(NotPadding):
    """Counted where the label is not the padding's. Reads (labels,)."""

    kind = "counted"
    rule = r"\mathrm{label} \ne \mathrm{pad}"

    def _says(self, real: bool) -> str:
        return f"The label is {'not ' if real else ''}padding (id {self.pad_id}), so it {'counts' if real else 'is left out'}."


@dataclass(frozen=True)
class NotLater(Step):
    """Allowed where the key stands no later than the query."""

    kind = "not_later"
    rule = r"j \le i"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        queries, keys = target.shape
        return torch.arange(keys) <= torch.arange(queries).unsqueeze(1)

    def explain(self, operands: Operands) -> Working:
        query, key = operands.cell
        later = f"Key {key} stands later than query {query}, so it is blocked: the decoder never looks ahead."
        says = f"Key {key} stands no later than query {query}, so it is allowed." if key <= query else later
        return Working(says, equations=(Equation("", (f"key {key} ≤ query {query}",), key <= query),), result=key <= query)


@dataclass(frozen=True)
class Everything(Step):
    """Allowed everywhere: this mask is switched off."""

    kind = "everything"
    rule = r"\text{allowed everywhere}"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        return torch.ones(target.shape, dtype=torch.bool)

    def explain(self, operands: Operands) -> Working:
        return Working(
            "Allowed everywhere: this mask is switched off.", equations=(Equation("", ("switched off",), True),), result=True
        )


@dataclass(frozen=True)
class AllOf(Step):
    """Allowed where every mask read allows. Reads one or more masks."""

    kind = "all_of"
    rule = r"m = m_1 \wedge m_2 \wedge \ldots"

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        allowed = torch.ones(target.shape, dtype=torch.bool)
        for operand in operands:
            allowed = allowed & align(operand, target.axes)
        return allowed

    def explain(self, operands: Operands) -> Working:
        masks = tuple(operands.at(i, "mask") for i in range(len(operands)))
        blocking = [mask.name.rpartition(".")[2] for mask in masks if not mask.value]
        result = not blocking
        says = f"Blocked by {' and '.join(blocking)}." if blocking else "Allowed by every mask that applies here."
        parts = tuple(part for mask in masks for part in ("and", mask))[1:]
        return Working(says, masks, equations=(Equation("", parts, result),), result=result)


@dataclass(frozen=True)
class Keep(Step):
    """The value where it counts, 0 elsewhere. Reads (x, counted)."""

    kind = "keep"
    rule = r"y = x \text{ if counted, else } 0"
    same_cell = True

    def replay(self, operands: Sequence[Named], target: Target) -> Tensor:
        x, counted = (operand.value for operand in operands)
        return torch.where(counted, x, 0)

    def explain(self, operands: Operands) -> Working:
        x, counted = operands.at(0, "x"), operands.at(1, "counted")
        result = x.value if counted.value else 0.0
        says = "It counts, so it stays." if counted.value else "It does not count, so it adds nothing."
        parts = (x, "since it is", counted) if counted.value else ("0 instead of", x, "since it is", counted)
        return Working(says, (x, counted), equations=(Equation("", parts, result),), result=result)

    def beneath(self, operands: Sequence[Named], cell: tuple[int, ...]) -> tuple[int, tuple[int, ...]] | None:
        return (0, cell) if operands[1].value[cell] else None
