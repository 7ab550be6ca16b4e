"""Scores of a checkpoint on its held-out pairs, kept beside it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from ..errors import StorageFullError
from ..limits import TrainingLimits
from ..transformer import Transformer
from .files import read_json, write_json
from .lesson import Lesson
from .plan import make_plan
from .recipe import TrainingRecipe
from .run_folder import RunFolder
from .store import fill_from
from .translation import score_translations

MOST = 400
SCORES = "scores.json"


def score_lesson(network: Transformer, lesson: Lesson) -> dict[str, Any]:
    """Return the scores of each test, from at most 400 sentences of it."""
    return {name: score_translations(network, pairs[:MOST], lesson.card) for name, pairs in lesson.held_out.items()}


def score_checkpoint(run: RunFolder, recipe: TrainingRecipe, step: int | None, limits: TrainingLimits) -> Mapping[str, Any]:
    """Return the scores of a checkpoint, worked out now if they are not kept. Raises UnknownNameError for one not kept."""
    kept = run.checkpoint(step)
    known = read_json(kept.folder / SCORES)
    if known is None:
        lesson = make_plan(recipe, limits, id=run.id).lesson
        network = Transformer(lesson.card.config).eval().requires_grad_(False)
        fill_from(kept.folder / "weights.safetensors", network)
        known = score_lesson(network, lesson)
        with suppress(StorageFullError):  # they can be worked out again
            write_json(kept.folder / SCORES, known)
    return {"step": kept.step, "model": f"{run.id}@{kept.step}", "tests": known}
