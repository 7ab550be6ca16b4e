"""Several processes on one port: all answer the same bytes, one that dies is replaced, and none is left behind."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from observing_processes import EXAMPLE, ask, children_of, is_alive, owner, wait_for
from serving import running

ASKED = json.dumps(EXAMPLE).encode()
TENSORS = "logits,decoder.layers.1.cross_attn.weights"
CONNECTIONS = 60


def say(client: socket.socket, request: bytes) -> bytes:
    """One request over a connection that stays open; the body of its answer."""
    client.sendall(request)
    text = b""
    while b"\r\n\r\n" not in text:
        text += client.recv(65536)
    head, _, body = text.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), text[:300]
    found = re.search(rb"content-length: (\d+)", head.lower())
    assert found, head
    while len(body) < int(found[1]):
        body += client.recv(65536)
    return body


def trace_bytes(client: socket.socket) -> bytes:
    """Everything about one trace, asked for over one connection, and so of one process."""
    head = b"POST /api/traces HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    made = say(client, head + b"Content-Length: %d\r\n\r\n" % len(ASKED) + ASKED)
    path = f"/api/traces/{json.loads(made)['id']}/tensors?names={TENSORS}"
    return made + say(client, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())


def reach_all(stack: ExitStack, port: int, pids: set[int]) -> dict[int, socket.socket]:
    """A connection to each process. Who accepts one is up to the system, so there may have to be many."""
    reached: dict[int, socket.socket] = {}
    for _ in range(CONNECTIONS):
        client = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
        say(client, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        reached.setdefault(owner(client), client)
        if set(reached) >= pids:
            break
    return reached


def place_is_told_by_the_other(stack: ExitStack, port: int, members: set[int]) -> None:
    """Row 82, D16: one process has all the work of a visitor, the other one says their place."""
    connections: dict[int, list[socket.socket]] = {pid: [] for pid in members}
    while min(map(len, connections.values())) < 1 or max(map(len, connections.values())) < 3:
        client = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
        say(client, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        connections[owner(client)].append(client)
    idle, busy = sorted(connections, key=lambda pid: len(connections[pid]))
    for number, client in enumerate(connections[busy]):  # the first builds a model of a quarter of a gigabyte
        asked = json.dumps({"model": "paper-base", "src": [f"{number}"], "tgt": ["a"]}).encode()
        head = b"POST /api/traces HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nX-Visitor: me\r\n"
        client.sendall(head + b"Content-Length: %d\r\n\r\n" % len(asked) + asked)

    def told() -> bool:
        request = b"GET /api/queue HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Visitor: me\r\n\r\n"
        answer = json.loads(say(connections[idle][0], request))
        return bool(answer["waiting"]) and any(each["place"] > 0 for each in answer["yours"])

    assert wait_for(told)


def test_two_processes_answer_the_same_bytes_and_replace_one_another(tmp_path: Path) -> None:
    """Row 82. The parent answers nothing, so that a request over either connection is the work of that process alone."""
    with running("--workers", "2", folder=tmp_path) as server, ExitStack() as stack:
        members = set(children_of(server.pid))
        assert len(members) == 2
        reached = reach_all(stack, server.port, members)
        assert set(reached) == members
        first, second = (trace_bytes(client) for client in reached.values())
        assert first == second

        place_is_told_by_the_other(stack, server.port, members)

        killed, survivor = members
        os.kill(killed, signal.SIGKILL)
        assert trace_bytes(reached[survivor]) == first
        assert wait_for(lambda: len(set(children_of(server.pid)) - {killed}) == 2)
        new = set(children_of(server.pid)) - members
        for _ in range(20):
            assert ask(server.address, "/healthz")[0] == 200
        assert wait_for(lambda: new <= set(reach_all(stack, server.port, new)))
        assert trace_bytes(reach_all(stack, server.port, new)[new.pop()]) == first
        assert "another takes its place" in server.said()

        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(10) == -signal.SIGTERM
        assert not [pid for pid in children_of(os.getpid()) if pid in members]
        assert server.process.stdout is not None
        assert server.process.stdout.read().strip() == b""  # the address is said once


def test_processes_end_with_their_parent_however_it_ends(tmp_path: Path) -> None:
    """And with them the port is free again. Without the thread that reads the line, in member.py, they go on (seen)."""
    with running("--workers", "2", folder=tmp_path) as server:
        members = children_of(server.pid)
        environment = Path(f"/proc/{members[0]}/environ").read_bytes()
        shared = Path(re.search(rb"PROMETHEUS_MULTIPROC_DIR=([^\0]+)", environment)[1].decode())  # type: ignore[index]
        assert shared.is_dir()
        server.process.kill()
        server.process.wait()
        try:
            assert wait_for(lambda: not any(map(is_alive, members)))
        finally:
            for pid in filter(is_alive, members):
                os.kill(pid, signal.SIGKILL)
        assert not shared.exists()


def test_processes_that_cannot_start_end_the_program_in_words(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import os, sys\nif 'glassformer.serving.member' in sys.orig_argv: os._exit(7)\n")
    failed = subprocess.run(
        [sys.executable, "-m", "glassformer", "--workers", "2", "--no-browser", "--port", "0"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert failed.returncode == 7
    assert failed.stdout == ""
    assert failed.stderr == "a process of the server did not start\n"


@pytest.mark.parametrize("workers", ["0", "65"])
def test_number_of_processes_has_limits(workers: str) -> None:
    refused = subprocess.run(
        [sys.executable, "-m", "glassformer", "--workers", workers], capture_output=True, text=True, timeout=60, check=False
    )
    assert refused.returncode == 2
    assert "workers" in refused.stderr
