"""Whole ancestry over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from glassformer.app.schemas.explanations import AncestryOut


def ancestry(client: TestClient, trace: dict[str, Any], name: str, cell: str) -> dict[str, Any]:
    answer = client.get(f"/api/traces/{trace['id']}/ancestry/{name}", params={"cell": cell})
    assert answer.status_code == 200, answer.text
    assert "max-age" in answer.headers["cache-control"]
    found = dict(answer.json())
    AncestryOut.model_validate(found)
    return found


def test_parts_of_a_probability_add_up_to_its_logit(client: TestClient, trace: dict[str, Any]) -> None:
    found = ancestry(client, trace, "probs", "0,1,4")
    assert found["start"]["name"] == "logits"
    assert found["start"]["cell"] == [0, 1, 4]
    assert [share["over"] for share in found["tokens"]] == ["src", "tgt"]
    sizes = trace["sizes"]
    for share in found["tokens"] + found["positions"]:
        assert len(share["values"]) == sizes[share["over"]]
        assert sum(share["values"]) == pytest.approx(share["total"])
    parts = [share["total"] for share in found["tokens"] + found["positions"]] + [part["value"] for part in found["constants"]]
    assert sum(parts) == pytest.approx(found["total"])
    assert found["total"] == pytest.approx(found["start"]["value"], abs=1e-5)
    assert found["difference"] < 1e-5


def test_heads_are_those_of_the_recorded_blocks(client: TestClient, trace: dict[str, Any]) -> None:
    records = {record["name"]: record for record in trace["records"]}
    for block in ancestry(client, trace, "logits", "1,0,3")["heads"]:
        _, heads, keys, _ = records[block["v"]]["shape"]
        assert block["heads"] in records
        assert (len(block["values"]), len(block["keys"]), len(block["keys"][0])) == (heads, heads, keys)


def test_a_weight_has_none_and_says_why(client: TestClient, trace: dict[str, Any]) -> None:
    found = ancestry(client, trace, "decoder.layers.0.cross_attn.weights", "0,1,1,2")
    assert found["why_not"] is True
    assert "share" in found["says"]
    assert (found["tokens"], found["constants"], found["heads"], found["difference"]) == ([], [], [], None)


def test_a_single_number_needs_no_cell(client: TestClient, trace: dict[str, Any]) -> None:
    assert ancestry(client, trace, "loss.mean", "")["why_not"] is True


@pytest.mark.parametrize(
    ("name", "cell", "status", "says"),
    [
        ("logits", "0,1", 422, "shape"),
        ("logits", "0,1,999999", 422, "shape"),
        ("logits", "0,x", 422, "cell"),
        ("nothing", "0", 404, "nothing"),
    ],
)
def test_what_is_not_there_is_refused(
    client: TestClient, trace: dict[str, Any], name: str, cell: str, status: int, says: str
) -> None:
    answer = client.get(f"/api/traces/{trace['id']}/ancestry/{name}", params={"cell": cell})
    assert answer.status_code == status
    assert says in answer.json()["error"]["message"]
