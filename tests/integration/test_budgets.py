"""What is estimated before it starts, each at its limit and one past it: runs and trainings, and what they bring."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from fastapi.testclient import TestClient
from glassformer.app.main import create_app
from glassformer.app.settings import Settings
from glassformer.model.batch import make_batch, source_rows
from glassformer.model.budget import FLOPS_A_SECOND, Cost, estimate
from glassformer.model.decoding import DecodingRecipe
from glassformer.model.library import configure, sketch
from glassformer.model.recipe import Recipe

RUN: dict[str, Any] = {"model": "pig-latin", "src": ["the quick brown fox jumps"], "tgt": ["ethay"]}
TRAINING: dict[str, Any] = {"task": "copy", "steps": 300, "batch": 8}
DECODING: dict[str, Any] = {"model": "pig-latin", "src": ["the quick brown fox jumps"], "max_steps": 30}
PAIRS: dict[str, Any] = {"task": "pairs", "pairs": "a b c|d\n" * 9 + "e|f", "steps": 3, "batch": 2}
STEP = 1e-6
"""How far past its limit a number of seconds is, as a share."""


@contextmanager
def serving(**settings: Any) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(**settings)), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="module")
def cost() -> Cost:
    found, config, _ = configure("pig-latin", {})
    sizes = make_batch(found, Recipe.from_dict(RUN), max_length=config.max_length).sizes
    return estimate(sketch(config), {**config.sizes, **sizes})


@pytest.fixture(scope="module")
def plan() -> dict[str, Any]:
    with serving() as client:
        return dict(client.post("/api/runs/plan", json=TRAINING).json())


@pytest.mark.parametrize(("share", "status"), [(1 + STEP, 200), (1 - STEP, 422)])
def test_a_run_may_take_as_long_as_run_seconds_and_no_longer(cost: Cost, share: float, status: int) -> None:
    with serving(run_seconds=cost.operations / FLOPS_A_SECOND * share) as client:
        answer = client.post("/api/traces", json=RUN)
        assert answer.status_code == status
        assert status == 200 or answer.json()["error"]["code"] == "over_budget"


@pytest.mark.parametrize(("less", "status"), [(0, 200), (1, 422)])
def test_a_run_may_need_run_bytes_and_no_more(cost: Cost, less: int, status: int) -> None:
    with serving(run_bytes=cost.trace_bytes + cost.parameter_bytes - less) as client:
        answer = client.post("/api/traces", json=RUN)
        assert answer.status_code == status
        assert status == 200 or answer.json()["error"]["message"].count("MiB") == 2


@pytest.mark.parametrize("strategy", ["greedy", {"kind": "beam", "width": 3}])
@pytest.mark.parametrize(("less", "status"), [(0, 200), (1, 422)])
def test_the_longest_step_of_a_decoding_may_need_run_bytes_and_no_more(strategy: Any, less: int, status: int) -> None:
    """Seen to fail with the estimate left out of `check_decoding`: the weights alone are within the limit either way."""
    asked = DECODING | {"strategy": strategy}
    needed = decoding_cost(asked)
    with serving(run_bytes=needed.trace_bytes + needed.parameter_bytes - less) as client:
        answer = client.post("/api/decodings", json=asked)
        assert answer.status_code == status, answer.text
        assert status == 200 or answer.json()["error"]["code"] == "over_budget"
        compute = client.app.state.glassformer.compute  # type: ignore[attr-defined]
        assert (compute.models.misses, compute.decodings.entries) == (0, int(status == 200))


def decoding_cost(asked: dict[str, Any]) -> Cost:
    found, config, _ = configure(asked["model"], {})
    recipe = DecodingRecipe.from_dict(asked)
    rows, _ = source_rows(found, recipe.src, max_length=config.max_length)
    sizes = {"batch": len(rows) * recipe.strategy.rows, "src": len(rows[0]), "tgt": min(recipe.max_steps, config.max_length)}
    return estimate(sketch(config), {**config.sizes, **sizes})


@pytest.mark.parametrize(("share", "status"), [(1 + STEP, 200), (1 - STEP, 422)])
def test_a_training_may_take_as_long_as_train_seconds_and_no_longer(plan: dict[str, Any], share: float, status: int) -> None:
    with serving(train_seconds=plan["operations"] / FLOPS_A_SECOND * share) as client:
        assert client.post("/api/runs/plan", json=TRAINING).status_code == status
        assert status == 200 or client.post("/api/runs", json=TRAINING).status_code == 422


@pytest.mark.parametrize(("less", "status"), [(0, 200), (1, 422)])
def test_a_training_may_need_train_bytes_and_no_more(plan: dict[str, Any], less: int, status: int) -> None:
    with serving(train_bytes=plan["bytes"] - less) as client:
        answer = client.post("/api/runs/plan", json=TRAINING)
        assert answer.status_code == status
        assert status == 200 or answer.json()["error"]["code"] == "over_budget"


@pytest.mark.parametrize(
    ("setting", "most", "change", "past"),
    [
        ("max_run_steps", 300, TRAINING | {"steps": 300}, TRAINING | {"steps": 301}),
        ("max_run_batch", 8, TRAINING | {"batch": 8}, TRAINING | {"batch": 9}),
        ("max_pairs", 10, PAIRS, PAIRS | {"pairs": PAIRS["pairs"] + "\ng|h"}),
        ("max_pair_tokens", 3, PAIRS, PAIRS | {"pairs": PAIRS["pairs"] + " i j k"}),
    ],
)
def test_what_a_training_asks_for_and_brings_has_limits(
    setting: str, most: int, change: dict[str, Any], past: dict[str, Any]
) -> None:
    with serving(**{setting: most}) as client:
        assert client.post("/api/runs/plan", json=change).status_code == 200
        refused = client.post("/api/runs/plan", json=past)
        assert refused.status_code == 422
        assert str(most) in refused.json()["error"]["message"]


def test_a_file_may_have_max_upload_bytes_and_no_more() -> None:
    with serving(max_upload=4000, max_body=2000) as client:
        headers = {"Content-Type": "application/octet-stream"}
        statuses = [client.post("/api/runs/upload", content=b"x" * size, headers=headers).status_code for size in (4000, 4001)]
        assert statuses == [422, 413]
        lines = [f"a{number}|b" for number in range(1000)]
        sent = [client.post("/api/runs/plan", json=PAIRS | {"pairs": "\n".join(lines[:count])}) for count in (400, 1000)]
        assert [answer.status_code for answer in sent] == [200, 413], "pairs may be as long as files"
