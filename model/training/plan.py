"""From a recipe to a lesson: sentences read, sizes checked, the cost worked out before anything is allocated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..budget import FLOPS_A_SECOND, check_sizes, estimate
from ..catalogue import Example, ModelCard
from ..config import ModelConfig
from ..errors import InputError, OverBudgetError
from ..library import sketch
from ..limits import TrainingLimits
from ..parameters import count_parameters
from .exercises import EXERCISES
from .lesson import Lesson
from .pairs import Corpus, Reading, read_corpus
from .recipe import PAIRS, PAIRS_DEFAULTS, TrainingRecipe
from .tasks import Pair

PASSES = 3
"""A step is a forward pass and a backward one, which costs about two."""
STEP_SECONDS = 0.01
"""What a step takes besides its arithmetic, roughly."""
COPIES = 5
"""Weights, gradient, Adam's m and v, and what is being written of them."""
HEADROOM = 8
"""Positions of a model beyond the longest sentence that it learned from."""
EXAMPLES = 3


@dataclass(frozen=True)
class Plan:
    """A lesson, what a person should know about its sentences, and what it will cost."""

    lesson: Lesson
    notices: tuple[str, ...]
    parameters: int
    operations: int
    bytes: int

    @property
    def seconds(self) -> float:
        """What it will take on an ordinary processor, roughly."""
        return self.lesson.steps * STEP_SECONDS + self.operations / FLOPS_A_SECOND

    @property
    def about(self) -> dict[str, Any]:
        """The numbers that a run keeps beside its recipe."""
        return {
            "title": self.lesson.card.title,
            "steps": self.lesson.steps,
            "batch": self.lesson.batch,
            "parameters": self.parameters,
            "operations": self.operations,
            "bytes": self.bytes,
            "data": self.lesson.data,
            "rules": self.lesson.rules,
            "notices": list(self.notices),
        }


def make_plan(recipe: TrainingRecipe, limits: TrainingLimits, *, id: str = "run") -> Plan:
    """Work out what a recipe means. `id` will be the model's.

    Raises:
        InputError, ConfigError, OverBudgetError: something in it does not fit, or is too large; value and limit are named.
    """
    for name, value in (("steps", recipe.steps), ("batch", recipe.batch)):
        if value is not None and value > getattr(limits, name):
            raise InputError(f"{name} is {value}; the limit is {getattr(limits, name)}", where=name)
    lesson, notices, longest = _pairs_lesson(recipe, limits, id) if recipe.task == PAIRS else _exercise_lesson(recipe, id)
    check_sizes(lesson.card.config, limits.model)
    return _costed(lesson, notices, longest, limits)


def _exercise_lesson(recipe: TrainingRecipe, id: str) -> tuple[Lesson, tuple[str, ...], int]:
    exercise = EXERCISES[recipe.task]
    task, config = exercise.task, exercise.base.config.with_options(dict(recipe.options))
    title = recipe.name or exercise.title
    card = replace(exercise.base, id=id, title=title, says=f"{task.rules} Trained here.", config=config, trained=True)
    steps = recipe.steps or task.steps
    lesson = Lesson(
        card=card,
        draw=task.draw,
        held_out=task.held_out(),
        steps=steps,
        batch=recipe.batch or task.batch,
        schedule=recipe.schedule_for(config, steps=steps, rate=task.rate),
        seed=recipe.seed,
        data=task.data,
        rules=task.rules,
    )
    return lesson, (), min(config.max_length, 34)


def _pairs_lesson(recipe: TrainingRecipe, limits: TrainingLimits, id: str) -> tuple[Lesson, tuple[str, ...], int]:
    vocabulary = min(recipe.vocabulary, limits.model.vocab_size)
    reading = Reading(recipe.unit, vocabulary, recipe.held_out, limits.tokens, limits.pairs)
    corpus = read_corpus(recipe.pairs, reading, seed=recipe.seed)
    card = _pairs_card(recipe, corpus, id)
    steps = recipe.steps or 2000
    lesson = Lesson(
        card=card,
        draw=lambda rng: rng.choice(corpus.training),
        held_out={"held-out pairs": corpus.held_out},
        steps=steps,
        batch=recipe.batch or 32,
        schedule=recipe.schedule_for(card.config, steps=steps, rate=1e-3),
        seed=recipe.seed,
        data=_corpus_in_words(corpus),
        rules="The target stands beside the source in the text.",
    )
    return lesson, corpus.notices, corpus.longest + 1


def _corpus_in_words(corpus: Corpus) -> str:
    kept = len(corpus.held_out)
    others = "1 other is" if kept == 1 else f"{kept} others are"
    return f"{_pairs(len(corpus.training))}, drawn at random; {others} kept for the test."


def _pairs(count: int) -> str:
    return f"{count} {'pair' if count == 1 else 'pairs'} of sentences"


def _pairs_card(recipe: TrainingRecipe, corpus: Corpus, id: str) -> ModelCard:
    options: Mapping[str, Any] = {**PAIRS_DEFAULTS, **recipe.options}
    config = ModelConfig(vocab_size=corpus.tokenizer.vocab_size, max_length=corpus.longest + 1 + HEADROOM).with_options(
        dict(options)
    )
    longest_target = max(len(corpus.tokenizer.cut(pair.tgt)) for pair in (*corpus.training, *corpus.held_out))
    return ModelCard(
        id=id,
        title=recipe.name or "Pairs of sentences",
        says=f"Trained here on {_pairs(len(corpus.training))}.",
        config=config,
        tokenizer=corpus.tokenizer,
        examples=tuple(_example(pair) for pair in corpus.held_out[:EXAMPLES]),
        decode_steps=min(longest_target + HEADROOM, config.max_length),
        trained=True,
    )


def _example(pair: Pair) -> Example:
    return Example(pair.src if len(pair.src) <= 40 else f"{pair.src[:39]}…", (pair.src,), (pair.tgt,))


def _costed(lesson: Lesson, notices: tuple[str, ...], longest: int, limits: TrainingLimits) -> Plan:
    config = lesson.card.config
    cost = estimate(sketch(config), {**config.sizes, "batch": lesson.batch, "src": longest, "tgt": longest})
    operations = PASSES * cost.operations * lesson.steps
    needed = COPIES * cost.parameter_bytes + cost.trace_bytes
    seconds = operations / FLOPS_A_SECOND
    if seconds > limits.seconds:
        raise OverBudgetError(
            f"this training needs about {operations / 1e12:.0f} trillion operations ({seconds / 3600:.1f} hours); "
            f"the limit is {limits.seconds * FLOPS_A_SECOND / 1e12:.0f} trillion ({limits.seconds / 3600:g} hours): "
            "fewer steps, a smaller batch or smaller sizes fit",
            where="steps",
        )
    if needed > limits.bytes:
        raise OverBudgetError(
            f"this training needs {needed / 2**20:.0f} MiB; the limit is {limits.bytes / 2**20:.0f} MiB: "
            "a smaller batch or smaller sizes fit",
            where="batch",
        )
    return Plan(lesson, notices, count_parameters(sketch(config)).total, operations, needed)
