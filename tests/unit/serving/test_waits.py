"""The door's clock and its count, without a server."""

from __future__ import annotations

import pytest
from glassformer.app.settings import Settings

from glassformer.serving import files
from glassformer.serving.door import Door
from glassformer.serving.held import Phase


class Still:
    """A connection that stands still."""

    def __init__(self, address: str) -> None:
        self.phase: Phase = "gone"
        self.address, self.body_bytes, self.left = address, 0, 100_000
        self.told: list[str] = []

    def too_slow(self) -> None:
        self.told.append("too slow")

    def close(self) -> None:
        self.told.append("close")

    def drop(self) -> None:
        self.told.append("drop")

    def unsent(self) -> int:
        return self.left


@pytest.mark.parametrize(
    ("phase", "limit", "told"),
    [
        ("head", 10.0, "too slow"),
        ("body", 30.0, "too slow"),
        ("idle", 75.0, "close"),
        ("closing", 2.0, "drop"),
        ("answer", 30.0, "drop"),
    ],
)
def test_each_wait_ends_at_its_limit_and_not_before(phase: Phase, limit: float, told: str) -> None:
    """The clock is the test's: nothing here asks what time it is."""
    settings = Settings(head_seconds=10, body_seconds=30, idle_seconds=75, stall_seconds=30)
    door, guest = Door(settings, room=100), Still("a")
    door.let_in(guest, 0.0)
    door.enter(guest, phase, 0.0)
    if phase == "answer":
        door.stall(guest, 0.0)
    door.sweep(limit)
    assert guest.told == []
    door.sweep(limit + 0.01)
    assert guest.told == [told]


def test_whoever_takes_something_is_waited_for_again() -> None:
    door, guest = Door(Settings(stall_seconds=30), room=100), Still("a")
    door.let_in(guest, 0.0)
    door.enter(guest, "answer", 0.0)
    door.stall(guest, 0.0)
    guest.left -= 16 * 2**10
    door.sweep(29.0)
    door.sweep(58.0)
    assert guest.told == []
    guest.left -= 1000
    door.sweep(60.0)
    assert guest.told == ["drop"]


def test_whoever_sends_is_waited_for_longer() -> None:
    door, guest = Door(Settings(body_seconds=30), room=100), Still("a")
    door.let_in(guest, 0.0)
    door.enter(guest, "body", 0.0)
    guest.body_bytes = 10 * 64 * 2**10
    door.sweep(40.0)
    assert guest.told == []
    door.sweep(40.1)
    assert guest.told == ["too slow"]


def test_files_that_may_be_opened_bound_the_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda which: (64, 64))
    room = files.open_more_files()
    assert 1 <= room <= 32
    door = Door(Settings(), room=room)
    guests = [Still(str(i)) for i in range(64)]
    for guest in guests:
        door.let_in(guest, 0.0)
        door.enter(guest, "answer", 0.0)
    assert door.count == room
