"""A second opinion: the layers of torch.nn, given the same weights and the same inputs, layer by layer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from .config import ModelConfig
from .legend import Part
from .proof import compare
from .rounding import largest
from .trace import Trace

TOLERANCE = 1e-5
"""The largest relative difference of a whole layer, both in float32: some ten steps, each with its own roundings."""

_RESIDUALS = {
    "EncoderLayer": ("self_attn_residual", "feed_forward_residual"),
    "DecoderLayer": ("self_attn_residual", "cross_attn_residual", "feed_forward_residual"),
}
_ATTENTIONS = {
    "EncoderLayer": {"self_attn": "self_attn"},
    "DecoderLayer": {"self_attn": "self_attn", "cross_attn": "multihead_attn"},
}


@dataclass(frozen=True)
class Layer:
    """One layer's output beside that of torch.nn: the largest difference, and relative to the largest value of the output."""

    name: str
    max_abs: float
    max_rel: float

    @property
    def passes(self) -> bool:
        """True when rounding explains the difference."""
        return self.max_rel <= TOLERANCE


def compared_layers(trace: Trace) -> tuple[str, ...]:
    """Return the names of the layers that torch.nn has a counterpart for, all of them or none."""
    return () if why_not(trace) else tuple(part.name for part in trace.legend.root.walk() if part.kind in _RESIDUALS)


def why_not(trace: Trace) -> str | None:
    """Return one sentence why torch.nn's layers cannot compute this trace, or None if they can."""
    config = trace.config
    if config.norm_divisor != "n":
        return "torch.nn's layer norm divides the variance by n, this model by n − 1."
    if not config.norm_eps_inside:
        return "torch.nn's layer norm adds ε under the root, this model outside it."
    if config.dropout and trace.recipe.options.get("mode") == "train":
        return "torch.nn's dropout throws dice of its own, so its numbers differ in train mode."
    masks = [record.value for name, record in trace.items() if name.startswith("masks.") and record.value.dim() == 3]
    if not all(bool(mask.any(-1).all()) for mask in masks):
        return "Some position has no key that it may look at: torch.nn answers NaN there, this model 0."
    return None


def compare_layer(trace: Trace, name: str) -> Layer:
    """Run one layer of torch.nn with the trace's weights on the layer's recorded inputs, and compare the outputs."""
    part = next(part for part in trace.legend.root.walk() if part.name == name)
    recorded = trace[f"{name}.feed_forward_residual.{'sum' if trace.config.norm == 'pre' else 'norm.out'}"].value
    with torch.no_grad():
        theirs = _run(trace, part)
    max_abs, _ = compare(recorded, theirs)
    return Layer(name, max_abs, max_abs / max(largest(recorded), 1e-30))


def _run(trace: Trace, part: Part) -> Tensor:
    inputs = {name: trace[full].value for name, full in part.inputs.items()}
    layer = _empty_layer(trace.config, part.kind)
    layer.load_state_dict(dict(_weights(trace, part)), assign=True)
    blocked = {  # (batch · head, query, key): torch.nn's masks say True where a key is blocked
        name: ~allowed.repeat_interleave(trace.config.n_heads, 0) for name, allowed in inputs.items() if name.endswith("mask")
    }
    found: Tensor
    if part.kind == "EncoderLayer":
        found = layer(inputs["x"], src_mask=blocked["mask"])
    else:
        found = layer(inputs["x"], inputs["memory"], tgt_mask=blocked["self_mask"], memory_mask=blocked["cross_mask"])
    return found


def _empty_layer(config: ModelConfig, kind: str) -> nn.Module:
    """Return torch.nn's layer without memory for its weights.

    It is in train mode, which without dropout changes nothing but this: torch.nn does not take its fast path, which leaves
    padding out.
    """
    made = nn.TransformerEncoderLayer if kind == "EncoderLayer" else nn.TransformerDecoderLayer
    with torch.device("meta"):
        layer = made(
            config.d_model,
            config.n_heads,
            config.d_ff,
            dropout=0.0,
            activation=config.activation,
            layer_norm_eps=config.norm_eps,
            batch_first=True,
            norm_first=config.norm == "pre",
        )
    return layer.train().requires_grad_(False)


def _weights(trace: Trace, part: Part) -> Iterator[tuple[str, Tensor]]:
    """Yield a layer's weights under torch.nn's names and the way round it wants them; a bias that is switched off is 0."""

    def weight(block: str, mark: str) -> Tensor:
        return trace[f"{part.name}.{block}.w_{mark}"].value

    def bias(block: str, mark: str) -> Tensor:
        name = f"{part.name}.{block}.b_{mark}"
        return trace[name].value if name in trace else torch.zeros(weight(block, mark).shape[-1])

    for ours, theirs in _ATTENTIONS[part.kind].items():
        yield f"{theirs}.in_proj_weight", torch.cat([weight(ours, mark).T for mark in "qkv"])
        yield f"{theirs}.in_proj_bias", torch.cat([bias(ours, mark) for mark in "qkv"])
        yield f"{theirs}.out_proj.weight", weight(ours, "o").T
        yield f"{theirs}.out_proj.bias", bias(ours, "o")
    for mark in "12":
        yield f"linear{mark}.weight", weight("feed_forward", mark).T
        yield f"linear{mark}.bias", bias("feed_forward", mark)
    for i, residual in enumerate(_RESIDUALS[part.kind], start=1):
        yield f"norm{i}.weight", trace[f"{part.name}.{residual}.norm.gain"].value
        yield f"norm{i}.bias", trace[f"{part.name}.{residual}.norm.offset"].value
