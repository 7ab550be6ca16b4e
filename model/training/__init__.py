"""How the models that have learned something were trained: `train` a task, then `save` the outcome."""

from __future__ import annotations

import platform
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from ..catalogue import card
from ..transformer import Transformer
from .scores import Score, exact_matches
from .store import load_weights, read_card, write_weights
from .tasks import TASKS, Task, task
from .trainer import Report, fit

__all__ = ["SEED", "TASKS", "Outcome", "load_weights", "read_card", "save", "train"]

SEED = 1


@dataclass(frozen=True)
class Outcome:
    """A trained network, how it came about, and how often it is right on sentences it has never seen."""

    task: Task
    network: Transformer
    seed: int
    steps: int
    seconds: float
    scores: Mapping[str, Score]

    @property
    def facts(self) -> dict[str, Any]:
        """What the card beside the weights says, as plain values for JSON."""
        steps = "" if self.steps == self.task.steps else f" --steps {self.steps}"
        return {
            "task": self.task.id,
            "data": self.task.data,
            "rules": self.task.rules,
            "steps": self.steps,
            "batch": self.task.batch,
            "seed": self.seed,
            "seconds": round(self.seconds, 1),
            "accuracy": {name: {"right": score.right, "total": score.total} for name, score in self.scores.items()},
            "command": f"glassformer train {self.task.id} --seed {self.seed}{steps}",
            "torch": torch.__version__,
            "machine": platform.machine(),
            "parameters": sum(weights.numel() for weights in self.network.parameters()),
        }


def train(task_id: str, *, seed: int = SEED, steps: int | None = None, report: Report | None = None) -> Outcome:
    """Train a model and score it on its held-out sentences.

    Args:
        task_id: "copy" or "pig-latin".
        steps: as many as the shipped weights took, unless told.
        report: called about every 20 steps with the step, the number of steps, the loss and the learning rate.

    Raises:
        UnknownNameError: no such task.
    """
    chosen = task(task_id)
    steps = chosen.steps if steps is None else steps
    begun = time.perf_counter()
    network = fit(chosen, seed=seed, steps=steps, report=report)
    seconds = time.perf_counter() - begun
    scores = {name: exact_matches(network, pairs, card(chosen.id)) for name, pairs in chosen.held_out().items()}
    return Outcome(task=chosen, network=network, seed=seed, steps=steps, seconds=seconds, scores=scores)


def save(outcome: Outcome, folder: Path | None = None) -> Path:
    """Write `{id}.safetensors` and `{id}.json` into a folder (model/weights unless told); returns the path of the weights."""
    return write_weights(outcome.network, outcome.facts, id=outcome.task.id, folder=folder)
