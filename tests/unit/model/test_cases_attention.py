"""Reported faults of attention and its masks, with the right values."""

from __future__ import annotations

import math

import pytest
import torch
from fixtures import CAUSAL_OUTPUT, CAUSAL_WEIGHTS, OUTPUT, SCALED, WEIGHTS, attend
from glassformer.model.attention import join_heads, split_heads
from glassformer.model.library import sketch
from glassformer.model.masks import Mask, softmax_over_keys
from glassformer.model.parameters import count_parameters
from networks import LABELS, SRC, TGT, make, watch
from torch.nn import functional as F
from torch.testing import assert_close

EVERYTHING = torch.ones(3, 3, dtype=torch.bool)
CAUSAL = EVERYTHING.tril()
THIRD_IS_PADDING = torch.tensor([[True, True, False]]).expand(3, 3)


def test_scores_are_divided_by_the_root_of_d_k() -> None:
    shown = attend(EVERYTHING)
    assert_close(shown["scaled_scores"], SCALED, atol=1e-5, rtol=0)
    assert_close(shown["weights"], WEIGHTS, atol=1e-5, rtol=0)
    assert_close(shown["heads"], OUTPUT, atol=1e-5, rtol=0)


def test_weights_sum_to_one_along_the_keys() -> None:
    assert_close(attend(EVERYTHING)["weights"].sum(1), torch.ones(3))


def test_the_causal_mask_is_the_right_way_up() -> None:
    shown = attend(CAUSAL)
    assert_close(shown["weights"], CAUSAL_WEIGHTS, atol=1e-5, rtol=0)
    assert_close(shown["heads"], CAUSAL_OUTPUT, atol=1e-5, rtol=0)
    library = F.scaled_dot_product_attention(shown["q"], shown["k"], shown["v"], attn_mask=CAUSAL)
    assert_close(shown["heads"], library)


def test_padding_gets_weight_zero_and_the_rest_still_sums_to_one() -> None:
    shown = attend(THIRD_IS_PADDING)
    assert_close(shown["weights"][0], torch.tensor([0.669762, 0.330238, 0.0]), atol=1e-5, rtol=0)
    assert_close(shown["heads"][0], torch.tensor([0.669762, 0.330238]), atol=1e-5, rtol=0)


def test_blocked_scores_are_minus_infinity_and_never_a_large_number() -> None:
    masked = attend(CAUSAL)["masked_scores"]
    assert torch.equal(masked.isneginf(), ~CAUSAL)


def test_a_row_without_any_key_has_weights_zero_and_output_zero() -> None:
    allowed = EVERYTHING.clone()
    allowed[1] = False
    shown = attend(allowed)
    assert torch.equal(shown["weights"][1], torch.zeros(3))
    assert torch.equal(shown["heads"][1], torch.zeros(2))
    assert_close(shown["weights"][0], WEIGHTS[0], atol=1e-5, rtol=0)


def test_a_sentence_of_padding_makes_no_nan_anywhere() -> None:
    network, _ = make()
    src = torch.tensor([[1, 3, 4, 2], [0, 0, 0, 0]])
    recorded = watch(network, src=src)
    assert [name for name, value in recorded.values.items() if value.is_floating_point() and value.isnan().any()] == []
    assert (recorded.values["encoder.layers.0.self_attn.weights"][1] == 0).all()


def test_a_row_without_any_key_poisons_no_gradient() -> None:
    network, _ = make()
    network.requires_grad_(True)
    logits = network(torch.tensor([[1, 3, 4, 2], [0, 0, 0, 0]]), TGT)
    F.cross_entropy(logits[0], LABELS[0]).backward()
    assert all(
        weights.grad is not None and weights.grad.isfinite().all() for weights in network.parameters() if weights.requires_grad
    )


def test_half_precision_scores_can_be_masked_and_softened() -> None:
    for dtype in (torch.float16, torch.bfloat16):
        scores = torch.tensor([[[[-20.0, 3.0], [1.0, -math.inf]]]], dtype=dtype)
        weights = softmax_over_keys(scores, Mask.of(torch.tensor([[[True, True], [True, False]]])))
        assert_close(weights.float().sum(-1), torch.ones(1, 1, 2), atol=1e-2, rtol=0)


def test_heads_are_split_by_columns() -> None:
    heads = split_heads(torch.arange(12.0).view(1, 3, 4), 2)
    assert heads[0, 0].tolist() == [[0, 1], [4, 5], [8, 9]]
    assert heads[0, 1].tolist() == [[2, 3], [6, 7], [10, 11]]


def test_heads_are_joined_by_columns() -> None:
    joined = join_heads(torch.arange(8.0).view(1, 2, 2, 2))
    assert joined[0].tolist() == [[0, 1, 4, 5], [2, 3, 6, 7]]


@pytest.mark.parametrize("n_heads", [1, 2, 4, 8])
def test_the_number_of_heads_does_not_change_the_parameter_count(n_heads: int) -> None:
    network, _ = make(n_heads=n_heads)
    blocks = {block.name: block for block in count_parameters(sketch(network.config)).blocks}
    assert blocks["encoder.layers.0.self_attn"].count == 288


def test_later_target_tokens_do_not_move_earlier_rows() -> None:
    network, _ = make()
    first = watch(network, tgt=torch.tensor([[1, 3, 4], [1, 2, 3]]))
    second = watch(network, tgt=torch.tensor([[1, 3, 2], [1, 2, 4]]))
    assert torch.equal(first.values["logits"][:, :2], second.values["logits"][:, :2])


def test_without_the_causal_mask_they_do() -> None:
    network, _ = make(causal=False)
    first = network(SRC, torch.tensor([[1, 3, 4], [1, 2, 3]]))
    second = network(SRC, torch.tensor([[1, 3, 2], [1, 2, 4]]))
    assert (first[:, 0] - second[:, 0]).abs().max() > 1e-3


def test_padding_of_the_source_does_not_change_real_rows() -> None:
    network, _ = make()
    alone = network(torch.tensor([[1, 2]]), torch.tensor([[1, 2]]))
    padded = network(torch.tensor([[1, 2, 0, 0]]), torch.tensor([[1, 2, 0]]))
    assert_close(padded[:, :2], alone)


def test_the_weights_above_the_diagonal_are_exactly_zero_when_recorded() -> None:
    weights = watch(make()[0]).values["decoder.layers.0.self_attn.weights"]
    assert (weights.triu(1) == 0).all()


def test_cross_attention_has_target_rows_and_source_columns() -> None:
    assert watch(make()[0]).values["decoder.layers.0.cross_attn.weights"].shape == (2, 2, 3, 4)
