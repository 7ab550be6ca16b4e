"""What the server sends of a training step laid open."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from .base import Number, SummaryOut, TokenOut


class LeakOut(BaseModel):
    name: str = Field(description="The weights through which the label can be seen.")
    cell: list[int]
    weight: Number


class PlaceOut(BaseModel):
    fed: TokenOut
    sees: list[int]
    label: TokenOut
    counted: bool
    predicted: TokenOut
    right: bool
    probability: Number
    log_prob: Number
    surprisal: Number
    term: Number
    share: Number
    leak: LeakOut | None


class SheetOut(BaseModel):
    src: list[list[TokenOut]]
    sentences: list[list[PlaceOut]]
    total: Number
    count: int
    mean: Number
    sentence_means: list[Number]
    mean_of_means: Number
    untrained: float = Field(description="ln V: the loss where every token is equally likely.")
    floor: Number = Field(description="The least the loss can be; above 0 with label smoothing.")
    unshifted: bool


class GradientOut(BaseModel):
    name: str
    shape: list[int]
    parameter: bool
    norm: Number
    rms: Number
    mark: Literal["zero", "unread", "vanishing"] | None
    summary: SummaryOut


class GradientsOut(BaseModel):
    id: str
    of: str
    loss: Number
    norm: Number = Field(description="Length of the gradients of all parameters together, as if they were one.")
    records: list[GradientOut]


class CheckOut(BaseModel):
    name: str
    cell: list[int]
    passes: bool
    recorded: Number
    analytic: Number
    numeric: Number
    lower: Number
    upper: Number
    step: Number
    difference: Number


class RowOfLogits(BaseModel):
    logits: list[float]
    probabilities: list[float]
    target: list[float]
    gradient: list[float]
    term: Number
    mean: Number


class WhatIfOut(BaseModel):
    cell: list[int]
    tokens: list[int]
    before: RowOfLogits
    after: RowOfLogits
