"""How long a piece of work may go on, and whether anybody still waits for it: looked at at every tap, and between steps."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from .errors import DeadlineError, StoppedError


class Deadline:
    """The end of a piece of work that has been given `seconds`; the clock runs from `start` on, and is never set back.

    `stop` ends it at once, from any thread. `pause`, where there is one, is called at every look: it may wait until others, for
    whom it gives way, are done, and that time does not count.
    """

    def __init__(self, seconds: float = math.inf, *, pause: Callable[[], float] | None = None) -> None:
        self.seconds = seconds
        self.stopped = False
        self._pause = pause
        self._ends = time.monotonic() + seconds

    def start(self) -> None:
        """Begin to count."""
        self._ends = time.monotonic() + self.seconds

    def allow(self, seconds: float) -> None:
        """Give the work as much as `seconds`, where that is more than it has."""
        more = max(0.0, seconds - self.seconds)
        self.seconds += more
        self._ends += more

    def stop(self) -> None:
        """End the work where it looks next."""
        self.stopped = True

    def check(self, place: str) -> None:
        """Go on, unless time is up or nobody waits any more. `place` says how far the work has come.

        Raises:
            DeadlineError, StoppedError
        """
        if self._pause is not None:
            self._ends += self._pause()
        if self.stopped:
            raise StoppedError(f"nobody waits for this any more; it came as far as {place}", where=place)
        if time.monotonic() > self._ends:
            raise DeadlineError(f"this takes longer than {self.seconds:.3g} s, the limit; it came as far as {place}", where=place)


_kept: ContextVar[Deadline | None] = ContextVar("deadline", default=None)


def deadline() -> Deadline | None:
    """Return the deadline of the work in this context, if there is one."""
    return _kept.get()


@contextmanager
def keeping(limit: Deadline) -> Iterator[None]:
    """Keep a deadline in this context."""
    token = _kept.set(limit)
    try:
        yield
    finally:
        _kept.reset(token)


def look(place: str) -> None:
    """Look at the deadline of this context; for work between whose pieces no tap fires."""
    found = _kept.get()
    if found is not None:
        found.check(place)
