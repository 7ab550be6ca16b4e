"""A wire between a browser and the server, which can be cut, mended, and led to another server."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit


class Wire:
    """Listens on a port of its own and passes everything on. While it is cut, nobody listens there."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener = _listen(0)
        self._port = self._listener.getsockname()[1]
        self.address = f"http://127.0.0.1:{self._port}"
        self._start()

    def cut(self) -> None:
        """Break every connection, as a server does that is killed."""
        with self._lock:
            _close(self._listener)
            for each in list(self._open):
                _close(each)
            self._open.clear()

    def mend(self, server: str | None = None) -> None:
        """Listen again at the same address; to another server, which remembers nothing, if one is given."""
        self._server = server or self._server
        self._listener = _listen(self._port)
        self._start()

    def connections(self) -> int:
        """How many connections are open at the browser's side."""
        with self._lock:
            return len(self._open) // 2

    def _start(self) -> None:
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def _accept(self, listener: socket.socket) -> None:
        target = urlsplit(self._server)
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection((target.hostname, target.port))
            except OSError:
                _close(near)
                continue
            with self._lock:
                if listener.fileno() < 0:  # cut meanwhile: whoever was just let in would be connected still
                    _close(near)
                    _close(far)
                    return
                self._open |= {near, far}
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while some := one.recv(65536):
                other.sendall(some)
        with self._lock:
            self._open -= {one, other}
        _close(one)
        _close(other)


@contextmanager
def wire(server: str) -> Iterator[Wire]:
    made = Wire(server)
    yield made
    made.cut()


def _listen(port: int) -> socket.socket:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(64)
    return listener


def _close(each: socket.socket) -> None:
    with contextlib.suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)
    each.close()
