"""The protocol where there is no httptools: uvicorn's with h11, where every wait has an end."""

from __future__ import annotations

from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from ..app.settings import Settings
from .door import Door
from .guests import FIRST_LINE_BYTES, UNREADABLE, GuestProtocol, Refusal
from .held import Phase


class H11Guest(GuestProtocol, H11Protocol):
    """Measures what h11 holds of a head; a head that is complete is measured by the guard."""

    conn: _Counted

    def __init__(self, door: Door, settings: Settings, **named: Any) -> None:
        super().__init__(door, settings, **named)
        self.conn = _Counted(h11.SERVER, settings.max_url + settings.max_header + 2 * FIRST_LINE_BYTES)

    def take(self, data: bytes) -> Refusal | None:
        before, bodies, in_body = self.conn.body_bytes, self.conn.bodies, self.conn.their_state is h11.SEND_BODY
        self.conn.receive_data(data)
        self.handle_events()
        if self.conn.their_state is h11.IDLE:
            return self._measured()
        if self.conn.their_state is not h11.SEND_BODY:
            return None
        body = self.conn.body_bytes - before
        if not in_body or self.conn.bodies != bodies:
            self.begin_body()
        self.body_bytes += body
        return self.too_framed(len(data), body) if in_body and self.conn.bodies == bodies else None

    def place(self) -> Phase:
        theirs = self.conn.their_state
        if theirs is h11.SEND_BODY:
            return "body"
        if self.cycle is None or (theirs is h11.IDLE and self.conn.trailing_data[0]):
            return "head"
        return self.rests()

    def send_400_response(self, msg: str) -> None:
        held = len(self.conn.trailing_data[0])
        self.refuse((self.too_framed(held, 0) if self.conn.in_body else self._measured()) or UNREADABLE)

    def _measured(self) -> Refusal | None:
        held = self.conn.trailing_data[0]
        self.head_bytes = len(held)
        lines = held.split(b"\r\n")
        words = lines[0].split(b" ")
        return self.too_long(len(words[1]) if len(words) > 1 else 0, len(lines) - 1)


class _Counted(h11.Connection):
    """Counts what it reads of bodies, and how many of them it has begun."""

    body_bytes = 0
    bodies = 0
    in_body = False

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Data):
            self.body_bytes += len(event.data)
        elif isinstance(event, h11.Request):
            self.bodies, self.in_body = self.bodies + 1, True
        elif isinstance(event, h11.EndOfMessage):
            self.in_body = False
        return event
