"""A server in a thread of this process, so that a test can break a part of it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from glassformer.app.main import create_app
from glassformer.app.settings import Settings


@contextmanager
def serving_here(**settings: object) -> Iterator[int]:
    """Serve a class in a thread, with other settings where they are given; gives the port."""
    app = create_app(Settings(profile="classroom", **settings))  # type: ignore[arg-type]
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="critical", access_log=False, timeout_graceful_shutdown=1))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        thread.join(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(20)
