"""Who may call: the server under its own names only, and other sites' pages not at all (DNS rebinding, cross-site requests)."""

from __future__ import annotations

import re

from starlette.types import Scope

from ..settings import Settings
from .hosts import is_loopback, read_host, read_origin, without_usual_port

Refusal = tuple[int, str, str]
"""A status, a code and a message."""

_READS = ("GET", "HEAD")
_FOR_MONITORS = ("/healthz", "/metrics")
_DRESS = re.compile(r"/static/\w+/(?:css/page\.css|js/theme\.js|icon\.svg)")
"""What the page of a refusal looks like, which is no secret: given out under any name, so that it can be read."""


class Names:
    """The names under which this server is called."""

    def __init__(self, settings: Settings) -> None:
        bound = read_host(f"[{settings.host}]" if ":" in settings.host else settings.host)
        self._only_named = settings.profile == "public" and bool(settings.allow_host)
        self._named = {*settings.allow_host} if self._only_named else {*settings.allow_host, bound}

    def refusal(self, scope: Scope) -> Refusal | None:
        """Return why a request is refused for its Host header, if it is: there must be one, and it must be ours."""
        given = [value for name, value in scope["headers"] if name == b"host"]
        if len(given) != 1:
            return 400, "bad_host", f"a request has one Host header, not {len(given)}"
        if scope["method"] in _READS and _DRESS.fullmatch(scope["path"]):
            return None
        host = read_host(given[0].decode("latin-1"))
        if host is not None and self._is_ours(host, scope):
            return None
        shown = given[0].decode("latin-1")[:60]
        return 400, "bad_host", f"this server is not called {shown!r}; whoever runs it names it so by --allow-host"

    def _is_ours(self, host: str, scope: Scope) -> bool:
        if host in self._named:
            return True
        if self._only_named and scope["path"] not in _FOR_MONITORS:
            return False
        return is_loopback(host) or host == _called(scope)


def foreign(scope: Scope) -> Refusal | None:
    """Return why a request is refused for the page that it comes from, if it is.

    A browser says which by `Sec-Fetch-Site` and `Origin`, and scripts cannot change either. Programs send neither. The page
    itself may be opened by a link from anywhere; whatever computes, changes or holds values may not.
    """
    headers = dict(scope["headers"])
    if headers.get(b"upgrade", b"").lower() == b"websocket":
        return 403, "bad_origin", "there are no web sockets here"
    reads = scope["method"] in _READS
    if reads and not scope["path"].startswith("/api/"):
        return None
    site = headers.get(b"sec-fetch-site", b"same-origin")
    if site == b"none" and reads and headers.get(b"sec-fetch-mode", b"navigate") == b"navigate":
        site = b"same-origin"  # typed into the address bar
    if site != b"same-origin":
        return 403, "bad_origin", "pages of other sites may not ask this server"
    origin = headers.get(b"origin")
    if origin is not None and read_origin(origin.decode("latin-1")) != _own(headers):
        return 403, "bad_origin", "pages of other origins may not ask this server"
    return None


def _own(headers: dict[bytes, bytes]) -> str:
    return without_usual_port(headers.get(b"host", b"").decode("latin-1").lower())


def _called(scope: Scope) -> str | None:
    """Return the address that the connection really came in at; a name that leads here by somebody else's DNS is another."""
    at = str((scope.get("server") or ("",))[0])
    return read_host(f"[{at}]" if ":" in at else at)
