"""Multi-head attention, written out (section 3.2 of the paper)."""

from __future__ import annotations

import math
from collections.abc import Mapping

from torch import Tensor, nn

from .config import ModelConfig
from .layers import Dropout, affine, linear, linear_step
from .masks import Mask, softmax_over_keys
from .steps import ApplyMask, Dot, JoinHeads, Mix, Scale, Softmax, SplitHeads
from .taps import Block, Tap, parameter


class MultiHeadAttention(Block):
    """Every query position takes a weighted mix of values, once in each head (section 3.2).

    head_i = softmax(Q_i K_iᵀ / √d_k) V_i (equation 1), MultiHead = Concat(head_1 … head_h) W^O (section 3.2.2).
    """

    title = "multi-head attention"
    says = "Each query compares itself with every key; the softmax of the scores says how much of each value it takes."
    mixes = True

    def __init__(self, c: ModelConfig, query: str, key: str, inputs: Mapping[str, str]) -> None:
        super().__init__(inputs)
        self.n_heads, self.d_k = c.n_heads, c.d_k
        rows, keys = f"query:{query}", f"key:{key}"
        square = f"batch head {rows} {keys}"
        matrix, vector = ("in:d_model out:d_model", c.d_model, c.d_model), ("out:d_model", c.d_model)

        self.w_q = parameter(*matrix, says="Makes queries; its columns are the heads side by side.")
        self.b_q = parameter(*vector, says="Added to every query.") if c.bias else None
        self.w_k = parameter(*matrix, says="Makes keys; its columns are the heads side by side.")
        self.b_k = (
            parameter(
                *vector, says="Added to every key. It moves a row’s scores alike, which no softmax sees, so it learns nothing."
            )
            if c.bias
            else None
        )
        self.w_v = parameter(*matrix, says="Makes values; its columns are the heads side by side.")
        self.b_v = parameter(*vector, says="Added to every value.") if c.bias else None
        self.w_o = parameter(*matrix, says="Mixes the heads' results back into one vector.")
        self.b_o = parameter(*vector, says="Added to every output.") if c.bias else None

        self.queries = Tap(
            f"batch {rows} d_model",
            affine("X", "Q", c.bias),
            linear_step("query", "w_q", "b_q", c.bias),
            "What each position asks for, all heads side by side.",
        )
        self.keys = Tap(
            f"batch {keys} d_model",
            affine("M", "K", c.bias),
            linear_step("memory", "w_k", "b_k", c.bias),
            "What each position offers to be found by, all heads side by side.",
        )
        self.values = Tap(
            f"batch {keys} d_model",
            affine("M", "V", c.bias),
            linear_step("memory", "w_v", "b_v", c.bias),
            "What each position gives when it is looked at, all heads side by side.",
        )

        self.q = Tap(
            f"batch head {rows} d_k",
            "Q_i",
            SplitHeads(("queries",)),
            "The queries cut into heads: d_model columns become h times d_k.",
        )
        self.k = Tap(
            f"batch head {keys} d_k", "K_i", SplitHeads(("keys",)), "The keys cut into heads: d_model columns become h times d_k."
        )
        self.v = Tap(
            f"batch head {keys} d_k",
            "V_i",
            SplitHeads(("values",)),
            "The values cut into heads: d_model columns become h times d_k.",
        )

        self.scores = Tap(
            square, "Q_i K_i^T", Dot(("q", "k"), "d_k"), "How well each query (row) fits each key (column), before scaling."
        )
        self.scaled_scores = Tap(
            square,
            r"\frac{Q_i K_i^T}{\sqrt{d_k}}",
            Scale(("scores",), c.d_k**-0.5, f"1 / √d_k = 1 / √{c.d_k}"),
            "Divided by √d_k, so that the softmax does not saturate as d_k grows.",
        )
        self.masked_scores = Tap(
            square,
            r"\mathrm{mask}\left(\frac{Q_i K_i^T}{\sqrt{d_k}}\right)",
            ApplyMask(("scaled_scores", "mask")),
            "Blocked keys get −∞, which the softmax turns into exactly 0.",
        )
        self.weights = Tap(
            square,
            r"\mathrm{softmax}\left(\mathrm{mask}\left(\frac{Q_i K_i^T}{\sqrt{d_k}}\right)\right)",
            Softmax(("masked_scores",), "key"),
            "How much each query (row) takes from each key (column); a row sums to 1.",
        )
        self.dropout = Dropout(c.dropout, square, {"x": "weights"}) if c.dropout else nn.Identity()

        self.heads = Tap(
            f"batch head {rows} d_k",
            r"\mathrm{softmax}\left(\mathrm{mask}\left(\frac{Q_i K_i^T}{\sqrt{d_k}}\right)\right) V_i",
            Mix(("dropout.out" if c.dropout else "weights", "v"), "key"),
            "Each query's mix of the values: here, and only here, positions exchange information.",
        )
        self.concat = Tap(
            f"batch {rows} d_model",
            r"\mathrm{Concat}(\mathrm{head}_1, \ldots, \mathrm{head}_h)",
            JoinHeads(("heads",)),
            "The heads side by side again.",
        )
        self.out = Tap(
            f"batch {rows} d_model",
            affine(r"\mathrm{Concat}", "O", c.bias),
            linear_step("concat", "w_o", "b_o", c.bias),
            "The block's output, one vector for each query position.",
        )

    def forward(self, query: Tensor, memory: Tensor, mask: Mask) -> Tensor:
        k, v = self.keys_and_values(memory)
        return self.attend(query, k, v, mask)

    def keys_and_values(self, memory: Tensor) -> tuple[Tensor, Tensor]:
        """Return the keys and values (batch, head, key, d_k) of the positions that can be looked at."""
        keys = self.keys(linear(memory, self.w_k, self.b_k))
        values = self.values(linear(memory, self.w_v, self.b_v))

        return self.k(split_heads(keys, self.n_heads)), self.v(split_heads(values, self.n_heads))

    def attend(self, query: Tensor, k: Tensor, v: Tensor, mask: Mask) -> Tensor:
        """Let each query position look at the keys and take its mix of the values."""
        queries = self.queries(linear(query, self.w_q, self.b_q))
        q = self.q(split_heads(queries, self.n_heads))

        scores = self.scores(q @ k.transpose(-2, -1))
        scaled_scores = self.scaled_scores(scores * self.d_k**-0.5)
        masked_scores = self.masked_scores(scaled_scores.masked_fill(mask.blocked, -math.inf))
        weights = self.dropout(self.weights(softmax_over_keys(masked_scores, mask)))

        heads = self.heads(weights @ v)
        concat = self.concat(join_heads(heads))
        return self.out(linear(concat, self.w_o, self.b_o))


def split_heads(x: Tensor, n_heads: int) -> Tensor:
    """Cut the width into heads: (batch, seq, d_model) to (batch, head, seq, d_k)."""
    batch, seq, width = x.shape
    return x.view(batch, seq, n_heads, width // n_heads).transpose(1, 2)


def join_heads(heads: Tensor) -> Tensor:
    """Put the heads side by side: (batch, head, seq, d_k) to (batch, seq, d_model)."""
    batch, n_heads, seq, d_k = heads.shape
    return heads.transpose(1, 2).reshape(batch, seq, n_heads * d_k)
