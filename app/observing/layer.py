"""The outermost layer: each request gets its id, and when it ends it is counted and has one line in the log.

A line says the route's template and never the path: ids are recipes, and hold what people typed (docs/security.md).
"""

from __future__ import annotations

import logging
import os
import secrets
import time
from hashlib import blake2s
from ipaddress import ip_address

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..queueing.visitors import address_of
from ..settings import Settings
from .metrics import Metrics
from .request import Seen, under_way

logger = logging.getLogger(__name__)

LOG_KEY = "GLASSFORMER_LOG_KEY"
"""Where several processes find the key they shorten ids with."""
METHODS = frozenset({"GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"})
GONE = 499
"""What stands for an answer that never began, because the client was gone (nginx's number)."""


class Observed:
    """Watch requests from outside; nothing that goes wrong in here reaches one."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self._app = app
        self._settings = settings
        self._metrics = metrics
        self._key = os.environ.get(LOG_KEY, secrets.token_hex(16)).encode()[:32]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        scope.setdefault("request_id", secrets.token_hex(8))
        seen = Seen(scope["request_id"], self._metrics.worked)
        under_way.set(seen)

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._begin(seen, message)
            else:
                seen.bytes += len(message.get("body", b""))
            await send(message)

        self._metrics.in_flight += 1
        try:
            await self._app(scope, receive, told)
        except Exception:
            seen.status, seen.code = seen.status or 500, "internal"
            logger.exception("fault", extra={"facts": {"route": route_of(scope)}})
            raise
        finally:
            self._end(seen, scope, time.perf_counter() - began)

    def _begin(self, seen: Seen, message: Message) -> None:
        seen.status = message["status"]
        if seen.waiting or seen.computing:
            timing = f"queue;dur={seen.waiting * 1e3:.1f}, compute;dur={seen.computing * 1e3:.1f}"
            message["headers"] = [*message["headers"], (b"server-timing", timing.encode())]
        for name, value in message["headers"]:
            if name == b"content-type" and value.startswith(b"text/event-stream"):
                seen.streams = True
                self._metrics.streams_open += 1
                self._metrics.streams.inc()

    def _end(self, seen: Seen, scope: Scope, seconds: float) -> None:
        self._metrics.in_flight -= 1
        self._metrics.streams_open -= seen.streams
        seen.status = seen.status or GONE
        method = scope["method"] if scope["method"] in METHODS else "OTHER"
        route = route_of(scope)
        self._metrics.finished(seen, method=method, route=route, seconds=seconds)
        level = logging.INFO if seen.status < 500 else logging.WARNING if seen.status == 503 else logging.ERROR
        if logger.isEnabledFor(level):
            facts = {"method": method, "route": route, **self._id(scope["path"], route), "status": seen.status}
            facts |= {"code": seen.code} if seen.code else {}
            facts |= {"bytes": seen.bytes, "ms": round(seconds * 1e3, 1)}
            if seen.waiting or seen.computing:
                facts |= {"waiting_ms": round(seen.waiting * 1e3, 1), "computing_ms": round(seen.computing * 1e3, 1)}
            facts["visitor"] = self._address(scope)
            logger.handle(_record(level, facts))

    def _id(self, path: str, route: str) -> dict[str, str]:
        """Return what an id is shortened to: the same within one run of the server, of no use to find out what it says."""
        parts = route.split("/")
        if "{id}" not in parts:
            return {}
        id = path.split("/")[parts.index("{id}")]
        return {"id": blake2s(id.encode("utf-8", "replace"), key=self._key, digest_size=4).hexdigest()}

    def _address(self, scope: Scope) -> str:
        try:
            return str(ip_address(address_of(scope, self._settings)))
        except ValueError:
            return "unknown"


def route_of(scope: Scope) -> str:
    """Return a request's route as its template; one that was refused or lost before it was routed has none."""
    return str(getattr(scope.get("route"), "path", "none"))


def log_turned_away(request_id: str, status: int, code: str) -> None:
    """Write the line of a request that the app never saw: too long, too slow, one too many, or no HTTP."""
    if logger.isEnabledFor(logging.INFO):
        logger.info("turned away", extra={"facts": {"status": status, "code": code, "request_id": request_id}})


def _record(level: int, facts: dict[str, object]) -> logging.LogRecord:
    """Return a line's record without looking for the line of code it comes from, which costs more than all the rest."""
    record = logging.LogRecord(logger.name, level, __file__, 0, "request", (), None)
    record.facts = facts
    return record
