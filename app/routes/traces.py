"""`/api/traces`: running a recipe, and the values of its tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from ...model.errors import InputError, UnknownNameError
from ...model.recipe import Recipe
from ...model.trace import Record, Trace
from ..answers import CSV, JSON, NPY, SAFETENSORS, Slice, csv_bytes, json_bytes, npy_bytes, safetensors_bytes
from ..describing import traces as describing
from ..errors import NotAcceptableError, TooLargeError
from ..kept import Encoded, Key
from ..queueing.asking import asking
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
_CSV_BYTES = 40  # of a cell, with its indexes
_MOST_NAMES = 512
_SLICE = ("index", "fit", "of")


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
    for name in (*required, *_SLICE):
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
    return await _answer(request, _several, ("names", *_SLICE))


@router.get("/{id}/tensors/{name}", response_class=Response, responses=_VALUES, openapi_extra=_parameters("id", "name"))
async def get_tensor(request: Request) -> Response:
    """Send one tensor: safetensors, or `.npy` or `.csv` by suffix or `Accept`."""
    return await _answer(request, _one, _SLICE)


async def _describe(recipe: Recipe, state: State) -> Response:
    trace = await state.compute.trace(recipe)
    body = await state.compute.write(lambda: json_bytes(describing.describe_trace(trace)), key=("describe", trace.id))
    return Response(body, media_type=JSON)


@dataclass(frozen=True)
class _Wanted:
    """Cells, and how they become bytes."""

    slices: Sequence[Slice]
    media_type: str
    encode: Callable[[], bytes]


async def _answer(request: Request, choose: Callable[[Request, Records, State], _Wanted], known: Sequence[str]) -> Response:
    """Encode values, and keep the bytes for the next one who asks."""
    state: State = request.app.state.glassformer
    key = _key_of(request, known)
    encoded = state.answers.find(key)
    if encoded is None:
        trace = await state.compute.trace(Recipe.from_id(request.path_params["id"]))
        encoded = await _encode(choose(request, await _records(request, trace, state), state), key, state)
        state.answers.put(request.scope, encoded, key)
    return encoded.answer()


def _key_of(request: Request, known: Sequence[str]) -> Key:
    """Return the one key of all addresses that ask for the same: as the page writes them."""
    given: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name not in known:
            raise InputError(f"{name[:40]!r} is no parameter here; there are {', '.join(known)}", where=name)
        if name in given:
            raise InputError(f"{name} is given twice", where=name)
        given[name] = value
    query = urlencode([(name, given[name]) for name in known if name in given], safe="*")
    return request.scope["path"], query.encode(), _accepted(request.headers.get("accept", "*/*")).encode()


def _accepted(accept: str) -> str:
    """Return the form that somebody takes: "*/*" if it may be any, "" for none that there is."""
    kinds = [kind.partition(";")[0].strip() for kind in accept.split(",")]
    for media_type in (SAFETENSORS, NPY, CSV):
        if media_type.partition(";")[0] in kinds:
            return media_type
    return "*/*" if any(kind in ("*/*", "application/*", "application/octet-stream", "") for kind in kinds) else ""


async def _records(request: Request, trace: Trace, state: State) -> Records:
    """Return the tensors that are asked for: the values, or their gradients."""
    of = request.query_params.get("of", "value")
    if of not in ("value", "gradient"):
        raise InputError(f"of is {of[:40]!r}; it must be value or gradient", where="of")
    return trace if of == "value" else await state.compute.gradients(trace)


def _several(request: Request, trace: Records, state: State) -> _Wanted:
    index, fit = _slice_of(request)
    wanted = list(dict.fromkeys(request.query_params.get("names", "").split(",")))
    if len(wanted) > _MOST_NAMES:
        raise InputError(f"{len(wanted)} tensors are asked for; one answer holds {_MOST_NAMES}", where="names")
    slices, left = [], state.settings.max_cells
    for name in wanted:
        slices.append(cut(trace[name], index=index, fit=fit, max_cells=left, lenient=True))
        left -= slices[-1].values.size
    return _Wanted(slices, SAFETENSORS, lambda: safetensors_bytes(slices))


def _one(request: Request, trace: Records, state: State) -> _Wanted:
    index, fit = _slice_of(request)
    name, media_type = _form(trace, request.path_params["name"], request.headers.get("accept", "*/*"))
    piece = cut(trace[name], index=index, fit=fit, max_cells=state.settings.max_cells)
    if media_type == CSV:
        if piece.values.size > _CSV_CELLS:
            raise TooLargeError(
                f"{name} has {piece.values.size} cells here; a .csv holds {_CSV_CELLS}. Slice it by ?index=, or take .npy",
                where="index",
            )
        return _Wanted([piece], CSV, lambda: csv_bytes(piece))
    if media_type == NPY:
        return _Wanted([piece], NPY, lambda: npy_bytes(piece))
    return _Wanted([piece], SAFETENSORS, lambda: safetensors_bytes([piece]))


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
    form = _accepted(accept)
    if not form:
        raise NotAcceptableError(f"tensors come as {SAFETENSORS}, {NPY} or text/csv, not {accept[:60]}")
    return name, SAFETENSORS if form == "*/*" else form


async def _encode(wanted: _Wanted, key: Key, state: State) -> Encoded:
    """Encode cells: a few at once, many in another thread, once for all who ask for the same at the same time.

    Many are counted from here on: an answer for which there is no room is not made.
    """
    is_csv = wanted.media_type == CSV
    size = sum(piece.values.size * _CSV_BYTES if is_csv else piece.values.nbytes for piece in wanted.slices)
    if size <= _INLINE and not is_csv:
        return Encoded(wanted.encode(), wanted.media_type)
    with state.sending.hold(key, size, asking().visitor.address):
        return Encoded(await state.compute.write(wanted.encode, key=key), wanted.media_type)
