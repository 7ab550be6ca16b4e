"""What is answered before there is a request that the app could answer: the one error body, as bytes."""

from __future__ import annotations

import secrets
from http import HTTPStatus

from ..app.errors import error_answer
from ..app.guard.headers import security_headers
from ..app.observing.layer import log_turned_away
from ..app.settings import Settings


def refusal(status: int, code: str, message: str, settings: Settings) -> bytes:
    """Return a whole answer, after which the connection is closed."""
    id = secrets.token_hex(8)
    answer = error_answer(status, code, message, request_id=id)
    log_turned_away(id, status, code)
    answer.headers.update({**security_headers(settings), "X-Request-Id": id, "Connection": "close"})
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}".encode(), *(b": ".join(pair) for pair in answer.raw_headers)]
    return b"\r\n".join([*lines, b"", bytes(answer.body)])
