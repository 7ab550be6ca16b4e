"""When no garbage is looked for: while a program starts, and later among what it made then."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def making_what_stays() -> Iterator[None]:
    """Look for no garbage in the block, which makes next to none, and never again among what it made.

    Modules are half a million objects. Looking through them takes a tenth of a second each time, and everybody waits meanwhile.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


YOUNG, MIDDLE, OLD = 50_000, 20, 50
"""Objects made since the last look at the young ones; looks at those before one at what has stayed; and at that before all."""


def look_rarely() -> None:
    """Look for garbage seldom from now on: what a server keeps are traces, some hundred thousand objects without a circle.

    Python looks through all of them again and again, since steps make so many; nobody is answered meanwhile, a fifth of a second
    each time. What is no part of a circle, as nearly everything, goes at once without being looked for.
    """
    gc.set_threshold(YOUNG, MIDDLE, OLD)
