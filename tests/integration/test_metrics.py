"""/metrics: what is counted is what happened, labels are words of the program, and not everybody may read it."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping

import pytest
from fastapi.testclient import TestClient
from glassformer.app.main import create_app
from glassformer.app.observing.layer import Observed
from glassformer.app.observing.metrics import Metrics
from glassformer.app.observing.shared import are_shared, registry_of, shared_numbers
from glassformer.app.routes.metrics import may_read
from glassformer.app.settings import Settings
from prometheus_client.parser import text_string_to_metric_families
from running import run
from starlette.types import Message, Receive, Scope, Send

EXAMPLE = {"model": "tiny", "src": ["dog"], "tgt": ["dog"]}
EXPECTED = {
    "requests_total method=POST route=/api/traces status=2xx": 1,
    "requests_total method=GET route=/api/traces/{id}/tensors/{name} status=2xx": 3,
    "request_seconds_count route=/api/traces/{id}/tensors/{name}": 3,
    "cache_hits_total cache=answers": 2,
    "cache_misses_total cache=answers": 1,
}
Numbers = Mapping[str, float]


@pytest.fixture(scope="module")
def watched() -> Iterator[TestClient]:
    with TestClient(create_app(Settings(metrics="open", max_url=1500)), raise_server_exceptions=False) as client:
        yield client


def numbers(client: TestClient) -> Numbers:
    """Every sample as `name{label=value}`, without the namespace."""
    answer = client.get("/metrics")
    assert answer.status_code == 200, answer.text
    return {
        sample.name.removeprefix("glassformer_")
        + "".join(f" {name}={value}" for name, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def grown(before: Numbers, after: Numbers, *names: str) -> dict[str, float]:
    return {name: after.get(name, 0.0) - before.get(name, 0.0) for name in names}


def test_requests_are_counted_by_route_whether_computed_or_kept(watched: TestClient) -> None:
    before = numbers(watched)
    trace = watched.post("/api/traces", json=EXAMPLE).json()["id"]
    for _ in range(3):
        assert watched.get(f"/api/traces/{trace}/tensors/logits").status_code == 200
    after = numbers(watched)
    assert grown(before, after, *EXPECTED) == EXPECTED
    assert after["cache_entries cache=traces"] >= 1
    assert after["cache_bytes cache=traces"] > 10_000
    assert after["compute_seconds_total route=/api/traces"] > 0
    assert after["queue_wait_seconds_count"] >= 1
    assert after["requests_in_flight"] == 1, "the one that asks"


def test_refusals_are_counted_by_code_wherever_they_come_from(watched: TestClient) -> None:
    before = numbers(watched)
    watched.get("/healthz", headers={"Host": "evil.example"})
    watched.post("/api/traces", json=EXAMPLE, headers={"Origin": "http://evil.example"})
    watched.get("/" + "x" * 2000)
    watched.post("/api/traces", json=EXAMPLE | {"model": "none"})
    watched.post("/api/traces", content="nonsense", headers={"Content-Type": "application/json"})
    codes = ("bad_host", "bad_origin", "too_large", "not_found", "bad_input")
    assert grown(before, numbers(watched), *(f"refusals_total code={code}" for code in codes)) == {
        f"refusals_total code={code}": 1 for code in codes
    }


def test_nobody_can_make_new_labels(watched: TestClient) -> None:
    """Labelled by path or by method as it comes, the second half would make new series."""
    seen: list[set[str]] = []
    for words in ("abc", "defghi"):
        for word in words:
            watched.get(f"/somewhere/{word}")
            watched.get(f"/api/traces/{word}")
            watched.get(f"/api/models/{word}")
            watched.request(f"METHOD{word}", "/healthz")
        numbers(watched)
        seen.append({name for name in numbers(watched) if not name.startswith("cache")})
    assert "requests_total method=OTHER route=/healthz status=4xx" in seen[0]
    assert seen[1] == seen[0]


def test_streams_are_counted_while_they_are_open_and_not_timed() -> None:
    metrics, open_meanwhile = Metrics(), []

    async def stream(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
        open_meanwhile.append((metrics.streams_open, metrics.in_flight))
        await send({"type": "http.response.body", "body": b"data: 1\n\n"})
        if scope["path"] == "/cut":
            raise asyncio.CancelledError

    async def nothing(message: Message | None = None) -> Message:
        return {"type": "http.disconnect"}

    async def ask() -> None:
        observed = Observed(stream, Settings(), metrics)
        for path in ("/whole", "/cut"):
            scope = {"type": "http", "method": "GET", "path": path, "headers": [], "client": ("127.0.0.1", 1)}
            try:
                await observed(scope, nothing, nothing)  # type: ignore[arg-type]
            except asyncio.CancelledError:
                assert path == "/cut"

    run(ask())
    metrics.copy()
    assert open_meanwhile == [(1, 1), (1, 1)]
    assert (metrics.streams_open, metrics.in_flight) == (0, 0)
    assert metrics.registry.get_sample_value("glassformer_streams_total") == 2
    assert metrics.registry.get_sample_value("glassformer_request_seconds_count", {"route": "none"}) is None
    assert metrics.registry.get_sample_value("glassformer_answer_bytes_total") == 18


PROCESS = """
from glassformer.app.observing.metrics import Metrics
from glassformer.app.observing.request import Seen

