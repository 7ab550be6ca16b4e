"""News of trainings: told by this process's own workers, and seen in the folders of those that another process advances."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

FILES = ("status.json", "log.jsonl", "name.json")
_Mark = tuple[tuple[int, int, int] | None, ...]


class RunNews:
    """Who waits for news of a run is woken when something about it has changed. For use on the event loop only."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._waiting: dict[str, tuple[asyncio.Event, _Mark]] = {}

    def of(self, id: str) -> asyncio.Event:
        """Return what will be set when a run changes next; take it before looking, so that nothing is missed."""
        if id not in self._waiting:
            self._waiting[id] = asyncio.Event(), self._mark(id)
        return self._waiting[id][0]

    def heard(self, id: str) -> None:
        """Tell whoever waits that a run has changed."""
        if id in self._waiting:
            self._waiting.pop(id)[0].set()

    def look(self) -> None:
        """Tell of all runs whose files have changed since somebody began to wait."""
        for id, (_, mark) in tuple(self._waiting.items()):
            if self._mark(id) != mark:
                self.heard(id)

    def _mark(self, id: str) -> _Mark:
        """Return what changes whenever one of a run's files does."""
        return tuple(_mark_of(self._folder / id / name) for name in FILES)


def _mark_of(path: Path) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size
