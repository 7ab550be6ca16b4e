"""`/api/traces/{id}/ancestry`: one number shared out among tokens, positions, constants and heads."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from ...model.ancestry import ancestry
from ...model.recipe import Recipe
from ..answers import json_bytes
from ..describing.ancestry import describe_ancestry
from ..describing.explanations import parse_cell
from ..schemas.base import Error
from ..schemas.explanations import AncestryOut
from ..state import Needs

router = APIRouter(prefix="/api/traces", tags=["traces"], responses={404: {"model": Error}, 422: {"model": Error}})


@router.get("/{id}/ancestry/{name}", response_model=AncestryOut)
async def get_ancestry(request: Request, state: Needs, id: str, name: str, cell: str = "") -> Response:
    """Say what each token, position code, constant and head adds to one cell, where it is a weighted sum of them."""
    place = parse_cell(cell)
    trace = await state.compute.trace(Recipe.from_id(id))
    return state.keep(request, await state.compute.write(lambda: json_bytes(describe_ancestry(ancestry(trace, name, place)))))
