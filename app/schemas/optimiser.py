"""What the server sends of one step of the optimiser."""

from __future__ import annotations

from pydantic import BaseModel, Field

from .base import Number


class AdamPart(BaseModel):
    value: Number


class AdamLineOut(BaseModel):
    title: str
    rule: str = Field(description="MathML of the line in general.")
    parts: list[str | AdamPart]
    value: Number


class ScheduleOut(BaseModel):
    rule: str
    d_model: int
    warm_up: int
    step: int | None = Field(description="The step that the rate was taken from; null where the rate was given.")
    highest: float
    steps: list[int]
    rates: list[float]


class AdamStepOut(BaseModel):
    """One weight in one step of Adam, written out."""

    name: str
    cell: list[int]
    says: str
    step: int
    rate: float
    weight: Number
    gradient: Number
    m: Number
    v: Number
    m_hat: Number
    v_hat: Number
    update: Number
    after: Number
    lines: list[AdamLineOut]


class OptimiserOut(AdamStepOut):
    schedule: ScheduleOut


class WholeStepOut(BaseModel):
    rate: float
    step: int | None = Field(description="The step of the schedule that the rate was taken from; null where it was given.")
    before: Number = Field(description="The loss of the batch before the step.")
    after: Number
