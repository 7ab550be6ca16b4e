"""What is counted while a load runs, and what the counts say."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Tally:
    """Waits in seconds by what was waited for, and answers that were wrong.

    `refused` counts those that were asked to come back, `compared` tokens that were known beforehand.
    """

    waits: dict[str, list[float]] = field(default_factory=dict)
    refused: int = 0
    compared: int = 0
    wrong: list[str] = field(default_factory=list)

    def wait(self, what: str, seconds: float) -> None:
        """Note a wait."""
        self.waits.setdefault(what, []).append(seconds)

    def count(self, what: str) -> int:
        """How many waits of a kind there were."""
        return len(self.waits.get(what, ()))

    def late(self, what: str, percent: float) -> float:
        """A percentile of the waits of a kind, in milliseconds."""
        return percentile(self.waits.get(what, ()), percent) * 1e3

    def mistakes(self) -> list[str]:
        """What was wrong, the most frequent first, each with how often."""
        return [f"{times} × {text}" if times > 1 else text for text, times in Counter(self.wrong).most_common()]


def percentile(values: Sequence[float], percent: float) -> float:
    """The least value that this share of all does not exceed; infinite where there is none, as nothing was ever answered."""
    if not values:
        return math.inf
    return sorted(values)[max(0, math.ceil(len(values) * percent / 100) - 1)]
