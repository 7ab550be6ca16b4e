"""Many at once: everybody is served, the same work is done once, and each has the numbers of their own run."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from calling import EVER, Call, run_alone, until
from fastapi import FastAPI
from glassformer.app import compute as computing
from glassformer.app.main import create_app
from glassformer.app.routes import traces as trace_routes
from glassformer.app.settings import Settings
from glassformer.model import library

WORDS = ("dog", "cat", "run")


def served(test: Callable[[FastAPI], Any], **settings: Any) -> Any:
    async def whole() -> Any:
        app = create_app(Settings(**{"allow_host": "testserver"} | settings))
        compute = app.state.glassformer.compute
        try:
            result = await test(app)
            await until(lambda: compute.idle)
            return result
        finally:
            compute.close()

    return run_alone(whole())


def body(number: int, **more: Any) -> dict[str, Any]:
    text = " ".join(WORDS[(number // 3**place) % 3] for place in range(5))
    return {"model": "tiny", "src": [text], "tgt": [text], **more}


async def post(app: FastAPI, number: int, **more: Any) -> Call:
    call = Call(app, "/api/traces", body=body(number), client=f"192.0.2.{number % 250}", **more)
    await call.answer()
    return call


async def logits(app: FastAPI, number: int, **more: Any) -> bytes:
    """Run and fetch, as a visitor does."""
    made = await post(app, number, **more)
    assert made.status == 200, made.content
    await asyncio.sleep(0)
    call = Call(app, f"/api/traces/{made.json()['id']}/tensors/logits", **more)
    return await call.answer()


def test_all_of_a_class_press_run_and_are_served() -> None:
    """With room for 20 in the queue some of 50 are asked to come back, as the second part shows."""

    async def test(app: FastAPI, many: int) -> list[int]:
        calls = await asyncio.gather(*(post(app, number) for number in range(many)))
        assert all("retry-after" in call.headers for call in calls if call.status == 503)
        return [call.status for call in calls]

    assert served(lambda app: test(app, 200), queue=512, queue_seconds=300.0) == [200] * 200
    statuses = served(lambda app: test(app, 50), queue=20, queue_seconds=300.0)
    assert statuses.count(503) == 29  # one runs, 20 wait
    assert statuses.count(200) == 21


def test_two_hundred_who_run_the_same_at_once_are_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    run = computing.run

    def counted(recipe: Any, library: Any) -> Any:
        ran.append(recipe.id)
        return run(recipe, library)

    monkeypatch.setattr(computing, "run", counted)

    async def test(app: FastAPI) -> set[bytes]:
        calls = [Call(app, "/api/traces", body=body(5), client=f"192.0.2.{i}") for i in range(200)]
        return {await call.answer() for call in calls}

    assert len(served(test)) == 1
    assert len(ran) == 1


def test_a_large_tensor_is_encoded_once_for_all_who_fetch_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is too large to be kept, so that each would encode it anew; one after the other they do."""
    count = [0]
    encode = trace_routes.npy_bytes

    def counted(piece: Any) -> bytes:
        count[0] += 1
        return encode(piece)

    monkeypatch.setattr(trace_routes, "npy_bytes", counted)
    monkeypatch.setattr(trace_routes, "_INLINE", 0)

    async def test(app: FastAPI) -> tuple[int, int]:
        made = await post(app, 7)
        address = f"/api/traces/{made.json()['id']}/tensors/decoder.layers.0.cross_attn.weights.npy"
        assert len({await call.answer() for call in [Call(app, address) for _ in range(200)]}) == 1
        at_once = count[0]
        for _ in range(3):
            await Call(app, address).answer()
        return at_once, count[0]

    at_once, all_in_all = served(test, answer_bytes=0)
    assert (at_once, all_in_all) == (1, 4)


def test_two_who_ask_for_the_same_step_have_it_computed_once() -> None:
    async def test(app: FastAPI) -> None:
        made = Call(app, "/api/decodings", body={"model": "tiny", "src": ["dog run"], "max_steps": 6})
        await made.answer()
        calls = [Call(app, f"/api/decodings/{made.json()['id']}/steps/4", client=f"192.0.2.{i}") for i in range(20)]
        assert len({await call.answer() for call in calls}) == 1
        assert app.state.glassformer.compute.computing.pieces <= 1 + 5 + 1  # begun, five steps, the list of models

    served(test)


