"""What is let in: a run or a decoding is held against the limits before any of its memory is allocated.

What is asked of a trace afterwards costs a small multiple of its run, so the run's own budget bounds it:

| work | operations, in runs | bytes, in runs |
|---|---|---|
| explanation, ancestry, what-if, encoding | below 1 | below 1 |
| proof of a tensor | below 1 | 2 (float64) |
| proof of the whole trace | 4, in pieces | 2 |
| gradients | 3 | 3, of which 1 stays |
| check of a gradient | 10 (float64) | 6 |
| Adam's first step with all parameters | 1 | 2 |
| a step of a decoding; of what a cache saves | 1; 3 | 1; 2 |
"""

from __future__ import annotations

from .batch import make_batch, source_rows
from .budget import Cost, check_run, check_sizes, estimate
from .decoding import DecodingRecipe
from .errors import InputError
from .library import configure, sketch
from .limits import Limits
from .recipe import Recipe


class Admission:
    """Checks recipes against limits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def check_run(self, recipe: Recipe) -> Cost:
        """Return what a run costs.

        Raises:
            ConfigError, InputError, OverBudgetError: the message names value and limit.
        """
        found, config, _ = configure(recipe.model, recipe.options)
        check_sizes(config, self._limits)
        batch = make_batch(found, recipe, max_length=min(config.max_length, self._limits.tokens))
        longest = max(batch.sizes["src"], batch.sizes["tgt"])
        cost = estimate(sketch(config), {**config.sizes, **batch.sizes})
        check_run(cost, self._limits, batch=batch.sizes["batch"], longest=longest)
        return cost

    def check_decoding(self, recipe: DecodingRecipe) -> Cost:
        """Return what the longest step of a decoding costs.

        Raises:
            ConfigError, InputError, OverBudgetError: the message names value and limit.
        """
        found, config, _ = configure(recipe.model, recipe.options)
        check_sizes(config, self._limits)
        if recipe.max_steps > self._limits.steps:
            raise InputError(f"max_steps is {recipe.max_steps}; the limit is {self._limits.steps}", where="max_steps")
        rows, _ = source_rows(found, recipe.src, max_length=min(config.max_length, self._limits.tokens))
        batch = len(rows) * recipe.strategy.rows
        if batch > self._limits.batch and recipe.strategy.rows > 1:
            sentences = "1 sentence" if len(rows) == 1 else f"{len(rows)} sentences"
            makes = "makes" if len(rows) == 1 else "are"
            beam = f"{sentences} with a beam of {recipe.strategy.rows} {makes} {batch} rows"
            raise InputError(f"{beam}; the limit is {self._limits.batch}", where="strategy.width")
        sizes = {"batch": batch, "src": len(rows[0]), "tgt": min(recipe.max_steps, config.max_length)}
        cost = estimate(sketch(config), {**config.sizes, **sizes})
        check_run(cost, self._limits, batch=batch, longest=sizes["src"])
        return cost
