"""The keeper of the trainings in a data folder: the one process, of all that serve it, that starts them and holds their queue."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from filelock import FileLock, Timeout

from ...model.errors import GlassformerError, UnknownNameError
from ...model.shelf import RunShelf
from ...model.training.files import read_json
from ...model.training.run_folder import sweep
from .crew import AT_WORK, Crew
from .mailbox import Asked, Mailbox
from .steering import Steering

logger = logging.getLogger(__name__)

LAST_SECONDS = 45.0
"""How long the workers of a keeper that is gone have to start, for one that had only begun, and for their last checkpoints."""
LOOK_SECONDS = 0.1


class Keeper:
    """Holds the keeper's place, and takes up what a keeper before it left. For use on the event loop only.

    The place is a lock that the system frees when the process ends, however it ends. What waits stands in the runs' own folders,
    and what is under way in one file, so another process goes on with both.
    """

    def __init__(self, shelf: RunShelf, crew: Crew, steering: Steering, mailbox: Mailbox) -> None:
        self._shelf, self._crew, self._steering, self._mailbox = shelf, crew, steering, mailbox
        self._lock = FileLock(shelf.folder / ".keeper", timeout=0, thread_local=False)
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False

    @property
    def keeps(self) -> bool:
        """True while this process is the keeper."""
        return self._lock.is_locked

    def claim(self, *, at_start: bool = False) -> bool:
        """Become the keeper unless another process is; return whether this one is.

        What waits begins. What the last keeper was at is gone on with, unless a server has only just started: then there was
        nobody to take it up, and people find it interrupted.
        """
        if self.keeps or self._closing or not self._shelf.folder.is_dir():
            return self.keeps
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            return False
        self._begin(asyncio.to_thread(sweep, self._shelf.folder))
        left = read_json(self._shelf.folder / AT_WORK)
        ids = [str(id) for id in left] if isinstance(left, list) and not at_start else []
        self._begin(self._take_up(ids))
        return True

    def look(self) -> None:
        """Begin what other processes ask for."""
        for asked in self._mailbox.take() if self.keeps and not self._closing else []:
            self._begin(self._answer(asked))

    async def close(self) -> None:
        """Let the workers end, and another process be the keeper."""
        self._closing = True
        for task in self._tasks:
            task.cancel()
        await self._crew.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._lock.release()

    async def _take_up(self, ids: list[str]) -> None:
        """Give the runs of a keeper that is gone the first places in the queue, as soon as their workers have ended."""
        ends = asyncio.get_running_loop().time() + LAST_SECONDS
        for place, id in enumerate(ids):
            try:
                run = self._shelf.run(id)
                while (run.locked or run.state == "starting") and asyncio.get_running_loop().time() < ends:
                    await asyncio.sleep(LOOK_SECONDS)
                if run.exists and run.state == "interrupted":
                    logger.info("going on with %s, which another process left", id)
                    run.wait_its_turn(since=float(place))
            except UnknownNameError:
                continue
        self._crew.note()
        await self._crew.next()

    async def _answer(self, asked: Asked) -> None:
        try:
            await self._steering.do(asked.verb, self._shelf.run(asked.run))
        except GlassformerError as error:
            self._mailbox.answer(asked, error)
        else:
            self._mailbox.answer(asked)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(_said(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _said(work: Coroutine[Any, Any, None]) -> None:
    """Do work that nobody waits for; what goes wrong is logged."""
    try:
        await work
    except (OSError, GlassformerError) as error:
        logger.warning("a training could not be steered: %s", error)
