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
    standing = state.board.standing(asking().visitor)
    yours = [{"place": place} for place, _ in standing.turns]
    body = {"waiting": standing.waiting, "yours": yours, "seconds": round(standing.seconds, 2)}
    return json_answer(body, headers={"Cache-Control": "no-store"})
