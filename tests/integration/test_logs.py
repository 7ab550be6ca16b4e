"""One line a request: by template and shortened id, with the id that its answer carries; never what was typed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from glassformer.app.main import create_app
from glassformer.app.observing import layer as observing
from glassformer.app.observing.logs import LineHandler, flush_logs, logs
from glassformer.app.routes import lessons
from glassformer.app.settings import Settings

Lines = Callable[[], list[dict[str, Any]]]
EXAMPLE = {"model": "tiny", "src": ["dog"], "tgt": ["dog"]}


@pytest.fixture(scope="module")
def watched() -> Iterator[TestClient]:
    settings = Settings(trusted_proxies="192.0.2.1")
    with TestClient(create_app(settings), raise_server_exceptions=False, client=("192.0.2.1", 50000)) as client:
        yield client


@pytest.fixture
def lines(watched: TestClient, tmp_path: Path) -> Iterator[Lines]:
    path = tmp_path / "log"
    with path.open("wb") as file, logs(Settings(log="requests"), descriptor=file.fileno()):

        def read() -> list[dict[str, Any]]:
            flush_logs()
            return [json.loads(line) for line in path.read_text("utf-8").splitlines()]

        yield read


def test_a_request_is_one_line(watched: TestClient, lines: Lines) -> None:
    made = watched.post("/api/traces?typed=smørrebrød", json=EXAMPLE, headers={"X-Forwarded-For": "203.0.113.9"})
    (line,) = lines()
    assert line.pop("ms") >= line.pop("computing_ms") >= 0
    assert line.pop("waiting_ms") >= 0
    assert line.pop("time")
    assert line == {
        "level": "info",
        "event": "request",
        "request_id": made.headers["x-request-id"],
        "method": "POST",
        "route": "/api/traces",
        "status": 200,
        "bytes": len(made.content),
        "visitor": "203.0.113.9",
    }


def test_an_id_is_shortened_the_same_each_time_and_says_nothing(watched: TestClient, lines: Lines) -> None:
    ids = [watched.post("/api/traces", json=EXAMPLE | {"seed": seed}).json()["id"] for seed in (1, 2)]
    for id in (*ids, ids[0]):
        watched.get(f"/api/traces/{id}/tensors/logits")  # the second time from what is kept, before any route is looked at
    shown = [line["id"] for line in lines() if line["method"] == "GET"]
    assert shown[0] == shown[2] != shown[1]
    assert all(len(id) == 8 and set(id) <= set("0123456789abcdef") for id in shown)
    assert len({line["route"] for line in lines() if line["method"] == "GET"}) == 1
    another = observing.Observed(watched.app, Settings(), observing.Metrics())  # type: ignore[arg-type]
    assert another._id(f"/t/{ids[0]}", "/t/{id}")["id"] != shown[0], "another server shortens it otherwise"


def test_a_request_id_is_ours_in_header_error_and_log(watched: TestClient, lines: Lines) -> None:
    answers = [
        watched.get(address, headers={"X-Request-Id": "chosen-by-a-stranger"})
        for address in ("/healthz", "/api/traces/nonsense", "/" + "x" * 20_000, "/nothing")
    ]
    said = [answer.headers["x-request-id"] for answer in answers]
    assert "chosen-by-a-stranger" not in said
    assert len(set(said)) == 4
    assert [answer.json()["error"]["request_id"] for answer in answers[1:]] == said[1:]
    assert [line["request_id"] for line in lines()] == said
    assert [(line["status"], line.get("code")) for line in lines()] == [
        (200, None),
        (404, "bad_recipe"),
        (414, "too_large"),
        (404, "not_found"),
    ]


def test_a_fault_is_logged_by_place_with_the_id_that_was_told(
    watched: TestClient, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> None:
        raise ValueError("smørrebrød")

    id = watched.post("/api/traces", json=EXAMPLE).json()["id"]
    monkeypatch.setattr(lessons, "lay_open", fail)
    answer = watched.get(f"/api/traces/{id}/sheet")
    assert answer.status_code == 500
    fault, request = lines()[-2:]
    assert fault["level"] == request["level"] == "error"
    assert fault["request_id"] == request["request_id"] == answer.json()["error"]["request_id"]
    assert (request["status"], request["code"]) == (500, "internal")
    assert fault["exception"][0]["type"] == "ValueError"
    assert any(place.startswith("app/routes/lessons.py:") for place in fault["exception"][0]["at"])
    assert "smørrebrød" not in json.dumps(lines(), ensure_ascii=False)


@pytest.mark.parametrize("method", ["EVIL\x1b", "A" * 200, "typed"])
def test_a_method_that_nobody_knows_is_called_other(watched: TestClient, lines: Lines, method: str) -> None:
    scope = {"type": "http", "method": method, "path": "/", "headers": [], "client": ("127.0.0.1", 1)}
    observed: Any = watched.app.middleware_stack  # type: ignore[attr-defined]
    while not isinstance(observed, observing.Observed):
        observed = observed.app
    observed._metrics.in_flight += 1
    observed._end(observing.Seen("f00d", observed._metrics.worked), scope, 0.0)
    assert (lines()[-1]["method"], lines()[-1]["status"]) == ("OTHER", observing.GONE)


def test_a_request_goes_on_whatever_is_wrong_with_the_log(
    watched: TestClient, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a handler that lets its mistakes out, the same request fails: the second half."""

    def fail(*given: object) -> str:
        raise OSError("no space")

    monkeypatch.setattr(LineHandler, "_write", fail)
    assert watched.get("/healthz").status_code == 200
    assert lines() == []
    monkeypatch.setattr(LineHandler, "emit", fail)
    with pytest.raises(OSError, match="no space"):
        TestClient(watched.app, client=("192.0.2.1", 1)).get("/healthz")
