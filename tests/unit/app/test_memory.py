"""What the server keeps in memory is bounded, and nothing depends on its being there."""

from __future__ import annotations

import asyncio
import gc
import inspect
import sys
import weakref
from dataclasses import replace

import pytest
import torch
from calling import run_alone
from glassformer.app.compute import Compute
from glassformer.app.decodings import DecodingStore
from glassformer.app.kept import Encoded, KeptAnswers, key_of
from glassformer.app.main import create_app
from glassformer.app.settings import Settings
from glassformer.app.store import TraceStore
from glassformer.model.decoding import Decoding, DecodingRecipe
from glassformer.model.library import Library
from glassformer.model.recipe import Recipe
from glassformer.model.running import run
from glassformer.model.trace import Record, Trace
from glassformer.model.verdict import verify

import glassformer

MIB = 2**20
FIXED: set[str] = set()


def trace(word: str) -> Trace:
    return glassformer.trace("tiny", src=word, tgt=word)


def test_the_least_recently_used_trace_goes_when_the_store_is_full() -> None:
    most = 1_450_000  # three of them
    store = TraceStore(most)
    traces = [trace(word) for word in ("dog", "cat", "run", "dog cat", "dog run")]
    for made in traces[:3]:
        store.put(made)
    assert store.get(traces[0].id) is traces[0]
    for made in traces[3:]:
        store.put(made)
    assert [store.get(made.id) is not None for made in traces] == [True, False, False, True, True]
    assert store.bytes <= most


def test_a_trace_that_was_dropped_frees_its_memory_at_once_with_its_gradients() -> None:
    """They refer to one another. Without forgetting what was found they stay until Python looks for circles, which is seldom."""
    store = TraceStore(1)
    first = trace("dog")
    store.put(first)
    verify(first)
    values = weakref.ref(first.gradients)
    gone = weakref.ref(first)
    gc.disable()
    try:
        del first
        store.put(trace("cat"))
        assert gone() is None
        assert values() is None
    finally:
        gc.enable()


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


def test_encoded_answers_are_kept_up_to_their_limit_with_their_addresses() -> None:
    """A limit on the bodies alone would keep all ten answers, whose addresses are as long as they are."""
    kept: KeptAnswers = create_app(Settings(answer_bytes=10_000)).state.glassformer.answers
    asked = [{"path": f"/{i}", "query_string": b"x" * 800, "headers": [(b"accept", b"y" * 598)]} for i in range(10)]
    for scope in asked:
        kept.put(scope, Encoded(bytes(200), "x"))
    kept.put({"path": "/large", "query_string": b"", "headers": []}, Encoded(bytes(2500), "x"))
    assert [place for place, scope in enumerate(asked) if kept.get(key_of(scope))] == [5, 6, 7, 8, 9]
    assert (kept.entries, kept.bytes, kept.hits, kept.misses, kept.evictions) == (5, 10_000, 5, 11, 5)


def test_the_same_step_is_computed_once_for_two_who_ask() -> None:
    compute = Compute(Settings())
    recipe = DecodingRecipe("tiny", ("dog run",), 4)

    async def both() -> list[object]:
        decoding = await compute.decoding(recipe)
        return list(await asyncio.gather(*(compute.step(decoding, 2) for _ in range(2))))

    first, second = run_alone(both())
    compute.close()
    assert first is second


def test_what_traces_share_is_counted_once_and_weights_count_as_well() -> None:
    """A store that added up the views of each trace would count several times as much; one without weights, none of them."""
    library, store = Library(), TraceStore(64 * MIB)
    first = run(Recipe("copy", ("5 6",), prefix=((1,),)), library)
    again = run(Recipe("copy", ("5 6",), prefix=((1, 5),)), library, encoded=first)
    store.put(first)
    alone = store.bytes
    assert alone > library.bytes > 0
    store.put(again)
    together = {
        record.value.untyped_storage().data_ptr(): record.value.untyped_storage().nbytes()
        for trace in (first, again)
        for record in trace.values()
    }
    beside = 2 * 32 * 1024 + 1536 * (len(first) + len(again))
    assert store.bytes == sum(together.values()) + beside
    assert store.bytes - alone < library.bytes + beside // 2
    store.halve()
    store.halve()
    assert (store.bytes, store.entries) == (0, 0)


def test_a_view_holds_its_whole_storage_and_is_counted_so() -> None:
    made = run(Recipe("tiny", ("dog",), ("dog",)), Library())
    large = torch.zeros(MIB)
    name = "encoder.layers.0.norm_1" if "encoder.layers.0.norm_1" in made else "logits"
    records = dict(made.records) | {name: Record(made[name].entry, large[:1])}
    store = TraceStore(64 * MIB)
    store.put(replace(made, records=records))
    assert store.bytes > large.nbytes


