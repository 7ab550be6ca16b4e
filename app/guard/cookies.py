"""Our own cookies, and no other: read in one pass, since Python's reader of cookies may take seconds for one that is made to."""

from __future__ import annotations

import re

from starlette.types import Scope

CODE_COOKIE = "glassformer_code"
OWNER_COOKIE = "glassformer_owner"
_OURS = {name.encode(): name for name in (CODE_COOKIE, OWNER_COOKIE)}
_VALUE = re.compile(rb"[0-9a-f]{1,128}")
_MOST = 8
"""Browsers send one of each; a few more come where the host's other programs set some of the same name."""


def cookies_of(scope: Scope, name: str) -> list[str]:
    """Return the values that a request gives for one of our cookies."""
    return [value.decode() for own, value in _pairs(scope) if _OURS[own] == name]


def keep_own_cookies(scope: Scope) -> None:
    """Take all cookies but ours off a request: other programs of the same host set them, and nothing here needs them."""
    headers = scope["headers"]
    if all(name != b"cookie" for name, _ in headers):
        return
    kept = b"; ".join(b"%s=%s" % pair for pair in _pairs(scope))
    scope["headers"] = [(name, value) for name, value in headers if name != b"cookie"] + ([(b"cookie", kept)] if kept else [])


def _pairs(scope: Scope) -> list[tuple[bytes, bytes]]:
    found = []
    for header, line in scope["headers"]:
        if header != b"cookie":
            continue
        for part in line.split(b";"):
            name, _, value = part.partition(b"=")
            name, value = name.strip(), value.strip()
            if name in _OURS and _VALUE.fullmatch(value):
                found.append((name, value))
    return found[:_MOST]
