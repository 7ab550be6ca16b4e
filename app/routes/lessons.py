"""`/api/traces/{id}/sheet`, `/gradients` and `/whatif`: a training step laid open."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from ...model.gradients import check_gradient
from ...model.recipe import Recipe
from ...model.sheet import lay_open
from ...model.whatif import what_if
from ..answers import json_answer
from ..describing import lessons as describing
from ..describing.explanations import parse_cell
from ..schemas.base import Error
from ..schemas.lessons import CheckOut, GradientsOut, SheetOut, WhatIfOut
from ..state import Needs

router = APIRouter(
    prefix="/api/traces", tags=["training"], responses={404: {"model": Error}, 422: {"model": Error}, 503: {"model": Error}}
)


@router.get("/{id}/sheet", response_model=SheetOut)
async def get_sheet(request: Request, state: Needs, id: str) -> Response:
    """Lay a batch open, position by position."""
    trace = await state.compute.trace(Recipe.from_id(id))
    body = await state.compute.write(lambda: describing.describe_sheet(lay_open(trace), trace.config.pad_id))
    return state.keep(request, body)


@router.get("/{id}/gradients", response_model=GradientsOut)
async def get_gradients(request: Request, state: Needs, id: str) -> Response:
    """Go back from the loss; answer with the length of every gradient. Values: `…/tensors/{name}?of=gradient`."""
    gradients = await state.compute.gradients(await state.compute.trace(Recipe.from_id(id)))
    return state.keep(request, await state.compute.write(lambda: describing.describe_gradients(gradients)))


@router.get("/{id}/gradients/{name}/check", response_model=CheckOut)
async def get_check(request: Request, state: Needs, id: str, name: str, cell: str = "") -> Response:
    """Hold one cell of a gradient against a central difference of the loss, in float64."""
    place = parse_cell(cell)
    trace = await state.compute.trace(Recipe.from_id(id))
    check = await state.compute.about(trace, lambda: check_gradient(trace, name, place), long=True)
    return state.keep(request, describing.describe_check(check))


@router.get("/{id}/whatif", response_model=WhatIfOut)
async def get_what_if(state: Needs, id: str, cell: str, logit: float) -> Response:
    """Say what becomes of a row of logits when one of them is another number."""
    place = parse_cell(cell)
    trace = await state.compute.trace(Recipe.from_id(id))
    return json_answer(await state.compute.write(lambda: describing.describe_what_if(what_if(trace, place, logit))))
