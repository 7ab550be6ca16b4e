"""The outermost layer: sizes are counted while reading, and every answer carries the security headers and a request id."""

from __future__ import annotations

import secrets

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .errors import error_answer
from .settings import Settings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
_WITH_BODY = ("POST", "PUT", "PATCH")
_JSON = b"application/json"
_LARGE = {
    "/api/runs": (_JSON,),
    "/api/runs/plan": (_JSON,),
    "/api/runs/upload": (b"application/vnd.safetensors", b"application/octet-stream"),
}
"""Addresses that take more than a few sentences, and what of."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Guard:
    """Refuse what is too long or of the wrong type before any of it is parsed."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["request_id"] = secrets.token_hex(8)

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers["X-Request-Id"] = scope["request_id"]
            await send(message)

        refusal = self._refusal(scope)
        if refusal is None and scope["method"] in _WITH_BODY:
            limit = self._limit(scope)
            body, too_long = await _read(receive, limit)
            receive = _replay(body, receive)
            if too_long:
                refusal = (413, "too_large", f"the body has more than {limit} bytes, the limit")
        if refusal is not None:
            status, code, message = refusal
            await error_answer(status, code, message, request_id=scope["request_id"])(scope, receive, dressed)
            return
        await self._app(scope, receive, dressed)

    def _refusal(self, scope: Scope) -> tuple[int, str, str] | None:
        headers = dict(scope["headers"])
        length = len(scope["raw_path"] or b"") + len(scope["query_string"])
        if length > self._settings.max_url:
            return 414, "too_large", f"the address has {length} bytes; the limit is {self._settings.max_url}"
        heads = sum(len(name) + len(value) + 4 for name, value in scope["headers"])
        if heads > self._settings.max_header:
            return 431, "too_large", f"the headers have {heads} bytes; the limit is {self._settings.max_header}"
        if scope["method"] not in _WITH_BODY:
            return None
        kinds = _LARGE.get(scope["path"], (_JSON,))
        if headers.get(b"content-type", b"").partition(b";")[0].strip().lower() not in kinds:
            return 415, "bad_type", f"the body must be {kinds[0].decode()}"
        if headers.get(b"content-encoding", b"identity") != b"identity":
            return 415, "bad_type", "the body must not be compressed"
        declared = headers.get(b"content-length", b"0")
        if declared.isdigit() and int(declared[:18]) > self._limit(scope):
            return 413, "too_large", f"the body has {declared.decode()[:18]} bytes; the limit is {self._limit(scope)}"
        return None

    def _limit(self, scope: Scope) -> int:
        return self._settings.max_upload if scope["path"] in _LARGE else self._settings.max_body


async def _read(receive: Receive, limit: int) -> tuple[bytes, bool]:
    parts, length = [], 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b"", False
        length += len(message.get("body", b""))
        if length > limit:
            return b"", True
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts), False


def _replay(body: bytes, receive: Receive) -> Receive:
    told = False

    async def again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
