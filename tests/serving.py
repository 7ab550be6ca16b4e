"""The real server in a process of its own, on a free port."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from bench.load.server import address_said, end


@dataclass(frozen=True)
class Running:
    """A server that was started, and what it printed as errors so far."""

    address: str
    process: subprocess.Popen[bytes]
    errors: Path

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def said(self) -> str:
        """What stands on its standard error."""
        return self.errors.read_text("utf-8", "replace")


@contextmanager
def serving(command: Sequence[str], *, folder: Path, env: Mapping[str, str] | None = None) -> Iterator[str]:
    """Start `command` in `folder` on a free port, give its address, and stop it afterwards.

    A server that does not start, and one that dies meanwhile, fails the test with what it printed.
    """
    with running(command=command, folder=folder, env=env) as server:
        yield server.address
        if server.process.poll() is not None:
            pytest.fail(f"the server stopped by itself:\n{server.said()}", pytrace=False)


@contextmanager
def running(
    *flags: str,
    folder: Path,
    env: Mapping[str, str] | None = None,
    command: Sequence[str] = (sys.executable, "-m", "glassformer"),
    port: int = 0,
    before: Callable[[], None] | None = None,
) -> Iterator[Running]:
    """Start a server that a test may end, kill or bring into trouble; whatever is left of it is ended afterwards.

    `before` runs in its process, before anything else does.
    """
    errors = folder / "server.err"
    with errors.open("wb") as log:
        process = subprocess.Popen(
            [*command, *flags, "--no-browser", "--port", str(port)],
            cwd=folder,
            env=dict(env if env is not None else os.environ),
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
            preexec_fn=before,
        )
    try:
        address = address_said(process)
        if address is None:
            pytest.fail(f"the server did not start:\n{errors.read_text('utf-8', 'replace')}", pytrace=False)
        yield Running(address, process, errors)
    finally:
        end(process)
