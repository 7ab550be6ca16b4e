"""What is too long or of another type is refused before any of it is parsed; a body is counted while it is read."""

from __future__ import annotations

from starlette.types import Message, Receive, Scope

from ..settings import Settings
from .names import Refusal

WITH_BODY = ("POST", "PUT", "PATCH")
_JSON = b"application/json"
_LARGE = {
    "/api/runs": (_JSON,),
    "/api/runs/plan": (_JSON,),
    "/api/runs/upload": (b"application/vnd.safetensors", b"application/octet-stream"),
}
"""Addresses that take more than a few sentences, and what of."""


class ClientGoneError(Exception):
    """The client has gone before its request was whole."""


def too_long(scope: Scope, settings: Settings) -> Refusal | None:
    """Return why an address or headers are refused, if they are."""
    length = len(scope["raw_path"] or b"") + len(scope["query_string"])
    if length > settings.max_url:
        return 414, "too_large", f"the address has {length} bytes; the limit is {settings.max_url}"
    if len(scope["headers"]) > settings.max_headers:
        return 431, "too_large", f"there are {len(scope['headers'])} headers; the limit is {settings.max_headers}"
    heads = sum(len(name) + len(value) + 4 for name, value in scope["headers"])
    if heads > settings.max_header:
        return 431, "too_large", f"the headers have {heads} bytes; the limit is {settings.max_header}"
    return None


def bad_body(scope: Scope, settings: Settings) -> Refusal | None:
    """Return why a body is refused for what its headers say of it, if it is."""
    headers = dict(scope["headers"])
    declared = headers.get(b"content-length", b"0")
    if scope["method"] not in WITH_BODY:
        if declared != b"0" or b"transfer-encoding" in headers:
            return 400, "bad_request", f"a {scope['method'][:10]} has no body here"
        return None
    kinds = _LARGE.get(scope["path"], (_JSON,))
    if headers.get(b"content-type", b"").partition(b";")[0].strip().lower() not in kinds:
        return 415, "bad_type", f"the body must be {kinds[0].decode()}"
    if headers.get(b"content-encoding", b"identity") != b"identity":
        return 415, "bad_type", "the body must not be compressed"
    if declared.isdigit() and int(declared[:18]) > body_limit(scope, settings):
        return 413, "too_large", f"the body has {declared.decode()[:18]} bytes; the limit is {body_limit(scope, settings)}"
    return None


def body_limit(scope: Scope, settings: Settings) -> int:
    """Return how many bytes the body of a request may have."""
    return settings.max_upload if scope["path"] in _LARGE else settings.max_body


async def read_body(receive: Receive, limit: int) -> bytes | None:
    """Return the whole body, or None as soon as it is longer than the limit. Raises ClientGoneError."""
    parts, length = [], 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ClientGoneError
        length += len(message.get("body", b""))
        if length > limit:
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


def read_already(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives a body which was read before, then goes on."""
    told = False

    async def again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
