"""`/api/traces/{id}/optimiser`: what one step of Adam does to one weight."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from ...model.optimiser import WARM_UP, first_step, whole_step
from ...model.recipe import Recipe
from ..describing.explanations import parse_cell
from ..describing.optimiser import describe_first_step, describe_whole_step
from ..schemas.base import Error
from ..schemas.optimiser import OptimiserOut, WholeStepOut
from ..state import Needs

router = APIRouter(
    prefix="/api/traces", tags=["training"], responses={404: {"model": Error}, 422: {"model": Error}, 503: {"model": Error}}
)


@router.get("/{id}/optimiser/{name}", response_model=OptimiserOut)
async def get_first_step(
    request: Request,
    state: Needs,
    id: str,
    name: str,
    cell: str = "",
    rate: float | None = None,
    step: int = 1,
    warm_up: int = WARM_UP,
) -> Response:
    """Take Adam's first step for one weight, at a rate or at that of a step of the paper's schedule."""
    place = parse_cell(cell)
    trace = await state.compute.trace(Recipe.from_id(id))
    await state.compute.gradients(trace)
    first = await state.compute.about(
        trace, lambda: first_step(trace, name, place, rate=rate, place=step, warm_up=warm_up), long=True
    )
    return state.keep(request, describe_first_step(first))


@router.get("/{id}/optimiser", response_model=WholeStepOut)
async def get_whole_step(
    request: Request, state: Needs, id: str, rate: float | None = None, step: int = 1, warm_up: int = WARM_UP
) -> Response:
    """Take Adam's first step with every parameter, in a copy, and say what the loss of the batch is then."""
    trace = await state.compute.trace(Recipe.from_id(id))
    await state.compute.gradients(trace)
    whole = await state.compute.about(trace, lambda: whole_step(trace, rate=rate, place=step, warm_up=warm_up), long=True)
    return state.keep(request, describe_whole_step(whole))
