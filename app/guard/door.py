"""The door of a class: without its code one sees the page that asks for it, and nothing else."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from ..assets import Assets
from ..errors import error_answer
from ..pages import code_page
from ..settings import Settings
from .access import may_enter

_OPEN = ("/healthz", "/metrics", "/api/code")
_OPEN_FOLDERS = ("/static/", "/vendor/")


class Door:
    """Let in who has given the code. It stands before kept answers, which would be given to anybody otherwise."""

    def __init__(self, app: ASGIApp, settings: Settings, assets: Assets) -> None:
        self._app = app
        self._settings = settings
        self._assets = assets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self._is_open(scope["path"]) or may_enter(scope, self._settings):
            await self._app(scope, receive, send)
        elif scope["method"] in ("GET", "HEAD") and not scope["path"].startswith(("/api/", "/openapi.json")):
            await code_page(scope, self._assets)(scope, receive, send)
        else:
            message = "this class has a code: reload the page and give it, then all goes on"
            await error_answer(401, "code_needed", message, request_id=scope["request_id"])(scope, receive, send)

    def _is_open(self, path: str) -> bool:
        return path in _OPEN or path.startswith(_OPEN_FOLDERS)
