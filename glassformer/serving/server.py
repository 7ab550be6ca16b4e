"""uvicorn's server with an end to every wait, to its own end too."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType

import uvicorn
from fastapi import FastAPI

from .. import __version__
from ..app.observing.logs import flush_logs, logs
from ..app.settings import Settings
from ..garbage import look_rarely, making_what_stays
from .door import Door
from .files import open_more_files
from .protocols import protocol_class

logger = logging.getLogger(__name__)

LAST_SECONDS = 1.0
"""What is left, after the time of grace, for trainings to keep their checkpoints: they do so without the server as well."""


def serve(settings: Settings, listening: socket.socket, *, ready: Callable[[], None]) -> None:
    """Serve on a socket until a signal ends this process; Ctrl-C ends it with status 0."""
    with making_what_stays():
        from ..app.main import create_app

        server = Server(create_app(settings), settings, ready=ready)
    look_rarely()
    try:
        with logs(settings):
            server.run(sockets=[listening])
    except KeyboardInterrupt:
        # All is closed by now; taking torch apart would only keep the terminal waiting for another second.
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        os._exit(0)


class Server(uvicorn.Server):
    """Calls `ready` once it answers. Told to end, it lets streams say so and answers be written, within the time of grace.

    uvicorn alone waits for open streams for ever, and Python for the threads that compute. A second signal ends at once.
    SIGHUP, which a closed terminal sends, ends it like SIGTERM, unless it was started to ignore that (nohup).
    """

    def __init__(self, app: FastAPI, settings: Settings, *, ready: Callable[[], None]) -> None:
        self.door = Door(settings, room=open_more_files())
        super().__init__(
            uvicorn.Config(
                app,
                http=partial(protocol_class(), self.door, settings),  # type: ignore[arg-type]
                lifespan="on",
                ws="none",
                log_config=None,
                log_level="warning",
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=settings.idle_seconds,
                timeout_graceful_shutdown=settings.grace_seconds,  # type: ignore[arg-type]
            )
        )
        self._grace = settings.grace_seconds
        self._profile = settings.profile
        self._since = time.monotonic()
        self._stopping: asyncio.Event = app.state.glassformer.stopping
        app.state.glassformer.gauges.turned_away = self.door.refused
        self._ready = ready
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets=sockets)
        if not self.should_exit:
            logger.info("started", extra={"facts": {**self._facts(), "profile": self._profile}})
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets=sockets)
        seconds = round(time.monotonic() - self._since)
        logger.info("stopped", extra={"facts": {**self._facts(), "seconds": seconds}})
        flush_logs()  # a signal may end this process before the log is closed

    def _facts(self) -> dict[str, object]:
        return {"version": __version__, "process": os.getpid()}

    async def on_tick(self, counter: int) -> bool:
        self.door.sweep(asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take SIGHUP too; uvicorn puts its own handlers back, and signals itself once more when all is closed."""
        with super().capture_signals():
            hangup = getattr(signal, "SIGHUP", None)
            if hangup is not None and signal.getsignal(hangup) is not signal.SIG_IGN and _is_main():
                signal.signal(hangup, lambda number, frame: self.handle_exit(signal.SIGTERM, frame))
            yield

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        status = 0 if sig == signal.SIGINT else 128 + sig
        if self.should_exit:
            os._exit(status)
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # what is cut off now is cut off on purpose
        end = threading.Timer(self._grace + LAST_SECONDS, os._exit, (status,))
        end.daemon = True
        end.start()
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)
        super().handle_exit(sig, frame)


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()
