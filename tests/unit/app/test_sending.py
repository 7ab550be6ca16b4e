"""Large answers are counted while they are on their way, and handed over in pieces."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pytest
from calling import Call, run_alone, until
from glassformer.app.errors import BusyError
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
