"""`/api/queue`: who waits, and when it is one's turn."""

from __future__ import annotations

from fastapi import APIRouter, Response

from ..answers import json_answer
from ..asking import asking
from ..schemas_queue import QueueOut
from ..state import Needs

router = APIRouter(prefix="/api/queue", tags=["queue"])


@router.get("", response_model=QueueOut)
async def get_queue(state: Needs) -> Response:
    """Say how many pieces of work wait, where those of who asks stand (0 is computed now, 1 is next), and for about how long."""
    queue = state.compute.computing
    places = sorted(queue.places(asking().visitor))
    seconds = queue.mean * (places[0] if places else queue.waiting)
    body = {"waiting": queue.waiting, "yours": [{"place": place} for place in places], "seconds": round(seconds, 2)}
    return json_answer(body, headers={"Cache-Control": "no-store"})
