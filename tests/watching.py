"""Listening to a browser: what goes wrong on a page that no assertion looks at."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext

LOCAL_SCHEMES = ("data", "blob", "about")
VIOLATIONS = """document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) =>
  console.error(`policy: ${violatedDirective} ${blockedURI} ${sample}`));"""


def watch(context: BrowserContext, origin: str, report: Callable[[str], None]) -> None:
    """Report what goes wrong on any page of a context.

    Uncaught errors, errors on the console, dialogs, what the page's policy forbids, and requests that leave `origin`.
    """
    context.on("dialog", lambda dialog: (report(f"dialog: {dialog.message}"), dialog.dismiss()))
    context.add_init_script(VIOLATIONS)
    context.on("weberror", lambda error: report(f"uncaught: {error.error.message}"))
    context.on("console", lambda message: report(f"console: {message.text}") if message.type == "error" else None)
    context.on("request", lambda request: report(f"left the server: {request.url}") if leaves(request.url, origin) else None)


def leaves(url: str, origin: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme not in LOCAL_SCHEMES and f"{parts.scheme}://{parts.netloc}" != origin
