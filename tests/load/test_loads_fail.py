"""What the loads do not let pass: the same browsers on a server that does one thing wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from glassformer.app.describing import decodings as describing_decodings
from glassformer.app.describing import traces as describing
from glassformer.app.routes import traces
from running import run
from serving_here import serving_here

from bench.load.browser import Browser, WrongError
from bench.load.oracle import Expected
from bench.load.scenarios.everyone_runs import press_run
from bench.load.tally import Tally
from bench.load.wire import LostError, Wire

Step = dict[str, Any]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """A server in this process, whose parts a test breaks."""
    with serving_here(queue=2) as port:
        yield port


def another_token(step: Step) -> Step:
    row = step["rows"][0]
    return step | {"rows": [row | {"chosen": row["chosen"] | {"id": row["chosen"]["id"] % 20 + 5}}]}


def doubled(step: Step) -> Step:
    return step | {"step": step["step"] - 1} if step["step"] else step


def somebody_elses(step: Step) -> Step:
    row = step["rows"][0]
    return step | {"rows": [row | {"prefix": [*row["prefix"], row["prefix"][0]]}]}


def no_step(step: Step) -> Step:
    raise RuntimeError("broken on purpose")


FAULTS: dict[str, tuple[Callable[[Step], Step], str]] = {
    "another token": (another_token, "token 0 of"),
    "a step twice": (doubled, "the number of a step|the id of an event"),
    "somebody else's step": (somebody_elses, "the tokens before a step"),
    "a fault": (no_step, "500|stream"),
}


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_step_is_noticed(
    port: int, expected: Expected, monkeypatch: pytest.MonkeyPatch, fault: str, streamed: bool
) -> None:
    change, says = FAULTS[fault]
    right = describing_decodings.describe_step
    monkeypatch.setattr(describing_decodings, "describe_step", lambda step, pad: change(right(step, pad)))
    with pytest.raises((WrongError, LostError), match=says):
        run(take_steps(port, expected, streamed=streamed))


def test_a_trace_of_somebody_else_is_noticed(port: int, expected: Expected, monkeypatch: pytest.MonkeyPatch) -> None:
    right = describing.describe_trace
    monkeypatch.setattr(describing, "describe_trace", lambda trace: right(trace) | {"id": "another"})
    with pytest.raises(WrongError, match="another came"):
        run(take_steps(port, expected))


def test_other_values_are_noticed(port: int, expected: Expected, monkeypatch: pytest.MonkeyPatch) -> None:
    def other(record: Any, **more: Any) -> Any:
        piece = cut(record, **more)
        return replace(piece, values=-piece.values) if piece.name == "logits" and "fit" in more and not more["fit"] else piece

    cut = traces.cut
    monkeypatch.setattr(traces, "cut", other)
    with pytest.raises(WrongError, match="the largest logit"):
        run(take_steps(port, expected, number=2))


def test_nothing_is_noticed_where_nothing_is_wrong(port: int, expected: Expected) -> None:
    assert run(take_steps(port, expected)) == 3
    assert run(take_steps(port, expected, streamed=True)) > 3


def test_a_short_queue_refuses_some_of_those_who_press_run_at_once_and_answers_them_later(port: int) -> None:
    async def press() -> Tally:
        tally = Tally()
        browsers = [Browser("127.0.0.1", port, 50 + each, tally) for each in range(24)]
        await press_run(browsers, tally, within=0)
        for browser in browsers:
            await browser.leave()
        return tally

    tally = run(press())
    assert tally.mistakes() == []
    assert tally.refused > 0
    assert tally.count("run") == 24


@pytest.mark.parametrize(
    ("answer", "error", "says"),
    [
        (b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", WrongError, "503"),
        (b"HTTP/1.1 429 Slower\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n", WrongError, "429"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", LostError, "closed"),
        (b"nonsense\r\n\r\n", LostError, "no HTTP"),
    ],
)
def test_an_answer_that_must_not_come_is_noticed(answer: bytes, error: type[Exception], says: str) -> None:
    async def ask() -> None:
        async with answering(answer) as port:
            browser = Browser("127.0.0.1", port, 0, Tally())
            async with closing(browser.wire):
                await browser.ask("/api/models")

    with pytest.raises(error, match=says):
        run(ask())


def test_a_stream_that_is_cut_is_told_from_one_that_ends() -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    told = b"event: bye\ndata: {}\n\n"
    event = f"{len(told):x}\r\n".encode() + told + b"\r\n"

    async def follow(answer: bytes) -> list[str]:
        async with answering(answer) as port, closing(Wire("127.0.0.1", port)) as wire:
            return [event.kind async for event in wire.events("/")]

    assert run(follow(head + event + b"0\r\n\r\n")) == ["bye"]
    with pytest.raises(LostError):
        run(follow(head + event))


async def take_steps(port: int, expected: Expected, *, streamed: bool = False, number: int = 3) -> int:
    """Take three steps, or follow a stream, of a sentence whose tokens are known; return how many steps came."""
    browser = Browser("127.0.0.1", port, number, Tally(), expected=expected)
    async with closing(browser.wire):
        if streamed:
            return len([came async for came in browser.follow()])
        for _ in range(3):
            await browser.step()
        return 3


@asynccontextmanager
async def closing(wire: Wire) -> AsyncIterator[Wire]:
    """Close a connection, and let the loop do so."""
    try:
        yield wire
    finally:
        wire.close()
        await asyncio.sleep(0)


@asynccontextmanager
async def answering(content: bytes) -> AsyncIterator[int]:
    """A server that sends the same bytes to everyone and closes."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(content)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]
