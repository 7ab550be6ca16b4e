"""Who may attend to whom: every mask of the model, boolean, made in this one place. True means allowed."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from .config import ModelConfig
from .steps import AllOf, Everything, NotLater, NotPadding
from .taps import Block, Tap


@dataclass(frozen=True)
class Mask:
    """One attention mask as the attention block applies it.

    `blocked` is (batch, 1, query, key), the same for all heads. `keyless` marks the query rows (batch, 1, query, 1) in which no
    key is allowed, or is None when there is no such row.
    """

    blocked: Tensor
    keyless: Tensor | None

    @classmethod
    def of(cls, allowed: Tensor) -> Mask:
        """Make the mask of `allowed` (batch, query, key)."""
        blocked = ~allowed.unsqueeze(1)
        keyless = blocked.all(-1, keepdim=True)
        return cls(blocked=blocked, keyless=keyless if bool(keyless.any()) else None)


class Masks(Block):
    """The padding masks of source and target, the causal mask, and what each of the three kinds of attention makes of them."""

    title = "masks"
    says = "Which position may look at which: padding is never looked at, and the decoder never looks ahead."

    def __init__(self, c: ModelConfig) -> None:
        super().__init__({"src_ids": "src_ids", "tgt_ids": "tgt_ids"})
        self.pad_id = c.pad_id
        self.mask_src, self.mask_tgt, self.mask_later = c.mask_src_padding, c.mask_tgt_padding, c.causal

        self.src_not_padding = _padding_tap(c.mask_src_padding, "src", "source", c.pad_id)
        self.tgt_not_padding = _padding_tap(c.mask_tgt_padding, "tgt", "target", c.pad_id)
        self.causal = Tap(
            "query:tgt key:tgt",
            r"j \le i" if c.causal else _OFF,
            NotLater() if c.causal else Everything(),
            "Position i may look at positions up to i, so that it cannot read the label it has to predict."
            if c.causal
            else "Switched off: every position also sees later tokens, the label that it has to predict among them.",
        )

        self.encoder_self_attn = Tap(
            "batch query:src key:src",
            r"\mathrm{src\_not\_padding}_j",
            AllOf(("src_not_padding",)),
            f"The mask of the encoder's self-attention: {_who(c.mask_src_padding, 'source')} may be looked at.",
        )
        self.decoder_self_attn = Tap(
            "batch query:tgt key:tgt",
            r"\mathrm{tgt\_not\_padding}_j \wedge \mathrm{causal}_{ij}",
            AllOf(("tgt_not_padding", "causal")),
            f"The mask of the decoder's self-attention: {_who(c.mask_tgt_padding, 'target')} may be looked at"
            + (", unless it is later." if c.causal else ", later ones too: the causal mask is switched off."),
        )
        self.cross_attn = Tap(
            "batch query:tgt key:src",
            r"\mathrm{src\_not\_padding}_j",
            AllOf(("src_not_padding",)),
            f"The mask of cross-attention: {_who(c.mask_src_padding, 'source')} may be looked at. "
            "It is not causal: the source is known whole.",
        )

    def forward(self, src_ids: Tensor, tgt_ids: Tensor) -> tuple[Mask, Mask, Mask]:
        """Return the masks of encoder self-attention, decoder self-attention and cross-attention.

        Args:
            src_ids: (batch, src). tgt_ids: (batch, tgt), the decoder's input.
        """
        (batch, src), tgt = src_ids.shape, tgt_ids.shape[1]

        src_real, tgt_real = self.src_allowed(src_ids), self.tgt_allowed(tgt_ids)
        square = torch.ones(tgt, tgt, dtype=torch.bool, device=tgt_ids.device)
        causal = self.causal(square.tril() if self.mask_later else square)

        encoder = self.encoder_self_attn(src_real[:, None, :].expand(batch, src, src))
        decoder = self.decoder_self_attn(tgt_real[:, None, :] & causal)
        cross = self.cross_attn(src_real[:, None, :].expand(batch, tgt, src))
        return Mask.of(encoder), Mask.of(decoder), Mask.of(cross)

    def src_allowed(self, ids: Tensor) -> Tensor:
        """Return which source positions (batch, src) may be looked at at all."""
        return self.src_not_padding(ids != self.pad_id if self.mask_src else torch.ones_like(ids, dtype=torch.bool))

    def tgt_allowed(self, ids: Tensor) -> Tensor:
        """Return which target positions (batch, tgt) may be looked at at all."""
        return self.tgt_not_padding(ids != self.pad_id if self.mask_tgt else torch.ones_like(ids, dtype=torch.bool))


_OFF = r"\text{allowed everywhere (switched off)}"


def _padding_tap(switched_on: bool, seq: str, title: str, pad_id: int) -> Tap:
    if not switched_on:
        return Tap(f"batch key:{seq}", _OFF, Everything(), f"Switched off: {title} padding is looked at like any token.")
    says = f"Allowed where the {title} holds a token that is not padding."
    return Tap(f"batch key:{seq}", r"\mathrm{id}_j \ne \mathrm{pad}", NotPadding((f"{seq}_ids",), pad_id), says)


def _who(masked: bool, title: str) -> str:
    return f"every {title} token that is not padding" if masked else f"every {title} position, padding too,"


def softmax_over_keys(masked_scores: Tensor, mask: Mask) -> Tensor:
    """Return the softmax over the last axis, with weights 0 in rows where every key is blocked.

    A plain softmax makes such a row NaN, and its gradient too; here it gives nothing and learns nothing.
    """
    if mask.keyless is None:
        return masked_scores.softmax(-1)
    return masked_scores.masked_fill(mask.keyless, 0).softmax(-1).masked_fill(mask.keyless, 0)
