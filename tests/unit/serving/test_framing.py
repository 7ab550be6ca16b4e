"""What stands around a body is counted too: sizes of chunks, what is appended to them, and fields after the last one."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable

import pytest
from receiving import Served, is_open, read

from glassformer.serving import door
from glassformer.serving.guests import DISCARDED_BYTES, GuestProtocol

Serve = Callable[..., Served]

HEAD = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"
GET = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
PIECE = b"v" * 2**14
FIELDS = b"".join(b"X-T%d: %s\r\n" % (i, b"v" * 100) for i in range(150))
ENDLESS = {"value": (b"0\r\nX-T: ", PIECE), "fields": (b"0\r\n", FIELDS), "extension": (b"2;a=", PIECE)}


def pour(client: socket.socket, piece: bytes, count: int) -> bytes:
    """Send a piece over and over, until it is refused or enough."""
    try:
        for _ in range(count):
            client.sendall(piece)
    except ConnectionError:
        pass
    return read(client)


@pytest.mark.parametrize("kind", ENDLESS)
def test_what_has_no_end_around_a_body_is_refused(serve: Serve, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that never ends was copied, whole, for each piece of it: the server stood still, and its memory grew."""
    monkeypatch.setattr(door, "LINGER_SECONDS", 0.3)
    server = serve()
    begun, piece = ENDLESS[kind]
    answer = pour(server.connect(HEAD + begun), piece, 100)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 413 ")
    assert json.loads(body)["error"]["code"] == "too_large"
    assert server.wait_for(lambda: server.door.count == 0)
    assert server.connect(GET).recv(100).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("kind", ENDLESS)
@pytest.mark.parametrize("protocol", ["httptools"])
def test_without_the_count_all_of_it_is_taken(serve: Serve, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """h11 has a limit of its own, which we set."""
    monkeypatch.setattr(GuestProtocol, "too_framed", lambda *_: None)
    begun, piece = ENDLESS[kind]
    client = serve().connect(HEAD + begun)
    for _ in range(DISCARDED_BYTES // len(piece) + 20):  # more than is read of a client that was refused
        client.sendall(piece)
    assert is_open(client, seconds=0.3)


def test_chunks_of_one_byte_are_a_body(serve: Serve) -> None:
    client = serve(max_header=1024).connect(HEAD)
    for _ in range(20):
        client.sendall(b"1\r\nx\r\n" * 1000)
    client.sendall(b"0\r\nX-T: 1\r\n\r\n")
    text = b""
    while not text.endswith(b"\r\n\r\n20002"):
        piece = client.recv(2000)
        assert piece, text
        text += piece


@pytest.mark.parametrize("length", [900, 3000], ids=["below the limit", "past it"])
def test_fields_after_a_body_have_the_limit_of_those_before(serve: Serve, length: int) -> None:
    server = serve(max_header=1024)
    client = server.connect(HEAD)
    assert server.wait_for(lambda: any(guest.phase == "body" for guest in server.server.server_state.connections))
    text = b"0\r\nX-T: " + b"v" * length + b"\r\n\r\n"
    client.sendall(text[:-2])
    if length == 900:
        client.sendall(text[-2:])
    assert client.recv(2000).startswith(b"HTTP/1.1 200" if length == 900 else b"HTTP/1.1 413")


def test_fields_after_a_body_are_not_taken_for_those_of_the_head(serve: Serve) -> None:
    """The guard has looked at those before: a second Host, a cookie, an address come too late."""
    server = serve()
    client = server.connect(HEAD + b"0\r\nHost: evil\r\nCookie: a=b\r\n\r\n")
    assert client.recv(2000).startswith(b"HTTP/1.1 200")
    assert [names for names in server.app.headers if b"cookie" in names] == []
    assert [names.count(b"host") for names in server.app.headers] == [1]
