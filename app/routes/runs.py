"""`/api/runs`: trainings begun, listed, steered, and models loaded from files. What there is to look at: run_looks.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request, Response

from ...model.errors import UnknownNameError
from ...model.training.plan import make_plan
from ...model.training.recipe import TrainingRecipe, check_name
from ...model.training.run_folder import RunFolder
from ..answers import JSON, SAFETENSORS, json_answer
from ..describing import runs as describing
from ..schemas.base import Error
from ..schemas.runs import NameBody, PlanOut, RunBody, RunOut, RunsOut, TasksOut
from ..state import Needs, State
from ..trainings.owners import Asker, Asks

router = APIRouter(
    prefix="/api/runs",
    tags=["runs"],
    responses={status: {"model": Error} for status in (403, 404, 409, 413, 415, 422, 503, 507)},
)
Key = Annotated[str, Header(max_length=64, description="Chosen by the client; two requests with the same one are one.")]
VERBS = ("pause", "resume", "stop", "step")
NO_TRAINING, NO_UPLOADS = "begins no trainings", "loads no models from files"
_EMPTY_BODY = {"requestBody": {"content": {JSON: {"schema": {"type": "object"}}}, "required": True}}
_FILE_BODY = {"requestBody": {"content": {SAFETENSORS: {"schema": {"type": "string", "format": "binary"}}}, "required": True}}


@router.get("/tasks", response_model=TasksOut)
async def get_tasks() -> Response:
    """List what can be learned, with the settings each begins with."""
    return json_answer(describing.describe_tasks())


@router.post("/plan", response_model=PlanOut)
async def plan_run(body: RunBody, state: Needs, asker: Asks) -> Response:
    """Check a recipe and say what it would cost; nothing starts."""
    asker.check_on(state.settings.training, NO_TRAINING)
    recipe = TrainingRecipe.from_dict(body.model_dump(exclude_none=True))
    plan = await state.compute.write(lambda: make_plan(recipe, state.runs.limits))
    return json_answer(await state.compute.write(lambda: describing.describe_plan(plan)))


@router.post("", response_model=RunOut, status_code=201)
async def make_run(body: RunBody, state: Needs, asker: Asks, idempotency_key: Key = "") -> Response:
    """Start a training, or let it wait for its turn. The same `Idempotency-Key` again gets the same training."""
    asker.check_on(state.settings.training, NO_TRAINING)
    recipe = TrainingRecipe.from_dict(body.model_dump(exclude_none=True))
    plan = await state.compute.write(lambda: make_plan(recipe, state.runs.limits))
    run = await state.runs.make(recipe, plan, owner=asker.owner, key=idempotency_key)
    return asker.keep(await _describe(run, state, asker, status=201))


@router.post("/upload", response_model=RunOut, status_code=201, openapi_extra=_FILE_BODY)
async def upload_model(request: Request, state: Needs, asker: Asks) -> Response:
    """Load a model that was downloaded before: one file of safetensors, with its card in the header."""
    asker.check_on(state.settings.uploads, NO_UPLOADS)
    content = await request.body()
    run = await state.compute.write(lambda: state.runs.load(content, owner=asker.owner))
    return asker.keep(await _describe(run, state, asker, status=201))


@router.get("", response_model=RunsOut)
async def list_runs(state: Needs, asker: Asks) -> Response:
    """List the runs of whoever asks and those that belong to nobody, the newest first."""

    def described() -> list[dict[str, Any]]:
        line = state.runs.line()
        return [describe(run, state, asker, line) for run in state.runs.shelf.runs(asker.sees)]

    return json_answer({"runs": await state.compute.write(described)}, headers={"Cache-Control": "no-store"})


@router.get("/{id}", response_model=RunOut)
async def get_run(id: str, state: Needs, asker: Asks) -> Response:
    """Say how a run stands."""
    return await _describe(state.runs.get(id), state, asker)


@router.patch("/{id}", response_model=RunOut)
async def name_run(id: str, body: NameBody, state: Needs, asker: Asks) -> Response:
    """Give a run, and its model, another name."""
    run = state.runs.get(id)
    asker.check(run)
    check_name(body.name)
    run.name = body.name
    return await _describe(run, state, asker)


@router.delete("/{id}", status_code=204, responses={202: {"model": RunOut}})
async def delete_run(id: str, state: Needs, asker: Asks) -> Response:
    """Delete a run with all its checkpoints. 202: another process was asked to."""
    run = state.runs.get(id)
    asker.check(run)
    done = await state.runs.steer("delete", run)
    return Response(status_code=204) if done else await _describe(run, state, asker, status=202)


@router.post("/{id}/{verb}", response_model=RunOut, responses={202: {"model": RunOut}}, openapi_extra=_EMPTY_BODY)
async def control_run(id: str, verb: str, state: Needs, asker: Asks) -> Response:
    """Pause, resume or stop a run, or take one step with one that stands still. The body is an empty object.

    The answer comes when that has taken effect; after five seconds without, it is 202.
    """
    run = state.runs.get(id)
    if verb not in VERBS:
        raise UnknownNameError(f"a run can {', '.join(VERBS)}, not {verb[:20]!r}", where="verb")
    asker.check(run)
    if verb in ("resume", "step"):
        asker.check_on(state.settings.training, NO_TRAINING)
    done = await state.runs.steer(verb, run)
    return await _describe(run, state, asker, status=200 if done else 202)


async def _describe(run: RunFolder, state: State, asker: Asker, *, status: int = 200) -> Response:
    made = await state.compute.write(lambda: describe(run, state, asker))
    return json_answer(made, status=status, headers={"Cache-Control": "no-store"})


def describe(run: RunFolder, state: State, asker: Asker, line: Sequence[str] | None = None) -> dict[str, Any]:
    """Return all about a run but its log, as whoever asks sees it; `line` are the ids of those that wait, where they are known.

    In any thread but the event loop's: it reads files.
    """
    stands = state.runs.state(run)
    if stands != "queued":
        line = ()
    elif line is None:
        line = state.runs.line()
    return describing.describe_run(run, stands, state.runs.shelf, yours=asker.may(run), line=line)
