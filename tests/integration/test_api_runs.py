"""Trainings over HTTP: started, watched, steered, and what comes of them used like any other model."""

from __future__ import annotations

import errno
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from glassformer.app.main import create_app
from glassformer.app.settings import Settings
from glassformer.model.deadline import Deadline, keeping
from glassformer.model.errors import DeadlineError
from glassformer.model.limits import TrainingLimits
from glassformer.model.training import files
from glassformer.model.training.recipe import TrainingRecipe
from glassformer.model.training.run_folder import RunFolder
from glassformer.model.training.runner import Runner
from glassformer.model.training.scoring import score_checkpoint

SMALL = {"d_model": 8, "n_heads": 2, "d_ff": 8, "n_layers": 1}
QUICK = {"task": "reverse", "steps": 12, "batch": 4, "options": SMALL}
LONG = {**QUICK, "steps": 50_000}
SOURCE = {"src": ["5 6 7"], "tgt": ["7 6 5"]}
Refused = Callable[..., dict[str, Any]]


def serve(folder: Path, **settings: Any) -> TestClient:
    return TestClient(create_app(Settings(data_folder=str(folder), **settings)), raise_server_exceptions=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def runs(folder: Path) -> Iterator[TestClient]:
    with serve(folder) as client:
        yield client


def post(client: TestClient, address: str, body: dict[str, Any] | None = None, status: int = 200) -> dict[str, Any]:
    answer = client.post(address, json=body or {})
    assert answer.status_code == status, answer.text
    return dict(answer.json())


def get(client: TestClient, address: str, status: int = 200) -> dict[str, Any]:
    answer = client.get(address)
    assert answer.status_code == status, answer.text
    return dict(answer.json())


def until(client: TestClient, id: str, *states: str, step: int = 0) -> dict[str, Any]:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        found = get(client, f"/api/runs/{id}")
        if found["state"] in states and found["step"] >= step:
            return found
        assert found["state"] not in {"failed", "diverged"} - set(states), found["message"]
        time.sleep(0.1)
    pytest.fail(f"{id} is {found['state']} at step {found['step']}, not {states}")


@pytest.fixture(scope="module")
def finished(runs: TestClient) -> dict[str, Any]:
    made = post(runs, "/api/runs", {**QUICK, "name": "Backwards"}, 201)
    assert made["state"] in ("starting", "queued")
    return until(runs, made["id"], "finished")


def test_a_run_says_all_about_itself(finished: dict[str, Any]) -> None:
    assert (finished["name"], finished["step"], finished["steps"]) == ("Backwards", 12, 12)
    assert finished["recipe"] == {**QUICK, "name": "Backwards"}
    assert finished["levels"] == {"untrained": pytest.approx(2.397895), "floor": 0}
    assert {"step": 12, "model": f"{finished['id']}@12"} in finished["checkpoints"]
    assert finished["checkpoints"][0]["step"] == 0
    assert [set(sample) for sample in finished["evaluation"]["samples"]] == [{"src", "tgt", "written", "right"}] * 4
    scores = finished["scores"]["ten numbers"]
    assert scores["sentences"] == 400
    assert "version:2." in scores["bleu"]["signature"]


def test_the_log_holds_every_step(runs: TestClient, finished: dict[str, Any]) -> None:
    log = get(runs, f"/api/runs/{finished['id']}/log")
    assert [point["step"] for point in log["points"]] == list(range(1, 13))
    assert all(point["loss"] > 0 and point["norm"] > 0 for point in log["points"])
    assert log["evaluations"][0]["step"] == 0
    later = get(runs, f"/api/runs/{finished['id']}/log?from=10")
    assert [point["step"] for point in later["points"]] == [10, 11, 12]


def test_events_can_be_taken_up_where_they_stopped(runs: TestClient, finished: dict[str, Any]) -> None:
    address = f"/api/runs/{finished['id']}/events"
    whole = runs.get(address).text
    assert [line for line in whole.splitlines() if line.startswith("event:")] == ["event: points", "event: run", "event: end"]
    rest = runs.get(address, headers={"Last-Event-ID": "10"}).text
    points = json.loads(next(line for line in rest.splitlines() if line.startswith("data:"))[5:])
    assert [point["step"] for point in points["points"]] == [11, 12]


def test_a_trained_model_is_a_model_like_any_other(runs: TestClient, finished: dict[str, Any]) -> None:
    id = finished["id"]
    listed = {model["id"]: model for model in get(runs, "/api/models")["models"]}
    assert listed[f"{id}@12"]["title"] == "Backwards"
    assert get(runs, f"/api/models/{id}")["card"]["task"] == "reverse"
    trace = post(runs, "/api/traces", {"model": id, **SOURCE})
    assert trace["model"] == f"{id}@12"
    assert get(runs, f"/api/traces/{trace['id']}/proof")["passes"]
    assert get(runs, f"/api/traces/{trace['id']}/explanations/logits?cell=0,0,0")["name"] == "logits"
    first = post(runs, "/api/traces", {"model": f"{id}@0", **SOURCE})
    assert first["id"] != trace["id"]
    decoding = post(runs, "/api/decodings", {"model": id, "src": ["5 6 7"]})
    assert get(runs, f"/api/decodings/{decoding['id']}/result")["sentences"]


def test_a_checkpoint_that_is_not_kept_is_refused_with_those_that_are(runs: TestClient, finished: dict[str, Any]) -> None:
    answer = runs.post("/api/traces", json={"model": f"{finished['id']}@7000", **SOURCE})
    assert answer.status_code == 404
    assert "keeps no checkpoint of step 7000; it keeps those of 0" in answer.json()["error"]["message"]
    for wrong in ("@", "@-1", "@01", "@x", "@1@2"):
        assert runs.get(f"/api/models/{finished['id']}{wrong}").status_code == 404
    gone = runs.get("/api/models/run-00000000@12").json()["error"]["message"]
    assert gone.endswith(", and what was trained here and not deleted")


def test_one_weight_of_one_step_is_what_the_run_made_of_it(runs: TestClient, finished: dict[str, Any]) -> None:
    step = get(runs, f"/api/runs/{finished['id']}/optimiser/generator.w?cell=5,3&step=0")
    assert (step["step"], step["from_step"], step["m_before"]) == (1, 0, 0)
    assert step["run"]["after"] == pytest.approx(step["after"], abs=1e-6)
    assert step["clip"] == pytest.approx(1 / step["norm"], rel=1e-5)
    last = get(runs, f"/api/runs/{finished['id']}/optimiser/generator.w?cell=5,3")
    assert last["run"]["difference"] < 1e-6
    assert last["weight"] != last["run"]["after"]
    assert "no parameter" in get(runs, f"/api/runs/{finished['id']}/optimiser/x?cell=0&step=0", 404)["error"]["message"]
    assert "[11, 8]" in get(runs, f"/api/runs/{finished['id']}/optimiser/generator.w?cell=11,0", 422)["error"]["message"]
    assert get(runs, f"/api/runs/{finished['id']}/optimiser/generator.w?cell=0,0&step=12", 422)


def test_the_schedule_comes_as_points(runs: TestClient, finished: dict[str, Any]) -> None:
    schedule = get(runs, f"/api/runs/{finished['id']}/schedule")
    assert schedule["steps"] == list(range(1, 13))
    assert max(schedule["rates"]) == schedule["highest"] == schedule["rates"][schedule["warm_up"] - 1] == 2e-3
    assert schedule["rule"].startswith("<math")


def test_a_checkpoint_is_scored_when_asked(runs: TestClient, finished: dict[str, Any]) -> None:
    scores = get(runs, f"/api/runs/{finished['id']}/scores?step=0")
    assert scores["model"] == f"{finished['id']}@0"
    assert scores["tests"]["ten numbers"]["tokens"]["total"] == 400 * 11


def test_a_model_goes_out_as_a_file_and_comes_back_the_same(runs: TestClient, finished: dict[str, Any]) -> None:
    got = runs.get(f"/api/runs/{finished['id']}/weights.safetensors")
    assert got.headers["content-disposition"].endswith("; filename*=UTF-8''Backwards.safetensors")
    file = got.content
    answer = runs.post("/api/runs/upload", content=file, headers={"Content-Type": "application/vnd.safetensors"})
    assert answer.status_code == 201, answer.text
    loaded = answer.json()
    assert (loaded["state"], loaded["name"], loaded["model"]) == ("loaded", "Backwards", f"{loaded['id']}@{finished['step']}")
    assert loaded["step"] == finished["step"]
    traces = [post(runs, "/api/traces", {"model": id, **SOURCE}) for id in (finished["id"], loaded["id"])]
    values = [runs.get(f"/api/traces/{trace['id']}/tensors/logits.npy").content for trace in traces]
    assert values[0] == values[1]
    assert "loaded as it is" in post(runs, f"/api/runs/{loaded['id']}/resume", status=409)["error"]["message"]
    assert get(runs, f"/api/runs/{loaded['id']}/config.json")["config"]["d_model"] == 8
    assert runs.delete(f"/api/runs/{loaded['id']}").status_code == 204
    assert runs.get(f"/api/runs/{loaded['id']}").status_code == 404


@pytest.mark.parametrize(
    "file", [b"", b"\x00" * 100, b"\xff" * 100, b"\x02\x00\x00\x00\x00\x00\x00\x00{}", b"PK\x03\x04" + b"0" * 50]
)
def test_what_is_no_model_is_refused(runs: TestClient, file: bytes) -> None:
    answer = runs.post("/api/runs/upload", content=file, headers={"Content-Type": "application/octet-stream"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_checkpoint")


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        ({"task": "sing"}, "no task is named 'sing'; there are copy, reverse, sort, pig-latin, pairs"),
        ({"task": "copy", "options": {"d_model": 30}}, "d_model 30 does not divide by n_heads 4"),
        ({"task": "copy", "options": {"d_model": 8192}}, "d_model is 8192; the limit is 1024"),
        ({"task": "copy", "options": {"vocab_size": 9}}, "vocab_size follows from"),
        ({"task": "copy", "steps": 0}, "steps is 0"),
        ({"task": "copy", "steps": 10**7}, "steps is 10000000; the limit is 100000"),
        ({"task": "copy", "batch": 1000}, "batch is 1000; the limit is 256"),
        ({"task": "copy", "rate": -1.0}, "rate is -1.0"),
        ({"task": "copy", "schedule": "steep"}, "it must be cosine or paper"),
        ({"task": "copy", "pairs": "a\tb"}, "the task copy takes no pairs"),
        ({"task": "pairs"}, "there are no pairs of sentences; paste some or choose a file"),
        ({"task": "pairs", "pairs": " \n"}, "there are no pairs of sentences"),
        ({"task": "pairs", "pairs": "a\tb\nc"}, "line 2 has one column; each line needs a source and a target"),
        ({"task": "copy", "steps": 100_000, "batch": 256, "options": {"d_model": 1024, "n_layers": 12}}, "hours"),
    ],
)
def test_a_recipe_that_does_not_fit_is_refused_before_anything_starts(
    runs: TestClient, recipe: dict[str, Any], message: str
) -> None:
    before = len(get(runs, "/api/runs")["runs"])
    assert message in post(runs, "/api/runs", recipe, 422)["error"]["message"]
    assert len(get(runs, "/api/runs")["runs"]) == before


def test_a_plan_says_what_a_training_would_be(runs: TestClient) -> None:
    recipe = {"task": "pairs", "pairs": "one cat | eine Katze\n\none dog | ein Hund\na dog | ein Hund", "unit": "word"}
    plan = post(runs, "/api/runs/plan", recipe)
    assert plan["held_out"] == {"held-out pairs": 1}
    assert plan["notices"][0] == "1 line is empty and left out."
    assert plan["data"] == "2 pairs of sentences, drawn at random; 1 other is kept for the test."
    assert {task["id"] for task in get(runs, "/api/runs/tasks")["tasks"]} == {"copy", "reverse", "sort", "pig-latin", "pairs"}


def test_a_run_is_paused_stepped_named_resumed_and_left_interrupted_when_the_server_ends(tmp_path: Path) -> None:
    with serve(tmp_path) as client:
        first = post(client, "/api/runs", LONG, 201)["id"]
        second = post(client, "/api/runs", {**LONG, "seed": 2}, 201)
        third = post(client, "/api/runs", {**LONG, "seed": 3}, 201)
        assert [(each["state"], each["place"]) for each in (second, third)] == [("queued", 1), ("queued", 2)]
        assert {run["id"]: run["place"] for run in get(client, "/api/runs")["runs"]} == {
            first: None,
            second["id"]: 1,
            third["id"]: 2,
        }
        assert post(client, f"/api/runs/{second['id']}/pause")["state"] == "paused"
        assert client.delete(f"/api/runs/{second['id']}").status_code == 204
        assert client.get(f"/api/runs/{second['id']}").status_code == 404
        assert get(client, f"/api/runs/{third['id']}")["place"] == 1
        assert client.delete(f"/api/runs/{third['id']}").status_code == 204

        until(client, first, "running", step=1)
        paused = post(client, f"/api/runs/{first}/pause")
        assert paused["state"] == "paused"
        stepped = post(client, f"/api/runs/{first}/step")
        assert (stepped["state"], stepped["step"]) == ("paused", paused["step"] + 1)
        assert stepped["model"] == f"{first}@{stepped['step']}"
        assert client.patch(f"/api/runs/{first}", json={"name": "Mine"}).json()["name"] == "Mine"
        assert client.patch(f"/api/runs/{first}", json={"name": "x" * 81}).status_code == 422
        assert post(client, f"/api/runs/{first}/resume")["state"] == "running"
        assert "is running and cannot be stepped" in post(client, f"/api/runs/{first}/step", status=409)["error"]["message"]
        until(client, first, "running", step=stepped["step"] + 1)
    left = RunFolder(tmp_path / "runs" / first)
    assert left.status["state"] == "interrupted"
    assert left.checkpoint().step == left.status["step"] > stepped["step"]


def test_a_run_that_diverges_says_where_and_keeps_its_last_good_checkpoint(runs: TestClient, folder: Path) -> None:
    recipe = TrainingRecipe.from_dict({**LONG, "rate": 1e25, "warm_up": 1})
    run = RunFolder.make(folder / "runs", about={"steps": LONG["steps"]}, recipe=recipe, state="starting")
    assert Runner(run, lambda still: None, lambda status: None, limits=TrainingLimits()).run() == "diverged"
    found = get(runs, f"/api/runs/{run.id}")
    assert found["diverged"]["step"] == found["step"] + 1
    assert found["diverged"]["tensor"]
    assert found["model"] == f"{run.id}@{found['step']}"
    assert f"The checkpoint of step {found['step']} is the last good one" in found["message"]
    assert post(runs, f"/api/runs/{run.id}/resume", status=409)


@pytest.mark.parametrize("address", ["/api/runs/run-0", "/api/runs/run-../x", "/api/runs/x/log", "/api/runs/run-1/schedule"])
def test_a_run_that_is_not_there_is_not_found(runs: TestClient, address: str) -> None:
    assert runs.get(address).status_code == 404


def test_a_data_folder_that_cannot_be_written_to_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with serve(tmp_path / "file") as client:
        assert get(client, "/api/runs") == {"runs": []}
        assert "cannot write to its data folder" in post(client, "/api/runs", QUICK, 507)["error"]["message"]


@pytest.mark.parametrize(
    ("error", "message"),
    [(errno.ENOSPC, "no room left"), (errno.EDQUOT, "no room left"), (errno.EROFS, "cannot write to its data")],
)
def test_a_full_disk_is_507_and_leaves_all_as_it_was(
    runs: TestClient, finished: dict[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch, error: int, message: str
) -> None:
    """Switched off, that is without `files.room`, the same errors are faults of the server: 500."""
    id, file = finished["id"], runs.get(f"/api/runs/{finished['id']}/weights.safetensors").content
    octets = {"Content-Type": "application/octet-stream"}
    trace = post(runs, "/api/traces", {"model": id, **SOURCE})["id"]

    def full(path: Path, content: bytes, *, lasting: bool = True) -> None:
        path.write_bytes(content[:10])
        raise OSError(error, "no")

    before = sorted(path for path in folder.rglob("*") if path.name not in (".keeper", ".making"))
    monkeypatch.setattr(files, "_to_disk", full)
    answers = [
        runs.post("/api/runs", json=QUICK),
        runs.post("/api/runs/upload", content=file, headers=octets),
        runs.patch(f"/api/runs/{id}", json={"name": "Other"}),
    ]
    assert [answer.status_code for answer in answers] == [507] * 3
    assert all(answer.json()["error"]["code"] == "storage_full" for answer in answers)
    assert all(message in answer.json()["error"]["message"] for answer in answers)
    assert sorted(path for path in folder.rglob("*") if path.name not in (".keeper", ".making")) == before
    assert get(runs, f"/api/runs/{id}") == finished
    assert get(runs, f"/api/traces/{trace}/proof")["passes"]


def test_scoring_ends_when_its_time_is_up(finished: dict[str, Any], folder: Path) -> None:
    """It looks at the clock before each token; without that it would keep one of the two threads that write."""
    run = RunFolder(folder / "runs" / finished["id"])
    recipe, step = run.recipe, run.checkpoints()[1].step
    assert recipe is not None
    with keeping(Deadline(0.0)), pytest.raises(DeadlineError, match="token 1 of 250 sentences"):
        score_checkpoint(run, recipe, step, TrainingLimits())
