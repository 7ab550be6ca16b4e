"""`/api/runs/…`: what there is to see of a training: its log, live or as it stands, schedule, scores, one step, its files."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Header, Query, Response

from ...model.errors import UnknownNameError
from ...model.training.exchange import card_of, pack
from ...model.training.inspection import inspect
from ...model.training.plan import make_plan
from ...model.training.recipe import TrainingRecipe
from ...model.training.run_folder import ACTIVE, RunFolder
from ...model.training.scoring import score_checkpoint
from ..answers import SAFETENSORS, json_answer
from ..describing import runs as describing
from ..describing.explanations import parse_cell
from ..file_names import file_name
from ..schemas.base import Error
from ..schemas.runs import InspectionOut, LogOut, RunScheduleOut, ScoresOut
from ..state import Needs, State
from ..streams import Event, EventStream, read_cursor
from ..trainings.owners import Asker, Asks
from .runs import describe

router = APIRouter(prefix="/api/runs", tags=["runs"], responses={status: {"model": Error} for status in (404, 422, 503)})
NEWS_SECONDS = 5.0
"""How long a stream waits before it looks by itself."""
STILL_SECONDS = 60.0
"""How long a stream stays without an event, of a training that stands still; its reader comes again if it still wants to know."""
Step = Annotated[int | None, Query(ge=0, le=10**9, description="A kept checkpoint; left out, the last one.")]
_FILE: dict[int | str, dict[str, object]] = {
    200: {"description": "The file.", "content": {SAFETENSORS: {"schema": {"type": "string", "format": "binary"}}}}
}


@router.get("/{id}/log", response_model=LogOut)
async def get_log(id: str, state: Needs, start: Annotated[int, Query(alias="from", ge=0)] = 0) -> Response:
    """Send the log from a step on: loss, learning rate and gradient norm; loss and accuracy on held-out pairs."""
    run = state.runs.get(id)
    return json_answer(await state.compute.write(lambda: describing.describe_points(run.points(after=start - 1))))


@router.get("/{id}/events", response_class=EventStream, status_code=200, responses={409: {"model": Error}})
async def get_events(id: str, state: Needs, asker: Asks, last_event_id: Annotated[str, Header(max_length=64)] = "") -> Response:
    """Stream a run: `points` as the log grows, `run` as it changes, `end` when nobody is at work on it any more.

    An event's id is the step of its last point; `Last-Event-ID` continues after that step. `ended` says that the run was deleted,
    `bye` that the server ends, that another needs the place, or that there was nothing to tell for a minute: come again.
    """
    run = state.runs.get(id)
    last = read_cursor(last_event_id, most=max(int(run.about.get("steps", 0)), int(run.status["step"])))
    return state.stream(_events(run, state, asker, last))


async def _events(run: RunFolder, state: State, asker: Asker, last: int) -> AsyncIterator[Event]:
    told, loop = None, asyncio.get_running_loop()
    heard = loop.time()
    while run.exists:
        news = state.runs.news(run.id)
        points = await state.compute.write(partial(run.points, after=last))
        if points:
            last, heard = points[-1]["step"], loop.time()
            yield Event("points", describing.describe_points(points), id=last)
        now = await state.compute.write(lambda: describe(run, state, asker))
        if now != told:
            told, heard = now, loop.time()
            yield Event("run", now)
        if now["state"] not in ACTIVE:
            yield Event("end", {"step": max(last, 0)})
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(news.wait(), NEWS_SECONDS)
        if not news.is_set() and loop.time() - heard >= STILL_SECONDS:
            yield Event("bye", {})
            return
    yield Event("ended", {"reason": "the training was deleted"})


@router.get("/{id}/schedule", response_model=RunScheduleOut)
async def get_schedule(id: str, state: Needs) -> Response:
    """Send the learning rate of the whole run as points."""
    run = state.runs.get(id)
    recipe = _recipe(run)
    plan = await state.compute.write(lambda: make_plan(recipe, state.runs.limits))
    return json_answer(describing.describe_schedule(recipe, plan, int(run.status["step"])))


@router.get("/{id}/scores", response_model=ScoresOut)
async def get_scores(id: str, state: Needs, step: Step = None) -> Response:
    """Score a checkpoint on held-out pairs: exact matches, tokens, BLEU and chrF."""
    run = state.runs.get(id)
    recipe = _recipe(run)
    step = run.checkpoint(step).step
    work = partial(score_checkpoint, run, recipe, step, state.runs.limits)
    return json_answer(await state.compute.write(work, key=("scores", id, step)))


@router.get("/{id}/optimiser/{parameter}", response_model=InspectionOut)
async def get_optimiser_step(id: str, parameter: str, state: Needs, cell: str = "", step: Step = None) -> Response:
    """Write out what Adam does to one weight in the step after a checkpoint, beside what the run made of it."""
    run, place = state.runs.get(id), parse_cell(cell)
    found = await state.compute.call(lambda: inspect(run, parameter, place, step=step, limits=state.runs.limits), long=True)
    return json_answer(describing.describe_inspection(found, run))


@router.get("/{id}/weights.safetensors", response_class=Response, responses=_FILE)
async def get_weights(id: str, state: Needs, step: Step = None) -> Response:
    """Download a checkpoint's weights, with the model's card in the header."""
    run = state.runs.get(id)
    content = await state.compute.write(lambda: pack(run, step))
    return Response(content, media_type=SAFETENSORS, headers=_file(run, step, "safetensors"))


@router.get("/{id}/config.json")
async def get_config(id: str, state: Needs, step: Step = None) -> Response:
    """Download a checkpoint's card: settings, vocabulary, examples."""
    run = state.runs.get(id)
    return json_answer(card_of(run, step), headers=_file(run, step, "json"))


def _file(run: RunFolder, step: int | None, ending: str) -> dict[str, str]:
    """Return how a download is called: as the model is (RFC 6266, in UTF-8), or as the run where that is not understood."""
    name = quote(file_name(card_of(run, step)["title"], ending, otherwise=run.id), safe="", errors="replace")
    return {"Content-Disposition": f"attachment; filename=\"{run.id}.{ending}\"; filename*=UTF-8''{name}"}


def _recipe(run: RunFolder) -> TrainingRecipe:
    recipe = run.recipe
    if recipe is None:
        raise UnknownNameError(f"{run.id} was loaded as it is: nothing is known of its training", where="run")
    return recipe
