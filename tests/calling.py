"""The app asked as a server asks it, message by message, so that a client can leave or stop reading at any moment."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar
from urllib.parse import unquote

from fastapi import FastAPI

T = TypeVar("T")
EVER = 30.0
"""Seconds that nothing here takes."""


def run_alone(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a thread of its own: a browser test before this one may have left its event loop running here."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds; fail when that never comes."""
    async with asyncio.timeout(EVER):
        while not holds():
            await asyncio.sleep(0.002)


class Call:
    """One request to an app, from one client."""

    def __init__(
        self,
        app: FastAPI,
        address: str,
        *,
        body: object = None,
        headers: Mapping[str, str] | None = None,
        client: str = "192.0.2.1",
    ) -> None:
        path, _, query = address.partition("?")
        content = b"" if body is None else json.dumps(body).encode()
        sent = {"host": "testserver", **({"content-type": "application/json"} if content else {}), **(headers or {})}
        self._scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "POST" if content else "GET",
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode()) for name, value in sent.items()],
            "client": (client, 50000),
            "server": ("testserver", 80),
        }
        self._given = False
        self._content = content
        self._left = asyncio.Event()
        self.reads = asyncio.Event()
        self.reads.set()
        self.status = 0
        self.headers: dict[str, str] = {}
        self.content = b""
        self.task = asyncio.create_task(self._go(app))

    def leave(self) -> None:
        """Close the connection."""
        self._left.set()

    async def answer(self) -> bytes:
        """Wait for the whole answer."""
        async with asyncio.timeout(EVER):
            await self.task
        return self.content

    def json(self) -> Any:
        return json.loads(self.content)

    @property
    def events(self) -> list[tuple[str, str | None, Any]]:
        """The events that have come so far: name, id, what they say."""
        found = []
        for block in self.content.decode().split("\n\n")[:-1]:
            fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
            if fields:
                found.append((fields["event"], fields.get("id"), json.loads(fields["data"])))
        return found

    async def _go(self, app: FastAPI) -> None:
        await app(self._scope, self._receive, self._send)
        self._left.set()

    async def _receive(self) -> dict[str, Any]:
        if not self._given:
            self._given = True
            return {"type": "http.request", "body": self._content, "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode().lower(): value.decode() for name, value in message["headers"]}
        else:
            self.content += message.get("body", b"")
            await self.reads.wait()
