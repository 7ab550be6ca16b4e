"""The Transformer of "Attention Is All You Need" (Vaswani et al., 2017), written out, with a tap on every tensor.

A constructor is the legend of its block: one tap a line, with axes, formula and operands. `forward` is the paper's equations.
"""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

from .attention import MultiHeadAttention
from .config import ModelConfig
from .ends import Embedding, Generator, embedding_table
from .layers import FeedForward, LayerNorm, Residual, sublayer_input
from .loss import Loss
from .masks import Mask, Masks
from .steps import Exponential, Given, LogSoftmax, Same
from .taps import Block, Tap


class Transformer(Block):
    """The encoder-decoder model (figure 1)."""

    title = "Transformer"
    says = "The encoder reads the source once; the decoder writes the target, looking at what it has written and at the source."

    def __init__(self, c: ModelConfig) -> None:
        super().__init__({})
        self.config = c
        table = embedding_table(c)

        self.src_ids = Tap("batch src", r"\text{given}", Given(), "The source sentence as token ids.")
        self.tgt_ids = Tap(
            "batch tgt", r"\text{given}", Given(), "The decoder's input as token ids: the target without its last token."
        )
        self.masks = Masks(c)

        self.src_embed = Embedding(c, "src", table, {"ids": "src_ids"})
        self.encoder = Encoder(c, {"x": f"src_embed.{self.src_embed.result}", "mask": "masks.encoder_self_attn"})
        self.memory = Tap(
            "batch src d_model",
            r"\mathrm{Encoder}(x)",
            Same((f"encoder.{self.encoder.result}",)),
            "What the encoder made of the source; every decoder layer looks at it.",
        )

        self.tgt_embed = Embedding(c, "tgt", table if c.tied_embeddings else embedding_table(c), {"ids": "tgt_ids"})
        self.decoder = Decoder(
            c,
            {
                "x": f"tgt_embed.{self.tgt_embed.result}",
                "memory": "memory",
                "self_mask": "masks.decoder_self_attn",
                "cross_mask": "masks.cross_attn",
            },
        )
        self.generator = Generator(c, table, {"x": f"decoder.{self.decoder.result}"})

        self.logits = Tap(
            "batch tgt vocab",
            r"\mathrm{Generator}(x)",
            Same(("generator.out",)),
            "One score for each token of the vocabulary, at each target position.",
        )
        self.log_probs = Tap(
            "batch tgt vocab",
            r"\ln \mathrm{softmax}(\mathrm{logits})",
            LogSoftmax(("logits",)),
            "Logarithms of the probabilities: 0 is certain, −0.69 is one in two.",
        )
        self.probs = Tap(
            "batch tgt vocab",
            r"e^{\mathrm{log\_probs}}",
            Exponential(("log_probs",)),
            "The probability of each token to be the next one; a row sums to 1.",
        )
        self.loss = Loss(c, {"log_probs": "log_probs"})

    def forward(self, src_ids: Tensor, tgt_ids: Tensor, labels: Tensor | None = None, *, memory: Tensor | None = None) -> Tensor:
        """Return the logits (batch, tgt, vocab).

        Args:
            src_ids: (batch, src) token ids, padded on the right.
            tgt_ids: (batch, tgt), the decoder's input.
            labels: (batch, tgt), what each position has to predict; with them the loss is computed as well.
            memory: (batch, src, d_model), the encoder's output for this source if it is known already; the encoder then rests.
        """
        src_ids, tgt_ids = self.src_ids(src_ids), self.tgt_ids(tgt_ids)
        encoder_mask, decoder_mask, cross_mask = self.masks(src_ids, tgt_ids)

        if memory is None:
            memory = self.memory(self.encoder(self.src_embed(src_ids), encoder_mask))
        x = self.decoder(self.tgt_embed(tgt_ids), memory, decoder_mask, cross_mask)

        logits = self.logits(self.generator(x))
        log_probs = self.log_probs(logits.log_softmax(-1))
        self.probs(log_probs.exp())

        if labels is not None:
            self.loss(log_probs, labels)
        return logits

    def encode(self, src_ids: Tensor) -> Tensor:
        """Return the memory (batch, src, d_model) of a source alone, for a decoder that goes on by itself."""
        batch, length = src_ids.shape
        allowed = self.masks.src_allowed(src_ids)
        return self.memory(self.encoder(self.src_embed(src_ids), Mask.of(allowed[:, None, :].expand(batch, length, length))))