def test_visitors_whose_runs_are_mixed_each_have_their_own_numbers() -> None:
    """A store with room for one run lets every trace be computed again between its making and its fetching."""

    async def alone(app: FastAPI) -> list[bytes]:
        return [await logits(app, number) for number in range(20)]

    async def mixed(app: FastAPI) -> list[bytes]:
        return list(await asyncio.gather(*(logits(app, n, headers={"X-Visitor": f"tab-{n}"}) for n in range(20))))

    expected = served(alone)
    assert len(set(expected)) == 20
    assert served(mixed, store_bytes=2**20, queue=512, queue_seconds=300.0) == expected


def test_one_with_a_hundred_runs_does_not_keep_others_waiting() -> None:
    """A line in the order of asking would serve the hundred first: the other then waits for all of them."""

    async def test(app: FastAPI) -> list[int]:
        queue = app.state.glassformer.compute.computing
        heavy = [Call(app, "/api/traces", body=body(n, seed=n), client="192.0.2.1") for n in range(100)]
        await until(lambda: queue.waiting >= 90)
        waits = []
        for number in range(5):
            before = queue.pieces
            light = await post(app, 100 + number)
            assert light.status == 200
            waits.append(queue.pieces - before)
        left = queue.waiting
        for call in heavy:
            call.leave()
        for call in heavy:
            await call.answer()
        assert left > 50, "the others were served before the hundred"
        return waits

    assert max(served(test, queue=512, queue_seconds=300.0)) <= 4


def test_many_models_built_by_one_leave_no_weights_and_others_are_served() -> None:
    async def test(app: FastAPI) -> None:
        compute = app.state.glassformer.compute
        calls = [Call(app, "/api/traces", body=body(1, seed=n), client="192.0.2.1") for n in range(12)]
        other = await post(app, 3)
        assert other.status == 200
        for call in calls:
            await call.answer()
        assert compute.models.entries <= 2
        assert compute.traces.bytes <= 2**20

    served(test, max_models=2, store_bytes=2**20, queue=512, queue_seconds=300.0)


@pytest.mark.parametrize("address", ["", "/gradients", "/proof", "/gradients/logits/check?cell=0,0,1", "/optimiser"])
def test_a_request_that_takes_too_long_is_ended_and_said_so(address: str) -> None:
    """With a minute every one of them is answered."""

    async def test(app: FastAPI, patience: float) -> list[int]:
        made = await post(app, 2)
        assert made.status == 200
        impatient = app.state.glassformer.settings.model_copy(update={"deadline_seconds": patience})
        for queue in (app.state.glassformer.compute.computing, app.state.glassformer.compute.long):
            queue._settings = impatient
        again = body(2, options={"dropout": 0.25}) if not address else None
        call = Call(app, "/api/traces" if again else f"/api/traces/{made.json()['id']}{address}", body=again)
        await call.answer()
        if call.status == 503:
            assert call.json()["error"]["code"] == "deadline", call.content
            assert "retry-after" in call.headers
        return [call.status, (await post(app, 4)).status if patience > 1 else 200]

    assert served(lambda app: test(app, 60.0)) == [200, 200]
    assert served(lambda app: test(app, 1e-9)) == [503, 200]


HEAVY = {"model": "copy", "src": ["5 6 7 8 9 10 3 4"], "tgt": ["5 6 7 8 9 10 3 4"]}


async def overtaken(app: FastAPI, heavy: Call, hold: threading.Event, patience: float) -> bool:
    """Whether a light run is answered before what is held; then both are."""
    light = Call(app, "/api/traces", body=body(3))
    await asyncio.wait({light.task}, timeout=patience)
    before = light.status == 200
    hold.set()
    await heavy.answer()
    await light.answer()
    assert (heavy.status, light.status) == (200, 200)
    return before


