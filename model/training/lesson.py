"""A lesson: everything that decides what a training does, step by step."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ..catalogue import ModelCard, card
from .batches import Draw
from .schedule import Cosine, Schedule
from .tasks import Pair, Task
from .words import SPLIT_SEED


@dataclass(frozen=True)
class Lesson:
    """What is learned, by which network, in how many steps.

    Attributes:
        card: configuration and tokeniser of the network.
        draw: makes a sentence to learn from. held_out: the sentences of each test, which `draw` never makes.
        batch: sentences a step. seed: of first weights, sentences and dropout.
        data, rules: where the sentences come from and what makes a target right, in words.
    """

    card: ModelCard
    draw: Draw
    held_out: Mapping[str, tuple[Pair, ...]]
    steps: int
    batch: int
    schedule: Schedule
    seed: int
    data: str = ""
    rules: str = ""

    @cached_property
    def tests(self) -> tuple[Pair, ...]:
        """All held-out sentences in a random order that never changes, tests taken in turn: the first few are of every kind."""
        kinds = [random.Random(SPLIT_SEED).sample(pairs, len(pairs)) for pairs in self.held_out.values()]
        return tuple(pairs[place] for place in range(max(map(len, kinds))) for pairs in kinds if place < len(pairs))


def shipped_lesson(task: Task, *, seed: int, steps: int) -> Lesson:
    """Return the lesson that a model of the catalogue was trained by."""
    return Lesson(
        card=card(task.id),
        draw=task.draw,
        held_out=task.held_out(),
        steps=steps,
        batch=task.batch,
        schedule=Cosine(steps=steps, highest=task.rate),
        seed=seed,
        data=task.data,
        rules=task.rules,
    )
