"""How often something is done besides training: once in so many seconds at most, and only for a small share of the time."""

from __future__ import annotations

import time
from collections.abc import Callable


class Pace:
    """Says when something is due again; what it cost the last time decides how long it waits.

    Args:
        seconds: the least between two times. share: the most of all time it may take.
        clock: a clock in seconds.
    """

    def __init__(self, seconds: float, share: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._share, self._clock = seconds, share, clock
        self._next = 0.0

    @property
    def due(self) -> bool:
        """True when it is time."""
        return self._clock() >= self._next

    def do(self, work: Callable[[], object]) -> None:
        """Do it now, and count from here."""
        begun = self._clock()
        work()
        ended = self._clock()
        self._next = ended + max(self._seconds, (ended - begun) / self._share)
