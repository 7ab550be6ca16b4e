"""Starting the server: a free port, the browser, and a quick end."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from .sharing import lines_to_share

if TYPE_CHECKING:
    from .app.settings import Settings

PORTS_TRIED = 100
BACKLOG = 2048


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
        say(f"port {settings.port} is busy; port {taken} is taken instead")
    notice_dead_clients(listening, settings)
    address = address_of(settings.host, taken)

    def ready() -> None:
        say(f"Glassformer: {address} (Ctrl-C ends it)")
        for line in lines_to_share(settings, taken):
            say(line)
        if browser and someone_is_there(os.environ):
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    if settings.workers > 1:
        _serve_together(settings, listening, ready)
    else:
        from .serving.server import serve

        serve(settings, listening, ready=ready)


def say(line: str) -> None:
    """Print a line, if there is anyone left who reads it: a server goes on when its terminal is gone, or its disk full."""
    with contextlib.suppress(OSError):
        print(line, flush=True)


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


def notice_dead_clients(listening: socket.socket, settings: Settings) -> None:
    """Let the system close connections whose client takes nothing, or is gone without a word: a closed laptop."""
    wanted = {"TCP_USER_TIMEOUT": 1000 * settings.stall_seconds, "TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in wanted.items():
        if hasattr(socket, name):  # what a connection inherits from the socket that listens; Linux has all of them
            listening.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), int(value))


def address_of(host: str, port: int) -> str:
    """Return the page's address; where the server listens on every address, that of this machine."""
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{reachable}]:{port}/" if ":" in reachable else f"http://{reachable}:{port}/"


def someone_is_there(env: Mapping[str, str]) -> bool:
    """Say whether a browser opened now would be seen: a terminal and a screen, and no robot or far end of a connection."""
    if not sys.stdout.isatty() or env.get("CI") or env.get("SSH_CONNECTION"):
        return False
    return sys.platform in ("darwin", "win32") or bool(env.get("DISPLAY") or env.get("WAYLAND_DISPLAY"))


def _serve_together(settings: Settings, listening: socket.socket, ready: Callable[[], None]) -> None:
    if sys.platform == "win32":
        raise LaunchError("several processes cannot share a port on Windows; leave --workers out", status=2)
    from .serving.supervisor import StartError, Supervisor

    try:
        Supervisor(settings, listening, ready=ready).run()
    except StartError as error:
        raise LaunchError(str(error), status=error.status if error.status > 0 else 1) from error
