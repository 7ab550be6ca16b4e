"""What axe finds on a page: in the light and in the dark, where only the colours are others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import axe_playwright_python
from playwright.sync_api import Page

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
RUN = "([part, options]) => axe.run(part ?? document, options).then(({violations}) => violations)"


def faults(page: Page, part: str | None = None) -> list[str]:
    """Return what keeps somebody from reading or reaching a part of the page, in both schemes; the page ends in the light."""
    if not page.evaluate("typeof window.axe === 'object'"):
        page.evaluate(AXE)
    found = _run(page, part, {"resultTypes": ["violations"]})
    page.emulate_media(color_scheme="dark")
    found += _run(page, part, {"resultTypes": ["violations"], "runOnly": ["color-contrast"]})
    page.emulate_media(color_scheme="light")
    return found


def _run(page: Page, part: str | None, options: dict[str, Any]) -> list[str]:
    page.evaluate("() => Promise.all(document.getAnimations().map((each) => each.finished.catch(() => null)))")
    return [
        f"{rule['id']}: {[node['html'][:160] for node in rule['nodes'][:3]]} {rule['nodes'][0]['failureSummary']}"
        for rule in page.evaluate(RUN, [part, options])
    ]
