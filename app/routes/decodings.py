"""`/api/decodings`: decoding step by step or as a stream, its tree, its result, what a cache saves, and the target beside it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header, Path, Query, Response

from ...model.batch import source_rows
from ...model.decoding import Decoding, DecodingRecipe
from ...model.errors import FinishedError
from ...model.library import configure
from ..answers import json_answer
from ..describing import decodings as describing
from ..describing.strategies import describe_strategies
from ..schemas.base import Error
from ..schemas.decodings import DecodingBody, DecodingOut, ForcedOut, ResultOut, SavingOut, StepOut, StrategyOut, TreeOut
from ..state import Needs, State
from ..streams import CursorError, Event, EventStream, read_cursor

router = APIRouter(
    prefix="/api/decodings",
    tags=["decodings"],
    responses={404: {"model": Error}, 413: {"model": Error}, 415: {"model": Error}, 422: {"model": Error}, 503: {"model": Error}},
)
Index = Annotated[int, Path(ge=0, le=100_000)]


@router.post("", response_model=DecodingOut)
async def make_decoding(body: DecodingBody, state: Needs) -> Response:
    """Make the recipe of a decoding. Nothing runs until a step is asked for."""
    return await _describe(DecodingRecipe.from_dict(body.model_dump(exclude_none=True)), state)


@router.get("/strategies", response_model=list[StrategyOut])
async def get_strategies() -> Response:
    """List the ways of choosing the next token, with their settings."""
    return json_answer(describe_strategies())


@router.get("/{id}", response_model=DecodingOut)
async def get_decoding(id: str, state: Needs) -> Response:
    """Describe a decoding."""
    return await _describe(DecodingRecipe.from_id(id), state)


@router.get("/{id}/steps/{index}", response_model=StepOut, responses={409: {"model": Error}})
async def get_step(id: str, index: Index, state: Needs) -> Response:
    """Describe one step: what was fed, what was chosen, what else could have been."""
    recipe = DecodingRecipe.from_id(id)
    decoding = await state.compute.decoding(recipe)
    step = await state.compute.step(decoding, index)
    return json_answer(describing.describe_step(step, _pad(recipe)))


@router.get("/{id}/steps/{index}/cache", response_model=SavingOut, responses={409: {"model": Error}})
async def get_saving(id: str, index: Index, state: Needs) -> Response:
    """Say what keeping keys and values saves at a step, whichever way the decoding itself runs."""
    decoding = await state.compute.decoding(DecodingRecipe.from_id(id))
    return json_answer(describing.describe_saving(await state.compute.saving(decoding, index)))


@router.get("/{id}/tree", response_model=TreeOut, responses={409: {"model": Error}})
async def get_tree(id: str, state: Needs, to: Annotated[int | None, Query(ge=0, le=100_000)] = None) -> Response:
    """Describe all hypotheses: those so far, or after the steps up to `to`, or to the end where that comes before."""
    recipe = DecodingRecipe.from_id(id)
    decoding = await state.compute.decoding(recipe)
    if to is not None:
        await _go_to(decoding, state, to)
    return json_answer(describing.describe_tree(decoding, _pad(recipe)))


@router.get("/{id}/result", response_model=ResultOut)
async def get_result(id: str, state: Needs) -> Response:
    """Decode to the end and say what was written, with the log-probability of every token."""
    recipe = DecodingRecipe.from_id(id)
    decoding = await state.compute.decoding(recipe)
    await _go_to(decoding, state, recipe.max_steps)
    return json_answer(describing.describe_result(decoding, _pad(recipe)))


@router.get("/{id}/forced", response_model=ForcedOut)
async def get_forced(id: str, state: Needs, tgt: Annotated[list[str], Query(max_length=64)]) -> Response:
    """Decode to the end, run the given targets once, and set both beside each other, position by position."""
    recipe = DecodingRecipe.from_id(id)
    decoding = await state.compute.decoding(recipe)
    await _go_to(decoding, state, recipe.max_steps)
    trace, sentences = await state.compute.forced(decoding, tgt)
    return json_answer(describing.describe_forced(trace, sentences, _pad(recipe)))


@router.get(
    "/{id}/events",
    response_class=EventStream,
    status_code=200,
    responses={204: {"description": "It has ended."}, 409: {"model": Error}},
)
async def get_events(id: str, state: Needs, last_event_id: Annotated[str, Header(max_length=64)] = "") -> Response:
    """Stream the steps as they are computed: `step` events, then `end`. `Last-Event-ID` continues after that step.

    `error` says why a step cannot be taken, `bye` that the server ends. 204 says that there is nothing after that step.
    """
    recipe = DecodingRecipe.from_id(id)
    last = read_cursor(last_event_id, most=recipe.max_steps - 1)
    decoding = await state.compute.decoding(recipe)
    if last >= 0 and decoding.steps and decoding.steps[-1].finished:
        end = decoding.steps[-1].index
        if last > end:
            raise CursorError(f"Last-Event-ID is {last}; the decoding ended with step {end}", where="Last-Event-ID")
        if last == end:
            return Response(status_code=204)
    return state.stream(_events(decoding, state, last))


async def _events(decoding: Decoding, state: State, last: int) -> AsyncIterator[Event]:
    """Give the steps after `last`; those up to it, where they are not known any more, are taken again first."""
    try:
        finished = last >= 0 and (await state.compute.step(decoding, last)).finished
    except FinishedError as error:
        raise CursorError(error.message, where="Last-Event-ID") from None
    index, pad = last + 1, _pad(decoding.recipe)
    while not finished:
        step = await state.compute.step(decoding, index)
        yield Event("step", describing.describe_step(step, pad), id=index)
        index, finished = index + 1, step.finished
    yield Event("end", {"steps": index})


async def _describe(recipe: DecodingRecipe, state: State) -> Response:
    await state.compute.decoding(recipe)
    card, config, _ = configure(recipe.model, recipe.options)
    rows, notices = source_rows(card, recipe.src, max_length=config.max_length)
    return json_answer(describing.describe_decoding(recipe, rows, notices, config.pad_id))


async def _go_to(decoding: Decoding, state: State, index: int) -> None:
    """Compute the steps up to `index` or to the end, one piece of work each, so that others come in between."""
    for each in range(index + 1):
        if (await state.compute.step(decoding, each)).finished:
            return


def _pad(recipe: DecodingRecipe) -> int:
    return configure(recipe.model, recipe.options)[1].pad_id
