"""Room for one more training: each limit at its value and one past it, counted over whatever made the runs."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from filelock import Timeout
from glassformer.app.errors import BusyError, ConflictError
from glassformer.app.settings import Settings
from glassformer.app.trainings import room as app_room
from glassformer.app.trainings.room import Room
from glassformer.model.errors import StorageFullError
from glassformer.model.shelf import RunShelf
from glassformer.model.training.files import bytes_in
from glassformer.model.training.recipe import TrainingRecipe
from glassformer.model.training.run_folder import RunFolder

MIB = 2**20


def room(folder: Path, **settings: Any) -> Room:
    return Room(RunShelf(folder), Settings(**settings), lambda run: run.state)


def make(folder: Path, count: int, state: str = "queued", owner: str = "") -> list[RunFolder]:
    recipe = TrainingRecipe("copy")
    return [RunFolder.make(folder, about={}, recipe=recipe, state=state, owner=owner) for _ in range(count)]


@pytest.mark.parametrize(("most", "waiting"), [(1, 0), (1, 3), (2, 2)])
def test_so_many_wait_and_one_more_is_asked_to_come_back(tmp_path: Path, most: int, waiting: int) -> None:
    limited = room(tmp_path, max_runs=most, max_waiting_runs=waiting)
    make(tmp_path, 5, state="stopped")
    make(tmp_path, most + waiting - 1)
    limited.check("")
    make(tmp_path, 1)
    with pytest.raises(BusyError, match=f"{waiting} trainings are waiting"):
        limited.check("")


def test_an_owner_has_so_many_and_others_do_not_count(tmp_path: Path) -> None:
    limited = room(tmp_path, max_runs_per_owner=2)
    make(tmp_path, 3, owner="b" * 64)
    [mine] = make(tmp_path, 1, owner="a" * 64)
    limited.check_owner("a" * 64)
    make(tmp_path, 1, owner="a" * 64)
    with pytest.raises(ConflictError, match="2 of your trainings"):
        limited.check_owner("a" * 64)
    limited.check_owner("")
    mine.set_status({**mine.status, "state": "stopped"})
    limited.check_owner("a" * 64)


def test_who_has_waited_longest_is_next_in_line(tmp_path: Path) -> None:
    first, paused, last = make(tmp_path, 3)
    paused.set_status({**paused.status, "state": "paused"})
    make(tmp_path, 1, state="running")
    assert room(tmp_path).line() == [first.id, last.id]
    paused.wait_its_turn()
    assert room(tmp_path).line() == [first.id, last.id, paused.id]
    paused.wait_its_turn(since=0.0)
    assert room(tmp_path).line() == [paused.id, first.id, last.id]


def test_trainings_take_so_many_bytes_and_no_more(tmp_path: Path) -> None:
    [run] = make(tmp_path, 1)
    (run.path / "log.jsonl").write_bytes(b"\n" * (MIB - bytes_in(tmp_path)))
    limited = room(tmp_path, data_bytes=MIB)
    limited.check("")
    with pytest.raises(StorageFullError, match="take 1 MiB here; the limit is 1 MiB"):
        limited.check_bytes(1)
    (run.path / "name.json").write_bytes(b"{}")
    with pytest.raises(StorageFullError):
        limited.check("")


def test_nobody_else_makes_a_run_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_room, "PATIENCE", 0.05)
    refused: list[str] = []

    def other() -> None:
        try:
            with room(tmp_path).alone():
                refused.append("let in")
        except Timeout:
            refused.append("kept out")

    with room(tmp_path).alone():
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    with room(tmp_path).alone():
        assert refused == ["kept out"]
