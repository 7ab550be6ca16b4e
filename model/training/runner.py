"""Advancing a run: steps, commands in between, and what is written down about once a second."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from typing import Any, Literal

from ..errors import GlassformerError, StorageFullError
from ..limits import TrainingLimits
from .card_file import describe_card
from .checkpoint import thin, write_checkpoint
from .divergence import find_broken
from .evaluation import evaluate
from .pace import Pace
from .plan import make_plan
from .run_folder import RunFolder
from .scoring import score_lesson
from .session import DivergedError, Progress, Session
from .threads import one_thread

Command = Literal["pause", "resume", "stop", "step", "leave"]
Wait = Callable[[bool], Command | None]
"""Gives the next command, or None where there is none; with True it waits for one."""

POINTS = 2000
SMOOTH = 0.3


class Runner:
    """One run, advanced by this process from its last checkpoint until it is done, stopped or left.

    Where the disk is full it stands still, keeps in memory what it has, and tries again when told to go on.

    Args:
        wait: the next command. tell: called after each change of `status.json`, with what is in it.
        paused: stand still until told to go on.
    """

    def __init__(
        self,
        folder: RunFolder,
        wait: Wait,
        tell: Callable[[dict[str, Any]], None],
        *,
        limits: TrainingLimits,
        paused: bool = False,
    ) -> None:
        recipe = folder.recipe
        assert recipe is not None, f"{folder.id} was loaded and cannot be trained"
        self._folder, self._wait, self._tell, self._limits, self._paused = folder, wait, tell, limits, paused
        self._full = False
        self._lesson = make_plan(recipe, limits, id=folder.id).lesson
        self._facts = {
            "task": recipe.task,
            "data": self._lesson.data,
            "rules": self._lesson.rules,
            "steps": self._lesson.steps,
            "batch": self._lesson.batch,
            "seed": self._lesson.seed,
        }
        self._every = max(1, self._lesson.steps // POINTS)
        self._losses: list[float] = []
        self._lines: list[dict[str, Any]] = []
        self._status: dict[str, Any] = dict(folder.status)
        self._checked, self._looked, self._said = Pace(1.0, 0.02), Pace(1.0, 0.025), Pace(0.25, 0.01)
        self._window = (time.monotonic(), 0)

    def run(self) -> str:
        """Advance the run; return the state it ends in.

        Raises:
            filelock.Timeout: another process advances it.
        """
        with self._folder.lock(), one_thread():
            session = self._begin()
            while True:
                try:
                    return self._advance(session)
                except DivergedError as error:
                    return self._diverge(session, error)
                except StorageFullError as error:
                    self._stand_still(error)

    def _begin(self) -> Session:
        session = Session(self._lesson)
        kept = [each for each in self._folder.checkpoints() if each.can_go_on]
        if kept:
            notes = kept[-1].restore(session)
            self._losses = list(notes["losses"])
        self._folder.cut_log(session.step)
        self._window = (time.monotonic(), session.step)
        self._status = {**self._status, "step": session.step, "message": ""}
        if not kept:
            self._checked.do(lambda: self._keep(session))
        self._looked.do(lambda: self._look(session))
        self._say("paused" if self._paused else "running")
        return session

    def _advance(self, session: Session) -> str:
        while self._full or not session.finished:
            command = self._wait(self._paused)
            if command in ("stop", "leave"):
                return self._end(session, "stopped" if command == "stop" else "paused" if self._paused else "interrupted")
            if command == "pause":
                self._paused = True
                self._keep(session)
                self._say("paused")
            elif command in ("resume", "step"):
                self._full, self._status["message"] = False, ""
            if command == "resume":
                self._paused = False
                self._window = (time.monotonic(), session.step)
                self._say("running")
            if not session.finished and (command == "step" or not self._paused):
                self._step(session)
                if self._paused:
                    self._look(session)
                    self._keep(session)
                    self._say("paused")
        return self._finish(session)

    def _stand_still(self, error: StorageFullError) -> None:
        self._paused = self._full = True
        self._say_anyway("paused", error)

    def _end(self, session: Session, state: str) -> str:
        """Keep a checkpoint and end; without room for one, the last that there is stays the last."""
        try:
            self._keep(session)
            return self._say(state)
        except StorageFullError as error:
            self._status["step"] = self._folder.checkpoints()[-1].step
            return self._say_anyway(state, error)

    def _say_anyway(self, state: str, error: StorageFullError) -> str:
        """Say how it stands to whoever listens, and to the disk where that takes so little."""
        self._status |= {"state": state, "message": error.message}
        with suppress(StorageFullError):
            self._folder.set_status(self._status)
        self._tell(self._status)
        return state

    def _step(self, session: Session) -> None:
        made = session.advance()
        self._losses.append(made.loss)
        if made.step % self._every == 0 or session.finished or self._paused:
            self._lines.append({**asdict(made), "loss": sum(self._losses) / len(self._losses)})
            self._losses = []
        if self._looked.due:
            self._looked.do(lambda: self._look(session))
        if self._checked.due:
            self._checked.do(lambda: self._keep(session))
        if self._said.due and not self._paused:
            self._said.do(lambda: self._say("running", made))

    def _look(self, session: Session) -> None:
        found = evaluate(session)
        self._lines.append({"step": session.step, "held_out_loss": found.loss, "accuracy": found.accuracy})
        self._status["evaluation"] = {"step": session.step, **found.as_dict()}

    def _keep(self, session: Session) -> None:
        if not all(bool(weights.isfinite().all()) for weights in session.weights.values()):
            return  # the last good checkpoint stays the last
        self._write_log()
        card = describe_card(self._lesson.card, self._facts | {"step": session.step})
        write_checkpoint(self._folder.checkpoints_folder, session, card, {"losses": self._losses})
        thin(self._folder.checkpoints_folder, most=self._limits.most_checkpoints, most_bytes=self._limits.checkpoint_bytes)
        self._status["step"] = session.step

    def _finish(self, session: Session) -> str:
        self._look(session)
        self._keep(session)
        self._say("scoring")
        session.network.eval()
        self._status["scores"] = score_lesson(session.network, self._lesson)
        return self._say("finished")

    def _diverge(self, session: Session, error: DivergedError) -> str:
        broken = find_broken(session)
        self._keep(session)
        kept = self._folder.checkpoints()[-1].step
        self._status |= {
            "diverged": broken.as_dict(),
            "message": f"{broken.says} The checkpoint of step {kept} is the last good one.",
        }
        return self._say("diverged")

    def _say(self, state: str, made: Progress | None = None) -> str:
        self._write_log()
        if made is not None:
            self._status |= asdict(made)
            self._measure(made.step)
        self._status["state"] = state
        self._folder.set_status(self._status)
        self._tell(self._status)
        return state

    def _write_log(self) -> None:
        self._folder.log(self._lines)
        self._lines = []

    def _measure(self, step: int) -> None:
        """Work out steps a second, the last second weighing most."""
        now, (then, before) = time.monotonic(), self._window
        if now - then < 0.2 or step == before:
            return
        rate = (step - before) / (now - then)
        known = self._status.get("steps_per_second")
        smooth = rate if not known else (1 - SMOOTH) * known + SMOOTH * rate
        self._status |= {"steps_per_second": smooth, "seconds": self._status.get("seconds", 0.0) + now - then}
        self._window = (now, step)


def fail(folder: RunFolder, error: Exception) -> None:
    """Note that a run cannot go on, and why."""
    why = error.message if isinstance(error, GlassformerError) else f"{type(error).__name__}: {error}"
    folder.set_status({**folder.status, "state": "failed", "message": why})
