"""A disk that is full, or takes no file of that size: what was kept stays, what was learned waits in memory, and it goes on.

The disk is the one function that brings bytes to it, told to take only so many. With the answer to a full disk switched off
(`FULL` empty) the training dies of the error, which the last test shows.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from glassformer.model.errors import StorageFullError
from glassformer.model.limits import TrainingLimits
from glassformer.model.training import files
from glassformer.model.training.files import append, read_json, write_folder, write_json
from glassformer.model.training.recipe import TrainingRecipe
from glassformer.model.training.run_folder import RunFolder
from glassformer.model.training.runner import Runner

PAIRS = "one cat | eine Katze\none dog | ein Hund\ntwo cats | zwei Katzen\n"
RECIPE = TrainingRecipe("pairs", pairs=PAIRS, steps=6, batch=2, options={"d_model": 4, "n_heads": 1, "d_ff": 4, "n_layers": 1})
Disk = Callable[..., None]


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """Call it with `room` in bytes for a file, and the error of what is larger; None is an ordinary disk."""
    whole = files._to_disk

    def fill(room: int | None, error: int = errno.ENOSPC) -> None:
        def take(path: Path, content: bytes, *, lasting: bool = True) -> None:
            whole(path, content[:room], lasting=lasting)
            if room is not None and len(content) > room:
                raise OSError(error, "No space left on device")

        monkeypatch.setattr(files, "_to_disk", take)

    return fill


def advance(run: RunFolder, commands: Iterable[tuple[int, Any]], disk: Disk) -> list[str]:
    """Advance a run; each command is given where it would wait, or else at its step: a word, or what the disk becomes."""
    left, said = list(commands), []

    def wait(still: bool) -> Any:
        while left and (still or steps[0] >= left[0][0]):
            command = left.pop(0)[1]
            if not isinstance(command, str):
                disk(*command)
            else:
                return command
        assert not still, "it would wait for ever"
        steps[0] += 1
        return None

    steps = [0]
    Runner(run, wait, lambda status: said.append(status["state"]), limits=TrainingLimits()).run()
    return said


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_training_stands_still_on_a_full_disk_and_goes_on_when_there_is_room(tmp_path: Path, disk: Disk, error: int) -> None:
    run = RunFolder.make(tmp_path, about={}, recipe=RECIPE)
    said = advance(run, [(2, (300, error)), (2, "pause"), (2, "resume"), (2, (None,)), (2, "resume")], disk)
    assert said[-2:] == ["scoring", "finished"]
    assert said.count("paused") >= 1
    assert run.status["message"] == ""
    assert [point["step"] for point in run.points() if "loss" in point] == [1, 2, 3, 4, 5, 6]
    other = RunFolder.make(tmp_path, about={}, recipe=RECIPE)
    advance(other, [], disk)
    content = [(each.checkpoint(6).folder / "weights.safetensors").read_bytes() for each in (run, other)]
    assert content[0] == content[1]


def test_a_training_that_ends_on_a_full_disk_ends_at_its_last_checkpoint(tmp_path: Path, disk: Disk) -> None:
    run = RunFolder.make(tmp_path, about={}, recipe=RECIPE)
    said = advance(run, [(3, (2000,)), (3, "leave")], disk)
    assert said[-1] == "interrupted"
    assert (run.status["step"], run.checkpoint().step) == (0, 0)
    assert "no room left on the server's disk" in run.status["message"]
    disk(None)
    assert advance(run, [], disk)[-1] == "finished"


def test_a_full_disk_leaves_files_and_folders_as_they_were(tmp_path: Path, disk: Disk) -> None:
    write_json(tmp_path / "a.json", {"old": 1})
    disk(4)
    with pytest.raises(StorageFullError):
        write_json(tmp_path / "a.json", {"new": 2})
    with pytest.raises(StorageFullError):
        write_folder(tmp_path / "5", {"weights": b"0" * 100})
    assert read_json(tmp_path / "a.json") == {"old": 1}
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_a_log_that_could_not_be_written_has_no_half_line(tmp_path: Path) -> None:
    """A real device that is always full, and a log that must not end in half a line."""
    with pytest.raises(StorageFullError):
        append(Path("/dev/full"), "{}\n")
    run = RunFolder.make(tmp_path, about={}, recipe=RECIPE)
    (run.path / "log.jsonl").write_bytes(b'{"step": 1, "loss": 1}\n{"step": 2, "lo{"step": 3, "loss": 1}\n\x00\x00\n')
    assert [point["step"] for point in run.points()] == [1]


def test_without_the_answer_to_a_full_disk_the_training_dies(tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "FULL", frozenset())
    run = RunFolder.make(tmp_path, about={}, recipe=RECIPE)
    with pytest.raises(OSError, match="No space left"):
        advance(run, [(2, (300,)), (2, "pause"), (2, "leave")], disk)
