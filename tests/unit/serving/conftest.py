"""Both protocols, with their defences and without."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from glassformer.app.settings import Settings
from receiving import PATIENCE, Served, start
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from glassformer.serving.with_h11 import H11Guest
from glassformer.serving.with_httptools import HttpToolsGuest

GUESTS = {"httptools": HttpToolsGuest, "h11": H11Guest}
UNDEFENDED = {"httptools": HttpToolsProtocol, "h11": H11Protocol}

Serve = Callable[..., Served]


@pytest.fixture(params=GUESTS)
def protocol(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def servers() -> Iterator[dict[Any, Served]]:
    """Those that were started, by protocol and settings; they are ended together."""
    started: dict[Any, Served] = {}
    yield started
    for server in started.values():
        server.server.should_exit = True
    for server in started.values():
        server.thread.join(PATIENCE)
        assert not server.thread.is_alive()


@pytest.fixture
def serve(protocol: str, servers: dict[Any, Served]) -> Iterator[Serve]:
    """Give a server with some settings; `undefended` has uvicorn's own protocol, to show what a defence is for."""
    used: list[Served] = []

    def find(*, undefended: bool = False, **settings: Any) -> Served:
        key = (protocol, undefended, *sorted(settings.items()))
        if key not in servers:
            plain = UNDEFENDED[protocol]
            made = (lambda door, settings, **named: plain(**named)) if undefended else GUESTS[protocol]
            servers[key] = start(Settings(**settings), made)
        used.append(servers[key])
        return servers[key]

    yield find
    for server in used:
        server.settle()
