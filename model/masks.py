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
        self.switched_on = (c.mask_src_padding, c.mask_tgt_padding, c.causal)
        padding = r"\mathrm{id}_j \ne \mathrm{pad}"
        off = r"\text{allowed everywhere (switched off)}"

        self.src_padding = Tap(
            "batch key:src",
            padding if c.mask_src_padding else off,
            NotPadding(("src_ids",), c.pad_id) if c.mask_src_padding else Everything(),
            "Source positions that hold a real token.",
        )
        self.tgt_padding = Tap(
            "batch key:tgt",
            padding if c.mask_tgt_padding else off,
            NotPadding(("tgt_ids",), c.pad_id) if c.mask_tgt_padding else Everything(),
            "Target positions that hold a real token.",
        )
        self.causal = Tap(
            "query:tgt key:tgt",
            r"j \le i" if c.causal else off,
            NotLater() if c.causal else Everything(),
            "Position i may look at positions up to i, so that it cannot read the label it has to predict.",
        )

        self.encoder = Tap(
            "batch query:src key:src",
            r"\mathrm{src\_padding}_j",
            AllOf(("src_padding",)),
            "The mask of the encoder's self-attention: every real source position may be looked at.",
        )
        self.decoder = Tap(
            "batch query:tgt key:tgt",
            r"\mathrm{tgt\_padding}_j \wedge \mathrm{causal}_{ij}",
            AllOf(("tgt_padding", "causal")),
            "The mask of the decoder's self-attention: real target positions that are not later.",
        )
        self.cross = Tap(
            "batch query:tgt key:src",
            r"\mathrm{src\_padding}_j",
            AllOf(("src_padding",)),
            "The mask of cross-attention: every real source position; it is not causal, the source is known whole.",
        )

    def forward(self, src_ids: Tensor, tgt_ids: Tensor) -> tuple[Mask, Mask, Mask]:
        """Return the masks of encoder self-attention, decoder self-attention and cross-attention.

        Args:
            src_ids: (batch, src). tgt_ids: (batch, tgt), the decoder's input.
        """
        (batch, src), tgt = src_ids.shape, tgt_ids.shape[1]
        mask_src, mask_tgt, mask_later = self.switched_on

        src_padding = self.src_padding(src_ids != self.pad_id if mask_src else torch.ones_like(src_ids, dtype=torch.bool))
        tgt_padding = self.tgt_padding(tgt_ids != self.pad_id if mask_tgt else torch.ones_like(tgt_ids, dtype=torch.bool))
        square = torch.ones(tgt, tgt, dtype=torch.bool, device=tgt_ids.device)
        causal = self.causal(square.tril() if mask_later else square)

        encoder = self.encoder(src_padding[:, None, :].expand(batch, src, src))
        decoder = self.decoder(tgt_padding[:, None, :] & causal)
        cross = self.cross(src_padding[:, None, :].expand(batch, tgt, src))
        return Mask.of(encoder), Mask.of(decoder), Mask.of(cross)


def softmax_over_keys(masked_scores: Tensor, mask: Mask) -> Tensor:
    """Return the softmax over the last axis, with weights 0 in rows where every key is blocked.

    A plain softmax makes such a row NaN, and its gradient too; here it gives nothing and learns nothing.
    """
    if mask.keyless is None:
        return masked_scores.softmax(-1)
    return masked_scores.masked_fill(mask.keyless, 0).softmax(-1).masked_fill(mask.keyless, 0)
