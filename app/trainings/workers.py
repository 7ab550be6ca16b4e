"""A training in a process of its own, as the server holds it: commands go in, news comes out."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Callable
from dataclasses import asdict

from ...model.limits import TrainingLimits
from ...model.training.run_folder import ACTIVE, RunFolder

END_SECONDS = 10.0
"""How long a worker has for its last checkpoint; a server that is told to end does not wait that long, and need not."""


class Worker:
    """The process that advances one run. It ends by itself, with a checkpoint, as soon as its input is closed."""

    def __init__(self, run: RunFolder, process: asyncio.subprocess.Process) -> None:
        self.run = run
        self.state = "starting"
        self._process = process

    @classmethod
    async def start(cls, run: RunFolder, limits: TrainingLimits, *, paused: bool) -> Worker:
        """Start the process; apart from the terminal's group, so that Ctrl-C reaches the server alone."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "glassformer.worker",
            str(run.path),
            "--limits",
            json.dumps(asdict(limits)),
            *(["--paused"] if paused else []),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        return cls(run, process)

    @property
    def moves(self) -> bool:
        """False while it stands still."""
        return self.state != "paused"

    @property
    def lives(self) -> bool:
        """False once it has said that its run is at an end, or left."""
        return self.state in ACTIVE

    def tell(self, command: str) -> None:
        """Send a command; one that comes too late is lost with the process."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(json.dumps({"do": command}).encode() + b"\n")

    async def listen(self, heard: Callable[[Worker], None]) -> int:
        """Call `heard` at all news until the process ends; return its exit status."""
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                self.state = str(json.loads(line)["state"])
                heard(self)
        status = await self._process.wait()
        self.leave()
        return status

    def leave(self) -> None:
        """Let it keep a checkpoint and end."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    async def end(self) -> None:
        """Let it end, and wait for that; one that does not is ended, and its run goes on from the checkpoint before."""
        self.leave()
        try:
            await asyncio.wait_for(self._process.wait(), END_SECONDS)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
