"""An app in a running loop with one decoding that nothing has been computed of, and its streams."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

from calling import Call, run_alone, until
from fastapi import FastAPI
from glassformer.app.main import create_app
from glassformer.app.settings import Settings
from glassformer.app.state import State

WRITTEN = "3 4 5 6 7 8 9 10 3 4"
DECODING = {"model": "copy", "src": [WRITTEN]}
STEPS = 11


class Server:
    """An app in the running loop, with one decoding that nothing has been computed of."""

    def __init__(self, *, decoding: dict[str, Any] | None = None, **settings: Any) -> None:
        self.app: FastAPI = create_app(Settings(**{"allow_host": "testserver"} | settings))
        self.state: State = self.app.state.glassformer
        self._body = DECODING if decoding is None else decoding
        self.id = ""

    async def open(self) -> Server:
        made = Call(self.app, "/api/decodings", body=self._body)
        await made.answer()
        assert made.status == 200, made.content
        self.id = made.json()["id"]
        return self

    def stream(self, last: str = "", **more: Any) -> Call:
        headers = {"Last-Event-ID": last} if last else {}
        return Call(self.app, f"/api/decodings/{self.id}/events", headers=headers, **more)

    @property
    def steps(self) -> int:
        """How many steps have been computed."""
        kept = self.state.compute.decodings.get(self.id)
        assert kept is not None
        return len(kept.decoding.steps)

    @property
    def quiet(self) -> bool:
        return self.state.compute.idle and self.state.streams.open == 0

    def hold(self) -> Callable[[], None]:
        """Keep the thread that computes at work until what is returned is called."""
        gate = threading.Event()
        self.held = asyncio.create_task(self.state.compute.call(gate.wait))
        return gate.set


def served(test: Callable[[Server], Any], **settings: Any) -> Any:
    async def whole() -> Any:
        server = await Server(**settings).open()
        try:
            result = await test(server)
            await until(lambda: server.quiet)
            return result
        finally:
            server.state.compute.close()

    return run_alone(whole())


def numbers(call: Call) -> list[str | None]:
    return [id for name, id, _ in call.events if name == "step"]
