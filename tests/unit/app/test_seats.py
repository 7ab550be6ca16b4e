"""Streams have seats: whoever holds the most gives one up to who comes, and equals take turns."""

from __future__ import annotations

from collections import Counter

import pytest
from glassformer.app.errors import BusyError
from glassformer.app.queueing.seats import STOOD_SECONDS, Seat, Seats
from glassformer.app.queueing.visitors import Visitor
from glassformer.app.settings import Settings


class Hall:
    """Seats, who came to them, and a clock."""

    def __init__(self, most: int, **settings: int) -> None:
        self.now = 0.0
        self.seats = Seats(Settings(max_streams=most, **settings), lambda: self.now)
        self.came: list[tuple[str, Seat]] = []

    def come(self, *whos: str) -> None:
        for who in whos:
            address, _, key = who.partition(".")
            seat = Seat(Visitor(address, key))
            self.seats.enter(seat)
            self.came.append((who, seat))

    @property
    def ended(self) -> list[str]:
        return [who for who, seat in self.came if seat.wanted.is_set()]

    def leave(self) -> None:
        for _, seat in self.came:
            self.seats.leave(seat)
            self.seats.leave(seat)


def test_the_visitor_that_holds_the_most_gives_up_its_oldest() -> None:
    hall = Hall(5)
    hall.come("a.1", "b.1", "c.1", "c.1", "c.1", "d.1")
    assert hall.ended == ["c.1"]
    assert hall.came[2][1].wanted.is_set()
    hall.leave()
    assert (hall.seats.open, hall.seats._visitors, hall.seats._addresses) == (0, Counter(), Counter())


def test_made_up_keys_win_nothing_the_address_that_holds_the_most_gives_up_its_oldest() -> None:
    hall = Hall(512)
    hall.come("student.1", *(f"evil.{i}" for i in range(511)))
    hall.come(*(f"other {i}.1" for i in range(200)))
    assert hall.ended == [f"evil.{i}" for i in range(200)]


def test_of_one_address_all_are_equal_and_take_turns() -> None:
    """A class behind one address, where somebody has made up keys until all seats were taken."""
    hall = Hall(3)
    hall.come("nat.1", "nat.2", "nat.3")
    with pytest.raises(BusyError, match="3 streams are open"):
        hall.come("nat.4")
    hall.now = STOOD_SECONDS
    hall.come("nat.4")
    assert hall.ended == ["nat.1"]
    assert hall.seats.open == 3
    hall.come("nat.1")
    assert hall.ended == ["nat.1", "nat.2"]


def test_who_holds_the_most_itself_gets_no_more_than_turns() -> None:
    hall = Hall(3)
    hall.come("a.1", "b.1", "a.1")
    with pytest.raises(BusyError):
        hall.come("a.1")
    hall.now = STOOD_SECONDS
    hall.come("a.1")
    assert hall.came[0][1].wanted.is_set()
    assert hall.ended == ["a.1"]


def test_a_class_of_one_address_has_room_for_all_where_each_has_a_few() -> None:
    hall = Hall(512, max_streams_per_visitor=4)
    hall.come(*["nat.greedy"] * 4)
    with pytest.raises(BusyError, match="4 streams to this visitor are open, the limit"):
        hall.come("nat.greedy")
    hall.come(*(f"nat.{i}" for i in range(200)))
    assert hall.ended == []
