"""What a decoding is made from; its id is its canonical JSON, like that of a trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..catalogue import card
from ..errors import InputError
from ..library import configure
from ..recipe import Coded, Options, Recipe, check_fields, check_known, pinned_model, texts
from .strategy import Greedy, Strategy, read_strategy

NEEDS_CAUSAL = "a cache needs the causal mask: without it every earlier row changes with each step"


@dataclass(frozen=True)
class DecodingRecipe(Coded):
    """Model, source sentences, the largest number of steps, how the next token is chosen, and whether keys and values are kept.

    Raises:
        InputError: a field is of the wrong kind; `cache` without the causal mask, where earlier rows change with every step.
    """

    what = "a decoding"

    model: str
    src: tuple[str, ...]
    max_steps: int
    strategy: Strategy = field(default_factory=Greedy)
    cache: bool = False
    options: Options = field(default_factory=dict)
    seed: int | None = None

    def __post_init__(self) -> None:
        check_fields(self.model, self.src, self.options, self.seed)
        if "mode" in self.options:
            raise InputError("a decoding always runs in eval mode; leave the option out", where="options")
        if not isinstance(self.max_steps, int) or isinstance(self.max_steps, bool) or self.max_steps < 1:
            raise InputError(f"max_steps is {str(self.max_steps)[:40]}; it must be at least 1", where="max_steps")
        if not isinstance(self.cache, bool):
            raise InputError(f"cache is {str(self.cache)[:40]}; it must be true or false", where="cache")
        if self.cache and not configure(self.model, self.options)[1].causal:
            raise InputError(NEEDS_CAUSAL, where="cache")

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any]) -> DecodingRecipe:
        """Read a decoding's recipe as a person writes it; all but `model` and `src` may be left out."""
        check_known(raw, {"model", "src", "max_steps", "strategy", "cache", "options", "seed"})
        model = pinned_model(raw)
        max_steps = raw.get("max_steps")
        return cls(
            model,
            texts(raw.get("src"), "src"),
            card(model).decode_steps if max_steps is None else max_steps,
            read_strategy(raw.get("strategy", "greedy")),
            raw.get("cache", False),
            raw.get("options") or {},
            raw.get("seed"),
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the recipe as plain values, without what is at its default."""
        made: dict[str, Any] = {"model": self.model, "src": list(self.src), "max_steps": self.max_steps}
        if self.strategy != Greedy():
            made["strategy"] = self.strategy.as_dict()
        if self.cache:
            made["cache"] = True
        if self.options:
            made["options"] = dict(self.options)
        if self.seed is not None:
            made["seed"] = self.seed
        return made

    def at(self, prefixes: Sequence[Sequence[int]], sentences: Sequence[int]) -> Recipe:
        """Return the recipe of the forward pass that is fed these prefixes, each of one of the sentences."""
        return Recipe(
            self.model,
            self.src,
            prefix=tuple(tuple(row) for row in prefixes),
            rows=None if list(sentences) == list(range(len(self.src))) else tuple(sentences),
            options=self.options,
            seed=self.seed,
        )
