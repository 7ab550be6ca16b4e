"""A run on the disk: its recipe, how it stands, its log, its checkpoints. Whoever looks reads the files; one process writes."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from ..errors import UnknownNameError
from .checkpoint import Checkpoint, checkpoints
from .files import HALF, append, read_json, remove_folder, room, write_json, write_whole
from .recipe import TrainingRecipe

PREFIX = "run-"
ACTIVE = frozenset({"queued", "starting", "running", "paused", "scoring"})
"""States of a run that a process is at work on, or waits for one; without either it is interrupted."""
START_SECONDS = 30.0
STALE_SECONDS = 3600.0
LOG = "log.jsonl"
STATES = (*sorted(ACTIVE), "interrupted", "stopped", "finished", "diverged", "failed", "loaded")


class RunFolder:
    """One run in a folder of its own, `{id}`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.id = path.name
        self.checkpoints_folder = path / "checkpoints"

    @classmethod
    def make(
        cls,
        runs: Path,
        *,
        about: Mapping[str, Any],
        recipe: TrainingRecipe | None,
        step: int = 0,
        state: str = "queued",
        owner: str = "",
        request: str = "",
    ) -> RunFolder:
        """Make the folder of a new run; `about` are facts that never change. A loaded model has no recipe, but a step.

        Its id cannot be guessed: who has it may look at the run, whoever its `owner` is. `request` is what asked for it: one that
        comes again makes no second run.

        Raises:
            StorageFullError: there is no room, and no folder then. OSError: the folder cannot be written to.
        """
        run = cls(runs / f"{PREFIX}{secrets.token_hex(8)}")
        with room():
            run.checkpoints_folder.mkdir(parents=True)
        try:
            if recipe is not None:
                write_json(run.path / "recipe.json", recipe.as_dict())
            status = {"state": "loaded"} if recipe is None else {"state": state, "since": time.time()}
            run.set_status({**status, "step": step})
            who = {name: text for name, text in (("owner", owner), ("request", request)) if text}
            write_json(run.path / "about.json", {"created": time.time(), **about, **who})
        except BaseException:
            run.remove()
            raise
        return run

    @property
    def exists(self) -> bool:
        """False once the run has been deleted, or where there never was one."""
        return (self.path / "about.json").is_file()

    @property
    def about(self) -> dict[str, Any]:
        """What never changes: when it was made, its plan in numbers."""
        return dict(read_json(self.path / "about.json") or {})

    @property
    def owner(self) -> str:
        """The digest of the cookie of whoever began it; empty where it belongs to nobody."""
        return str(self.about.get("owner", ""))

    @property
    def recipe(self) -> TrainingRecipe | None:
        """The recipe, or None for a model that was loaded."""
        raw = read_json(self.path / "recipe.json")
        return None if raw is None else TrainingRecipe.from_dict(raw)

    @property
    def name(self) -> str:
        """The name a person gave it since; empty is the recipe's."""
        return str((read_json(self.path / "name.json") or {}).get("name", ""))

    @name.setter
    def name(self, name: str) -> None:
        write_json(self.path / "name.json", {"name": name})

    @property
    def status(self) -> dict[str, Any]:
        """How the run stands, by the word of the process that advances it."""
        return dict(read_json(self.path / "status.json") or {"state": "failed", "step": 0})

    def set_status(self, status: Mapping[str, Any]) -> None:
        """Say how the run stands."""
        write_json(self.path / "status.json", status, lasting=False)

    @property
    def state(self) -> str:
        """How the run stands, seen from outside: what a process was at that is gone is interrupted; paused, it stays paused."""
        known = str(self.status["state"])
        if known not in ACTIVE or known in ("queued", "paused") or (known == "starting" and self._young) or self.locked:
            return known
        return "interrupted"

    def wait_its_turn(self, *, since: float | None = None) -> None:
        """Let the run wait for its turn: those that have waited longest begin first."""
        self.set_status({**self.status, "state": "queued", "since": time.time() if since is None else since})

    def note_end(self) -> None:
        """Write down that a process ended without a word, where nobody is at the run now."""
        if self.exists and self.status["state"] in ACTIVE - {"queued", "paused"} and not self.locked:
            self.set_status({**self.status, "state": "interrupted"})

    def lock(self, *, seconds: float = 5.0) -> FileLock:
        """Return the lock of whoever advances this run; it is free again when that process ends, however it ends.

        To look whether it is free takes it for a moment, so who means it waits some seconds.
        """
        return FileLock(self.path / "lock", timeout=seconds)

    @property
    def locked(self) -> bool:
        """True while a process advances this run."""
        try:
            with self.lock(seconds=0):
                return False
        except (Timeout, OSError):
            return True

    @property
    def _young(self) -> bool:
        """True for a status of just now: a process that starts takes a moment before it has the lock."""
        try:
            return abs(time.time() - (self.path / "status.json").stat().st_mtime) < START_SECONDS
        except OSError:
            return False

    def checkpoints(self) -> list[Checkpoint]:
        """Return what is kept, the first step first."""
        return checkpoints(self.checkpoints_folder)

    def checkpoint(self, step: int | None = None) -> Checkpoint:
        """Return the checkpoint of a step, or the last one. Raises UnknownNameError naming the steps that are kept."""
        found = self.checkpoints()
        if not found:
            raise UnknownNameError(f"{self.id} has no checkpoint yet", where="model")
        if step is None:
            return found[-1]
        for each in found:
            if each.step == step:
                return each
        kept = ", ".join(str(each.step) for each in found)
        raise UnknownNameError(f"{self.id} keeps no checkpoint of step {step}; it keeps those of {kept}", where="model")

    def log(self, points: Iterable[Mapping[str, Any]]) -> None:
        """Add points to the log, one line of JSON each."""
        append(self.path / LOG, _lines(points))

    def points(self, *, after: int = -1) -> list[dict[str, Any]]:
        """Return the points of the log beyond a step."""
        try:
            lines = (self.path / LOG).read_bytes().splitlines(keepends=True)
        except FileNotFoundError:
            return []
        found = [_point(line) for line in lines if line.endswith(b"\n")]  # a line that is being written is left for the next time
        return [point for point in found if point is not None and point["step"] > after]

    def cut_log(self, step: int) -> None:
        """Drop the points beyond a step, which is about to be taken again."""
        kept = [point for point in self.points() if point["step"] <= step]
        write_whole(self.path / LOG, _lines(kept).encode(), lasting=False)

    def remove(self) -> None:
        """Delete the run."""
        remove_folder(self.path)


