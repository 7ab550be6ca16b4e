"""The two ends of the model: tokens to vectors, and vectors to scores (sections 3.4 and 3.5)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .config import ModelConfig
from .layers import Dropout
from .steps import (
    Add,
    Embed,
    FirstRows,
    Linear,
    Scale,
    Sinusoid,
)
from .taps import Block, Tap, parameter


class Embedding(Block):
    """Tokens become vectors, and positions are added (sections 3.4 and 3.5)."""

    title = "embedding + position"
    says = "Each token id picks its row of a table; a code for the position is added, since attention itself knows no order."

    def __init__(self, c: ModelConfig, seq: str, table: nn.Parameter, inputs: Mapping[str, str]) -> None:
        super().__init__(inputs)
        self.table = table
        self.scales, self.scale = c.scale_embedding, math.sqrt(c.d_model)
        self.learned = c.positions == "learned"

        self.embedded = Tap(
            f"batch {seq} d_model", r"E_{\mathrm{id}}", Embed(("ids", "table")), "The table's row for each token."
        )
        if c.scale_embedding:
            self.scaled = Tap(
                f"batch {seq} d_model",
                r"\sqrt{d_{model}} \, E_{\mathrm{id}}",
                Scale(("embedded",), self.scale, f"√d_model = √{c.d_model}"),
                "Times √d_model, so that the token is not drowned by the position code.",
            )
        if self.learned:
            self.position_table = parameter(
                "position d_model", c.max_length, c.d_model, says="One learned vector for each position."
            )
        else:
            self.sinusoid = nn.Buffer(sinusoidal_positions(c.max_length, c.d_model), persistent=False)
        self.positions = Tap(
            f"{seq} d_model",
            "P" if self.learned else r"\sin, \cos \left( pos / 10000^{2i/d_{model}} \right)",
            FirstRows(("position_table",)) if self.learned else Sinusoid(),
            "The code of each position: learned, one vector each."
            if self.learned
            else "The code of each position: sine and cosine in pairs of columns, one wavelength a pair.",
        )
        self.sum = Tap(
            f"batch {seq} d_model",
            r"\sqrt{d_{model}} E_{\mathrm{id}} + PE" if c.scale_embedding else r"E_{\mathrm{id}} + PE",
            Add(("scaled" if c.scale_embedding else "embedded", "positions")),
            "Token and position in one vector.",
        )
        self.dropout = Dropout(c.dropout, f"batch {seq} d_model", {"x": "sum"}) if c.dropout else nn.Identity()
        self.result = "dropout.out" if c.dropout else "sum"

    def forward(self, ids: Tensor, *, first: int = 0) -> Tensor:
        """Return the vectors (batch, seq, d_model) of ids (batch, seq), whose positions count from `first`."""
        x = self.embedded(F.embedding(ids, self.table))
        if self.scales:
            x = self.scaled(x * self.scale)
        table = self.position_table if self.learned else self.sinusoid
        positions = self.positions(table[first : first + ids.shape[1]])

        return self.dropout(self.sum(x + positions))


class Generator(Block):
    """The last linear layer, from d_model to the vocabulary (section 3.4)."""

    title = "linear to vocabulary"
    says = "Each token of the vocabulary has a row of weights; its logit says how well the row fits the position's vector."

    def __init__(self, c: ModelConfig, table: nn.Parameter, inputs: Mapping[str, str]) -> None:
        super().__init__(inputs)
        self.w = table if c.tied_embeddings else embedding_table(c)
        self.b = parameter("vocab", c.vocab_size, says="Added to every token's score.") if c.bias else None
        self.out = Tap(
            "batch tgt vocab",
            "x E^T + b" if c.bias else "x E^T",
            Linear(("x", "w", "b") if c.bias else ("x", "w"), by_row=True),
            "One score for each token of the vocabulary.",
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.out(F.linear(x, self.w, self.b))


def embedding_table(c: ModelConfig) -> nn.Parameter:
    """Return an empty table (vocab, d_model): one row for each token."""
    return parameter("vocab d_model", c.vocab_size, c.d_model, says="One vector for each token of the vocabulary.")


def sinusoidal_positions(length: int, d_model: int) -> Tensor:
    """Return the position table (length, d_model) of section 3.5, sine and cosine interleaved; an odd width ends in a sine.

    It is made in memory even where a network is only sketched: a range without values would have torch load seconds of code.
    """
    pos = torch.arange(length, dtype=torch.float64, device="cpu").unsqueeze(1)
    even = torch.arange(0, d_model, 2, dtype=torch.float64, device="cpu")
    angle = pos / 10000 ** (even / d_model)
    table = torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)[:, :d_model]
    return table.to(torch.float32).contiguous()
