"""The quicker protocol: uvicorn's with httptools, where every wait has an end."""

from __future__ import annotations

import asyncio
from typing import cast

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .guests import UNREADABLE, GuestProtocol, Refusal
from .held import Phase


class HttpToolsGuest(GuestProtocol, HttpToolsProtocol):
    """Counts a head while it comes; a head that is complete is measured by the guard."""

    _in_head = False
    _in_body = False
    _after_another = False
    """What has come now began with the end of another request: how much of it is the head of this one is not known."""

    def take(self, data: bytes) -> Refusal | None:
        self._after_another, in_body, before = False, self._in_body, self.body_bytes
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self.cycle.keep_alive = False  # nothing else is spoken here, and the parser is at its end
        except httptools.HttpParserError:
            return self.too_long(len(self.url), 0) if self._in_head and len(self.url) > self.settings.max_url else UNREADABLE
        if self._in_head and not self._after_another:
            self.head_bytes += len(data)
            return self.too_long(len(self.url), len(self.headers))
        if self._in_body and in_body and not self._after_another:
            return self.too_framed(len(data), self.body_bytes - before)
        return None

    def place(self) -> Phase:
        if self._in_head or self.cycle is None:
            return "head"
        if self._in_body:
            return "body"
        return self.rests()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self.head_bytes = True, 0

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > self.settings.max_url:
            raise ValueError("the address is too long to be taken apart")

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a field of the head. One after the body would come to the others unseen by the guard, which has let them in."""
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._in_head, self._in_body = False, True
        self.begin_body()
        if self.scope["method"] not in ("GET", "HEAD"):
            self.cycle.transport = cast(asyncio.Transport, _Polite(self))

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self.body_bytes += len(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._in_body, self._after_another = False, True


class _Polite:
    """The transport of an answer that may come before the request is whole: it is not closed while there is more to come."""

    def __init__(self, guest: HttpToolsGuest) -> None:
        self._guest = guest
        self.write = guest.transport.write
        self.is_closing = guest.transport.is_closing

    def close(self) -> None:
        if self._guest.place() == "body":
            self._guest.linger()
        else:
            self._guest.transport.close()