def waiting_in(folder: Path) -> list[RunFolder]:
    """Return the runs in a folder that wait for their turn, the one that has waited longest first."""
    found = [(run.status, run) for run in all_in(folder)]
    waiting = [(float(status.get("since", 0.0)), run.id, run) for status, run in found if status["state"] == "queued"]
    return [run for _, _, run in sorted(waiting, key=lambda each: each[:2])]


def all_in(folder: Path) -> list[RunFolder]:
    """Return the runs in a folder, in any order."""
    if not folder.is_dir():
        return []
    return [run for path in folder.iterdir() if path.name.startswith(PREFIX) and (run := RunFolder(path)).exists]


def sweep(folder: Path) -> None:
    """Remove what processes that were killed left half made, or half removed, an hour ago or earlier."""
    for path in folder.iterdir():
        half = path.name.startswith(HALF) or (path.name.startswith(PREFIX) and not RunFolder(path).exists)
        with suppress(OSError):
            if half and time.time() - path.lstat().st_mtime > STALE_SECONDS and not path.is_symlink():
                remove_folder(path) if path.is_dir() else path.unlink()


def _lines(points: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(point, separators=(",", ":")) + "\n" for point in points)


def _point(line: bytes) -> dict[str, Any] | None:
    """Return a point of the log; None for a line that a stop of the machine left broken."""
    try:
        point = json.loads(line)
    except ValueError:
        return None
    return point if isinstance(point, dict) and isinstance(point.get("step"), int) else None
