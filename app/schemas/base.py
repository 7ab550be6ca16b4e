"""What the server takes and sends, for the checks of a request and for the OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Number = Annotated[
    float | Literal["NaN", "Infinity", "-Infinity"] | None, Field(description="A number; not finite ones are strings.")
]
OptionValue = bool | int | float | str


class Body(BaseModel):
    """What is sent to the server: nothing but these fields, of exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class RecipeBody(Body):
    """What a trace is made from."""

    model: str = Field(examples=["tiny"])
    src: list[str] | str = Field(examples=[["dog run", "cat run"]], description="Source sentences.")
    tgt: list[str] | str | None = Field(None, examples=[["dog run", "cat run"]], description="Whole target sentences.")
    prefix: list[list[int]] | None = Field(None, description="Instead of tgt: the decoder's input as token ids.")
    options: dict[str, OptionValue] | None = Field(None, description="Changed settings, and mode: eval or train.")
    seed: int | None = Field(None, description="Seed of random weights and of dropout.")


class ErrorDetail(BaseModel):
    code: str
    message: str
    where: str
    request_id: str


class Error(BaseModel):
    error: ErrorDetail


class TokenOut(BaseModel):
    id: int
    text: str
    special: bool
    unknown: bool
    pad: bool


class ModelSummary(BaseModel):
    id: str
    title: str
    says: str
    trained: bool
    parameters: int
    sizes: dict[str, int]
    n_layers: int
    max_length: int
    unit: str
    too_large: str | None = Field(description="Which limit of this server forbids it, or null.")


class Models(BaseModel):
    models: list[ModelSummary]


class TensorOut(BaseModel):
    name: str
    block: str
    axes: list[str]
    over: list[str]
    kind: str
    formula: str
    says: str
    reads: list[str]
    feeds: list[str]
    parameter: bool
    shape: list[int] | None = None
    shared_with: list[str] | None = None


class PartOut(BaseModel):
    name: str
    kind: str
    title: str
    says: str
    mixes: bool
    inputs: dict[str, str]
    tensors: list[str]
    parts: list[PartOut]


class AxisOut(BaseModel):
    title: str
    says: str


class OptionOut(BaseModel):
    name: str
    choices: list[OptionValue]
    value: OptionValue
    says: str
    structural: bool


class ExampleOut(BaseModel):
    title: str
    src: list[str]
    tgt: list[str]


class BlockCount(BaseModel):
    name: str
    count: int
    formula: str


class ParameterOut(BaseModel):
    name: str
    count: int
    formula: str
    share: float
    shared_with: list[str] = Field(description="Its other names; it counts under the first one alone.")


class ParameterCounts(BaseModel):
    total: int
    embeddings: int
    without_embeddings: int
    blocks: list[BlockCount]
    parts: dict[str, int] = Field(description="The sum of every part that has parameters; the whole model is the empty name.")
    each: list[ParameterOut]


class SizeOut(BaseModel):
    name: str
    axis: str | None
    value: int
    least: int
    most: int
    stops: list[int]
    fixed: bool = Field(description="It belongs to the stored weights or to the tokeniser.")


class CountedOut(BaseModel):
    name: Literal["base", "big"]
    printed: int
    counted: int
    difference: int
    rows: list[int] = Field(description="The least and the most rows of the one table that round to the printed number.")


class CountedBeside(CountedOut):
    options: dict[str, int]


class ItemOut(BaseModel):
    title: str
    count: int
    says: str


class PaperOut(CountedOut):
    items: list[ItemOut]
    otherwise: list[ItemOut]
    vocabulary: int
    beside: CountedBeside


class ModelOut(BaseModel):
    id: str
    title: str
    says: str
    trained: bool
    unit: str
    seed: int
    config: dict[str, OptionValue]
    options: list[OptionOut]
    sizes: dict[str, int]
    ranges: list[SizeOut]
    axes: dict[str, AxisOut]
    vocabulary: list[str] | None
    specials: list[str]
    examples: list[ExampleOut]
    decode_steps: int
    card: dict[str, Any] | None
    tensors: list[TensorOut]
    formulas: dict[str, str]
    tree: PartOut
    parameters: ParameterCounts
    paper: PaperOut | None


class SummaryOut(BaseModel):
    min: Number
    max: Number
    mean: Number
    std: Number
    finite: int
    zero: int
    nan: int
    positive_infinity: int
    negative_infinity: int


class RecordOut(BaseModel):
    name: str
    axes: list[str]
    over: list[str]
    shape: list[int]
    dtype: str
    reads: list[str]
    summary: SummaryOut


class TokensOut(BaseModel):
    src: list[list[TokenOut]]
    tgt: list[list[TokenOut]]
    labels: list[list[TokenOut]] | None


class TraceOut(BaseModel):
    id: str
    model: str
    recipe: dict[str, Any]
    bytes: int
    tokens: TokensOut
    notices: list[str]
    sizes: dict[str, int]
    records: list[RecordOut]


Value = Annotated[
    bool | int | float | Literal["NaN", "Infinity", "-Infinity"] | None, Field(description="A cell: true is allowed, in masks.")
]


class Health(BaseModel):
    status: Literal["ok"]
    version: str
    page: str


class CodeBody(Body):
    code: str = Field(max_length=200)


class Entered(BaseModel):
    entered: bool
