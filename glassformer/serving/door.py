"""Who is connected, what each connection waits for, and which of them has to go.

A server of HTTP alone waits for ever: for the rest of a head, for a body, for a client that takes nothing of its answer. Here
every wait has an end, and where there is no room for one more connection, one goes that sends nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

from ..app.queueing.visitors import is_trusted
from ..app.settings import Settings

Phase = Literal["head", "body", "answer", "idle", "closing", "gone"]
"""What a connection does: sends a head or a body, waits for its answer, keeps silent between two requests, is told to go."""

BODY_RATE = 64 * 2**10
"""Bytes that lengthen the wait for a body by a second: whoever is slow, but sends, is not cut off."""
STALL_BYTES = 16 * 2**10
"""What a client has to take of its answer, each time, to be one that reads."""
LINGER_SECONDS = 2.0
"""How long a client that was refused may go on sending, so that it comes to read why."""
_SILENT: tuple[Phase, ...] = ("closing", "head", "idle")
"""Who goes first where there is no room."""


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


@dataclass
class _Stall:
    since: float
    bytes: int


class Door:
    """The connections of one process. Those of a phase are held in the order of time, so that only the oldest are looked at."""

    def __init__(self, settings: Settings, *, room: int) -> None:
        """Let in as many as the settings say, and never more than `room`: files that the process may still open."""
        self._settings = settings
        self._most = max(1, min(settings.max_connections, room))
        self._phases: dict[Phase, dict[Guest, float]] = {"closing": {}, "head": {}, "idle": {}, "body": {}}
        self._stalled: dict[Guest, _Stall] = {}
        self._addresses: dict[str, dict[Guest, None]] = {}
        self.count = 0
        self.refused: Counter[str] = Counter()

    def let_in(self, guest: Guest, now: float) -> bool:
        """Say whether there is room for one more, which a silent one may have to make."""
        same = self._addresses.setdefault(guest.address, {})
        if len(same) >= self._settings.max_connections_per_address and not self._is_proxy(guest.address):
            if not self._make_room(one for one in same if one.phase in _SILENT):
                self.refused["address"] += 1
                return False
            same = self._addresses.setdefault(guest.address, {})
        if self.count >= self._most and not self._make_room(one for phase in _SILENT for one in self._phases[phase]):
            self.refused["all"] += 1
            return False
        self._addresses.setdefault(guest.address, same)[guest] = None
        self.count += 1
        self._phases["head"][guest] = now
        guest.phase = "head"
        return True

    def enter(self, guest: Guest, phase: Phase, now: float) -> None:
        """Note that a connection does something else from now on."""
        if phase != guest.phase:
            self._phases.get(guest.phase, {}).pop(guest, None)
            guest.phase = phase
            if phase in self._phases:
                self._phases[phase][guest] = now

    def stall(self, guest: Guest, now: float) -> None:
        """Note that a client does not take its answer as quickly as it is written."""
        self._stalled[guest] = _Stall(now, guest.unsent())

    def flow(self, guest: Guest) -> None:
        """Note that it does again."""
        self._stalled.pop(guest, None)

    def leave(self, guest: Guest) -> None:
        """Forget a connection that is closed."""
        self.flow(guest)
        self._phases.get(guest.phase, {}).pop(guest, None)
        guest.phase = "gone"
        same = self._addresses.get(guest.address, {})
        if guest in same:
            del same[guest]
            self.count -= 1
            if not same:
                del self._addresses[guest.address]

    def sweep(self, now: float) -> None:
        """Let those go whose time is over."""
        for guest in self._over("head", now - self._settings.head_seconds):
            guest.too_slow()
        for guest in self._over("idle", now - self._settings.idle_seconds):
            guest.close()
        for guest in self._over("closing", now - LINGER_SECONDS):
            guest.drop()
        for guest, since in list(self._phases["body"].items()):
            if now - since > self._settings.body_seconds + guest.body_bytes / BODY_RATE:
                guest.too_slow()
        for guest, stall in list(self._stalled.items()):
            if guest.unsent() <= stall.bytes - STALL_BYTES:
                self.stall(guest, now)
            elif now - stall.since > self._settings.stall_seconds:
                guest.drop()

    def _over(self, phase: Phase, limit: float) -> list[Guest]:
        over = []
        for guest, since in self._phases[phase].items():
            if since >= limit:
                break
            over.append(guest)
        return over

    def _make_room(self, guests: Iterable[Guest]) -> bool:
        guest = next(iter(guests), None)
        if guest is None:
            return False
        guest.drop()
        return True

    def _is_proxy(self, address: str) -> bool:
        return bool(self._settings.trusted_proxies) and is_trusted(address, self._settings.trusted_proxies)
