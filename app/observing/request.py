"""What is known of a request while it is under way: told by whoever works for it, read by its log line and the metrics."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class Seen:
    """A request and what has come of it so far; times are in seconds.

    `worked` is told of each piece of work done for it: how long that waited, and how long it computed.
    """

    request_id: str
    worked: Callable[[float, float], None]
    status: int = 0
    code: str = ""
    bytes: int = 0
    streams: bool = False
    waiting: float = 0.0
    computing: float = 0.0


under_way: ContextVar[Seen | None] = ContextVar("under_way", default=None)
"""The request that the running task serves."""


def request_id() -> str:
    """Return the id of the request that is served; "" outside of any."""
    seen = under_way.get()
    return seen.request_id if seen else ""


class Timed(Generic[T]):
    """A piece of work, called in another thread, that tells the request it is for how long it waited and computed."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._asked = self._began = self._ended = time.perf_counter()
        self._begun = False

    def __call__(self) -> T:
        self._begun = True
        self._began = time.perf_counter()
        try:
            return self._work()
        finally:
            self._ended = time.perf_counter()

    def note(self) -> None:
        """Tell the request, in its own task, once the work is done, or will not be: what never had its turn has waited too."""
        seen = under_way.get()
        if not self._begun:
            self._began = self._ended = time.perf_counter()
        if seen is not None and self._ended > self._asked:
            waiting, computing = self._began - self._asked, self._ended - self._began
            seen.waiting += waiting
            seen.computing += computing
            seen.worked(waiting, computing)


def note_refusal(code: str) -> None:
    """Say by which code this request is refused."""
    seen = under_way.get()
    if seen is not None:
        seen.code = code
