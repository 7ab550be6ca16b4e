"""Whole ancestry: what tokens, positions, constants and heads add to one cell, against autograd and against the run itself."""

from __future__ import annotations

import random
from typing import Any, cast

import numpy as np
import pytest
import torch
from glassformer.model import attention
from glassformer.model.ancestry import Ancestry, ancestry
from glassformer.model.errors import InputError, UnknownNameError
from glassformer.model.legend import describe
from glassformer.model.recipe import Recipe
from glassformer.model.recorder import recording
from glassformer.model.taps import Tap
from glassformer.model.trace import Record, Trace
from glassformer.model.transformer import Transformer
from networks import LABELS, SRC, TGT, VARIANTS, make, watch
from torch import Tensor

import glassformer

each_variant = pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS.keys())
# Without dropout a network in training computes what it computes otherwise.
MODES = [
    pytest.param(options, train, id=f"{'train' if train else 'eval'}-{name}")
    for name, options in VARIANTS.items()
    for train in ([False, True] if "dropout" in options else [False])
]
each_variant_and_mode = pytest.mark.parametrize(("options", "train"), MODES)

NO_SUM = {
    *("dot", "softmax", "mask", "variance", "deviation", "given", "drawn", "parameter", "total"),
    *("not_padding", "not_later", "everything", "all_of", "counted"),
}


def trace_of(network: Transformer, values: dict[str, Tensor], sizes: dict[str, int]) -> Trace:
    legend = describe(network)
    tensors = dict(network.named_parameters()) | values
    records = {name: Record(entry, tensors[name].detach()) for name, entry in legend.entries.items()}
    recipe = cast(Recipe, None)
    return Trace(recipe, network.config, legend, cast(Any, None), {**network.config.sizes, **sizes}, records)


def cells(record: Record, generator: random.Random, count: int = 3) -> list[tuple[int, ...]]:
    return [tuple(generator.randrange(size) for size in record.shape) for _ in range(count)]


@each_variant_and_mode
def test_parts_add_up_to_the_cell(options: dict[str, Any], train: bool) -> None:
    network, _ = make(train=train, **options)
    recorded = watch(network)
    trace = trace_of(network, recorded.values, recorded.sizes)
    generator = random.Random(7)
    shared = set()
    for record in trace.values():
        for cell in cells(record, generator):
            found = ancestry(trace, record.name, cell)
            if found.why_not:
                continue
            shared.add(record.entry.step.kind)
            assert found.difference <= 2e-6 * found.scale + 1e-30, f"{record.name}{cell}: {found.total} for {found.value}"
    assert shared >= {"same", "add", "linear", "split", "concat", "mix", "mean", "centre", "divide", "gain_offset", "activation"}
    assert shared >= {"exp", "log_softmax", "label_loss", "embed"}
    assert ("keep" in shared) == ("smoothing" not in options), "a smoothed loss adds up many tokens at once"
    assert not shared & NO_SUM


