"""`/api/models`: what is known before anything runs."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from ...model.budget import check_sizes
from ...model.errors import InputError
from ...model.library import configure
from ...model.recipe import check_fields
from ..answers import json_answer
from ..describing import traces as describing
from ..schemas.base import Error, ModelOut, Models
from ..state import Needs
from ..trainings.owners import Asks

router = APIRouter(
    prefix="/api/models", tags=["models"], responses={404: {"model": Error}, 422: {"model": Error}, 503: {"model": Error}}
)


@router.get("", response_model=Models)
async def list_models(state: Needs, asker: Asks) -> Response:
    """List the models that come with Glassformer, and those trained here that whoever asks may find."""
    return json_answer(await state.compute.write(lambda: describing.describe_models(state.settings.limits, asker.sees)))


@router.get("/{model}", response_model=ModelOut)
async def get_model(
    model: str,
    state: Needs,
    options: Annotated[str, Query(description="Changed settings as a JSON object.", examples=['{"norm":"pre"}'])] = "",
) -> Response:
    """Describe a model: settings, every tensor with axes, formula and operands, the parts as a tree, parameters with counts."""
    card, config, _ = configure(model, _read_options(model, options))
    if config != card.config:  # a model that is too large to run here can still be read about
        check_sizes(config, state.settings.limits)
    return json_answer(await state.compute.write(lambda: describing.describe_model(card, config, state.settings.limits)))


def _read_options(model: str, text: str) -> dict[str, Any]:
    if not text:
        return {}
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(f"options is {text[:40]!r}; it must be a JSON object", where="options") from None
    check_fields(model, (), raw, None)
    return dict(raw)
