"""A front that answers what it can and sends on what needs a model, and the replica that answers that: both in this process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from glassformer.app.main import create_app
from glassformer.app.observing.given_id import GivenId
from glassformer.app.queueing.asking import Asking, GoneError
from glassformer.app.replicas.relay import place_of, recipe_of, until_gone
from glassformer.app.replicas.replica import answer, create_front, create_replica
from glassformer.app.settings import Settings
from running import run
from starlette.types import Message, Receive, Scope, Send

from .conftest import WORKED_EXAMPLE

LIMITS = Settings().limits


class Replica:
    """What is asked of it, and how many of its next answers fail before they begin."""

    def __init__(self) -> None:
        self.app = create_replica(Settings())
        self.asked: list[tuple[str, str]] = []
        self.failures = 0

    async def ask(self, name: str, request: dict[str, Any], body: bytes) -> AsyncGenerator[Message, None]:
        self.asked.append((request["path"], name))
        if self.failures:
            self.failures -= 1
            raise ConnectionError("the replica has gone")
        messages = answer(self.app, request, body)
        try:
            async for message in messages:
                yield message
        finally:
            await messages.aclose()


@pytest.fixture(scope="module")
def replica() -> Replica:
    return Replica()


@pytest.fixture(scope="module")
def front(replica: Replica) -> Iterator[TestClient]:
    with TestClient(create_front(Settings(), replica.ask), raise_server_exceptions=False) as client:
        yield client


def test_front_and_replica_answer_as_one_server_does(front: TestClient, client: TestClient) -> None:
    here, there = (each.post("/api/traces", json=WORKED_EXAMPLE) for each in (client, front))
    assert there.json() == here.json()
    path = f"/api/traces/{here.json()['id']}/tensors/decoder.layers.0.cross_attn.weights"
    here, there = (each.get(path) for each in (client, front))
    assert there.content == here.content
    changing = ("x-request-id", "server-timing", "date")
    for each in (here, there):
        assert len(each.headers.get_list("content-security-policy")) == 1
    assert {name: value for name, value in there.headers.items() if name not in changing} == {
        name: value for name, value in here.headers.items() if name not in changing
    }


def test_what_was_asked_for_before_is_given_by_the_front(front: TestClient, replica: Replica) -> None:
    id = front.post("/api/traces", json=WORKED_EXAMPLE).json()["id"]
    path = f"/api/traces/{id}/tensors/memory"
    first = front.get(path)
    asked = len(replica.asked)
    assert front.get(path).content == first.content
    assert len(replica.asked) == asked


@pytest.mark.parametrize("path", ["/healthz", "/api/models", "/api/limits", "/", "/api/decodings/strategies", "/api/runs"])
def test_what_needs_no_model_is_answered_at_the_front(front: TestClient, replica: Replica, path: str) -> None:
    asked = len(replica.asked)
    assert front.get(path).status_code == 200
    assert len(replica.asked) == asked


def test_stream_of_a_decoding_comes_through(front: TestClient) -> None:
    id = front.post("/api/decodings", json={"model": "tiny", "src": "dog run", "max_steps": 3}).json()["id"]
    with front.stream("GET", f"/api/decodings/{id}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        kinds = [line.removeprefix("event: ") for line in stream.iter_lines() if line.startswith("event:")]
    assert kinds[-1] == "end"
    assert set(kinds[:-1]) == {"step"}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"model": "nobody", "src": "a", "tgt": "b"}', 404),
        (b'{"model": "tiny", "src": "dog", "tgt": "run", "options": {"d_model": 100000}}', 422),
        (b'{"model": "tiny", "src": "dog", "tgt": "run", "seed": NaN}', 422),
        (b'{"model": ["tiny"]}', 422),
        (b"[[[[", 422),
        (b"x" * 300_000, 413),
    ],
)
def test_mistakes_are_answered_at_the_front_and_no_replica_is_bothered(
    front: TestClient, replica: Replica, body: bytes, status: int
) -> None:
    asked = len(replica.asked)
    found = front.post("/api/traces", content=body, headers={"Content-Type": "application/json"})
    assert found.status_code == status, found.text
    assert found.json()["error"]["request_id"] == found.headers["x-request-id"]
    assert len(replica.asked) == asked


def test_mistake_that_only_the_replica_sees_carries_the_request_s_own_id(front: TestClient) -> None:
    found = front.post("/api/traces", json={**WORKED_EXAMPLE, "tgt": ["dog"]})
    assert found.status_code == 422
    assert found.json()["error"]["request_id"] == found.headers["x-request-id"]


def test_request_is_asked_once_more_when_a_replica_goes_and_then_told_to_come_back(front: TestClient, replica: Replica) -> None:
    replica.failures = 1
    assert front.post("/api/traces", json=WORKED_EXAMPLE).status_code == 200
    replica.failures = 2
    found = front.post("/api/traces", json=WORKED_EXAMPLE)
    assert (found.status_code, found.json()["error"]["code"]) == (503, "busy")
    assert found.headers["retry-after"]
    assert front.post("/api/traces", json=WORKED_EXAMPLE).status_code == 200


def test_only_a_heavy_model_has_a_place_of_its_own_with_each_of_its_options() -> None:
    assert place_of({"model": "tiny"}, LIMITS) == ""
    plain, again, pre = (place_of({"model": "paper-base", "options": {"norm": norm}}, LIMITS) for norm in ("post", "post", "pre"))
    assert plain == again != pre
    assert plain is not None
    assert plain.startswith("paper-base-")
    assert place_of({"model": "paper-base", "seed": 2}, LIMITS) not in (None, place_of({"model": "paper-base"}, LIMITS))
    assert place_of({"model": "paper-base"}, Settings(max_d_model=64).limits) is None


@pytest.mark.parametrize("text", ["", "null", "[]", '"a"', "{}", '{"model": 1}', "{", "NaN"])
def test_body_that_names_no_model_is_no_recipe(text: str) -> None:
    assert recipe_of(None, text.encode()) is None


def test_work_stops_when_the_reader_of_a_stream_has_gone() -> None:
    sent, stopped = [], []

    async def endless(scope: Scope, receive: Receive, send: Send) -> None:
        assert (await receive())["body"] == b"asked"
        try:
            while True:
                await send({"type": "http.response.body", "body": b"x", "more_body": True})
                await asyncio.sleep(0.001)
        finally:
            stopped.append(True)

    async def leave() -> Message:
        while len(sent) < 3:
            await asyncio.sleep(0)
        return {"type": "http.disconnect"}

    async def read() -> None:
        asked = Asking(receive=leave)
        async for message in until_gone(answer(endless, {"type": "http"}, b"asked"), {"asking": asked}):
            sent.append(message)

    with pytest.raises(GoneError, match="closed its connection"):
        run(asyncio.wait_for(read(), 10))
    assert stopped == [True]


def test_failure_inside_the_replica_reaches_the_front() -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise ValueError(json.dumps(scope["path"]))

    async def read() -> None:
        async for _ in answer(broken, {"path": "/a"}, b""):
            pass

    with pytest.raises(ValueError, match="/a"):
        run(read())


@pytest.mark.parametrize(("given", "kept"), [("abc-123", True), ("a b", False), ("x" * 65, False), ("\x1b[31m", False)])
def test_id_that_a_proxy_gives_is_the_request_s_id_and_is_left_to_the_proxy_to_say(given: str, kept: bool) -> None:
    app = create_app(Settings())
    app.add_middleware(GivenId)
    answer = TestClient(app).get("/api/nothing", headers={"X-Request-Id": given})
    assert (answer.json()["error"]["request_id"] == given) is kept
    assert ("x-request-id" not in answer.headers) is kept
