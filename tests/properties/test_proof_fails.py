"""A proof that cannot fail proves nothing: one mistake at a time is put into the network, and the verdict names that tensor.

All sizes are equal (8 sentences of 8 tokens, 8 numbers each, 8 heads where it matters), so that no mistake is caught by a shape.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from glassformer.model import attention, layers
from glassformer.model.attention import MultiHeadAttention
from glassformer.model.ends import Embedding, Generator
from glassformer.model.layers import LayerNorm, Residual
from glassformer.model.library import Library
from glassformer.model.loss import Loss
from glassformer.model.masks import Mask, Masks
from glassformer.model.recipe import Recipe
from glassformer.model.running import run
from glassformer.model.verdict import Verdict, verify
from networks import stir
from torch import Tensor
from torch.nn import functional as F

Break = Callable[[pytest.MonkeyPatch], None]

ROWS = (
    "dog run cat dog cat run run",
    "cat dog run run",
    "run cat",
    "dog dog dog cat run cat dog",
    "cat",
    "run dog",
    "dog cat run",
    "dog",
)
"""Sources of up to 8 tokens with <start>. Targets have one more token, the label of the last position."""


def broken(mistake: Break, monkeypatch: pytest.MonkeyPatch, **options: Any) -> Verdict:
    """Put a mistake in, run, take it out again, and prove."""
    sizes = {"d_model": 8, "n_heads": 2, "d_ff": 8, "n_layers": 1}
    targets = tuple(f"{row} cat" for row in reversed(ROWS))
    recipe = Recipe(model="tiny", src=ROWS, tgt=targets, options=sizes | options)
    library = Library()
    stir(library.get(recipe.model, recipe.options).network, seed=5)
    with monkeypatch.context() as patch:
        mistake(patch)
        trace = run(recipe, library)
        return verify(trace)


def test_without_a_mistake_everything_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    for options in ({}, {"norm": "pre", "activation": "gelu", "n_heads": 8}):
        assert broken(lambda patch: None, monkeypatch, **options).passes


def wrong_scale(patch: pytest.MonkeyPatch) -> None:
    """1 / d_k instead of 1 / √d_k."""
    made = MultiHeadAttention.forward

    def forward(self: MultiHeadAttention, query: Tensor, memory: Tensor, mask: Mask) -> Tensor:
        self.d_k = self.d_k**2
        try:
            return made(self, query, memory, mask)
        finally:
            self.d_k = math.isqrt(self.d_k)

    patch.setattr(MultiHeadAttention, "forward", forward)


def softmax_over_queries(patch: pytest.MonkeyPatch) -> None:
    def softmax(masked_scores: Tensor, mask: Mask) -> Tensor:
        return masked_scores.masked_fill(mask.blocked.all(-2, keepdim=True), 0).softmax(-2)

    patch.setattr(attention, "softmax_over_keys", softmax)


def mask_upside_down(patch: pytest.MonkeyPatch) -> None:
    """The network takes blocked for allowed; the mask it shows is right."""
    made = Mask.of.__func__  # type: ignore[attr-defined]
    patch.setattr(Mask, "of", classmethod(lambda cls, allowed: made(cls, ~allowed)))


def mask_after_softmax(patch: pytest.MonkeyPatch) -> None:
    """Blocked weights are 0, but the others do not add up to 1."""

    def softmax(masked_scores: Tensor, mask: Mask) -> Tensor:
        return masked_scores.masked_fill(mask.blocked, 0).softmax(-1).masked_fill(mask.blocked, 0)

    patch.setattr(attention, "softmax_over_keys", softmax)


def heads_joined_untransposed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(attention, "join_heads", lambda heads: heads.reshape(heads.shape[0], heads.shape[2], -1))


def heads_cut_untransposed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(attention, "split_heads", lambda x, n_heads: x.reshape(x.shape[0], n_heads, x.shape[1], -1))


def forgotten_bias(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Generator, "forward", lambda self, x: self.out(F.linear(x, self.w)))


def weight_turned(patch: pytest.MonkeyPatch) -> None:
    """x Wᵀ instead of x W, in the feed-forward network."""
    patch.setattr(layers, "linear", lambda x, w, b: F.linear(x, w, b))


def norm_over_the_sequence(patch: pytest.MonkeyPatch) -> None:
    made = torch.var_mean
    patch.setattr(layers.torch, "var_mean", lambda x, dim, correction: made(x, -2, correction=correction))


def norm_divides_by_n_less_1(patch: pytest.MonkeyPatch) -> None:
    made = torch.var_mean
    patch.setattr(layers.torch, "var_mean", lambda x, dim, correction: made(x, dim, correction=1))


def epsilon_outside_the_root(patch: pytest.MonkeyPatch) -> None:
    made = LayerNorm.forward

    def forward(self: LayerNorm, x: Tensor) -> Tensor:
        self.eps_inside = False
        return made(self, x)

    patch.setattr(LayerNorm, "forward", forward)


def residual_left_out(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Residual, "forward", lambda self, x, sublayer: self.norm(self.sum(sublayer(x))))


def positions_along_the_batch(patch: pytest.MonkeyPatch) -> None:
    def forward(self: Embedding, ids: Tensor) -> Tensor:
        x = self.scaled(self.embedded(F.embedding(ids, self.table)) * self.scale)
        return self.sum(x + self.positions(self.sinusoid[: ids.shape[1]]).unsqueeze(1))

    patch.setattr(Embedding, "forward", forward)


def positions_one_too_far(patch: pytest.MonkeyPatch) -> None:
    def forward(self: Embedding, ids: Tensor) -> Tensor:
        x = self.scaled(self.embedded(F.embedding(ids, self.table)) * self.scale)
        return self.sum(x + self.positions(self.sinusoid[1 : ids.shape[1] + 1]))

    patch.setattr(Embedding, "forward", forward)


def gelu_by_tanh(patch: pytest.MonkeyPatch) -> None:
    made = F.gelu
    patch.setattr(layers.F, "gelu", lambda x: made(x, approximate="tanh"))


def causal_mask_the_other_way(patch: pytest.MonkeyPatch) -> None:
    made = Masks.forward

    def forward(self: Masks, src_ids: Tensor, tgt_ids: Tensor) -> tuple[Mask, Mask, Mask]:
        with pytest.MonkeyPatch.context() as inside:
            inside.setattr(Tensor, "tril", Tensor.triu)
            return made(self, src_ids, tgt_ids)

    patch.setattr(Masks, "forward", forward)


def padding_counted(patch: pytest.MonkeyPatch) -> None:
    """The loss adds the surprisal of padding as well."""

    def forward(self: Loss, log_probs: Tensor, labels: Tensor) -> Tensor:
        labels = self.labels(labels)
        counted = self.counted(labels != self.pad_id)
        surprisal = self.surprisal(-log_probs.gather(-1, labels.unsqueeze(-1)).squeeze(-1))
        terms = self.terms(surprisal)
        totals, counts = self.sentence_totals(terms.sum(-1)), self.sentence_counts(counted.sum(-1))
        self.mean_of_means(self.sentence_means(totals / counts).mean(-1))
        return self.mean(self.total(terms.sum()) / self.count(counted.sum()))

    patch.setattr(Loss, "forward", forward)


ATTENTIONS = ("encoder.layers.0.self_attn", "decoder.layers.0.self_attn", "decoder.layers.0.cross_attn")
NORMS = (
    *(f"encoder.layers.0.{block}_residual.norm" for block in ("self_attn", "feed_forward")),
    *(f"decoder.layers.0.{block}_residual.norm" for block in ("self_attn", "cross_attn", "feed_forward")),
)
RESIDUALS = tuple(norm.removesuffix(".norm") for norm in NORMS)
EMBEDDINGS = ("src_embed", "tgt_embed")
FEED_FORWARDS = ("encoder.layers.0.feed_forward", "decoder.layers.0.feed_forward")
MISTAKES: dict[str, tuple[Break, tuple[str, ...], tuple[str, ...], dict[str, Any]]] = {
    "wrong scale": (wrong_scale, ATTENTIONS, ("scaled_scores",), {}),
    "softmax over the queries": (softmax_over_queries, ATTENTIONS, ("weights",), {}),
    "mask upside down": (mask_upside_down, ATTENTIONS, ("masked_scores",), {}),
    "mask after the softmax": (mask_after_softmax, ATTENTIONS, ("weights",), {}),
    "heads joined without a transpose": (heads_joined_untransposed, ATTENTIONS, ("concat",), {}),
    "heads cut without a transpose": (heads_cut_untransposed, ATTENTIONS, ("q", "k", "v"), {}),  # three cuts by one function
    "a forgotten bias": (forgotten_bias, ("generator",), ("out",), {}),
    "a weight turned": (weight_turned, FEED_FORWARDS, ("hidden", "out"), {}),  # two linear layers by one function
    "norm over the sequence": (norm_over_the_sequence, NORMS, ("mean", "variance"), {}),  # one call gives both
    "variance over n - 1": (norm_divides_by_n_less_1, NORMS, ("variance",), {}),
    "ε outside the root": (epsilon_outside_the_root, NORMS, ("deviation",), {}),
    "no residual": (residual_left_out, RESIDUALS, ("sum",), {}),
    "positions along the batch": (positions_along_the_batch, EMBEDDINGS, ("sum",), {}),
    "positions one too far": (positions_one_too_far, EMBEDDINGS, ("positions",), {}),
    "GELU by tanh": (gelu_by_tanh, FEED_FORWARDS, ("active",), {"activation": "gelu"}),
    "causal mask the other way": (causal_mask_the_other_way, ("masks",), ("causal",), {}),
    "padding in the loss": (padding_counted, ("loss",), ("terms",), {}),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_verdict_names_the_broken_tensor_and_no_other(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make, blocks, tensors, options = MISTAKES[mistake]
    verdict = broken(make, monkeypatch, **options)
    assert {proof.name for proof in verdict.failures} == {f"{block}.{tensor}" for block in blocks for tensor in tensors}
    assert not verdict.passes
