"""Training by teacher forcing: the network is fed the right target and corrected at all positions at once."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch.nn.utils import clip_grad_norm_

from ..catalogue import card
from ..initial import draw_weights
from ..transformer import Transformer
from .batches import draw_batches
from .tasks import Task
from .threads import one_thread

Report = Callable[[int, int, float, float], None]

REPORT_EVERY = 20
LARGEST_GRADIENT = 1.0
WARM_UP = 0.1


def fit(task: Task, *, seed: int, steps: int, report: Report | None = None) -> Transformer:
    """Train the catalogue's model of this task from random weights and return it, in eval mode.

    Adam as in the paper (section 5.3: 0.9, 0.98, 1e-9), gradients clipped to norm 1. Same seed, steps and machine: same bits.

    Args:
        report: called about every 20 steps with the step, the number of steps, the loss and the learning rate.
    """
    made = card(task.id)
    network = Transformer(made.config)
    draw_weights(network, seed=seed)
    optimiser = torch.optim.Adam(network.parameters(), lr=task.rate, betas=(0.9, 0.98), eps=1e-9, fused=True)

    with one_thread():
        for step, batch in zip(range(1, steps + 1), draw_batches(task, made, seed=seed), strict=False):
            rate = rate_at(step, steps=steps, highest=task.rate)
            optimiser.param_groups[0]["lr"] = rate

            logits = network(batch.src_ids, batch.tgt_ids)
            loss = network.loss(logits.log_softmax(-1), batch.labels)

            optimiser.zero_grad()
            loss.backward()
            clip_grad_norm_(network.parameters(), LARGEST_GRADIENT)
            optimiser.step()

            if report is not None and (step % REPORT_EVERY == 0 or step in (1, steps)):
                report(step, steps, loss.item(), rate)
    return network.eval().requires_grad_(False)


def rate_at(step: int, *, steps: int, highest: float) -> float:
    """Return the learning rate of a step, counted from 1: up in a line over the first tenth, then down to 0 along a cosine.

    The paper's schedule (equation 3) rises in the same way and falls as 1 / √step: after ten warm-up lengths it is still at 32 %
    of its height. That suits a run whose length is open. Ours are short and their length is known, so the last steps can be
    small ones that no longer move what is right. The rise is what a post-norm network needs (Xiong et al., 2020).
    """
    warm_up = max(1, round(WARM_UP * steps))
    if step <= warm_up:
        return highest * step / warm_up
    return highest * (1 + math.cos(math.pi * (step - warm_up) / (steps - warm_up + 1))) / 2
