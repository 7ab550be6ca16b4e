"""Decodings for tests of the page: made over HTTP, shown at a step with a panel open."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

SENTENCE = "she pet the dog"


def decode(page: Page, *, strategy: dict[str, Any] | str, model: str = "pig-latin", src: tuple[str, ...] = (SENTENCE,)) -> str:
    made = page.request.post("/api/decodings", data={"model": model, "src": list(src), "strategy": strategy})
    assert made.ok, made.text()
    return str(made.json()["id"])


def show(page: Page, id: str, *, step: int, panel: str = "tree") -> dict[str, Any]:
    answer = page.request.get(f"/api/decodings/{id}/steps/{step}").json()
    page.goto(f"/t/{answer['trace']}?decoding={id}&step={step}&panel={panel}")
    page.wait_for_selector("html[data-ready]", state="attached")
    return dict(answer)


def tree(page: Page, id: str, to: int = 500) -> dict[str, Any]:
    return dict(page.request.get(f"/api/decodings/{id}/tree?to={to}").json())
