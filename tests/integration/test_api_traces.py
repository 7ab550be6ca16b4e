"""Traces over HTTP: what is said of them, and their values as bytes."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient
from glassformer.app.schemas.base import ModelOut, Models, TraceOut
from safetensors.numpy import load

import glassformer

WEIGHTS = "decoder.layers.0.cross_attn.weights"
MASKED = "decoder.layers.0.self_attn.masked_scores"
Refused = Callable[..., dict[str, Any]]


def test_a_trace_says_what_the_documents_promise(client: TestClient, trace: dict[str, Any]) -> None:
    TraceOut.model_validate(trace, strict=True)
    record = next(record for record in trace["records"] if record["name"] == WEIGHTS)
    assert record["axes"] == ["batch", "head", "query", "key"]
    assert record["over"] == ["batch", "head", "tgt", "src"]
    assert record["shape"] == [2, 2, 2, 3]
    assert record["reads"] == ["decoder.layers.0.cross_attn.masked_scores"]
    assert [token["text"] for token in trace["tokens"]["src"][0]] == ["<start>", "dog", "run"]
    assert [token["text"] for token in trace["tokens"]["tgt"][0]] == ["<start>", "dog"]
    assert [token["text"] for token in trace["tokens"]["labels"][0]] == ["dog", "run"]


def test_the_same_recipe_gives_the_same_trace_and_the_same_bytes(client: TestClient, trace: dict[str, Any]) -> None:
    again = client.get(f"/api/traces/{trace['id']}")
    assert again.json() == trace
    ours = glassformer.trace("tiny", src=["dog run", "cat run"], tgt=["dog run", "cat run"])
    for name in (WEIGHTS, "logits", "encoder.layers.0.self_attn.w_q"):
        content = client.get(f"/api/traces/{trace['id']}/tensors/{name}").content
        assert load(content)[name].tobytes() == ours[name].numpy().tobytes()


def test_several_tensors_come_in_one_file_with_what_their_cells_are(client: TestClient, trace: dict[str, Any]) -> None:
    answer = client.get(
        f"/api/traces/{trace['id']}/tensors", params={"names": f"{WEIGHTS},loss.mean,src_ids", "index": "batch:1,head:0,key:1-3"}
    )
    tensors = load(answer.content)
    length = int.from_bytes(answer.content[:8], "little")
    about = {name: json.loads(text) for name, text in json.loads(answer.content[8 : 8 + length])["__metadata__"].items()}
    assert tensors[WEIGHTS].shape == (2, 2)
    assert about[WEIGHTS] == {"axes": "query:tgt key:src", "start": [0, 1], "shape": [2, 3]}
    assert tensors["loss.mean"].shape == ()
    assert tensors["src_ids"].tolist() == [1, 2, 4]
    assert tensors["src_ids"].dtype == np.int64


def test_npy_and_csv_hold_the_same_numbers(client: TestClient, trace: dict[str, Any]) -> None:
    base = f"/api/traces/{trace['id']}/tensors/{MASKED}"
    array = np.load(io.BytesIO(client.get(f"{base}.npy").content))
    assert array.shape == (2, 2, 2, 2)
    lines = client.get(base, headers={"Accept": "text/csv"}).text.splitlines()
    assert lines[0] == "batch,head,query,key,value"
    assert len(lines) == 17
    assert lines[2] == "0,0,0,1,-Infinity"
    assert np.float32(lines[1].rpartition(",")[2]) == array[0, 0, 0, 0]


def test_masks_come_as_bytes_of_allowed_and_blocked(client: TestClient, trace: dict[str, Any]) -> None:
    mask = load(client.get(f"/api/traces/{trace['id']}/tensors/masks.decoder_self_attn").content)["masks.decoder_self_attn"]
    assert mask.dtype == np.uint8
    assert mask[0].tolist() == [[1, 0], [1, 1]]


def test_fit_takes_every_kth_real_cell(client: TestClient, trace: dict[str, Any]) -> None:
    name = "encoder.layers.0.feed_forward.w_1"
    whole = load(client.get(f"/api/traces/{trace['id']}/tensors/{name}").content)[name]
    thin = load(client.get(f"/api/traces/{trace['id']}/tensors/{name}?fit=10x4").content)[name]
    assert thin.tobytes() == whole[::2, ::4].tobytes()


def test_bytes_on_the_wire_are_hardly_more_than_the_values(client: TestClient) -> None:
    source = " ".join(["dog"] * 63)
    made = client.post("/api/traces", json={"model": "tiny", "src": source, "tgt": source, "options": {"n_heads": 1}}).json()
    name = "encoder.layers.0.self_attn.weights"
    assert len(client.get(f"/api/traces/{made['id']}/tensors/{name}?index=batch:0,head:0").content) <= 1.02 * 64 * 64 * 4


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("index=batch:2", "batch runs from 0 to 1, its shape is (2, 2, 2, 3)"),
        ("index=batch:-1", "batch runs from 0 to 1"),
        ("index=head:0-3", "head runs from 0 to 1"),
        ("index=head:1-1", "head runs from 0 to 1"),
        ("index=width:0", "no axis 'width'; this tensor is (batch, head, query:tgt, key:src) = (2, 2, 2, 3)"),
        ("index=batch:0,batch:1", "axis 'batch' stands twice"),
        ("index=batch:x", "batch:x is outside"),
        ("fit=0x4", "fit is '0x4'"),
        ("fit=many", "fit is 'many'"),
    ],
)
def test_a_slice_outside_the_tensor_is_refused_with_its_shape(
    client: TestClient, trace: dict[str, Any], query: str, message: str
) -> None:
    answer = client.get(f"/api/traces/{trace['id']}/tensors/{WEIGHTS}?{query}")
    assert answer.status_code == 422
    assert message in answer.json()["error"]["message"]


@pytest.mark.parametrize("name", ["__class__", "constructor", "../logits", "%2e%2e", "x" * 3000, "logits.exe", "decoder"])
def test_a_name_that_is_no_tensor_is_not_found(client: TestClient, trace: dict[str, Any], name: str) -> None:
    assert client.get(f"/api/traces/{trace['id']}/tensors/{name}").status_code == 404


def test_an_id_with_one_character_changed_is_another_recipe_or_not_found(client: TestClient, trace: dict[str, Any]) -> None:
    for place in range(0, len(trace["id"]), 7):
        changed = trace["id"][:place] + ("A" if trace["id"][place] != "A" else "B") + trace["id"][place + 1 :]
        assert client.get(f"/api/traces/{changed}").status_code in (200, 404, 422)


def test_a_form_that_tensors_do_not_have_is_refused(client: TestClient, trace: dict[str, Any]) -> None:
    answer = client.get(f"/api/traces/{trace['id']}/tensors/{WEIGHTS}", headers={"Accept": "image/png"})
    assert answer.status_code == 406


@pytest.mark.parametrize(
    ("change", "where", "message"),
    [
        ({"src": ["dog " * 70], "tgt": ["dog"]}, "src.0", "the source has 71 tokens; this model takes 64"),
        ({"src": ["dog", ""]}, "src.1", "source 2 is empty"),
        ({"src": ["dog"]}, "tgt", "there are 1 source sentences and 2 targets"),
        ({"src": ["dog"] * 9, "tgt": ["dog"] * 9}, "src", "there are 9 sentences; the limit is 8"),
        ({"tgt": ["dog", ""]}, "tgt.1", "target 2 has no token"),
        ({"options": {"d_model": 10, "n_heads": 3}}, "n_heads", "d_model 10 does not divide by n_heads 3"),
        ({"options": {"d_model": 2048}}, "d_model", "d_model is 2048; the limit is 1024"),
        ({"options": {"n_layers": 13}}, "n_layers", "n_layers is 13; the limit is 12"),
        ({"options": {"norm": "both"}}, "norm", "norm is 'both'; it must be 'post' or 'pre'"),
        ({"options": {"width": 3}}, "options", "no setting is named 'width'"),
        ({"options": {"vocab_size": 6}}, "options", "belongs to tiny's tokeniser"),
        ({"options": {"dropout": 1.0}}, "dropout", "dropout is 1.0; it must be at least 0 and below 1"),
        ({"seed": -1}, "seed", "seed is -1"),
        ({"prefix": [[1], [1]]}, "tgt", "either tgt"),
        ({"more": 1}, "more", "extra inputs are not permitted"),
        ({"src": 7}, "src", "valid list"),
    ],
)
def test_a_recipe_that_does_not_fit_is_refused_naming_value_and_limit(
    refused: Refused, change: dict[str, Any], where: str, message: str
) -> None:
    body = {"model": "tiny", "src": ["dog run", "cat run"], "tgt": ["dog run", "cat run"]} | change
    error = refused("/api/traces", 422, json=body)
    assert message in error["message"]
    assert error["where"].startswith(where)


def test_a_model_that_does_not_exist_is_not_found(refused: Refused, client: TestClient) -> None:
    assert (
        "no model is named 'huge'" in refused("/api/traces", 404, json={"model": "huge", "src": ["a"], "tgt": ["a"]})["message"]
    )
    assert client.get("/api/models/huge").status_code == 404


def test_a_run_over_budget_is_refused_with_both_numbers_before_it_is_built(refused: Refused) -> None:
    options = {"d_model": 1024, "n_layers": 12, "d_ff": 4096}
    error = refused("/api/traces", 422, json={"model": "tiny", "src": ["dog"], "tgt": ["dog"], "options": options})
    assert error["code"] == "over_budget"
    assert "MiB; the limit is 512 MiB" in error["message"]


def test_a_trained_model_refuses_options_that_change_its_weights(refused: Refused) -> None:
    error = refused("/api/traces", 422, json={"model": "copy", "src": ["5"], "tgt": ["5"], "options": {"norm": "pre"}})
    assert "copy was trained with norm post, and its weights fit nothing else; norm pre needs" in error["message"]


def test_models_say_what_the_documents_promise(client: TestClient) -> None:
    models = client.get("/api/models").json()
    Models.model_validate(models, strict=True)
    for summary in models["models"]:
        model = client.get(f"/api/models/{summary['id']}").json()
        ModelOut.model_validate(model)
        assert model["parameters"]["total"] == summary["parameters"]
        assert {tensor["formula"] for tensor in model["tensors"]} == set(model["formulas"])
        assert all(mathml.startswith("<math") for mathml in model["formulas"].values())


def test_options_change_the_legend(client: TestClient) -> None:
    plain = {tensor["name"] for tensor in client.get("/api/models/tiny").json()["tensors"]}
    pre = {tensor["name"] for tensor in client.get("/api/models/tiny", params={"options": '{"norm":"pre"}'}).json()["tensors"]}
    assert "encoder.norm.out" in pre - plain
    assert client.get("/api/models/tiny", params={"options": "[1]"}).status_code == 422
    assert client.get("/api/models/tiny", params={"options": "{"}).status_code == 422
