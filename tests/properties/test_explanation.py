"""Every cell of every tensor is explained: its terms combine to the recorded value, and each term is a cell of its operand."""

from __future__ import annotations

import inspect
import math
import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from combining import RULES, combine
from glassformer.model import steps
from glassformer.model.errors import InputError, UnknownNameError
from glassformer.model.explanation import Explanation
from glassformer.model.explanation_table import tabulate
from glassformer.model.steps import Step
from glassformer.model.taps import Tap
from glassformer.model.trace import Trace
from hypothesis import given, settings
from hypothesis import strategies as st
from networks import VARIANTS

import glassformer

EXAMPLE: dict[str, Any] = {"src": ["dog run", "cat"], "tgt": ["dog run cat", "cat"]}
SIZES = {"d_model": 8, "n_heads": 2, "d_ff": 12, "n_layers": 1}

each_variant = pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS.keys())


def run(options: dict[str, Any] | None = None, **inputs: Any) -> Trace:
    """Run `tiny` under options; without sentences, on two of different length."""
    return glassformer.trace("tiny", **(EXAMPLE | inputs), options=SIZES | (options or {}))


def check(explanation: Explanation) -> None:
    """The terms combine to the recorded value, are what the operands hold, and the reported difference is true."""
    trace, recorded = explanation.trace, float(explanation.value)
    assert explanation.value == trace[explanation.name].value[explanation.cell].item() or math.isnan(recorded)
    for line in explanation.working.operands:
        assert line.name in explanation.entry.step.reads
        for row in {0, line.values.size - 1}:
            held = trace[line.name].value[line.cell_at(row)].item()
            assert held == line.values[row] or (math.isnan(held) and math.isnan(line.values[row]))
    if explanation.entry.step.leaf:
        assert explanation.working.operands == ()
        return
    combined, size = combine(explanation)
    for other in (combined, float(explanation.result)):
        same = other == recorded or (math.isnan(other) and math.isnan(recorded))
        assert same or abs(other - recorded) <= 1e-5 * size, (explanation.name, explanation.cell, other, recorded)
    assert explanation.difference <= 1e-5 * size


def cells_of(trace: Trace, name: str, dice: random.Random, most: int) -> list[tuple[int, ...]]:
    """Draw some cells of a tensor."""
    return [tuple(dice.randrange(size) for size in trace[name].shape) for _ in range(most)]


@each_variant
@pytest.mark.parametrize("mode", ["eval", "train"])
def test_every_tensor_is_explained_by_terms_that_make_its_value(options: dict[str, Any], mode: str) -> None:
    trace, dice = run({**options, "mode": mode}), random.Random(5)
    for name in trace:
        for cell in cells_of(trace, name, dice, 3):
            check(trace.explain(name, cell))


@dataclass(frozen=True)
class Drawn:
    """A run that Hypothesis has drawn, and a place in it as shares of the sizes."""

    options: dict[str, Any]
    src: list[str]
    tgt: list[str]
    seed: int


words = st.lists(st.sampled_from(["cat", "dog", "run", "<pad>"]), min_size=1, max_size=5).map(" ".join)


@st.composite
def runs(draw: st.DrawFn) -> Drawn:
    heads = draw(st.integers(1, 3))
    options = {
        "n_heads": heads,
        "d_model": heads * draw(st.integers(1, 4)),
        "d_ff": draw(st.integers(1, 9)),
        "n_layers": draw(st.integers(1, 2)),
        "norm": draw(st.sampled_from(["pre", "post"])),
        "activation": draw(st.sampled_from(["relu", "gelu"])),
        "bias": draw(st.booleans()),
        "causal": draw(st.booleans()),
        "mask_src_padding": draw(st.booleans()),
        "positions": draw(st.sampled_from(["sinusoidal", "learned"])),
        "dropout": draw(st.sampled_from([0.0, 0.4])),
        "mode": draw(st.sampled_from(["eval", "train"])),
    }
    batch = draw(st.integers(1, 3))
    sentences = st.lists(words, min_size=batch, max_size=batch)
    return Drawn(options, draw(sentences), draw(sentences), draw(st.integers(0, 9)))


