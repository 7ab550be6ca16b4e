"""Greedy decoding, step by step: the best next token, again and again, until the end."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from .catalogue import card
from .errors import FinishedError, InputError
from .library import Library
from .recipe import Coded, Options, Recipe, check_fields, check_known, texts
from .running import run
from .tokenizers import Token
from .trace import Trace

Reason = Literal["end", "length"]
SHOWN = 10


@dataclass(frozen=True)
class DecodingRecipe(Coded):
    """What a decoding is made from: model, source sentences, and the largest number of steps.

    Raises:
        InputError: a field is of the wrong kind.
    """

    what = "a decoding"

    model: str
    src: tuple[str, ...]
    max_steps: int
    options: Options = field(default_factory=dict)
    seed: int | None = None

    def __post_init__(self) -> None:
        check_fields(self.model, self.src, self.options, self.seed)
        if "mode" in self.options:
            raise InputError("a decoding always runs in eval mode; leave the option out", where="options")
        if not isinstance(self.max_steps, int) or isinstance(self.max_steps, bool) or self.max_steps < 1:
            raise InputError(f"max_steps is {str(self.max_steps)[:40]}; it must be at least 1", where="max_steps")

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any]) -> DecodingRecipe:
        """Read a decoding's recipe as a person writes it; `max_steps` may be left out."""
        check_known(raw, {"model", "src", "max_steps", "options", "seed"})
        model = raw.get("model", "")
        max_steps = raw.get("max_steps")
        return cls(
            model,
            texts(raw.get("src"), "src"),
            card(model).decode_steps if max_steps is None else max_steps,
            raw.get("options") or {},
            raw.get("seed"),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the recipe as plain values, without what is at its default."""
        made: dict[str, Any] = {"model": self.model, "src": list(self.src), "max_steps": self.max_steps}
        if self.options:
            made["options"] = dict(self.options)
        if self.seed is not None:
            made["seed"] = self.seed
        return made

    def at(self, prefix: Sequence[Sequence[int]]) -> Recipe:
        """Return the recipe of the forward pass that is fed this prefix."""
        return Recipe(self.model, self.src, prefix=tuple(tuple(row) for row in prefix), options=self.options, seed=self.seed)


@dataclass(frozen=True)
class Candidate:
    """A token that could come next."""

    token: Token
    logit: float
    log_prob: float

    @property
    def probability(self) -> float:
        """E to the log-probability."""
        return float(np.exp(self.log_prob))


@dataclass(frozen=True)
class Row:
    """What one sentence did in one step.

    `prefix` was fed, `chosen` was chosen (the largest logit; of equals, the lowest id), `top` are the best candidates in order,
    `margin` is the best logit less the second. `done` is true for a row that had ended before; it is fed padding. `reason` says
    why the row ends with this step. `text` is what has been written so far, `chosen` included.
    """

    prefix: tuple[Token, ...]
    chosen: Token
    top: tuple[Candidate, ...]
    margin: float
    text: str
    done: bool
    reason: Reason | None


@dataclass(frozen=True)
class DecodingStep:
    """One step of all rows. `trace` is the forward pass that made it; `finished` is true when no row goes on."""

    index: int
    recipe: Recipe
    rows: tuple[Row, ...]
    finished: bool


class GreedyDecoding:
    """A greedy decoding that goes as far as it is asked to. Safe to use from many threads: a step is computed once.

    The encoder runs in step 0 only; later steps take over its memory.
    """

    def __init__(self, recipe: DecodingRecipe, library: Library) -> None:
        self.recipe = recipe
        self._library = library
        self._card = card(recipe.model)
        self._steps: list[DecodingStep] = []
        self._first: Trace | None = None
        self._lock = threading.Lock()

    def step(self, index: int) -> tuple[DecodingStep, Trace | None]:
        """Return a step, and its trace if it was computed just now.

        Raises:
            FinishedError: the decoding ended before that step.
        """
        with self._lock:
            trace = None
            while len(self._steps) <= index:
                if self._steps and self._steps[-1].finished:
                    raise FinishedError(
                        f"the decoding ended with step {len(self._steps) - 1}; there is no step {index}", where="step"
                    )
                trace = self._advance()
            return self._steps[index], trace if index == len(self._steps) - 1 else None

    @property
    def held_bytes(self) -> int:
        """Bytes of the first step's trace, which is kept for its encoder side."""
        return self._first.memory_bytes if self._first else 0

    def known(self, index: int) -> DecodingStep | None:
        """Return a step if it has been computed."""
        return self._steps[index] if index < len(self._steps) else None

    def _advance(self) -> Trace:
        index = len(self._steps)
        recipe = self.recipe.at(self._prefix())
        trace = run(recipe, self._library, encoded=self._first)
        self._first = self._first or trace

        ended = (
            [row.done or row.reason is not None for row in self._steps[-1].rows]
            if self._steps
            else [False] * len(self.recipe.src)
        )
        limit = min(self.recipe.max_steps, trace.config.max_length)
        rows = tuple(self._row(trace, place, done=done, last=index + 1 >= limit) for place, done in enumerate(ended))
        finished = all(row.done or row.reason is not None for row in rows)
        self._steps.append(DecodingStep(index, recipe, rows, finished))
        return trace

    def _prefix(self) -> list[list[int]]:
        if not self._steps:
            return [[self._card.tokenizer.start_id] for _ in self.recipe.src]
        return [[*(token.id for token in row.prefix), row.chosen.id] for row in self._steps[-1].rows]

    def _row(self, trace: Trace, place: int, *, done: bool, last: bool) -> Row:
        tokenizer = self._card.tokenizer
        logits = trace["logits"].numpy()[place, -1]
        log_probs = trace["log_probs"].numpy()[place, -1]
        order = np.argsort(-logits, kind="stable")[: max(SHOWN, 2)]
        top = tuple(Candidate(tokenizer.token(int(id)), float(logits[id]), float(log_probs[id])) for id in order)
        prefix = trace.batch.tgt[place]
        chosen = tokenizer.token(tokenizer.pad_id) if done else top[0].token
        reason: Reason | None = None
        if not done:
            reason = "end" if chosen.id == tokenizer.end_id else "length" if last else None
        margin = top[0].logit - top[1].logit if len(top) > 1 else float("inf")
        text = tokenizer.decode([token.id for token in prefix] + [chosen.id])
        return Row(prefix, chosen, top, margin, text, done, reason)
