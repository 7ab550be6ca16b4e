"""The guard around the app: who calls, how much they send; every answer carries the security headers and a request id."""

from __future__ import annotations

import logging
import secrets

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..assets import Assets
from ..errors import FAULT, error_answer
from ..observing.request import note_refusal
from ..pages import refused_page
from ..settings import Settings
from .cookies import keep_own_cookies
from .headers import security_headers
from .names import Names, Refusal, foreign
from .sizes import WITH_BODY, ClientGoneError, bad_body, body_limit, read_already, read_body, too_long

_UNREAD = (413, 431)  # what is still on its way is not waited for

logger = logging.getLogger(__name__)


class Guard:
    """Refuse what is not for this server, too long or of the wrong type, before any of it is parsed."""

    def __init__(self, app: ASGIApp, settings: Settings, assets: Assets) -> None:
        self._app = app
        self._settings = settings
        self._assets = assets
        self._names = Names(settings)
        self._headers = [(name.lower().encode(), value.encode()) for name, value in security_headers(settings).items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] == "http":
            await self._guard(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _guard(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope.setdefault("request_id", secrets.token_hex(8))
        begun = False

        async def dressed(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message["headers"] = [*message["headers"], *self._headers, (b"x-request-id", scope["request_id"].encode())]
            await send(message)

        try:
            await self._let_in(scope, receive, dressed)
        except ClientGoneError:
            return
        except Exception:
            if begun:
                raise  # the connection is cut, which is how HTTP says that an answer is not whole
            logger.exception("request %s failed", scope["request_id"])
            await self._refuse(FAULT, scope, receive, dressed)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = (
            too_long(scope, self._settings) or self._names.refusal(scope) or foreign(scope) or bad_body(scope, self._settings)
        )
        if refusal is None and scope["method"] in WITH_BODY:
            limit = body_limit(scope, self._settings)
            body = await read_body(receive, limit)
            if body is None:
                refusal = (413, "too_large", f"the body has more than {limit} bytes, the limit")
            else:
                receive = read_already(body, receive)
        if refusal is None:
            keep_own_cookies(scope)
            await self._app(scope, receive, send)
        else:
            await self._refuse(refusal, scope, receive, send)

    async def _refuse(self, refusal: Refusal, scope: Scope, receive: Receive, send: Send) -> None:
        status, code, message = refusal
        if code == "bad_host" and _is_opened(scope):
            note_refusal(code)
            await refused_page(scope, self._assets, message)(scope, receive, send)
            return
        answer = error_answer(status, code, message, request_id=scope["request_id"])
        if status in _UNREAD:
            answer.headers["Connection"] = "close"
        await answer(scope, receive, send)


def _is_opened(scope: Scope) -> bool:
    """Say whether somebody opens a page in a browser, and would rather read a page than JSON."""
    accepts = b",".join(value for name, value in scope["headers"] if name == b"accept")
    return scope["method"] == "GET" and not scope["path"].startswith("/api/") and b"text/html" in accepts.lower()