@settings(max_examples=25)
@given(drawn=runs(), data=st.data())
def test_terms_make_the_value_in_random_networks(drawn: Drawn, data: st.DataObject) -> None:
    trace = glassformer.trace("tiny", src=drawn.src, tgt=drawn.tgt, options=drawn.options, seed=drawn.seed)
    for name in data.draw(st.lists(st.sampled_from(list(trace)), min_size=10, max_size=10, unique=True)):
        cell = tuple(data.draw(st.integers(0, size - 1)) for size in trace[name].shape)
        check(trace.explain(name, cell))


def test_a_row_without_any_key_says_why_its_weights_are_zero() -> None:
    trace, dice = glassformer.trace("copy", src=["nothing known", "2 3"], tgt=["2 3", "2 3"]), random.Random(3)
    assert not trace["masks.cross_attn"].value[0].any(), "every key of sentence 1 is blocked"
    weight = trace.explain("decoder.layers.0.cross_attn.weights", (0, 1, 2, 1))
    assert weight.value == weight.result == 0
    assert "Every key of this row is blocked" in weight.working.says
    for name in trace:
        for cell in cells_of(trace, name, dice, 3):
            check(trace.explain(name, cell))


def test_blocked_cells_name_the_mask_that_blocks_them() -> None:
    trace = run()
    later = trace.explain("decoder.layers.0.self_attn.masked_scores", (0, 1, 0, 2))
    assert later.value == -math.inf
    assert later.difference == 0
    assert [reason.name for reason in later.because] == ["masks.causal"]
    assert "Key 2 stands later than query 0" in later.because[0].says
    weight = trace.explain("decoder.layers.0.self_attn.weights", (0, 1, 0, 2))
    assert (weight.value, weight.result) == (0, 0)
    assert "This key is blocked" in weight.working.says

    padding = trace.explain("encoder.layers.0.self_attn.masked_scores", (1, 0, 0, 2))
    assert padding.value == -math.inf
    assert [(reason.name, reason.cell) for reason in padding.because] == [("masks.src_not_padding", (1, 2))]

    allowed = trace.explain("decoder.layers.0.self_attn.masked_scores", (0, 1, 2, 0))
    assert {reason.name for reason in allowed.because} == {"masks.causal", "masks.tgt_not_padding"}


def test_an_attention_weight_is_followed_back_to_its_token() -> None:
    """From a probability to a token id, by first operands alone."""
    trace = run()
    name, cell, way = "probs", (0, 0, 3), []
    while not trace[name].entry.step.leaf:
        way.append(trace[name].entry.step.kind)
        line = trace.explain(name, cell).working.operands[0]
        row = int(np.argmax(np.abs(line.values)))
        name, cell = line.name, line.cell_at(row)
    assert name in ("src_ids", "tgt_ids")
    assert way[:2] == ["exp", "log_softmax"]
    assert way[-1] == "embed"
    assert "Given: position" in str(trace.explain(name, cell))


def test_worked_numbers_of_a_score_stand_in_its_table() -> None:
    trace = run()
    explanation = trace.explain("decoder.layers.0.cross_attn.scores", (0, 1, 1, 2))
    q = trace["decoder.layers.0.cross_attn.q"].numpy()[0, 1, 1].astype(np.float64)
    k = trace["decoder.layers.0.cross_attn.k"].numpy()[0, 1, 2].astype(np.float64)
    products, sums = explanation.working.columns
    table = tabulate(explanation.working)
    assert np.array_equal(products.values, q * k)
    assert sums.running
    assert np.allclose(table.columns[1], np.cumsum(q * k))
    assert [onward.name for onward in explanation.then] == ["decoder.layers.0.cross_attn.scaled_scores"]
    assert onward_value(trace, explanation) == explanation.then[0].value


def onward_value(trace: Trace, explanation: Explanation) -> float:
    """Return what the tensor that goes on holds at the same place."""
    return float(trace[explanation.then[0].name].value[explanation.cell])


