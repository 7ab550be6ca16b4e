"""Greedy decoding: what is fed, what is chosen, and when it stops."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import torch
from glassformer.model.decoding import Decoding, DecodingRecipe, DecodingStep
from glassformer.model.errors import FinishedError, InputError
from glassformer.model.library import Library
from glassformer.model.running import run

import glassformer


def decode(model: str, *src: str, **more: object) -> list[DecodingStep]:
    return list(glassformer.decode(model, src=list(src), **more))  # type: ignore[arg-type]


def test_the_first_input_is_start_and_the_prefix_grows_by_what_was_chosen() -> None:
    steps = decode("tiny", "dog run", max_steps=4)
    assert [token.text for token in steps[0].rows[0].prefix] == ["<start>"]
    for before, after in pairwise(steps):
        assert after.rows[0].prefix == (*before.rows[0].prefix, before.rows[0].chosen)


def test_each_row_has_its_own_end_and_is_padded_after_it() -> None:
    steps = decode("copy", "5 6 7", "8")
    assert [step.rows[1].reason for step in steps] == [None, "end", None, None]
    assert [step.rows[0].reason for step in steps] == [None, None, None, "end"]
    assert [step.rows[1].chosen.text for step in steps] == ["8", "<end>", "<pad>", "<pad>"]
    assert [row.text for row in steps[-1].rows] == ["5 6 7", "8"]


def test_a_decoding_without_an_end_token_stops_at_the_limit() -> None:
    steps = decode("tiny", "dog run", max_steps=3)
    assert [step.rows[0].reason for step in steps] == [None, None, "length"]
    assert [step.finished for step in steps] == [False, False, True]


def test_a_step_after_the_end_is_refused() -> None:
    decoding = Decoding(DecodingRecipe("tiny", ("dog",), 2), Library())
    with pytest.raises(FinishedError, match="ended with step 1; there is no step 5"):
        decoding.step(5)


def test_each_step_is_the_real_forward_pass_of_its_prefix() -> None:
    library = Library()
    decoding = Decoding(DecodingRecipe("tiny", ("dog run", "cat"), 4), library)
    for index in range(4):
        step, trace = decoding.step(index)
        assert trace is not None
        again = run(step.recipe, library)
        assert list(again) == list(trace)
        assert all(torch.equal(trace[name].value, again[name].value) for name in again)


def test_the_encoder_runs_once() -> None:
    decoding = Decoding(DecodingRecipe("tiny", ("dog run",), 3), Library())
    memories = []
    for index in range(3):
        _, trace = decoding.step(index)
        assert trace is not None
        memories.append(trace["memory"].value)
    assert all(memory is memories[0] for memory in memories)


def test_greedy_output_fed_back_as_the_target_predicts_itself() -> None:
    text = decode("pig-latin", "the dog")[-1].rows[0].text
    trace = glassformer.trace("pig-latin", src="the dog", tgt=text)
    assert trace["logits"].value.argmax(-1).equal(trace["loss.labels"].value)


def test_equal_logits_go_to_the_lowest_id() -> None:
    logits = np.array([1.0, 3.0, 3.0, 2.0], dtype=np.float32)
    assert np.argsort(-logits, kind="stable")[0] == 1
    library = Library()
    network = library.get("tiny").network
    network.generator.w.zero_()
    row = Decoding(DecodingRecipe("tiny", ("dog",), 1), library).step(0)[0].rows[0]
    assert (row.chosen.id, row.margin) == (0, 0.0)


def test_the_candidates_come_in_order_with_their_probabilities() -> None:
    row = decode("pig-latin", "dog", max_steps=1)[0].rows[0]
    logits = [candidate.logit for candidate in row.top]
    assert logits == sorted(logits, reverse=True)
    assert row.chosen == row.top[0].token
    assert row.margin == pytest.approx(logits[0] - logits[1])
    assert row.top[0].probability == pytest.approx(np.exp(row.top[0].log_prob))


@pytest.mark.parametrize("max_steps", [0, -1, True, 1.5])
def test_a_number_of_steps_that_is_none_is_refused(max_steps: object) -> None:
    with pytest.raises(InputError, match="max_steps is"):
        decode("tiny", "dog", max_steps=max_steps)
