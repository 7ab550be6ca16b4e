"""Whole ancestry on the page: tokens, positions, constants and heads of the selected cell, asked for only when it is opened."""

from __future__ import annotations

import re
from typing import Any, Protocol

import pytest
from playwright.sync_api import Page, expect
from reading import faults

READY = "html[data-ready]"
PIG = {"model": "pig-latin", "src": ["she pet the dog"], "tgt": ["eshay etpay ethay ogday"]}
H_AFTER_ESH = "probs", "0,3,12"


class OpenPage(Protocol):
    def __call__(self, **options: Any) -> Page: ...


def open_cell(page: Page, tensor: str, cell: str) -> str:
    trace = str(page.request.post("/api/traces", data=PIG).json()["id"])
    page.goto(f"/t/{trace}?tensor={tensor}&cell={cell}")
    page.wait_for_selector(READY, state="attached")
    return trace


def opened(page: Page, tensor: str, cell: str) -> None:
    expect(page.locator(".an-body")).to_have_attribute("data-of", f"{tensor}[{cell}]")


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def test_it_is_asked_for_only_when_it_is_opened(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/ancestry/" in request.url else None)
    open_cell(page, *H_AFTER_ESH)
    expect(page.locator(".an-toggle")).to_have_attribute("aria-expanded", "false")
    assert asked == []
    page.locator(".an-toggle").click()
    opened(page, *H_AFTER_ESH)
    assert len(asked) == 1


def test_every_row_is_the_servers_number_and_all_add_up(page: Page) -> None:
    trace = open_cell(page, *H_AFTER_ESH)
    page.locator(".an-toggle").click()
    opened(page, *H_AFTER_ESH)
    answer = page.request.get(f"/api/traces/{trace}/ancestry/probs?cell=0,3,12").json()
    shown = [number(text) for text in page.locator(".an-parts tbody .an-number").all_inner_texts()]
    tokens = [value for share in answer["tokens"] for value in share["values"] if value != 0]
    assert shown[: len(tokens)] == pytest.approx(tokens, abs=6e-5)
    assert sum(shown) == pytest.approx(answer["start"]["value"], abs=2e-3)
    assert number(page.locator(".an-parts tfoot .an-number").inner_text()) == pytest.approx(answer["total"], abs=6e-5)
    expect(page.locator(".an-body .ex-check")).to_contain_text("recorded")
    expect(page.locator(".an-parts")).to_contain_text("20 later or padded positions add nothing")


def test_the_letter_that_is_copied_adds_most(page: Page) -> None:
    open_cell(page, *H_AFTER_ESH)
    page.locator(".an-toggle").click()
    opened(page, *H_AFTER_ESH)
    rows = page.locator(".an-parts tbody").first.locator("tr:not(.an-group)")
    values = [abs(number(text)) for text in rows.locator(".an-number").all_inner_texts()]
    expect(rows.nth(values.index(max(values))).locator(".an-token")).to_have_text("h")


def test_it_stays_open_as_one_walks_on(page: Page) -> None:
    open_cell(page, *H_AFTER_ESH)
    page.locator(".an-toggle").click()
    opened(page, *H_AFTER_ESH)
    page.locator(".an-says .ex-link").click()
    opened(page, "logits", "0,3,12")
    expect(page.locator(".an-toggle")).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".ex-trail")).to_contain_text("probs")


def test_an_address_opens_it_again(page: Page) -> None:
    open_cell(page, *H_AFTER_ESH)
    page.locator(".an-toggle").click()
    opened(page, *H_AFTER_ESH)
    expect(page).to_have_url(re.compile(r"&ancestry=open"))
    page.reload()
    opened(page, *H_AFTER_ESH)
    page.locator(".an-toggle").click()
    expect(page).not_to_have_url(re.compile("ancestry"))
    expect(page.locator(".an-body")).to_be_hidden()


def test_a_token_leads_to_its_embedding_and_a_head_to_its_values(page: Page) -> None:
    open_cell(page, *H_AFTER_ESH)
    page.locator(".an-toggle").click()
    opened(page, *H_AFTER_ESH)
    page.locator(".an-parts tbody").first.locator(".ex-link").nth(1).click()
    expect(page).to_have_url(re.compile(r"tensor=src_embed\.embedded&cell=0,1,\d+"))
    page.go_back()
    opened(page, *H_AFTER_ESH)
    page.locator(".an-grid").first.locator("tbody .ex-link").first.press("Enter")
    expect(page).to_have_url(re.compile(r"tensor=decoder\.layers\.1\.cross_attn\.heads&cell=0,0,3,\d+"))


def test_pointing_at_a_heads_cell_says_its_number(page: Page) -> None:
    open_cell(page, *H_AFTER_ESH)
    page.locator(".an-toggle").click()
    opened(page, *H_AFTER_ESH)
    page.locator(".an-grid").first.locator(".an-key").nth(1).hover()
    expect(page.locator(".an-said")).to_contain_text(re.compile(r"head 1 from “h” \(1\): 2\.\d+"))
    expect(page.locator(".an-grid")).to_have_count(3)
    page.locator(".an-more").click()
    expect(page.locator(".an-grid")).to_have_count(6)
    expect(page.locator(".an-grid").nth(3).locator("button").first).to_be_focused()


def test_an_attention_weight_says_why_it_has_none_and_an_id_does_not_offer_one(page: Page) -> None:
    open_cell(page, "decoder.layers.0.cross_attn.weights", "0,1,1,2")
    page.locator(".an-toggle").click()
    expect(page.locator(".an-body")).to_contain_text("no weighted sum")
    open_cell(page, "src_ids", "0,1")
    expect(page.locator(".explanation")).to_be_visible()
    expect(page.locator(".an-toggle")).to_be_hidden()


@pytest.mark.parametrize("width", [1440, 390])
def test_it_fits_and_anybody_can_read_it(open_page: OpenPage, width: int) -> None:
    page = open_page(viewport={"width": width, "height": 900})
    open_cell(page, *H_AFTER_ESH)
    expect(page.locator(".an-toggle")).to_be_visible()
    page.locator(".an-toggle").press("Enter")
    opened(page, *H_AFTER_ESH)
    page.locator(".an-more").press("Enter")
    assert page.locator(".an-body").evaluate("box => box.scrollWidth - box.clientWidth") <= 0
    assert faults(page, ".ancestry") == []
