"""The workers of one server process, and whose turn it is when one of them is free."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from contextvars import Context

from ...model.errors import StorageFullError
from ...model.limits import TrainingLimits
from ...model.shelf import RunShelf
from ...model.training.files import write_json
from ...model.training.run_folder import RunFolder, waiting_in
from .news import RunNews
from .workers import Worker

logger = logging.getLogger(__name__)

MOST_PAUSED = 2
"""Processes that stand still and are kept; the first of them ends, and its run goes on from its checkpoint when asked to."""
NO_PROCESS = "The server could start no process for it; resume it in a moment."
AT_WORK = ".at-work.json"
"""The runs that are under way, for the process that takes up what this one leaves when it is killed."""


class Crew:
    """Workers, of which at most `most` move; the runs that wait stand in their folders. For use on the event loop only."""

    def __init__(self, shelf: RunShelf, news: RunNews, *, limits: TrainingLimits, most: int) -> None:
        self._shelf, self._news, self._limits, self._most = shelf, news, limits, most
        self._workers: dict[str, Worker] = {}
        self._listening: dict[str, asyncio.Task[None]] = {}
        self._later: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()
        self._closing = False

    def at(self, id: str) -> Worker | None:
        """Return the process at a run."""
        return self._workers.get(id)

    async def ended(self, id: str) -> None:
        """Let the process at a run end, and wait for that."""
        if (worker := self._workers.get(id)) is not None:
            listening = self._listening[id]
            await worker.end()
            await listening

    async def close(self) -> None:
        """Let all keep their checkpoints and end."""
        self._closing = True
        if self._workers:
            with suppress(OSError, StorageFullError):
                self.note()
        await asyncio.gather(*(worker.end() for worker in self._workers.values()))
        await asyncio.gather(*self._listening.values(), *self._later, return_exceptions=True)

    async def next(self) -> None:
        """Start as many of those that wait as there is room for."""
        async with self._turn:
            while self._has_room() and (waiting := await asyncio.to_thread(waiting_in, self._shelf.folder)):
                run = waiting[0]
                worker = self._workers.get(run.id)
                if worker is None:
                    await self._begin(run, paused=False)
                elif worker.lives:
                    worker.state = "running"
                    run.set_status({**run.status, "state": "running"})
                    worker.tell("resume")
                    self.note()
                else:  # it is about to end, and its place is given away then
                    break
                for each in waiting[1:]:  # all move up by one
                    self._news.heard(each.id)

    async def start(self, run: RunFolder) -> None:
        """Start a process that stands still until it is told something."""
        async with self._turn:
            await self._begin(run, paused=True)

    def note(self) -> None:
        """Write down which runs are under way."""
        write_json(self._shelf.folder / AT_WORK, [id for id, worker in self._workers.items() if worker.moves], lasting=False)

    def _has_room(self) -> bool:
        return not self._closing and sum(worker.moves for worker in self._workers.values()) < self._most

    async def _begin(self, run: RunFolder, *, paused: bool) -> None:
        standing = [worker for worker in self._workers.values() if not worker.moves]
        if len(standing) >= MOST_PAUSED:
            standing[0].leave()
        run.set_status({**run.status, "state": "starting", "message": ""})
        try:
            self._workers[run.id] = await Worker.start(run, self._limits, paused=paused)
        except OSError as error:  # no memory for a process, or too many
            logger.warning("no process could be started for %s: %s", run.id, error.strerror)
            run.set_status({**run.status, "state": "failed", "message": NO_PROCESS})
            self._news.heard(run.id)
            return
        self._listening[run.id] = asyncio.create_task(self._listen(self._workers[run.id]), context=Context())
        self.note()

    async def _listen(self, worker: Worker) -> None:
        id = worker.run.id

        def heard(worker: Worker) -> None:
            self._news.heard(id)
            if not worker.moves:
                self._soon()

        status = await worker.listen(heard)
        if status:
            made_by = worker.run.about.get("request_id", "")
            facts = {"run": id, "ended_with": status, "made_by": made_by}
            logger.warning("the process of a training has failed", extra={"facts": facts})
        del self._workers[id], self._listening[id]
        with suppress(OSError, StorageFullError):
            worker.run.note_end()
        self._news.heard(id)
        self._soon()

    def _soon(self) -> None:
        """Give a free place away, when all that is going on now is done."""
        if self._closing:
            return
        task = asyncio.create_task(self._give_away(), context=Context())
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    async def _give_away(self) -> None:
        try:
            self.note()
            await self.next()
        except (OSError, StorageFullError) as error:
            logger.warning("no training can be started: %s", error)
