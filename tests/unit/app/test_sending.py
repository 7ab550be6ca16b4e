"""Large answers are counted while they are on their way, and handed over in pieces."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest
from calling import Call, run_alone, until
from glassformer.app.errors import BusyError
from glassformer.app.guard.sizes import ClientGoneError
from glassformer.app.sending import PIECE, SHARE, InPieces, Sending
from glassformer.app.settings import Settings

MIB = 2**20
LARGE = bytes(range(256)) * 1024


def test_one_address_has_a_quarter_of_sending_bytes_and_no_more() -> None:
    sending = Sending(Settings(sending_bytes=4 * MIB).sending_bytes)
    with sending.hold("a", MIB - 1, "here"), sending.hold("b", 1, "here"):
        with pytest.raises(BusyError), sending.hold("c", 1, "here"):
            pass
        with sending.hold("c", 1, "there"):
            assert sending.bytes == MIB + 1
    assert sending.bytes == 0


def test_all_addresses_have_sending_bytes_and_no_more() -> None:
    sending = Sending(4 * MIB)
    with ExitStack() as stack:
        for each in range(SHARE):
            stack.enter_context(sending.hold(each, MIB, f"address {each}"))
        with pytest.raises(BusyError), sending.hold("one more", 1, "another"):
            pass
        with sending.hold(0, MIB, "another"):  # what is there already
            assert sending.bytes == 4 * MIB


def test_what_several_are_sent_counts_once_until_the_last_has_it() -> None:
    sending = Sending(4 * MIB)
    with sending.hold("a", 1000, "here"):
        with sending.hold("a", 1000, "there"), sending.hold("a", 1000, "there"):
            assert sending.bytes == 1000
        assert sending.bytes == 1000
    assert sending.bytes == 0


def test_one_answer_larger_than_the_share_is_sent_alone() -> None:
    sending = Sending(MIB)
    with sending.hold("a", 2 * MIB, "here"), pytest.raises(BusyError), sending.hold("b", 1, "there"):
        pass


def test_who_takes_nothing_makes_way_the_longest_wait_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the same address where that is full, of any where all is; an answer that is still made, and one that moves, never."""
    clock = iter(range(100))
    monkeypatch.setattr("glassformer.app.sending.time", SimpleNamespace(monotonic=lambda: float(next(clock))))
    sending, ended = Sending(4 * MIB), []
    with ExitStack() as stack:
        for name in ("slow", "slower"):
            stack.enter_context(sending.hold(name, MIB // 2, "here", cut=lambda name=name: ended.append(name)))
        stack.enter_context(sending.hold("there", MIB, "there", cut=lambda: ended.append("there")))
        stack.enter_context(sending.hold("made", MIB, "elsewhere"))
        monkeypatch.setattr("glassformer.app.sending.IDLE_SECONDS", 1e9)
        with pytest.raises(BusyError), sending.hold("new", 1, "here"):
            pass
        monkeypatch.setattr("glassformer.app.sending.IDLE_SECONDS", 0.5)
        with sending.hold("new", 1, "here", cut=lambda: ended.append("new")):
            assert ended == ["slow"]
        with sending.hold("new", MIB // 2 + 1, "here"):
            assert ended == ["slow", "slower"]
            stack.enter_context(sending.hold("far", MIB, "far", cut=lambda: ended.append("far")))
            with sending.hold("last", MIB // 2, "last"):
                assert ended == ["slow", "slower", "there"]
        assert sending.bytes == 2 * MIB
    assert sending.bytes == 0
    assert not sending._to


async def _large(scope: Any, receive: Any, send: Any) -> None:
    length = (b"content-length", str(len(LARGE)).encode())
    await send({"type": "http.response.start", "status": 200, "headers": [length]})
    await send({"type": "http.response.body", "body": bytes([*LARGE])})  # another object each time, as each is made for one


def test_large_answers_of_any_kind_are_counted_handed_over_in_pieces_and_refused_beyond() -> None:
    """Without the layer the third is answered, and each connection holds the whole (seen with `_large` alone)."""

    async def test() -> None:
        sending = Sending(SHARE * 2 * len(LARGE))
        app: Any = InPieces(_large, Settings(), sending)
        unread = [Call(app, "/api/anything") for _ in range(3)]
        for call in unread:
            call.reads.clear()
        await until(lambda: all(call.status for call in unread))
        assert sorted(call.status for call in unread) == [200, 200, 503]
        assert [len(call.content) for call in unread if call.status == 200] == [PIECE, PIECE]
        assert all("retry-after" in call.headers for call in unread if call.status == 503)
        page = Call(app, "/static/anything")
        assert (await page.answer(), page.status) == (LARGE, 200)
        for call in unread:
            call.reads.set()
        assert [await call.answer() for call in unread if call.status == 200] == [LARGE, LARGE]
        assert sending.bytes == 0

    run_alone(test())


def test_a_client_who_does_not_read_is_cut_off_when_another_needs_the_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where idle clients keep their place the second is refused, as it was: one who read a byte a minute kept all others out."""

    async def test(idle: float) -> tuple[int, bool]:
        monkeypatch.setattr("glassformer.app.sending.IDLE_SECONDS", idle)
        sending = Sending(SHARE * len(LARGE))
        app: Any = InPieces(_large, Settings(), sending)
        unread = Call(app, "/api/anything")
        unread.reads.clear()
        await until(lambda: bool(unread.status))
        await until(lambda: sending.bytes == len(LARGE))
        await asyncio.sleep(0.02)
        other = Call(app, "/api/anything")
        content = await other.answer()
        gone = unread.task.done() and isinstance(unread.task.exception(), ClientGoneError)
        assert (content == LARGE) is (other.status == 200)
        unread.reads.set()
        await asyncio.wait({unread.task})
        assert sending.bytes == 0
        return other.status, gone

    assert run_alone(test(0.01)) == (200, True)
    assert run_alone(test(60.0)) == (503, False)
