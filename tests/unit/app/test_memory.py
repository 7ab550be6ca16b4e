"""What the server keeps in memory is bounded, and nothing depends on its being there."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from glassformer.app.compute import Compute
from glassformer.app.kept import Encoded, KeptAnswers, key_of
from glassformer.app.settings import Settings
from glassformer.app.store import TraceStore
from glassformer.model.decoding import DecodingRecipe
from glassformer.model.library import Library
from glassformer.model.recipe import Recipe
from glassformer.model.trace import Trace

import glassformer

MIB = 2**20
T = TypeVar("T")


def run_alone(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a thread of its own: a browser test before this one may have left its event loop running here."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def trace(word: str) -> Trace:
    return glassformer.trace("tiny", src=word, tgt=word)


def test_the_least_recently_used_trace_goes_when_the_store_is_full() -> None:
    most = 900_000  # three of them
    store = TraceStore(most)
    traces = [trace(word) for word in ("dog", "cat", "run", "dog cat", "dog run")]
    for made in traces[:3]:
        store.put(made)
    assert store.get(traces[0].id) is traces[0]
    for made in traces[3:]:
        store.put(made)
    assert [store.get(made.id) is not None for made in traces] == [True, False, False, True, True]
    assert store.bytes <= most


def test_a_trace_larger_than_the_store_is_kept_alone() -> None:
    store = TraceStore(1)
    first, second = trace("dog"), trace("cat")
    store.put(first)
    store.put(second)
    assert store.get(first.id) is None
    assert store.get(second.id) is second


def test_a_trace_that_was_dropped_is_computed_again_to_the_last_bit() -> None:
    compute = Compute(Settings(store_bytes=MIB))
    recipes = [Recipe("tiny", (word,), (word,)) for word in ("dog", "cat", "run", "dog cat", "dog run", "cat run")]

    async def everything() -> tuple[list[Trace], Trace]:
        return [await compute.trace(recipe) for recipe in recipes], await compute.trace(recipes[0])

    made, again = run_alone(everything())
    compute.close()
    assert again is not made[0]
    assert again.logits.equal(made[0].logits)


def test_a_view_counts_its_storage_once() -> None:
    made = trace("dog run cat")
    viewed = made["encoder.layers.0.self_attn.queries"].value.untyped_storage().nbytes()
    whole = sum(record.value.untyped_storage().nbytes() for record in made.values() if not record.entry.is_parameter)
    assert made.memory_bytes < whole - viewed


def test_encoded_answers_are_kept_up_to_their_limit() -> None:
    kept = KeptAnswers(1000)
    asked = {path: {"path": path, "query_string": b"", "headers": []} for path in [*(f"/{i}" for i in range(10)), "/large"]}
    for path, scope in asked.items():
        kept.put(scope, Encoded(bytes(300 if path == "/large" else 200), "x"))
    assert [path for path, scope in asked.items() if kept.get(key_of(scope))] == ["/5", "/6", "/7", "/8", "/9"]
    assert (kept.entries, kept.bytes, kept.hits, kept.misses, kept.evictions) == (5, 1000, 5, 11, 5)


def test_the_same_step_is_computed_once_for_two_who_ask() -> None:
    compute = Compute(Settings())
    recipe = DecodingRecipe("tiny", ("dog run",), 4)

    async def both() -> list[object]:
        decoding = await compute.decoding(recipe)
        return list(await asyncio.gather(*(compute.step(decoding, 2) for _ in range(2))))

    first, second = run_alone(both())
    compute.close()
    assert first is second


def test_models_are_dropped_when_there_are_too_many() -> None:
    library = Library(max_models=2)
    first = library.get("tiny")
    assert library.get("tiny") is first
    library.get("tiny", seed=5)
    library.get("small")
    assert library.get("tiny") is not first


def test_others_are_served_between_the_pieces_of_a_proof() -> None:
    compute = Compute(Settings())
    recipe = Recipe("pig-latin", ("she pet the dog",), ("eshay etpay ethay ogday",))

    async def both() -> tuple[bool, bool]:
        made = await compute.trace(recipe)
        verdict = asyncio.create_task(compute.verdict(made))
        await asyncio.sleep(0)
        await compute.call(lambda: None)
        return verdict.done(), (await verdict).passes

    assert run_alone(both()) == (False, True)
    compute.close()
