"""torch.nn's own layers, given the same weights, as a second opinion."""

from __future__ import annotations

import pytest
import torch
from glassformer.model.attention import MultiHeadAttention
from glassformer.model.layers import FeedForward, LayerNorm
from networks import LABELS, SRC, TGT, make, watch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.testing import assert_close


def copy_attention(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    theirs.in_proj_weight.copy_(torch.cat([ours.w_q.T, ours.w_k.T, ours.w_v.T]))
    theirs.in_proj_bias.copy_(torch.cat([ours.b_q, ours.b_k, ours.b_v]))
    theirs.out_proj.weight.copy_(ours.w_o.T)
    theirs.out_proj.bias.copy_(ours.b_o)


def copy_feed_forward(ours: FeedForward, theirs: nn.TransformerEncoderLayer | nn.TransformerDecoderLayer) -> None:
    theirs.linear1.weight.copy_(ours.w_1.T)
    theirs.linear1.bias.copy_(ours.b_1)
    theirs.linear2.weight.copy_(ours.w_2.T)
    theirs.linear2.bias.copy_(ours.b_2)


def copy_norm(ours: LayerNorm, theirs: nn.LayerNorm) -> None:
    theirs.weight.copy_(ours.gain)
    theirs.bias.copy_(ours.offset)


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


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_both_layers_agree_with_the_library(norm: str, activation: str) -> None:
    network, _ = make(norm=norm, activation=activation)
    recorded = watch(network).values
    encoder = nn.TransformerEncoderLayer(8, 2, 12, 0.0, activation, batch_first=True, norm_first=norm == "pre")
    decoder = nn.TransformerDecoderLayer(8, 2, 12, 0.0, activation, batch_first=True, norm_first=norm == "pre")
    for layer in (encoder, decoder):
        layer.requires_grad_(False).eval()
    ours = network.encoder.layers[0]
    copy_attention(ours.self_attn, encoder.self_attn)
    copy_feed_forward(ours.feed_forward, encoder)
    copy_norm(ours.self_attn_residual.norm, encoder.norm1)
    copy_norm(ours.feed_forward_residual.norm, encoder.norm2)
    ours = network.decoder.layers[0]
    copy_attention(ours.self_attn, decoder.self_attn)
    copy_attention(ours.cross_attn, decoder.multihead_attn)
    copy_feed_forward(ours.feed_forward, decoder)
    copy_norm(ours.self_attn_residual.norm, decoder.norm1)
    copy_norm(ours.cross_attn_residual.norm, decoder.norm2)
    copy_norm(ours.feed_forward_residual.norm, decoder.norm3)

    last = "feed_forward_residual.sum" if norm == "pre" else "feed_forward_residual.norm.out"
    encoded = encoder(recorded["src_embed.sum"], src_key_padding_mask=SRC == 0)
    assert_close(_real(recorded[f"encoder.layers.0.{last}"], SRC), _real(encoded, SRC), atol=1e-5, rtol=1e-5)
    later = torch.ones(3, 3, dtype=torch.bool).triu(1)
    decoded = decoder(recorded["tgt_embed.sum"], recorded["memory"], later, None, TGT == 0, SRC == 0)
    assert_close(_real(recorded[f"decoder.layers.0.{last}"], TGT), _real(decoded, TGT), atol=1e-5, rtol=1e-5)


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


def _real(value: Tensor, ids: Tensor) -> Tensor:
    return value[ids != 0]
