"""Asking real servers, and seeing from outside which process answers and how many files and threads it has."""

from __future__ import annotations

import http.client
import json
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE = 30.0
EXAMPLE = {"model": "tiny", "src": ["dog run"], "tgt": ["dog run"]}


def ask(address: str, path: str, body: Any = None, *, seconds: float = PATIENCE) -> tuple[int, bytes]:
    """One request on a connection of its own; status and body."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=seconds)
    try:
        if body is None:
            connection.request("GET", path)
        else:
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def values(address: str, made: Any = None, name: str = "logits") -> bytes:
    """The bytes of a tensor of a trace."""
    status, body = ask(address, "/api/traces", made or EXAMPLE)
    assert status == 200, body
    status, content = ask(address, f"/api/traces/{json.loads(body)['id']}/tensors/{name}")
    assert status == 200, content
    return content


def wait_for(condition: Callable[[], bool], *, seconds: float = PATIENCE) -> bool:
    """Say whether something came about in time."""
    deadline = time.monotonic() + seconds
    while not (happened := condition()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return happened


def owner(client: socket.socket) -> int:
    """The process that holds the other end of a connection of this machine; 0 while none has accepted it."""
    port, peer = client.getsockname()[1], client.getpeername()[1]
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        words = line.split()
        near, far = (int(words[at].split(":")[1], 16) for at in (1, 2))
        if (near, far) == (peer, port):
            for pid in children_of(os.getpid()):
                if f"socket:[{words[9]}]" in files_of(pid):
                    return pid
    return 0


def files_of(pid: int) -> list[str]:
    """What a process has open."""
    found = []
    for name in Path(f"/proc/{pid}/fd").iterdir():
        try:
            found.append(os.readlink(name))
        except OSError:
            continue
    return found


def children_of(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            found += [child, *children_of(child)]
    return found


def is_alive(pid: int) -> bool:
    """Say whether a process is there, and more than its exit status is."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
