"""A server in a thread of its own, with an app of a few lines: what is tested is how it receives, not what it answers."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from glassformer.app.settings import Settings

from glassformer.serving import server as serving_server
from glassformer.serving.door import Door

PATIENCE = 10.0
"""How long a test waits for what has to happen; it goes on as soon as it has."""


class Echo:
    """Answers with the length of the body; `/large` with eight megabytes, `/slow` after it was let, `/early` before the body."""

    def __init__(self) -> None:
        self.state = SimpleNamespace(glassformer=SimpleNamespace(stopping=asyncio.Event(), gauges=SimpleNamespace()))
        self.let = threading.Event()
        self.ended: list[str] = []
        self.headers: list[list[bytes]] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        try:
            body = b"" if scope["path"] == "/early" else await self._body(receive)
            while scope["path"] == "/slow" and not self.let.is_set():
                await asyncio.sleep(0.01)
            answer = b"x" * 2**23 if scope["path"] == "/large" else str(len(body)).encode()
            length = [(b"content-length", str(len(answer)).encode())]
            await send({"type": "http.response.start", "status": 200, "headers": length})
            await send({"type": "http.response.body", "body": answer})
        finally:
            self.ended.append(scope["path"])
            self.headers.append([name for name, _ in scope["headers"]])

    async def _body(self, receive: Any) -> bytes:
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body", False):
                return body

    async def _live(self, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})


@dataclass
class Served:
    """The server under test."""

    port: int
    door: Door
    app: Echo
    server: serving_server.Server
    thread: threading.Thread
    clients: list[socket.socket] = field(default_factory=list)

    def connect(self, text: bytes = b"", *, small: bool = False) -> socket.socket:
        """A connection over which something was sent already; `small` takes little at a time."""
        client = socket.socket()
        self.clients.append(client)
        if small:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(PATIENCE)
        client.connect(("127.0.0.1", self.port))
        client.sendall(text)
        return client

    def settle(self) -> None:
        """Close what a test has opened, and forget what it saw."""
        while self.clients:
            self.clients.pop().close()
        self.app.let.set()
        assert self.wait_for(lambda: not self.server.server_state.connections and not self.server.server_state.tasks)
        self.app.let.clear()
        self.app.ended.clear()
        self.app.headers.clear()

    def wait_for(self, condition: Callable[[], bool]) -> bool:
        """Say whether something came about in time."""
        deadline = time.monotonic() + PATIENCE
        while not (happened := condition()) and time.monotonic() < deadline:
            time.sleep(0.01)
        return happened


def start(settings: Settings, protocol: Any) -> Served:
    """Serve in a thread."""
    app = Echo()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serving_server, "protocol_class", lambda: protocol)
        server = serving_server.Server(app, settings, ready=lambda: None)  # type: ignore[arg-type]
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    found = Served(port, server.door, app, server, thread)
    assert found.wait_for(lambda: server.started)
    return found


def read(client: socket.socket) -> bytes:
    """All that comes until the other end closes; what it was cut off with does not matter."""
    text = b""
    try:
        while piece := client.recv(65536):
            text += piece
    except ConnectionError:
        pass
    return text


def is_open(client: socket.socket, *, seconds: float) -> bool:
    """Say whether a connection stays open, and silent, for a while."""
    client.settimeout(seconds)
    try:
        return client.recv(1) != b""
    except TimeoutError:
        return True
    except ConnectionError:
        return False
