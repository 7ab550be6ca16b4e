"""What a step of a decoding is: its rows, the tokens each could go on with, and the hypotheses that came of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from ..recipe import Recipe
from ..tokenizers import Token
from ..trace import Trace

Reason = Literal["end", "length"]
Cut = Literal["top_k", "top_p"]
Fate = Literal["live", "passed", "died", "end", "length", "dropped"]
SHOWN = 10


@dataclass(frozen=True)
class Candidate:
    """A token that could come next.

    For sampling, `tempered` is its logit over the temperature, `cut` what took it out of the draw, `chance` its share of the
    draw.
    """

    token: Token
    logit: float
    log_prob: float
    tempered: float | None = None
    cut: Cut | None = None
    chance: float | None = None

    @property
    def probability(self) -> float:
        """E to the log-probability."""
        return math.exp(self.log_prob)


@dataclass(frozen=True)
class Row:
    """What one row of the batch did in one step: a hypothesis of a sentence, of which a beam has several.

    `prefix` was fed, `top` are the best candidates in order, `margin` is the best logit less the second, `tied` how many share
    the best one. `chosen` is the token it goes on with (in a beam the best of its continuations that stay, None where none does)
    and `chosen_log_prob` its log-probability; `total` is the sum of all log-probabilities so far, `chosen` included. `draw` is
    the number drawn in [0, 1). `done` is true for a row that had ended before; it is fed padding. `reason` says why the row ends
    with this step. `node` is the hypothesis that was fed, `text` what has been written so far, `chosen` included.
    """

    sentence: int
    node: int
    prefix: tuple[Token, ...]
    chosen: Token | None
    chosen_log_prob: float
    total: float
    top: tuple[Candidate, ...]
    margin: float
    tied: int
    text: str
    done: bool
    reason: Reason | None
    draw: float | None = None


@dataclass(frozen=True)
class Node:
    """A hypothesis: the one before it and one token more. Node `sentence` (parent None) is that sentence's start.

    `total` is the sum of its log-probabilities, `score` that over the length penalty, `length` its number of tokens. `fate`:
    "live" is about to go on, "passed" went on, "died" went on and nothing of it stayed; "end" and "length" have ended; "dropped"
    was not among the best. `step` made it, out of row `row` of that step's pass (−1 for the start).
    """

    id: int
    parent: int | None
    sentence: int
    step: int
    row: int
    token: Token
    log_prob: float
    total: float
    score: float
    length: int
    fate: Fate


@dataclass(frozen=True)
class DecodingStep:
    """One step of all rows.

    `recipe` is the forward pass that is fed these prefixes; `nodes` are the hypotheses that this step made, `finished` is true
    when no row goes on.
    """

    index: int
    recipe: Recipe
    rows: tuple[Row, ...]
    nodes: tuple[Node, ...]
    finished: bool
    run: Callable[[Recipe], Trace] = field(repr=False, compare=False)

    @property
    def trace(self) -> Trace:
        """Every tensor of this step's forward pass, computed when it is asked for."""
        return self.run(self.recipe)
