"""What the server sends of proofs, for the OpenAPI document."""

from __future__ import annotations

from pydantic import BaseModel, Field

from .base import Number, Value


class Measured(BaseModel):
    name: str
    max_abs: Number = Field(None, description="The largest absolute difference.")
    max_rel: Number = Field(None, description="The same, relative to `scale`.")
    cell: list[int] | None = Field(None, description="Where it is.")
    tolerance: float | None = Field(None, description="The limit for `max_rel`.")
    passes: bool | None = None


class ProofOut(Measured):
    leaf: bool
    says: str | None = Field(None, description="For a leaf: why there is nothing to compute again.")
    cells: int | None = None
    recorded: Value = Field(None, description="The recorded value where the difference is largest.")
    replayed: Value = Field(None, description="The recomputed value there.")
    scale: Number = Field(None, description="What differences are measured against: the most that a cell's terms amount to.")
    terms: int | None = Field(None, description="How many numbers one cell adds up; 0 where cells are only moved.")
    why: str | None = Field(None, description="Why the tolerance is right.")
    reads: list[str] | None = None
    rule: str | None = Field(None, description="The step's rule as MathML.")
    source: str | None = Field(None, description="The replay's Python source.")


class UnwatchedOut(BaseModel):
    cells: int
    different: int
    max_abs: Number
    passes: bool


class LayerOut(BaseModel):
    name: str
    max_abs: Number
    max_rel: Number
    passes: bool


class ReferenceOut(BaseModel):
    layers: list[LayerOut]
    tolerance: float
    why_not: str | None


class VerdictOut(BaseModel):
    passes: bool
    tensors: int
    cells: int
    exact: int
    leaves: dict[str, int]
    worst: Measured
    failures: list[Measured]
    unwatched: UnwatchedOut
    reference: ReferenceOut
