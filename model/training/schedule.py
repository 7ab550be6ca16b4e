"""How large a step is, step by step: the learning rate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Protocol

WARM_UP = 0.1
"""The share of the steps over which the cosine schedule rises, unless told otherwise."""


class Schedule(Protocol):
    """The learning rate of every step, counted from 1."""

    name: ClassVar[str]
    formula: ClassVar[str]

    @property
    def rise(self) -> int:
        """The step at which the rate is highest."""

    def rate_at(self, step: int) -> float:
        """Return the learning rate of a step."""


@dataclass(frozen=True)
class Cosine:
    """Up in a line over the first steps, then down to 0 along half a cosine.

    The paper's schedule (equation 3) rises in the same way and falls as 1 / √step: after ten warm-up lengths it is still at 32 %
    of its height. That suits a run whose length is open. Ours are short and their length is known, so the last steps can be
    small ones that no longer move what is right. The rise is what a post-norm network needs (Xiong et al., 2020).

    Attributes:
        steps: how many there will be. highest: the rate at the top.
        warm_up: steps of the rise; None is a tenth of all.
    """

    name: ClassVar[str] = "cosine"
    formula: ClassVar[str] = (
        r"\mathrm{rate} \cdot \min \left( \frac{s}{w}, "
        r"\frac{1}{2} \left( 1 + \cos \pi \frac{s - w}{n - w + 1} \right) \right)"
    )

    steps: int
    highest: float
    warm_up: int | None = None

    @property
    def rise(self) -> int:
        return max(1, round(WARM_UP * self.steps)) if self.warm_up is None else self.warm_up

    def rate_at(self, step: int) -> float:
        if step <= self.rise:
            return self.highest * step / self.rise
        return self.highest * (1 + math.cos(math.pi * (step - self.rise) / (self.steps - self.rise + 1))) / 2


@dataclass(frozen=True)
class Paper:
    """The paper's schedule (equation 3): d_model^−0.5 · min(step^−0.5, step · warm_up^−1.5), times a factor, which is 1 there."""

    name: ClassVar[str] = "paper"
    formula: ClassVar[str] = r"\mathrm{rate} \cdot d_{\mathrm{model}}^{-0.5} \cdot \min \left( s^{-0.5}, s \cdot w^{-1.5} \right)"

    d_model: int
    warm_up: int = 4000
    factor: float = 1.0

    @property
    def rise(self) -> int:
        return self.warm_up

    def rate_at(self, step: int) -> float:
        return float(self.factor * self.d_model**-0.5 * min(step**-0.5, step * self.warm_up**-1.5))


def curve(schedule: Schedule, last: int, points: int = 160) -> list[tuple[int, float]]:
    """Return (step, rate) from the first step to the last, evenly, and the top."""
    steps = {1 + round(i * (last - 1) / (points - 1)) for i in range(points)} | {min(schedule.rise, last)}
    return [(step, schedule.rate_at(step)) for step in sorted(steps)]
