"""A request's id where a proxy before this server gives one, and says it in every answer by itself."""

from __future__ import annotations

import re

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_NAME = b"x-request-id"
_ID = re.compile(rb"[A-Za-z0-9-]{1,64}")


class GivenId:
    """The outermost layer behind such a proxy: the id that it gives is the id in errors and log, and is said once."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given = next((value for name, value in scope.get("headers", ()) if name == _NAME), b"")
        if not _ID.fullmatch(given):
            await self._app(scope, receive, send)
            return
        scope["request_id"] = given.decode()

        async def told_once(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [header for header in message["headers"] if header[0].lower() != _NAME]
            await send(message)

        await self._app(scope, receive, told_once)
