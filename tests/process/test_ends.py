"""How a server ends: told to once or twice, by whom, and with what under way."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from observing_processes import ask, wait_for
from serving import running

STREAMS = 50
WIDE = {"d_model": 512, "d_ff": 2048, "n_layers": 6, "n_heads": 8, "max_length": 512}
LONG = {"model": "tiny", "src": ["dog run"], "options": WIDE, "max_steps": 256}
"""A decoding of a model so wide that its 256 steps take longer than any test looks at them."""
GENEROUS = 10.0


def open_stream(address: str, path: str) -> socket.socket:
    host, port = address.removeprefix("http://").split(":")
    client = socket.create_connection((host, int(port)), timeout=60)
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    return client


def read_until(client: socket.socket, mark: bytes) -> bytes:
    """What comes until there is a mark in it, or the other end closes."""
    text = b""
    while mark not in text and (piece := client.recv(65536)):
        text += piece
    return text


def rest_of(client: socket.socket) -> bytes:
    with client:
        return read_until(client, b"never sent")


def test_streams_end_with_bye_when_the_server_does_and_nobody_reads_its_output(tmp_path: Path) -> None:
    """Rows 111 and 112. With the event `stopping` never set, no stream says bye (seen with that line of server.py taken out)."""
    with running("--set", f"max_streams={STREAMS}", folder=tmp_path) as server:
        assert server.process.stdout is not None
        server.process.stdout.close()
        status, made = ask(server.address, "/api/decodings", LONG)
        assert status == 200, made
        path = f"/api/decodings/{json.loads(made)['id']}/events"
        clients = [open_stream(server.address, path) for _ in range(STREAMS)]
        for client in clients:
            assert b"event: step" in read_until(client, b"event: step")
        started = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        ends = [rest_of(client) for client in clients]
        assert server.process.wait(GENEROUS) == -signal.SIGTERM
        assert time.monotonic() - started < GENEROUS
        assert [end.count(b"event: bye") for end in ends] == [1] * STREAMS
        assert all(end.endswith(b"0\r\n\r\n") for end in ends), "a stream was cut off"
        assert server.said() == ""


def compute(address: str) -> threading.Thread:
    """Let the server work on something for longer than the test takes; its answer is of no interest."""

    def attempt() -> None:
        try:
            ask(address, "/api/decodings/" + json.loads(ask(address, "/api/decodings", LONG)[1])["id"] + "/result")
        except (OSError, ValueError):
            return

    thread = threading.Thread(target=attempt, daemon=True)
    thread.start()
    return thread


def at_work(address: str) -> bool:
    """Say whether a step of it is being computed, or waits."""
    found = re.search(rb"^glassformer_queue_length\S* (\S+)$", ask(address, "/metrics")[1], re.MULTILINE)
    return found is not None and float(found[1]) > 0


def test_answer_that_takes_longer_than_the_time_of_grace_is_not_waited_for(tmp_path: Path) -> None:
    """Started as nohup does it, the server outlives its terminal meanwhile."""
    with running("--set", "grace_seconds=0.5", folder=tmp_path, before=ignore_hangup) as server:
        thread = compute(server.address)
        assert wait_for(lambda: at_work(server.address))
        server.process.send_signal(signal.SIGHUP)
        assert ask(server.address, "/healthz")[0] == 200
        assert thread.is_alive()
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(GENEROUS) == -signal.SIGTERM
        thread.join(GENEROUS)


def ignore_hangup() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


SLOW_TO_CLOSE = """
import asyncio
from glassformer.__main__ import main
from glassformer.serving.server import Server
async def slowly(self, sockets=None):
    await asyncio.sleep(3600)
Server.shutdown = slowly
main()
"""


def test_second_signal_ends_at_once_and_a_closed_terminal_is_the_first(tmp_path: Path) -> None:
    """Row 112. The time of grace, of ten minutes, shows that it is the second that ends the server, and its status that it does
    so at once: whoever has closed everything ends by the signal itself, as in the tests above."""
    command = (sys.executable, "-c", SLOW_TO_CLOSE)
    with running("--set", "grace_seconds=600", folder=tmp_path, command=command) as server:
        server.process.send_signal(signal.SIGHUP)
        with pytest.raises(subprocess.TimeoutExpired):
            server.process.wait(0.7)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(GENEROUS) == 128 + signal.SIGTERM


NEVER_CLOSES = """
import time
from glassformer.__main__ import main
from glassformer.serving.server import Server
async def never(self, sockets=None):
    while True:
        time.sleep(0.05)
Server.shutdown = never
main()
"""


def test_what_does_not_end_by_itself_is_ended_after_the_time_of_grace(tmp_path: Path) -> None:
    """A server whose loop hangs while it closes. Without the timer in `handle_exit` it would be there for ever."""
    command = (sys.executable, "-c", NEVER_CLOSES)
    with running("--set", "grace_seconds=0.2", folder=tmp_path, command=command) as server:
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(GENEROUS) == 128 + signal.SIGTERM
