"""Decoding: which token comes next, again and again, until the end (greedy, beam search, sampling).

`recipe` says what a decoding is made from, `strategy` how the next token is chosen, `choosing` and `beam` choose it, `decoding`
goes through the steps, `cache` keeps keys and values between them, `saving` measures what that saves, `forced` sets it beside
the target.
"""

from __future__ import annotations

from .decoding import Decoding
from .recipe import DecodingRecipe
from .steps import Candidate, DecodingStep, Node, Row
from .strategy import Beam, Greedy, Sample, Strategy

__all__ = ["Beam", "Candidate", "Decoding", "DecodingRecipe", "DecodingStep", "Greedy", "Node", "Row", "Sample", "Strategy"]
