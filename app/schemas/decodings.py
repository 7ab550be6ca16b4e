"""What the server takes and sends of decodings."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from .base import Body, Number, OptionValue, TokenOut

StrategyValue = dict[str, str | int | float] | str


class DecodingBody(Body):
    """What a decoding is made from."""

    model: str = Field(examples=["pig-latin"])
    src: list[str] | str = Field(examples=[["she pet the dog"]])
    max_steps: int | None = Field(None, description="Most steps; left out, the model's own number.")
    strategy: StrategyValue | None = Field(
        None,
        examples=["beam", {"kind": "sample", "temperature": 0.8, "top_k": 5, "top_p": 0.9, "seed": 3}],
        description="greedy, beam (width, length_penalty) or sample (temperature, top_k, top_p, seed).",
    )
    cache: bool | None = Field(None, description="Keep keys and values between steps.")
    options: dict[str, OptionValue] | None = None
    seed: int | None = None


class SettingOut(BaseModel):
    name: str
    title: str
    says: str
    value: int | float = Field(description="The default.")


class StrategyOut(BaseModel):
    kind: Literal["greedy", "beam", "sample"]
    title: str
    says: str
    rule: str = Field(description="How it ranks or draws, as MathML.")
    settings: list[SettingOut]


class SourceTokens(BaseModel):
    src: list[list[TokenOut]]


class DecodingOut(BaseModel):
    id: str
    model: str
    recipe: dict[str, Any]
    max_steps: int
    strategy: dict[str, str | int | float]
    cache: bool
    tokens: SourceTokens
    notices: list[str]


class CandidateOut(BaseModel):
    token: TokenOut
    logit: Number
    log_prob: Number
    probability: Number
    tempered: Number = None
    cut: Literal["top_k", "top_p"] | None = None
    chance: Number = None


class RowOut(BaseModel):
    sentence: int
    node: int
    prefix: list[TokenOut]
    chosen: TokenOut | None
    log_prob: Number
    probability: Number
    total: Number
    margin: Number
    tied: int
    draw: Number
    top: list[CandidateOut]
    text: str
    done: bool
    reason: Literal["end", "length"] | None


class NodeOut(BaseModel):
    id: int
    parent: int | None
    sentence: int
    step: int
    row: int
    token: TokenOut
    log_prob: Number
    total: Number
    score: Number
    length: int
    fate: Literal["live", "passed", "died", "end", "length", "dropped"]


class StepOut(BaseModel):
    step: int
    finished: bool
    trace: str
    recipe: dict[str, Any]
    rows: list[RowOut]
    nodes: list[NodeOut]


class TreeOut(BaseModel):
    steps: int
    finished: bool
    strategy: dict[str, str | int | float]
    rule: str = Field(description="The score of a hypothesis, as MathML.")
    divisors: list[float] | None = Field(description="The length penalty's divisor for 0, 1, 2, … tokens; none but for a beam.")
    nodes: list[NodeOut]
    best: list[int] = Field(description="The best hypothesis of each sentence so far.")
    traces: list[str] = Field(description="The trace of each step's pass.")


class LayerCacheOut(BaseModel):
    name: str
    shape: list[int]
    reused: int
    new: int
    bytes: int


class SavingOut(BaseModel):
    step: int
    layers: list[LayerCacheOut]
    bytes: int
    full: int = Field(description="Multiplications of this step on whole prefixes.")
    cached: int
    full_total: int
    cached_total: int
    max_abs: Number
    cell: list[int] = Field(description="Row, position, token of the largest difference.")
    positions: int
    changed: int = Field(description="Positions where the best token is another one.")


class WrittenOut(BaseModel):
    token: TokenOut
    log_prob: Number
    probability: Number
    trace: str
    row: int


class SentenceOut(BaseModel):
    text: str
    written: list[WrittenOut]
    total: Number
    score: Number
    length: int
    reason: Literal["end", "length"] | None
    node: int
    trace: str | None = Field(description="The pass that made the last token: its rows are all positions.")
    row: int


class ResultOut(BaseModel):
    steps: int
    strategy: dict[str, str | int | float]
    sentences: list[SentenceOut]


class FedOut(BaseModel):
    fed: TokenOut
    predicted: TokenOut
    log_prob: Number
    probability: Number


class PositionOut(BaseModel):
    forced: FedOut | None
    free: FedOut | None
    label: TokenOut | None


class BesideOut(BaseModel):
    positions: list[PositionOut]
    parts: int | None = Field(description="The first position that is fed another token.")
    differs: int | None = Field(description="The first position whose predictions differ.")


class ForcedOut(BaseModel):
    trace: str = Field(description="The pass that was fed the whole targets.")
    sentences: list[BesideOut]
