"""What is known of a request while it is under way: told by whoever works for it, read by its log line and the metrics."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass


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
"""The request that the running task serves. A task begun for it keeps it, so that what a training logs names who began it."""


def note_work(*, waiting: float, computing: float) -> None:
    """Say that a piece of work for this request waited and computed for so many seconds."""
    seen = under_way.get()
    if seen is not None:
        seen.waiting += waiting
        seen.computing += computing
        seen.worked(waiting, computing)


def note_refusal(code: str) -> None:
    """Say by which code this request is refused."""
    seen = under_way.get()
    if seen is not None:
        seen.code = code
