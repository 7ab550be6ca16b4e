"""Who is connected, what each connection waits for, and which of them has to go.

A server of HTTP alone waits for ever: for the rest of a head, for a body, for a client that takes nothing of its answer. Here
every wait has an end, and where there is no room for one more connection, one goes that waits for its client.
"""

from __future__ import annotations

from collections import Counter
from typing import get_args

from ..app.queueing.visitors import is_trusted
from ..app.settings import Settings
from .held import BODY_RATE, Guest, Held, Phase, Wait

STALL_BYTES = 16 * 2**10
"""What a client has to take of its answer, each time, to be one that reads."""
LINGER_SECONDS = 2.0
"""How long a client that was refused may go on sending, so that it comes to read why."""
_WAITS = get_args(Wait)


class Door:
    """The connections of one process."""

    def __init__(self, settings: Settings, *, room: int) -> None:
        """Let in as many as the settings say, and never more than `room`: files that the process may still open."""
        self._settings = settings
        self._most = max(1, min(settings.max_connections, room))
        self._all = Held()
        self._addresses: dict[str, Held] = {}
        self._unsent: dict[Guest, int] = {}
        self.refused: Counter[str] = Counter()

    @property
    def count(self) -> int:
        """How many connections there are."""
        return self._all.count

    def let_in(self, guest: Guest, now: float) -> bool:
        """Say whether there is room for one more, which one that waits for its client may have to make."""
        same = self._addresses.get(guest.address, Held())
        crowded = same.count >= self._settings.max_connections_per_address and not self._is_proxy(guest.address)
        if crowded and not _make_room(same, now):
            self.refused["address"] += 1
            return False
        if self.count >= self._most and not _make_room(self._all, now):
            self.refused["all"] += 1
            return False
        for held in (self._all, self._addresses.setdefault(guest.address, Held())):
            held.count += 1
            held.put(guest, "head", now)
        guest.phase = "head"
        return True

    def enter(self, guest: Guest, phase: Phase, now: float) -> None:
        """Note that a connection does something else from now on."""
        if guest.phase in (phase, "gone"):
            return
        for held in self._both(guest):
            held.take(guest, guest.phase)
            if phase in _WAITS:
                held.put(guest, phase, now)  # type: ignore[arg-type]
        guest.phase = phase

    def stall(self, guest: Guest, now: float) -> None:
        """Note that a client does not take its answer as quickly as it is written."""
        if guest.phase == "gone":
            return
        self._unsent[guest] = guest.unsent()
        for held in self._both(guest):
            held.put(guest, "stalled", now)

    def flow(self, guest: Guest) -> None:
        """Note that it does again."""
        self._unsent.pop(guest, None)
        for held in self._both(guest):
            held.take(guest, "stalled")

    def leave(self, guest: Guest) -> None:
        """Forget a connection that is closed."""
        if guest.phase == "gone":
            return
        self.flow(guest)
        for held in self._both(guest):
            held.take(guest, guest.phase)
            held.count -= 1
        if not self._addresses[guest.address].count:
            del self._addresses[guest.address]
        guest.phase = "gone"

    def sweep(self, now: float) -> None:
        """Let those go whose time is over."""
        for guest in self._all.over("head", now - self._settings.head_seconds):
            guest.too_slow()
        for guest in self._all.over("idle", now - self._settings.idle_seconds):
            guest.close()
        for guest in self._all.over("closing", now - LINGER_SECONDS):
            guest.drop()
        for guest, since in list(self._all.waits["body"].items()):
            if now - since > self._settings.body_seconds + guest.body_bytes / BODY_RATE:
                guest.too_slow()
        for guest, since in list(self._all.waits["stalled"].items()):
            if guest.unsent() <= self._unsent[guest] - STALL_BYTES:
                self.stall(guest, now)
            elif now - since > self._settings.stall_seconds:
                guest.drop()

    def _both(self, guest: Guest) -> tuple[Held, ...]:
        """Return where a connection is held, unless it is gone."""
        return () if guest.phase == "gone" else (self._all, self._addresses[guest.address])

    def _is_proxy(self, address: str) -> bool:
        return bool(self._settings.trusted_proxies) and is_trusted(address, self._settings.trusted_proxies)


def _make_room(held: Held, now: float) -> bool:
    guest = held.spare(now)
    if guest is not None:
        guest.drop()
    return guest is not None
