"""`/api/runs`: trainings, from the recipe to the trained model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable
from contextlib import suppress
from functools import partial
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from ...model.errors import UnknownNameError
from ...model.training.exchange import card_of, pack
from ...model.training.inspection import inspect
from ...model.training.plan import make_plan
from ...model.training.recipe import TrainingRecipe, check_name
from ...model.training.run_folder import ACTIVE, RunFolder
from ...model.training.scoring import score_checkpoint
from .. import describing_runs as describing
from ..answers import SAFETENSORS, json_answer
from ..explaining import parse_cell
from ..schemas import Error
from ..schemas_runs import InspectionOut, LogOut, NameBody, PlanOut, RunBody, RunOut, RunScheduleOut, RunsOut, ScoresOut, TasksOut
from ..state import Needs, State

router = APIRouter(
    prefix="/api/runs",
    tags=["runs"],
    responses={status: {"model": Error} for status in (404, 409, 413, 415, 422, 503)},
)
NEWS_SECONDS = 5.0
"""How long a stream waits before it looks by itself: another server may be at work on the run."""
Step = Annotated[int | None, Query(ge=0, le=10**9, description="A kept checkpoint; left out, the last one.")]
_FILE: dict[int | str, dict[str, object]] = {
    200: {"description": "The file.", "content": {SAFETENSORS: {"schema": {"type": "string", "format": "binary"}}}}
}


@router.get("/tasks", response_model=TasksOut)
async def get_tasks() -> Response:
    """List what can be learned, with the settings each begins with."""
    return json_answer(describing.describe_tasks())


@router.post("/plan", response_model=PlanOut)
async def plan_run(body: RunBody, state: Needs) -> Response:
    """Check a recipe and say what it would cost; nothing starts."""
    recipe = TrainingRecipe.from_dict(body.model_dump(exclude_none=True))
    plan = await state.compute.write(lambda: make_plan(recipe, state.runs.limits))
    return json_answer(await state.compute.write(lambda: describing.describe_plan(plan)))


@router.post("", response_model=RunOut, status_code=201)
async def make_run(body: RunBody, state: Needs) -> Response:
    """Start a training, or let it wait for its turn."""
    recipe = TrainingRecipe.from_dict(body.model_dump(exclude_none=True))
    plan = await state.compute.write(lambda: make_plan(recipe, state.runs.limits))
    return await _describe(await state.runs.make(recipe, plan), state, status=201)


@router.post("/upload", response_model=RunOut, status_code=201)
async def upload_model(request: Request, state: Needs) -> Response:
    """Load a model that was downloaded before: one file of safetensors, with its card in the header."""
    content = await request.body()
    return await _describe(await state.compute.write(lambda: state.runs.load(content)), state, status=201)


@router.get("", response_model=RunsOut)
async def list_runs(state: Needs) -> Response:
    """List all runs, the newest first."""
    shelf = state.runs.shelf
    runs = await state.compute.write(lambda: [describing.describe_run(run, state.runs.state(run), shelf) for run in shelf.runs()])
    return json_answer({"runs": runs}, headers={"Cache-Control": "no-store"})


@router.get("/{id}", response_model=RunOut)
async def get_run(id: str, state: Needs) -> Response:
    """Say how a run stands."""
    return await _describe(state.runs.get(id), state)


@router.patch("/{id}", response_model=RunOut)
async def name_run(id: str, body: NameBody, state: Needs) -> Response:
    """Give a run, and its model, another name."""
    run = state.runs.get(id)
    check_name(body.name)
    run.name = body.name
    return await _describe(run, state)


@router.delete("/{id}", status_code=204)
async def delete_run(id: str, state: Needs) -> Response:
    """Delete a run with all its checkpoints."""
    await state.runs.delete(state.runs.get(id))
    return Response(status_code=204)


@router.post("/{id}/{verb}", response_model=RunOut)
async def control_run(id: str, verb: str, state: Needs) -> Response:
    """Pause, resume or stop a run, or take one step with one that stands still. The body is an empty object."""
    run = state.runs.get(id)
    verbs = {"pause": state.runs.pause, "resume": state.runs.resume, "stop": state.runs.stop, "step": state.runs.step}
    if verb not in verbs:
        raise UnknownNameError(f"a run can {', '.join(verbs)}, not {verb[:20]!r}", where="verb")
    await verbs[verb](run)
    return await _describe(run, state)


@router.get("/{id}/log", response_model=LogOut)
async def get_log(id: str, state: Needs, start: Annotated[int, Query(alias="from", ge=0)] = 0) -> Response:
    """Send the log from a step on: loss, learning rate and gradient norm; loss and accuracy on held-out pairs."""
    run = state.runs.get(id)
    return json_answer(await state.compute.write(lambda: describing.describe_points(run.points(after=start - 1))))


@router.get("/{id}/events", response_class=EventSourceResponse)
async def get_events(
    id: str, state: Needs, last_event_id: Annotated[int, Header(ge=-1, le=10**9)] = -1
) -> AsyncIterable[ServerSentEvent]:
    """Stream a run: `points` as the log grows, `run` as it changes, `end` when nobody is at work on it any more.

    An event's id is the step of its last point; `Last-Event-ID` continues after that step.
    """
    run, last, told = state.runs.get(id), last_event_id, None
    while run.exists:
        news = state.runs.news(id)
        points = await state.compute.write(partial(run.points, after=last))
        if points:
            last = points[-1]["step"]
            yield ServerSentEvent(event="points", id=str(last), data=describing.describe_points(points))
        now = await state.compute.write(lambda: describing.describe_run(run, state.runs.state(run), state.runs.shelf))
        if now != told:
            told = now
            yield ServerSentEvent(event="run", data=now)
        if now["state"] not in ACTIVE:
            break
        with suppress(TimeoutError):
            await asyncio.wait_for(news.wait(), NEWS_SECONDS)
    yield ServerSentEvent(event="end", data={"step": max(last, 0)})


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
    return json_answer(await state.compute.write(lambda: score_checkpoint(run, recipe, step, state.runs.limits)))


@router.get("/{id}/optimiser/{parameter}", response_model=InspectionOut)
async def get_optimiser_step(id: str, parameter: str, state: Needs, cell: str = "", step: Step = None) -> Response:
    """Write out what Adam does to one weight in the step after a checkpoint, beside what the run made of it."""
    run, place = state.runs.get(id), parse_cell(cell)
    found = await state.compute.call(lambda: inspect(run, parameter, place, step=step, limits=state.runs.limits))
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
    name = quote(f"{card_of(run, step)['title']}.{ending}", safe="", errors="replace")
    return {"Content-Disposition": f"attachment; filename=\"{run.id}.{ending}\"; filename*=UTF-8''{name}"}


async def _describe(run: RunFolder, state: State, *, status: int = 200) -> Response:
    shelf = state.runs.shelf
    made = await state.compute.write(lambda: describing.describe_run(run, state.runs.state(run), shelf))
    return json_answer(made, status=status, headers={"Cache-Control": "no-store"})


def _recipe(run: RunFolder) -> TrainingRecipe:
    recipe = run.recipe
    if recipe is None:
        raise UnknownNameError(f"{run.id} was loaded as it is: nothing is known of its training", where="run")
    return recipe
