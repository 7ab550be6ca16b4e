"""torch.nn's own layers, given the same weights, as a second opinion."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from glassformer.model.attention import MultiHeadAttention
from glassformer.model.library import Library
from glassformer.model.recipe import Recipe
from glassformer.model.reference import TOLERANCE, compare_layer, compared_layers
from glassformer.model.running import run
from networks import LABELS, SRC, make, stir, watch
from torch import nn
from torch.nn import functional as F
from torch.testing import assert_close


def copy_attention(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    theirs.in_proj_weight.copy_(torch.cat([ours.w_q.T, ours.w_k.T, ours.w_v.T]))
    theirs.in_proj_bias.copy_(torch.cat([ours.b_q, ours.b_k, ours.b_v]))
    theirs.out_proj.weight.copy_(ours.w_o.T)
    theirs.out_proj.bias.copy_(ours.b_o)


@pytest.mark.parametrize("name", ["encoder.layers.0.self_attn", "decoder.layers.0.cross_attn"])
def test_attention_agrees_with_the_library(name: str) -> None:
    network, legend = make()
    recorded = watch(network).values
    block = network.get_submodule(name)
    assert isinstance(block, MultiHeadAttention)
    theirs = nn.MultiheadAttention(8, 2, batch_first=True).requires_grad_(False).eval()
    copy_attention(block, theirs)
    query, memory = (recorded[legend.entries[f"{name}.{tensor}"].step.reads[0]] for tensor in ("queries", "keys"))
    out, weights = theirs(query, memory, memory, key_padding_mask=SRC == 0, average_attn_weights=False)
    assert_close(recorded[f"{name}.out"], out, atol=1e-5, rtol=1e-5)
    assert_close(recorded[f"{name}.weights"], weights, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"norm": "pre", "activation": "gelu"},
        {"bias": False},
        {"causal": False, "mask_src_padding": False, "mask_tgt_padding": False},
        {"n_heads": 1, "norm_eps": 1e-3},
        {"dropout": 0.3},
    ],
)
def test_both_layers_agree_with_the_library(options: dict[str, Any]) -> None:
    library = Library()
    stir(library.get("tiny", options).network, seed=7)
    trace = run(Recipe("tiny", ("dog run cat", "cat"), ("cat run", "dog"), options=options), library)
    layers = [compare_layer(trace, name) for name in compared_layers(trace)]
    assert [layer.name for layer in layers] == [f"{side}.layers.{i}" for side in ("encoder", "decoder") for i in (0, 1)]
    assert max(layer.max_rel for layer in layers) <= TOLERANCE


def test_the_loss_agrees_with_the_library() -> None:
    recorded = watch(make()[0]).values
    theirs = F.cross_entropy(recorded["logits"].flatten(0, 1), LABELS.flatten(), ignore_index=0)
    assert_close(recorded["loss.mean"], theirs)
    assert int(recorded["loss.count"]) == 5


def test_the_explicit_path_agrees_with_the_fused_one() -> None:
    recorded = watch(make()[0]).values
    block = "decoder.layers.0.self_attn"
    fused = F.scaled_dot_product_attention(
        recorded[f"{block}.q"],
        recorded[f"{block}.k"],
        recorded[f"{block}.v"],
        attn_mask=recorded["masks.decoder_self_attn"].unsqueeze(1),
    )
    assert_close(recorded[f"{block}.heads"], fused)
