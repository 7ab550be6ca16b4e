"""Every wait for a client has an end, on either protocol; each attack is seen to succeed against uvicorn's own protocol."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable

import pytest
from receiving import Served, is_open, read

Serve = Callable[..., Served]

HEAD = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
GET = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
SILENT = b""
HALF_HEAD = HEAD + b"Accept: "
HALF_BODY = HEAD + b"Content-Length: 100\r\n\r\nx"
HALF_CHUNKS = HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nab"
ONE = pytest.mark.parametrize("protocol", ["httptools"])
"""Where the protocol makes no difference, and the clock does."""
SHORT = {"head_seconds": 0.4, "body_seconds": 0.4}
LONGER = 0.7


def error(answer: bytes, status: int) -> dict[str, str]:
    """The one error body of an answer that was given before there was a request."""
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {status} ".encode()), answer[:200]
    for name in (b"content-security-policy", b"x-request-id", b"x-content-type-options", b"connection: close"):
        assert name in head.lower()
    found = dict(json.loads(body)["error"])
    assert set(found) == {"code", "message", "where", "request_id"}
    assert found["request_id"].encode() in head
    return found


@pytest.mark.parametrize("sent", [SILENT, HALF_HEAD, HALF_BODY, HALF_CHUNKS], ids=["silent", "head", "body", "chunks"])
def test_request_that_does_not_come_is_not_waited_for(serve: Serve, sent: bytes) -> None:
    server = serve(head_seconds=0.4, body_seconds=0.4)
    started = time.monotonic()
    client = server.connect(sent)
    answer = read(client)
    client.close()
    assert time.monotonic() - started >= 0.3
    assert answer == b"" if sent == SILENT else error(answer, 408)["code"] == "too_slow"
    assert server.wait_for(lambda: server.door.count == 0)


@ONE
@pytest.mark.parametrize("sent", [SILENT, HALF_HEAD, HALF_BODY], ids=["silent", "head", "body"])
def test_without_the_deadlines_it_is_waited_for(serve: Serve, sent: bytes) -> None:
    assert is_open(serve(undefended=True).connect(sent), seconds=LONGER)


def test_head_that_comes_in_drops_is_not_waited_for_longer(serve: Serve) -> None:
    """Each byte is a sign of life, which a limit between bytes would take for an answer."""
    client = serve(**SHORT).connect(b"GET / HTTP/1.1\r\nX: ")
    client.settimeout(0.05)
    dropped = False
    for _ in range(200):
        try:
            client.sendall(b"x")
            if dropped := client.recv(1) != b"x":
                break
        except TimeoutError:
            continue
        except ConnectionError:
            dropped = True
            break
    assert dropped


@ONE
def test_body_that_comes_slowly_but_comes_is_waited_for(serve: Serve) -> None:
    """64 KiB of it are worth a second more."""
    server = serve(body_seconds=1.0)
    pieces = [b"x" * 2**16] * 8
    client = server.connect(HEAD + f"Content-Length: {sum(map(len, pieces))}\r\n\r\n".encode())
    for piece in pieces:
        client.sendall(piece)
        time.sleep(0.2)
    client.sendall(GET)
    assert client.recv(100).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("length", [1024, 1025], ids=["at the limit", "one past it"])
def test_address_is_counted_before_the_head_is_whole(serve: Serve, length: int) -> None:
    client = serve(max_url=1024).connect(b"GET /" + b"x" * (length - 1) + b" HTTP/1.1\r\n")
    if length == 1024:
        assert is_open(client, seconds=0.3)
    else:
        assert error(read(client), 414)["code"] == "too_large"


@pytest.mark.parametrize("more", [0, 1024], ids=["at the limit", "past it"])
def test_headers_are_counted_before_the_head_is_whole(serve: Serve, more: int) -> None:
    client = serve(max_header=2048).connect(b"GET / HTTP/1.1\r\nX: " + b"x" * (2000 + more))
    if more:
        assert error(read(client), 431)["code"] == "too_large"
    else:
        assert is_open(client, seconds=0.3)


@pytest.mark.parametrize("count", [8, 10], ids=["at the limit", "past it"])
def test_number_of_headers_is_counted_before_the_head_is_whole(serve: Serve, count: int) -> None:
    client = serve(max_headers=8).connect(b"GET / HTTP/1.1\r\n" + b"X: 1\r\n" * count)
    if count > 8:
        assert error(read(client), 431)["code"] == "too_large"
    else:
        assert is_open(client, seconds=0.3)


@pytest.mark.parametrize("sent", [b"GET /" + b"x" * 10**5, b"GET / HTTP/1.1\r\nX: " + b"x" * 10**5], ids=["address", "header"])
@ONE
def test_without_the_counts_any_head_is_taken(serve: Serve, sent: bytes) -> None:
    """h11 has a limit of its own, which we set."""
    assert is_open(serve(undefended=True).connect(sent), seconds=0.5)


@ONE
def test_address_too_long_to_be_taken_apart_is_told_so(serve: Serve) -> None:
    """h11 takes any address apart, and leaves this one to the guard."""
    sent = b"GET /" + b"x" * 10**5 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    assert error(read(serve().connect(sent)), 414)["code"] == "too_large"


@pytest.mark.parametrize("sent", [b"hello\r\n\r\n", b"\x16\x03\x01\x02", HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"])
def test_what_is_no_request_is_told_so(serve: Serve, sent: bytes) -> None:
    server = serve()
    assert error(read(server.connect(sent)), 400)["code"] == "bad_request"
    assert server.connect(GET).recv(100).startswith(b"HTTP/1.1 200")


def test_refused_client_that_goes_on_sending_reads_why(serve: Serve) -> None:
    """A connection closed at once would be reset, and the answer lost with it."""
    client = serve(max_header=1024).connect(b"GET / HTTP/1.1\r\nX: " + b"x" * 2**16)
    for _ in range(8):
        client.sendall(b"x" * 2**16)
    assert error(read(client), 431)


def test_refused_client_that_never_stops_is_cut_off(serve: Serve) -> None:
    client = serve(max_header=1024).connect(b"GET / HTTP/1.1\r\nX: " + b"x" * 2**16)
    with pytest.raises(ConnectionError):
        client.sendall(b"x" * 2**28)


def test_body_that_nobody_reads_is_not_waited_for(serve: Serve) -> None:
    server = serve()
    client = server.connect(b"POST /early HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n" + b"x" * 1000)
    assert read(client).startswith(b"HTTP/1.1 200")  # and is at its end, although more of the body is expected


@ONE
def test_idle_connection_is_closed(serve: Serve) -> None:
    server = serve(idle_seconds=1)
    client = server.connect(GET)
    assert client.recv(1000).startswith(b"HTTP/1.1 200")
    assert read(client) in (b"", b"0")
    assert server.wait_for(lambda: server.door.count == 0)


def test_blank_lines_do_not_keep_a_connection(serve: Serve, protocol: str) -> None:
    """They are let through before a request (RFC 9112, 2.2) and begin none; uvicorn then waits for ever."""
    server = serve(idle_seconds=1)
    client = server.connect(GET)
    assert client.recv(1000).startswith(b"HTTP/1.1 200")
    client.sendall(b"\r\n")
    assert server.wait_for(lambda: server.door.count == 0)


def test_client_that_never_reads_is_cut_off(serve: Serve) -> None:
    server = serve(stall_seconds=0.4)
    client = server.connect(b"GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", small=True)
    assert server.wait_for(lambda: server.door.count == 1)
    assert server.wait_for(lambda: server.door.count == 0)
    assert len(read(client)) < 2**23
    assert server.wait_for(lambda: server.app.ended == ["/large"])


@ONE
def test_without_the_limit_it_holds_its_answer(serve: Serve) -> None:
    server = serve(stall_seconds=30)
    client = server.connect(b"GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", small=True)
    assert server.wait_for(lambda: server.door.count == 1)
    time.sleep(0.7)
    assert server.door.count == 1
    client.close()


@ONE
def test_client_that_reads_slowly_reads_all(serve: Serve) -> None:
    """For longer than a connection may be idle, or an answer not be taken at all."""
    server = serve(stall_seconds=1.0, idle_seconds=1)
    client = server.connect(b"GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", small=True)
    length, started = 0, time.monotonic()
    while piece := client.recv(2**18):
        length += len(piece)
        if time.monotonic() - started < 2.0:
            time.sleep(0.01)
    assert length > 2**23


def test_pipelined_requests_are_answered_in_turn(serve: Serve) -> None:
    bodies = [b"a", b"bb" * 1000, b"", b"c" * 30_000]
    requests = [HEAD + f"Content-Length: {len(body)}\r\n\r\n".encode() + body for body in bodies]
    client = serve(max_url=1024, max_header=1024).connect(
        b"".join(requests) + HEAD + b"Connection: close\r\nContent-Length: 0\r\n\r\n"
    )
    answers = read(client).split(b"HTTP/1.1 200 OK")[1:]
    assert [int(answer.rpartition(b"\r\n")[2]) for answer in answers] == [1, 2000, 0, 30_000, 0]


def test_upgrade_to_another_protocol_is_answered_as_a_request(serve: Serve) -> None:
    sent = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
    client: socket.socket = serve().connect(sent)
    assert client.recv(100).startswith(b"HTTP/1.1 200")


def test_end_closes_what_only_waits_and_lets_an_answer_be_written(serve: Serve) -> None:
    server = serve(grace_seconds=5)
    idle = server.connect(GET)
    assert idle.recv(1000).startswith(b"HTTP/1.1 200")
    waiting = [idle, server.connect(SILENT), server.connect(HALF_HEAD), server.connect(HALF_BODY)]
    answered = server.connect(b"GET /slow HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert server.wait_for(lambda: any(guest.phase == "answer" for guest in server.server.server_state.connections))
    server.server.should_exit = True
    for client in waiting:
        assert read(client) in (b"", b"0")
    server.app.let.set()
    assert read(answered).startswith(b"HTTP/1.1 200")
