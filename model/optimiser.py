"""One step of Adam for one weight, written out: section 5.3 of the paper, with the rate of its equation 3."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from .batch import ids_of
from .errors import InputError
from .explanation import checked
from .gradients import gradients
from .trace import Trace
from .training.schedule import Paper
from .twin import die_of, make_twin, weights_of

BETA_1 = 0.9
BETA_2 = 0.98
EPSILON = 1e-9
WARM_UP = 4000
LAST_STEP = 1_000_000
LARGEST_RATE = 100.0

RATE_RULE = r"r = d_{\mathrm{model}}^{-0.5} \cdot \min \left( s^{-0.5}, s \cdot w^{-1.5} \right)"


@dataclass(frozen=True)
class AdamLine:
    """One line of the step: its rule in TeX, the words and numbers that it puts in, and what comes out."""

    title: str
    rule: str
    parts: tuple[str | float, ...]
    value: float


@dataclass(frozen=True)
class AdamStep:
    """What Adam does to one weight in one step, in float64.

    `m_before` and `v_before` are the moving means of the gradient and of its square before this step, 0 at the first; `step`
    counts from 1 and is what the correction goes by.
    """

    weight: float
    gradient: float
    rate: float
    step: int = 1
    m_before: float = 0.0
    v_before: float = 0.0

    @property
    def m(self) -> float:
        """The moving mean of the gradient."""
        return BETA_1 * self.m_before + (1 - BETA_1) * self.gradient

    @property
    def v(self) -> float:
        """The moving mean of the gradient's square."""
        return BETA_2 * self.v_before + (1 - BETA_2) * self.gradient**2

    @property
    def m_hat(self) -> float:
        """The mean, corrected for having started at 0."""
        return self.m / (1 - BETA_1**self.step)

    @property
    def v_hat(self) -> float:
        """The mean square, corrected for having started at 0."""
        return self.v / (1 - BETA_2**self.step)

    @property
    def update(self) -> float:
        """What is added to the weight."""
        return -self.rate * self.m_hat / (math.sqrt(self.v_hat) + EPSILON)

    @property
    def after(self) -> float:
        """The weight after the step."""
        return self.weight + self.update

    @property
    def lines(self) -> tuple[AdamLine, ...]:
        """The step line by line, as one works it out by hand."""
        return (
            AdamLine(
                "mean of gradients",
                r"m_t = \beta_1 m_{t-1} + (1 - \beta_1) g",
                (BETA_1, "·", self.m_before, "+", 1 - BETA_1, "·", self.gradient),
                self.m,
            ),
            AdamLine(
                "mean of their squares",
                r"v_t = \beta_2 v_{t-1} + (1 - \beta_2) g^2",
                (BETA_2, "·", self.v_before, "+", 1 - BETA_2, "·", self.gradient, "²"),
                self.v,
            ),
            AdamLine(
                "mean, corrected",
                r"\hat{m} = m_t / (1 - \beta_1^t)",
                (self.m, "/ (1 −", BETA_1, f"^{self.step})"),
                self.m_hat,
            ),
            AdamLine(
                "square, corrected",
                r"\hat{v} = v_t / (1 - \beta_2^t)",
                (self.v, "/ (1 −", BETA_2, f"^{self.step})"),
                self.v_hat,
            ),
            AdamLine(
                "update",
                r"\Delta = -r \cdot \hat{m} / (\sqrt{\hat{v}} + \varepsilon)",
                ("−", self.rate, "·", self.m_hat, "/ (√", self.v_hat, "+", EPSILON, ")"),
                self.update,
            ),
            AdamLine("weight after", r"w_{\mathrm{after}} = w + \Delta", (self.weight, "+", self.update), self.after),
        )


@dataclass(frozen=True)
class FirstStep:
    """Adam's first step, from rest, for one weight of a trace, on this batch alone.

    `place` is the step of the schedule that the rate was taken from; None where the rate was given.
    """

    name: str
    cell: tuple[int, ...]
    adam: AdamStep
    schedule: Paper
    place: int | None = field(default=1)


def first_step(
    trace: Trace, name: str, cell: Sequence[int], *, rate: float | None = None, place: int = 1, warm_up: int = WARM_UP
) -> FirstStep:
    """Return what Adam's first step does to one weight of a trace.

    Args:
        rate: the learning rate; None takes it from the paper's schedule at step `place`.

    Raises:
        UnknownNameError, InputError: no such tensor, no parameter, no loss, a cell outside it, or a number out of its range.
    """
    weight, gradient = trace[name], gradients(trace)[name]
    if not weight.entry.is_parameter:
        raise InputError(f"{name} is worked out anew in every pass; the optimiser moves parameters only", where="name")
    place_of_cell = checked(weight, cell)
    _check(rate, place, warm_up)
    schedule = Paper(trace.config.d_model, warm_up)
    chosen = schedule.rate_at(place) if rate is None else rate
    adam = AdamStep(float(weight.value[place_of_cell]), float(gradient.value[place_of_cell]), chosen)
    return FirstStep(name, place_of_cell, adam, schedule, place if rate is None else None)


def _check(rate: float | None, place: int, warm_up: int) -> None:
    if rate is not None and not 0 < rate <= LARGEST_RATE:
        raise InputError(f"rate is {rate}; it must be above 0 and at most {LARGEST_RATE:.0f}", where="rate")
    for word, value in (("step", place), ("warm_up", warm_up)):
        if not 1 <= value <= LAST_STEP:
            raise InputError(f"{word} is {value}; it must be from 1 to {LAST_STEP}", where=word)


@dataclass(frozen=True)
class WholeStep:
    """The loss of a batch before and after Adam's first step with every parameter; dropout falls as it fell."""

    rate: float
    before: float
    after: float
    place: int | None


def whole_step(trace: Trace, *, rate: float | None = None, place: int = 1, warm_up: int = WARM_UP) -> WholeStep:
    """Take Adam's first step with every parameter of a trace, in a copy, and run the batch again.

    Raises:
        InputError: no loss, or a number out of its range.
    """
    _check(rate, place, warm_up)
    found, batch = gradients(trace), trace.batch
    assert batch.labels is not None
    chosen = Paper(trace.config.d_model, warm_up).rate_at(place) if rate is None else rate
    weights = weights_of(trace)
    moved = {weights[name].data_ptr(): _moved(weights[name], found[name].value, chosen) for name in weights if name in found}
    network = make_twin(trace.config, {name: moved[weight.data_ptr()] for name, weight in weights.items()}, die=die_of(trace))
    with torch.no_grad():
        log_probs = network(ids_of(batch.src), ids_of(batch.tgt)).log_softmax(-1)
        after = float(network.loss(log_probs, ids_of(batch.labels)))
    return WholeStep(chosen, float(trace["loss.mean"].value), after, place if rate is None else None)


def _moved(weight: Tensor, gradient: Tensor, rate: float) -> Tensor:
    """Return weights after their first step: from rest the corrected means are the gradient and its square."""
    return weight - rate * gradient / (gradient.abs() + EPSILON)
