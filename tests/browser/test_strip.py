"""The steps of a decoding on a phone: a third of the screen at most, the best hypothesis in sight, the rest within reach."""

from __future__ import annotations

import re

import pytest
from browser.conftest import OpenPage
from playwright.sync_api import Page, expect

READY = "html[data-ready]"
INSIDE = """(chip) => {
  const [inner, outer] = [chip.getBoundingClientRect(), chip.closest(".decode-rest").getBoundingClientRect()];
  return inner.top >= outer.top && inner.bottom <= outer.bottom && inner.left >= 0 && inner.right <= innerWidth;
}"""


def decode_beam(page: Page, model: str) -> None:
    page.goto("/")
    page.wait_for_selector(READY, state="attached")
    if model != "tiny":
        page.locator(".picker").click()
        page.locator(".menu-item", has_text=re.compile("copy", re.IGNORECASE)).first.click()
        expect(page).to_have_title(re.compile("copy", re.IGNORECASE))
    ways = page.locator(".ways")
    ways.locator("> .button").click()
    ways.get_by_role("button", name="Beam", exact=True).click()
    ways.get_by_role("button", name="Decode", exact=True).click()
    for step in (2, 3):
        page.get_by_role("button", name="One step forward").click()
        expect(page.locator(".step-says")).to_have_text(f"step {step}")
    expect(page.locator(".hypothesis").nth(1)).to_be_attached()


@pytest.mark.parametrize(("height", "model"), [(844, "tiny"), (740, "copy"), (640, "tiny")])
def test_a_beam_takes_a_third_of_a_phone_with_its_best_hypothesis_in_sight(open_page: OpenPage, height: int, model: str) -> None:
    page = open_page(viewport={"width": 390, "height": height})
    decode_beam(page, model)
    strip, rest = page.locator("#timeline"), page.locator(".decode-rest")
    box = strip.bounding_box()
    assert box is not None
    assert box["height"] <= height * 0.36
    strip.scroll_into_view_if_needed()
    assert page.locator(".hypothesis").first.evaluate(INSIDE)
    expect(page.locator(".hypothesis").first).to_have_attribute("aria-pressed", "true")

    expect(rest).to_have_attribute("tabindex", "0")
    rest.focus()
    page.keyboard.press("End")
    expect(page.locator(".step-says")).to_have_text(re.compile("the last"))
    page.wait_for_function("(rest) => rest.scrollHeight > rest.clientHeight + 1", arg=rest.element_handle())
    rest.focus()
    page.keyboard.press("PageDown")
    page.wait_for_function("(rest) => rest.scrollTop > 0", arg=rest.element_handle())
    page.locator(".decode-rest .ways > .button").click()
    panel = page.locator(".ways .menu-panel")
    expect(panel).to_be_visible()
    for part in ("#way-beam", "button[type=submit]"):
        panel.locator(part).click(trial=True)
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_on_a_laptop_nothing_of_a_step_scrolls(page: Page) -> None:
    decode_beam(page, "tiny")
    expect(page.locator(".decode-rest")).not_to_have_attribute("tabindex", "0")
    assert page.locator(".decode-rest").evaluate("(rest) => rest.scrollHeight <= rest.clientHeight + 1")
