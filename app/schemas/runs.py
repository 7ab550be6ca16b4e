"""What the server takes and sends of trainings."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from .base import Body, Number, OptionValue
from .optimiser import AdamStepOut

State = Literal[
    "queued", "starting", "running", "paused", "scoring", "interrupted", "stopped", "finished", "diverged", "failed", "loaded"
]


class RunBody(Body):
    """What is trained, and how."""

    task: str = Field(examples=["reverse"], description="copy, reverse, sort, pig-latin or pairs.")
    name: str | None = Field(None, description="What the model will be called.")
    options: dict[str, OptionValue] | None = Field(None, description="Changed settings of the network.")
    steps: int | None = None
    batch: int | None = Field(None, description="Sentences a step.")
    rate: float | int | None = Field(None, description="The highest learning rate, or the factor of the paper's schedule.")
    schedule: str | None = Field(None, description="cosine, or paper for its equation 3.")
    warm_up: int | None = Field(None, description="Steps of the rise; left out, a tenth of all.")
    seed: int | None = None
    pairs: str | None = Field(None, description="For pairs: a text of two columns, with a tab, | or comma between.")
    unit: str | None = Field(None, description="For pairs: word or character.")
    vocabulary: int | None = Field(None, description="For pairs: most tokens.")
    held_out: float | None = Field(None, description="For pairs: the share kept for the test.")


class NameBody(Body):
    name: str


class TaskOut(BaseModel):
    id: str
    title: str
    data: str
    rules: str
    unit: str | None
    examples: list[dict[str, str]]
    steps: int
    batch: int
    rate: float
    options: dict[str, OptionValue]


class TasksOut(BaseModel):
    tasks: list[TaskOut]
    schedules: list[str]


class Levels(BaseModel):
    untrained: float = Field(description="ln V: the loss where every token is held equally likely.")
    floor: float = Field(description="The least the loss can be: the entropy of the smoothed target, 0 without smoothing.")


class PlanOut(BaseModel):
    title: str
    steps: int
    batch: int
    parameters: int
    operations: int
    seconds: float = Field(description="What it will take on an ordinary processor, roughly.")
    bytes: int
    vocab_size: int
    max_length: int
    held_out: dict[str, int]
    data: str
    notices: list[str]
    levels: Levels


class KeptOut(BaseModel):
    step: int
    model: str = Field(description="The checkpoint as a model, whose weights never change.")


class SampleOut(BaseModel):
    src: str
    tgt: str
    written: str | None = Field(description="null: the model found no end.")
    right: bool


class EvaluationOut(BaseModel):
    step: int
    loss: Number
    accuracy: float = Field(description="Share of held-out tokens predicted right with the right target before them.")
    samples: list[SampleOut]


class BrokenOut(BaseModel):
    step: int
    tensor: str
    cell: list[int]
    value: str
    gradient: bool
    says: str


class MeasureOut(BaseModel):
    score: float | None = Field(description="0 to 100; null is undefined.")
    signature: str
    why: str


class TokensRight(BaseModel):
    right: int
    total: int


class TestOut(BaseModel):
    sentences: int
    exact: int
    endless: int = Field(description="Sentences in which no end was found.")
    tokens: TokensRight
    bleu: MeasureOut
    chrf: MeasureOut


class RunOut(BaseModel):
    id: str
    name: str
    created: float | None
    state: State
    place: int | None = Field(description="The place in line of a run that is queued: 1 is the next one to begin.")
    yours: bool = Field(description="Whether whoever asks may steer it; others may look, if they have the link.")
    owned: bool = Field(description="Whether it belongs to the browser that began it, or to nobody.")
    message: str
    task: str | None
    recipe: dict[str, Any] | None
    step: int
    steps: int
    loss: Number
    rate: Number
    norm: Number
    steps_per_second: Number
    seconds: Number
    seconds_left: float | None
    batch: int | None
    parameters: int | None
    operations: int | None
    bytes: int | None
    data: str | None
    rules: str | None
    notices: list[str]
    model: str | None = Field(description="The last checkpoint as a model.")
    config: dict[str, OptionValue] | None
    levels: Levels | None
    checkpoints: list[KeptOut]
    evaluation: EvaluationOut | None
    diverged: BrokenOut | None
    scores: dict[str, TestOut] | None


class RunsOut(BaseModel):
    runs: list[RunOut]


class PointOut(BaseModel):
    step: int
    loss: float
    rate: float
    norm: float


class EvaluationPoint(BaseModel):
    step: int
    held_out_loss: Number
    accuracy: float


class LogOut(BaseModel):
    points: list[PointOut]
    evaluations: list[EvaluationPoint]


class RunScheduleOut(BaseModel):
    schedule: str
    rule: str
    warm_up: int
    highest: float
    step: int
    steps: list[int]
    rates: list[float]


class ScoresOut(BaseModel):
    step: int
    model: str
    tests: dict[str, TestOut]


class RunAfter(BaseModel):
    after: Number = Field(description="The weight after this step, taken again in float32.")
    difference: Number
    kept: Number = Field(description="The weight in the next checkpoint, where that is kept.")


class InspectionOut(AdamStepOut):
    from_step: int
    model: str
    loss: Number
    norm: Number
    clip: Number
    gradient_unclipped: Number
    m_before: Number
    v_before: Number
    run: RunAfter
