"""Opening a cell's explanation on the page, and what stands in it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page

WEIGHTS = "decoder.layers.0.cross_attn.weights"
PIG = {"model": "pig-latin", "src": ["hello there"], "tgt": ["ellohay erethay"]}


def open_cell(page: Page, tensor: str, cell: str, recipe: dict[str, Any] | None = None) -> None:
    """Open a trace with a cell selected, by its address."""
    recipe = recipe or {"model": "tiny", "src": ["dog run", "cat run"], "tgt": ["dog run", "cat run"]}
    trace = page.request.post("/api/traces", data=recipe).json()["id"]
    page.goto(f"/t/{trace}?tensor={tensor}&cell={cell}")
    explained(page, f"{tensor}[{cell}]")


def explained(page: Page, cell: str) -> None:
    page.wait_for_selector(f'.explanation[data-explained^="{cell}"]', timeout=15000)


def panel(page: Page) -> Locator:
    return page.locator(".explanation")


def links(page: Page, tensor: str) -> Locator:
    """The links to operands of a tensor; not those onwards."""
    return page.locator(f'.explanation :is(.ex-arithmetic, .ex-working, .ex-because) [data-tensor="{tensor}"]')


def number(text: str) -> float:
    return float(text.replace("−", "-").replace("∞", "inf"))
