"""Reported faults of embeddings and positions, with the right values."""

from __future__ import annotations

import pytest
import torch
from fixtures import POSITION_10_OF_8, POSITIONS_4
from glassformer.model.config import ModelConfig
from glassformer.model.ends import Embedding, embedding_table, sinusoidal_positions
from glassformer.model.errors import ConfigError, InputError
from glassformer.model.steps import Sinusoid
from torch.testing import assert_close

import glassformer


def test_positions_have_the_papers_frequencies() -> None:
    assert_close(sinusoidal_positions(4, 4), POSITIONS_4, atol=1e-5, rtol=0)
    assert_close(sinusoidal_positions(11, 8)[10], POSITION_10_OF_8, atol=1e-5, rtol=0)


def test_every_position_has_the_same_length() -> None:
    assert_close(sinusoidal_positions(50, 64).norm(dim=1), torch.full((50,), 32**0.5))


def test_the_replays_own_formula_gives_the_same_positions() -> None:
    rows = [[Sinusoid.cell(pos, column, 4) for column in range(4)] for pos in range(4)]
    assert_close(torch.tensor(rows), POSITIONS_4, atol=1e-5, rtol=0)


def test_an_odd_width_ends_in_a_sine() -> None:
    assert_close(
        sinusoidal_positions(2, 5)[1], torch.tensor([0.841471, 0.540302, 0.025116, 0.999685, 0.000631]), atol=1e-5, rtol=0
    )


@pytest.mark.parametrize(
    ("scale", "row"),
    [(True, [1.041471, 0.140302, 0.010000, 1.599950]), (False, [0.941471, 0.340302, 0.010000, 1.299950])],
)
def test_the_embedding_is_scaled_before_positions_are_added(scale: bool, row: list[float]) -> None:
    config = ModelConfig(vocab_size=2, d_model=4, n_heads=1, d_ff=4, n_layers=1, scale_embedding=scale)
    table = embedding_table(config)
    embedding = Embedding(config, "src", table.requires_grad_(False), {"ids": "src_ids"})
    table.copy_(torch.tensor([[0.0, 0.0, 0.0, 0.0], [0.1, -0.2, 0.0, 0.3]]))
    assert_close(embedding(torch.tensor([[0, 1]]))[0, 1], torch.tensor(row), atol=1e-5, rtol=0)


def test_the_position_example_of_the_worked_page() -> None:
    x = torch.tensor([[0.1, 0.2, 0.3, 0.4], [0.2, 0.3, 0.4, 0.5], [0.3, 0.4, 0.5, 0.6], [0.4, 0.5, 0.6, 0.7]])
    rows = [[0.1, 1.2, 0.3, 1.4], [1.041, 0.840, 0.410, 1.500], [1.209, -0.016, 0.520, 1.600], [0.541, -0.490, 0.630, 1.700]]
    assert_close(x + sinusoidal_positions(4, 4), torch.tensor(rows), atol=5.1e-4, rtol=0)


def test_a_sentence_longer_than_the_table_is_refused_before_the_pass() -> None:
    with pytest.raises(InputError, match="the source has 6 tokens; this model takes 5"):
        glassformer.trace("tiny", src="dog run cat dog run", tgt="dog", options={"max_length": 5})
    with pytest.raises(InputError, match="the target has 6 tokens; this model takes 5"):
        glassformer.trace("tiny", src="dog", tgt="dog run cat dog run cat", options={"max_length": 5})


def test_an_id_outside_the_vocabulary_is_refused_naming_the_range() -> None:
    for id in (5, -1, 2**62):
        with pytest.raises(InputError, match=f"token id {id} is outside the vocabulary: ids run from 0 to 4"):
            glassformer.trace("tiny", src="dog", prefix=[[1, id]])


def test_decoding_past_the_table_stops_with_the_reason_length() -> None:
    steps = list(glassformer.decode("tiny", src="dog", max_steps=50, options={"max_length": 5}))
    assert [step.rows[0].reason for step in steps] == [None, None, None, None, "length"]


@pytest.mark.parametrize(("d_model", "n_heads", "counts"), [(10, 3, "1, 2, 5, 10"), (1600, 48, "1, 2, 4, 5, 8, 10")])
def test_a_width_that_does_not_divide_names_both_values_and_the_head_counts_that_do(
    d_model: int, n_heads: int, counts: str
) -> None:
    with pytest.raises(ConfigError, match=rf"d_model {d_model} does not divide by n_heads {n_heads} .*: {counts}"):
        ModelConfig(vocab_size=5, d_model=d_model, n_heads=n_heads)


def test_no_heads_at_all_are_refused() -> None:
    with pytest.raises(ConfigError, match="n_heads is 0; it must be at least 1"):
        ModelConfig(vocab_size=5, d_model=128, n_heads=0)
