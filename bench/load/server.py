"""The real server in a process of its own, started as a person starts it, and what the kernel says of it."""

from __future__ import annotations

import asyncio
import math
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

START_SECONDS = 60.0
STOP_SECONDS = 10.0
_ESTABLISHED = "01"
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Server:
    """A running server: its process, where it listens, and how long it took to say so."""

    process: subprocess.Popen[bytes]
    host: str
    port: int
    began: float
    ready: float

    @property
    def rss(self) -> int:
        """Resident bytes, those of the processes it started included."""
        return sum(_status(pid, "VmRSS") * 1024 for pid in self._family)

    @property
    def highest_rss(self) -> int:
        """The most resident bytes of the main process so far."""
        return _status(self.process.pid, "VmHWM") * 1024

    @property
    def threads(self) -> int:
        """Threads of the main process."""
        return _status(self.process.pid, "Threads")

    @property
    def files(self) -> int:
        """Open files of the main process, sockets too."""
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    @property
    def cpu_seconds(self) -> float:
        """Processor seconds so far, those of the processes it started included."""
        return sum(_ticks(pid) for pid in self._family) / _TICKS

    def connections_from(self, network: str) -> int:
        """Open connections from addresses that begin so, such as `127.78.0`."""
        wanted = "".join(f"{int(part):02X}" for part in reversed(network.split(".")))
        lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        mine = [fields[2] for fields in lines if fields[1].endswith(f":{self.port:04X}") and fields[3] == _ESTABLISHED]
        return sum(remote.partition(":")[0].endswith(wanted) for remote in mine)

    def tell_to_stop(self) -> None:
        """Send SIGTERM."""
        self.process.send_signal(signal.SIGTERM)

    async def until_it_ends(self, seconds: float) -> float:
        """Wait for the end of the process, at most so long; return how long it took, or infinity."""
        began = time.perf_counter()
        while self.process.poll() is None:
            if time.perf_counter() - began > seconds:
                return math.inf
            await asyncio.sleep(0.01)
        return time.perf_counter() - began

    @property
    def _family(self) -> list[int]:
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [pid, *map(int, children)]


@contextmanager
def running(profile: str = "classroom", *, settings: Mapping[str, object] | None = None) -> Iterator[Server]:
    """Start a server on a free port, with settings by their names in lower case, and stop it afterwards.

    Raises:
        RuntimeError: it did not start; the message is what it printed.
    """
    with tempfile.TemporaryDirectory(prefix="glassformer-load-") as folder:
        environment = {"GLASSFORMER_PROFILE": profile, "GLASSFORMER_DATA_FOLDER": folder, "OMP_NUM_THREADS": "1"}
        environment |= {f"GLASSFORMER_{name.upper()}": str(value) for name, value in (settings or {}).items()}
        server = start(Path(folder), {**os.environ, **environment})
        try:
            yield server
        finally:
            end(server.process)


def start(folder: Path, environment: Mapping[str, str]) -> Server:
    """Start a server; it must be stopped by who started it."""
    began = time.perf_counter()
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "glassformer", "--no-browser", "--port", "0"],
            cwd=folder,
            env=dict(environment),
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        )
    address = address_said(process)
    if address is None:
        end(process)
        raise RuntimeError(f"the server did not start:\n{(folder / 'server.log').read_text('utf-8', 'replace')}")
    where = urlsplit(address)
    assert where.hostname is not None
    assert where.port is not None
    return Server(process, where.hostname, where.port, began, time.perf_counter())


def address_said(process: subprocess.Popen[bytes]) -> str | None:
    """Return the address in the first line that has one; None when the output ends, or nothing comes in time, before it."""
    assert process.stdout is not None
    deadline, seen = time.monotonic() + START_SECONDS, b""
    while (left := deadline - time.monotonic()) > 0:
        ready, _, _ = select.select([process.stdout], [], [], left)
        chunk = os.read(process.stdout.fileno(), 4096) if ready else b""
        if not chunk:
            return None
        seen += chunk
        if found := re.search(rb"(http://\S+?)/?\s", seen):
            return found[1].decode()
    return None


def end(process: subprocess.Popen[bytes]) -> None:
    """Tell a server to end, and end it where it does not."""
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    assert process.stdout is not None
    process.stdout.close()


def _ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _status(pid: int, name: str) -> int:
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    found = re.search(rf"^{name}:\s+(\d+)", text, re.MULTILINE)
    return int(found[1]) if found else 0
