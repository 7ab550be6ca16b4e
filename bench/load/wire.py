"""One connection to the server, as a browser's: requests one after the other, or a stream of events.

The client shares two cores with the server it measures, so it must cost little. A request through httpx takes about a
millisecond of processor; through httptools, the parser that uvicorn itself uses, in an asyncio protocol, about 60 µs. It reads
whole answers and streams and writes plain requests, and nothing else is wanted here.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import httptools

from .events import Event, Events

PATIENCE = 60.0
"""Seconds after which a request counts as one that was never answered."""


class LostError(Exception):
    """The connection ended before the answer did."""


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[bytes, bytes]
    body: bytes

    def json(self) -> Any:
        """Read the body as JSON."""
        return json.loads(self.body)

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait before asking again, where the server says so."""
        found = self.headers.get(b"retry-after")
        return None if found is None else float(found)


class RefusedError(Exception):
    """A stream was asked for, and something else was answered."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(f"{answer.status}: {answer.body[:200].decode('utf-8', 'replace')}")
        self.answer = answer


class Wire:
    """A connection that is opened when it is needed and kept."""

    def __init__(self, host: str, port: int, *, visitor: str = "", source: str | None = None) -> None:
        self.visitor, self.source = visitor, source
        self._host, self._port = host, port
        self._common = f"Host: {host}:{port}\r\nAccept: */*\r\n" + (f"X-Visitor: {visitor}\r\n" if visitor else "")
        self._line: _Line | None = None

    async def get(self, target: str) -> Answer:
        """Ask for an address."""
        return await self._ask(f"GET {target} HTTP/1.1\r\n{self._common}\r\n".encode(), again=True)

    async def post(self, target: str, body: Any) -> Answer:
        """Post JSON."""
        content = json.dumps(body).encode()
        head = f"POST {target} HTTP/1.1\r\n{self._common}Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        return await self._ask(head.encode() + content, again=True)

    async def events(self, target: str, *, after: int | None = None) -> AsyncIterator[Event]:
        """Follow a stream to its end; `after` is the last event that has come already.

        Raises:
            LostError: the stream was cut, without the end that HTTP has for it.
        """
        line = await self._open()
        last = "" if after is None else f"Last-Event-ID: {after}\r\n"
        line.ask(f"GET {target} HTTP/1.1\r\n{self._common}{last}\r\n".encode(), follow=True)
        try:
            while (event := await line.next_event()) is not None:
                yield event
        finally:
            if not line.idle:
                self.close()

    async def send(self, content: bytes) -> None:
        """Write bytes and wait for nothing: half a request, or one whose answer is never read."""
        line = await self._open()
        line.write(content)

    def stop_reading(self) -> None:
        """Read no more, so that what the server writes piles up."""
        assert self._line is not None, "nothing is open"
        self._line.pause()

    @property
    def closed(self) -> bool:
        """True if nothing is open, or the server has closed it."""
        return self._line is None or self._line.closed

    def close(self) -> None:
        """Close the connection."""
        if self._line is not None:
            self._line.close()
            self._line = None

    async def _ask(self, content: bytes, *, again: bool) -> Answer:
        kept = self._line is not None and not self._line.closed
        line = await self._open()
        try:
            line.ask(content)
            async with asyncio.timeout(PATIENCE):
                return await line.answer()
        except LostError:
            if not (again and kept and not line.begun):  # it was closed while nobody asked: a browser asks again as well
                raise
            return await self._ask(content, again=False)
        except asyncio.CancelledError:
            self.close()
            raise

    async def _open(self) -> _Line:
        if self._line is None or self._line.closed:
            local = None if self.source is None else (self.source, 0)
            loop = asyncio.get_running_loop()
            _, self._line = await loop.create_connection(_Line, self._host, self._port, local_addr=local, family=socket.AF_INET)
        return self._line


class _Line(asyncio.Protocol):
    """The bytes of a connection, read into answers and events."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._parser = httptools.HttpResponseParser(self)
        self._headers: dict[bytes, bytes] = {}
        self._parts: list[bytes] = []
        self._waiter: asyncio.Future[Answer] | None = None
        self._events: asyncio.Queue[Event | None] | None = None
        self._reader = Events()
        self.closed = False
        self.begun = False

    @property
    def idle(self) -> bool:
        return self._waiter is None and self._events is None

    def ask(self, content: bytes, *, follow: bool = False) -> None:
        assert self.idle, "one request at a time"
        self.begun = False
        if follow:
            self._events, self._reader = asyncio.Queue(), Events()
        self._waiter = asyncio.get_running_loop().create_future()
        self.write(content)

    def write(self, content: bytes) -> None:
        assert self._transport is not None
        self._transport.write(content)

    async def answer(self) -> Answer:
        assert self._waiter is not None
        try:
            return await self._waiter
        finally:
            self._waiter = None

    async def next_event(self) -> Event | None:
        """The next event; None at the end. What is no stream is an event of its own, called by its status."""
        assert self._events is not None
        assert self._waiter is not None
        event = await self._events.get()
        if event is None:
            answer, self._events = self._waiter, None
            found = await answer if not answer.done() else answer.result()
            self._waiter = None
            if found.status != 200:
                raise RefusedError(found)
        return event

    def pause(self) -> None:
        assert self._transport is not None
        self._transport.pause_reading()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self.begun = True
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError as error:
            self._fail(LostError(f"no HTTP: {error}"))
            self.close()

    def connection_lost(self, error: Exception | None) -> None:
        self.closed = True
        self._fail(LostError("the connection was closed"))

    def on_message_begin(self) -> None:
        self._headers, self._parts = {}, []

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers[name.lower()] = value

    def on_body(self, body: bytes) -> None:
        if self._events is not None and self._parser.get_status_code() == 200:
            for event in self._reader.feed(body):
                self._events.put_nowait(event)
        else:
            self._parts.append(body)

    def on_message_complete(self) -> None:
        answer = Answer(self._parser.get_status_code(), self._headers, b"".join(self._parts))
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(answer)
        if self._events is not None:
            self._events.put_nowait(None)
        if not self._parser.should_keep_alive():
            self.close()

    def _fail(self, error: Exception) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(error)
            if self._events is not None:
                self._events.put_nowait(None)
