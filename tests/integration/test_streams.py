"""Streams: what a client that leaves, stops reading, comes back or is many brings about."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from calling import EVER, Call, until
from glassformer.app.queueing import asking
from glassformer.app.queueing.visitors import Visitor
from glassformer.app.routes import run_looks
from glassformer.model.decoding import passes
from glassformer.model.training.recipe import TrainingRecipe
from glassformer.model.training.run_folder import RunFolder
from streaming import STEPS, Server, numbers, served


def stream_of(server: Server, who: str) -> Call:
    """Open a stream for an address, or for a visitor of one: `a`, `a.x`."""
    address, _, key = who.partition(".")
    return Call(server.app, f"/api/decodings/{server.id}/events", client=address, headers={"X-Visitor": key} if key else {})


def test_a_stream_gives_every_step_once_unbuffered_and_not_to_be_kept() -> None:
    async def test(server: Server) -> None:
        call = server.stream()
        await call.answer()
        assert numbers(call) == [str(i) for i in range(STEPS)]
        assert call.events[-1] == ("end", None, {"steps": STEPS})
        assert (call.headers["cache-control"], call.headers["x-accel-buffering"]) == ("no-store", "no")

    served(test)


def test_a_stream_shows_that_it_lives_while_nothing_happens() -> None:
    """With an hour between heartbeats none comes."""

    async def comments(server: Server) -> int:
        release = server.hold()
        call = server.stream()
        await until(lambda: call.status == 200)
        for _ in range(100):
            await asyncio.sleep(0.005)
            if call.content.count(b": nothing new\n\n") >= 3:
                break
        release()
        await call.answer()
        assert len(numbers(call)) == STEPS
        return call.content.count(b": nothing new\n\n")

    assert served(comments, heartbeat_seconds=0.01) >= 3
    assert served(comments, heartbeat_seconds=3600.0) == 0


def test_computing_stops_within_one_step_when_the_client_leaves() -> None:
    """A client that stays gets all steps, in the test above."""

    async def test(server: Server) -> tuple[int, int]:
        call = server.stream()
        await until(lambda: len(numbers(call)) >= 1)
        call.leave()
        await call.answer()
        seen = server.steps
        await until(lambda: server.quiet)
        return seen, server.steps

    seen, left = served(test)
    assert left <= seen + 1 < STEPS


def test_a_client_may_leave_at_any_moment() -> None:
    async def test(server: Server) -> None:
        for turns in (0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 20, 40):
            call = server.stream()
            for _ in range(turns):
                await asyncio.sleep(0)
            call.leave()
            await call.answer()
            await until(lambda: server.quiet)
        again = server.stream()
        await again.answer()
        assert numbers(again) == [str(i) for i in range(STEPS)]
        assert len(asyncio.all_tasks()) == 1

    served(test)


def test_nothing_is_computed_ahead_of_a_client_that_does_not_read() -> None:
    async def test(server: Server) -> int:
        call = server.stream()
        call.reads.clear()
        await until(lambda: call.events != [])
        await until(lambda: server.state.compute.idle)
        for _ in range(50):
            await asyncio.sleep(0.002)
        ahead = server.steps
        call.reads.set()
        await call.answer()
        assert len(numbers(call)) == STEPS
        return ahead

    assert served(test) <= 2


def test_a_client_that_comes_back_goes_on_after_its_last_event_and_nothing_is_computed_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The count is that of all passes that came to their end; a stream that began anew would make it more."""
    count = [0]
    score = passes.FullPasses.score

    def counted(self: Any, *arguments: Any) -> Any:
        scores = score(self, *arguments)
        count[0] += 1
        return scores

    monkeypatch.setattr(passes.FullPasses, "score", counted)

    async def test(server: Server) -> None:
        first = server.stream()
        await until(lambda: len(numbers(first)) >= 3)
        first.leave()
        await first.answer()
        last = int(numbers(first)[-1] or 0)
        second = server.stream(str(last))
        await second.answer()
        assert numbers(second) == [str(i) for i in range(last + 1, STEPS)]
        assert count[0] == STEPS

    served(test)


def test_after_the_end_there_is_nothing_more_and_no_second_run() -> None:
    async def test(server: Server) -> list[int]:
        await server.stream().answer()
        calls = [server.stream(last) for last in (str(STEPS - 1), str(STEPS), "12", "999999999999", "-1", "x", "1.5", "٣")]
        for call in calls:
            await call.answer()
        assert all(call.json()["error"]["code"] == "bad_cursor" for call in calls[1:])
        assert server.steps == STEPS
        return [call.status for call in calls]

    assert served(test) == [204] + [409] * 7


def test_a_server_that_has_forgotten_takes_the_steps_again_and_goes_on_after_the_last() -> None:
    async def test(server: Server) -> None:
        call = server.stream("8")
        await call.answer()
        assert [(name, id) for name, id, _ in call.events] == [("step", "9"), ("step", "10"), ("end", None)]

    async def beyond(server: Server) -> None:
        call = server.stream("11")
        await call.answer()
        assert [(name, data["error"]["code"]) for name, _, data in call.events] == [("error", "bad_cursor")]

    served(test)
    served(beyond)