def test_decodings_and_traces_share_the_room() -> None:
    """Without the sum of both, 1 MiB of traces would stay beside the decodings."""
    compute = Compute(Settings(store_bytes=2 * MIB))

    async def everything() -> tuple[int, int]:
        for number in range(3, 11):
            decoding = await compute.decoding(DecodingRecipe("copy", (f"{number} 4 5 6 7 8 9 10",), 12, cache=True))
            await compute.step(decoding, 8)
            await compute.trace(Recipe("copy", (str(number),), (str(number),)))
            assert compute.traces.bytes <= 2 * MIB
        return compute.decodings.bytes, compute.traces.bytes

    held, both = run_alone(everything())
    compute.close()
    assert 0 < held <= MIB // 2
    assert both > held
    compute.traces.halve()
    compute.traces.halve()


def test_traces_make_room_for_what_is_kept_beside_them() -> None:
    """Seen to fail with the share not counted: the store would then hold its whole limit beside it."""
    store = TraceStore(64 * MIB)
    made = [trace(word) for word in ("dog", "cat", "run")]
    for each in made:
        store.put(each)
    alone = store.bytes
    store.share(64 * MIB - alone)
    assert (store.entries, store.bytes) == (3, 64 * MIB)
    store.share(64 * MIB - alone + 1)
    assert store.get(made[0].id) is None
    assert store.entries == 2
    assert store.bytes <= 64 * MIB


def test_decodings_have_a_quarter_of_the_room_and_make_the_traces_smaller() -> None:
    compute = Compute(Settings(store_bytes=4 * MIB))
    assert compute.decodings._max_bytes == MIB

    async def everything() -> int:
        decoding = await compute.decoding(DecodingRecipe("copy", ("3 4 5 6 7 8 9 10",), 12, cache=True))
        await compute.step(decoding, 4)
        return compute.traces.bytes - compute.decodings.bytes

    traces = run_alone(everything())
    compute.close()
    assert compute.decodings.bytes > 0
    assert traces == compute.traces._weight


def test_decodings_are_dropped_when_their_bytes_are_too_many() -> None:
    """Seen to fail without the bound of bytes: their number is far within its limit."""
    made = [begun(word) for word in ("dog", "cat", "run")]
    sizes = [decoding.held_bytes for decoding in made]
    assert min(sizes) > 0
    for most, left in ((sum(sizes), 3), (sum(sizes) - 1, 2)):
        store = DecodingStore(100, most)
        for decoding in made:
            store.put(decoding)
        assert (store.entries, store.evictions) == (left, 3 - left)
        assert store.bytes == sum(sizes[3 - left :]) <= most


def begun(word: str) -> Decoding:
    decoding = Decoding(DecodingRecipe("tiny", (word,), 4, cache=True), Library())
    for index in range(2):
        decoding.step(index)
    return decoding


@pytest.mark.parametrize("max_decodings", [2, 3])
def test_decodings_are_dropped_when_there_are_too_many(max_decodings: int) -> None:
    compute = Compute(Settings(max_decodings=max_decodings))
    recipes = [DecodingRecipe("tiny", (word,), 4) for word in ("dog", "cat", "run")]

    async def everything() -> None:
        for recipe in recipes:
            await compute.decoding(recipe)

    run_alone(everything())
    compute.close()
    assert [compute.decodings.get(recipe.id) is not None for recipe in recipes] == [max_decodings == 3, True, True]


def test_weights_of_built_models_are_bounded_by_bytes() -> None:
    one = Library()
    one.get("tiny")
    model_bytes = 3 * one.bytes
    for most, kept in ((model_bytes, 3), (model_bytes - 1, 2)):
        library = Library(max_models=100, max_bytes=most)
        for seed in range(6):
            library.get("tiny", seed=seed)
        assert (library.entries, library.bytes) == (kept, kept * one.bytes)
    assert Library(max_bytes=1).get("tiny").bytes == one.bytes


def test_every_cache_is_bounded() -> None:
    """Only what takes no argument, or what the program alone asks for, may be kept without a limit."""
    ours = [module for name, module in sys.modules.items() if name.startswith("glassformer.")]
    caches = {
        f"{found.__module__}.{found.__qualname__}": found
        for module in ours
        for found in vars(module).values()
        if hasattr(found, "cache_parameters")
    }
    assert len(caches) >= 8
    endless = {name for name, found in caches.items() if found.cache_parameters()["maxsize"] is None}
    fixed = {name for name in endless if not inspect.signature(caches[name]).parameters}
    assert endless - fixed <= FIXED, endless - fixed - FIXED


def test_many_different_texts_fill_no_cache_beyond_its_limit() -> None:
    settings = Settings(store_bytes=2 * MIB, answer_bytes=MIB, max_models=2, max_decodings=4)
    compute = Compute(settings)
    words = ("dog", "cat", "run")
    texts = [" ".join(words[(i // 3**place) % 3] for place in range(4)) for i in range(40)]

    async def everything() -> None:
        for i, text in enumerate(texts):
            await compute.trace(Recipe.from_id(Recipe("tiny", (text,), (text,), seed=i // 8).id))
            if not i % 10:
                await compute.step(await compute.decoding(DecodingRecipe("tiny", (text,), 3)), 1)
            assert compute.traces.bytes <= settings.store_bytes
            assert compute.models.entries <= settings.max_models
            assert compute.decodings.entries <= settings.max_decodings

    run_alone(everything())
    compute.close()
    assert compute.traces.evictions > 25
    assert compute.models.evictions >= 3


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