def test_what_takes_long_gives_way_at_every_tap_to_what_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing counts as long, all share one thread, and who comes after a long run waits for its end."""
    hold, held = threading.Event(), threading.Event()
    run = computing.run

    def slow(recipe: Any, library: Any) -> Any:
        if recipe.model == HEAVY["model"]:
            held.set()
            hold.wait(2 * EVER)
        return run(recipe, library)

    monkeypatch.setattr(computing, "run", slow)

    async def test(app: FastAPI, patience: float) -> bool:
        hold.clear()
        held.clear()
        heavy = Call(app, "/api/traces", body=HEAVY)
        await until(held.is_set)
        before = await overtaken(app, heavy, hold, patience)
        for view in ("/gradients", "/proofs/logits", "/gradients/logits/check?cell=0,0,1"):
            call = Call(app, f"/api/traces/{heavy.json()['id']}{view}")
            await call.answer()
            assert call.status == 200, call.content
        assert (app.state.glassformer.compute.long.pieces >= 4) is before
        return before

    monkeypatch.setattr(computing, "LONG_SECONDS", 8e-6)
    assert served(lambda app: test(app, EVER))
    monkeypatch.setattr(computing, "LONG_SECONDS", 1e9)
    assert not served(lambda app: test(app, 0.3))


async def begin_run(app: FastAPI) -> Call:
    return Call(app, "/api/traces", body=HEAVY)


async def begin_step(app: FastAPI) -> Call:
    made = Call(app, "/api/decodings", body={"model": HEAVY["model"], "src": HEAVY["src"], "max_steps": 2})
    await made.answer()
    return Call(app, f"/api/decodings/{made.json()['id']}/steps/0")


@pytest.mark.parametrize("begin", [begin_run, begin_step])
def test_building_a_large_model_keeps_nobody_waiting_who_has_a_small_one(
    begin: Callable[[FastAPI], Awaitable[Call]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no weights count as large, everybody waits until they are drawn."""
    hold, held = threading.Event(), threading.Event()
    build = library.build

    def slow(found: Any, *args: Any, **named: Any) -> Any:
        if found.id == HEAVY["model"]:
            held.set()
            hold.wait(2 * EVER)
        return build(found, *args, **named)

    monkeypatch.setattr(library, "build", slow)

    async def test(app: FastAPI, patience: float) -> bool:
        hold.clear()
        held.clear()
        heavy = await begin(app)
        await until(held.is_set)
        return await overtaken(app, heavy, hold, patience)

    monkeypatch.setattr(computing, "LONG_BYTES", 100_000)
    assert served(lambda app: test(app, EVER))
    monkeypatch.setattr(computing, "LONG_BYTES", 1e9)
    assert not served(lambda app: test(app, 0.3))


def test_every_step_of_a_decoding_that_takes_long_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(app: FastAPI) -> tuple[int, int]:
        compute = app.state.glassformer.compute
        made = Call(app, "/api/decodings", body={"model": HEAVY["model"], "src": HEAVY["src"], "max_steps": 2})
        await made.answer()
        short, long = compute.computing.pieces, compute.long.pieces
        for path in ("steps/0", "steps/1", "steps/1/cache"):
            step = Call(app, f"/api/decodings/{made.json()['id']}/{path}")
            await step.answer()
            assert step.status == 200, step.content
        return compute.computing.pieces - short, compute.long.pieces - long

    monkeypatch.setattr(computing, "LONG_SECONDS", 8e-6)
    assert served(test) == (0, 5)
    monkeypatch.setattr(computing, "LONG_SECONDS", 1e9)
    assert served(test) == (5, 0)


def test_a_long_run_stands_still_while_something_shorter_is_computed_and_is_the_same_in_the_end() -> None:
    async def test(app: FastAPI) -> tuple[bytes, bool]:
        compute, gate = app.state.glassformer.compute, threading.Event()
        short = asyncio.create_task(compute.call(lambda: gate.wait(EVER)))
        await until(lambda: compute.computing.running == 1)
        looked = compute._give_way()
        gate.set()
        await short
        await until(compute.computing.quiet.is_set)
        return await logits(app, 1), looked >= computing.GIVE_WAY_SECONDS / 2 and compute._give_way() == 0.0

    values, gave_way = served(test)
    assert gave_way
    assert values == served(lambda app: logits(app, 1))
