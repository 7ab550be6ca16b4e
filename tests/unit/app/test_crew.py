"""Whose turn it is, and what can be done with a run in which state: with workers that are none, so that no process starts."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from glassformer.app.errors import ConflictError
from glassformer.app.trainings.crew import Crew
from glassformer.app.trainings.keeper import Keeper
from glassformer.app.trainings.mailbox import Mailbox
from glassformer.app.trainings.news import RunNews
from glassformer.app.trainings.steering import Steering
from glassformer.app.trainings.workers import Worker
from glassformer.model.limits import TrainingLimits
from glassformer.model.shelf import RunShelf
from glassformer.model.training.recipe import TrainingRecipe
from glassformer.model.training.run_folder import RunFolder, sweep
from running import run as run_whole

RECIPE = TrainingRecipe("copy", steps=10)


class Double(Worker):
    """Does what it is told at once, and says so, as the real process does a moment later."""

    def __init__(self, run: RunFolder, *, paused: bool) -> None:
        self.run, self.state, self._paused = run, "starting", paused
        self._told: asyncio.Queue[str] = asyncio.Queue()
        self._gone = asyncio.Event()

    @classmethod
    async def start(cls, run: RunFolder, limits: TrainingLimits, *, paused: bool) -> Double:
        return cls(run, paused=paused)

    def tell(self, command: str) -> None:
        self._told.put_nowait(command)

    def leave(self) -> None:
        self._told.put_nowait("leave")

    def kill(self) -> None:
        self._told.put_nowait("kill")

    async def end(self) -> None:
        self.leave()
        await self._gone.wait()

    async def listen(self, heard: Callable[[Worker], None]) -> int:
        with self.run.lock():
            self._say("paused" if self._paused else "running", heard)
            while (command := await self._told.get()) not in ("stop", "leave", "kill"):
                self._say({"pause": "paused", "step": "paused", "resume": "running"}[command], heard)
            if command != "kill":
                self._say("stopped" if command == "stop" else "paused" if self.state == "paused" else "interrupted", heard)
        self._gone.set()
        return 0 if command != "kill" else -9

    def _say(self, state: str, heard: Callable[[Worker], None]) -> None:
        self.state = state
        self.run.set_status({**self.run.status, "state": state})
        heard(self)


class Server:
    """What one server process has of the trainings."""

    def __init__(self, folder: Path, most: int = 1) -> None:
        self.shelf, self.news, self.mailbox = RunShelf(folder), RunNews(folder), Mailbox(folder)
        self.crew = Crew(self.shelf, self.news, limits=TrainingLimits(), most=most)
        self.steering = Steering(self.crew, self.news)
        self.keeper = Keeper(self.shelf, self.crew, self.steering, self.mailbox)

    def states(self, *runs: RunFolder) -> list[str]:
        return [self.steering.state(run) for run in runs]

    async def until(self, *runs: RunFolder, are: list[str]) -> None:
        for _ in range(2000):
            self.keeper.look()
            if self.states(*runs) == are:
                return
            await asyncio.sleep(0.01)
        pytest.fail(f"the runs are {self.states(*runs)}, not {are}")


@pytest.fixture(autouse=True)
def doubles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glassformer.app.trainings.crew.Worker", Double)


@pytest.fixture
def do(tmp_path: Path) -> Callable[..., None]:
    """Run a test with a server that keeps, and end that afterwards."""

    def run(test: Callable[[Server], Coroutine[Any, Any, None]], most: int = 1) -> None:
        async def whole() -> None:
            server = Server(tmp_path, most)
            assert server.keeper.claim(at_start=True)
            try:
                await test(server)
            finally:
                await server.keeper.close()

        run_whole(whole())

    return run


def made(server: Server, since: float = 0.0) -> RunFolder:
    run = RunFolder.make(server.shelf.folder, about={"steps": 10}, recipe=RECIPE)
    run.wait_its_turn(since=since)
    return run


def test_runs_begin_in_the_order_in_which_they_were_asked_for(do: Callable[..., None]) -> None:
    async def test(server: Server) -> None:
        third, first, second = (made(server, since) for since in (3.0, 1.0, 2.0))
        await server.crew.next()
        await server.until(first, second, third, are=["running", "queued", "queued"])
        await server.steering.do("stop", first)
        await server.until(first, second, third, are=["stopped", "running", "queued"])

    do(test)


def test_a_pause_gives_the_place_away_and_a_resumed_run_waits_for_it(do: Callable[..., None]) -> None:
    async def test(server: Server) -> None:
        first, second = made(server, 1.0), made(server, 2.0)
        await server.crew.next()
        await server.until(first, are=["running"])
        await server.steering.do("pause", first)
        await server.until(first, second, are=["paused", "running"])
        await server.steering.do("resume", first)
        assert server.states(first) == ["queued"]
        with pytest.raises(ConflictError, match="is running and cannot be stepped"):
            await server.steering.do("step", second)
        await server.steering.do("stop", second)
        await server.until(first, second, are=["running", "stopped"])
        assert server.crew.at(second.id) is None

    do(test)


def test_more_may_be_under_way_where_the_setting_says_so_and_few_stand_still(do: Callable[..., None]) -> None:
    async def test(server: Server) -> None:
        runs = [made(server, float(place)) for place in range(4)]
        await server.crew.next()
        await server.until(*runs, are=["running"] * 3 + ["queued"])
        for run in runs[:3]:
            await server.steering.do("pause", run)
        await server.until(*runs, are=["paused"] * 3 + ["running"])
        await server.steering.do("resume", runs[2])
        await server.until(*runs, are=["paused"] * 2 + ["running"] * 2)
        last = made(server, 9.0)
        await server.crew.next()
        await server.until(*runs, last, are=["paused"] * 2 + ["running"] * 3)
        assert len([run for run in runs if server.crew.at(run.id) is not None]) == 3

    do(test, most=3)


def test_a_worker_that_dies_leaves_its_run_interrupted_and_its_place_to_the_next(do: Callable[..., None]) -> None:
    async def test(server: Server) -> None:
        first, second = made(server, 1.0), made(server, 2.0)
        await server.crew.next()
        await server.until(first, are=["running"])
        worker = server.crew.at(first.id)
        assert isinstance(worker, Double)
        worker.kill()
        await server.until(first, second, are=["interrupted", "running"])
        assert first.status["state"] == "interrupted"

    do(test)


def test_what_another_process_asks_for_is_done_or_refused_with_its_reason(do: Callable[..., None], tmp_path: Path) -> None:
    async def test(server: Server) -> None:
        run, other = made(server), Server(tmp_path)
        assert not other.keeper.claim()
        asked = asyncio.create_task(other.mailbox.ask("begin", run.id, seconds=20))
        await server.until(run, are=["running"])
        assert await asked
        refused = asyncio.create_task(other.mailbox.ask("resume", run.id, seconds=20))
        while not refused.done():
            server.keeper.look()
            await asyncio.sleep(0.01)
        with pytest.raises(ConflictError, match="is running and cannot be resumed"):
            await refused
        assert not await other.mailbox.ask("pause", run.id, seconds=0.01)

    do(test)


def test_a_keeper_that_ends_leaves_what_was_under_way_to_the_next(do: Callable[..., None], tmp_path: Path) -> None:
    async def test(server: Server) -> None:
        first, second, third = made(server, 1.0), made(server, 2.0), made(server, 3.0)
        await server.crew.next()
        await server.until(first, are=["running"])
        await server.steering.do("pause", second)
        other = Server(tmp_path)
        assert not other.keeper.claim()
        await server.keeper.close()
        assert [first.state, second.state, third.state] == ["interrupted", "paused", "queued"]
        assert other.keeper.claim()
        await other.until(first, third, are=["running", "queued"])
        await other.keeper.close()

    do(test)


def test_a_process_that_cannot_be_started_fails_its_run_and_the_next_has_its_turn(
    do: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    start = Double.start

    async def first_not(run: RunFolder, limits: TrainingLimits, *, paused: bool) -> Double:
        if run.status["since"] == 1.0:
            raise OSError(12, "Cannot allocate memory")
        return await start(run, limits, paused=paused)

    monkeypatch.setattr(Double, "start", first_not)

    async def test(server: Server) -> None:
        first, second = made(server, 1.0), made(server, 2.0)
        await server.crew.next()
        await server.until(first, second, are=["failed", "running"])
        assert "could start no process" in first.status["message"]

    do(test)


def test_what_was_left_half_made_long_ago_is_removed(tmp_path: Path) -> None:
    run = RunFolder.make(tmp_path, about={}, recipe=RECIPE)
    for name in (".half-1-run-1-gone", "run-2", ".half-2-run-3-gone", "run-4"):
        (tmp_path / name / "checkpoints").mkdir(parents=True)
    (tmp_path / ".half-1-2-.at-work.json").write_text("[")
    for name in (".half-1-run-1-gone", "run-2", ".half-1-2-.at-work.json", run.id):
        os.utime(tmp_path / name, (1.0, 1.0))
    sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([".half-2-run-3-gone", "run-4", run.id])


def test_old_and_broken_requests_are_not_taken(tmp_path: Path) -> None:
    box = Mailbox(tmp_path)
    box.drop("pause", "run-1")
    folder = tmp_path / ".asked"
    (folder / f"{1:020}-00000000.json").write_text('{"verb": "delete", "run": "run-1"}')
    (folder / f"{2:020}-00000000.json").write_text("[")
    (folder / ".half-1-2.json").write_text('{"verb": "delete", "run": "run-1"}')
    assert [asked.verb for asked in box.take()] == ["pause"]
    assert box.take() == []
