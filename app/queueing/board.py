"""Who waits in all processes of one server, whichever of them is asked: while anybody waits, each tells the others in a file."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2s
from pathlib import Path
from typing import Any

from .queue import FairQueue
from .visitors import Visitor

TELL_SECONDS = 0.25
STALE_SECONDS = 2.0
"""After that nobody believes a file: its process has ended, or has not come to writing it. All read the same monotonic clock."""


@dataclass(frozen=True)
class Standing:
    """How many pieces of work wait, and when it is a visitor's turn.

    `turns` are places with the seconds until each, the next one first; `seconds` those until the first, or for one who comes now.
    """

    waiting: int
    turns: list[tuple[int, float]]
    seconds: float


class Board:
    """The queues of this process, and what the others tell of theirs in `folder`; without a folder there are no others."""

    def __init__(self, queues: Sequence[FairQueue], folder: str | None) -> None:
        self._queues = queues
        self._folder = Path(folder) if folder else None
        self._own = f"queue-{os.getpid()}.json"
        self._told = False

    def standing(self, visitor: Visitor) -> Standing:
        """Return how it stands for a visitor."""
        turns = [(place, queue.mean * place) for queue in self._queues for place in queue.places(visitor)]
        waiting, next_free = self._waiting, self._seconds
        mine = _short(visitor)
        for told in self._others():
            waiting += told["waiting"]
            turns += [(place, seconds) for place, seconds in told["turns"].get(mine, ())]
        turns.sort()
        return Standing(waiting, turns, turns[0][1] if turns else next_free)

    async def tell(self) -> None:
        """Tell the others, again and again."""
        while True:
            with suppress(OSError):  # a full disk; they know no places then
                self.write()
            await asyncio.sleep(TELL_SECONDS)

    def write(self) -> None:
        """Tell the others once, if there is anything to tell."""
        assert self._folder is not None
        file = self._folder / self._own
        if self._waiting:
            beside = file.with_suffix(".new")
            beside.write_text(json.dumps({"at": time.monotonic(), "waiting": self._waiting, "turns": self._turns()}), "utf-8")
            beside.replace(file)
            self._told = True
        elif self._told:
            file.unlink(missing_ok=True)
            self._told = False

    @property
    def _waiting(self) -> int:
        return sum(queue.waiting for queue in self._queues)

    @property
    def _seconds(self) -> float:
        return self._queues[0].mean * self._queues[0].waiting

    def _turns(self) -> dict[str, list[tuple[int, float]]]:
        turns: dict[str, list[tuple[int, float]]] = {}
        for queue in self._queues:
            for place, visitor in queue.standing():
                turns.setdefault(_short(visitor), []).append((place, round(queue.mean * place, 3)))
        return turns

    def _others(self) -> Iterator[dict[str, Any]]:
        if self._folder is None:
            return
        for file in self._folder.glob("queue-*.json"):
            with suppress(OSError, ValueError):
                told = json.loads(file.read_text("utf-8")) if file.name != self._own else None
                if told is not None and time.monotonic() - told["at"] < STALE_SECONDS:
                    yield told


def _short(visitor: Visitor) -> str:
    """Return what stands for a visitor: neither address nor key lie in a file."""
    return blake2s(f"{visitor.address} {visitor.key}".encode(), digest_size=8).hexdigest()
