"""One's place in the line is told by whichever process is asked."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from glassformer.app.queueing import board as board_module
from glassformer.app.queueing.board import Board
from glassformer.app.queueing.visitors import Visitor

ME, OTHER = Visitor("192.0.2.1", "me"), Visitor("192.0.2.1", "another")


def queue(*waiting: Visitor, running: Visitor = OTHER) -> Any:
    """A queue as a board sees it: somebody is computed for, others wait; a piece takes two seconds."""
    places = [(0, running), *enumerate(waiting, start=1)]
    return SimpleNamespace(
        waiting=len(waiting),
        mean=2.0,
        standing=lambda: places,
        places=lambda visitor: [place for place, who in places if who == visitor],
    )


def board(folder: Path, pid: int, monkeypatch: pytest.MonkeyPatch, *queues: Any) -> Board:
    with monkeypatch.context() as patch:
        patch.setattr(os, "getpid", lambda: pid)
        return Board(queues, str(folder))


def test_place_is_known_to_the_process_that_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without what the other tells, which is the second half, it is known in one process only."""
    busy = board(tmp_path, 1, monkeypatch, queue(OTHER, OTHER, ME), queue())
    idle = board(tmp_path, 2, monkeypatch, queue(), queue())
    assert idle.standing(ME).turns == []
    busy.write()
    assert idle.standing(ME) == busy.standing(ME)
    assert (idle.standing(ME).waiting, idle.standing(ME).turns, idle.standing(ME).seconds) == (3, [(3, 6.0)], 6.0)
    assert idle.standing(OTHER).turns == [(0, 0.0), (0, 0.0), (0, 0.0), (0, 0.0), (1, 2.0), (2, 4.0)]


def test_all_that_wait_anywhere_are_counted_and_the_next_turn_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = board(tmp_path, 1, monkeypatch, queue(OTHER, ME))
    two = board(tmp_path, 2, monkeypatch, queue(ME, OTHER))
    one.write()
    assert two.standing(ME).waiting == 4
    assert two.standing(ME).turns == [(1, 2.0), (2, 4.0)]


def test_what_a_process_told_is_taken_back_or_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = queue(ME)
    gone, there = board(tmp_path, 1, monkeypatch, waiting), board(tmp_path, 2, monkeypatch, queue())
    gone.write()
    assert there.standing(ME).waiting == 1
    monkeypatch.setattr(board_module, "STALE_SECONDS", 0.0)  # as if it had ended long ago
    assert there.standing(ME).waiting == 0
    monkeypatch.undo()
    waiting.waiting = 0
    gone.write()
    assert list(tmp_path.iterdir()) == []


def test_a_broken_file_is_passed_over_and_nothing_in_one_says_who_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told, asked = board(tmp_path, 1, monkeypatch, queue(ME)), board(tmp_path, 2, monkeypatch, queue())
    told.write()
    (tmp_path / "queue-3.json").write_text('{"waiting": 1, "tur')
    assert asked.standing(ME).waiting == 1
    text = (tmp_path / "queue-1.json").read_text()
    assert ME.address not in text
    assert f'"{ME.key}"' not in text
