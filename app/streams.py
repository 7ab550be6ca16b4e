"""Server-sent events: so many and no more, shown to live while nothing happens, and ended in words.

A stream only attaches to work: it sends what is known and asks for what is next when the client has taken what was sent, so that
nothing is computed ahead of a reader. What it sends can be had again from any event on, by `Last-Event-ID`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from ..model.errors import GlassformerError
from .answers import json_bytes
from .errors import FAULT, error_body
from .observing.request import note_refusal, under_way
from .queueing.asking import asking
from .queueing.seats import Seat, Seats

logger = logging.getLogger(__name__)
_ALIVE = b": nothing new\n\n"
_UNBUFFERED = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class CursorError(GlassformerError):
    """A stream is to go on after an event that it has never sent."""

    code: ClassVar[str] = "bad_cursor"


@dataclass(frozen=True)
class Event:
    """One event: its name, what it says as JSON, and the id after which a client that was cut off goes on."""

    name: str
    data: Any
    id: int | None = None

    def encode(self) -> bytes:
        """Return the event as it goes over the wire."""
        number = b"" if self.id is None else b"id: %d\n" % self.id
        return b"event: %s\n%sdata: %s\n\n" % (self.name.encode(), number, json_bytes(self.data))


class EventStream(StreamingResponse):
    """An answer that goes on: events as they come, a comment after `heartbeat` seconds without, `bye` when it is to end."""

    media_type = "text/event-stream"

    def __init__(self, events: AsyncIterator[Event], streams: Seats, *, heartbeat: float, stopping: asyncio.Event) -> None:
        self._seat = Seat(asking().visitor)
        self._streams = streams
        super().__init__(_lines(events, heartbeat, (stopping, self._seat.wanted)), headers=_UNBUFFERED)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._streams.enter(self._seat)
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._streams.leave(self._seat)


def read_cursor(text: str, *, most: int) -> int:
    """Return the event after which a client goes on, from its `Last-Event-ID`; −1 for one that has had none.

    Raises:
        CursorError: no number, or an event that there can never be.
    """
    if not text:
        return -1
    if not (text.isascii() and text.isdecimal()) or len(text) > 12 or int(text) > most:
        raise CursorError(f"Last-Event-ID is {text[:20]!r}; this stream has events 0 to {most}", where="Last-Event-ID")
    return int(text)


async def _lines(events: AsyncIterator[Event], heartbeat: float, ends: Sequence[asyncio.Event]) -> AsyncIterator[bytes]:
    stops = {asyncio.create_task(end.wait()) for end in ends}
    coming: asyncio.Future[Event] | None = None
    try:
        while not any(end.is_set() for end in ends):
            asking().spent = 0.0  # a stream has its seconds for each event
            coming = asyncio.ensure_future(_next(events))
            while not (await asyncio.wait({coming, *stops}, timeout=heartbeat, return_when=asyncio.FIRST_COMPLETED))[0]:
                yield _ALIVE
            if not coming.done():
                break
            event = _told(coming)
            if event is None:
                return
            yield event.encode()
            if event.name == "error":
                return
        yield Event("bye", {}).encode()
    finally:
        for stop in stops:
            stop.cancel()
        if coming is not None:
            coming.cancel()  # an iterator that is cut off while it waits is at its end


async def _next(events: AsyncIterator[Event]) -> Event:
    return await anext(events)


def _told(coming: asyncio.Future[Event]) -> Event | None:
    """Return the event that came: None for the end, and for a failure one that says it, in the body all errors have."""
    seen = under_way.get()
    request_id = seen.request_id if seen else ""
    try:
        return coming.result()
    except StopAsyncIteration:
        return None
    except GlassformerError as error:
        note_refusal(error.code)
        return Event("error", error_body(error.code, error.message, where=error.where, request_id=request_id))
    except Exception as error:
        logger.exception("a stream failed", exc_info=error)
        return Event("error", error_body(FAULT[1], FAULT[2], request_id=request_id))
