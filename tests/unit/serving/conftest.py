"""Both protocols, with their defences and without."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from glassformer.app.settings import Settings
from receiving import Served, served
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


@pytest.fixture
def serve(protocol: str) -> Iterator[Serve]:
    """Start a server with some settings; `undefended` has uvicorn's own protocol, to show what a defence is for."""
    with ExitStack() as stack:

        def start(*, undefended: bool = False, **settings: Any) -> Served:
            plain = UNDEFENDED[protocol]
            made = (lambda door, settings, **named: plain(**named)) if undefended else GUESTS[protocol]
            return stack.enter_context(served(Settings(**settings), made))

        yield start
