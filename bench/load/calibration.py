"""What this machine can do at this hour: a server that does nothing, asked by the same client in the same run.

It is uvicorn with an application of a few lines that sends as many bytes as a step has. What the client and the machine cost is
in its figures too, so the ratio to them is Glassformer's own.
"""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from .tally import Tally
from .wire import Wire

STEP_BYTES = 2600
CONNECTIONS = 32
_APP = """
import sys, uvicorn
BODY = bytes(int(sys.argv[2]))
async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", str(len(BODY)).encode())]})
    await send({"type": "http.response.body", "body": BODY})
uvicorn.run(app, fd=int(sys.argv[1]), lifespan="off", log_level="error", access_log=False)
"""


@dataclass(frozen=True)
class Calibration:
    """What was measured.

    `rate` is requests a second from 32 connections, `p50` and `p99` are lateness at 200 a second, and `client` is what a request
    costs of the client's processor, all three in milliseconds.
    """

    rate: float
    p50: float
    p99: float
    client: float

    def __str__(self) -> str:
        """One line for the table."""
        return (
            f"a server that does nothing answers {self.rate:.0f} requests/s, and 200 a second {self.p50:.1f} ms late (p50) and "
            f"{self.p99:.1f} ms (p99); a request costs the client {self.client:.2f} ms of processor"
        )


async def calibrate(seconds: float = 3.0) -> Calibration:
    """Measure; half of the time goes to each."""
    with _trivial() as port:
        await _until_it_answers(port)
        began, count = time.process_time(), 0
        count = await _closed_loop(port, seconds / 2)
        client = (time.process_time() - began) / count * 1e3
        tally = await _open_loop(port, seconds / 2)
    return Calibration(count / (seconds / 2), tally.late("step", 50), tally.late("step", 99), client)


async def _closed_loop(port: int, seconds: float) -> int:
    end = time.perf_counter() + seconds

    async def work() -> int:
        wire, count = Wire("127.0.0.1", port), 0
        while time.perf_counter() < end:
            await wire.get("/")
            count += 1
        wire.close()
        return count

    return sum(await asyncio.gather(*(work() for _ in range(CONNECTIONS))))


async def _open_loop(port: int, seconds: float, connections: int = 200) -> Tally:
    tally, start = Tally(), time.perf_counter() + 0.1

    async def work(place: int) -> None:
        wire = Wire("127.0.0.1", port)
        for turn in range(max(1, round(seconds))):
            due = start + turn + place / connections
            await asyncio.sleep(due - time.perf_counter())
            await wire.get("/")
            tally.wait("step", time.perf_counter() - due)
        wire.close()

    await asyncio.gather(*(work(place) for place in range(connections)))
    return tally


@contextmanager
def _trivial() -> Iterator[int]:
    listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
    command = [sys.executable, "-c", _APP, str(listening.fileno()), str(STEP_BYTES)]
    process = subprocess.Popen(command, pass_fds=[listening.fileno()], stdout=subprocess.DEVNULL)
    try:
        yield listening.getsockname()[1]
    finally:
        process.terminate()
        process.wait()
        listening.close()


async def _until_it_answers(port: int) -> None:
    wire = Wire("127.0.0.1", port)
    await wire.get("/")
    wire.close()
