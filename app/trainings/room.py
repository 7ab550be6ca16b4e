"""Whether there is room for one more training: on the disk, in the queue, and for one owner."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from filelock import FileLock

from ...model.errors import StorageFullError
from ...model.shelf import RunShelf
from ...model.training.files import bytes_in, room
from ...model.training.run_folder import RunFolder, waiting_in
from ..errors import BusyError, ConflictError
from ..settings import Settings

UNDER_WAY = frozenset({"queued", "starting", "running", "scoring"})
PATIENCE = 5.0


class Room:
    """Counts what there is, over all processes that share the data folder. For use in any thread."""

    def __init__(self, shelf: RunShelf, settings: Settings, state: Callable[[RunFolder], str]) -> None:
        self._shelf, self._settings, self._state = shelf, settings, state

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Let nobody else make a run meanwhile, in any process.

        Raises:
            filelock.Timeout: others do. StorageFullError: the folder cannot be written to.
        """
        with room():
            self._shelf.folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self._shelf.folder / ".making", thread_local=False).acquire(timeout=PATIENCE)
        with lock:
            yield

    def line(self) -> list[str]:
        """Return the ids of the runs that wait for their turn, the next one first."""
        return [run.id for run in waiting_in(self._shelf.folder)]

    def check(self, owner: str) -> None:
        """Raise BusyError, ConflictError or StorageFullError where there is no room for one more run."""
        busy = self._under_way()
        self._check_owner(busy, owner)
        if len(busy) >= self._settings.max_runs + self._settings.max_waiting_runs:
            raise BusyError(f"{len(busy) - self._settings.max_runs} trainings are waiting, and no more are let in")
        self.check_bytes(0)

    def check_owner(self, owner: str) -> None:
        """Raise ConflictError where an owner has as many trainings under way as there may be."""
        self._check_owner(self._under_way(), owner)

    def check_bytes(self, more: int) -> None:
        """Raise StorageFullError where that many more bytes are too many."""
        taken, most = bytes_in(self._shelf.folder), self._settings.data_bytes
        if taken + more > most:
            raise StorageFullError(
                f"trainings and models take {taken / 2**20:.0f} MiB here; the limit is {most / 2**20:.0f} MiB: "
                "delete some that are no longer needed"
            )

    def _under_way(self) -> list[RunFolder]:
        return [run for run in self._shelf.all() if run.status["state"] in UNDER_WAY and self._state(run) in UNDER_WAY]

    def _check_owner(self, busy: list[RunFolder], owner: str) -> None:
        mine = sum(run.owner == owner for run in busy) if owner else 0
        if mine >= self._settings.max_runs_per_owner:
            raise ConflictError(f"{mine} of your trainings wait or are under way, the most there may be; stop one, or wait")
