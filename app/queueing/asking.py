"""The request that is being answered: who asks, whether they are still there, and how long has been computed for them."""

from __future__ import annotations

import asyncio
import time
from contextvars import ContextVar
from typing import Any, TypeVar

from starlette.types import ASGIApp, Receive, Scope, Send

from ...model.errors import GlassformerError
from ..settings import Settings
from .visitors import NOBODY, Visitor, visitor_of

T = TypeVar("T")
LOOK_SECONDS = 0.1
"""How long a request is at work before it is watched whether the client is still there: most take less than watching does."""


class GoneError(GlassformerError):
    """Who asked has closed the connection; nobody reads the answer."""

    code = "gone"


class Asking:
    """One request. `spent` counts the seconds of computing for it."""

    def __init__(self, visitor: Visitor = NOBODY, receive: Receive | None = None) -> None:
        self.visitor = visitor
        self.spent = 0.0
        self._receive = receive
        self._began = time.monotonic()
        self._leaving: asyncio.Task[None] | None = None

    async def until(self, done: asyncio.Future[T]) -> T:
        """Wait for a result that others may wait for as well.

        Raises:
            GoneError: the client has closed its connection.
        """
        if self._receive is None:
            return await asyncio.shield(done)
        if (unwatched := self._began + LOOK_SECONDS - time.monotonic()) > 0:
            await asyncio.wait({done}, timeout=unwatched)
        if done.done():
            return done.result()
        leaving = self._watch(self._receive)
        either: set[asyncio.Future[Any]] = {done, leaving}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if done.done():
            return done.result()
        raise GoneError("the client has closed its connection")

    def close(self) -> None:
        """Look no longer whether the client is there."""
        if self._leaving is not None:
            self._leaving.cancel()

    def _watch(self, receive: Receive) -> asyncio.Task[None]:
        self._leaving = self._leaving or asyncio.create_task(_until_gone(receive))
        return self._leaving


_asking: ContextVar[Asking | None] = ContextVar("asking", default=None)


def asking() -> Asking:
    """Return the request that this task answers; outside of any, one by the server itself."""
    return _asking.get() or Asking()


class Visiting:
    """Let everything inside know who asks."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        asked = Asking(visitor_of(scope, self._settings), receive)
        scope["asking"] = asked
        token = _asking.set(asked)
        try:
            await self._app(scope, receive, send)
        finally:
            _asking.reset(token)
            asked.close()


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
