"""Trainings, as routes know them: made, steered, looked at. One process of all that serve a data folder advances them."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from pathlib import Path

from filelock import Timeout

from ...model.errors import GlassformerError
from ...model.shelf import RunShelf
from ...model.shelves import SHELVES
from ...model.training.exchange import load_model
from ...model.training.header import LONGEST
from ...model.training.plan import Plan
from ...model.training.recipe import TrainingRecipe
from ...model.training.run_folder import ACTIVE, RunFolder
from ..errors import BusyError
from ..observing.request import request_id
from ..settings import Settings
from .crew import Crew
from .given_models import take_in
from .keeper import Keeper
from .mailbox import Mailbox
from .news import RunNews
from .room import Room
from .steering import CAN_GO_ON, Steering

logger = logging.getLogger(__name__)

LOOK_SECONDS = 0.2
"""How often a process looks for what others ask of it and for news of what others advance."""
PATIENCE = 5.0
"""How long an answer waits for what was asked to take effect."""


class Runs:
    """All runs in the data folder, and this process's part in them. For use on the event loop only."""

    def __init__(self, settings: Settings) -> None:
        self.limits = settings.training_limits
        self.shelf = RunShelf(Path(settings.data_folder).expanduser() / "runs")
        self._news = RunNews(self.shelf.folder)
        self._mailbox = Mailbox(self.shelf.folder)
        self._crew = Crew(self.shelf, self._news, limits=self.limits, most=settings.max_runs)
        self._steering = Steering(self._crew, self._news)
        self._keeper = Keeper(self.shelf, self._crew, self._steering, self._mailbox)
        self._room = Room(self.shelf, settings, self.state)
        self._given = settings.models_folder
        self._watching: asyncio.Task[None] | None = None
        self._taking: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Let the trained models be found, and take part in what the processes of this data folder do."""
        SHELVES.open(self.shelf)
        self._watching = asyncio.create_task(self._watch())
        if self._given:
            self._taking = asyncio.create_task(asyncio.to_thread(self._take_in, Path(self._given).expanduser()))

    async def close(self) -> None:
        """Let the workers keep their checkpoints and end, and the models be found no more."""
        SHELVES.close(self.shelf)
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        await self._keeper.close()

    def get(self, id: str) -> RunFolder:
        """Return a run. Raises UnknownNameError."""
        return self.shelf.run(id)

    def state(self, run: RunFolder) -> str:
        """Say how a run stands: a process of this server or of another is at it, or it waits, or nobody will go on with it."""
        return self._steering.state(run)

    def line(self) -> list[str]:
        """Return the ids of the runs that wait for their turn, the next one first."""
        return self._room.line()

    def news(self, id: str) -> asyncio.Event:
        """Return what will be set when something about a run changes next; take it before looking, so that nothing is missed."""
        return self._news.of(id)

    async def make(self, recipe: TrainingRecipe, plan: Plan, *, owner: str = "", key: str = "") -> RunFolder:
        """Make a run and start it, or let it wait for its turn. The same owner and key get the same run again.

        Raises:
            BusyError, StorageFullError: too many wait already, or there is no room on the disk.
            ConflictError: this owner has enough.
        """
        about = {**plan.about, "request_id": request_id()}
        request = hashlib.sha256(f"{owner} {key}".encode()).hexdigest() if key else ""

        def made() -> RunFolder:
            with self._room.alone():
                if request and (known := self.shelf.asked_by(request)) is not None:
                    return known
                self._room.check(owner)
                return RunFolder.make(self.shelf.folder, about=about, recipe=recipe, owner=owner, request=request)

        try:
            run = await asyncio.to_thread(made)
        except Timeout:
            raise BusyError("many trainings are being made just now; try again in a moment") from None
        logger.info("a training is made", extra={"facts": {"run": run.id}})
        if self._keeper.claim():
            await self._steering.do("begin", run)
        else:
            self._mailbox.drop("begin", run.id)
        return run

    def load(self, content: bytes, *, owner: str = "") -> RunFolder:
        """Make a model of a file, in any thread.

        Raises:
            WeightsError, ConfigError: it is none, or too large. StorageFullError: it cannot be kept.
        """
        self._room.check_bytes(len(content))
        return load_model(content, self.shelf.folder, self.limits.model, owner=owner)

    def _take_in(self, folder: Path) -> None:
        def take(content: bytes, digest: str) -> None:
            with self._room.alone():
                if self.shelf.asked_by(digest) is None:
                    self._room.check_bytes(len(content))
                    load_model(content, self.shelf.folder, self.limits.model, request=digest)

        take_in(folder, take, most=self.limits.model.run_bytes + LONGEST)

    async def steer(self, verb: str, run: RunFolder) -> bool:
        """Pause, resume, stop, step or delete a run, whichever process has it.

        Returns False where it was passed on and has not taken effect yet. Raises ConflictError.
        """
        ends = asyncio.get_running_loop().time() + PATIENCE
        step = int(run.status["step"])
        if verb == "resume":
            await asyncio.to_thread(self._room.check_owner, run.owner)
        if self._keeper.claim():
            await self._steering.do(verb, run)
        elif not await self._mailbox.ask(verb, run.id, seconds=PATIENCE):
            return False
        while not self._done(verb, run, step):
            news = self._news.of(run.id)
            try:
                async with asyncio.timeout_at(ends):
                    await news.wait()
            except TimeoutError:
                return self._done(verb, run, step)
        return True

    def _done(self, verb: str, run: RunFolder, step: int) -> bool:
        if not run.exists:
            return True
        state = self.state(run)
        return {
            "pause": state not in ("running", "starting"),
            "resume": state not in CAN_GO_ON,
            "stop": state not in ACTIVE,
            "step": state not in ("running", "starting", "paused") or (state == "paused" and run.status["step"] > step),
            "delete": False,
        }[verb]

    async def _watch(self) -> None:
        """Look for what others do, for as long as the server runs."""
        at_start, said = True, ""
        while True:
            try:
                self._keeper.claim(at_start=at_start)
                self._keeper.look()
                self._news.look()
            except (OSError, GlassformerError) as error:
                if str(error) != said:
                    said = str(error)
                    logger.warning("the data folder cannot be used: %s", error)
            at_start = False
            await asyncio.sleep(LOOK_SECONDS)
