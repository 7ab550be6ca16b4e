"""`/api/queue`: who waits, and when it is one's turn."""

from __future__ import annotations

from fastapi import APIRouter, Response

from ..answers import json_answer
from ..queueing.asking import asking
from ..schemas.queue import QueueOut
from ..state import Needs

router = APIRouter(prefix="/api/queue", tags=["queue"])


@router.get("", response_model=QueueOut)
async def get_queue(state: Needs) -> Response:
    """Say how many pieces of work wait, where those of who asks stand (0 is computed now, 1 is next), and for about how long."""
    queues = (state.compute.computing, state.compute.long)
    turns = sorted((place, queue.mean * place) for queue in queues for place in queue.places(asking().visitor))
    seconds = turns[0][1] if turns else queues[0].mean * queues[0].waiting
    waiting = sum(queue.waiting for queue in queues)
    body = {"waiting": waiting, "yours": [{"place": place} for place, _ in turns], "seconds": round(seconds, 2)}
    return json_answer(body, headers={"Cache-Control": "no-store"})
