"""A, B, F and J in short form: every browser is answered, with the right tokens, each step once; memory stays within its bound.

No time is asserted. What each of them would not let pass is shown in test_loads_fail.py, and where it is said here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterator
from typing import TypeVar

import pytest
from running import run
from witness import NothingLost

from bench.load.browser import Browser
from bench.load.ground import Scene
from bench.load.oracle import Expected
from bench.load.pace import paced, together
from bench.load.scenarios.everyone_runs import press_run
from bench.load.scenarios.memory import EACH, SHARE, fill
from bench.load.scenarios.stop import LAST_WORDS, stop
from bench.load.server import Server, running
from bench.load.tally import Tally

MIB = 2**20
STORE = 16 * MIB
T = TypeVar("T")
SLACK = 16 * MIB
"""What a heap may lose between its blocks."""


@pytest.fixture(scope="module")
def classroom() -> Iterator[Server]:
    """A server as a class has it."""
    with running("classroom") as server:
        yield server


@pytest.fixture(scope="module")
def narrow() -> Iterator[Server]:
    """The same with room for five long traces."""
    with running("classroom", settings={"store_bytes": STORE}) as server:
        yield server


def scene(server: Server, count: int, expected: Expected | None = None) -> Scene:
    tally = Tally()
    return Scene(server, [Browser(server.host, server.port, each, tally, expected=expected) for each in range(count)], tally)


def test_a_class_at_work_is_told_every_step_once_and_right(
    classroom: Server, expected: Expected, nothing_lost: NothingLost
) -> None:
    at_work = scene(classroom, 12, expected)

    async def work() -> None:
        await together(at_work.tally, [browser.open() for browser in at_work.browsers])
        await paced(at_work.browsers, at_work.tally, rate=4.0, seconds=2.0)

    with nothing_lost(f"http://{classroom.host}:{classroom.port}", pid=classroom.process.pid):
        run(run_and_close(at_work, work()))
    assert at_work.tally.mistakes() == []
    assert at_work.tally.refused == 0
    assert at_work.tally.count("drawn") == 12 * 8
    assert at_work.tally.compared == len(expected) * 8


def test_everyone_presses_run_and_is_answered(classroom: Server, nothing_lost: NothingLost) -> None:
    pressing = scene(classroom, 60)
    with nothing_lost(f"http://{classroom.host}:{classroom.port}", pid=classroom.process.pid):
        run(run_and_close(pressing, press_run(pressing.browsers, pressing.tally, within=0.3)))
    assert pressing.tally.mistakes() == []
    assert pressing.tally.refused == 0
    assert pressing.tally.count("run") == 60


def test_memory_stays_within_its_bound_when_the_store_is_full(narrow: Server, classroom: Server) -> None:
    """The classroom's server, whose store is 32 times as large, goes beyond what is allowed: without the bound this fails."""
    allowed = SHARE * STORE + 4 * EACH + SLACK
    for server, kept in ((narrow, True), (classroom, False)):
        warming, filling = scene(server, 4), scene(server, 4)
        run(run_and_close(warming, together(warming.tally, [browser.step() for browser in warming.browsers])))
        before = server.rss
        made = run(run_and_close(filling, fill(filling, STORE, times=4, step=False)))
        more = server.rss - before
        assert filling.tally.mistakes() == []
        assert made >= 4 * STORE
        assert (more <= allowed) is kept, f"{more / MIB:.0f} MiB more; {allowed / MIB:.0f} are allowed"


def test_sigterm_ends_every_stream_with_a_last_event(narrow: Server) -> None:
    """Seen to fail with a server that does not tell its streams: each connection was closed in the middle of a step."""
    streaming = scene(narrow, 20)
    took, ends = run(run_and_close(streaming, stop(streaming)))
    assert streaming.tally.mistakes() == []
    assert len(ends) == 20
    assert set(ends) <= set(LAST_WORDS)
    assert took < float("inf")


async def run_and_close(those: Scene, work: Awaitable[T]) -> T:
    try:
        return await work
    finally:
        for browser in those.browsers:
            await browser.leave()
