"""Hundreds of connections that send nothing, half of something, or never read, beside a class at work."""

from __future__ import annotations

import json
import socket
from contextlib import ExitStack
from pathlib import Path

from observing_processes import EXAMPLE, ask, files_of, wait_for
from receiving import read
from serving import running
from witness import NothingLost

SECONDS = 1.0
SLOW = ["head_seconds", "body_seconds", "stall_seconds"]
HEAD = b"POST /api/traces HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
BEGINNINGS = (b"", HEAD[:60], HEAD + b"Content-Length: 100\r\n\r\n{")
OF_EACH = 100
READERS = 30
LARGE = {"model": "tiny", "src": ["dog"], "tgt": ["dog"], "options": {"d_model": 1024, "d_ff": 4096}}


def begin(port: int, text: bytes) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", port), timeout=60)
    client.sendall(text)
    return client


def test_slow_clients_are_closed_and_nobody_else_notices(tmp_path: Path, nothing_lost: NothingLost) -> None:
    """Row 79, load H. Without the deadlines all of them are there at the end (seen with limits of ten minutes)."""
    flags = [part for name in SLOW for part in ("--set", f"{name}={SECONDS}")]
    with running(*flags, folder=tmp_path) as server, ExitStack() as stack:
        status, made = ask(server.address, "/api/traces", LARGE)
        assert status == 200
        path = f"/api/traces/{json.loads(made)['id']}/tensors/encoder.layers.0.feed_forward.w_1"
        before = len(files_of(server.pid))
        with nothing_lost(server.address, pid=server.pid) as witness:
            silent, *half = [
                [stack.enter_context(begin(server.port, beginning)) for _ in range(OF_EACH)] for beginning in BEGINNINGS
            ]
            for _ in range(READERS):
                client = stack.enter_context(socket.socket())
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                client.connect(("127.0.0.1", server.port))
                client.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            for _ in range(20):
                witness.saw(ask(server.address, "/api/traces", EXAMPLE)[0])
            assert {status for status, _ in witness.seen} == {200}
            assert {read(client) for client in silent} == {b""}
            assert {read(client)[:13] for client in half[0] + half[1]} == {b"HTTP/1.1 408 "}
            assert wait_for(lambda: len(files_of(server.pid)) <= before + 3)
        assert server.said() == ""