def test_streams_end_with_bye_when_the_server_ends() -> None:
    async def test(server: Server) -> None:
        release = server.hold()
        waiting = [server.stream(client=f"192.0.2.{i}") for i in range(50)]
        await until(lambda: all(call.status for call in waiting))
        server.state.stopping.set()
        for call in waiting:
            await call.answer()
        assert [call.events for call in waiting] == [[("bye", None, {})]] * 50
        release()

    served(test)


def test_a_stream_under_way_ends_with_bye_after_the_step_it_sends() -> None:
    async def test(server: Server) -> None:
        call = server.stream()
        await until(lambda: len(numbers(call)) >= 2)
        server.state.stopping.set()
        await call.answer()
        assert call.events[-1][0] == "bye"
        assert len(numbers(call)) < STEPS

    served(test)


@pytest.mark.parametrize(
    ("settings", "clients", "last"),
    [
        ({"max_streams": 3}, "a b c d", 503),
        ({"max_streams": 4}, "a b c d", 200),
        ({"max_streams_per_address": 3}, "a a.x a.y a.z", 503),
        ({"max_streams_per_address": 3}, "a a.x a.y b", 200),
        ({"max_streams_per_visitor": 3}, "a.x a.x a.x a.x", 503),
        ({"max_streams_per_visitor": 3}, "a.x a.x a.x a.y", 200),
        ({"max_streams_per_visitor": 3}, "a a a a", 503),
    ],
)
def test_streams_are_bounded_in_all_by_address_and_by_visitor(settings: dict[str, Any], clients: str, last: int) -> None:
    async def test(server: Server) -> list[int]:
        release = server.hold()
        calls = []
        for client in clients.split():
            calls.append(stream_of(server, client))
            await until(lambda: calls[-1].status != 0)
        release()
        for call in calls:
            await call.answer()
        other = server.stream(client="a")
        await other.answer()
        assert other.status == 200, "a place is free again"
        return [call.status for call in calls]

    assert served(test, **settings) == [200, 200, 200, last]


@pytest.mark.parametrize(("most", "byes"), [(4, 1), (5, 0)])
def test_who_holds_the_most_gives_up_a_stream_to_who_comes(most: int, byes: int) -> None:
    """With a seat left for all, nobody has to."""

    async def test(server: Server) -> tuple[int, str | None]:
        release = server.hold()
        calls: list[Call] = []
        for client in ("a.1", "a.2", "b.1", "a.3", "c.1"):
            calls.append(stream_of(server, client))
            await until(lambda: calls[-1].status == 200)
        if byes:
            await calls[0].answer()
            assert calls[0].events == [("bye", None, {})]
        assert server.state.streams.open == min(most, 5)
        release()
        for call in calls:
            await call.answer()
        return [call.events[-1][0] for call in calls].count("bye"), numbers(calls[-1])[-1]

    assert served(test, max_streams=most) == (byes, str(STEPS - 1))


@pytest.mark.parametrize("seconds", [0.0, 3600.0])
def test_a_stream_of_a_training_that_stands_still_ends_and_its_reader_comes_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """The twin: with an hour to stand still, it stays."""
    monkeypatch.setattr(run_looks, "STILL_SECONDS", seconds)
    monkeypatch.setattr(run_looks, "NEWS_SECONDS", 0.01)
    recipe = TrainingRecipe.from_dict({"task": "copy"})
    run = RunFolder.make(tmp_path / "runs", about={"steps": 100}, recipe=recipe, state="paused")

    async def test(server: Server) -> list[str]:
        call = Call(server.app, f"/api/runs/{run.id}/events")
        await until(lambda: call.events != [])
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(call.task), 0.3 if seconds else EVER)
        call.leave()
        await call.answer()
        return [name for name, _, _ in call.events]

    assert served(test, data_folder=str(tmp_path)) == (["run"] if seconds else ["run", "bye"])


def test_a_client_of_a_long_answer_that_leaves_stops_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "LOOK_SECONDS", 0.0)  # the whole decoding takes less than that here

    async def test(server: Server) -> int:
        call = Call(server.app, f"/api/decodings/{server.id}/result")
        await until(lambda: server.steps >= 2)
        call.leave()
        await call.answer()
        return server.steps

    assert served(test) < STEPS


def test_the_place_in_the_queue_is_told_to_who_waits() -> None:
    async def test(server: Server) -> Any:
        release = server.hold()
        body = {"model": "tiny", "src": ["dog"], "tgt": ["dog"]}
        calls = [Call(server.app, "/api/traces", body=body | {"seed": i}, client="a") for i in range(3)]
        mine = Call(server.app, "/api/traces", body=body, client="b", headers={"X-Visitor": "tab"})
        queue = server.state.compute.computing
        await until(lambda: queue.waiting == 4)
        asked = Call(server.app, "/api/queue", client="b", headers={"X-Visitor": "tab"})
        await asked.answer()
        release()
        for call in (*calls, mine):
            await call.answer()
            assert call.status == 200
        assert queue.places(Visitor("b", "tab")) == []
        return asked.json()

    told = served(test)
    assert (told["waiting"], told["yours"]) == (4, [{"place": 2}])
    assert told["seconds"] >= 0
