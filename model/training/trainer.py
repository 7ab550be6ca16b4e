"""Training a model that comes with the program, from the first step to the last."""

from __future__ import annotations

from collections.abc import Callable

from ..transformer import Transformer
from .lesson import shipped_lesson
from .session import Session
from .tasks import Task
from .threads import one_thread

Report = Callable[[int, int, float, float], None]

REPORT_EVERY = 20


def fit(task: Task, *, seed: int, steps: int, report: Report | None = None) -> Transformer:
    """Train the catalogue's model of this task from random weights and return it, in eval mode.

    Same seed, steps and machine: same bits.

    Args:
        report: called about every 20 steps with the step, the number of steps, the loss and the learning rate.
    """
    session = Session(shipped_lesson(task, seed=seed, steps=steps))
    with one_thread():
        while not session.finished:
            made = session.advance()
            if report is not None and (made.step % REPORT_EVERY == 0 or made.step in (1, steps)):
                report(made.step, steps, made.loss, made.rate)
    return session.network.eval().requires_grad_(False)
