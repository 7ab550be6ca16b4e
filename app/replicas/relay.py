"""The front of a server whose computing is done elsewhere: what needs a model goes there, all else is answered here."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, Callable, Mapping
from functools import lru_cache
from hashlib import blake2s
from typing import Any

import orjson
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...model.budget import check_sizes, estimate
from ...model.errors import GlassformerError
from ...model.library import configure, sketch
from ...model.limits import Limits
from ...model.recipe import canonical, from_id
from ..errors import error_answer
from ..guard.sizes import read_already, read_body
from ..kept import Encoded, KeptAnswers
from ..queueing.asking import GoneError
from ..settings import Settings

logger = logging.getLogger(__name__)

Ask = Callable[[str, dict[str, Any], bytes], AsyncGenerator[Message, None]]
"""Sends a request to where the model is held ("": to whoever has time), and gives the messages of its answer."""

HEAVY = 16 * 2**20
"""Bytes of weights from which on a model is kept to few places: building it takes longer than many a request waits."""
_ABOUT = re.compile(r"/api/(?:traces|decodings)(?:/([^/]+))?")
_PASSED_ON = (
    "type",
    "http_version",
    "method",
    "scheme",
    "path",
    "raw_path",
    "query_string",
    "root_path",
    "headers",
    "client",
    "server",
    "request_id",
)


class Relay:
    """The innermost layer of the front: it reads which model a recipe is for, and sends the request on."""

    def __init__(self, app: ASGIApp, ask: Ask, settings: Settings, answers: KeptAnswers) -> None:
        self._app = app
        self._ask = ask
        self._settings = settings
        self._answers = answers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        about = _ABOUT.match(scope["path"]) if scope["type"] == "http" else None
        if about is None:
            await self._app(scope, receive, send)
            return
        body = await read_body(receive, self._settings.max_body) or b""
        recipe = recipe_of(about[1], body)
        place = None if recipe is None else await asyncio.to_thread(place_of, recipe, self._settings.limits)
        if place is None:
            await self._app(scope, read_already(body, receive), send)
        else:
            await self._pass_on(place, scope, body, send)

    async def _pass_on(self, place: str, scope: Scope, body: bytes, send: Send) -> None:
        """Send the answer on as it comes. Where asking fails before that, once more: asking twice is asking once."""
        request = {name: scope[name] for name in _PASSED_ON if name in scope}
        for again in (True, False):
            begun = False
            try:
                async for message in until_gone(self._ask(place, request, body), scope):
                    if not begun:
                        begun, start = True, message
                    elif message.get("body") and not message.get("more_body"):
                        self._keep(scope, start, message)
                    await send(message)
            except GoneError:
                pass
            except Exception:
                if begun:
                    raise
                logger.exception("asking for request %s failed", scope.get("request_id", ""))
                if again:
                    continue
                busy = error_answer(
                    503, "busy", "the server is starting again; try again in a moment", request_id=scope["request_id"]
                )
                await busy(scope, _nothing, send)
            return

    def _keep(self, scope: Scope, start: Message, message: Message) -> None:
        """Keep an answer that the browser may keep as well."""
        headers = dict(start["headers"])
        if scope["method"] == "GET" and start["status"] == 200 and b"private, max-age" in headers.get(b"cache-control", b""):
            self._answers.put(scope, Encoded(message["body"], headers[b"content-type"].decode()))


async def until_gone(answers: AsyncGenerator[Message, None], scope: Scope) -> AsyncGenerator[Message, None]:
    """Give the messages as they come, and let whoever makes them stop when the client has gone. Raises GoneError."""
    following: asyncio.Task[Message | None] | None = None
    try:
        while True:
            following = asyncio.create_task(_next(answers))
            message = await scope["asking"].until(following)
            if message is None:
                return
            yield message
    finally:
        if following is not None:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
        await answers.aclose()


def recipe_of(id: str | None, body: bytes) -> dict[str, Any] | None:
    """Return what an id or a body says, as far as it names a model."""
    try:
        raw = orjson.loads(body) if id is None else from_id(id)
    except (ValueError, GlassformerError):
        return None
    return raw if isinstance(raw, dict) and isinstance(raw.get("model"), str) else None


def place_of(recipe: Mapping[str, Any], limits: Limits) -> str | None:
    """Return the name of the model as built, "" for a light one, which anybody builds in no time; None for none there can be."""
    options, seed = recipe.get("options") or {}, recipe.get("seed")
    try:
        return _place(recipe["model"], canonical({"options": options, "seed": seed}), limits)
    except (TypeError, ValueError, RecursionError, GlassformerError):
        return None


@lru_cache(maxsize=256)
def _place(model: str, rest: str, limits: Limits) -> str:
    _, config, _ = configure(model, orjson.loads(rest)["options"])
    check_sizes(config, limits)
    ones = dict.fromkeys(("batch", "src", "tgt"), 1)
    if estimate(sketch(config), {**config.sizes, **ones}).parameter_bytes < HEAVY:
        return ""
    return f"{model}-{blake2s(rest.encode(), digest_size=8).hexdigest()}"


async def _next(answers: AsyncGenerator[Message, None]) -> Message | None:
    return await anext(answers, None)


async def _nothing() -> Message:
    return {"type": "http.disconnect"}
