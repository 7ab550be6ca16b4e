"""Clients who ask for large tensors and never read them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from calling import Call, run_alone, until
from fastapi import FastAPI
from fastapi.testclient import TestClient
from glassformer.app.main import create_app
from glassformer.app.routes import traces as trace_routes
from glassformer.app.settings import Settings

MIB = 2**20
WIDE = {"model": "tiny", "src": ["dog"], "tgt": ["dog"], "options": {"d_model": 128, "d_ff": 1024}}
NAME = "encoder.layers.0.feed_forward.w_1"
ROW = 4096
MANY = 40
WEIGHTS = "decoder.layers.0.cross_attn.weights"


def served(test: Callable[[FastAPI, str], Awaitable[None]], **settings: Any) -> None:
    """Give a test an app, and the address of a trace with a table of half a megabyte."""

    async def whole() -> None:
        app = create_app(Settings(allow_host=("testserver",), **settings))
        compute = app.state.glassformer.compute
        try:
            made = Call(app, "/api/traces", body=WIDE)
            await made.answer()
            await test(app, f"/api/traces/{made.json()['id']}/tensors")
            await until(lambda: compute.idle)
        finally:
            compute.close()

    run_alone(whole())


def unread(app: FastAPI, address: str, **more: Any) -> Call:
    call = Call(app, address, **more)
    call.reads.clear()
    return call


@pytest.mark.parametrize(("sending_bytes", "bounded"), [(8 * MIB, True), (2**30, False)])
def test_answers_that_are_not_read_are_bounded_for_one_and_for_all(sending_bytes: int, bounded: bool) -> None:
    """The second has as good as no limit: then all forty are made, and wait."""

    async def test(app: FastAPI, at: str) -> None:
        sending = app.state.glassformer.sending
        calls = [unread(app, f"{at}?names={NAME}&index=in:{i}-128", client=f"192.0.2.{i % 2}") for i in range(MANY)]
        await until(lambda: all(call.status for call in calls))
        good = [call for call in calls if call.status == 200]
        assert {call.status for call in calls} == ({200, 503} if bounded else {200})
        assert MIB < sending.bytes <= 4 * MIB if bounded else sending.bytes > sum(128 - i for i in range(MANY)) * ROW
        if bounded:
            elsewhere = Call(app, f"{at}?names={NAME}&index=in:3-120", client="192.0.2.9")
            assert len(await elsewhere.answer()) > 100 * ROW
            small = Call(app, f"{at}?names={WEIGHTS}", client="192.0.2.1")
            assert await small.answer()
            assert small.status == 200
        for call in calls:
            call.reads.set()
        for call in good:
            await call.answer()
        assert sending.bytes == 0
        again = Call(app, f"{at}?names={NAME}", client="192.0.2.1")
        await again.answer()
        assert again.status == 200

    served(test, sending_bytes=sending_bytes, answer_bytes=0)


def test_an_answer_too_large_to_be_kept_is_made_once_while_somebody_is_sent_it(monkeypatch: pytest.MonkeyPatch) -> None:
    count = [0]
    encode = trace_routes.safetensors_bytes

    def counted(pieces: Any) -> bytes:
        count[0] += 1
        return encode(pieces)

    monkeypatch.setattr(trace_routes, "safetensors_bytes", counted)

    async def test(app: FastAPI, at: str) -> None:
        first = unread(app, f"{at}?names={NAME}")
        await until(lambda: first.status == 200)
        others = [unread(app, f"{at}?names={NAME}", client=f"192.0.2.{i}") for i in range(MANY)]
        await until(lambda: all(call.status == 200 for call in others))
        assert count == [1]
        assert app.state.glassformer.sending.bytes < 130 * ROW
        for call in (first, *others):
            call.reads.set()
        assert len({await call.answer() for call in (first, *others)}) == 1

    served(test, answer_bytes=0, sending_bytes=4 * MIB)


def test_what_tells_nothing_apart_is_refused_and_written_otherwise_is_the_same(client: TestClient, trace: dict[str, Any]) -> None:
    """`&x=1`, `&x=2` … would each be made and kept anew."""
    at = f"/api/traces/{trace['id']}/tensors"
    for query in ("x=1", "&x=2", "index=batch:0&index=batch:0", "names=a&names=b", "__proto__=1", "Index=batch:0"):
        refused = client.get(f"{at}?names={WEIGHTS}&{query}")
        assert refused.status_code == 422, query
        assert refused.json()["error"]["where"] in query
        assert client.get(f"{at}/{WEIGHTS}?{query}&{query}").status_code == 422, query
    kept = client.app.state.glassformer.answers  # type: ignore[attr-defined]
    first = client.get(f"{at}?names={WEIGHTS}&index=batch:0&fit=2x2")
    entries, misses = kept.entries, kept.misses
    for query in (f"names={WEIGHTS}&fit=2x2&index=batch:0", f"fit=%32x2&&index=%62atch%3A0&names={WEIGHTS}"):
        assert client.get(f"{at}?{query}", headers={"Accept": "image/png, */*;q=0.1"}).content == first.content
    assert (kept.entries, kept.misses) == (entries, misses)
    assert first.headers["vary"] == "Accept"
    assert client.get(f"{at}?names={WEIGHTS}&fit=2x2&index=batch:0").headers["vary"] == "Accept"
