"""The pages there are: the one that shows everything, and those for an unknown address, another name, and a class's code."""

from __future__ import annotations

from fastapi import Request, Response
from fastapi.templating import Jinja2Templates
from jinja2 import Environment, PackageLoader
from starlette.types import Scope

from .assets import Assets

_templates = Jinja2Templates(env=Environment(loader=PackageLoader("glassformer.templates", "."), autoescape=True))
_FRESH = {"Cache-Control": "no-cache"}


def main_page(request: Request, assets: Assets, *, status: int = 200) -> Response:
    """Return the page."""
    context = {"static": f"/static/{assets.hash}", "plotly": f"/vendor/{assets.plotly_name}"}
    return _templates.TemplateResponse(request, "page.html", context, status_code=status, headers=_FRESH)


def missing_page(request: Request, assets: Assets) -> Response:
    """Return the page for an address where there is nothing."""
    return _templates.TemplateResponse(request, "missing.html", {"static": f"/static/{assets.hash}"}, status_code=404)


def code_page(scope: Scope, assets: Assets) -> Response:
    """Return the page that asks for the code; once it is given, the same address shows what it is of."""
    context = {"static": f"/static/{assets.hash}"}
    return _templates.TemplateResponse(
        Request(scope), "code.html", context, status_code=401, headers={"Cache-Control": "no-store"}
    )


def refused_page(scope: Scope, message: str) -> Response:
    """Return the page for a name that is not this server's. It has no style: under that name no file is given out either."""
    headers = {"Cache-Control": "no-store"}
    return _templates.TemplateResponse(Request(scope), "refused.html", {"message": message}, status_code=400, headers=headers)
