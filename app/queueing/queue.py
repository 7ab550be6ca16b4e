"""Work waits for its turn in a line that is fair to visitors, and goes to a few threads of its own, one piece each."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ...model.deadline import Deadline, keeping
from ...model.errors import DeadlineError
from ..errors import BusyError
from ..observing.request import Timed
from ..settings import Settings
from .aside import Lines
from .asking import Asking, asking
from .visitors import Visitor

T = TypeVar("T")
_MEMORY = 0.1
"""How much the newest piece counts in the mean time of a piece."""


@dataclass(frozen=True, eq=False)
class Turn:
    """A visitor's place in the line for a piece of work."""

    visitor: Visitor
    piece: Piece

    @property
    def aside(self) -> bool:
        """True for what can wait."""
        return self.piece.aside


@dataclass(eq=False)
class Piece:
    """One piece of work, and who wants it. Several who ask for the same share it; each has a turn, the first to come counts."""

    work: Callable[[], Any]
    asked: Asking
    deadline: Deadline
    done: asyncio.Future[Any]
    key: Hashable | None = None
    aside: bool = False
    askers: int = 0
    expiry: asyncio.TimerHandle | None = None
    turns: dict[Visitor, Turn] = field(default_factory=dict)


class FairQueue:
    """Threads, and the line before them. For use on the event loop only.

    Nobody overtakes by asking more often: turns go round by address, then by visitor of that address, then in the order asked.
    `quiet` is set while nothing runs; `pause` is called by the work of this queue wherever it looks at its deadline.
    """

    def __init__(self, name: str, settings: Settings, *, threads: int = 1, pause: Callable[[], float] | None = None) -> None:
        self._settings = settings
        self._pause = pause
        self.quiet = threading.Event()
        self.quiet.set()
        self._pool = ThreadPoolExecutor(max_workers=threads, thread_name_prefix=name, initializer=_step_back)
        self._free = threads
        self._running: set[Piece] = set()
        self._line: Lines[Turn] = Lines()
        self._waiting: set[Piece] = set()
        self._shared: dict[Hashable, Piece] = {}
        self.pieces = 0
        self.seconds = 0.0
        self.mean = 0.0

    async def call(self, work: Callable[[], T], *, key: Hashable | None = None, aside: bool = False) -> T:
        """Run a function when its turn has come.

        Args:
            key: what it works out. While a piece with this key waits or runs, its result is shared, not worked out again.
            aside: it gets its turn when nobody waits for anything else.

        Raises:
            BusyError: too many pieces wait, or this one has waited too long. DeadlineError: the request has had its time.
            GoneError: the client has gone; a piece that nobody else wants is dropped then, or stopped where it looks next.
        """
        asked = asking()
        piece = None if key is None else self._shared.get(key)
        timed = Timed(work) if piece is None else None
        if piece is None:
            assert timed is not None
            piece = self._enter(timed, asked, key, aside)
        else:
            self._join(piece, asked)
        piece.askers += 1
        try:
            found: T = await asked.until(piece.done)
        finally:
            piece.askers -= 1
            if not piece.askers and not piece.done.done():
                self._abandon(piece)
            if timed is not None:
                timed.note()
        return found

    @property
    def waiting(self) -> int:
        """How many pieces wait."""
        return len(self._waiting)

    @property
    def running(self) -> int:
        """How many pieces run."""
        return len(self._running)

    def places(self, visitor: Visitor) -> list[int]:
        """Return where a visitor's pieces stand: 0 runs, 1 is next."""
        return [place for place, who in self.standing() if who == visitor]

    def standing(self) -> list[tuple[int, Visitor]]:
        """Return everybody's places: who is computed for stands at 0."""
        return [(0, piece.asked.visitor) for piece in self._running] + self._line.standing()

    def close(self) -> None:
        """Let the threads end, and what runs stop where it looks next."""
        for piece in self._running:
            piece.deadline.stop()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _enter(self, work: Callable[[], T], asked: Asking, key: Hashable | None, aside: bool) -> Piece:
        self._admit(asked.visitor, aside)
        left = self._settings.deadline_seconds - asked.spent
        if left <= 0:
            raise DeadlineError(
                f"this takes longer than {self._settings.deadline_seconds:g} s, the limit; "
                "what is known by now is kept, so asking again goes on from there"
            )
        loop = asyncio.get_running_loop()
        piece = Piece(work, asked, Deadline(left, pause=self._pause), loop.create_future(), key, aside)
        if key is not None:
            self._shared[key] = piece
        if self._free:
            self._start(piece)
        else:
            self._waiting.add(piece)
            self._line_up(piece, asked.visitor)
        return piece

    def _join(self, piece: Piece, asked: Asking) -> None:
        """Let one more want a piece: they wait no longer than if it were theirs alone, whoever asked first."""
        piece.deadline.allow(self._settings.deadline_seconds - asked.spent)
        if piece in self._waiting and asked.visitor not in piece.turns:
            self._line_up(piece, asked.visitor)

    def _line_up(self, piece: Piece, visitor: Visitor) -> None:
        piece.turns[visitor] = Turn(visitor, piece)
        self._line.put(piece.turns[visitor])
        if piece.expiry is not None:
            piece.expiry.cancel()
        piece.expiry = asyncio.get_running_loop().call_later(self._settings.queue_seconds, self._expire, piece)

    def _step_out(self, piece: Piece) -> None:
        """Take a piece out of the line, with all its turns."""
        self._waiting.discard(piece)
        for turn in piece.turns.values():
            self._line.remove(turn)
        piece.turns.clear()
        if piece.expiry is not None:
            piece.expiry.cancel()

    def _admit(self, visitor: Visitor, aside: bool) -> None:
        if self._free:
            return
        waiting = sum(piece.aside is aside for piece in self._waiting)
        if waiting >= self._settings.queue:
            raise BusyError(f"{waiting} runs are waiting, and no more are let in; try again in a moment")
        most, mine = self._settings.queue_per_visitor, self._line.of(aside).count(visitor.address)
        if most and mine >= most and visitor.address:
            raise BusyError(f"{mine} runs from this address are waiting already, the limit; try again in a moment")

    def _start(self, piece: Piece) -> None:
        self._step_out(piece)
        self._free -= 1
        self._running.add(piece)
        self.quiet.clear()
        loop = asyncio.get_running_loop()
        self._pool.submit(lambda: loop.call_soon_threadsafe(self._finished, piece, *_run(piece)))

    def _finished(self, piece: Piece, result: Any, seconds: float) -> None:
        self._free += 1
        self._running.discard(piece)
        self._forget(piece)
        self._count(piece, seconds)
        _settle(piece, result)
        if self._line and self._free:
            self._start(self._line.next().piece)
        if not self._running:
            self.quiet.set()

    def _count(self, piece: Piece, seconds: float) -> None:
        piece.asked.spent += seconds
        self.pieces += 1
        self.seconds += seconds
        self.mean += (seconds - self.mean) * (_MEMORY if self.pieces > 1 else 1.0)

    def _expire(self, piece: Piece) -> None:
        self._step_out(piece)
        self._forget(piece)
        waited = f"{self._settings.queue_seconds:g} s, the limit"
        _settle(piece, BusyError(f"this has waited for its turn for {waited}, and {self.waiting} others wait; try again"))

    def _abandon(self, piece: Piece) -> None:
        piece.deadline.stop()
        self._forget(piece)
        piece.done.cancel()
        self._step_out(piece)

    def _forget(self, piece: Piece) -> None:
        if piece.key is not None and self._shared.get(piece.key) is piece:
            del self._shared[piece.key]


def _run(piece: Piece) -> tuple[Any, float]:
    """Do the work in a thread; an exception is a result as well, so that the time counts all the same."""
    began = time.monotonic()
    piece.deadline.start()
    try:
        with keeping(piece.deadline):
            piece.deadline.check("its beginning")
            result = piece.work()
    except Exception as error:
        result = error
    return result, time.monotonic() - began


def _settle(piece: Piece, result: Any) -> None:
    if piece.done.done():
        return
    if isinstance(result, Exception):
        piece.done.set_exception(result)
        piece.done.exception()  # who waited may have gone meanwhile
    else:
        piece.done.set_result(result)


def _step_back() -> None:
    """Let every other thread of the process go first, where a thread can be told so (Linux)."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + 5)
