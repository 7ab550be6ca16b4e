"""Encoded answers that many browsers ask for: what a trace holds never changes, so its bytes can be given again.

They are found before routing, since matching routes costs several times what sending kept bytes does.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from weakref import WeakValueDictionary

from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from .answers import JSON

Key = tuple[str, bytes, bytes]
"""A path, a query, and the forms that the client takes."""


@dataclass(frozen=True)
class Encoded:
    """The body of an answer and its media type."""

    content: bytes
    media_type: str

    def answer(self) -> Response:
        """Return the answer, which the browser may keep as well; what comes in several forms says so."""
        return _KeptAnswer(self)


class _KeptAnswer(Response):
    """Holds on to what it sends, which can be found by others as long."""

    def __init__(self, encoded: Encoded) -> None:
        headers = {"Cache-Control": "private, max-age=3600"} | ({} if encoded.media_type == JSON else {"Vary": "Accept"})
        super().__init__(encoded.content, media_type=encoded.media_type, headers=headers)
        self._encoded = encoded


_OVERHEAD = 400
"""What an answer weighs besides its bytes and the address it is kept under, which may be long; measured."""


class KeptAnswers:
    """The most recently used answers, up to `max_bytes` with their addresses. For use on the event loop only."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._answers: OrderedDict[Key, tuple[Encoded, BaseRoute | None]] = OrderedDict()
        self._sent: WeakValueDictionary[Key, Encoded] = WeakValueDictionary()
        self.bytes = 0
        self.hits = self.misses = self.evictions = 0

    @property
    def entries(self) -> int:
        """Answers held now."""
        return len(self._answers)

    def get(self, key: Key) -> tuple[Encoded, BaseRoute | None] | None:
        """Return an answer if it is here, and which route made it."""
        found = self._answers.get(key)
        if found is not None:
            self.hits += 1
            self._answers.move_to_end(key)
        return found

    def find(self, key: Key) -> Encoded | None:
        """Return an answer that is kept, or just being sent to somebody, which those too large to be kept can be."""
        found = self.get(key)
        return found[0] if found else self._sent.get(key)

    def put(self, scope: Scope, answer: Encoded, key: Key | None = None) -> None:
        """Keep an answer unless it alone would fill a quarter of the room; drop the least recently used ones until all fit."""
        key = key or key_of(scope)
        self.misses += 1
        self._sent[key] = answer
        weight = _weight(key, answer)
        if weight > self._max_bytes // 4 or key in self._answers:
            return
        self._answers[key] = answer, scope.get("route")
        self.bytes += weight
        while self.bytes > self._max_bytes:
            old, (dropped, _) = self._answers.popitem(last=False)
            self.bytes -= _weight(old, dropped)
            self.evictions += 1


def _weight(key: Key, answer: Encoded) -> int:
    return len(answer.content) + sum(map(len, key)) + _OVERHEAD


class KeptFirst:
    """Answer from what is kept, before any route is looked at."""

    def __init__(self, app: ASGIApp, answers: KeptAnswers) -> None:
        self._app = app
        self._answers = answers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._answers.get(key_of(scope)) if scope["type"] == "http" and scope["method"] == "GET" else None
        if found is None:
            await self._app(scope, receive, send)
            return
        answer, scope["route"] = found  # as if it had been routed, for who counts requests
        await answer.answer()(scope, receive, send)


def key_of(scope: Scope) -> Key:
    """Return the key of a request's answer."""
    accepted = next((value for name, value in scope["headers"] if name == b"accept"), b"*/*")
    return scope["path"], scope["query_string"], accepted
