"""Large answers on their way: counted while they wait for clients who may never read them, and sent a piece at a time."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..heap import give_back
from .errors import BusyError, error_answer
from .guard.sizes import ClientGoneError
from .queueing.visitors import visitor_of
from .settings import Settings

PIECE = 2**16
"""Bytes that are handed to a connection at a time; what holds no more is not counted."""
SHARE = 4
"""One address may have a quarter of all."""
IDLE_SECONDS = 2.0
"""Who has taken no piece for so long makes way where there is no room for who comes."""
_PEAK = 64 * 2**20
"""After more than this was under way at once, memory is given back to the system."""


class Way:
    """One large answer that is made or on its way. `cut` ends it; without it nobody can."""

    def __init__(self, what: Hashable, address: str, cut: Callable[[], None] | None) -> None:
        self.what, self.address, self.cut = what, address, cut
        self.moved()

    def moved(self) -> None:
        """Note that a piece was taken."""
        self.last = time.monotonic()


class Sending:
    """The bytes of large answers that are made or sent, up to `most`. For use on the event loop only.

    What several are sent is one object in memory and counts once, and once for each address that it goes to. Where there is no
    room, those that are not taken make way, the one that has waited longest first.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._all = _Held()
        self._to: dict[str, _Held] = {}
        self._ways: set[Way] = set()
        self._peak = 0

    @property
    def bytes(self) -> int:
        """Bytes under way now."""
        return self._all.bytes

    @contextmanager
    def hold(self, what: Hashable, size: int, address: str, *, cut: Callable[[], None] | None = None) -> Iterator[Way]:
        """Count something while it is made or sent. One that is too large by itself is let through alone. Raises BusyError."""
        own = self._to.get(address, _Held())
        while not own.has_room(what, size, self._most // SHARE):
            unread = f"{own.bytes} bytes of answers to this address are not yet read; read them, or try again in a moment"
            self._make_way(address, unread)
        while not self._all.has_room(what, size, self._most):
            self._make_way(None, f"{self.bytes} bytes of answers are on their way, the limit; try again in a moment")
        self._to[address] = own
        own.add(what, size)
        self._all.add(what, size)
        self._peak = max(self._peak, self.bytes)
        way = Way(what, address, cut)
        self._ways.add(way)
        try:
            yield way
        finally:
            self._end(way)

    def _make_way(self, address: str | None, complaint: str) -> None:
        """End the answer that is taken least, of one address or of all. Raises BusyError where all are taken."""
        latest = time.monotonic() - IDLE_SECONDS
        idle = [way for way in self._ways if way.cut and way.last < latest and address in (None, way.address)]
        if not idle:
            raise BusyError(complaint)
        slowest = min(idle, key=lambda way: way.last)
        self._end(slowest)
        assert slowest.cut is not None
        slowest.cut()

    def _end(self, way: Way) -> None:
        if way in self._ways:
            self._ways.remove(way)
            own = self._to[way.address]
            own.drop(way.what)
            self._all.drop(way.what)
            if not own.bytes:
                del self._to[way.address]
            self._rest()

    def _rest(self) -> None:
        if not self.bytes and self._peak > _PEAK:
            self._peak = 0
            threading.Thread(target=give_back, name="give back", daemon=True).start()


class _Held:
    """Things, how often each is used, and the bytes of all."""

    def __init__(self) -> None:
        self.bytes = 0
        self._uses: Counter[Hashable] = Counter()
        self._sizes: dict[Hashable, int] = {}

    def has_room(self, what: Hashable, size: int, most: int) -> bool:
        return not self.bytes or what in self._uses or self.bytes + size <= most

    def add(self, what: Hashable, size: int) -> None:
        if what not in self._uses:
            self._sizes[what] = size
            self.bytes += size
        self._uses[what] += 1

    def drop(self, what: Hashable) -> None:
        self._uses[what] -= 1
        if not self._uses[what]:
            del self._uses[what]
            self.bytes -= self._sizes.pop(what)


class InPieces:
    """Send large answers piece by piece: a connection copies what it is handed, and is handed more only when that is read.

    Those of the interface are counted meanwhile, and refused where too much is under way. Files of the page lie in memory anyway.
    """

    def __init__(self, app: ASGIApp, settings: Settings, sending: Sending) -> None:
        self._app = app
        self._settings = settings
        self._sending = sending

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            send = _Answer(scope, send, self._settings, self._sending).send
        await self._app(scope, receive, send)


class _Answer:
    """One answer. The start of a large one is held back, since it may yet be another."""

    def __init__(self, scope: Scope, send: Send, settings: Settings, sending: Sending) -> None:
        self._scope = scope
        self._send = send
        self._settings = settings
        self._sending = sending
        self._start: Message | None = None
        self._refused = False

    async def send(self, message: Message) -> None:
        if self._refused:
            return
        if message["type"] == "http.response.start" and self._scope["path"].startswith("/api/") and _length(message) > PIECE:
            self._start = message
        elif self._start is not None and len(message.get("body", b"")) > PIECE:
            await self._send_counted(message)
        else:
            await self._begin()
            await self._send_pieces(message)

    async def _send_counted(self, message: Message) -> None:
        body, address = message["body"], visitor_of(self._scope, self._settings).address
        task, was_cut = asyncio.current_task(), False

        def cut() -> None:
            nonlocal was_cut
            was_cut = task is not None and task.cancel()

        try:
            with self._sending.hold(id(body), len(body), address, cut=cut) as way:
                await self._begin()
                await self._send_pieces(message, way.moved)
        except asyncio.CancelledError:
            if not was_cut or task is None:
                raise
            task.uncancel()
            raise ClientGoneError from None
        except BusyError as error:
            self._refused = True
            request_id = str(self._scope.get("request_id", ""))
            await error_answer(503, error.code, error.message, request_id=request_id)(self._scope, _nothing, self._send)

    async def _begin(self) -> None:
        start, self._start = self._start, None
        if start is not None:
            await self._send(start)

    async def _send_pieces(self, message: Message, moved: Callable[[], None] = lambda: None) -> None:
        body = message.get("body", b"")
        if len(body) <= PIECE:
            await self._send(message)
            return
        for at in range(0, len(body), PIECE):
            more = at + PIECE < len(body) or message.get("more_body", False)
            await self._send({"type": "http.response.body", "body": bytes(body[at : at + PIECE]), "more_body": more})
            moved()


def _length(start: Message) -> int:
    return next((int(value) for name, value in start["headers"] if name == b"content-length"), 0)


async def _nothing() -> Message:
    return {"type": "http.disconnect"}