metrics = Metrics()
for _ in range(5):
    metrics.finished(Seen("f00d", metrics.worked, status=200, bytes=10), method="GET", route="/", seconds=0.01)
metrics.copy()
metrics.gauge("processes", "").set(1)
metrics.gauge("trainings", "", shared=True).set(3)
print("counted", flush=True)
input()
"""


def test_numbers_of_several_processes_add_up_and_a_dead_one_s_counts_stay() -> None:
    with shared_numbers():
        processes = [
            subprocess.Popen([sys.executable, "-c", PROCESS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for _ in range(2)
        ]
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "counted\n"
        shown: list[Numbers] = []
        for process in processes:
            samples = [sample for family in registry_of(Metrics()).collect() for sample in family.samples]
            shown.append(
                {sample.name.removeprefix("glassformer_"): sample.value for sample in samples if "le" not in sample.labels}
            )
            process.communicate("\n")
    for name in ("requests_total", "request_seconds_count"):
        assert [numbers[name] for numbers in shown] == [10, 10]
    assert [numbers["answer_bytes_total"] for numbers in shown] == [100, 100]
    assert [numbers["processes"] for numbers in shown] == [2, 1], "of a dead process nothing is open or in memory any more"
    assert [numbers["trainings"] for numbers in shown] == [3, 3], "they share the folder of trainings"
    assert not are_shared()


HERE, ELSEWHERE = ("127.0.0.1", 50000), ("192.0.2.7", 50000)
OWN = ("192.0.2.9", 50000)
TEACHER = {"Authorization": "Bearer chalk"}


@pytest.mark.parametrize(
    ("settings", "client", "headers", "may"),
    [
        ({}, HERE, {}, True),
        ({}, ("::1", 50000), {}, True),
        ({}, ELSEWHERE, {}, False),
        ({}, OWN, {}, True),
        ({}, OWN, {"X-Forwarded-For": "192.0.2.7"}, False),
        ({}, None, {}, False),
        ({}, HERE, {"X-Forwarded-For": "192.0.2.7"}, False),
        ({}, HERE, {"Forwarded": "for=192.0.2.7"}, False),
        ({}, ELSEWHERE, TEACHER, False),
        ({"teacher_token": "chalk"}, ELSEWHERE, TEACHER, True),
        ({"teacher_token": "chalk"}, ELSEWHERE, {"Authorization": "Bearer cheese"}, False),
        ({"teacher_token": "chalk"}, ELSEWHERE, {"Authorization": "Bearer "}, False),
        ({"teacher_token": "chalk"}, ELSEWHERE, {"Authorization": "Basic chalk"}, False),
        ({"profile": "classroom"}, ELSEWHERE, {}, False),
        ({"profile": "public", "metrics": "local"}, HERE, {}, True),
        ({"metrics": "open"}, ELSEWHERE, {}, True),
    ],
)
def test_who_may_read_the_metrics(
    settings: dict[str, str], client: tuple[str, int] | None, headers: dict[str, str], may: bool
) -> None:
    scope = {
        "client": client,
        "server": (OWN[0], 8000),
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
    }
    assert may_read(scope, Settings(**settings)) is may  # type: ignore[arg-type]


@pytest.mark.parametrize(("settings", "status"), [({}, 403), ({"profile": "public", "teacher_token": "chalk"}, 404)])
def test_who_may_not_learns_no_number(settings: dict[str, str], status: int) -> None:
    asking = TestClient(create_app(Settings(**settings)), client=ELSEWHERE, raise_server_exceptions=False)  # type: ignore[arg-type]
    answer = asking.get("/metrics", headers=TEACHER if settings else {})
    assert answer.status_code == status
    assert "glassformer_" not in answer.text


def test_an_answer_says_what_it_waited_and_computed(watched: TestClient) -> None:
    made = watched.post("/api/traces", json=EXAMPLE | {"seed": 7})
    assert re.fullmatch(r"queue;dur=\d+\.\d, compute;dur=\d+\.\d", made.headers["server-timing"])
    assert "server-timing" not in watched.get("/healthz").headers
