"""What can be done with a training: begun, paused, resumed, stopped, stepped, deleted, each where its state allows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ...model.training.run_folder import ACTIVE, RunFolder
from ..errors import ConflictError
from .crew import Crew
from .news import RunNews

CAN_GO_ON = frozenset({"paused", "interrupted", "stopped", "failed"})


class Steering:
    """The verbs, for the process whose workers advance the runs. Each takes effect a moment after it was done."""

    def __init__(self, crew: Crew, news: RunNews) -> None:
        self._crew, self._news = crew, news
        self._verbs: dict[str, Callable[[RunFolder], Awaitable[None]]] = {
            "begin": self._begin,
            "pause": self._pause,
            "resume": self._resume,
            "stop": self._stop,
            "step": self._step,
            "delete": self._delete,
        }

    async def do(self, verb: str, run: RunFolder) -> None:
        """Do something with a run. Raises ConflictError where its state does not allow it."""
        if verb not in self._verbs:
            raise ConflictError(f"nothing is called {verb[:20]!r}", where="verb")
        await self._verbs[verb](run)

    def state(self, run: RunFolder) -> str:
        """Say how a run stands: a process is at it, or it waits, or nobody will go on with it."""
        known, worker = run.state, self._crew.at(run.id)
        return known if worker is None or known == "queued" else worker.state

    async def _begin(self, run: RunFolder) -> None:
        await self._crew.next()

    async def _resume(self, run: RunFolder) -> None:
        self._need(run, CAN_GO_ON, "resumed")
        run.wait_its_turn()
        self._news.heard(run.id)
        await self._crew.next()

    async def _pause(self, run: RunFolder) -> None:
        self._need(run, {"running", "starting", "queued"}, "paused")
        if self.state(run) == "queued":
            self._set(run, "paused")
        elif (worker := self._crew.at(run.id)) is not None:
            worker.tell("pause")
        else:
            raise _elsewhere(run)

    async def _stop(self, run: RunFolder) -> None:
        self._need(run, ACTIVE - {"scoring"} | {"interrupted"}, "stopped")
        worker = self._crew.at(run.id)
        if worker is None and run.locked:
            raise _elsewhere(run)
        if worker is None or self.state(run) == "queued":
            self._set(run, "stopped")
        if worker is not None:
            worker.tell("stop")

    async def _step(self, run: RunFolder) -> None:
        self._need(run, CAN_GO_ON, "stepped")
        worker = self._crew.at(run.id)
        if worker is not None and not worker.lives:
            await self._crew.ended(run.id)
        if self._crew.at(run.id) is None:
            await self._crew.start(run)
        if (worker := self._crew.at(run.id)) is not None:
            worker.tell("step")

    async def _delete(self, run: RunFolder) -> None:
        if (worker := self._crew.at(run.id)) is not None:
            worker.tell("stop")
            await self._crew.ended(run.id)
        elif run.locked:
            raise _elsewhere(run)
        run.remove()
        self._news.heard(run.id)

    def _need(self, run: RunFolder, states: frozenset[str] | set[str], done: str) -> None:
        if run.recipe is None:
            raise ConflictError(f"{run.id} was loaded as it is and cannot be {done}", where="run")
        if (state := self.state(run)) not in states:
            raise ConflictError(f"{run.id} is {state} and cannot be {done}", where="run")

    def _set(self, run: RunFolder, state: str) -> None:
        run.set_status({**run.status, "state": state})
        self._news.heard(run.id)


def _elsewhere(run: RunFolder) -> ConflictError:
    return ConflictError(f"{run.id} is at work in another process", where="run")
