"""The models that were trained here, or loaded: each checkpoint of each run is one, named `run-1234abcd@500`."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

from .catalogue import ModelCard
from .errors import GlassformerError, UnknownNameError
from .shelves import DATA_FOLDER, SHELVES, Sees
from .training.card_file import read_card_file
from .training.checkpoint import CARD, WEIGHTS
from .training.files import read_json
from .training.run_folder import PREFIX, RunFolder, all_in


@cache
def open_own_shelf() -> RunShelf:
    """Let the models of this person's data folder be found, from now on; once for a program."""
    folder = Path(os.environ.get("GLASSFORMER_DATA_FOLDER", DATA_FOLDER)).expanduser()
    shelf = RunShelf(folder / "runs")
    SHELVES.open(shelf)
    return shelf


class RunShelf:
    """The runs in a folder. `run-1234abcd` is the last checkpoint as it is now; with `@step` a checkpoint that never changes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._about = lru_cache(maxsize=8192)(self._read_about)
        self._read = lru_cache(maxsize=512)(self._read_card)

    def run(self, id: str) -> RunFolder:
        """Return a run. Raises UnknownNameError."""
        found = self._run(id)
        if found is None:
            raise UnknownNameError(f"no run is named {id[:40]!r}", where="run")
        return found

    def runs(self, sees: Sees = lambda owner: True) -> list[RunFolder]:
        """Return the runs whose owner is seen, the newest first."""
        found = [run for run in self.all() if sees(self._about(run.id)[0])]
        return sorted(found, key=lambda run: -self._about(run.id)[1])

    def all(self) -> list[RunFolder]:
        """Return all runs in any order."""
        return all_in(self.folder)

    def asked_by(self, request: str) -> RunFolder | None:
        """Return the run that a request has made already."""
        return next((run for run in self.all() if self._about(run.id)[2] == request), None)

    def find(self, id: str) -> ModelCard | None:
        run, at, step = id.partition("@")
        found = self._run(run)
        if found is None:
            return None
        if at and not (step.isdecimal() and step == str(int(step)) and len(step) < 12):
            raise UnknownNameError(f"{id[:40]!r} names no step: a checkpoint is written {run}@500", where="model")
        made = self._read(run, int(step) if at else found.checkpoint().step)
        return replace(made, title=found.name or made.title)

    def cards(self, sees: Sees) -> list[ModelCard]:
        made = []
        for run in self.runs(sees):
            try:
                card = self.find(run.id)
            except GlassformerError:  # no checkpoint yet, or one that cannot be read: nothing to show
                continue
            if card is not None:
                made.append(card)
        return made

    def _run(self, id: str) -> RunFolder | None:
        if (
            not id.startswith(PREFIX)
            or not (id.removeprefix(PREFIX).isascii() and id.removeprefix(PREFIX).isalnum())
            or len(id) > 40
        ):
            return None
        run = RunFolder(self.folder / id)
        return run if run.exists and not run.path.is_symlink() else None

    def _read_about(self, id: str) -> tuple[str, float, str]:
        """Return what never changes of a run: its owner, when it was made, the request that made it."""
        about = RunFolder(self.folder / id).about
        return str(about.get("owner", "")), float(about.get("created", 0)), str(about.get("request", ""))

    def _read_card(self, run: str, step: int) -> ModelCard:
        kept = RunFolder(self.folder / run).checkpoint(step)
        card = read_card_file(read_json(kept.folder / CARD), id=f"{run}@{step}")
        return replace(card, weights=kept.folder / WEIGHTS)