def test_a_table_shows_the_largest_rows_first_and_what_the_others_come_to() -> None:
    working = run().explain("generator.out", (0, 0, 2)).working
    shown = tabulate(working, order="size", start=0, count=3)
    products = working.columns[0].values
    assert sorted(np.abs(products), reverse=True)[:3] == pytest.approx(list(np.abs(shown.columns[0])))
    assert shown.rest == 5
    assert shown.rest_totals[1] is None
    assert shown.columns[0].sum() + shown.rest_totals[0] == pytest.approx(products.sum())
    assert shown.totals[0] == pytest.approx(products.sum())
    second = tabulate(working, order="size", start=3, count=3)
    assert set(shown.places).isdisjoint(second.places)
    assert second.columns[1][0] == pytest.approx(shown.columns[1][-1] + second.columns[0][0]), "the running sum goes on"


@pytest.mark.parametrize(
    ("name", "cell"),
    [("logits", (0, 0)), ("logits", (0, 0, 5)), ("logits", (0, -1, 0)), ("loss.mean", (0,)), ("logits", (0, 0, 1.0))],
)
def test_a_cell_outside_is_refused_with_the_shape(name: str, cell: Any) -> None:
    with pytest.raises(InputError, match=r"outside|single number"):
        run().explain(name, cell)


def test_an_unknown_tensor_is_refused() -> None:
    with pytest.raises(UnknownNameError, match=r"no tensor is named 'logit'"):
        run().explain("logit", (0,))


def test_leaves_say_how_they_came_to_be() -> None:
    trace = run({"dropout": 0.5, "mode": "train"})
    assert "“dog”, token 3" in trace.explain("src_ids", (0, 1)).working.says
    assert "labels, sentence 2, is “cat”" in trace.explain("loss.labels", (1, 0)).working.says
    assert "not trained: set at the start (seed 1)" in trace.explain("src_embed.table", (1, 1)).working.says
    says = {trace.explain("src_embed.dropout.multiplier", (0, 0, column)).working.says for column in range(8)}
    assert len(says) == 2
    assert all(text.startswith("The die fell:") for text in says)
    assert "learned in training" in glassformer.trace("copy", src="1 2", tgt="1 2").explain("generator.w", (0, 0)).working.says


def test_an_explanation_reads_as_text_and_as_html() -> None:
    trace = run()
    text = str(trace.explain("decoder.layers.0.cross_attn.weights", (0, 1, 1, 2)))
    assert "2 run" in text
    assert "share" in text
    assert "e^(x − max)" in text
    assert "difference" in text
    assert "blocked" in str(trace.explain("decoder.layers.0.self_attn.masked_scores", (0, 1, 0, 2)))
    page = trace.explain("decoder.layers.0.cross_attn.weights", (0, 1, 1, 2))._repr_html_()
    assert "&lt;start&gt;" in page
    assert "<start>" not in page
    assert page.count("<table>") == 1


@each_variant
def test_every_text_can_be_written(options: dict[str, Any]) -> None:
    trace, dice = run(options), random.Random(7)
    for name in trace:
        [cell] = cells_of(trace, name, dice, 1)
        explanation = trace.explain(name, cell)
        assert explanation.working.says.endswith(".")
        assert name in str(explanation)
        assert explanation._repr_html_()


def test_a_step_without_an_explanation_cannot_be_made() -> None:
    class Silent(Step):
        kind = "silent"

        def replay(self, operands: Any, target: Any) -> Any:
            return operands[0].value

    with pytest.raises(TypeError, match="explain"):
        Silent()  # type: ignore[abstract]
    with pytest.raises(AssertionError, match="a tap needs a step"):
        Tap("batch", "x", "same")  # type: ignore[arg-type]


def test_every_kind_of_step_has_a_rule_of_its_own_here() -> None:
    kinds = {
        step.kind
        for _, step in inspect.getmembers(steps, inspect.isclass)
        if issubclass(step, Step) and not inspect.isabstract(step) and not step.leaf and step is not steps.Contract
    }
    assert kinds == RULES.keys()
