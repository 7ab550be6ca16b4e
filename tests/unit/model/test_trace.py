"""Traces: statistics that leave out what is not finite, axes that stay, records that say what they are."""

from __future__ import annotations

import math

import numpy as np
import pytest
from fixtures import CAUSAL_WEIGHTS, attend
from glassformer.model.errors import UnknownNameError
from glassformer.model.summary import summarise
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import ones

import glassformer


def test_statistics_of_causal_scores_leave_out_what_is_blocked() -> None:
    masked = attend(ones(3, 3).bool().tril())["masked_scores"]
    summary = summarise(masked.numpy())
    assert (summary.finite, summary.negative_infinity, summary.nan, summary.positive_infinity) == (6, 3, 0, 0)
    found = (summary.min, summary.max, summary.mean, summary.std)
    assert found == pytest.approx((0, 1.414214, 0.707107, 0.408248), abs=1e-5)


def test_statistics_of_weights_count_exact_zeros() -> None:
    assert summarise(CAUSAL_WEIGHTS.numpy()).zero == 3


def test_a_tensor_without_a_finite_value_has_no_statistics() -> None:
    summary = summarise(np.array([math.nan, -math.inf, math.inf], dtype=np.float32))
    assert (summary.min, summary.max, summary.mean, summary.std) == (None, None, None, None)
    assert (summary.nan, summary.negative_infinity, summary.positive_infinity) == (1, 1, 1)


@given(st.lists(st.floats(width=32, allow_nan=True, allow_infinity=True), max_size=40))
@settings(max_examples=80, deadline=None)
def test_every_cell_is_counted_once(cells: list[float]) -> None:
    summary = summarise(np.array(cells, dtype=np.float32))
    assert summary.finite + summary.nan + summary.positive_infinity + summary.negative_infinity == len(cells)
    finite = [cell for cell in cells if math.isfinite(cell)]
    assert (summary.min, summary.max) == ((min(finite), max(finite)) if finite else (None, None))


def test_one_sentence_of_one_token_keeps_all_its_axes() -> None:
    trace = glassformer.trace("copy", src="5", tgt="5")
    assert trace["encoder.layers.0.self_attn.weights"].shape == (1, 4, 1, 1)
    assert trace["src_ids"].shape == (1, 1)


def test_repeated_words_stay_apart() -> None:
    trace = glassformer.trace("tiny", src="dog cat dog", tgt="dog")
    assert trace["encoder.layers.0.self_attn.weights"].shape == (1, 2, 4, 4)
    assert [token.text for token in trace.batch.src[0]] == ["<start>", "dog", "cat", "dog"]


def test_a_name_that_is_no_tensor_is_an_error_that_says_so() -> None:
    trace = glassformer.trace("tiny", src="dog", tgt="dog")
    assert "decoder" not in trace
    with pytest.raises(UnknownNameError, match="no tensor is named 'decoder' in this trace of tiny"):
        trace["decoder"]


def test_values_cannot_be_changed_through_what_is_sent() -> None:
    values = glassformer.trace("tiny", src="dog", tgt="dog")["logits"].numpy()
    with pytest.raises(ValueError, match="read-only"):
        values[0] = 0
