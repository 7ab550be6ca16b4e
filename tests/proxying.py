"""Servers to put behind a proxy: they say what reached them."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PATIENCE = 10.0  # seconds that something which does come may take


class Behind(ThreadingHTTPServer):
    """A server behind the proxy: it tells what it was asked, and sends the events of a stream one by one, when told to."""

    daemon_threads = True

    def __init__(self, *, hang_up: str = "") -> None:
        super().__init__(("127.0.0.1", 0), _Asked)
        self.port = int(self.server_address[1])
        self.asked: list[str] = []
        self.hang_up = hang_up
        self.next_event = threading.Semaphore(1)
        self.reader_gone = threading.Event()
        self.connections: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self.connections.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        """Go, as a process does that is killed: with every connection."""
        super().server_close()
        for connection in list(self.connections):
            with contextlib.suppress(OSError):  # the proxy may have gone first
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A proxy may close a connection as it likes."""


class _Asked(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Behind

    def do_GET(self) -> None:
        length = int(self.headers.get("content-length", 0))
        self.rfile.read(length)
        if self.path != "/healthz":
            self.server.asked.append(f"{self.command} {self.path}")
        if self.server.hang_up and self.path.startswith(self.server.hang_up):
            self.close_connection = True
        elif self.path.endswith("/events"):
            self._stream()
        else:
            headers = {name.lower(): value for name, value in self.headers.items()}
            body = json.dumps({"port": self.server.port, "headers": headers, "body": length}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    do_POST = do_GET

    def _stream(self) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        try:
            for number in range(10_000):
                self.server.next_event.acquire(timeout=0.1)
                self.wfile.write(f"id: {number}\n\n".encode())
        except OSError:
            self.server.reader_gone.set()

    def log_message(self, format: str, *values: Any) -> None:
        """Nothing is printed."""


@contextmanager
def behind(**how: str) -> Iterator[Behind]:
    """Run such a server."""
    server = Behind(**how)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def ask(port: int, path: str, *, method: str = "GET", body: bytes | None = None, **headers: str) -> tuple[int, dict[str, Any]]:
    """Ask once, on a connection of its own; header names have underscores for hyphens."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        content = answer.read()
        return answer.status, json.loads(content) if content.startswith(b"{") else {}
    finally:
        connection.close()
