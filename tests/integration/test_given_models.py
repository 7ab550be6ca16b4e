"""`--models DIR`: the files of a folder become models that all may use; no path is shown, and no link leads out of the folder."""

from __future__ import annotations

import logging
import os
import time
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from glassformer.app.main import create_app
from glassformer.app.settings import Settings
from glassformer.app.trainings import given_models
from glassformer.model.limits import TrainingLimits
from glassformer.model.training.exchange import pack
from glassformer.model.training.recipe import TrainingRecipe
from glassformer.model.training.run_folder import RunFolder, all_in
from glassformer.model.training.runner import Runner

RECIPE = TrainingRecipe(
    "reverse", steps=3, batch=2, name="Backwards", options={"d_model": 8, "n_heads": 2, "d_ff": 8, "n_layers": 1}
)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    run = RunFolder.make(tmp_path_factory.mktemp("runs"), about={}, recipe=RECIPE)
    Runner(run, lambda still: "stop", lambda status: None, limits=TrainingLimits()).run()
    return pack(run, 0)


def listed(client: TestClient) -> list[dict[str, Any]]:
    return [model for model in client.get("/api/models").json()["models"] if model["id"].startswith("run-")]


def until_listed(client: TestClient) -> list[dict[str, Any]]:
    deadline = time.monotonic() + 30
    while not (found := listed(client)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def test_a_folder_of_models_is_taken_in_once_and_belongs_to_nobody(tmp_path: Path, good: bytes) -> None:
    given, outside = tmp_path / "given", tmp_path / "outside"
    for folder in (given, outside):
        folder.mkdir()
    (given / "a <img src=x onerror=alert(1)>.safetensors").write_bytes(good)
    (given / "again.safetensors").write_bytes(good)
    (given / "broken.safetensors").write_bytes(good[:-1])
    (given / "notes.txt").write_bytes(good)
    (outside / "other.safetensors").write_bytes(good + b"\x00")
    (given / "link.safetensors").symlink_to(outside / "other.safetensors")
    settings = Settings(
        profile="classroom", data_folder=str(tmp_path / "data"), models_folder=str(given), allow_host="testserver"
    )
    for _ in range(2):
        with TestClient(create_app(settings)) as client:
            [model] = until_listed(client)
            assert model["title"] == "Backwards"
            answer = client.get(f"/api/models/{model['id']}")
            assert answer.status_code == 200
            assert str(tmp_path) not in answer.text + client.get("/api/limits").text + client.get("/api/runs").text
            assert client.delete(f"/api/runs/{model['id'].partition('@')[0]}").status_code == 403
            trace = client.post("/api/traces", json={"model": model["id"], "src": ["5 6 7"], "tgt": ["7 6 5"]})
            assert trace.status_code == 200, trace.text
    assert len(all_in(tmp_path / "data" / "runs")) == 1


def test_what_is_left_out_is_said_in_the_log(tmp_path: Path, good: bytes, caplog: pytest.LogCaptureFixture) -> None:
    taken: list[bytes] = []
    (tmp_path / "large.safetensors").touch()
    os.truncate(tmp_path / "large.safetensors", 2**40)
    (tmp_path / "small.safetensors").write_bytes(good)
    with caplog.at_level(logging.WARNING, logger=given_models.logger.name):
        given_models.take_in(tmp_path, lambda content, digest: taken.append(content), most=len(good))
        given_models.take_in(tmp_path / "none", lambda content, digest: taken.append(content), most=len(good))
    assert taken == [good]
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        f"a file of the models' folder has {2**40} bytes; the limit is {len(good)}",
        "the models' folder cannot be read",
    ]
