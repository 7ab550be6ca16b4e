"""Who may have a stream open: so many in all, shared fairly, so that nobody keeps others out by holding what they do not use."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TypeVar

from ..errors import BusyError
from ..settings import Settings
from .visitors import Visitor

H = TypeVar("H", bound=Hashable)
STOOD_SECONDS = 10.0
"""How long a stream has its seat before somebody who holds no fewer may take it."""


@dataclass(eq=False)
class Seat:
    """The place of one stream. `wanted` is set when another needs it: the stream says `bye`, and its reader may come again."""

    visitor: Visitor
    since: float = 0.0
    wanted: asyncio.Event = field(default_factory=asyncio.Event)


class Seats:
    """The seats that are taken. For use on the event loop only.

    When all are, who comes takes the oldest of the visitor, or among equals of the address, that holds the most. Where all hold
    the same, it must have been theirs for a while: so too many readers take turns and do not chase one another.
    """

    def __init__(self, settings: Settings, now: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self._now = now
        self._taken: dict[Seat, None] = {}
        self._visitors: Counter[Visitor] = Counter()
        self._addresses: Counter[str] = Counter()

    @property
    def open(self) -> int:
        """How many seats are taken."""
        return len(self._taken)

    def enter(self, seat: Seat) -> None:
        """Take a seat. Raises BusyError."""
        visitor, settings = seat.visitor, self._settings
        self._check(self._visitors[visitor], settings.max_streams_per_visitor, "this visitor")
        if visitor.address:
            self._check(self._addresses[visitor.address], settings.max_streams_per_address, "this address")
        if self.open >= settings.max_streams:
            self._make_room(visitor)
        seat.since = self._now()
        self._taken[seat] = None
        self._visitors[visitor] += 1
        self._addresses[visitor.address] += 1

    def leave(self, seat: Seat) -> None:
        """Give a seat back; one that was taken away is no mistake."""
        if seat not in self._taken:
            return
        del self._taken[seat]
        _less(self._visitors, seat.visitor)
        _less(self._addresses, seat.visitor.address)

    def _check(self, held: int, most: int, whose: str) -> None:
        if most and held >= most:
            raise BusyError(f"{held} streams to {whose} are open, the limit; close one, or try again")

    def _make_room(self, newcomer: Visitor) -> None:
        mine = (self._visitors[newcomer] + 1, self._addresses[newcomer.address] + 1)
        oldest = max(self._taken, key=lambda seat: self._held(seat.visitor, newcomer))  # of equals the first, which is the oldest
        stood = self._now() - oldest.since
        if self._held(oldest.visitor, newcomer) <= mine and stood < STOOD_SECONDS:
            raise BusyError(f"{self.open} streams are open, and no more are let in; try again in a moment")
        self.leave(oldest)
        oldest.wanted.set()

    def _held(self, visitor: Visitor, newcomer: Visitor) -> tuple[int, int]:
        """Return how many seats a visitor and its address hold, that of the newcomer counted."""
        return (
            self._visitors[visitor] + (visitor == newcomer),
            self._addresses[visitor.address] + (visitor.address == newcomer.address),
        )


def _less(counter: Counter[H], key: H) -> None:
    counter[key] -= 1
    if not counter[key]:
        del counter[key]
