"""Every cell of every gradient is explained: what comes back makes the recorded gradient."""

from __future__ import annotations

import random
from typing import Any

import pytest
from glassformer.model.gradient_explanation import START, UNREAD, explain_gradient
from networks import VARIANTS

import glassformer

EXAMPLE: dict[str, Any] = {"src": ["dog run", "cat"], "tgt": ["dog run cat", "cat"]}
SIZES = {"d_model": 8, "n_heads": 2, "d_ff": 12, "n_layers": 1}


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS.keys())
def test_what_comes_back_makes_the_gradient(options: dict[str, Any]) -> None:
    trace, dice = glassformer.trace("tiny", **EXAMPLE, options=SIZES | options | {"mode": "train"}), random.Random(5)
    found = trace.gradients
    for name in dice.sample(list(found), 60):
        cell = tuple(dice.randrange(size) for size in found[name].shape)
        explanation = found.explain(name, cell)
        assert explanation.value == found[name].value[cell].item()
        assert explanation.difference <= 1e-5 * max(abs(explanation.value), found.rms[name], 1e-3) + 1e-9, (name, cell)
        for line in explanation.working.operands:
            held = (found if line.of == "gradient" else trace)[line.name].value[line.cell_at(0)].item()
            assert held == line.values[0]
        assert "gradient of " + name in str(explanation)


def test_the_last_steps_are_softmax_less_target_and_delta_times_input() -> None:
    trace = glassformer.trace("tiny", **EXAMPLE)
    logits = explain_gradient(trace, "logits", (0, 1, 4))
    assert "Softmax less target" in logits.working.says
    share = trace["probs"].value[0, 1, 4].item()
    assert logits.result == pytest.approx((share - 1) / 5 if trace["loss.count"].value == 5 else (share - 1) / 4, rel=1e-5)
    weight = explain_gradient(trace, "generator.w", (4, 2)).working
    assert "δ xᵀ" in weight.says
    assert [line.of for line in weight.operands] == ["gradient", "value"]
    assert weight.rows == 6, "two sentences of three positions"


def test_a_tensor_with_several_readers_gets_what_each_passes_back() -> None:
    trace = glassformer.trace("tiny", **EXAMPLE)
    memory = explain_gradient(trace, "memory", (0, 1, 2))
    names = [reason.name for reason in memory.because]
    assert names == [f"decoder.layers.{i}.cross_attn.{which}" for i in (0, 1) for which in ("keys", "values")]
    assert all(reason.of == "gradient" and reason.says.startswith("passes back") for reason in memory.because)


def test_the_ends_say_what_they_are() -> None:
    trace = glassformer.trace("tiny", **EXAMPLE)
    assert explain_gradient(trace, "loss.mean", ()).working.says == START
    assert explain_gradient(trace, "probs", (0, 0, 0)).working.says == UNREAD
    assert (
        "gets no gradient"
        in explain_gradient(glassformer.trace("tiny", src="dog", tgt="dog"), "src_embed.table", (2, 0)).working.says
    )
