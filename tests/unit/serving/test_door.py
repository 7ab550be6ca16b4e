"""Who comes in where there is no room: silent connections make way, those that are being answered do not."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable

import pytest
from receiving import Served, read

from glassformer.serving import held

Serve = Callable[..., Served]

GET = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
HALF_HEAD = b"GET / HTTP/1.1\r\nX: "
HALF_BODY = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{"
SLOW = b"GET /slow HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
pytestmark = pytest.mark.parametrize("protocol", ["httptools"])


def answer(client: socket.socket) -> bytes:
    return client.recv(2000)


def is_refused(client: socket.socket) -> bool:
    text = read(client)
    head, _, body = text.partition(b"\r\n\r\n")
    return head.startswith(b"HTTP/1.1 503 ") and b"retry-after: " in head and json.loads(body)["error"]["code"] == "busy"


def stand(server: Served, phase: str, count: int) -> None:
    """So many connections are in some phase; one that was answered is in its next a moment after its client has the answer."""
    assert server.wait_for(lambda: sum(guest.phase == phase for guest in server.server.server_state.connections) == count)


def busy(server: Served, count: int) -> None:
    """So many connections wait for their answer."""
    for _ in range(count):
        server.connect(SLOW)
    stand(server, "answer", count)


def test_as_many_as_the_limit_are_answered_at_once_and_one_more_is_refused(serve: Serve) -> None:
    server = serve(max_connections=4)
    busy(server, 3)
    assert answer(server.connect(GET)).startswith(b"HTTP/1.1 200")
    server.settle()
    busy(server, 4)
    assert is_refused(server.connect(GET))
    assert server.door.count == 4


def test_without_the_limit_there_is_no_end_to_them(serve: Serve) -> None:
    server = serve(undefended=True, max_connections=4)
    clients = [server.connect(SLOW) for _ in range(12)]
    assert server.wait_for(lambda: len(server.server.server_state.connections) == 12)
    server.app.let.set()
    assert all(answer(client).startswith(b"HTTP/1.1 200") for client in clients)


@pytest.mark.parametrize(
    ("sent", "phase"),
    [(b"", "head"), (HALF_HEAD, "head"), (HALF_BODY, "body"), (GET, "idle")],
    ids=["silent", "head", "body", "idle"],
)
def test_silent_connections_keep_nobody_out(serve: Serve, sent: bytes, phase: str) -> None:
    """The oldest of them goes, and only that one."""
    server = serve(max_connections=4)
    waiting = []
    for _ in range(4):
        waiting.append(server.connect(sent))
        if sent == GET:
            answer(waiting[-1])
        stand(server, phase, len(waiting))
    assert answer(server.connect(GET)).startswith(b"HTTP/1.1 200")
    assert read(waiting[0]) in (b"", b"0")
    assert server.door.count == 4


@pytest.mark.parametrize(("sent", "phase"), [(HALF_HEAD, "head"), (HALF_BODY, "body")], ids=["half a head", "half a body"])
def test_whose_request_does_not_come_goes_before_who_was_answered(
    serve: Serve, sent: bytes, phase: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held, "FRESH_SECONDS", 0.01)
    server = serve(max_connections=4)
    idle = server.connect(GET)
    answer(idle)
    stand(server, "idle", 1)
    half = server.connect(sent)
    stand(server, phase, 1)
    time.sleep(0.05)  # a loop's clock has steps of a millisecond, in which nobody is slow
    busy(server, 2)
    assert answer(server.connect(GET)).startswith(b"HTTP/1.1 200")
    assert read(half) == b""
    idle.sendall(GET)
    assert answer(idle)


def test_two_thousand_idle_connections_leave_room_for_a_browser(serve: Serve) -> None:
    """Row 78; there may be 512 of them."""
    server = serve()
    resource = pytest.importorskip("resource")
    for _ in range(min(2000, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 3)):  # both ends are here
        server.connect()
    assert answer(server.connect(GET)).startswith(b"HTTP/1.1 200")
    assert server.door.count <= 512


def test_one_address_has_no_more_than_its_share(serve: Serve) -> None:
    server = serve(max_connections_per_address=2)
    busy(server, 1)
    assert answer(server.connect(GET)).startswith(b"HTTP/1.1 200")
    server.settle()
    busy(server, 2)
    assert is_refused(server.connect(GET))
    assert server.door.refused["address"] == 1


def test_silent_connections_of_an_address_make_way_for_its_own(serve: Serve) -> None:
    server = serve(max_connections_per_address=2)
    first = server.connect()
    stand(server, "head", 1)
    busy(server, 1)
    assert answer(server.connect(GET)).startswith(b"HTTP/1.1 200")
    assert read(first) == b""


def test_proxy_that_is_trusted_speaks_for_many(serve: Serve) -> None:
    server = serve(max_connections_per_address=2, trusted_proxies="127.0.0.0/8")
    busy(server, 2)
    assert answer(server.connect(GET)).startswith(b"HTTP/1.1 200")


def test_nobody_is_counted_who_has_left(serve: Serve) -> None:
    server = serve(max_connections=4)
    for _ in range(50):
        client = server.connect(GET)
        answer(client)
        client.close()
    assert server.wait_for(lambda: server.door.count == 0)
    assert answer(server.connect(GET)).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("settings", [{"max_connections": 8}, {"max_connections_per_address": 8}], ids=["all", "address"])
def test_bodies_that_do_not_come_keep_nobody_out(serve: Serve, settings: dict[str, int]) -> None:
    """They were waited for, and whoever sent half of so many had the server for half a minute."""
    server = serve(**settings)
    for _ in range(20):
        server.connect(HALF_BODY)
    for _ in range(5):
        assert answer(server.connect(GET)).startswith(b"HTTP/1.1 200")
    assert server.door.count <= 8


def test_without_a_body_among_those_that_go_nobody_comes_in(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held.Held, "_slowest_body", lambda *_: None)
    monkeypatch.setattr(held.Held, "_oldest", lambda self, wait, latest: None)
    server = serve(max_connections=8)
    for _ in range(8):
        server.connect(HALF_BODY)
    stand(server, "body", 8)
    assert is_refused(server.connect(GET))


def test_who_does_not_take_the_answer_makes_way(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held, "FRESH_SECONDS", 0.0)
    server = serve(max_connections=4)
    for _ in range(4):
        server.connect(b"GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", small=True)
    assert server.wait_for(lambda: len(server.door._all.waits["stalled"]) == 4)
    assert answer(server.connect(GET)).startswith(b"HTTP/1.1 200")
