"""An explanation stands where it is read: in sight, on top of the inspector, whole in its width, on a phone too."""

from __future__ import annotations

from typing import Any, Protocol

import pytest
from explaining import PIG, WEIGHTS, open_cell, panel
from playwright.sync_api import Page, expect

LINE = {
    "cross_attn.scores": "0,1,1,2",
    "cross_attn.heads": "0,1,1,2",
    "cross_attn.weights": "0,1,1,2",
    "cross_attn.queries": "1,1,3",
}


class OpenPage(Protocol):
    def __call__(self, **options: Any) -> Page: ...


def top(page: Page, selector: str) -> float:
    return float(page.evaluate("selector => document.querySelector(selector).getBoundingClientRect().top", selector))


@pytest.mark.parametrize("tensor", LINE)
def test_a_table_of_terms_is_as_wide_as_the_inspector(page: Page, tensor: str) -> None:
    open_cell(page, f"decoder.layers.0.{tensor}", LINE[tensor])
    wide, room = page.locator(".ex-scroll").evaluate("box => [box.scrollWidth, box.clientWidth]")
    assert wide <= room


def test_nothing_out_of_sight_makes_the_page_scroll(page: Page) -> None:
    open_cell(page, WEIGHTS, "0,1,1,2", PIG)
    page.locator(".ex-peek-button").click()
    expect(panel(page)).to_be_focused()
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
    assert page.evaluate("scrollY") == 0


def test_a_followed_number_is_read_from_its_heading(page: Page) -> None:
    open_cell(page, WEIGHTS, "0,1,1,2", PIG)
    page.locator(".ex-terms .ex-link").last.click()
    expect(page.locator(".ex-way")).to_be_visible()
    assert top(page, ".ex-head") >= top(page, "#inspector")
    expect(page.locator(".ex-value")).to_be_in_viewport()


def test_a_link_with_a_cell_opens_the_sheet_on_its_explanation(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_cell(page, WEIGHTS, "0,1,1,2", PIG)
    expect(page.locator(".ex-value")).to_be_in_viewport()
    assert abs(top(page, ".explanation") - top(page, "#inspector")) < 2
    page.locator(".ex-terms .ex-link").first.tap()
    expect(page.locator(".ex-way")).to_be_visible()
    expect(page.locator(".sheet-handle")).to_be_in_viewport()
    expect(page.locator(".ex-value")).to_be_in_viewport()


def test_a_block_lights_up_for_the_tensors_inside_it(page: Page) -> None:
    open_cell(page, "decoder.layers.0.cross_attn.scores", "0,0,1,2")
    block = page.locator('.dg-box[data-id="decoder.layers.0.cross_attn"]')
    expect(block).to_have_class("dg-box selected operand")
    expect(page.locator(".dg-box.selected")).to_have_count(1)
    page.locator('.ex-terms [data-tensor="decoder.layers.0.cross_attn.q"]').first.hover()
    expect(block).to_have_class("dg-box selected operand pointed")
