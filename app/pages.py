"""The pages there are: the one that shows everything, and those for an unknown address, another name, and a class's code."""

from __future__ import annotations

from fastapi import Request, Response
from fastapi.templating import Jinja2Templates
from jinja2 import Environment, PackageLoader
from starlette.types import Scope

from .assets import Assets

_templates = Jinja2Templates(env=Environment(loader=PackageLoader("glassformer.templates", "."), autoescape=True))


def main_page(request: Request, assets: Assets, *, status: int = 200) -> Response:
    """Return the page."""
    return _page(request, "page.html", assets, status=status, caching="no-cache", plotly=f"/vendor/{assets.plotly_name}")


def missing_page(request: Request, assets: Assets) -> Response:
    """Return the page for an address where there is nothing."""
    return _page(request, "missing.html", assets, status=404)


def code_page(scope: Scope, assets: Assets) -> Response:
    """Return the page that asks for the code; once it is given, the same address shows what it is of."""
    return _page(Request(scope), "code.html", assets, status=401)


def refused_page(scope: Scope, assets: Assets, message: str) -> Response:
    """Return the page for a name that is not this server's."""
    return _page(Request(scope), "refused.html", assets, status=400, message=message)


def _page(request: Request, name: str, assets: Assets, *, status: int, caching: str = "no-store", **more: str) -> Response:
    """Return a page as it looks now: its files' addresses change with their content."""
    context = {"static": f"/static/{assets.hash}", **more}
    return _templates.TemplateResponse(request, name, context, status_code=status, headers={"Cache-Control": caching})
