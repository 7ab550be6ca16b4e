"""A narrow window with a keyboard: what covers the page takes the focus with it, and gives it back."""

from __future__ import annotations

import re

import pytest
from browser.conftest import OpenPage
from playwright.sync_api import Page, expect

READY = "html[data-ready]"
OBSCURED = """() => {
  const focused = document.activeElement;
  const { left, top, width, height } = focused.getBoundingClientRect();
  const seen = document.elementFromPoint(left + width / 2, top + height / 2);
  return focused !== document.body && !focused.contains(seen) && !seen?.contains(focused) ? focused.outerHTML.slice(0, 120) : "";
}"""


@pytest.fixture
def phone(open_page: OpenPage) -> Page:
    page = open_page(viewport={"width": 390, "height": 844})
    page.goto("/")
    page.wait_for_selector(READY, state="attached")
    return page


def test_a_panel_that_covers_the_page_holds_the_focus(phone: Page) -> None:
    opener = phone.get_by_role("button", name="Loss", exact=True)
    opener.focus()
    phone.keyboard.press("Enter")
    expect(phone.locator(".loss-drag input").first).to_be_visible()
    expect(phone.get_by_role("button", name="Close Loss")).to_be_focused()
    for _ in range(30):
        phone.keyboard.press("Tab")
        assert phone.evaluate("document.activeElement === document.body || !!document.activeElement.closest('.panel')")
    phone.get_by_role("button", name="Close Loss").focus()
    phone.keyboard.press("Escape")
    expect(phone.locator(".panel:visible")).to_have_count(0)
    expect(opener).to_be_focused()
    expect(phone.locator("#diagram")).to_be_visible()


def test_the_open_bar_gives_way_to_what_the_keyboard_reaches(phone: Page) -> None:
    summary = phone.locator(".bar-summary")
    summary.focus()
    phone.keyboard.press("Enter")
    expect(phone.locator("#src-0")).to_be_visible()
    phone.locator("#src-0").fill("cat")
    phone.keyboard.press("Escape")
    expect(phone.locator("#src-0")).to_be_hidden()
    expect(summary).to_be_focused()
    phone.keyboard.press("Enter")
    expect(phone.locator("#src-0")).to_have_value("cat")
    for _ in range(40):
        phone.keyboard.press("Tab")
        assert phone.evaluate(OBSCURED) == ""
        if phone.evaluate("!!document.activeElement.closest('#timeline')"):
            break
    expect(phone.locator("#src-0")).to_be_hidden()
    expect(phone.locator(".bar-summary")).to_contain_text("cat")


def test_nothing_that_has_the_focus_is_covered_while_decoding(phone: Page) -> None:
    phone.get_by_role("button", name="Decode", exact=True).focus()
    phone.keyboard.press("Enter")
    expect(phone.locator(".bar").first).to_be_visible()
    phone.keyboard.press("ArrowRight")
    expect(phone.locator(".step-says")).to_have_text(re.compile("step 2"))
    phone.locator(".wordmark").focus()
    for _ in range(40):
        phone.keyboard.press("Tab")
        assert phone.evaluate(OBSCURED) == ""
