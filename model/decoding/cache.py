"""Keys and values kept between the steps of a decoding, so that a step computes only what is new.

With the causal mask nothing that was computed for an earlier position changes when a later one is added: its keys and values can
be kept. Cross-attention's are made once, from the memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from ..batch import ids_of, source_rows
from ..deadline import look
from ..library import Watched
from ..masks import Mask
from ..transformer import DecoderLayer


@dataclass
class KeysValues:
    """Keys and values (rows, head, length, d_k) of one attention block."""

    k: Tensor
    v: Tensor

    @property
    def bytes(self) -> int:
        """Bytes of both."""
        return self.k.nbytes + self.v.nbytes

    def append(self, k: Tensor, v: Tensor) -> None:
        """Add rows for the newest position."""
        self.k, self.v = torch.cat((self.k, k), dim=2), torch.cat((self.v, v), dim=2)

    def of(self, rows: Tensor) -> KeysValues:
        """Return those of some rows, each as often as it is named."""
        return KeysValues(self.k[rows], self.v[rows])


@dataclass
class Cache:
    """What a decoding keeps: for each decoder layer its own keys and values and the memory's; who may be looked at; all logits.

    `src_allowed` is (rows, src), `tgt_allowed` (rows, length), `logits` (rows, length, vocab).
    """

    self_attn: list[KeysValues]
    cross_attn: list[KeysValues]
    src_allowed: Tensor
    tgt_allowed: Tensor
    logits: list[Tensor] = field(default_factory=list)

    @property
    def length(self) -> int:
        """How many positions are kept."""
        return self.tgt_allowed.shape[1]

    @property
    def bytes(self) -> int:
        """Bytes of all keys and values."""
        return sum(kept.bytes for kept in [*self.self_attn, *self.cross_attn])

    @property
    def held_bytes(self) -> int:
        """Bytes of everything that is kept."""
        return self.bytes + sum(logits.nbytes for logits in self.logits)

    def of(self, parents: Sequence[int]) -> Cache:
        """Return a cache of rows that stem from these rows; what is added to it leaves this one as it is."""
        if list(parents) == list(range(self.src_allowed.shape[0])):
            own, cross = ([KeysValues(kept.k, kept.v) for kept in blocks] for blocks in (self.self_attn, self.cross_attn))
            return Cache(own, cross, self.src_allowed, self.tgt_allowed, list(self.logits))
        rows = torch.tensor(parents)
        return Cache(
            [kept.of(rows) for kept in self.self_attn],
            [kept.of(rows) for kept in self.cross_attn],
            self.src_allowed[rows],
            self.tgt_allowed[rows],
            [logits[rows] for logits in self.logits],
        )


@torch.no_grad()
def begin(watched: Watched, src: Sequence[str]) -> Cache:
    """Encode the sentences once and make the keys and values of cross-attention; one row for each sentence."""
    rows, _ = source_rows(watched.card, src, max_length=watched.config.max_length)
    ids = ids_of(rows)
    return remember(watched, watched.network.encode(ids), watched.network.masks.src_allowed(ids))


@torch.no_grad()
def remember(watched: Watched, memory: Tensor, src_allowed: Tensor) -> Cache:
    """Return a cache that holds nothing but the memory's keys and values.

    Args:
        memory: (rows, src, d_model). src_allowed: (rows, src).
    """
    config, rows = watched.config, memory.shape[0]
    cross = [KeysValues(*layer.cross_attn.keys_and_values(memory)) for layer in _layers(watched)]
    empty = memory.new_empty(rows, config.n_heads, 0, config.d_k)
    return Cache([KeysValues(empty, empty) for _ in cross], cross, src_allowed, src_allowed.new_empty(rows, 0))


@torch.no_grad()
def advance(watched: Watched, cache: Cache, newest: Tensor) -> Tensor:
    """Feed the newest token of every row, keep its keys and values, and return the logits (rows, vocab) of the next.

    Args:
        newest: (rows,) token ids; their position is the number of positions kept.
    """
    network = watched.network
    x = network.tgt_embed(newest[:, None], first=cache.length)
    cache.tgt_allowed = torch.cat((cache.tgt_allowed, network.masks.tgt_allowed(newest[:, None])), dim=1)
    self_mask, cross_mask = Mask.of(cache.tgt_allowed[:, None, :]), Mask.of(cache.src_allowed[:, None, :])

    for i, (layer, own, cross) in enumerate(zip(_layers(watched), cache.self_attn, cache.cross_attn, strict=True)):
        look(f"decoder.layers.{i}")
        x = _advance_layer(layer, x, own, cross, self_mask, cross_mask)
    logits: Tensor = network.generator(network.decoder.norm(x))[:, 0]
    cache.logits.append(logits)
    return logits


def _advance_layer(
    layer: DecoderLayer, x: Tensor, own: KeysValues, cross: KeysValues, self_mask: Mask, cross_mask: Mask
) -> Tensor:
    def look_back(y: Tensor) -> Tensor:
        own.append(*layer.self_attn.keys_and_values(y))
        return layer.self_attn.attend(y, own.k, own.v, self_mask)

    x = layer.self_attn_residual(x, look_back)
    x = layer.cross_attn_residual(x, lambda y: layer.cross_attn.attend(y, cross.k, cross.v, cross_mask))
    out: Tensor = layer.feed_forward_residual(x, layer.feed_forward)
    return out


def _layers(watched: Watched) -> list[DecoderLayer]:
    layers = list(watched.network.decoder.layers)
    assert all(isinstance(layer, DecoderLayer) for layer in layers)
    return layers  # type: ignore[return-value]
