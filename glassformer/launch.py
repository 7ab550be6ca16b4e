"""Starting the server: a free port, the browser, and a quick end."""

from __future__ import annotations

import errno
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Mapping
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn

if TYPE_CHECKING:
    from fastapi import FastAPI

    from .app.settings import Settings

PORTS_TRIED = 100
BACKLOG = 2048
GRACE_SECONDS = 1
END_SECONDS = 1.5


class LaunchError(Exception):
    """The server cannot start: one line that says why, and the exit status."""

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status


def launch(settings: Settings, *, browser: bool) -> None:
    """Serve until Ctrl-C or SIGTERM.

    Args:
        settings: a port that was asked for, by a flag or by GLASSFORMER_PORT, is taken or refused; otherwise it is the first
            free one from the setting on. 0 is any free port.
        browser: open the page, if there is someone to see it.

    Raises:
        LaunchError: the port is taken or the address is not this machine's (status 3).
    """
    listening = claim_port(settings.host, settings.port, only="port" in settings.model_fields_set)
    taken = listening.getsockname()[1]
    if settings.port not in (0, taken):
        print(f"port {settings.port} is busy; port {taken} is taken instead")

    server = _Server(_app(settings), address=address_of(settings.host, taken), browser=browser and someone_is_there(os.environ))
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        # All is closed by now; taking torch apart would only keep the terminal waiting for another second.
        sys.stdout.flush()
        os._exit(0)


def claim_port(host: str, port: int, *, only: bool) -> socket.socket:
    """Return a socket that listens on this port or, unless it must be `only` this one, on the next that is free.

    Listening starts here, so no one else can take the port while the model loads; who calls early waits.

    Raises:
        LaunchError: the port is busy, all of the next hundred are, or this address cannot be listened on.
    """
    ports = [port] if only or port == 0 else range(port, min(port + PORTS_TRIED, 65536))
    for candidate in ports:
        try:
            return socket.create_server(
                (host, candidate), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=BACKLOG
            )
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                reason = str(error.strerror).partition(" (")[0]
                raise LaunchError(f"cannot listen on {host} port {candidate}: {reason}", status=3) from error
    if only:
        raise LaunchError(f"port {port} is busy; name another, or leave --port out to get the next free one", status=3)
    raise LaunchError(f"ports {ports[0]} to {ports[-1]} are busy; name a free one with --port", status=3)


def address_of(host: str, port: int) -> str:
    """Return the page's address; where the server listens on every address, that of this machine."""
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{reachable}]:{port}/" if ":" in reachable else f"http://{reachable}:{port}/"


def someone_is_there(env: Mapping[str, str]) -> bool:
    """Say whether a browser opened now would be seen: a terminal and a screen, and no robot or far end of a connection."""
    if not sys.stdout.isatty() or env.get("CI") or env.get("SSH_CONNECTION"):
        return False
    return sys.platform in ("darwin", "win32") or bool(env.get("DISPLAY") or env.get("WAYLAND_DISPLAY"))


def _app(settings: Settings) -> FastAPI:
    from .app.main import create_app

    return create_app(settings)


class _Server(uvicorn.Server):
    """Says where it is once it answers, and ends within two seconds whatever is still open.

    uvicorn alone waits for open streams for ever, and Python for the threads that compute.
    """

    def __init__(self, app: FastAPI, *, address: str, browser: bool) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                lifespan="on",
                ws="none",
                log_level="warning",
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_graceful_shutdown=GRACE_SECONDS,
            )
        )
        self.address = address
        self.browser = browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        print(f"Glassformer: {self.address} (Ctrl-C ends it)", flush=True)
        if self.browser:
            threading.Thread(target=webbrowser.open, args=(self.address,), daemon=True).start()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.should_exit:
            logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # what is cut off now is cut off on purpose
            status = 0 if sig == signal.SIGINT else 128 + sig
            end = threading.Timer(END_SECONDS, os._exit, (status,))
            end.daemon = True
            end.start()
        super().handle_exit(sig, frame)
