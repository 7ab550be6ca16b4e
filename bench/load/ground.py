"""What every load stands on: how long and how many, the calibration, and a server with its crowd."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from .browser import Browser
from .calibration import Calibration
from .oracle import ask_oracle
from .pace import together
from .server import Server, running
from .tally import Tally

KNOWN = 12
"""Browsers whose every token is known beforehand; of the others it is known that each step follows from the one before."""


@dataclass(frozen=True)
class Ground:
    """How a load is run. `seconds` and `browsers` replace its own numbers where they are given."""

    calibration: Calibration | None = None
    seconds: float | None = None
    browsers: int | None = None

    def time(self, usual: float) -> float:
        """Seconds to run for."""
        return usual if self.seconds is None else self.seconds

    def crowd(self, usual: int) -> int:
        """How many browsers."""
        return usual if self.browsers is None else self.browsers

    @property
    def p99(self) -> float | None:
        """The calibration's lateness."""
        return self.calibration.p99 if self.calibration else None

    @property
    def rate(self) -> float | None:
        """The calibration's requests a second."""
        return self.calibration.rate if self.calibration else None


@dataclass(frozen=True)
class Scene:
    """A running server, its crowd, and what is counted."""

    server: Server
    browsers: list[Browser]
    tally: Tally


@asynccontextmanager
async def crowded(
    count: int,
    *,
    profile: str = "classroom",
    settings: Mapping[str, object] | None = None,
    first: int = 0,
    model: str = "pig-latin",
) -> AsyncIterator[Scene]:
    """A server of its own for one load, and browsers that have opened the page."""
    expected = ask_oracle(range(first, first + min(count, KNOWN))) if model == "pig-latin" else {}
    with running(profile, settings=settings) as server:
        tally = Tally()
        browsers = [
            Browser(server.host, server.port, first + each, tally, model=model, expected=expected) for each in range(count)
        ]
        await together(tally, [browser.open() for browser in browsers])
        try:
            yield Scene(server, browsers, tally)
        finally:
            for browser in browsers:
                await browser.leave()
