"""The loss: how surprised the model is by the right answers, with label smoothing and without (section 5.4)."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn import functional as F

from .config import ModelConfig
from .steps import Counted, Divide, Entropic, Given, Keep, LabelLoss, Mean, Multiply, Scale, SmoothTarget, Subtract, Total
from .steps.smoothing import OTHERS
from .taps import Block, Tap


class Loss(Block):
    """Cross-entropy of the labels, padding left out, averaged over the tokens that count."""

    title = "loss"
    says = "How surprised the model is by the right answers: minus the log-probability of each label, averaged without padding."

    def __init__(self, c: ModelConfig, inputs: Mapping[str, str]) -> None:
        super().__init__(inputs)
        self.pad_id, self.smooths = c.pad_id, c.smoothing > 0
        axes = "batch labels:tgt"

        self.labels = Tap(
            axes, r"\text{given}", Given(), "What each position has to predict: the target without its first token."
        )
        self.counted = Tap(
            axes,
            r"\mathrm{label} \ne \mathrm{pad}",
            Counted(("labels",), c.pad_id),
            "Labels that are padding are left out of the loss.",
        )
        self.surprisal = Tap(
            axes,
            r"-\ln p(\mathrm{label})",
            LabelLoss(("log_probs", "labels")),
            "How surprised the model is by each label; 0 is not at all.",
        )
        self.smoothed = Smoothed(c, {"log_probs": "log_probs", "labels": "labels"}) if self.smooths else None
        self.terms = Tap(
            axes,
            r"\text{cross-entropy, 0 for padding}" if self.smooths else r"-\ln p(\mathrm{label}) \text{, 0 for padding}",
            Keep(("smoothed.cross_entropy" if self.smooths else "surprisal", "counted")),
            "What each position adds to the loss: "
            + ("its cross-entropy with the smoothed target" if self.smooths else "its surprisal")
            + ", or 0 where the label is padding.",
        )
        self.total = Tap("", r"\sum_i \mathrm{terms}_i", Total(("terms",)), "All terms added.")
        self.count = Tap("", r"\sum_i \mathrm{counted}_i", Total(("counted",)), "How many labels count.")
        self.mean = Tap(
            "",
            r"\frac{\mathrm{total}}{\mathrm{count}}",
            Divide(("total", "count")),
            "The loss of the batch: the mean over all counted tokens.",
        )

        self.sentence_totals = Tap(
            "batch", r"\sum_i \mathrm{terms}_i", Total(("terms",)), "The terms of each sentence, added: long ones weigh more."
        )
        self.sentence_counts = Tap("batch", r"\sum_i \mathrm{counted}_i", Total(("counted",)), "How many labels of each count.")
        self.sentence_means = Tap(
            "batch",
            r"\frac{\mathrm{total}}{\mathrm{count}}",
            Divide(("sentence_totals", "sentence_counts")),
            "Each sentence's own mean.",
        )
        self.mean_of_means = Tap(
            "",
            r"\frac{1}{B} \sum_b \mathrm{mean}_b",
            Mean(("sentence_means",)),
            "The mean of the sentences' means: another number than the loss where lengths differ, and not what is trained on.",
        )

    def forward(self, log_probs: Tensor, labels: Tensor) -> Tensor:
        labels = self.labels(labels)
        counted = self.counted(labels != self.pad_id)

        surprisal = F.nll_loss(log_probs.flatten(0, 1), labels.flatten(), reduction="none")
        surprisal = self.surprisal(surprisal.view_as(labels))
        terms = self.terms((self.smoothed(log_probs, labels) if self.smoothed else surprisal).masked_fill(~counted, 0))
        loss = self.mean(self.total(terms.sum()) / self.count(counted.sum()))

        totals, counts = self.sentence_totals(terms.sum(-1)), self.sentence_counts(counted.sum(-1))
        self.mean_of_means(self.sentence_means(totals / counts).mean(-1))
        return loss


class Smoothed(Block):
    """Cross-entropy with a target that leaves ε for other tokens (section 5.4). Its entropy is the floor of the loss."""

    title = "label smoothing"
    says = "The label is worth 1 − ε, the others share ε: being certain no longer pays, and the loss has a floor above 0."

    def __init__(self, c: ModelConfig, inputs: Mapping[str, str]) -> None:
        super().__init__(inputs)
        self.eps, self.over, self.pad_id = c.smoothing, c.smoothing_over, c.pad_id
        every, row = "batch labels:tgt vocab", "batch labels:tgt"
        shared = {"all": "all tokens, the label too", "others": "the other tokens", "real": "the other tokens but padding"}

        self.targets = Tap(
            every,
            r"q = (1 - \varepsilon) [v = \mathrm{label}] + \frac{\varepsilon}{n}",
            SmoothTarget(("labels",), c.smoothing, c.smoothing_over, c.pad_id),
            f"What the probabilities are compared with: 1 − {c.smoothing:g} for the label, {c.smoothing:g} for "
            f"{shared[c.smoothing_over]}; 0 in rows of padding.",
        )
        self.surprisals = Tap(
            "batch tgt vocab",
            r"-\ln p",
            Scale(("log_probs",), -1.0, "−1"),
            "How surprised the model would be by each token.",
        )
        self.weighted = Tap(
            every,
            r"-q \ln p",
            Multiply(("targets", "surprisals")),
            "What each token adds to the cross-entropy: its surprisal times what it is worth.",
        )
        self.cross_entropy = Tap(row, r"-\sum_v q_v \ln p_v", Total(("weighted",)), "The row's cross-entropy with its target.")
        self.uncertainties = Tap(every, r"-q \ln q", Entropic(("targets",)), "What each token adds to the target's own entropy.")
        self.entropy = Tap(
            row,
            r"-\sum_v q_v \ln q_v",
            Total(("uncertainties",)),
            "The target's entropy: the least that the cross-entropy can be, where p is q.",
        )
        self.divergence = Tap(
            row,
            r"\mathrm{KL}(q \parallel p)",
            Subtract(("cross_entropy", "entropy")),
            "Cross-entropy less entropy: how far p is from q. Its gradient is the same, since the entropy does not move.",
        )

    def forward(self, log_probs: Tensor, labels: Tensor) -> Tensor:
        """Return the cross-entropy (batch, tgt) of log-probabilities (batch, tgt, vocab) with smoothed labels (batch, tgt)."""
        targets = self.targets(smooth(labels, log_probs, eps=self.eps, over=self.over, pad_id=self.pad_id))
        surprisals = self.surprisals(-log_probs)
        cross_entropy = self.cross_entropy(self.weighted(targets * surprisals).sum(-1))

        entropy = self.entropy(self.uncertainties(torch.special.entr(targets)).sum(-1))
        self.divergence(cross_entropy - entropy)
        return cross_entropy


def smooth(labels: Tensor, like: Tensor, *, eps: float, over: str, pad_id: int) -> Tensor:
    """Return the smoothed targets of labels (batch, tgt), like a tensor (batch, tgt, vocab); rows of padding are 0."""
    share = eps / max(like.shape[-1] - OTHERS[over], 1)
    targets = torch.full_like(like, share)
    if over == "real":
        targets[..., pad_id] = 0
    targets.scatter_(-1, labels.unsqueeze(-1), 1 - eps + (share if over == "all" else 0))
    return targets.masked_fill_((labels == pad_id).unsqueeze(-1), 0)
