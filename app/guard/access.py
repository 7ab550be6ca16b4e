"""Who may do what: a class by its code, a teacher by a token. Comparisons take as long for a near miss as for any other."""

from __future__ import annotations

import hashlib
import hmac
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import ClassVar

from starlette.types import Scope

from ...model.errors import GlassformerError
from ..settings import Settings
from .cookies import CODE_COOKIE, cookies_of

KEPT_SECONDS = 30 * 24 * 3600
MINUTE = 60.0
MOST_ADDRESSES = 4096
MOST_IN_ALL = 600
"""Wrong codes in a minute after which somebody is guessing from many addresses: a class that mistypes stays far below."""
FEW = 3


class WrongCodeError(GlassformerError):
    """Another class code than the server's."""

    code: ClassVar[str] = "wrong_code"


class TooManyTriesError(GlassformerError):
    """So many wrong codes from one address that it has to wait."""

    code: ClassVar[str] = "too_many"


def is_teacher(scope: Scope, settings: Settings) -> bool:
    """Say whether a request carries the teacher's token: `Authorization: Bearer …`."""
    given = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
    kind, _, token = given.partition(b" ")
    named = settings.teacher_token.encode()
    return bool(named) and kind.lower() == b"bearer" and hmac.compare_digest(token.strip(), named)


def may_enter(scope: Scope, settings: Settings) -> bool:
    """Say whether a request may go on: no code is set, or this browser has given it, or it is the teacher's."""
    if not settings.code or is_teacher(scope, settings):
        return True
    right = pass_of(settings)
    return any(hmac.compare_digest(given, right) for given in cookies_of(scope, CODE_COOKIE))


def pass_of(settings: Settings) -> str:
    """Return what the cookie holds: it follows from the code, so every process knows it, and a new code ends it."""
    return hmac.new(settings.code.encode(), b"glassformer: this browser has given the code", hashlib.sha256).hexdigest()


class Tries:
    """Wrong codes over the last minute, by address and in all. For use on the event loop only.

    No more than MOST_ADDRESSES are remembered. Once MOST_IN_ALL were wrong, an address has FEW tries: who guesses from many has
    little of each, and a class can still come in meanwhile.
    """

    def __init__(self, most: int, now: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._now = now
        self._wrong: OrderedDict[str, list[float]] = OrderedDict()
        self._in_all: deque[float] = deque(maxlen=MOST_IN_ALL)

    def check(self, code: str, settings: Settings, address: str) -> None:
        """Compare a code with the server's.

        Raises:
            WrongCodeError: it is another. TooManyTriesError: this address has tried too often; not even looked at.
        """
        since = self._now() - MINUTE
        recent = [at for at in self._wrong.get(address, ()) if at > since]
        many = len(self._in_all) == MOST_IN_ALL and self._in_all[0] > since
        if len(recent) >= (min(FEW, self._most) if many else self._most):
            raise TooManyTriesError(f"{len(recent)} wrong codes within a minute; wait a minute, then try again", where="code")
        if not hmac.compare_digest(code.encode("utf-8", "replace"), settings.code.encode()):
            self._remember(address, recent)
            raise WrongCodeError("this is not the code of this class", where="code")

    def _remember(self, address: str, recent: list[float]) -> None:
        self._in_all.append(self._now())
        self._wrong[address] = [*recent, self._now()]
        self._wrong.move_to_end(address)
        while len(self._wrong) > MOST_ADDRESSES:
            self._wrong.popitem(last=False)
