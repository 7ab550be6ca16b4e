"""The shared numbers of the reported cases: attention (A) and positions (C), worked out by hand to six places."""

from __future__ import annotations

import torch
from glassformer.model.attention import MultiHeadAttention
from glassformer.model.config import ModelConfig
from glassformer.model.masks import Mask
from torch import Tensor

Q = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
V = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
SCALED = torch.tensor([[0.707107, 0.0, 0.707107], [0.0, 0.707107, 0.707107], [0.707107, 0.707107, 1.414214]])
WEIGHTS = torch.tensor([[0.401112, 0.197776, 0.401112], [0.197776, 0.401112, 0.401112], [0.248255, 0.248255, 0.503490]])
OUTPUT = torch.tensor([[0.601668, 0.398332], [0.398332, 0.601668], [0.5, 0.5]])
CAUSAL_WEIGHTS = torch.tensor([[1.0, 0.0, 0.0], [0.330238, 0.669762, 0.0], [0.248255, 0.248255, 0.503490]])
CAUSAL_OUTPUT = torch.tensor([[1.0, 0.0], [0.330238, 0.669762], [0.5, 0.5]])

POSITIONS_4 = torch.tensor(
    [
        [0.0, 1.0, 0.0, 1.0],
        [0.841471, 0.540302, 0.010000, 0.999950],
        [0.909297, -0.416147, 0.019999, 0.999800],
        [0.141120, -0.989992, 0.029996, 0.999550],
    ]
)
POSITION_10_OF_8 = torch.tensor([-0.544021, -0.839072, 0.841471, 0.540302, 0.099833, 0.995004, 0.010000, 0.999950])


def attend(allowed: Tensor) -> dict[str, Tensor]:
    """Run fixture A through the network's own attention block; return what its taps show, without batch and head axes.

    Queries and keys are the input itself. The values are an affine map of it: x W + b with the weights below gives V exactly.
    """
    block = MultiHeadAttention(ModelConfig(vocab_size=2, d_model=2, n_heads=1, d_ff=2, n_layers=1), "src", "src", {})
    for name, weights in block.named_parameters():
        weights.requires_grad_(False).copy_(torch.eye(2) if name.startswith("w") else torch.zeros(2))
    block.w_v.copy_(torch.tensor([[0.5, -0.5], [-0.5, 0.5]]))
    block.b_v.copy_(torch.tensor([0.5, 0.5]))

    shown: dict[str, Tensor] = {}
    for name, tap in block.named_children():
        tap.register_forward_hook(lambda tap, args, value, name=name: shown.__setitem__(name, value.squeeze()))
    block(Q.unsqueeze(0), Q.unsqueeze(0), Mask.of(allowed.unsqueeze(0)))
    return shown
