"""The app behind a relay: it answers requests that the front has let in, each in one call."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from typing import Any, cast

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Scope

from ..guard.door import Door
from ..guard.guard import Guard
from ..main import create_app
from ..sending import InPieces
from ..settings import Settings
from .relay import Ask, Relay

_AT_THE_FRONT: tuple[Any, ...] = (Guard, Door, InPieces)


def create_front(settings: Settings, ask: Ask) -> FastAPI:
    """Return the server as it is, but for computing, which `ask` has done elsewhere."""
    app = create_app(settings)
    answers = app.state.glassformer.answers
    app.user_middleware.append(Middleware(Relay, ask=ask, settings=settings, answers=answers))
    return app


def create_replica(settings: Settings) -> FastAPI:
    """Return the server without what has been done at the front: checking who calls and how much they send."""
    app = create_app(settings)
    app.user_middleware = [each for each in app.user_middleware if each.cls not in _AT_THE_FRONT]
    return app


async def answer(app: ASGIApp, request: dict[str, Any], body: bytes) -> AsyncGenerator[Message, None]:
    """Give the messages of an answer as they come. Whoever closes this has gone; then the work stops."""
    messages: asyncio.Queue[Message | None] = asyncio.Queue()
    gone = asyncio.Event()
    parts = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if parts:
            return parts.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        messages.put_nowait(message)

    scope: Scope = {**request, "asgi": {"version": "3.0"}, "state": {}}
    working = asyncio.create_task(cast(Coroutine[Any, Any, None], app(scope, receive, send)))
    working.add_done_callback(lambda _: messages.put_nowait(None))
    try:
        while (message := await messages.get()) is not None:
            yield message
        working.result()
    finally:
        gone.set()
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
