"""Two servers on one data folder: one keeps the trainings, either answers for them, and one that is killed loses nothing.

One is a process of its own, so that it can be killed; the other is the app in this process. The tests go on from each other: what
costs is the start of a process. With the taking up switched off (no keeper claims the place) the last test shows a request that
is passed on and never fulfilled.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient
from glassformer.app.main import create_app
from glassformer.app.settings import Settings
from glassformer.app.trainings import runs as app_runs
from glassformer.app.trainings.keeper import Keeper
from glassformer.model.training.recipe import TrainingRecipe
from glassformer.model.training.run_folder import RunFolder

from bench.load.server import address_said

SMALL = {"d_model": 8, "n_heads": 2, "d_ff": 8, "n_layers": 1}
LONG = {"task": "reverse", "steps": 50_000, "batch": 4, "options": SMALL}


class Two:
    """A server in a process, an app here, and the folder that both serve."""

    def __init__(self, folder: Path, process: subprocess.Popen[bytes], address: str, here: TestClient) -> None:
        self.folder, self.process, self.address, self.here = folder, process, address, here

    def there(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        answer = httpx.request(method, self.address + path, json=body, timeout=60)
        assert answer.status_code < 300, answer.text
        return dict(answer.json())

    def ask(self, method: str, path: str, body: Any = None, status: int = 200) -> dict[str, Any]:
        answer = self.here.request(method, path, json=body)
        assert answer.status_code == status, answer.text
        return dict(answer.json()) if answer.content else {}

    def until(self, id: str, state: str, step: int = 0) -> dict[str, Any]:
        deadline = time.monotonic() + 90
        while time.monotonic() < deadline:
            found = self.ask("GET", f"/api/runs/{id}")
            if found["state"] == state and found["step"] >= step:
                return found
            time.sleep(0.05)
        pytest.fail(f"{id} is {found['state']} at step {found['step']}, not {state} at {step}: {found['message']}")


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    folder = tmp_path_factory.mktemp("shared")
    (folder / "runs").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "glassformer", "--no-browser", "--port", "0"],
        env={**os.environ, "GLASSFORMER_DATA_FOLDER": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        address = address_said(process)
        assert address, "the server did not start"
        with TestClient(create_app(Settings(data_folder=str(folder))), raise_server_exceptions=False) as here:
            yield Two(folder, process, address, here)
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


@pytest.fixture(scope="module")
def first(two: Two) -> str:
    """A training that was asked for here and is advanced there."""
    made = two.ask("POST", "/api/runs", LONG, 201)
    two.until(made["id"], "running", step=1)
    return str(made["id"])


def test_a_training_asked_of_one_server_is_advanced_and_steered_by_the_other(two: Two, first: str) -> None:
    paused = two.ask("POST", f"/api/runs/{first}/pause", {})
    assert paused["state"] == "paused"
    stepped = two.ask("POST", f"/api/runs/{first}/step", {})
    assert (stepped["state"], stepped["step"]) == ("paused", paused["step"] + 1)
    assert two.ask("PATCH", f"/api/runs/{first}", {"name": "Ours"})["name"] == "Ours"
    assert two.there("GET", f"/api/runs/{first}")["name"] == "Ours"
    again = two.ask("POST", f"/api/runs/{first}/pause", {}, 409)
    assert again["error"]["message"] == f"{first} is paused and cannot be paused"
    assert two.ask("POST", f"/api/runs/{first}/resume", {})["state"] in ("queued", "running")
    two.until(first, "running", step=stepped["step"] + 1)


def test_news_of_what_another_server_advances_comes_as_it_happens(two: Two, first: str) -> None:
    """A stream here hears at once that a run is deleted there: it looks at the folder, not only at its own processes."""
    other = two.there("POST", "/api/runs", {**LONG, "seed": 2})["id"]
    with two.here.stream("GET", f"/api/runs/{other}/events") as stream:
        lines = (line for line in stream.iter_lines() if line.startswith(("event:", "data:")))
        assert next(lines) == "event: run"
        assert json.loads(next(lines)[5:])["state"] == "queued"
        httpx.delete(f"{two.address}/api/runs/{other}", timeout=60).raise_for_status()
        rest = list(lines)
    assert rest[-2] == "event: ended"
    assert json.loads(rest[-1][5:]) == {"reason": "the training was deleted"}


def test_one_training_is_under_way_over_all_servers_and_the_others_wait_in_order(two: Two, first: str) -> None:
    ids = [
        two.ask("POST", "/api/runs", {**LONG, "seed": 3}, 201)["id"],
        two.there("POST", "/api/runs", {**LONG, "seed": 4})["id"],
    ]
    assert [two.ask("GET", f"/api/runs/{id}")["state"] for id in [first, *ids]] == ["running", "queued", "queued"]


def test_a_keeper_that_is_killed_is_followed_by_another_that_goes_on(two: Two, first: str) -> None:
    listed = {run["id"]: run["state"] for run in two.ask("GET", "/api/runs")["runs"]}
    waiting = [id for id, state in listed.items() if state == "queued"]
    os.kill(two.process.pid, signal.SIGKILL)
    two.process.wait()
    left = two.ask("GET", f"/api/runs/{first}")["step"]
    two.until(first, "running", step=left + 1)
    assert [two.ask("GET", f"/api/runs/{id}")["state"] for id in waiting] == ["queued"] * len(waiting)
    assert two.ask("POST", f"/api/runs/{first}/stop", {})["state"] == "stopped"
    for id in waiting:
        assert two.ask("DELETE", f"/api/runs/{id}", status=204) == {}
    assert two.ask("GET", f"/api/runs/{first}")["model"] == f"{first}@{RunFolder(two.folder / 'runs' / first).checkpoint().step}"


def test_a_server_that_has_just_started_begins_what_waits_and_leaves_what_was_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []

    async def begin(self: Any, run: RunFolder, *, paused: bool) -> None:
        begun.append(run.id)
        run.set_status({**run.status, "state": "paused"})

    monkeypatch.setattr("glassformer.app.trainings.crew.Crew._begin", begin)
    recipe = TrainingRecipe("reverse", steps=10, batch=2, options=SMALL)
    left, waits = (RunFolder.make(tmp_path / "runs", about={}, recipe=recipe, state=state) for state in ("running", "queued"))
    (tmp_path / "runs" / ".at-work.json").write_text(json.dumps([left.id]))
    with TestClient(create_app(Settings(data_folder=str(tmp_path)))) as client:
        deadline = time.monotonic() + 30
        while not begun and time.monotonic() < deadline:
            time.sleep(0.02)
        assert client.get(f"/api/runs/{left.id}").json()["state"] == "interrupted"
    assert begun == [waits.id]


def test_without_a_keeper_a_request_is_passed_on_and_stays_unfulfilled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Keeper, "claim", lambda self, at_start=False: False)
    monkeypatch.setattr(app_runs, "PATIENCE", 0.2)
    run = RunFolder.make(tmp_path / "runs", about={}, recipe=TrainingRecipe("reverse", steps=10, batch=2, options=SMALL))
    with TestClient(create_app(Settings(data_folder=str(tmp_path)))) as client:
        answer = client.post(f"/api/runs/{run.id}/pause", json={})
    assert (answer.status_code, answer.json()["state"]) == (202, "queued")
    assert len(list((tmp_path / "runs" / ".asked").iterdir())) == 1
