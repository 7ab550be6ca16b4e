"""Turns go round by address and visitor, waiting is bounded, and nobody computes what nobody wants."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import dataclass
from typing import Any

import pytest
from calling import run_alone
from glassformer.app.errors import BusyError
from glassformer.app.observing.request import Seen, under_way
from glassformer.app.queueing import asking as asking_module
from glassformer.app.queueing.asking import Asking, GoneError
from glassformer.app.queueing.line import Line
from glassformer.app.queueing.queue import FairQueue
from glassformer.app.queueing.visitors import Visitor, visitor_of
from glassformer.app.settings import Settings
from glassformer.model.deadline import deadline
from glassformer.model.errors import DeadlineError, StoppedError
from hypothesis import given
from hypothesis import strategies as st

EVER = 20.0


@dataclass(eq=False)
class Wait:
    visitor: Visitor
    number: int = 0


def wait(who: str, number: int = 0) -> Wait:
    address, _, key = who.partition(".")
    return Wait(Visitor(address, key), number)


def test_turns_go_round_addresses_then_visitors_then_in_order() -> None:
    line: Line[Wait] = Line()
    for i in range(3):
        for who in ("a.x", "a.y", "b.z"):
            line.put(wait(who, i))
    line.put(wait("a.x", 3))
    turns = [line.next() for _ in range(len(line))]
    assert " ".join(f"{turn.visitor.address}{turn.visitor.key}{turn.number}" for turn in turns) == (
        "ax0 bz0 ay0 bz1 ax1 bz2 ay1 ax2 ay2 ax3"
    )


@given(st.lists(st.tuples(st.sampled_from(["a.x", "a.y", "b.x", "c.z"]), st.booleans()), max_size=40))
def test_places_are_the_turns_that_come(asked: list[tuple[str, bool]]) -> None:
    line: Line[Wait] = Line()
    put = [wait(who, i) for i, (who, _) in enumerate(asked)]
    for piece in put:
        line.put(piece)
    for piece, (_, leaves) in zip(put, asked, strict=True):
        if leaves:
            line.remove(piece)
            line.remove(piece)
    told = {who: [place for place, each in enumerate(line, start=1) if each.visitor == wait(who).visitor] for who, _ in asked}
    assert len(line) == sum(not leaves for _, leaves in asked) == sum(map(len, told.values()))
    for place in range(1, len(line) + 1):
        turn = line.next()
        assert place in told[f"{turn.visitor.address}.{turn.visitor.key}"]
    assert not line


def test_a_visitor_is_an_address_and_a_key_that_looks_like_one() -> None:
    settings = Settings(trusted_proxies="10.0.0.0/8")

    def told(peer: str, **headers: str) -> Visitor:
        pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        return visitor_of({"type": "http", "client": (peer, 1), "headers": pairs}, settings)

    assert told("192.0.2.1", x_visitor="tab-1") == Visitor("192.0.2.1", "tab-1")
    assert told("192.0.2.1", x_visitor="x" * 32).key == "x" * 32
    assert told("192.0.2.1", x_visitor="x" * 33).key == told("192.0.2.1", x_visitor="<a>").key == ""
    assert told("192.0.2.1", x_forwarded_for="192.0.2.9").address == "192.0.2.1", "no proxy may say so"
    assert told("10.1.2.3", x_forwarded_for="192.0.2.7, 192.0.2.9").address == "192.0.2.9"
    assert told("10.1.2.3", x_forwarded_for="nonsense").address == "10.1.2.3"


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8:0:0:ffff:ffff:ffff:ffff", "2001:db8::/64"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.1"),
        ("::1", "::1"),
        ("no:address", "no:address"),
        ("", ""),
    ],
)
def test_all_addresses_of_one_network_of_ipv6_are_one(peer: str, address: str) -> None:
    """Seen to fail with addresses as they come: who has one has 2^64 of them, and so as many turns and tries."""
    assert visitor_of({"type": "http", "client": (peer, 1), "headers": []}, Settings()).address == address


class Crowd:
    """A queue with its one thread held by a gate, and askers who write down the order in which they are served."""

    def __init__(self, **settings: Any) -> None:
        self.queue = FairQueue("test", Settings(**settings))
        self.gate = threading.Event()
        self.served: list[str] = []

    async def hold(self) -> asyncio.Task[Any]:
        """Keep the thread at work until the gate opens."""
        task = self.ask("holder", self.gate.wait)
        while not self.queue.running:
            await asyncio.sleep(0)
        return task

    def ask(self, who: str, work: Any = None, *, asked: Asking | None = None, key: str | None = None) -> asyncio.Task[Any]:
        async def one() -> Any:
            token = asking_module._asking.set(asked or Asking(wait(who).visitor))
            try:
                return await self.queue.call(work or (lambda: self.served.append(who)), key=key)
            finally:
                asking_module._asking.reset(token)

        return asyncio.create_task(one())

    async def settle(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)


def test_one_who_asks_a_hundred_times_keeps_nobody_waiting() -> None:
    """In a plain first-in-first-out line "b" and "c" would come last."""

    async def crowd() -> list[str]:
        made = Crowd(queue=512)
        tasks = [await made.hold()]
        tasks += [made.ask("a") for _ in range(100)]
        await made.settle()
        tasks += [made.ask("b"), made.ask("c.1"), made.ask("c.2")]
        await made.settle()
        made.gate.set()
        await asyncio.gather(*tasks)
        made.queue.close()
        return made.served

    served = run_alone(crowd())
    assert len(served) == 103
    assert [served.index(who) for who in ("b", "c.1", "c.2")] == [1, 2, 4]


def test_the_queue_is_full_at_its_limit_and_no_run_more() -> None:
    async def crowd(queue: int) -> list[Any]:
        made = Crowd(queue=queue)
        tasks = [await made.hold()] + [made.ask(f"v{i}") for i in range(3)]
        await made.settle()
        made.gate.set()
        return await asyncio.gather(*tasks, return_exceptions=True)

    assert not any(isinstance(answer, BusyError) for answer in run_alone(crowd(3)))
    assert [isinstance(answer, BusyError) for answer in run_alone(crowd(2))] == [False, False, False, True]


def test_an_address_may_have_some_runs_waiting_and_no_more() -> None:
    async def crowd(queue_per_visitor: int) -> list[Any]:
        made = Crowd(queue_per_visitor=queue_per_visitor)
        tasks = [await made.hold()] + [made.ask(who) for who in ("a.x", "a.y", "a.z", "b.x")]
        await made.settle()
        made.gate.set()
        return [isinstance(answer, BusyError) for answer in await asyncio.gather(*tasks, return_exceptions=True)]

    assert run_alone(crowd(2)) == [False, False, False, True, False]
    assert run_alone(crowd(3)) == run_alone(crowd(0)) == [False] * 5


def test_what_never_had_its_turn_has_waited_all_the_same() -> None:
    async def crowd() -> Seen:
        made, seen = Crowd(queue_seconds=0.02), Seen("id", lambda waiting, computing: None)
        holder = await made.hold()
        under_way.set(seen)
        await asyncio.wait({made.ask("a")})
        made.gate.set()
        await holder
        made.queue.close()
        return seen

    seen = run_alone(crowd())
    assert seen.waiting >= 0.01
    assert seen.computing == 0


def test_who_waits_too_long_is_asked_to_come_back() -> None:
    async def crowd(queue_seconds: float) -> Any:
        made = Crowd(queue_seconds=queue_seconds)
        holder = await made.hold()
        task = made.ask("a")
        done, _ = await asyncio.wait({task}, timeout=0.3)
        left = made.queue.waiting
        made.gate.set()
        await asyncio.gather(holder, task, return_exceptions=True)
        made.queue.close()
        return bool(done), left, task.exception()

    told, left, error = run_alone(crowd(0.02))
    assert (told, left) == (True, 0)
    assert isinstance(error, BusyError)
    assert run_alone(crowd(EVER)) == (False, 1, None)


def test_the_same_work_is_done_once_for_all_who_ask() -> None:
    """Without keys each of the 200 is a run of its own, as the second part shows."""

    async def crowd(key: str | None) -> list[int]:
        made = Crowd(queue=512)
        count = [0]

        def work() -> int:
            count[0] += 1
            return count[0]

        tasks = [await made.hold()] + [made.ask(f"v{i}", work, key=key) for i in range(200)]
        await made.settle()
        tasks[7].cancel()  # the others still want it
        made.gate.set()
        answers = await asyncio.gather(*tasks, return_exceptions=True)
        made.queue.close()
        return [answer for answer in answers[1:] if isinstance(answer, int)]

    assert run_alone(crowd("same")) == [1] * 199
    assert len(set(run_alone(crowd(None)))) == 199


def test_nobody_waits_behind_another_s_runs_for_what_that_one_asked_for_as_well() -> None:
    """With one turn for all who share a piece, what "a" asks for last would come last for "b" too."""

    async def crowd() -> tuple[list[int], list[str]]:
        made = Crowd()
        tasks = [await made.hold()] + [made.ask("a") for _ in range(30)]
        tasks.append(made.ask("a", lambda: made.served.append("shared"), key="same"))
        await made.settle()
        tasks.append(made.ask("b", key="same"))
        await made.settle()
        places = made.queue.places(wait("b").visitor)
        assert made.queue.waiting == 31
        made.gate.set()
        await asyncio.gather(*tasks)
        made.queue.close()
        return places, made.served

    places, served = run_alone(crowd())
    assert places == [2]
    assert served.index("shared") == 1
    assert served.count("shared") == 1


def test_who_shares_a_piece_has_all_of_their_own_time_for_it() -> None:
    async def crowd() -> float:
        made = Crowd(deadline_seconds=5.0)
        nearly = Asking(Visitor("a", ""))
        nearly.spent = 4.9
        limits: list[Any] = []
        tasks = [await made.hold(), made.ask("a", lambda: limits.append(deadline()), asked=nearly, key="same")]
        await made.settle()
        tasks.append(made.ask("b", key="same"))
        await made.settle()
        made.gate.set()
        await asyncio.gather(*tasks)
        made.queue.close()
        return float(limits[0].seconds)

    assert run_alone(crowd()) == 5.0


def test_work_is_taken_out_when_its_client_goes() -> None:
    async def crowd() -> tuple[Any, int, list[str]]:
        made = Crowd()
        leave = asyncio.Event()

        async def receive() -> dict[str, str]:
            await leave.wait()
            return {"type": "http.disconnect"}

        holder = await made.hold()
        gone = made.ask("a", asked=Asking(Visitor("a", ""), receive))
        stays = made.ask("b")
        await made.settle()
        leave.set()
        await asyncio.wait({gone}, timeout=EVER)
        left = made.queue.waiting
        made.gate.set()
        await asyncio.gather(holder, stays)
        made.queue.close()
        return gone.exception(), left, made.served

    error, left, served = run_alone(crowd())
    assert isinstance(error, GoneError)
    assert (left, served) == (1, ["b"])


def test_work_that_runs_is_stopped_where_it_looks_next() -> None:
    """A piece that never looks at its deadline would go on for ever: this one ends only by being stopped."""
    ended: list[type[BaseException]] = []
    began = threading.Event()

    def endless() -> None:
        limit = deadline()
        assert limit is not None
        began.set()
        try:
            while True:
                limit.check("a tap")
        except StoppedError as error:
            ended.append(type(error))
            raise

    async def crowd() -> int:
        made = Crowd()
        task = made.ask("a", endless)
        while not began.is_set():
            await asyncio.sleep(0.001)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await made.ask("b")
        made.queue.close()
        return made.queue.running

    assert run_alone(crowd()) == 0
    assert ended == [StoppedError]


def test_a_request_has_its_time_and_no_more() -> None:
    async def crowd(deadline_seconds: float) -> list[Any]:
        made = Crowd(deadline_seconds=deadline_seconds)
        asked = Asking(Visitor("a", ""))
        asked.spent = 5.0
        answers = await asyncio.gather(made.ask("a", asked=asked), made.ask("b"), return_exceptions=True)
        made.queue.close()
        return answers

    late, other = run_alone(crowd(5.0))
    assert isinstance(late, DeadlineError)
    assert other is None
    assert run_alone(crowd(5.1)) == [None, None]


def test_the_pieces_of_one_request_have_its_time_together() -> None:
    """Seen to fail with the seconds of a piece not added to those of its request: each alone is far within the deadline."""

    async def crowd() -> tuple[int, Any, Any]:
        made, asked = Crowd(deadline_seconds=0.5), Asking(Visitor("a", ""))
        pieces = 0
        try:
            for _ in range(20):
                await made.ask("a", lambda: time.sleep(0.05), asked=asked)
                pieces += 1
        except DeadlineError as error:
            late: Any = error
        else:
            late = None
        other = await made.ask("b", lambda: "served")
        made.queue.close()
        return pieces, late, other

    pieces, late, other = run_alone(crowd())
    assert 0 < pieces <= 10
    assert isinstance(late, DeadlineError)
    assert other == "served"


def test_a_failure_is_told_to_all_who_share_it_and_the_next_is_served() -> None:
    async def crowd() -> list[Any]:
        made = Crowd()
        tasks = [made.ask("a", lambda: 1 / 0, key="k"), made.ask("b", lambda: 1 / 0, key="k"), made.ask("c", lambda: "served")]
        answers = await asyncio.gather(*tasks, return_exceptions=True)
        made.queue.close()
        return answers

    first, second, third = run_alone(crowd())
    assert first is second
    assert isinstance(first, ZeroDivisionError)
    assert third == "served"


def test_who_waits_is_told_the_place() -> None:
    async def crowd() -> list[list[int]]:
        made = Crowd()
        tasks = [await made.hold()] + [made.ask(who) for who in ("a", "a", "a", "b")]
        await made.settle()
        places = [made.queue.places(wait(who).visitor) for who in ("holder", "a", "b", "c")]
        made.gate.set()
        await asyncio.gather(*tasks)
        made.queue.close()
        return places

    assert run_alone(crowd()) == [[0], [1, 3, 4], [2], []]


def test_what_stands_aside_gets_its_turn_when_nobody_waits_for_anything_else() -> None:
    """With one line for both, the proof that was asked for first would come before the steps."""
    done: list[str] = []

    async def everything() -> None:
        queue, begun = FairQueue("test", Settings(queue=2)), threading.Event()
        first = asyncio.create_task(queue.call(lambda: begun.wait(EVER)))
        await asyncio.sleep(0)
        proofs = [asyncio.create_task(queue.call(lambda: done.append("proof"), aside=True)) for _ in range(2)]
        await asyncio.sleep(0)
        steps = [asyncio.create_task(queue.call(lambda: done.append("step"))) for _ in range(2)]
        await asyncio.sleep(0)
        assert (queue.waiting, queue.places(asking_module.asking().visitor)) == (4, [0, 1, 2, 3, 4])
        for aside in (False, True):
            try:
                await queue.call(lambda: None, aside=aside)
            except BusyError:
                done.append("refused")
        begun.set()
        await asyncio.gather(first, *proofs, *steps)
        queue.close()

    run_alone(everything())
    assert done == ["refused", "refused", "step", "step", "proof", "proof"]
