"""The English words that Pig Latin is learned from, and which of them are kept for the test.

`words.txt` comes from wonderwords 3.0.1 (MIT, see words-licence.txt): its nouns, adjectives and verbs, those of plain a to z,
without the words of its own list of profanity. `function-words.txt`, which adds what it does not hold, is ours.
"""

from __future__ import annotations

import functools
import random
from pathlib import Path

FOLDER = Path(__file__).parent
SPLIT_SEED = 2017
HELD_OUT_WORDS = 800


@functools.cache
def content_words() -> tuple[str, ...]:
    """Return nouns, adjectives and verbs, in the order of the alphabet."""
    return _read("words.txt")


@functools.cache
def function_words() -> tuple[str, ...]:
    """Return the, she, under and their like, in the order of the alphabet."""
    return _read("function-words.txt")


@functools.cache
def held_out_words() -> tuple[str, ...]:
    """Return the words that no training phrase holds, in a random order that never changes."""
    words = [word for word in content_words() if word not in function_words()]
    return tuple(random.Random(SPLIT_SEED).sample(words, HELD_OUT_WORDS))


@functools.cache
def training_words() -> tuple[str, ...]:
    """Return the nouns, adjectives and verbs that are not held out."""
    return tuple(word for word in content_words() if not is_held_out(word))


def is_held_out(word: str) -> bool:
    """Say whether a word is kept for the test."""
    return word in _held_out()


@functools.cache
def _held_out() -> frozenset[str]:
    return frozenset(held_out_words())


def _read(name: str) -> tuple[str, ...]:
    return tuple((FOLDER / name).read_text(encoding="ascii").split())
