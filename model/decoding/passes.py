"""The passes of a decoding: the whole prefix with a trace each step, or only the new token beside kept keys and values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import torch

from ..errors import NotFiniteError
from ..library import Library, Watched
from ..recipe import Recipe
from ..running import run
from ..trace import Trace
from .cache import Cache, advance, begin
from .recipe import DecodingRecipe


@dataclass(frozen=True)
class Scores:
    """Logits and log-probabilities (rows, vocab) of the token after each prefix, and the trace of the pass where there is one."""

    logits: np.ndarray
    log_probs: np.ndarray
    trace: Trace | None


class Passes(Protocol):
    """Scores the token after each prefix. Rows of a step may stem from any rows of the step before: `parents` says which."""

    def score(self, fed: Recipe, parents: Sequence[int]) -> Scores:
        """Return the scores of the token after each prefix of the pass that `fed` is the recipe of."""
        ...

    @property
    def held_bytes(self) -> int:
        """Bytes that are kept between the steps."""
        ...


class FullPasses:
    """Every step is the whole decoder on the whole prefix, and a trace of it. The encoder runs in the first step only."""

    def __init__(self, recipe: DecodingRecipe, library: Library) -> None:
        self._library = library
        self._first: Trace | None = None

    @property
    def held_bytes(self) -> int:
        return self._first.memory_bytes if self._first else 0

    def score(self, fed: Recipe, parents: Sequence[int]) -> Scores:
        trace = run(fed, self._library, encoded=self._first)
        self._first = self._first or trace
        scores = Scores(trace["logits"].numpy()[:, -1], trace["log_probs"].numpy()[:, -1], trace)
        return _checked(scores, fed)


class CachedPasses:
    """Every step is one token: the decoder works on the new position alone, and looks at kept keys and values."""

    def __init__(self, recipe: DecodingRecipe, library: Library) -> None:
        self._recipe, self._library = recipe, library
        self._cache: Cache | None = None

    @cached_property
    def _watched(self) -> Watched:
        return self._library.get(self._recipe.model, self._recipe.options, seed=self._recipe.seed)

    @property
    def held_bytes(self) -> int:
        return self._cache.held_bytes if self._cache else 0

    def score(self, fed: Recipe, parents: Sequence[int]) -> Scores:
        assert fed.prefix is not None
        if self._cache is None:
            self._cache = begin(self._watched, self._recipe.src)
        newest, cache = torch.tensor([row[-1] for row in fed.prefix]), self._cache.of(parents)
        logits = advance(self._watched, cache, newest)
        scores = _checked(Scores(logits.numpy(), logits.log_softmax(-1).numpy(), None), fed)
        self._cache = cache  # only now: a step that failed can be taken again
        return scores


def _checked(scores: Scores, fed: Recipe) -> Scores:
    """Raise NotFiniteError for scores that nothing can be chosen by."""
    wrong = int(np.isnan(scores.log_probs).sum())
    if wrong:
        assert fed.prefix is not None
        step = len(fed.prefix[0]) - 1
        raise NotFiniteError(
            f"step {step} cannot be taken: {wrong} of its {scores.log_probs.size} log-probabilities are no numbers (NaN)",
            where="step",
        )
    return scores
