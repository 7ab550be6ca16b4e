"""One step of the optimiser over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from glassformer.app.schemas.optimiser import OptimiserOut, WholeStepOut
from glassformer.model.optimiser import first_step

import glassformer

BATCH: dict[str, Any] = {"src": ["dog run", "cat"], "tgt": ["dog run cat", "cat dog"]}


@pytest.fixture
def trace(client: TestClient) -> str:
    return str(client.post("/api/traces", json={"model": "tiny"} | BATCH).json()["id"])


def test_a_weight_before_and_after_one_step(client: TestClient, trace: str) -> None:
    answer = client.get(f"/api/traces/{trace}/optimiser/generator.w", params={"cell": "3,4", "step": 400})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    OptimiserOut.model_validate(found, strict=True)
    ours = first_step(glassformer.trace("tiny", **BATCH), "generator.w", (3, 4), place=400).adam
    assert (found["weight"], found["gradient"], found["after"]) == (ours.weight, ours.gradient, ours.after)
    assert [line["title"] for line in found["lines"]] == [line.title for line in ours.lines]
    assert all(line["rule"].startswith("<math") for line in found["lines"])
    assert "however large g is" in found["says"]
    assert "max-age" in answer.headers["cache-control"]


def test_the_schedule_comes_along(client: TestClient, trace: str) -> None:
    schedule = client.get(f"/api/traces/{trace}/optimiser/generator.w?cell=0,0&step=4000").json()["schedule"]
    assert (schedule["d_model"], schedule["warm_up"], schedule["step"]) == (8, 4000, 4000)
    assert max(schedule["rates"]) == schedule["highest"] == pytest.approx(8**-0.5 * 4000**-0.5)
    assert (schedule["steps"][0], schedule["steps"][-1]) == (1, 16000)
    given = client.get(f"/api/traces/{trace}/optimiser/generator.w?cell=0,0&rate=0.01").json()
    assert (given["rate"], given["schedule"]["step"]) == (0.01, None)


def test_a_weight_that_the_loss_does_not_move_with_stays(client: TestClient, trace: str) -> None:
    found = client.get(f"/api/traces/{trace}/optimiser/src_embed.table?cell=0,0&rate=0.01").json()
    assert (found["gradient"], found["update"], found["after"]) == (0, 0, found["weight"])
    assert "does not move" in found["says"]


def test_a_step_with_every_parameter_lowers_the_loss(client: TestClient, trace: str) -> None:
    found = client.get(f"/api/traces/{trace}/optimiser?rate=0.001").json()
    WholeStepOut.model_validate(found, strict=True)
    assert found["after"] < found["before"] == float(glassformer.trace("tiny", **BATCH)["loss.mean"].value)
    assert (found["rate"], found["step"]) == (0.001, None)
    assert client.get(f"/api/traces/{trace}/optimiser?step=4000").json()["step"] == 4000


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("optimiser?rate=0", 422, "above 0 and at most 100"),
        ("optimiser/logits?cell=0,0,0", 422, "the optimiser moves parameters only"),
        ("optimiser/src_ids?cell=0,0", 404, "holds no real numbers"),
        ("optimiser/nothing?cell=0,0", 404, "nothing"),
        ("optimiser/generator.w?cell=9,9", 422, "its shape is (5, 8)"),
        ("optimiser/generator.w?cell=0,0&rate=nan", 422, "above 0 and at most 100"),
        ("optimiser/generator.w?cell=0,0&step=0", 422, "from 1 to 1000000"),
        ("optimiser/generator.w?cell=0,0&warm_up=x", 422, "warm_up"),
    ],
)
def test_what_is_no_step_is_refused(client: TestClient, trace: str, path: str, status: int, words: str) -> None:
    answer = client.get(f"/api/traces/{trace}/{path}")
    assert answer.status_code == status
    assert words in answer.text
