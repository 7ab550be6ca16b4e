"""However a request is cut into pieces, and whatever else comes: the same answers, no fault, and nobody left at the door."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
import uvicorn
from glassformer.app.settings import Settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from receiving import Echo
from running import run
from uvicorn.server import ServerState

from glassformer.serving.door import Door

GUEST = Callable[..., Any]
FEW = settings(max_examples=60, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
LIMITS = Settings(max_url=1024, max_header=1024, max_headers=16)


class Wire(asyncio.Transport):
    """Takes what is written, and is closed by either side."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 2)})
        self.written = b""
        self.closed = False

    def write(self, data: Any) -> None:
        self.written += bytes(data)

    def close(self) -> None:
        self.closed = True

    abort = close

    def write_eof(self) -> None: ...

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def can_write_eof(self) -> bool:
        return True

    def is_closing(self) -> bool:
        return self.closed

    def get_write_buffer_size(self) -> int:
        return 0


async def _talk(guest: GUEST, pieces: list[bytes]) -> tuple[bytes, Door]:
    door, wire = Door(LIMITS, room=100), Wire()
    config = uvicorn.Config(Echo(), ws="none", log_level="critical", access_log=False, date_header=False)
    config.load()
    protocol = guest(door, LIMITS, config=config, server_state=ServerState(), app_state={})
    protocol.connection_made(wire)
    for piece in pieces:
        if wire.closed:
            break
        protocol.data_received(piece)
        await asyncio.sleep(0)
    for _ in range(50):
        await asyncio.sleep(0)
    door.sweep(asyncio.get_running_loop().time() + 1000.0)
    protocol.connection_lost(None)
    for _ in range(5):
        await asyncio.sleep(0)
    assert not protocol.tasks
    return wire.written, door


def talk(guest: GUEST, pieces: list[bytes]) -> tuple[bytes, Door]:
    """What is answered to pieces of bytes, and the door after the connection has gone."""
    return run(_talk(guest, pieces))


def request(length: int, chunked: bool) -> bytes:
    head = b"POST /some HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    if chunked:
        return (
            head
            + b"Transfer-Encoding: chunked\r\n\r\n"
            + (b"%x\r\n%b\r\n" % (length, b"y" * length) if length else b"")
            + b"0\r\n\r\n"
        )
    return head + b"Content-Length: %d\r\n\r\n" % length + b"x" * length


def cut(text: bytes, places: list[int]) -> list[bytes]:
    at = sorted({1 + place % (len(text) - 1) for place in places})
    return [text[start:end] for start, end in zip([0, *at], [*at, len(text)], strict=True)]


requests = st.lists(st.tuples(st.sampled_from([0, 1, 30, 1500, 3000]), st.booleans()), min_size=1, max_size=4)
places = st.lists(st.integers(0, 20_000), max_size=8)


@given(asked=requests, places=places)
@FEW
def test_answers_do_not_depend_on_how_requests_are_cut(guest: GUEST, asked: list[tuple[int, bool]], places: list[int]) -> None:
    text = b"".join(request(length, chunked) for length, chunked in asked)
    written, door = talk(guest, cut(text, places))
    answers = written.split(b"HTTP/1.1 200 OK\r\n")[1:]
    assert [int(answer.rpartition(b"\r\n\r\n")[2]) for answer in answers] == [length for length, _ in asked]
    assert door.count == 0


atoms = st.sampled_from(
    [
        b"GET / HTTP/1.1\r\n",
        b"POST / HTTP/1.1\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"Host: a\r\n",
        b"Content-Length: 5\r\n",
        b"Content-Length: -1\r\n",
        b"Content-Length: 99999999999999999999\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"Connection: Upgrade\r\nUpgrade: websocket\r\n",
        b"Expect: 100-continue\r\n",
        b"\r\n",
        b"\r\n\r\n",
        b"\x00",
        b"\xff" * 3,
        b"x" * 600,
        b"5\r\nhello\r\n",
        b"0\r\n\r\n",
        b" folded\r\n",
    ]
)


@given(pieces=st.lists(atoms | st.binary(min_size=1, max_size=20), max_size=12))
@FEW
def test_no_bytes_at_all_are_a_fault(guest: GUEST, pieces: list[bytes]) -> None:
    written, door = talk(guest, pieces)
    assert b"HTTP/1.1 5" not in written
    assert door.count == 0


@pytest.fixture
def guest(protocol: str) -> GUEST:
    from glassformer.serving.with_h11 import H11Guest
    from glassformer.serving.with_httptools import HttpToolsGuest

    return {"h11": H11Guest, "httptools": HttpToolsGuest}[protocol]
