"""A training step over HTTP: the sheet of a batch, gradients and their check, and what another logit would do."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from glassformer.app.schemas.lessons import CheckOut, GradientsOut, SheetOut, WhatIfOut
from safetensors.numpy import load

import glassformer

BATCH = {"model": "tiny", "src": ["dog run", "cat"], "tgt": ["dog run cat", "cat dog"]}


def post(client: TestClient, **more: Any) -> dict[str, Any]:
    answer = client.post("/api/traces", json=BATCH | more)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def get(client: TestClient, trace: dict[str, Any], path: str, **query: Any) -> dict[str, Any]:
    answer = client.get(f"/api/traces/{trace['id']}/{path}", params=query)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_a_sheet_lays_every_position_open(client: TestClient) -> None:
    trace = post(client)
    sheet = get(client, trace, "sheet")
    SheetOut.model_validate(sheet, strict=True)
    first, second = sheet["sentences"]
    assert [place["fed"]["text"] for place in first] == ["<start>", "dog", "run"]
    assert [place["label"]["text"] for place in first] == ["dog", "run", "cat"]
    assert [place["sees"] for place in first] == [[0], [0, 1], [0, 1, 2]]
    assert [place["counted"] for place in second] == [True, True, False]
    assert second[2]["term"] == 0
    assert all(place["leak"] is None for place in [*first, *second])
    assert sum(place["term"] for place in [*first, *second]) == pytest.approx(sheet["total"], rel=1e-5)
    assert sheet["total"] / sheet["count"] == pytest.approx(sheet["mean"], rel=1e-6)
    assert sum(place["share"] for place in [*first, *second]) == pytest.approx(1, rel=1e-5)
    assert sheet["untrained"] == pytest.approx(1.609438)
    assert (sheet["floor"], sheet["unshifted"]) == (0, False)
    for place in first:
        assert place["right"] == (place["predicted"]["id"] == place["label"]["id"])
        assert place["surprisal"] == pytest.approx(-place["log_prob"], rel=1e-6)


def test_without_the_causal_mask_every_label_can_be_seen_one_place_later(client: TestClient) -> None:
    trace = post(client, options={"causal": False})
    first = get(client, trace, "sheet")["sentences"][0]
    assert first[0]["sees"] == [0, 1, 2]
    assert first[2]["leak"] is None, "the last label stands nowhere in the input"
    leak = first[0]["leak"]
    assert leak["cell"][2:] == [0, 1]
    weights = glassformer.trace("tiny", src=BATCH["src"], tgt=BATCH["tgt"], options={"causal": False})[leak["name"]]
    assert weights.value[tuple(leak["cell"])].item() == leak["weight"]


def test_a_target_that_is_not_shifted_raises_the_alarm(client: TestClient) -> None:
    trace = post(client, options={"shift": "none"})
    assert any("the target is not shifted" in notice for notice in trace["notices"])
    sheet = get(client, trace, "sheet")
    assert sheet["unshifted"] is True
    assert [place["label"]["text"] for place in sheet["sentences"][0]] == ["<start>", "dog", "run"]
    assert sheet["sentences"][0][1]["leak"]["cell"][2:] == [1, 1]
    answer = client.post("/api/traces", json=BATCH | {"options": {"shift": "left"}})
    assert "shift is 'left'; it must be 'right' or 'none'" in answer.json()["error"]["message"]


def test_gradients_come_like_tensors(client: TestClient) -> None:
    trace = post(client)
    found = get(client, trace, "gradients")
    GradientsOut.model_validate(found, strict=True)
    ours = glassformer.trace("tiny", src=BATCH["src"], tgt=BATCH["tgt"]).gradients
    assert [record["name"] for record in found["records"]] == list(ours)
    content = client.get(f"/api/traces/{trace['id']}/tensors", params={"names": "logits,generator.w", "of": "gradient"}).content
    tensors = load(content)
    assert tensors["logits"].tobytes() == ours["logits"].numpy().tobytes()
    assert tensors["generator.w"].shape == (5, 8)
    one = client.get(f"/api/traces/{trace['id']}/tensors/logits.npy", params={"of": "gradient", "index": "batch:0"})
    assert one.status_code == 200
    assert client.get(f"/api/traces/{trace['id']}/tensors/logits.npy?index=batch:0").content != one.content
    marks = {record["name"]: record["mark"] for record in found["records"]}
    assert marks["probs"] == "unread"


@pytest.mark.parametrize("name", ["logits", "generator.w", "encoder.layers.0.self_attn.weights"])
def test_a_gradient_can_be_held_against_a_central_difference(client: TestClient, name: str) -> None:
    trace = post(client)
    axes = {"logits": "0,1,2", "generator.w": "3,4"}.get(name, "0,1,1,0")
    check = get(client, trace, f"gradients/{name}/check", cell=axes)
    CheckOut.model_validate(check, strict=True)
    assert check["passes"] is True
    assert check["numeric"] == pytest.approx((check["upper"] - check["lower"]) / (2 * check["step"]))


def test_another_logit_moves_probabilities_loss_and_gradient(client: TestClient) -> None:
    trace = post(client)
    logits = load(client.get(f"/api/traces/{trace['id']}/tensors/logits").content)["logits"]
    same = get(client, trace, "whatif", cell="0,1,4", logit=float(logits[0, 1, 4]))
    WhatIfOut.model_validate(same, strict=True)
    assert same["after"] == same["before"]
    gradient = load(client.get(f"/api/traces/{trace['id']}/tensors/logits?of=gradient").content)["logits"]
    assert same["before"]["gradient"] == pytest.approx(gradient[0, 1].tolist(), abs=1e-7)
    moved = get(client, trace, "whatif", cell="0,1,4", logit=float(logits[0, 1, 4]) + 1)
    assert moved["after"]["probabilities"][4] > moved["before"]["probabilities"][4]
    assert moved["after"]["term"] < moved["before"]["term"], "run is the label here"
    assert moved["after"]["mean"] - moved["before"]["mean"] == pytest.approx(
        (moved["after"]["term"] - moved["before"]["term"]) / 5, abs=1e-9
    )
    assert sum(moved["after"]["gradient"]) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("whatif?cell=0,1,9&logit=1", 422, "its shape is (2, 3, 5)"),
        ("whatif?cell=0,1,1&logit=nan", 422, "logit is nan"),
        ("whatif?cell=0,1,1&logit=1e9", 422, "from −1000000 to 1000000"),
        ("gradients/src_ids/check?cell=0,1", 404, "src_ids holds no real numbers"),
        ("gradients/logits/check?cell=0", 422, "its shape is (2, 3, 5)"),
        ("tensors/src_ids?of=gradient", 404, "src_ids holds no real numbers"),
        ("tensors/logits?of=difference", 422, "of is 'difference'; it must be value or gradient"),
    ],
)
def test_what_does_not_exist_is_refused(client: TestClient, path: str, status: int, words: str) -> None:
    answer = client.get(f"/api/traces/{post(client)['id']}/{path}")
    assert answer.status_code == status
    assert words in answer.json()["error"]["message"]


def test_a_prefix_has_no_loss_to_lay_open(client: TestClient) -> None:
    trace = client.post("/api/traces", json={"model": "tiny", "src": ["dog"], "prefix": [[1]]}).json()
    for path in ("sheet", "gradients", "tensors/logits?of=gradient", "whatif?cell=0,0,1&logit=1"):
        answer = client.get(f"/api/traces/{trace['id']}/{path}")
        assert (answer.status_code, answer.json()["error"]["where"]) == (422, "tgt")
