"""Small seeded networks that the tests of the model share."""

from __future__ import annotations

from typing import Any

import torch
from glassformer.model.config import ModelConfig
from glassformer.model.initial import draw_weights
from glassformer.model.legend import Legend
from glassformer.model.recorder import Recording, install, recording
from glassformer.model.transformer import Transformer
from torch import Tensor

SRC = torch.tensor([[1, 3, 4, 2], [1, 2, 0, 0]])
TGT = torch.tensor([[1, 3, 4], [1, 2, 0]])
LABELS = torch.tensor([[3, 4, 2], [2, 4, 0]])

VARIANTS: dict[str, dict[str, Any]] = {
    "standard": {},
    "pre-norm": {"norm": "pre"},
    "gelu": {"activation": "gelu"},
    "no bias": {"bias": False},
    "tied": {"tied_embeddings": True},
    "tied without bias": {"tied_embeddings": True, "bias": False},
    "unscaled embedding": {"scale_embedding": False},
    "learned positions": {"positions": "learned"},
    "n - 1": {"norm_divisor": "n-1", "norm_eps_inside": False, "norm_eps": 1e-6},
    "no masks": {"causal": False, "mask_src_padding": False, "mask_tgt_padding": False},
    "dropout": {"dropout": 0.3},
    "pre-norm with dropout": {"norm": "pre", "dropout": 0.3},
    "smoothing over all": {"smoothing": 0.1},
    "smoothing over others": {"smoothing": 0.3, "smoothing_over": "others"},
    "smoothing over real tokens": {"smoothing": 0.1, "smoothing_over": "real"},
    "one head, odd width": {"d_model": 5, "n_heads": 1},
    "width 1": {"d_model": 1, "n_heads": 1},
}


def make(*, seed: int = 3, train: bool = False, **options: Any) -> tuple[Transformer, Legend]:
    """Build a watched network with random weights; biases, gains and offsets are random too, so that none can hide."""
    sizes: dict[str, Any] = {"vocab_size": 5, "d_model": 8, "n_heads": 2, "d_ff": 12, "n_layers": 1, "max_length": 9}
    network = Transformer(ModelConfig(**(sizes | options))).train(train).requires_grad_(False)
    draw_weights(network, seed=seed)
    stir(network, seed=seed)
    return network, install(network)


def stir(network: Transformer, *, seed: int) -> None:
    """Make biases, gains and offsets random too, so that none can hide."""
    generator = torch.Generator().manual_seed(seed)
    for weights in network.parameters():
        if weights.dim() == 1:
            weights.add_(torch.empty_like(weights).uniform_(-0.3, 0.3, generator=generator))


def watch(network: Transformer, src: Tensor = SRC, tgt: Tensor = TGT, labels: Tensor | None = LABELS) -> Recording:
    """Run a network and return what was recorded."""
    with recording() as recorded:
        network(src, tgt, labels)
    return recorded
