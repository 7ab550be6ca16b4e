"""Encoded answers that many browsers ask for: what a trace holds never changes, so its bytes can be given again.

They are found before routing, since matching routes costs several times what sending kept bytes does.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

Key = tuple[str, bytes, bytes]
"""A path, a query, and the forms that the client takes."""


@dataclass(frozen=True)
class Encoded:
    """The body of an answer and its media type."""

    content: bytes
    media_type: str

    def answer(self) -> Response:
        """Return the answer, which the browser may keep as well."""
        return Response(self.content, media_type=self.media_type, headers={"Cache-Control": "private, max-age=3600"})


class KeptAnswers:
    """The most recently used answers, up to `max_bytes` of them. For use on the event loop only."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._answers: OrderedDict[Key, Encoded] = OrderedDict()
        self._bytes = 0

    def get(self, key: Key) -> Encoded | None:
        """Return an answer if it is here."""
        found = self._answers.get(key)
        if found is not None:
            self._answers.move_to_end(key)
        return found

    def put(self, key: Key, answer: Encoded) -> None:
        """Keep an answer unless it alone would fill a quarter of the room; drop the least recently used ones until all fit."""
        if len(answer.content) > self._max_bytes // 4 or key in self._answers:
            return
        self._answers[key] = answer
        self._bytes += len(answer.content)
        while self._bytes > self._max_bytes:
            _, dropped = self._answers.popitem(last=False)
            self._bytes -= len(dropped.content)


class KeptFirst:
    """Answer from what is kept, before any route is looked at."""

    def __init__(self, app: ASGIApp, answers: KeptAnswers) -> None:
        self._app = app
        self._answers = answers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._answers.get(key_of(scope)) if scope["type"] == "http" and scope["method"] == "GET" else None
        await (self._app if found is None else found.answer())(scope, receive, send)


def key_of(scope: Scope) -> Key:
    """Return the key of a request's answer."""
    accepted = next((value for name, value in scope["headers"] if name == b"accept"), b"*/*")
    return scope["path"], scope["query_string"], accepted
