"""`--models DIR`: the files of a folder become models that all may use; no path is shown, and no link leads out of the folder."""

from __future__ import annotations

import logging
import os
import pickle
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from fastapi.testclient import TestClient
from glassformer.app.main import create_app
from glassformer.app.settings import Settings
from glassformer.app.trainings import given_models
from glassformer.model.errors import WeightsError
from glassformer.model.limits import Limits, TrainingLimits
from glassformer.model.training.exchange import load_model, pack
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


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A model that is as good, and another."""
    run = RunFolder.make(tmp_path_factory.mktemp("others"), about={}, recipe=replace(RECIPE, name="Elsewhere", seed=5))
    Runner(run, lambda still: "stop", lambda status: None, limits=TrainingLimits()).run()
    return pack(run, 0)


def listed(client: TestClient) -> list[dict[str, Any]]:
    """The models of this server's own folder; another test's server in this process may have opened one as well."""
    runs = {run["id"] for run in client.get("/api/runs").json()["runs"]}
    return [model for model in client.get("/api/models").json()["models"] if model["id"].partition("@")[0] in runs]


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


def test_no_link_leads_out_of_the_folder_to_a_model_as_good(tmp_path: Path, good: bytes, other: bytes) -> None:
    """Row 90. Seen to fail with links followed wherever they lead; one to a file of the folder itself leads nowhere else."""
    given, outside, beside = (tmp_path / name for name in ("given", "outside", "given-too"))
    for folder in (given, outside, beside):
        folder.mkdir()
        (folder / "model.safetensors").write_bytes(good if folder == given else other)
    (given / "out.safetensors").symlink_to(outside / "model.safetensors")
    (given / "beside.safetensors").symlink_to(beside / "model.safetensors")
    (given / "folder.safetensors").symlink_to(outside)
    (given / "inside.safetensors").symlink_to(given / "model.safetensors")
    taken: list[bytes] = []
    given_models.take_in(given, lambda content, digest: taken.append(content), most=2**20)
    assert set(taken) == {good}
    taken.clear()
    given_models.take_in(outside, lambda content, digest: taken.append(content), most=2**20)
    assert taken == [other]


def test_a_folder_without_safetensors_gives_no_model_and_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 87: weights as torch saves them, and a file of that kind under the name of the other."""
    weights = tmp_path / "pytorch_model.bin"
    torch.save({"generator.w": torch.zeros(2)}, weights)

    def refuse(*given: Any, **named: Any) -> Any:
        raise AssertionError("a file was unpacked")

    for module, name in ((torch, "load"), (pickle, "load"), (pickle, "loads"), (pickle, "Unpickler")):
        monkeypatch.setattr(module, name, refuse)
    taken: list[bytes] = []
    given_models.take_in(tmp_path, lambda content, digest: taken.append(content), most=2**20)
    assert taken == []
    content, runs = weights.read_bytes(), tmp_path / "runs"
    with pytest.raises(WeightsError):
        load_model(content, runs, Limits())
    assert all_in(runs) == []


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
