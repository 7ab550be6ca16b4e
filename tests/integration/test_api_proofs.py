"""Proofs over HTTP: of one tensor, and of a whole trace."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from glassformer.app.schemas.proofs import ProofOut, VerdictOut

WEIGHTS = "decoder.layers.0.cross_attn.weights"


def test_every_tensor_of_a_trace_is_proven(client: TestClient, trace: dict[str, Any]) -> None:
    for record in trace["records"]:
        proof = client.get(f"/api/traces/{trace['id']}/proofs/{record['name']}").json()
        ProofOut.model_validate(proof)
        assert proof["leaf"] or proof["passes"], proof


def test_a_proof_says_all_that_one_needs_to_check_it(client: TestClient, trace: dict[str, Any]) -> None:
    answer = client.get(f"/api/traces/{trace['id']}/proofs/{WEIGHTS}")
    proof = answer.json()
    assert proof["cells"] == 24
    assert len(proof["cell"]) == 4
    assert proof["max_abs"] == abs(proof["recorded"] - proof["replayed"])
    assert proof["max_rel"] == pytest.approx(proof["max_abs"] / proof["scale"])
    assert proof["terms"] == 3
    assert "3 terms" in proof["why"]
    assert proof["reads"] == ["decoder.layers.0.cross_attn.masked_scores"]
    assert proof["rule"].startswith("<math")
    assert proof["source"].startswith("def replay(self, operands")
    assert "max-age" in answer.headers["cache-control"]


def test_a_masks_values_are_allowed_and_blocked(client: TestClient, trace: dict[str, Any]) -> None:
    proof = client.get(f"/api/traces/{trace['id']}/proofs/masks.causal").json()
    assert (proof["recorded"], proof["replayed"], proof["tolerance"]) == (True, True, 0)


@pytest.mark.parametrize(
    ("name", "says"),
    [("src_ids", "given"), ("src_embed.table", "drawn at random"), ("encoder.layers.0.self_attn.w_q", "parameter")],
)
def test_a_leaf_says_why_there_is_nothing_to_compute_again(
    client: TestClient, trace: dict[str, Any], name: str, says: str
) -> None:
    proof = client.get(f"/api/traces/{trace['id']}/proofs/{name}").json()
    assert proof["leaf"] is True
    assert says in proof["says"]


def test_a_trained_parameter_says_that_it_was_learned(client: TestClient) -> None:
    id = client.post("/api/traces", json={"model": "copy", "src": "3 4", "tgt": "3 4"}).json()["id"]
    assert "learned" in client.get(f"/api/traces/{id}/proofs/generator.w").json()["says"]


def test_a_whole_trace_is_proved(client: TestClient, trace: dict[str, Any]) -> None:
    answer = client.get(f"/api/traces/{trace['id']}/proof")
    verdict = answer.json()
    VerdictOut.model_validate(verdict)
    assert verdict["passes"] is True
    assert verdict["tensors"] + sum(verdict["leaves"].values()) == len(trace["records"])
    assert verdict["failures"] == []
    assert verdict["unwatched"] == {"cells": 20, "different": 0, "max_abs": 0.0, "passes": True}
    assert len(verdict["reference"]["layers"]) == 4
    assert "max-age" in answer.headers["cache-control"]


def test_what_the_library_cannot_compute_is_said(client: TestClient, trace: dict[str, Any]) -> None:
    made = client.post("/api/traces", json=trace["recipe"] | {"options": {"norm_divisor": "n-1"}}).json()
    reference = client.get(f"/api/traces/{made['id']}/proof").json()["reference"]
    assert reference["layers"] == []
    assert "n − 1" in reference["why_not"]


@pytest.mark.parametrize("address", ["proofs/nothing", "proofs/..%2flogits"])
def test_a_name_that_is_no_tensor_is_not_found(client: TestClient, trace: dict[str, Any], address: str) -> None:
    assert client.get(f"/api/traces/{trace['id']}/{address}").status_code == 404


def test_what_is_no_trace_has_no_proof(client: TestClient) -> None:
    assert client.get("/api/traces/eyJ9/proof").status_code == 404
