"""Trainings: started, queued, told what to do. What they are at stands in their folders; here are the processes."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from pathlib import Path

from ..model.shelf import RunShelf
from ..model.shelves import SHELVES
from ..model.training.exchange import load_model
from ..model.training.plan import Plan
from ..model.training.recipe import TrainingRecipe
from ..model.training.run_folder import ACTIVE, RunFolder
from .errors import BusyError, ConflictError
from .settings import Settings
from .workers import Worker

logger = logging.getLogger(__name__)

MOST_PAUSED = 2
"""Processes that stand still and are kept; the first of them ends, and its run goes on from its checkpoint when asked to."""
NO_FOLDER = "the server cannot write to its data folder (GLASSFORMER_DATA_FOLDER)"
CAN_GO_ON = frozenset({"paused", "interrupted", "stopped", "failed"})


class Runs:
    """All runs in the data folder, and the workers of this server. For use on the event loop only."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.limits = settings.training_limits
        self.shelf = RunShelf(Path(settings.data_folder).expanduser() / "runs")
        self._workers: dict[str, Worker] = {}
        self._queue: deque[str] = deque()
        self._listeners: set[asyncio.Task[None]] = set()
        self._news: dict[str, asyncio.Event] = {}

    def open(self) -> None:
        """Let the trained models be found."""
        SHELVES.open(self.shelf)

    async def close(self) -> None:
        """Let the workers keep their checkpoints and end, and the models be found no more."""
        SHELVES.close(self.shelf)
        self._queue.clear()
        await asyncio.gather(*(worker.end() for worker in self._workers.values()))
        await asyncio.gather(*self._listeners, return_exceptions=True)

    def get(self, id: str) -> RunFolder:
        """Return a run. Raises UnknownNameError."""
        return self.shelf.run(id)

    def state(self, run: RunFolder) -> str:
        """Say how a run stands: a process of this server or of another is at it, or it waits, or nobody will go on with it."""
        known = str(run.status["state"])
        if run.id in self._queue:
            return "queued"
        if run.id in self._workers:
            return known if known in ACTIVE - {"queued"} else self._workers[run.id].state
        return "interrupted" if known in ACTIVE and not run.locked else known

    async def make(self, recipe: TrainingRecipe, plan: Plan) -> RunFolder:
        """Make a run and start it, or let it wait for its turn.

        Raises:
            BusyError: too many wait already. ConflictError: it cannot be written down.
        """
        if len(self._queue) >= self._settings.max_waiting_runs and not self._has_room():
            raise BusyError(f"{len(self._queue)} trainings are waiting, and no more are let in")
        try:
            run = RunFolder.make(self.shelf.folder, about=plan.about, recipe=recipe)
        except OSError as error:
            raise ConflictError(f"{NO_FOLDER}: {error.strerror}") from error
        await self._go_on(run.id)
        return run

    def load(self, content: bytes) -> RunFolder:
        """Make a model of a file, in any thread. Raises WeightsError, ConfigError, and ConflictError where it cannot be kept."""
        try:
            return load_model(content, self.shelf.folder, self.limits.model)
        except OSError as error:
            raise ConflictError(f"{NO_FOLDER}: {error.strerror}") from error

    async def resume(self, run: RunFolder) -> None:
        """Go on with a run that stands still. Raises ConflictError."""
        self._need(run, CAN_GO_ON, "resumed")
        await self._go_on(run.id)

    async def pause(self, run: RunFolder) -> None:
        """Let a run stand still. Raises ConflictError."""
        self._need(run, {"running", "starting", "queued"}, "paused")
        if run.id in self._queue:
            self._queue.remove(run.id)
            run.set_status({**run.status, "state": "paused"})
            self._heard(run.id)
        else:
            self._mine(run).tell("pause")

    async def stop(self, run: RunFolder) -> None:
        """End a run where it stands. Raises ConflictError."""
        self._need(run, ACTIVE - {"scoring"} | {"interrupted"}, "stopped")
        if run.id in self._queue:
            self._queue.remove(run.id)
        if run.id in self._workers:
            self._workers[run.id].tell("stop")
        else:
            run.set_status({**run.status, "state": "stopped"})
            self._heard(run.id)

    async def step(self, run: RunFolder) -> None:
        """Take one step with a run that stands still. Raises ConflictError."""
        self._need(run, CAN_GO_ON, "stepped")
        if run.id not in self._workers:
            await self._start(run, paused=True)
        self._workers[run.id].tell("step")

    async def delete(self, run: RunFolder) -> None:
        """Delete a run. Raises ConflictError for one that another server advances."""
        if run.id in self._queue:
            self._queue.remove(run.id)
        if run.id in self._workers:
            self._workers[run.id].tell("stop")
            await self._workers[run.id].end()
        elif run.locked:
            raise ConflictError(f"{run.id} is at work in another process", where="run")
        run.remove()
        self._heard(run.id)

    def news(self, id: str) -> asyncio.Event:
        """Return what will be set when something about a run changes next; take it before looking, so that nothing is missed."""
        return self._news.setdefault(id, asyncio.Event())

    def _need(self, run: RunFolder, states: frozenset[str] | set[str], done: str) -> None:
        if run.recipe is None:
            raise ConflictError(f"{run.id} was loaded as it is and cannot be {done}", where="run")
        if (state := self.state(run)) not in states:
            raise ConflictError(f"{run.id} is {state} and cannot be {done}", where="run")

    def _mine(self, run: RunFolder) -> Worker:
        if run.id not in self._workers:
            raise ConflictError(f"{run.id} is at work in another process", where="run")
        return self._workers[run.id]

    def _has_room(self) -> bool:
        return sum(worker.moves for worker in self._workers.values()) < self._settings.max_runs

    async def _go_on(self, id: str) -> None:
        self._queue.append(id)
        await self._next()

    async def _next(self) -> None:
        """Start as many of those that wait as there is room for."""
        while self._queue and self._has_room():
            id = self._queue.popleft()
            if id in self._workers:
                self._workers[id].state = "running"
                self._workers[id].tell("resume")
            else:
                await self._start(self.shelf.run(id), paused=False)

    async def _start(self, run: RunFolder, *, paused: bool) -> None:
        standing = [worker for worker in self._workers.values() if not worker.moves]
        if len(standing) >= MOST_PAUSED:
            standing[0].leave()
        run.set_status({**run.status, "state": "starting"})
        worker = await Worker.start(run, self.limits, paused=paused)
        self._workers[run.id] = worker
        task = asyncio.create_task(self._listen(worker))
        self._listeners.add(task)
        task.add_done_callback(self._listeners.discard)

    async def _listen(self, worker: Worker) -> None:
        id = worker.run.id

        def heard(worker: Worker) -> None:
            self._heard(id)
            if not worker.moves and self._queue:
                again = asyncio.create_task(self._next())
                self._listeners.add(again)
                again.add_done_callback(self._listeners.discard)

        status = await worker.listen(heard)
        if status:
            logger.warning("the process of %s ended with status %d", id, status)
        del self._workers[id]
        self._heard(id)
        await self._next()

    def _heard(self, id: str) -> None:
        self._news.pop(id, asyncio.Event()).set()
