"""What the page says of axes and settings, in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class AxisWords:
    """An axis for a reader."""

    title: str
    says: str


@dataclass(frozen=True)
class OptionWords:
    """A setting that can be switched. Without choices here, they follow from the model's sizes."""

    name: str
    choices: tuple[bool | int | float | str, ...]
    says: str


AXES: Mapping[str, AxisWords] = {
    "batch": AxisWords("sentence", "The sentences of the batch; each is computed on its own, they never mix."),
    "src": AxisWords("source position", "One place for each token of the source sentence."),
    "tgt": AxisWords("target position", "One place for each token of the decoder's input."),
    "d_model": AxisWords("d_model", "The width of the model: every token is this many numbers, in every layer."),
    "head": AxisWords("head", "Attention runs this many times side by side, each on its own slice of the width."),
    "d_k": AxisWords("d_k", "The width of one head: d_model divided by the number of heads."),
    "d_ff": AxisWords("d_ff", "The inner width of the feed-forward network."),
    "vocab": AxisWords("vocabulary", "One place for each token that the model knows."),
    "position": AxisWords("position", "One place for each position that the model has learned."),
}

OPTIONS: tuple[OptionWords, ...] = (
    OptionWords(
        "n_heads",
        (),
        "How many heads attention has; each is d_model / n_heads wide, so the count of parameters stays.",
    ),
    OptionWords(
        "norm",
        ("post", "pre"),
        "Where layer norm stands: after the sum, as in the paper's figure, or before the sublayer, as in most models today.",
    ),
    OptionWords("positions", ("sinusoidal", "learned"), "Whether position codes are sines and cosines or learned vectors."),
    OptionWords("scale_embedding", (True, False), "Multiply embeddings by √d_model before positions are added."),
    OptionWords("activation", ("relu", "gelu"), "The function between the two linear layers of the feed-forward network."),
    OptionWords("bias", (True, False), "Biases in every linear layer."),
    OptionWords("tied_embeddings", (True, False), "Source, target and output share one table."),
    OptionWords("norm_divisor", ("n", "n-1"), "What the variance is divided by in layer norm."),
    OptionWords("norm_eps_inside", (True, False), "Whether layer norm's ε stands inside the root or is added after it."),
    OptionWords("causal", (True, False), "The causal mask: off, the decoder sees the labels it has to predict."),
    OptionWords("mask_src_padding", (True, False), "The padding mask of the source: off, real tokens look at padding."),
    OptionWords(
        "mask_tgt_padding",
        (True, False),
        "The padding mask of the target: with padding on the right, real rows are the same without it.",
    ),
    OptionWords(
        "smoothing",
        (0.0, 0.1, 0.3),
        "Label smoothing: what of the target is taken from the label and shared out. The loss then has a floor above 0.",
    ),
    OptionWords(
        "smoothing_over",
        ("all", "others", "real"),
        "Who shares it: all tokens, the others than the label, or those of them that are not padding. Three rules, three losses.",
    ),
    OptionWords(
        "dropout", (0.0, 0.1, 0.3), "How often a number is dropped in train mode; above 0 it adds dropout to the drawing."
    ),
)
