"""The protocol where there is no httptools: uvicorn's with h11, where every wait has an end."""

from __future__ import annotations

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from .door import Phase
from .guests import UNREADABLE, GuestProtocol, Refusal


class H11Guest(GuestProtocol, H11Protocol):
    """Measures what h11 holds of a head; a head that is complete is measured by the guard."""

    def take(self, data: bytes) -> Refusal | None:
        self.conn.receive_data(data)
        self.handle_events()
        if self.conn.their_state is h11.SEND_BODY:
            self.body_bytes += len(data)
        else:
            self.body_bytes = 0
        return self._measured() if self.conn.their_state is h11.IDLE else None

    def place(self) -> Phase:
        theirs = self.conn.their_state
        if theirs is h11.SEND_BODY:
            return "body"
        if self.cycle is None or (theirs is h11.IDLE and self.conn.trailing_data[0]):
            return "head"
        return self.rests()

    def send_400_response(self, msg: str) -> None:
        self.refuse(self._measured() or UNREADABLE)

    def _measured(self) -> Refusal | None:
        held = self.conn.trailing_data[0]
        self.head_bytes = len(held)
        lines = held.split(b"\r\n")
        words = lines[0].split(b" ")
        return self.too_long(len(words[1]) if len(words) > 1 else 0, len(lines) - 1)