class Encoder(Block):
    """A stack of identical layers (section 3.1); with pre-norm, a last norm after them."""

    title = "encoder"
    says = "Each layer lets the source positions exchange information, then works on each one alone."

    def __init__(self, c: ModelConfig, inputs: Mapping[str, str]) -> None:
        super().__init__(inputs)
        x, layers = "x", []
        for i in range(c.n_layers):
            layer = EncoderLayer(c, {"x": x, "mask": "mask"})
            layers.append(layer)
            x = f"layers.{i}.{layer.result}"
        self.layers = nn.ModuleList(layers)
        self.norm = LayerNorm(c, "src", {"x": x}) if c.norm == "pre" else nn.Identity()
        self.result = "norm.out" if c.norm == "pre" else x

    def forward(self, x: Tensor, mask: Mask) -> Tensor:
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)


class EncoderLayer(Block):
    """Self-attention, then the feed-forward network, each with a residual connection and a norm (section 3.1)."""

    title = "encoder layer"
    says = "Self-attention mixes the positions; the feed-forward network works on each position alone."

    def __init__(self, c: ModelConfig, inputs: Mapping[str, str]) -> None:
        super().__init__(inputs)
        query = sublayer_input(c, "self_attn_residual", x="x")
        self.self_attn = MultiHeadAttention(c, "src", "src", {"query": query, "memory": query, "mask": "mask"})
        self.self_attn_residual = Residual(c, "src", {"x": "x", "sublayer": "self_attn.out"})

        x = f"self_attn_residual.{self.self_attn_residual.result}"
        self.feed_forward = FeedForward(c, "src", {"x": sublayer_input(c, "feed_forward_residual", x=x)})
        self.feed_forward_residual = Residual(c, "src", {"x": x, "sublayer": "feed_forward.out"})
        self.result = f"feed_forward_residual.{self.feed_forward_residual.result}"

    def forward(self, x: Tensor, mask: Mask) -> Tensor:
        x = self.self_attn_residual(x, lambda y: self.self_attn(y, y, mask))
        return self.feed_forward_residual(x, self.feed_forward)


class Decoder(Block):
    """A stack of identical layers (section 3.1); with pre-norm, a last norm after them."""

    title = "decoder"
    says = "Each layer looks back at the target so far, then at the encoder's memory, then works on each position alone."

    def __init__(self, c: ModelConfig, inputs: Mapping[str, str]) -> None:
        super().__init__(inputs)
        x, layers = "x", []
        for i in range(c.n_layers):
            layer = DecoderLayer(c, {"x": x, "memory": "memory", "self_mask": "self_mask", "cross_mask": "cross_mask"})
            layers.append(layer)
            x = f"layers.{i}.{layer.result}"
        self.layers = nn.ModuleList(layers)
        self.norm = LayerNorm(c, "tgt", {"x": x}) if c.norm == "pre" else nn.Identity()
        self.result = "norm.out" if c.norm == "pre" else x

    def forward(self, x: Tensor, memory: Tensor, self_mask: Mask, cross_mask: Mask) -> Tensor:
        for layer in self.layers:
            x = layer(x, memory, self_mask, cross_mask)
        return self.norm(x)


class DecoderLayer(Block):
    """Masked self-attention, cross-attention to the memory, then the feed-forward network (section 3.1)."""

    title = "decoder layer"
    says = (
        "Masked self-attention looks back, cross-attention looks at the source, the feed-forward network at each position alone."
    )

    def __init__(self, c: ModelConfig, inputs: Mapping[str, str]) -> None:
        super().__init__(inputs)
        query = sublayer_input(c, "self_attn_residual", x="x")
        self.self_attn = MultiHeadAttention(c, "tgt", "tgt", {"query": query, "memory": query, "mask": "self_mask"})
        self.self_attn_residual = Residual(c, "tgt", {"x": "x", "sublayer": "self_attn.out"})

        x = f"self_attn_residual.{self.self_attn_residual.result}"
        query = sublayer_input(c, "cross_attn_residual", x=x)
        self.cross_attn = MultiHeadAttention(c, "tgt", "src", {"query": query, "memory": "memory", "mask": "cross_mask"})
        self.cross_attn_residual = Residual(c, "tgt", {"x": x, "sublayer": "cross_attn.out"})

        x = f"cross_attn_residual.{self.cross_attn_residual.result}"
        self.feed_forward = FeedForward(c, "tgt", {"x": sublayer_input(c, "feed_forward_residual", x=x)})
        self.feed_forward_residual = Residual(c, "tgt", {"x": x, "sublayer": "feed_forward.out"})
        self.result = f"feed_forward_residual.{self.feed_forward_residual.result}"

    def forward(self, x: Tensor, memory: Tensor, self_mask: Mask, cross_mask: Mask) -> Tensor:
        x = self.self_attn_residual(x, lambda y: self.self_attn(y, y, self_mask))
        x = self.cross_attn_residual(x, lambda y: self.cross_attn(y, memory, cross_mask))
        return self.feed_forward_residual(x, self.feed_forward)
