"""Connections by what they wait for, each phase in the order of time, and which of them has to make room for another."""

from __future__ import annotations

from itertools import islice
from typing import Literal, Protocol

Phase = Literal["head", "body", "answer", "idle", "closing", "gone"]
"""What a connection does: sends a head or a body, waits for its answer, keeps silent between two requests, is told to go."""
Wait = Literal["closing", "head", "body", "idle", "stalled"]
"""What a connection waits for that has an end; a stalled one does not take its answer."""

BODY_RATE = 64 * 2**10
"""Bytes a second at which a body is not slow: each so many of them lengthen the wait for it by a second."""
FRESH_SECONDS = 1.0
"""How long nobody is called slow: whoever has come just now, or stops for a breath."""
LOOKED_AT = 32
"""Among how many of the oldest the slowest body is looked for."""


class Guest(Protocol):
    """A connection, as the door knows it."""

    phase: Phase
    address: str
    body_bytes: int

    def too_slow(self) -> None:
        """Say that its time is over, and close."""

    def close(self) -> None:
        """Close without a word."""

    def drop(self) -> None:
        """Cut off, whatever is on its way."""

    def unsent(self) -> int:
        """Return how many bytes the client has not taken yet."""


class Held:
    """The connections of one address, or of all."""

    def __init__(self) -> None:
        self.count = 0
        self.waits: dict[Wait, dict[Guest, float]] = {wait: {} for wait in ("closing", "head", "body", "idle", "stalled")}

    def put(self, guest: Guest, wait: Wait, now: float) -> None:
        """Note since when a connection waits: it is the youngest of those."""
        self.waits[wait].pop(guest, None)
        self.waits[wait][guest] = now

    def take(self, guest: Guest, wait: str) -> None:
        """Note that it does so no longer, if it did."""
        self.waits.get(wait, {}).pop(guest, None)  # type: ignore[call-overload]

    def over(self, wait: Wait, limit: float) -> list[Guest]:
        """Return those that wait since before some time."""
        found = []
        for guest, since in self.waits[wait].items():
            if since >= limit:
                break
            found.append(guest)
        return found

    def spare(self, now: float) -> Guest | None:
        """Return who makes room for one more: of those that do nothing the one that costs its owner least, and else nobody.

        Who was refused, whose request does not come, who keeps silent, who does not take its answer; at last, where all have
        come just now, whoever has not asked for anything yet.
        """
        old = now - FRESH_SECONDS
        return (
            self._oldest("closing", now)
            or self._oldest("head", old)
            or self._slowest_body(old, now)
            or self._oldest("idle", now)
            or self._oldest("stalled", old)
            or self._oldest("head", now)
            or self._oldest("body", now)
        )

    def _oldest(self, wait: Wait, latest: float) -> Guest | None:
        guest, since = next(iter(self.waits[wait].items()), (None, latest))
        return guest if since <= latest else None

    def _slowest_body(self, latest: float, now: float) -> Guest | None:
        """Return the one of which least has come in its time."""
        rates = {
            guest: guest.body_bytes / (now - since)
            for guest, since in islice(self.waits["body"].items(), LOOKED_AT)
            if since <= latest and guest.body_bytes < BODY_RATE * (now - since)
        }
        return min(rates, key=rates.__getitem__, default=None)
