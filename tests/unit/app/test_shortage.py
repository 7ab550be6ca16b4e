"""What is too large is refused before anything is allocated, and a machine that gives no more memory is no end of the server."""

from __future__ import annotations

from typing import Any

import pytest
from calling import run_alone
from glassformer.app.compute import Compute
from glassformer.app.settings import Settings
from glassformer.model.decoding import DecodingRecipe
from glassformer.model.errors import OutOfMemoryError, OverBudgetError
from glassformer.model.recipe import Recipe
from glassformer.model.trace import Trace

MIB = 2**20


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried …")])
def test_a_machine_without_memory_is_told_and_half_of_what_is_kept_goes(error: Exception) -> None:
    """Other errors are no shortage: they come through as they are, and nothing is dropped."""
    compute = Compute(Settings())

    def fail(error: Exception) -> None:
        raise error

    async def everything() -> tuple[int, int, Trace]:
        for word in ("dog", "cat", "run", "dog cat"):
            await compute.trace(Recipe("tiny", (word,), (word,), seed=len(word)))
        with pytest.raises(RuntimeError, match="another"):
            await compute.call(lambda: fail(RuntimeError("another")))
        before = compute.traces.bytes
        assert compute.models.entries == 2
        with pytest.raises(OutOfMemoryError):
            await compute.call(lambda: fail(error))
        assert compute.models.entries == 1, "built models go as well, all but the one used last"
        return before, compute.traces.bytes, await compute.trace(Recipe("tiny", ("dog",), ("dog",)))

    before, after, again = run_alone(everything())
    compute.close()
    assert 0 < after <= before // 2
    assert again.logits.isfinite().all()


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe("paper-base", ("dog " * 500,), ("dog " * 400,), options={"n_layers": 12}),
        DecodingRecipe("paper-base", ("dog " * 500,), 256, options={"n_layers": 12}),
    ],
    ids=["a run", "a decoding"],
)
def test_what_is_over_budget_is_refused_before_anything_is_allocated(recipe: Any) -> None:
    """A run within the limits builds its model, so the count of built models does move."""
    compute = Compute(Settings(run_bytes=64 * MIB, max_tokens=512))

    async def ask() -> None:
        await (compute.trace(recipe) if isinstance(recipe, Recipe) else compute.decoding(recipe))

    with pytest.raises(OverBudgetError, match=r"the limit is 64 MiB|the limit is 500 billion"):
        run_alone(ask())
    assert (compute.models.misses, compute.traces.bytes) == (0, 0)
    run_alone(compute.trace(Recipe("tiny", ("dog",), ("dog",))))
    assert compute.models.misses == 1
    compute.close()
