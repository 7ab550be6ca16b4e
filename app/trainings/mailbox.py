"""What one server process asks of another that keeps the trainings: a file for each request, and one for its answer.

A file is there whole or not at all, and is read by one process alone, so that requests survive whoever made them.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ...model.errors import GlassformerError, StorageFullError, UnknownNameError
from ...model.training.files import read_json, room, write_json
from ..errors import ConflictError

LOOK_SECONDS = 0.05
STALE_SECONDS = 60.0
"""A request, or an answer, that nobody took by then is not taken any more."""

_ERRORS: Mapping[str, type[GlassformerError]] = {
    error.code: error for error in (ConflictError, UnknownNameError, StorageFullError)
}


@dataclass(frozen=True)
class Asked:
    """A request: do `verb` with a run."""

    name: str
    verb: str
    run: str


class Mailbox:
    """Requests and answers in a folder that several processes share."""

    def __init__(self, folder: Path) -> None:
        self._asked = folder / ".asked"
        self._answered = folder / ".answered"

    def drop(self, verb: str, run: str) -> str:
        """Ask for something; return the request's name."""
        with room():
            for folder in (self._asked, self._answered):
                folder.mkdir(exist_ok=True)
        name = f"{time.time_ns():020}-{secrets.token_hex(4)}.json"
        write_json(self._asked / name, {"verb": verb, "run": run}, lasting=False)
        return name

    async def ask(self, verb: str, run: str, *, seconds: float) -> bool:
        """Ask for something and wait for the answer; return False where none came in time.

        Raises:
            ConflictError, UnknownNameError, StorageFullError: it cannot be done.
        """
        path = self._answered / self.drop(verb, run)
        ends = time.monotonic() + seconds
        while (found := read_json(path)) is None:
            if time.monotonic() > ends:
                return False
            await asyncio.sleep(LOOK_SECONDS)
        path.unlink(missing_ok=True)
        if found["message"]:
            raise _ERRORS[found["code"]](found["message"], where=found["where"])
        return True

    def take(self) -> list[Asked]:
        """Return the requests that wait, the oldest first; nobody else gets them any more."""
        found = [_read(path) for path in _waiting(self._asked)]
        return [asked for asked in found if asked is not None]

    def answer(self, asked: Asked, error: GlassformerError | None = None) -> None:
        """Say that a request was fulfilled, or why it cannot be."""
        said = {"message": ""} if error is None else {"code": error.code, "message": error.message, "where": error.where}
        write_json(self._answered / asked.name, said, lasting=False)
        for path in _waiting(self._answered):
            if _stale(path):
                path.unlink(missing_ok=True)


def _waiting(folder: Path) -> list[Path]:
    return sorted(folder.glob("[0-9]*.json"))


def _stale(path: Path) -> bool:
    return abs(time.time() - int(path.name.partition("-")[0]) / 1e9) > STALE_SECONDS


def _read(path: Path) -> Asked | None:
    """Take one request out; None where another process was quicker, or it is too old, or no request."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        raw = json.loads(path.read_bytes())
        path.unlink()
        return None if _stale(path) else Asked(path.name, str(raw["verb"]), str(raw["run"]))
    return None
