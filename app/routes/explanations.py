"""`/api/traces/{id}/explanations`: one number written out."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request, Response

from ...model.explanation import explain
from ...model.gradient_explanation import explain_gradient
from ...model.recipe import Recipe
from ..answers import json_bytes
from ..describing.explanations import check_rows, describe_explanation, parse_cell
from ..schemas.base import Error
from ..schemas.explanations import ExplanationOut
from ..state import Needs

router = APIRouter(prefix="/api/traces", tags=["traces"], responses={404: {"model": Error}, 422: {"model": Error}})


@router.get("/{id}/explanations/{name}", response_model=ExplanationOut)
async def get_explanation(
    request: Request,
    state: Needs,
    id: str,
    name: str,
    cell: str = "",
    order: str = "place",
    start: int = 0,
    count: int = 64,
    of: Literal["value", "gradient"] = "value",
) -> Response:
    """Write one cell of a tensor, or of its gradient, out: the cells it is made from, and how they combine."""
    place = parse_cell(cell)
    check_rows(order, start, count)
    trace = await state.compute.trace(Recipe.from_id(id))

    def work() -> bytes:
        explanation = explain(trace, name, place) if of == "value" else explain_gradient(trace, name, place)
        return json_bytes(describe_explanation(explanation, order=order, start=start, count=count))

    if of == "gradient":
        await state.compute.gradients(trace)
    return state.keep(request, await (state.compute.write(work) if of == "value" else state.compute.about(trace, work)))
