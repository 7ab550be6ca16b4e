"""What a person can have a network learn without bringing sentences: numbers copied, reversed, sorted; Pig Latin."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ..catalogue import ModelCard, card
from .tasks import Pair, Task, draw_numbers, held_out_numbers, task

LEFT_OUT = "the thousand test sequences of ten numbers are left out."


@dataclass(frozen=True)
class Exercise:
    """A task with the sizes it is usually learned by. `base` is the model of the catalogue that has its tokens."""

    title: str
    task: Task
    base: ModelCard


def _numbers(id: str, rules: str, answer: Callable[[list[str]], list[str]], *, steps: int) -> Task:
    """Return a task on the numbers of `copy`, with another answer."""

    def pair(numbers: str) -> Pair:
        return Pair(numbers, " ".join(answer(numbers.split())))

    def draw(rng: random.Random) -> Pair:
        return pair(draw_numbers(rng))

    return Task(
        id=id,
        data=f"One to ten random numbers from 3 to 10, made up at each step; {LEFT_OUT}",
        rules=rules,
        draw=draw,
        held_out=lambda: {"ten numbers": tuple(map(pair, sorted(held_out_numbers())))},
        steps=steps,
        batch=64,
        rate=2e-3,
    )


def _examples(base: ModelCard, answer: Callable[[list[str]], list[str]]) -> ModelCard:
    """Return the card with the right targets in its examples."""
    made = (
        replace(each, tgt=tuple(" ".join(answer(text.split())) for text in each.src), title=each.title) for each in base.examples
    )
    return replace(base, examples=tuple(made))


def _reversed(numbers: list[str]) -> list[str]:
    return numbers[::-1]


def _sorted(numbers: list[str]) -> list[str]:
    return sorted(numbers, key=int)


EXERCISES: Mapping[str, Exercise] = {
    "copy": Exercise("Copy numbers", task("copy"), card("copy")),
    "reverse": Exercise(
        "Reverse numbers",
        _numbers("reverse", "The target is the source from its end to its beginning.", _reversed, steps=2000),
        _examples(card("copy"), _reversed),
    ),
    "sort": Exercise(
        "Sort numbers",
        _numbers("sort", "The target holds the source's numbers, the smallest first.", _sorted, steps=2000),
        _examples(card("copy"), _sorted),
    ),
    "pig-latin": Exercise("Pig Latin", task("pig-latin"), card("pig-latin")),
}
