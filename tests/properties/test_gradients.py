"""Gradients of every tensor and parameter, held against central differences and against autograd on the parameters alone."""

from __future__ import annotations

import random
from typing import Any

import pytest
import torch
from glassformer.model.batch import ids_of
from glassformer.model.errors import InputError, UnknownNameError
from glassformer.model.gradients import check_gradient, gradients
from glassformer.model.library import Library
from glassformer.model.trace import Trace
from networks import VARIANTS

import glassformer

EXAMPLE: dict[str, Any] = {"src": ["dog run", "cat"], "tgt": ["dog run cat", "cat"]}
SIZES = {"d_model": 8, "n_heads": 2, "d_ff": 12, "n_layers": 1}


def run(options: dict[str, Any] | None = None, **inputs: Any) -> Trace:
    return glassformer.trace("tiny", **(EXAMPLE | inputs), options=SIZES | (options or {}))


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS.keys())
def test_gradients_of_the_parameters_are_those_of_training(options: dict[str, Any]) -> None:
    trace, batch = run(options), run(options).batch
    network = Library().get("tiny", SIZES | options).network.requires_grad_(True)
    log_probs = network(ids_of(batch.src), ids_of(batch.tgt)).log_softmax(-1)
    network.loss(log_probs, ids_of(batch.labels or ())).backward()
    for name, weights in network.named_parameters():
        theirs = torch.zeros_like(weights) if weights.grad is None else weights.grad
        torch.testing.assert_close(trace.gradients[name].value, theirs, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS.keys())
def test_every_gradient_agrees_with_central_differences(options: dict[str, Any]) -> None:
    trace, dice = run({**options, "mode": "train"}), random.Random(str(options))
    for name in dice.sample(list(trace.gradients), 5):
        check = check_gradient(trace, name, [dice.randrange(size) for size in trace[name].shape])
        assert check.passes, check
        assert check.recorded == pytest.approx(check.analytic, rel=1e-3, abs=2e-6), check


def test_gradients_have_the_axes_of_their_tensors_and_none_changes_the_run() -> None:
    trace = run()
    before = {name: record.value.clone() for name, record in trace.items()}
    found = trace.gradients
    assert {name for name in trace if trace[name].value.is_floating_point()} == set(found)
    assert all(found[name].axes == trace[name].axes and found[name].shape == trace[name].shape for name in found)
    assert all(torch.equal(trace[name].value, before[name]) for name in trace)
    assert trace.gradients is found, "worked out once"
    assert found["loss.mean"].value == 1


def test_the_gradient_of_the_logits_is_softmax_minus_target_over_the_count() -> None:
    trace = run()
    labels, counted = trace["loss.labels"].value, trace["loss.counted"].value
    expected = trace["probs"].value - torch.nn.functional.one_hot(labels, 5)
    expected = expected * counted.unsqueeze(-1) / counted.sum()
    torch.testing.assert_close(trace.gradients["logits"].value, expected, rtol=1e-5, atol=1e-7)
    assert trace.gradients["logits"].value[1, 2].eq(0).all(), "padding teaches nothing"


def test_marks_say_what_is_remarkable() -> None:
    found = run().gradients
    assert found.mark("probs") == "unread"
    assert found.mark("logits") is None
    assert found.mark("encoder.layers.0.self_attn.b_k") == "vanishing", (
        "a key bias moves a row’s scores alike: no softmax sees it"
    )
    table = run(src=["dog"], tgt=["dog"]).gradients["src_embed.table"].value
    assert table[2].eq(0).all(), "a word that is not in the sentence gets no gradient"
    assert table[3].ne(0).any()


def test_a_tied_table_has_one_gradient_for_all_its_uses() -> None:
    trace = run({"tied_embeddings": True})
    tables = [name for name in trace.gradients if name.endswith("table") or name == "generator.w"]
    assert len(tables) == 1
    check = check_gradient(trace, tables[0], (3, 2))
    assert check.passes


def test_what_has_no_gradient_is_refused() -> None:
    with pytest.raises(InputError, match="there is no loss without labels"):
        gradients(glassformer.trace("tiny", src="dog", prefix=[[1]]))
    trace = run()
    with pytest.raises(UnknownNameError, match="src_ids holds no real numbers"):
        trace.gradients["src_ids"]
    with pytest.raises(UnknownNameError, match="no tensor is named 'nothing'"):
        trace.gradients["nothing"]
    with pytest.raises(InputError, match="outside logits"):
        check_gradient(trace, "logits", (0, 0, 9))
