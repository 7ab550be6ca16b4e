"""`/api/code`: giving the code of a class."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from ..answers import json_answer
from ..guard.access import KEPT_SECONDS, may_enter, pass_of
from ..guard.cookies import CODE_COOKIE
from ..queueing.visitors import visitor_of
from ..schemas.base import CodeBody, Entered, Error
from ..state import Needs

router = APIRouter(prefix="/api/code", tags=["server"])


@router.get("", response_model=Entered)
async def get_entered(request: Request, state: Needs) -> Response:
    """Say whether this browser may go on: it has given the code, or there is none."""
    return json_answer({"entered": may_enter(request.scope, state.settings)}, headers={"Cache-Control": "no-store"})


@router.post("", response_model=Entered, responses={status: {"model": Error} for status in (403, 413, 415, 422, 429)})
async def give_code(body: CodeBody, request: Request, state: Needs) -> Response:
    """Give the code; the answer brings a cookie that no script can read and no other site can send."""
    state.tries.check(body.code, state.settings, visitor_of(request.scope, state.settings).address)
    answer = json_answer({"entered": True}, headers={"Cache-Control": "no-store"})
    answer.set_cookie(CODE_COOKIE, pass_of(state.settings), max_age=KEPT_SECONDS, httponly=True, samesite="strict", path="/")
    return answer
