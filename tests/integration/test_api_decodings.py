"""Decodings over HTTP: step by step, and as a stream."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from glassformer.app.schemas.decodings import DecodingOut, StepOut, StrategyOut

Refused = Callable[..., dict[str, Any]]


@pytest.fixture
def decoding(client: TestClient) -> dict[str, Any]:
    answer = client.post("/api/decodings", json={"model": "copy", "src": ["5 6", "7"]})
    assert answer.status_code == 200
    DecodingOut.model_validate(answer.json(), strict=True)
    return dict(answer.json())


def test_a_step_says_what_was_fed_chosen_and_possible(client: TestClient, decoding: dict[str, Any]) -> None:
    step = client.get(f"/api/decodings/{decoding['id']}/steps/0").json()
    StepOut.model_validate(step, strict=True)
    row = step["rows"][0]
    assert ([token["text"] for token in row["prefix"]], row["chosen"]["text"]) == (["<start>"], "5")
    assert row["top"][0]["token"] == row["chosen"]
    assert 0 < row["probability"] <= 1


def test_a_step_carries_the_trace_that_made_it(client: TestClient, decoding: dict[str, Any]) -> None:
    step = client.get(f"/api/decodings/{decoding['id']}/steps/1").json()
    trace = client.get(f"/api/traces/{step['trace']}").json()
    assert trace["recipe"] == step["recipe"]
    assert trace["tokens"]["labels"] is None
    assert [token["text"] for token in trace["tokens"]["tgt"][0]] == ["<start>", "5"]


def test_a_stream_sends_the_same_steps_and_then_its_end(client: TestClient, decoding: dict[str, Any]) -> None:
    events = _events(client, decoding["id"])
    assert [(kind, number) for kind, number, _ in events] == [("step", "0"), ("step", "1"), ("step", "2"), ("end", None)]
    for _, number, data in events[:-1]:
        assert data == client.get(f"/api/decodings/{decoding['id']}/steps/{number}").json()


def test_a_stream_resumes_after_the_last_event(client: TestClient, decoding: dict[str, Any]) -> None:
    events = _events(client, decoding["id"], last_event_id="1")
    assert [number for _, number, _ in events] == ["2", None]


def test_a_step_after_the_end_is_a_conflict(client: TestClient, decoding: dict[str, Any]) -> None:
    answer = client.get(f"/api/decodings/{decoding['id']}/steps/40")
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "finished"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"max_steps": 0}, "max_steps is 0; it must be at least 1"),
        ({"max_steps": 10**9}, "max_steps is 1000000000; the limit is 256"),
        ({"max_steps": "3"}, "valid integer"),
        ({"src": []}, "at least one sentence"),
        ({"options": {"mode": "train"}}, "always runs in eval mode"),
    ],
)
def test_a_decoding_that_does_not_fit_is_refused(refused: Refused, change: dict[str, Any], message: str) -> None:
    assert message in refused("/api/decodings", 422, json={"model": "copy", "src": ["5 6"]} | change)["message"]


def test_an_id_that_is_no_decoding_is_not_found(client: TestClient, trace: dict[str, Any]) -> None:
    for id in ("nothing", trace["id"]):
        assert client.get(f"/api/decodings/{id}/steps/0").status_code == 404
        assert client.get(f"/api/decodings/{id}").status_code == 404


def test_strategies_are_listed_with_their_rules_and_settings(client: TestClient) -> None:
    strategies = client.get("/api/decodings/strategies").json()
    for each in strategies:
        StrategyOut.model_validate(each, strict=True)
        assert each["rule"].startswith("<math")
        settings = {setting["name"]: setting["value"] for setting in each["settings"]}
        made = client.post("/api/decodings", json={"model": "tiny", "src": ["dog"], "strategy": each["kind"]}).json()
        assert made["strategy"] == {"kind": each["kind"], **settings}


def _events(client: TestClient, id: str, *, last_event_id: str | None = None) -> list[tuple[str, str | None, Any]]:
    headers = {} if last_event_id is None else {"Last-Event-ID": last_event_id}
    answer = client.get(f"/api/decodings/{id}/events", headers=headers)
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = []
    for block in answer.text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and not line.startswith(":"))
        if fields:
            events.append((fields["event"], fields.get("id"), json.loads(fields["data"])))
    return events
