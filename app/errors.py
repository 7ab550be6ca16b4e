"""One body for every error: `{"error": {"code", "message", "where", "request_id"}}`."""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from ..model.errors import GlassformerError
from .answers import json_answer
from .observing.request import note_refusal
from .queueing.asking import asking
from .queueing.refusals import Refusals

_STATUS = {
    "not_found": 404,
    "bad_recipe": 404,
    "finished": 409,
    "conflict": 409,
    "too_large": 422,
    "not_acceptable": 406,
    "bad_cursor": 409,
    "code_needed": 401,
    "wrong_code": 403,
    "not_yours": 403,
    "switched_off": 403,
    "too_many": 429,
    "busy": 503,
    "stopped": 503,
    "gone": 499,
    "deadline": 503,
    "out_of_memory": 503,
    "storage_full": 507,
    "recording": 500,
}
FAULT = (500, "internal", "something went wrong on the server; it has been logged")
"""Status, code and message of what is our own mistake."""

_LONGEST = 600  # characters of a message; what somebody sent is in it by 60 at most
_LONGEST_PLACE = 80
_SHOWN = 40
_WORDS = {
    400: "bad_request",
    403: "not_yours",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    414: "too_large",
    415: "bad_type",
    431: "too_large",
}


class BusyError(GlassformerError):
    """More work waits than the server is willing to queue."""

    code: ClassVar[str] = "busy"


class ConflictError(GlassformerError):
    """Something cannot be done in the state that things are in."""

    code: ClassVar[str] = "conflict"


class TooLargeError(GlassformerError):
    """An answer would be larger than one may ask for at once."""

    code: ClassVar[str] = "too_large"


class NotAcceptableError(GlassformerError):
    """The client takes no form that there is."""

    code: ClassVar[str] = "not_acceptable"


def error_answer(status: int, code: str, message: str, *, where: str = "", request_id: str = "") -> Response:
    """Return an error in the one body that all errors have; whoever is to come back is not told to come with all the others."""
    note_refusal(code)
    headers = {"Retry-After": str(1 + secrets.randbelow(3))} if status in (429, 503) else None
    return json_answer(error_body(code, message, where=where, request_id=request_id), status=status, headers=headers)


def error_body(code: str, message: str, *, where: str = "", request_id: str = "") -> dict[str, Any]:
    """Return the one body, printable and not too long."""
    body = {"code": code, "message": _printable(message[:_LONGEST]), "where": _printable(where[:_LONGEST_PLACE])}
    return {"error": body | {"request_id": request_id}}


def install_error_handlers(app: FastAPI) -> None:
    """Make every mistake of a client answer in the one body; what is our own is caught by the guard."""
    refusals = Refusals()

    async def on_busy(request: Request, error: Exception) -> Response:
        await refusals.rest(asking().visitor.address)
        return await _on_mistake(request, error)

    app.add_exception_handler(GlassformerError, _on_mistake)
    app.add_exception_handler(BusyError, on_busy)
    app.add_exception_handler(RequestValidationError, _on_validation)
    app.add_exception_handler(HTTPException, _on_http)


async def _on_mistake(request: Request, error: Exception) -> Response:
    assert isinstance(error, GlassformerError)
    status = _STATUS.get(error.code, 422)
    return error_answer(status, error.code, error.message, where=error.where, request_id=_id(request))


async def _on_validation(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first: dict[str, Any] = error.errors()[0]
    place = ".".join(str(part)[:_LONGEST_PLACE] for part in first["loc"] if part not in ("body", "query", "path", "header"))
    place = place[:_LONGEST_PLACE]
    message = f"{place or 'the body'}: {first['msg'].lower()}{_given(first.get('input'))}"
    return error_answer(422, "bad_input", message, where=place, request_id=_id(request))


def _given(value: object) -> str:
    """Return what was sent, where it is short enough to be a value that somebody meant: a number, a switch, a word."""
    if not isinstance(value, str | int | float | bool) or (isinstance(value, int) and value.bit_length() > 64):
        return ""
    return f" (given: {str(value)[:_SHOWN]!r})"


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = _WORDS.get(error.status_code, "error")
    message = "there is nothing at this address" if error.status_code == 404 else str(error.detail).lower()
    answer = error_answer(error.status_code, code, message, request_id=_id(request))
    answer.headers.update(error.headers or {})
    return answer


def _id(request: Request) -> str:
    return str(request.scope.get("request_id", ""))


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else f"\\u{ord(letter):04x}" for letter in text)
