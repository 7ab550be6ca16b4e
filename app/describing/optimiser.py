"""One step of the optimiser, as JSON says it."""

from __future__ import annotations

import math
from typing import Any

from ...model.optimiser import EPSILON, RATE_RULE, AdamLine, AdamStep, FirstStep, WholeStep
from ...model.training.schedule import Paper, curve
from ..answers import number
from .traces import mathml

FURTHEST = 4
"""The schedule is drawn over as many warm-up lengths."""


def describe_first_step(first: FirstStep) -> dict[str, Any]:
    """Return Adam's first step for one weight, and the schedule that its rate stands on."""
    return (
        {"name": first.name, "cell": list(first.cell)}
        | describe_adam(first.adam)
        | {"schedule": _schedule(first.schedule, first.place)}
    )


def describe_whole_step(whole: WholeStep) -> dict[str, Any]:
    """Return the loss before and after a step with every parameter."""
    return {"rate": whole.rate, "step": whole.place, "before": number(whole.before), "after": number(whole.after)}


def describe_adam(adam: AdamStep) -> dict[str, Any]:
    """Return one step of Adam for one weight, line by line."""
    numbers = ("weight", "gradient", "m", "v", "m_hat", "v_hat", "update", "after")
    return {
        "says": _says(adam),
        "step": adam.step,
        "rate": adam.rate,
        "lines": [_line(line) for line in adam.lines],
    } | {name: number(getattr(adam, name)) for name in numbers}


def _says(adam: AdamStep) -> str:
    if adam.gradient == 0 and adam.m_before == 0:
        return "The loss does not move with this weight, so the step leaves it as it is."
    if math.sqrt(adam.v_hat) < 100 * EPSILON:
        return "The gradient is so small that ε holds the step back: it is less than the rate."
    if adam.step > 1:
        return "The mean gradient gives the direction; its size is divided out, so the step is about the rate at most."
    return "From rest m̂ is g and v̂ is g²: the first step is the rate itself, against the sign of g, however large g is."


def _line(line: AdamLine) -> dict[str, Any]:
    parts = [part if isinstance(part, str) else {"value": number(part)} for part in line.parts]
    return {"title": line.title, "rule": mathml(line.rule), "parts": parts, "value": number(line.value)}


def _schedule(schedule: Paper, place: int | None) -> dict[str, Any]:
    points = curve(schedule, max(FURTHEST * schedule.warm_up, place or 1))
    return {
        "rule": mathml(RATE_RULE),
        "d_model": schedule.d_model,
        "warm_up": schedule.warm_up,
        "step": place,
        "highest": schedule.rate_at(schedule.warm_up),
        "steps": [step for step, _ in points],
        "rates": [rate for _, rate in points],
    }
