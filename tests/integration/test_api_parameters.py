"""What is learned, over HTTP: counts, sizes that can be chosen, and the paper's count beside ours."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient


def model(client: TestClient, id: str, **options: Any) -> Any:
    answer = client.get(f"/api/models/{id}", params={"options": json.dumps(options)})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_counts_of_parts_and_of_each_weight_add_up(client: TestClient) -> None:
    counted = model(client, "tiny")["parameters"]
    assert counted["total"] == counted["parts"][""] == sum(each["count"] for each in counted["each"])
    assert counted["parts"]["encoder.layers.0.feed_forward"] == 552


@pytest.mark.parametrize(("heads", "stops"), [(2, [1, 2, 4, 8]), (8, [1, 2, 4, 8])])
def test_heads_change_no_count_and_their_stops_divide_the_width(client: TestClient, heads: int, stops: list[int]) -> None:
    found = model(client, "tiny", n_heads=heads)
    assert found["parameters"] == model(client, "tiny")["parameters"]
    assert next(size["stops"] for size in found["ranges"] if size["name"] == "n_heads") == stops
    assert next(option["choices"] for option in found["options"] if option["name"] == "n_heads") == stops


def test_a_slid_size_is_in_sizes_and_counts_and_leaves_the_vocabulary(client: TestClient) -> None:
    found = model(client, "tiny", d_model=16, n_layers=3)
    assert (found["sizes"]["d_model"], found["sizes"]["vocab"], found["config"]["n_layers"]) == (16, 5, 3)
    assert found["parameters"]["parts"]["encoder"] == 3 * found["parameters"]["parts"]["encoder.layers.0"]


def test_only_the_papers_models_are_held_against_the_paper(client: TestClient) -> None:
    assert model(client, "tiny")["paper"] is None
    base = model(client, "paper-base")["paper"]
    assert (base["name"], base["counted"], base["difference"], base["rows"]) == ("base", 63_119_496, 1_880_504, [39_692, 41_640])
    big = model(client, "paper-base", **base["beside"]["options"])["paper"]
    assert {**base["beside"], "options": None} == {
        **{key: big[key] for key in base["beside"] if key != "options"},
        "options": None,
    }
