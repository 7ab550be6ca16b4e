"""The application: routes, errors, guard, put together."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import torch
from fastapi import FastAPI

from .. import __version__
from .assets import read_assets
from .compute import Compute
from .describing.interface import declare_errors
from .describing.traces import describe_models
from .errors import install_error_handlers
from .guard.access import Tries
from .guard.door import Door
from .guard.guard import Guard
from .kept import KeptAnswers, KeptFirst
from .observing.gauges import Cache, Gauges
from .observing.layer import Observed
from .observing.logs import flush_logs
from .observing.metrics import Metrics
from .observing.shared import are_shared, shared_folder
from .queueing.asking import Visiting
from .queueing.board import Board
from .queueing.seats import Seats
from .routes import (
    ancestry,
    code,
    decodings,
    explanations,
    lessons,
    limits,
    metrics,
    models,
    optimiser,
    pages,
    proofs,
    queue,
    run_looks,
    runs,
    traces,
)
from .sending import InPieces, Sending
from .settings import Settings
from .state import State
from .trainings.runs import Runs

SWITCH_SECONDS = 0.001
"""How long a thread keeps the interpreter while another waits: a fifth of Python's own, so that small requests stay quick."""


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the server, ready to be run."""
    settings = settings or Settings()
    torch.set_num_threads(1)
    sys.setswitchinterval(SWITCH_SECONDS)
    state = _state(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        threading.Thread(target=state.assets.warm, name="compress", daemon=True).start()
        first = asyncio.create_task(state.compute.call(lambda: describe_models(settings.limits)))  # nobody waits for it then
        told = [asyncio.create_task(each) for each in (state.gauges.tell(), state.board.tell())] if are_shared() else []
        state.runs.open()
        yield
        for each in told:
            each.cancel()
        await state.runs.close()
        first.cancel()
        state.compute.close()
        flush_logs()

    app = FastAPI(
        title="Glassformer",
        version=__version__,
        description="Every number inside a running Transformer. Values travel as bytes, names and shapes as JSON.",
        lifespan=lifespan,
        openapi_url="/openapi.json" if settings.docs else None,
        docs_url=None,
        redoc_url=None,
    )
    app.state.glassformer = state
    for routes in (  # a request tries them in this order, so what is asked for most often comes first
        decodings,
        traces,
        explanations,
        lessons,
        optimiser,
        ancestry,
        proofs,
        runs,
        run_looks,
        models,
        limits,
        code,
        queue,
        metrics,
        pages,
    ):
        app.include_router(routes.router)
    install_error_handlers(app)
    declare_errors(app)
    app.add_middleware(Visiting, settings=settings)
    app.add_middleware(KeptFirst, answers=state.answers)
    app.add_middleware(Door, settings=settings, assets=state.assets)
    app.add_middleware(InPieces, settings=settings, sending=state.sending)
    app.add_middleware(Guard, settings=settings, assets=state.assets)
    app.add_middleware(Observed, settings=settings, metrics=state.metrics)
    return app


def _state(settings: Settings) -> State:
    compute, answers, metrics = Compute(settings), KeptAnswers(settings.answer_bytes), Metrics()
    caches: dict[str, Cache] = {"traces": compute.traces, "decodings": compute.decodings, "models": compute.models}
    gauges = Gauges(metrics, caches | {"answers": answers}, lambda: compute.waiting)
    tries, streams = Tries(settings.code_tries), Seats(settings)
    sending = Sending(settings.sending_bytes)
    board = Board((compute.computing, compute.long), shared_folder())
    return State(settings, compute, read_assets(), answers, Runs(settings), metrics, gauges, tries, streams, sending, board)
