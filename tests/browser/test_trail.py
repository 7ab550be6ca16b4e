"""One walks from number to number, back to the tokens and forwards again, and the way is remembered."""

from __future__ import annotations

import re
from typing import Any, Protocol

import pytest
from explaining import PIG, WEIGHTS, explained, links, number, open_cell, panel
from playwright.sync_api import Page, expect

# From the probability of the first decoded token back to the id of a source token: at each tensor the operand to follow.
WAY_BACK = (
    "log_probs",
    "logits",
    "generator.out",
    "decoder.layers.1.feed_forward_residual.norm.out",
    "decoder.layers.1.feed_forward_residual.norm.normalised",
    "decoder.layers.1.feed_forward_residual.norm.centred",
    "decoder.layers.1.feed_forward_residual.sum",
    "decoder.layers.1.feed_forward.out",
    "decoder.layers.1.feed_forward.active",
    "decoder.layers.1.feed_forward.hidden",
    "decoder.layers.1.cross_attn_residual.norm.out",
    "decoder.layers.1.cross_attn_residual.norm.normalised",
    "decoder.layers.1.cross_attn_residual.norm.centred",
    "decoder.layers.1.cross_attn_residual.sum",
    "decoder.layers.1.cross_attn.out",
    "decoder.layers.1.cross_attn.concat",
    "decoder.layers.1.cross_attn.heads",
    "decoder.layers.1.cross_attn.weights",
    "decoder.layers.1.cross_attn.masked_scores",
    "masks.cross_attn",
    "masks.src_not_padding",
    "src_ids",
)
TAPS = 4


class OpenPage(Protocol):
    def __call__(self, **options: Any) -> Page: ...


def test_clicks_lead_from_a_probability_back_to_a_token(page: Page) -> None:
    open_cell(page, "probs", "0,0,9", PIG)
    walk_back(page)


def test_taps_lead_back_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    open_cell(page, "probs", "0,0,9", PIG)
    for tensor in WAY_BACK[:TAPS]:
        links(page, tensor).first.tap()
        explained(page, f"{tensor}[")
    expect(page.locator(".ex-hop")).to_have_count(TAPS)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.locator("#inspector").evaluate("inspector => inspector.scrollWidth <= inspector.clientWidth")


def walk_back(page: Page) -> None:
    for tensor in WAY_BACK:
        links(page, tensor).first.click()
        explained(page, f"{tensor}[")
    expect(panel(page)).to_contain_text("Given: position")
    expect(page.locator(".ex-value")).to_have_text(re.compile(r"^\d+ “.”$"))
    expect(page.locator(".ex-hop")).to_have_count(len(WAY_BACK))
    expect(page.locator(".ex-hop").first).to_have_text("probs[<start>, e]")
    page.reload()
    expect(page.locator(".ex-hop")).to_have_count(len(WAY_BACK))


def test_keyboard_alone_leads_back_to_a_token(page: Page) -> None:
    """Enter follows, arrows go from link to link, and the focus goes along."""
    open_cell(page, "tgt_embed.sum", "0,1,2", PIG)
    page.locator('.ex-equations [data-tensor="tgt_embed.scaled"]').focus()
    for tensor in ("tgt_embed.scaled", "tgt_embed.embedded"):
        page.keyboard.press("Enter")
        explained(page, f"{tensor}[")
        expect(page.locator(":focus")).to_have_attribute("data-cell", re.compile(r"[\d.]+"))
    assert page.evaluate("document.activeElement.dataset.tensor") == "tgt_ids"
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.tensor") == "tgt_embed.table"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    explained(page, "tgt_ids[0,1]")
    expect(panel(page)).to_contain_text("decoder’s input")
    for tensor in ("tgt_embed.embedded", "tgt_embed.scaled", "tgt_embed.sum"):
        page.keyboard.press("Backspace")
        explained(page, f"{tensor}[0,1,2")
    expect(page.locator(".ex-back")).to_be_hidden()


def test_arrows_stay_in_a_column_of_the_table(page: Page) -> None:
    open_cell(page, "encoder.layers.0.feed_forward.hidden", "0,1,3")
    page.locator(".ex-terms .ex-link").nth(1).focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.cell") == "1.3"
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.cell") == "0.3"


def test_the_panel_stays_where_it_is_when_a_link_is_followed(page: Page) -> None:
    open_cell(page, WEIGHTS, "0,0,1,2")
    panel(page).evaluate("panel => panel.scrollIntoView({ block: 'start' })")
    before = panel(page).evaluate("panel => panel.getBoundingClientRect().top")
    links(page, "decoder.layers.0.cross_attn.masked_scores").nth(2).click()
    explained(page, "decoder.layers.0.cross_attn.masked_scores[0,0,1,2]")
    assert abs(panel(page).evaluate("panel => panel.getBoundingClientRect().top") - before) < 2


def test_trail_goes_back_and_is_dropped_where_another_way_is_taken(page: Page) -> None:
    open_cell(page, WEIGHTS, "0,0,1,2")
    links(page, "decoder.layers.0.cross_attn.masked_scores").nth(2).click()
    explained(page, "decoder.layers.0.cross_attn.masked_scores[0,0,1,2]")
    expect(page).to_have_url(re.compile(r"trail=\d+:0\.0\.1\.2"))
    page.locator('.ex-equations [data-tensor="decoder.layers.0.cross_attn.scaled_scores"]').click()
    explained(page, "decoder.layers.0.cross_attn.scaled_scores[0,0,1,2]")
    expect(page.locator(".ex-hop")).to_have_text(
        ["weights[sentence 1, head 1, dog, run]", "masked scores[sentence 1, head 1, dog, run]"]
    )
    page.locator(".ex-hop").first.click()
    explained(page, f"{WEIGHTS}[0,0,1,2]")
    expect(page.locator(".ex-way")).to_be_hidden()
    page.go_back()
    explained(page, "decoder.layers.0.cross_attn.scaled_scores[0,0,1,2]")
    expect(page.locator(".ex-hop")).to_have_count(2)
    page.locator(".links").get_by_role("button", name="masked scores").click()
    expect(page).not_to_have_url(re.compile("trail="))


def test_what_it_goes_on_to_is_linked_with_its_value(page: Page) -> None:
    open_cell(page, WEIGHTS.replace("weights", "masked_scores"), "0,0,1,2")
    onwards = page.locator(".ex-list", has_text="Goes on to").get_by_role("button", name="weights")
    value = page.locator(".ex-list", has_text="Goes on to").locator(".mono").inner_text()
    onwards.click()
    explained(page, f"{WEIGHTS}[0,0,1,2]")
    assert number(page.locator(".ex-value").inner_text()) == pytest.approx(number(value), abs=1e-4)


def test_single_numbers_are_explained_without_choosing(page: Page) -> None:
    open_cell(page, "loss.mean", "")
    expect(panel(page)).to_contain_text("total")
    links(page, "loss.total").click()
    explained(page, "loss.total[]")
    page.locator(".ex-terms .ex-link").first.click()
    explained(page, "loss.terms[0,0]")
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    explained(page, "loss.mean[]")
