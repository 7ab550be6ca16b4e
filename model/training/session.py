"""A training that is under way: network, optimiser and data, one step at a time."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.utils import clip_grad_norm_

from ..initial import draw_weights
from ..layers import Dropout
from ..optimiser import BETA_1, BETA_2, EPSILON
from ..transformer import Transformer
from .batches import Batch, Stream
from .lesson import Lesson

LARGEST_GRADIENT = 1.0


@dataclass(frozen=True)
class Progress:
    """One step: its number from 1, the loss before it, the learning rate, and the gradient's norm before it was clipped."""

    step: int
    loss: float
    rate: float
    norm: float


class DivergedError(ArithmeticError):
    """The loss or its gradient is no finite number; nothing has been changed by this step."""

    def __init__(self, progress: Progress) -> None:
        super().__init__(f"loss {progress.loss}, gradient norm {progress.norm} at step {progress.step}")
        self.progress = progress


class Session:
    """A training by teacher forcing: the network is fed the right target and corrected at all positions at once.

    Adam as in the paper (section 5.3: 0.9, 0.98, 1e-9), gradients clipped to norm 1. Same lesson and machine: same bits, also
    where a session is kept and taken up again in between.
    """

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.step = 0
        self.network = Transformer(lesson.card.config)
        draw_weights(self.network, seed=lesson.seed)
        self.optimiser = torch.optim.Adam(
            self.network.parameters(), lr=lesson.schedule.rate_at(1), betas=(BETA_1, BETA_2), eps=EPSILON, fused=True
        )
        self.stream = Stream(lesson.draw, lesson.card, batch=lesson.batch, seed=lesson.seed)
        self.die = torch.Generator().manual_seed(lesson.seed)
        for module in self.network.modules():
            if isinstance(module, Dropout):
                module.die = self.die

    @property
    def finished(self) -> bool:
        """True when the lesson's steps are done."""
        return self.step >= self.lesson.steps

    def advance(self) -> Progress:
        """Take one step.

        Raises:
            DivergedError: loss or gradient is not finite. The session stands before this step, its gradients in `.grad`.
        """
        position, die = self.stream.position, self.die.get_state()
        batch = self.stream.batch()
        loss = self.loss(batch)
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        norm = clip_grad_norm_(self.network.parameters(), LARGEST_GRADIENT)

        step = self.step + 1
        progress = Progress(step, loss.item(), self.lesson.schedule.rate_at(step), norm.item())
        if not (math.isfinite(progress.loss) and math.isfinite(progress.norm)):
            self.stream.position = position
            self.die.set_state(die)
            raise DivergedError(progress)
        self.optimiser.param_groups[0]["lr"] = progress.rate
        self.optimiser.step()
        self.step = step
        return progress

    def loss(self, batch: Batch) -> Tensor:
        """Return the loss of a batch."""
        logits = self.network(batch.src_ids, batch.tgt_ids)
        mean: Tensor = self.network.loss(logits.log_softmax(-1), batch.labels)
        return mean

    @property
    def weights(self) -> dict[str, Tensor]:
        """The parameters by name, as they are now."""
        return {name: weights.detach() for name, weights in self.network.named_parameters()}

    @property
    def state(self) -> dict[str, Tensor]:
        """What the next steps depend on besides weights and data: Adam's m and v by parameter, and dropout's die."""
        kept = {"die": self.die.get_state()}
        for name, weights in self.network.named_parameters():
            moments = self.optimiser.state.get(weights)
            if moments:
                kept[f"m.{name}"], kept[f"v.{name}"] = moments["exp_avg"], moments["exp_avg_sq"]
        return kept

    def restore(self, step: int, weights: Mapping[str, Tensor], state: Mapping[str, Tensor], position: Mapping[str, Any]) -> None:
        """Stand where another session of this lesson stood after a step; everything is copied."""
        self.step, self.stream.position = step, position
        self.die.set_state(state["die"])
        with torch.no_grad():
            for name, own in self.network.named_parameters():
                own.copy_(weights[name])
                if step:
                    self.optimiser.state[own] = {
                        "step": torch.tensor(float(step)),
                        "exp_avg": state[f"m.{name}"].clone(),
                        "exp_avg_sq": state[f"v.{name}"].clone(),
                    }
