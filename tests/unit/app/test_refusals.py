"""Who asks again at once where the server is busy is refused slowly, and keeps nobody from it."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from calling import Call, run_alone
from fastapi import FastAPI
from glassformer.app import errors
from glassformer.app.errors import BusyError, install_error_handlers
from glassformer.app.queueing import refusals as module
from glassformer.app.queueing.asking import Visiting
from glassformer.app.queueing.refusals import FREE, FREE_FOR_ALL, REST_SECONDS, Refusals
from glassformer.app.settings import Settings
from glassformer.model.errors import InputError


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long each of those rested that did; nobody does so really."""
    found: list[float] = []

    async def sleep(seconds: float) -> None:
        found.append(seconds)

    monkeypatch.setattr(module, "asyncio", SimpleNamespace(sleep=sleep))
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: 7.5))
    return found


def test_some_are_refused_at_once_and_more_only_after_a_rest(slept: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        refusals = Refusals()
        for _ in range(FREE):
            await refusals.rest("192.0.2.1")
        assert slept == []
        await refusals.rest("192.0.2.1")
        assert slept == [REST_SECONDS]
        await refusals.rest("192.0.2.2")
        assert len(slept) == 1
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: 8.0))
        await refusals.rest("192.0.2.1")
        assert len(slept) == 1

    run_alone(test())


def test_many_addresses_together_are_slowed_down_as_well(slept: list[float]) -> None:
    async def test() -> None:
        refusals = Refusals()
        for number in range(FREE_FOR_ALL):
            await refusals.rest(f"192.0.2.{number}")
        assert slept == []
        await refusals.rest("198.51.100.1")
        assert slept == [REST_SECONDS]

    run_alone(test())


def app_that_is_busy() -> FastAPI:
    app = FastAPI()

    @app.get("/busy")
    async def busy() -> None:
        raise BusyError("too many wait")

    @app.get("/wrong")
    async def wrong() -> None:
        raise InputError("no such thing")

    install_error_handlers(app)
    app.add_middleware(Visiting, settings=Settings())
    return app


def test_only_who_is_told_that_the_server_is_busy_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the rest one client had thousands of refusals a second, and a class next to nothing."""
    rested: list[str] = []

    class Noted(Refusals):
        async def rest(self, address: str) -> None:
            rested.append(address)
            await asyncio.sleep(0)

    monkeypatch.setattr(errors, "Refusals", Noted)
    app: Any = app_that_is_busy()

    async def test() -> None:
        busy, wrong = Call(app, "/busy", client="192.0.2.7"), Call(app, "/wrong")
        await asyncio.gather(busy.answer(), wrong.answer())
        assert (busy.status, wrong.status) == (503, 422)
        assert "retry-after" in busy.headers

    run_alone(test())
    assert rested == ["192.0.2.7"]
