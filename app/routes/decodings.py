"""`/api/decodings`: greedy decoding, step by step or as a stream."""

from __future__ import annotations

from collections.abc import AsyncIterable
from typing import Annotated

from fastapi import APIRouter, Header, Path, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from ...model.batch import source_rows
from ...model.decoding import DecodingRecipe
from ...model.library import configure
from .. import describing
from ..answers import json_answer
from ..schemas import DecodingBody, DecodingOut, Error, StepOut
from ..state import Needs, State

router = APIRouter(
    prefix="/api/decodings",
    tags=["decodings"],
    responses={404: {"model": Error}, 413: {"model": Error}, 415: {"model": Error}, 422: {"model": Error}, 503: {"model": Error}},
)


@router.post("", response_model=DecodingOut)
async def make_decoding(body: DecodingBody, state: Needs) -> Response:
    """Make the recipe of a decoding. Nothing runs until a step is asked for."""
    return await _describe(DecodingRecipe.from_dict(body.model_dump(exclude_none=True)), state)


@router.get("/{id}", response_model=DecodingOut)
async def get_decoding(id: str, state: Needs) -> Response:
    """Describe a decoding."""
    return await _describe(DecodingRecipe.from_id(id), state)


@router.get("/{id}/steps/{index}", response_model=StepOut, responses={409: {"model": Error}})
async def get_step(id: str, index: Annotated[int, Path(ge=0, le=100_000)], state: Needs) -> Response:
    """Describe one step: what was fed, what was chosen, what else could have been."""
    recipe = DecodingRecipe.from_id(id)
    decoding = await state.compute.decoding(recipe)
    step = await state.compute.step(decoding, index)
    return json_answer(describing.describe_step(step, _pad(recipe)))


@router.get("/{id}/events", response_class=EventSourceResponse)
async def get_events(
    id: str, state: Needs, last_event_id: Annotated[int, Header(ge=-1, le=100_000)] = -1
) -> AsyncIterable[ServerSentEvent]:
    """Stream the steps as they are computed: `step` events, then `end`. `Last-Event-ID` continues after that step."""
    recipe = DecodingRecipe.from_id(id)
    decoding = await state.compute.decoding(recipe)
    index, finished = last_event_id + 1, False
    if index:
        finished = (await state.compute.step(decoding, last_event_id)).finished
    while not finished:
        step = await state.compute.step(decoding, index)
        yield ServerSentEvent(event="step", id=str(index), data=describing.describe_step(step, _pad(recipe)))
        index, finished = index + 1, step.finished
    yield ServerSentEvent(event="end", data={"steps": index})


async def _describe(recipe: DecodingRecipe, state: State) -> Response:
    await state.compute.decoding(recipe)
    card, config, _ = configure(recipe.model, recipe.options)
    rows, notices = source_rows(card, recipe.src, max_length=config.max_length)
    return json_answer(describing.describe_decoding(recipe, rows, notices, config.pad_id))


def _pad(recipe: DecodingRecipe) -> int:
    return configure(recipe.model, recipe.options)[1].pad_id
