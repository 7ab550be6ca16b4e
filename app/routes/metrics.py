"""`/metrics`: what is counted, for Prometheus; to this machine, to a teacher, or to whom the setting names."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response
from prometheus_client.exposition import choose_encoder
from starlette.exceptions import HTTPException
from starlette.types import Scope

from ..guard.access import is_teacher
from ..guard.hosts import is_loopback
from ..observing.shared import registry_of
from ..settings import Settings
from ..state import Needs

router = APIRouter()
_FORWARDED = frozenset({b"forwarded", b"via", b"x-forwarded-for", b"x-real-ip"})


@router.get("/metrics", include_in_schema=False)
async def get_metrics(request: Request, state: Needs) -> Response:
    """Write all numbers; those of several processes are added up."""
    settings = state.settings
    if settings.metrics == "off":
        raise HTTPException(404)
    if not may_read(request.scope, settings):
        raise HTTPException(403, "the metrics are for this machine and for the teacher's token")
    states = await asyncio.to_thread(lambda: [state.runs.state(run) for run in state.runs.shelf.runs()])
    state.gauges.read(states)
    encode, kind = choose_encoder(request.headers.get("accept", ""))
    registry = registry_of(state.metrics)
    content = await asyncio.to_thread(encode, registry)  # not in the queue, which may be full just when somebody looks
    return Response(content, media_type=kind, headers={"Cache-Control": "no-store"})


def may_read(scope: Scope, settings: Settings) -> bool:
    """Say whether who asks may see the numbers: anybody, the teacher, or this machine, through no proxy that says so."""
    here = _is_own(scope) and not _FORWARDED & {name for name, _ in scope["headers"]}
    return settings.metrics == "open" or here or is_teacher(scope, settings)


def _is_own(scope: Scope) -> bool:
    """Say whether a connection begins on the machine where it ends: by loopback, or by an address that it has in a network."""
    client, server = (str((scope.get(end) or ("",))[0]) for end in ("client", "server"))
    return is_loopback(client) or client == server != ""
