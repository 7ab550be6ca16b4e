"""A thousand random cells of each model, and explanations over HTTP."""

from __future__ import annotations

import random
from typing import Any

import pytest
from combining import combine
from fastapi.testclient import TestClient
from glassformer.app.schemas.explanations import ExplanationOut
from glassformer.model.catalogue import CATALOGUE

import glassformer

CELLS = 1000
WEIGHTS = "decoder.layers.0.cross_attn.weights"
SCORES = "decoder.layers.0.cross_attn.scores"


@pytest.mark.parametrize("model", CATALOGUE)
def test_terms_of_a_thousand_random_cells_make_their_values(model: str) -> None:
    example = CATALOGUE[model].examples[0]
    trace = glassformer.trace(model, src=list(example.src), tgt=list(example.tgt))
    dice, taps = random.Random(11), [name for name, record in trace.items() if not record.entry.step.leaf]
    for _ in range(CELLS):
        name = dice.choice(taps)
        explanation = trace.explain(name, tuple(dice.randrange(size) for size in trace[name].shape))
        recorded = float(explanation.value)
        combined, size = combine(explanation)
        for other in (combined, float(explanation.result)):
            assert other == recorded or abs(other - recorded) <= 1e-5 * size, (name, explanation.cell, other, recorded)


def ask(client: TestClient, trace: dict[str, Any], name: str, cell: str, **query: Any) -> dict[str, Any]:
    """Return an explanation, after checking its form and that its terms are the tensor's own cells."""
    answer = client.get(f"/api/traces/{trace['id']}/explanations/{name}", params={"cell": cell, **query})
    assert answer.status_code == 200, answer.text
    found = dict(answer.json())
    ExplanationOut.model_validate(found, strict=True)
    assert len(found["terms"]) == sum(operand["shown"] for operand in found["operands"])
    for operand in found["operands"]:
        for term in found["terms"][operand["first"] : operand["first"] + operand["shown"]]:
            assert term["name"] == operand["name"]
            for place, fixed in zip(term["cell"], operand["cell"], strict=True):
                assert fixed in (None, place)
    return found


def test_an_explanation_says_what_the_documents_promise(client: TestClient, trace: dict[str, Any]) -> None:
    found = ask(client, trace, SCORES, "0,1,1,2")
    assert (found["step"], found["leaf"], found["count"], found["along"]) == ("dot", False, 4, {"axis": "d_k", "over": "d_k"})
    assert [operand["cell"] for operand in found["operands"]] == [[0, 1, 1, None], [0, 1, 2, None]]
    assert [operand["takes"] for operand in found["operands"]] == [[0, 1, 2, None], [0, 1, 3, None]]
    q, k = ([term["value"] for term in found["terms"][i : i + 4]] for i in (0, 4))
    assert found["columns"][0]["values"] == pytest.approx([x * y for x, y in zip(q, k, strict=True)])
    assert found["columns"][0]["total"] == pytest.approx(found["value"], rel=1e-5)
    assert found["columns"][1]["values"][-1] == pytest.approx(found["columns"][0]["total"])
    assert found["rule"].startswith("<math")
    ours = glassformer.trace("tiny", src=["dog run", "cat run"], tgt=["dog run", "cat run"]).explain(SCORES, (0, 1, 1, 2))
    assert (found["value"], found["result"], found["says"]) == (ours.value, ours.result, ours.working.says)


def test_operands_of_an_equation_are_links(client: TestClient, trace: dict[str, Any]) -> None:
    found = ask(client, trace, "encoder.layers.0.self_attn_residual.norm.out", "0,1,5")
    [equation] = found["equations"]
    links = [part["operand"] for part in equation["parts"] if isinstance(part, dict)]
    assert [found["operands"][i]["role"] for i in links] == ["gain", "x", "offset"]
    assert equation["value"] == pytest.approx(found["value"], rel=1e-5)


def test_infinities_masks_and_tokens_are_said_in_json(client: TestClient, trace: dict[str, Any]) -> None:
    blocked = ask(client, trace, "decoder.layers.0.self_attn.masked_scores", "0,0,0,1")
    assert (blocked["value"], blocked["result"], blocked["difference"]) == ("-Infinity", "-Infinity", 0)
    assert [term["value"] for term in blocked["terms"] if term["name"].startswith("masks.")] == [False]
    assert blocked["because"][0]["name"] == "masks.causal"
    weights = ask(client, trace, "decoder.layers.0.self_attn.weights", "0,0,0,1")
    assert "-Infinity" in [term["value"] for term in weights["terms"]]
    embedded = ask(client, trace, "src_embed.embedded", "0,1,4")
    assert embedded["terms"][0] == {"name": "src_ids", "cell": [0, 1], "value": 3, "text": "dog"}
    assert embedded["operands"][1]["takes"] == [-1, 2]
    assert ask(client, trace, "src_ids", "0,1")["text"] == "dog"
    assert ask(client, trace, "loss.mean", "")["cell"] == []


def test_a_long_table_comes_in_parts(client: TestClient, trace: dict[str, Any]) -> None:
    largest = ask(client, trace, "generator.out", "0,0,2", order="size", count=3)
    products = largest["columns"][0]
    assert (largest["count"], len(largest["places"]), largest["rest"]["count"]) == (8, 3, 5)
    assert sum(products["values"]) + largest["rest"]["totals"][0] == pytest.approx(products["total"])
    assert abs(products["values"][0]) >= abs(products["values"][1]) >= abs(products["values"][2])
    rest = ask(client, trace, "generator.out", "0,0,2", order="size", start=3, count=64)
    assert sorted(largest["places"] + rest["places"]) == list(range(8))
    assert ask(client, trace, "generator.out", "0,0,2", start=100)["places"] == []


@pytest.mark.parametrize(
    ("query", "status", "where", "words"),
    [
        ("cell=0,9,0", 422, "cell", "its shape is (2, 2, 5) (batch, tgt, vocab)"),
        ("cell=0,0", 422, "cell", "its shape is (2, 2, 5)"),
        ("cell=0,-1,0", 422, "cell", "one place for each axis"),
        ("cell=a", 422, "cell", "one place for each axis"),
        ("", 422, "cell", "its shape is"),
        ("cell=0,0,0&order=name", 422, "order", "place or size"),
        ("cell=0,0,0&count=1025", 422, "count", "from 1 to 1024"),
        ("cell=0,0,0&count=0", 422, "count", "from 1 to 1024"),
        ("cell=0,0,0&start=-1", 422, "start", "at least 0"),
        ("cell=0,0,0&start=x", 422, "start", "integer"),
    ],
)
def test_what_cannot_be_explained_is_refused(
    client: TestClient, trace: dict[str, Any], query: str, status: int, where: str, words: str
) -> None:
    answer = client.get(f"/api/traces/{trace['id']}/explanations/logits?{query}")
    assert answer.status_code == status
    error = answer.json()["error"]
    assert error["where"] == where
    assert words in error["message"]


def test_a_tensor_that_is_not_there_has_no_explanation(client: TestClient, trace: dict[str, Any]) -> None:
    answer = client.get(f"/api/traces/{trace['id']}/explanations/nothing?cell=0")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
