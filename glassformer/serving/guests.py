"""A connection that waits for nothing without end: what both of uvicorn's protocols have in common here."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from uvicorn.protocols.http.flow_control import FlowControl

from ..app.settings import Settings
from .door import Door
from .held import Phase
from .refusals import refusal
from .sending import in_system

Refusal = tuple[int, str, str]
CROWDED: Refusal = (503, "busy", "the server has as many connections as it can hold; try again in a moment")
UNREADABLE: Refusal = (400, "bad_request", "this is no request of HTTP/1.1")
FIRST_LINE_BYTES = 32
"""What a head holds besides address and headers: method, version, blanks."""
FRAME_BYTES = 8
"""What may stand around a byte of a body, on average: a chunk of one byte has five."""
DISCARDED_BYTES = 4 * 2**20
"""What a client may go on sending after it was refused."""


class GuestProtocol(asyncio.Protocol):
    """Told to the door at every turn. Comes before one of uvicorn's protocols among the bases, whose attributes it uses.

    A refused client is not cut off at once: what is still on its way would make the system throw away the answer with it.
    """

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    client: tuple[str, int] | None
    cycle: Any
    flow: FlowControl

    def __init__(self, door: Door, settings: Settings, **named: Any) -> None:
        super().__init__(**named)
        self.door = door
        self.settings = settings
        self.phase: Phase = "gone"
        self.address = ""
        self.body_bytes = 0
        self.head_bytes = 0
        self._frame_bytes = 0
        self._discarded = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        if not self.door.let_in(self, self.loop.time()):
            self.transport.write(refusal(*CROWDED, self.settings))
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.door.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.phase == "gone":
            return
        if self.phase == "closing":
            self._discarded += len(data)
            if self._discarded > DISCARDED_BYTES:
                self.drop()
            return
        self.keep_open()
        if (refused := self.take(data)) is not None:
            self.refuse(refused)
        self.turn()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.door.stall(self, self.loop.time())

    def resume_writing(self) -> None:
        super().resume_writing()
        self.door.flow(self)
        self.turn()

    def on_response_complete(self) -> None:
        super().on_response_complete()  # type: ignore[misc]
        self.turn()

    def shutdown(self) -> None:
        """End with the server: at once, unless an answer is on its way."""
        if self.phase == "answer":
            super().shutdown()  # type: ignore[misc]
        else:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        self.refuse(UNREADABLE)

    def rests(self) -> Phase:
        """Return where a client is that sends nothing: an answer that is written is not yet taken."""
        return "idle" if self.cycle.response_complete and not self.flow.write_paused else "answer"

    def keep_open(self) -> None:
        """Let uvicorn not close this connection, since it is not idle."""
        super()._unset_keepalive_if_required()  # type: ignore[misc]

    def take(self, data: bytes) -> Refusal | None:
        """Read what has come; return why no more of it is read."""
        raise AssertionError("a protocol says how it reads")

    def place(self) -> Phase:
        """Return where in its request the client is."""
        raise AssertionError("a protocol says where it is")

    def turn(self) -> None:
        """Tell the door where this connection is now."""
        if self.phase in ("closing", "gone") or self.transport.is_closing():
            return
        phase = self.place()
        if phase == "body" and self.cycle.response_complete:
            self.linger()  # the rest of a body that nobody wants
        else:
            self.door.enter(self, phase, self.loop.time())

    def too_long(self, address: int, headers: int) -> Refusal | None:
        """Say whether a head that is still on its way is too long already: by its address, its bytes, its headers."""
        limits = self.settings
        if address > limits.max_url:
            return 414, "too_large", f"the address has more than {limits.max_url} bytes, the limit"
        if self.head_bytes > address + FIRST_LINE_BYTES + limits.max_header:
            return 431, "too_large", f"the headers have more than {limits.max_header} bytes, the limit"
        if headers > limits.max_headers:
            return 431, "too_large", f"there are more than {limits.max_headers} headers, the limit"
        return None

    def begin_body(self) -> None:
        """Count anew: the head is whole."""
        self.body_bytes = self._frame_bytes = 0

    def too_framed(self, received: int, body: int) -> Refusal | None:
        """Say whether there is too much around a body, after so many bytes more of which some are its own.

        Sizes of chunks and what is appended to them, and fields after the last one: no byte of that is counted as the body's,
        and a parser holds the fields. Each byte of the body makes up for some.
        """
        self._frame_bytes = max(0, self._frame_bytes + received - body - FRAME_BYTES * body)
        if self._frame_bytes > self.settings.max_header:
            return 413, "too_large", f"what stands around the body has more than {self.settings.max_header} bytes, the limit"
        return None

    def refuse(self, why: Refusal) -> None:
        """Answer in the app's place, and close; an answer that has begun is cut off."""
        if self.transport.is_closing():
            return
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete:
            if cycle.response_started or getattr(self, "pipeline", deque()):
                self.drop()
                return
            cycle.disconnected = True
            cycle.message_event.set()
        self.door.refused[why[1]] += 1
        self.transport.write(refusal(*why, self.settings))
        self.linger()

    def linger(self) -> None:
        """Say that this is all, and read on for a moment."""
        self.keep_open()
        self.door.enter(self, "closing", self.loop.time())
        self.flow.resume_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()

    def too_slow(self) -> None:
        """Close a connection whose request does not come; who has sent nothing at all is told nothing."""
        if self.phase == "head" and self.head_bytes == 0:
            self.close()
        else:
            seconds = self.settings.head_seconds if self.phase == "head" else self.settings.body_seconds
            self.refuse((408, "too_slow", f"the {self.phase} of the request has not come within {seconds:g} seconds"))

    def close(self) -> None:
        """Close as soon as the client has taken what is here for it, for which it has to go on reading."""
        if self.transport.get_write_buffer_size():
            self.door.enter(self, "answer", self.loop.time())
            self.door.stall(self, self.loop.time())
        else:
            self.door.leave(self)
        self.transport.close()

    def drop(self) -> None:
        """Cut the connection."""
        self.door.leave(self)
        self.transport.abort()

    def unsent(self) -> int:
        """Return how many bytes wait for the client, here and in the system."""
        return self.transport.get_write_buffer_size() + in_system(self.transport.get_extra_info("socket"))
