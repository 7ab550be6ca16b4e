"""The first weights of a network, drawn from a seed."""

from __future__ import annotations

import math
import zlib

import torch
from torch import nn

from .deadline import look
from .taps import legend_of
from .transformer import Transformer


def draw_weights(network: Transformer, *, seed: int) -> None:
    """Fill every parameter of a network from a seed, in place; the global random numbers are not touched.

    A matrix is drawn from Xavier's uniform distribution (Glorot and Bengio, 2010, equation 16), a table of embeddings or of
    positions from N(0, 1 / d_model), so that times √d_model it has deviation 1. Gains are 1, biases and offsets 0. A shared table
    is drawn once.

    Each parameter has random numbers of its own, picked by the seed and by its name: a switch that adds or drops a parameter
    leaves the others as they were, so that two variants of a model differ in the variant alone. They are drawn in float64 and
    rounded: in float32, different processors may round differently.
    """
    with torch.no_grad():
        for name, weights in network.named_parameters():
            look(name)
            generator = torch.Generator().manual_seed(zlib.crc32(f"{seed}:{name}".encode()))
            _fill(weights, name.rpartition(".")[2], generator)


def _fill(weights: nn.Parameter, name: str, generator: torch.Generator) -> None:
    if weights.dim() == 1:
        weights.fill_(1.0 if name == "gain" else 0.0)
        return
    rows, columns = weights.shape
    drawn = torch.empty(rows, columns, dtype=torch.float64)
    if [axis.name for axis in legend_of(weights).axes] == ["in", "out"]:
        bound = math.sqrt(6 / (rows + columns))
        weights.copy_(drawn.uniform_(-bound, bound, generator=generator))
    else:
        weights.copy_(drawn.normal_(0.0, columns**-0.5, generator=generator))