def gradients(
    network: Transformer, pick: str, cell: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> tuple[Trace, dict[str, Any]]:
    """Run in float64 with attention weights, deviations and gates held fixed; return gradient times value of every tensor."""
    held = attention.softmax_over_keys
    var_mean, gelu = torch.var_mean, torch.nn.functional.gelu
    monkeypatch.setattr(attention, "softmax_over_keys", lambda scores, mask: held(scores, mask).detach())
    monkeypatch.setattr(torch, "var_mean", lambda x, *args, **more: (var_mean(x, *args, **more)[0].detach(), x.mean(-1)))
    monkeypatch.setattr(torch.nn.functional, "gelu", lambda x: x * torch.where(x == 0, 0, gelu(x.detach()) / x.detach()))
    seen: dict[str, Tensor] = {}

    def note(tap: Tap, args: Any, value: Tensor) -> None:
        if value.is_floating_point():
            value.requires_grad_(True)
            value.retain_grad()
            seen[tap.name] = value

    for module in network.modules():
        if isinstance(module, Tap):
            module.register_forward_hook(note)
    for weights in network.parameters():
        weights.requires_grad_(True)
    with recording() as recorded:
        network(SRC, TGT, LABELS)
    seen[pick][cell].backward()
    tensors = seen | dict(network.named_parameters())
    shares = {name: value.grad * value.detach() for name, value in tensors.items() if value.grad is not None}
    return trace_of(network, recorded.values, recorded.sizes), shares


@each_variant_and_mode
def test_parts_are_gradient_times_input_where_weights_norms_and_gates_are_held(
    options: dict[str, Any], train: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    network, _ = make(train=train, n_layers=2, **{name: value for name, value in options.items() if name != "n_layers"})
    network.double()
    trace, shares = gradients(network, "logits", (0, 2, 3), monkeypatch)
    found = ancestry(trace, "probs", (0, 2, 3))

    assert (found.start, found.start_cell) == ("logits", (0, 2, 3))
    assert found.difference < 1e-12 * found.scale
    for share in found.tokens:
        np.testing.assert_allclose(share.values, shares[share.name][0].sum(-1).numpy(), atol=1e-12)
        largest = [float(shares[share.name][cell].abs()) for cell in share.cells]
        np.testing.assert_allclose(largest, shares[share.name][0].abs().amax(-1).numpy(), atol=1e-12)
    for share in found.positions:
        np.testing.assert_allclose(share.values, shares[share.name].sum(-1).numpy(), atol=1e-12)
    for constants in found.constants:
        expected = sum(float(shares[name].sum()) for name in constants.names)
        assert constants.value == pytest.approx(expected, abs=1e-12)
    assert len(found.heads) == 6
    for heads in found.heads:
        np.testing.assert_allclose(heads.values, shares[heads.heads][0].sum((1, 2)).numpy(), atol=1e-12)
        np.testing.assert_allclose(heads.keys, shares[heads.v][0].sum(-1).numpy(), atol=1e-12)
        np.testing.assert_allclose(heads.keys.sum(1), heads.values, atol=1e-12)
        largest = [float(shares[heads.heads][cell].abs()) for cell in heads.cells]
        np.testing.assert_allclose(largest, shares[heads.heads][0].abs().amax((1, 2)).numpy(), atol=1e-12)


def test_deleting_a_token_takes_its_part_away_where_all_is_linear(monkeypatch: pytest.MonkeyPatch) -> None:
    """With attention weights and deviations that no token moves, a cell before the first ReLU is linear in the embeddings."""
    monkeypatch.setattr(attention, "softmax_over_keys", lambda scores, mask: torch.full_like(scores, 0.25))
    monkeypatch.setattr(torch, "var_mean", lambda x, *args, **more: (torch.ones_like(x[..., 0]), x.mean(-1)))
    network, _ = make()
    name, cell = "encoder.layers.0.self_attn_residual.norm.out", (0, 1, 3)
    recorded = watch(network)
    before = float(recorded.values[name][cell])
    part = ancestry(trace_of(network, recorded.values, recorded.sizes), name, cell).tokens[0].values

    place = 2
    network.src_embed.table[SRC[0, place]] = 0
    after = float(watch(network).values[name][cell])
    assert abs(part[place]) > 1e-3
    assert before - after == pytest.approx(part[place], abs=1e-6)


def test_other_sentences_later_tokens_and_padding_add_nothing() -> None:
    network, _ = make(n_layers=2)
    recorded = watch(network)
    trace = trace_of(network, recorded.values, recorded.sizes)
    found = ancestry(trace, "logits", (1, 0, 2))
    src, tgt = found.tokens
    assert found.sentence == 1
    assert (src.over, tgt.over) == ("src", "tgt")
    assert np.all(src.values[:2] != 0)
    assert np.all(src.values[2:] == 0), "padding"
    assert tgt.values[0] != 0
    assert np.all(tgt.values[1:] == 0), "later tokens"


@pytest.fixture(scope="module")
def trace() -> Trace:
    return glassformer.trace("tiny", src=["dog run", "cat run"], tgt=["dog run", "cat run"])


def test_a_loss_is_shared_out_as_the_logit_of_its_label(trace: Trace) -> None:
    assert trace.batch.labels is not None
    label = trace.batch.labels[1][0].id
    for name in ("loss.surprisal", "loss.terms"):
        found = trace.ancestry(name, (1, 0))
        assert (found.start, found.start_cell) == ("logits", (1, 0, label))
        assert found.value == float(trace.logits[1, 0, label])


def test_the_memory_has_no_target_and_no_decoder(trace: Trace) -> None:
    found = trace.ancestry("memory", (0, 1, 2))
    assert [share.over for share in found.tokens] == ["src"]
    assert all(heads.block.startswith("encoder.") for heads in found.heads)


def test_heads_stand_nearest_first(trace: Trace) -> None:
    kinds = [heads.block for heads in trace.ancestry("logits", (0, 1, 2)).heads]
    last = trace.config.n_layers - 1
    assert kinds[:2] == [f"decoder.layers.{last}.cross_attn", f"decoder.layers.{last}.self_attn"]
    assert kinds[-1] == "encoder.layers.0.self_attn"


@pytest.mark.parametrize(
    ("name", "cell", "says"),
    [
        ("decoder.layers.0.cross_attn.weights", (0, 1, 1, 2), "share"),
        ("decoder.layers.0.cross_attn.scaled_scores", (0, 1, 1, 2), "query"),
        ("decoder.layers.0.cross_attn.masked_scores", (0, 1, 1, 2), "query"),
        ("encoder.layers.0.self_attn_residual.norm.variance", (0, 1), "squares"),
        ("encoder.layers.0.self_attn_residual.norm.deviation", (0, 1), "root"),
        ("masks.cross_attn", (0, 1, 2), "yes or no"),
        ("src_ids", (0, 1), "given"),
        ("encoder.layers.0.self_attn.w_q", (0, 1), "parameter"),
        ("loss.mean", (), "many"),
        ("loss.count", (), "many"),
    ],
)
def test_what_is_no_weighted_sum_says_why(trace: Trace, name: str, cell: tuple[int, ...], says: str) -> None:
    found = trace.ancestry(name, cell)
    assert says in found.why_not
    assert (found.tokens, found.heads, found.parts.size) == ((), (), 0)
    assert found.why_not in str(found)


def test_a_cell_outside_the_tensor_is_refused(trace: Trace) -> None:
    with pytest.raises(InputError, match="shape"):
        trace.ancestry("logits", (0, 1))
    with pytest.raises(UnknownNameError):
        trace.ancestry("nothing", ())


def test_it_prints_and_shows_in_a_notebook(trace: Trace) -> None:
    found = trace.ancestry("probs", (0, 1, 2))
    assert isinstance(found, Ancestry)
    text, page = str(found), found._repr_html_()
    for shown in ("probs[0, 1, 2]", "logits[0, 1, 2]", "1 dog", "token adds", "decoder.layers.1.cross_attn", "head 1"):
        assert shown in text
        assert shown in page
    assert "&lt;start&gt;" in page
    assert "<start>" not in page
