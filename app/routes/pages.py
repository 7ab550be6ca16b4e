"""The page, its static files, and whether the server is well."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from ... import __version__
from ...model.errors import RecipeError, UnknownNameError
from ...model.recipe import Recipe
from ..answers import json_answer
from ..pages import main_page, missing_page
from ..schemas.base import Health
from ..state import Needs

router = APIRouter()


@router.api_route("/", methods=["GET", "HEAD"], response_class=HTMLResponse, include_in_schema=False)
async def home(request: Request, state: Needs) -> Response:
    """Open the page, with the worked example."""
    return main_page(request, state.assets)


@router.api_route("/t/{id}", methods=["GET", "HEAD"], response_class=HTMLResponse, include_in_schema=False)
async def open_trace(id: str, request: Request, state: Needs) -> Response:
    """Open the page, with the trace of this id."""
    try:
        Recipe.from_id(id)
    except (RecipeError, UnknownNameError):
        return main_page(request, state.assets, status=404)
    return main_page(request, state.assets)


@router.get("/static/{hash}/{name:path}", include_in_schema=False)
async def static(hash: str, name: str, request: Request, state: Needs) -> Response:
    """One of the page's own files."""
    found = state.assets.find(hash, name)
    if found is None:
        raise HTTPException(404)
    return found.answer(request)


@router.get("/vendor/{name}", include_in_schema=False)
async def vendor(name: str, request: Request, state: Needs) -> Response:
    """plotly.js, out of its Python package."""
    if name != state.assets.plotly_name:
        raise HTTPException(404)
    return await asyncio.to_thread(state.assets.plotly.answer, request)  # the first one compresses 5 MB


@router.get("/healthz", response_model=Health, tags=["server"])
async def health(state: Needs) -> Response:
    """Say that the server is up, and which page it serves: a page that is open may be older."""
    return json_answer({"status": "ok", "version": __version__, "page": state.assets.hash}, headers={"Cache-Control": "no-store"})


@router.get("/{path:path}", response_class=HTMLResponse, include_in_schema=False)
async def missing(path: str, request: Request, state: Needs) -> Response:
    """Say that there is nothing here: as a page to a browser that follows a link, in the one error body to everybody else."""
    if path.startswith(("api/", "static/", "vendor/")) or "text/html" not in request.headers.get("accept", ""):
        raise HTTPException(404)
    return missing_page(request, state.assets)
