"""The strategies of a decoding as JSON says them: what each does, its rule, and its settings with their defaults."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any

from ...model.decoding.strategy import STRATEGIES
from .traces import mathml

PENALTY = r"\frac{\ln P(Y)}{\left( \frac{5 + |Y|}{6} \right)^{\alpha}}"

_TITLES = {"greedy": "Greedy", "beam": "Beam", "sample": "Sampling"}
_SAYS = {
    "greedy": "The likeliest token, every time; of equals, the lowest id.",
    "beam": "The best few hypotheses side by side, ranked by log-probability over the length penalty.",
    "sample": "A token by chance: logits over the temperature, what top-k and top-p leave, then a draw.",
}
_RULES = {
    "greedy": r"y_t = \text{arg} \max_i p_i",
    "beam": rf"\text{{score}}(Y) = {PENALTY}",
    "sample": r"p_i = \frac{e^{z_i / \tau}}{\sum_j e^{z_j / \tau}}",
}
_SETTINGS = {
    "width": ("width", "hypotheses of a sentence"),
    "length_penalty": ("length penalty α", "0 ranks by log-probability alone and favours short ones"),
    "temperature": ("temperature τ", "below 1 sharper, above 1 flatter, 0 the largest logit"),
    "top_k": ("top-k", "how many of the best stay; 0 keeps all"),
    "top_p": ("top-p", "the fewest of the best whose chances hold this much; 1 keeps all"),
    "seed": ("seed", "the same seed, the same draws"),
}


@cache
def describe_strategies() -> list[dict[str, Any]]:
    """Return every strategy with its rule as MathML and its settings in their order."""
    return [
        {
            "kind": name,
            "title": _TITLES[name],
            "says": _SAYS[name],
            "rule": mathml(_RULES[name]),
            "settings": [
                {"name": field.name, "title": _SETTINGS[field.name][0], "says": _SETTINGS[field.name][1], "value": field.default}
                for field in fields(kind)
            ],
        }
        for name, kind in STRATEGIES.items()
    ]
