"""`/api/traces`: running a recipe, and the values of its tensors."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from fastapi import APIRouter, Request, Response

from ...model.errors import InputError, UnknownNameError
from ...model.recipe import Recipe
from ...model.trace import Record, Trace
from ..answers import CSV, JSON, NPY, SAFETENSORS, Slice, csv_bytes, json_bytes, npy_bytes, safetensors_bytes
from ..describing import traces as describing
from ..errors import NotAcceptableError, TooLargeError
from ..kept import Encoded, key_of
from ..schemas.base import Error, RecipeBody, TraceOut
from ..slices import cut
from ..state import Needs, State

router = APIRouter(
    prefix="/api/traces",
    tags=["traces"],
    responses={404: {"model": Error}, 413: {"model": Error}, 415: {"model": Error}, 422: {"model": Error}, 503: {"model": Error}},
)

_VALUES: dict[int | str, dict[str, object]] = {
    200: {
        "description": "The values.",
        "content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in (SAFETENSORS, NPY, "text/csv")},
    },
    406: {"model": Error},
}
Records = Mapping[str, Record]
_INLINE = 2**18  # bytes that are encoded on the event loop in less than a tenth of a millisecond
_CSV_CELLS = 2**18
_MOST_NAMES = 512


def _parameters(*required: str) -> dict[str, Any]:
    """Say which parameters a route reads by itself, for the OpenAPI document."""
    says = {
        "id": ("path", "The trace's id: its recipe as base64url.", None),
        "name": ("path", "The tensor's name, with .npy or .csv for another form.", "decoder.layers.0.cross_attn.weights"),
        "names": ("query", "Names, with commas between.", "logits,memory"),
        "index": (
            "query",
            "A slice: a number drops its axis, start-stop keeps a range, /step takes every step-th.",
            "batch:0,src:0-64/2",
        ),
        "of": ("query", "value, or gradient: that of the loss with respect to each cell.", "gradient"),
        "fit": ("query", "Thin the last two axes to at most this many columns x rows.", "24x12"),
    }
    parameters = []
    for name in (*required, "index", "fit", "of"):
        place, description, example = says[name]
        schema = {"type": "string"} | ({"example": example} if example else {})
        parameters.append({"name": name, "in": place, "required": name in required, "description": description, "schema": schema})
    return {"parameters": parameters}


@router.post("", response_model=TraceOut)
async def make_trace(body: RecipeBody, state: Needs) -> Response:
    """Run a recipe; answer with everything but the values."""
    return await _describe(Recipe.from_dict(body.model_dump(exclude_none=True)), state)


@router.get("/{id}", response_model=TraceOut)
async def get_trace(id: str, state: Needs) -> Response:
    """Describe a trace; one that is not in memory is computed again from its id."""
    return await _describe(Recipe.from_id(id), state)


@router.get("/{id}/tensors", response_class=Response, responses=_VALUES, openapi_extra=_parameters("id", "names"))
async def get_tensors(request: Request) -> Response:
    """Send several tensors in one safetensors file; `index` and `fit` apply to each as far as it has those axes."""
    return await _answer(request, _encode_several)


@router.get("/{id}/tensors/{name}", response_class=Response, responses=_VALUES, openapi_extra=_parameters("id", "name"))
async def get_tensor(request: Request) -> Response:
    """Send one tensor: safetensors, or `.npy` or `.csv` by suffix or `Accept`."""
    return await _answer(request, _encode_one)


async def _describe(recipe: Recipe, state: State) -> Response:
    trace = await state.compute.trace(recipe)
    body = await state.compute.write(lambda: json_bytes(describing.describe_trace(trace)), key=("describe", trace.id))
    return Response(body, media_type=JSON)


async def _answer(request: Request, encode: Callable[[Request, Records, State], Awaitable[Encoded]]) -> Response:
    """Encode values, and keep the bytes for the next one who asks."""
    state: State = request.app.state.glassformer
    trace = await state.compute.trace(Recipe.from_id(request.path_params["id"]))
    encoded = await encode(request, await _records(request, trace, state), state)
    state.answers.put(request.scope, encoded)
    return encoded.answer()


async def _records(request: Request, trace: Trace, state: State) -> Records:
    """Return the tensors that are asked for: the values, or their gradients."""
    of = request.query_params.get("of", "value")
    if of not in ("value", "gradient"):
        raise InputError(f"of is {of[:40]!r}; it must be value or gradient", where="of")
    return trace if of == "value" else await state.compute.gradients(trace)


async def _encode_several(request: Request, trace: Records, state: State) -> Encoded:
    index, fit = _slice_of(request)
    wanted = list(dict.fromkeys(request.query_params.get("names", "").split(",")))
    if len(wanted) > _MOST_NAMES:
        raise InputError(f"{len(wanted)} tensors are asked for; one answer holds {_MOST_NAMES}", where="names")
    slices, left = [], state.settings.max_cells
    for name in wanted:
        slices.append(cut(trace[name], index=index, fit=fit, max_cells=left, lenient=True))
        left -= slices[-1].values.size
    return await _encode(request, slices, SAFETENSORS, lambda: safetensors_bytes(slices))


async def _encode_one(request: Request, trace: Records, state: State) -> Encoded:
    index, fit = _slice_of(request)
    name, media_type = _form(trace, request.path_params["name"], request.headers.get("accept", "*/*"))
    piece = cut(trace[name], index=index, fit=fit, max_cells=state.settings.max_cells)
    if media_type == CSV:
        if piece.values.size > _CSV_CELLS:
            raise TooLargeError(
                f"{name} has {piece.values.size} cells here; a .csv holds {_CSV_CELLS}. Slice it by ?index=, or take .npy",
                where="index",
            )
        return await _encode(request, [piece], CSV, lambda: csv_bytes(piece), slow=True)
    if media_type == NPY:
        return await _encode(request, [piece], NPY, lambda: npy_bytes(piece))
    return await _encode(request, [piece], SAFETENSORS, lambda: safetensors_bytes([piece]))


def _slice_of(request: Request) -> tuple[str, str]:
    return request.query_params.get("index", ""), request.query_params.get("fit", "")


def _form(trace: Records, name: str, accept: str) -> tuple[str, str]:
    """Return the tensor's name and the form it is wanted in."""
    stem, dot, suffix = name.rpartition(".")
    if dot and name not in trace and stem in trace:
        forms = {"npy": NPY, "csv": CSV, "safetensors": SAFETENSORS}
        if suffix not in forms:
            raise UnknownNameError(f"tensors come as .npy, .csv or .safetensors, not .{suffix[:20]}", where="name")
        return stem, forms[suffix]
    kinds = [kind.partition(";")[0].strip() for kind in accept.split(",")]
    for media_type in (SAFETENSORS, NPY, CSV):
        if media_type.partition(";")[0] in kinds:
            return name, media_type
    if not any(kind in ("*/*", "application/*", "application/octet-stream", "") for kind in kinds):
        raise NotAcceptableError(f"tensors come as {SAFETENSORS}, {NPY} or text/csv, not {accept[:60]}")
    return name, SAFETENSORS


async def _encode(
    request: Request, slices: list[Slice], media_type: str, encode: Callable[[], bytes], *, slow: bool = False
) -> Encoded:
    """Encode cells: a few at once, many in another thread, once for all who ask for the same at the same time."""
    state: State = request.app.state.glassformer
    small = not slow and sum(piece.values.nbytes for piece in slices) <= _INLINE
    return Encoded(encode() if small else await state.compute.write(encode, key=key_of(request.scope)), media_type)
