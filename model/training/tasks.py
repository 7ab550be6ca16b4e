"""What the shipped models are trained to do, and on what: sentences to learn from, and sentences kept for the test."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..errors import UnknownNameError
from .pig_latin import onset_and_rest, pig_latin
from .words import SPLIT_SEED, function_words, held_out_words, is_held_out, training_words

LONGEST_COPY = 10
LONGEST_PHRASE = 32


@dataclass(frozen=True)
class Pair:
    """A source sentence and the target that is right for it."""

    src: str
    tgt: str


@dataclass(frozen=True)
class Task:
    """One thing to learn. `id` names the model in the catalogue.

    `draw` makes a sentence to learn from; `held_out` returns the sentences of each test, none of which `draw` ever makes.
    `steps`, `batch` (sentences a step) and `rate` (the highest learning rate) are what the shipped weights were trained with.
    """

    id: str
    data: str
    rules: str
    draw: Callable[[random.Random], Pair]
    held_out: Callable[[], Mapping[str, tuple[Pair, ...]]]
    steps: int
    batch: int
    rate: float


def task(id: str) -> Task:
    """Return a task. Raises UnknownNameError naming the tasks there are."""
    if id not in TASKS:
        raise UnknownNameError(f"no task is named {id[:40]!r}; there are {', '.join(TASKS)}", where="task")
    return TASKS[id]


def draw_numbers(rng: random.Random) -> str:
    """Return one to ten numbers from 3 to 10, out of a random choice among them, so that repetition is as common as variety."""
    choice = rng.sample(range(3, 11), rng.randint(1, 8))
    numbers = " ".join(str(rng.choice(choice)) for _ in range(rng.randint(1, LONGEST_COPY)))
    return draw_numbers(rng) if numbers in held_out_numbers() else numbers


def draw_copy(rng: random.Random) -> Pair:
    """Return numbers, and the same numbers."""
    numbers = draw_numbers(rng)
    return Pair(numbers, numbers)


def draw_phrase(rng: random.Random) -> Pair:
    """Return one to five words, at most 32 letters and spaces, and their Pig Latin."""
    words = [_draw_word(rng) for _ in range(rng.choice((1, 1, 2, 3, 4, 5)))]
    while len(" ".join(words)) > LONGEST_PHRASE:
        words.pop()
    phrase = " ".join(words)
    return Pair(phrase, pig_latin(phrase))


def _draw_word(rng: random.Random) -> str:
    """Return a function word, a word, or one word's beginning and another's end: what is no word teaches to copy anything."""
    kind = rng.random()
    if kind < 0.3:
        return rng.choice(function_words())
    word = rng.choice(training_words())
    if kind < 0.65:
        return word
    made = onset_and_rest(word)[0] + onset_and_rest(rng.choice(training_words()))[1]
    return made if made and not is_held_out(made) else word


@functools.cache
def held_out_numbers() -> frozenset[str]:
    """Return the thousand sequences of ten numbers that are kept for the test."""
    rng = random.Random(SPLIT_SEED)
    return frozenset(" ".join(str(rng.randint(3, 10)) for _ in range(LONGEST_COPY)) for _ in range(1000))


def _copies() -> Mapping[str, tuple[Pair, ...]]:
    return {"ten numbers": tuple(Pair(numbers, numbers) for numbers in sorted(held_out_numbers()))}


def _phrases() -> Mapping[str, tuple[Pair, ...]]:
    words = held_out_words()
    rng = random.Random(SPLIT_SEED)
    phrases = (" ".join(rng.sample(words, 3)) for _ in range(400))
    return {
        "words": tuple(Pair(word, pig_latin(word)) for word in words),
        "phrases of three words": tuple(Pair(phrase, pig_latin(phrase)) for phrase in phrases if len(phrase) <= 28)[:200],
    }


TASKS: Mapping[str, Task] = {
    made.id: made
    for made in (
        Task(
            id="copy",
            data="One to ten random numbers from 3 to 10, made up at each step; the thousand test sequences of ten numbers "
            "are left out.",
            rules="The target is the source.",
            draw=draw_copy,
            held_out=_copies,
            steps=1500,
            batch=64,
            rate=2e-3,
        ),
        Task(
            id="pig-latin",
            data="Phrases of one to five words: nouns, adjectives and verbs of wonderwords 3.0.1 (MIT), function words, and "
            "words made of the beginning of one and the end of another; the 800 test words are left out.",
            rules='Leading consonants move to the end and "ay" follows; "qu" moves together; y is a consonant only as the first '
            'letter; a word that begins with a vowel takes "way".',
            draw=draw_phrase,
            held_out=_phrases,
            steps=3600,
            batch=48,
            rate=2e-3,
        ),
    )
}
