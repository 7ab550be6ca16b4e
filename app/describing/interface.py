"""The OpenAPI document, with what may be answered before a route is reached: by the guard, by the door, by a full queue."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

_EVERYWHERE = {
    "400": "Host is missing, twice or another; a body where there is none; no JSON.",
    "401": "This class has a code, which was not given.",
    "403": "A page of another site asks; or what is asked for is another's, or switched off.",
    "414": "The address is too long.",
    "422": "A value is wrong; the message names it and its limit.",
    "431": "The headers are too long.",
    "500": "A mistake of the program; it has been logged under the request id.",
    "503": "Busy, out of time or out of memory: come back after Retry-After.",
}
_WITH_BODY = {"413": "The body is too long.", "415": "The body is of another type."}
_ERROR = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
_UNUSED = ("HTTPValidationError", "ValidationError")


def declare_errors(app: FastAPI) -> None:
    """Make the document of the interface say of every route which errors it may answer, all in the one body."""
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            _declare(plain())
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _declare(document: dict[str, Any]) -> None:
    for operations in document["paths"].values():
        for method, operation in operations.items():
            more = _EVERYWHERE | (_WITH_BODY if method in ("post", "patch") else {})
            for status, says in more.items():
                operation["responses"][status] = {"description": says, "content": _ERROR}
    for name in _UNUSED:
        document["components"]["schemas"].pop(name, None)
