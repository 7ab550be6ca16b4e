"""Trainings as JSON says them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from ...model.catalogue import ModelCard
from ...model.config import ModelConfig
from ...model.errors import GlassformerError
from ...model.loss import smooth
from ...model.shelf import RunShelf
from ...model.training.exercises import EXERCISES
from ...model.training.inspection import Inspection
from ...model.training.plan import Plan
from ...model.training.recipe import PAIRS, PAIRS_DEFAULTS, SCHEDULES, TrainingRecipe
from ...model.training.run_folder import RunFolder
from ...model.training.schedule import curve
from ..answers import number
from .optimiser import describe_adam
from .traces import mathml

CURVE = 400
OFFERED = ("d_model", "n_heads", "d_ff", "n_layers", "norm", "activation", "bias", "dropout", "smoothing", "tied_embeddings")


def describe_tasks() -> dict[str, Any]:
    """Return what can be learned, with the settings that each begins with."""
    tasks = [
        {
            "id": id,
            "title": exercise.title,
            "data": exercise.task.data,
            "rules": exercise.task.rules,
            "unit": exercise.base.tokenizer.unit,
            "examples": [{"src": made.src[0], "tgt": made.tgt[0]} for made in exercise.base.examples],
            "steps": exercise.task.steps,
            "batch": exercise.task.batch,
            "rate": exercise.task.rate,
            "options": {name: getattr(exercise.base.config, name) for name in OFFERED},
        }
        for id, exercise in EXERCISES.items()
    ]
    own = ModelConfig(vocab_size=8).with_options(dict(PAIRS_DEFAULTS))
    tasks.append(
        {
            "id": PAIRS,
            "title": "Pairs of sentences",
            "data": "A text of two columns, source and target, with a tab, | or comma between.",
            "rules": "The target stands beside the source in the text.",
            "unit": None,
            "examples": [],
            "steps": 2000,
            "batch": 32,
            "rate": 1e-3,
            "options": {name: getattr(own, name) for name in OFFERED},
        }
    )
    return {"tasks": tasks, "schedules": list(SCHEDULES)}


def describe_plan(plan: Plan) -> dict[str, Any]:
    """Return what a training would be, before it is one."""
    lesson = plan.lesson
    return {
        "title": lesson.card.title,
        "steps": lesson.steps,
        "batch": lesson.batch,
        "parameters": plan.parameters,
        "operations": plan.operations,
        "seconds": plan.seconds,
        "bytes": plan.bytes,
        "vocab_size": lesson.card.config.vocab_size,
        "max_length": lesson.card.config.max_length,
        "held_out": {name: len(pairs) for name, pairs in lesson.held_out.items()},
        "data": lesson.data,
        "notices": list(plan.notices),
        "levels": _levels(lesson.card.config),
    }


def describe_run(run: RunFolder, state: str, shelf: RunShelf, *, yours: bool, line: Sequence[str] = ()) -> dict[str, Any]:
    """Return all about a run but its log; `yours` may be steered by whoever asks, `line` are the ids of the runs that wait."""
    about, status, recipe, card = run.about, run.status, run.recipe, _card(run, shelf)
    steps, rate = int(about.get("steps", 0)), status.get("steps_per_second")
    left = (steps - status["step"]) / rate if rate and state == "running" else None
    numbers = ("loss", "rate", "norm", "steps_per_second", "seconds")
    return {
        "id": run.id,
        "name": run.name or (recipe.name if recipe else "") or about.get("title", run.id),
        "created": about.get("created"),
        "state": state,
        "place": line.index(run.id) + 1 if run.id in line else None,
        "yours": yours,
        "owned": bool(about.get("owner")),
        "message": status.get("message", ""),
        "task": recipe.task if recipe else None,
        "recipe": _recipe(recipe),
        "step": status["step"],
        "steps": steps,
        **{name: number(status.get(name)) for name in numbers},
        "seconds_left": left,
        **{name: about.get(name) for name in ("batch", "parameters", "operations", "bytes", "data", "rules")},
        "notices": about.get("notices", []),
        "model": card.id if card else None,
        "config": card.config.as_dict() if card else None,
        "levels": _levels(card.config) if card else None,
        "checkpoints": [{"step": kept.step, "model": f"{run.id}@{kept.step}"} for kept in run.checkpoints()],
        "evaluation": status.get("evaluation"),
        "diverged": status.get("diverged"),
        "scores": status.get("scores"),
    }


def describe_points(points: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the log: points of the training, and looks at held-out pairs."""
    return {
        "points": [point for point in points if "loss" in point],
        "evaluations": [point for point in points if "accuracy" in point],
    }


def describe_schedule(recipe: TrainingRecipe, plan: Plan, step: int) -> dict[str, Any]:
    """Return the learning rate over the whole run, evenly, with its top and where the run stands."""
    schedule, last = plan.lesson.schedule, plan.lesson.steps
    points = curve(schedule, last, CURVE)
    return {
        "schedule": recipe.schedule,
        "rule": mathml(schedule.formula),
        "warm_up": schedule.rise,
        "highest": schedule.rate_at(min(schedule.rise, last)),
        "step": step,
        "steps": [each for each, _ in points],
        "rates": [rate for _, rate in points],
    }


def describe_inspection(found: Inspection, run: RunFolder) -> dict[str, Any]:
    """Return what a step did to one weight."""
    return describe_adam(found.adam) | {
        "name": found.parameter,
        "cell": list(found.cell),
        "from_step": found.progress.step - 1,
        "model": f"{run.id}@{found.progress.step - 1}",
        "m_before": number(found.adam.m_before),
        "v_before": number(found.adam.v_before),
        "loss": number(found.progress.loss),
        "norm": number(found.progress.norm),
        "clip": number(found.clip),
        "gradient_unclipped": number(found.unclipped),
        "run": {
            "after": number(found.after),
            "difference": number(abs(found.after - found.adam.after)),
            "kept": number(found.kept),
        },
    }


def _recipe(recipe: TrainingRecipe | None) -> dict[str, Any] | None:
    """Return a recipe without the sentences, which may be many."""
    if recipe is None:
        return None
    made: dict[str, Any] = {name: value for name, value in recipe.as_dict().items() if name != "pairs"}
    return made


def _card(run: RunFolder, shelf: RunShelf) -> ModelCard | None:
    try:
        return shelf.find(run.id)
    except GlassformerError:
        return None


def _levels(config: ModelConfig) -> Mapping[str, float]:
    """Return the loss of a model that holds every token equally likely, and the least there is with these targets."""
    label = torch.tensor([[config.vocab_size - 1]])
    like = torch.empty(1, 1, config.vocab_size, dtype=torch.float64)
    targets = smooth(label, like, eps=config.smoothing, over=config.smoothing_over, pad_id=config.pad_id)
    return {"untrained": math.log(config.vocab_size), "floor": float(torch.special.entr(targets).sum())}
