"""What the server sends of explanations and of a number's whole ancestry."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from .base import Number, Value


class OperandOut(BaseModel):
    name: str
    of: Literal["value", "gradient"]
    role: str
    cell: list[int | None] = Field(description="null: the line runs along this axis.")
    takes: list[int | None] = Field(description="Which axis of the explained cell gives the place; -1 is none, null runs.")
    size: int
    first: int
    shown: int


class TermOut(BaseModel):
    name: str
    cell: list[int]
    value: Value
    text: str | None = None


class AlongOut(BaseModel):
    axis: str
    over: str


class ColumnOut(BaseModel):
    title: str
    values: list[Number]
    total: Number
    running: bool = Field(description="Whether each row holds the sum of all rows up to it.")


class RestOut(BaseModel):
    count: int
    totals: list[Number]


class PartOfEquation(BaseModel):
    value: Value
    operand: int | None


class EquationOut(BaseModel):
    title: str
    parts: list[str | PartOfEquation]
    value: Value


class ReasonOut(BaseModel):
    name: str
    of: Literal["value", "gradient"]
    cell: list[int]
    says: str


class OnwardOut(BaseModel):
    name: str
    cell: list[int]
    value: Value
    kind: str


class ExplanationOut(BaseModel):
    name: str
    of: Literal["value", "gradient"]
    cell: list[int]
    axes: list[str]
    over: list[str]
    value: Value
    text: str | None
    step: str
    leaf: bool
    rule: str = Field(description="The step's rule as MathML.")
    says: str
    result: Value
    difference: Number
    operands: list[OperandOut]
    along: AlongOut | None
    count: int
    places: list[int]
    terms: list[TermOut]
    columns: list[ColumnOut]
    rest: RestOut | None
    equations: list[EquationOut]
    because: list[ReasonOut]
    then: list[OnwardOut]


class StartOut(BaseModel):
    name: str
    cell: list[int]
    value: Number


class ShareOut(BaseModel):
    name: str
    over: str
    values: list[Number] = Field(description="By position.")
    cells: list[list[int]] = Field(description="By position: the cell of the tensor that adds or takes away most.")
    total: Number


class ConstantsOut(BaseModel):
    block: str
    names: list[str]
    value: Number


class HeadSharesOut(BaseModel):
    block: str
    heads: str
    v: str
    over: str
    values: list[Number] = Field(description="By head.")
    keys: list[list[Number]] = Field(description="By head and key position.")
    cells: list[list[int]] = Field(description="By head: the cell of `heads` that adds or takes away most.")


class AncestryOut(BaseModel):
    name: str
    cell: list[int]
    start: StartOut
    says: str
    why_not: bool = Field(description="True where the cell is no weighted sum; `says` says why, and the rest is empty.")
    sentence: int
    tokens: list[ShareOut]
    positions: list[ShareOut]
    constants: list[ConstantsOut]
    heads: list[HeadSharesOut]
    total: Number
    difference: Number
    scale: Number
