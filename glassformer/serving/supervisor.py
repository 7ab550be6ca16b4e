"""Several processes on one port: started, replaced when one dies, ended together."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import signal
import socket
import sys
from collections.abc import Callable

from ..app.observing.logs import logs
from ..app.observing.shared import shared_numbers
from ..app.settings import Settings
from .server import LAST_SECONDS

logger = logging.getLogger(__name__)

SPARE_SECONDS = 1.0
"""How much longer a process may take to end than it gives itself."""
SHORT_SECONDS = 10.0
"""A process that dies sooner after its start is replaced after a pause, which doubles each time."""
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0


class StartError(Exception):
    """A process ended before it served for the first time; it has said why."""

    def __init__(self, status: int) -> None:
        super().__init__("a process of the server did not start")
        self.status = status


class Supervisor:
    """The parent of the processes that serve. It holds the port, so that whoever calls while one is replaced only waits.

    Why it is not uvicorn's own: docs/decisions/0020-several-processes.md.
    """

    def __init__(self, settings: Settings, listening: socket.socket, *, ready: Callable[[], None]) -> None:
        """Keep `settings.workers` processes serving on a socket; call `ready` once, when all of them do for the first time."""
        self._settings = settings
        self._named = settings.model_dump(mode="json", include=settings.model_fields_set)
        self._listening = listening
        self._ready = ready
        self._members: set[asyncio.subprocess.Process] = set()
        self._begun: set[int] = set()
        self._told = asyncio.Event()
        self._signal = signal.SIGTERM

    def run(self) -> None:
        """Serve until a signal ends this process: SIGTERM as such, Ctrl-C with a return.

        Raises:
            StartError: a process does not start.
        """
        with logs(self._settings), shared_numbers():
            ended_by = asyncio.run(self._run())
        if ended_by != signal.SIGINT:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            signal.raise_signal(signal.SIGTERM)

    async def _run(self) -> signal.Signals:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:
                loop.add_signal_handler(number, self._end, number)
        places = range(self._settings.workers)
        ended = await asyncio.gather(*(self._keep(place) for place in places), return_exceptions=True)
        for error in ended:
            if error is not None:
                raise error
        return self._signal

    async def _keep(self, place: int) -> None:
        """Keep one process serving."""
        pause, loop = FIRST_PAUSE, asyncio.get_running_loop()
        while not self._told.is_set():
            start = loop.time()
            status = await self._serve(place)
            if self._told.is_set():
                return
            if place not in self._begun:
                self._end(signal.SIGTERM)
                raise StartError(status)
            logger.warning(
                "process %d of %d ended with status %d; another takes its place", place + 1, self._settings.workers, status
            )
            pause = FIRST_PAUSE if loop.time() - start > SHORT_SECONDS else min(2 * pause, LONGEST_PAUSE)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._told.wait(), pause)

    async def _serve(self, place: int) -> int:
        """Let one process serve; return how it ended. If this one dies, the line between them closes, and it ends by itself."""
        ours, theirs = socket.socketpair()
        files = (self._listening.fileno(), theirs.fileno())
        member = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "glassformer.serving.member",
            *map(str, files),
            stdin=asyncio.subprocess.DEVNULL,
            pass_fds=files,
            start_new_session=True,  # Ctrl-C reaches the parent alone, which tells the others
        )
        theirs.close()
        self._members.add(member)
        try:
            reader, writer = await asyncio.open_connection(sock=ours)
            writer.write(json.dumps(self._named).encode() + b"\n")
            if self._told.is_set():
                member.terminate()
            with contextlib.suppress(ConnectionError):  # it ended before it had read its settings
                if await reader.readline():
                    self._serves(place)
            status = await member.wait()
            writer.close()
            return status
        finally:
            self._members.discard(member)

    def _serves(self, place: int) -> None:
        first = len(self._begun) < self._settings.workers
        self._begun.add(place)
        if first and len(self._begun) == self._settings.workers:
            self._ready()

    def _end(self, number: signal.Signals) -> None:
        """End all processes, the second time at once."""
        if self._told.is_set():
            self._kill()
            return
        self._signal = number if number == signal.SIGINT else signal.SIGTERM
        self._told.set()
        self._listening.close()
        for member in self._members:
            with contextlib.suppress(ProcessLookupError):
                member.terminate()
        seconds = self._settings.grace_seconds + LAST_SECONDS + SPARE_SECONDS
        asyncio.get_running_loop().call_later(seconds, self._kill)

    def _kill(self) -> None:
        for member in self._members:
            with contextlib.suppress(ProcessLookupError):
                member.kill()
