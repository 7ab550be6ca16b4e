"""The banner of a server that is away has a row of its own: whatever can be pressed still can, and nothing is under it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from browser.conftest import LAPTOP, OpenPage
from playwright.sync_api import Page, expect
from wire import Wire, wire

READY = "html[data-ready]"
PHONE = {"width": 390, "height": 844}
LOW = {"width": 390, "height": 640}
FLAT = {"width": 1000, "height": 560}

COVERED = """() => {
  const banner = document.querySelector(".banner");
  const pressed = [...document.querySelectorAll("button, a[href], input, select, summary, [tabindex='0']")];
  const visible = { visibilityProperty: true, opacityProperty: true };
  const shown = pressed.filter((each) => !banner.contains(each) && !each.closest(".skip") && each.checkVisibility(visible));
  const under = shown.filter((each) => {
    each.scrollIntoView({ block: "start", inline: "nearest", behavior: "instant" });
    const { left, top, width, height } = each.getBoundingClientRect();
    const places = [0.5, 0.1, 0.9].map((part) => document.elementFromPoint(left + width / 2, top + height * part));
    return width > 0 && places.some((place) => place && banner.contains(place));
  });
  return { seen: shown.length, under: under.map((each) => each.getAttribute("aria-label") || each.textContent) };
}"""


HAS_ROOM = """() => {
  const room = getComputedStyle(document.documentElement).getPropertyValue("--banner");
  return parseFloat(room) === document.querySelector(".banner").offsetHeight;
}"""


@pytest.fixture
def line(server: str, expected_problems: list[str]) -> Iterator[Wire]:
    expected_problems.append(r"ERR_|status of 50\d|left the server")
    with wire(server) as made:
        yield made


def as_it_opens(page: Page) -> None:
    pass


def open_panel(page: Page) -> None:
    page.get_by_role("button", name="Loss", exact=True).click()
    expect(page.locator(".loss-drag input").first).to_be_visible()


def open_sheet(page: Page) -> None:
    page.locator(".sheet-handle").click()
    expect(page.locator("#inspector h1")).to_be_visible()


def unfold(page: Page) -> None:
    page.locator(".bar-summary").click()
    expect(page.locator("#src-0")).to_be_visible()


def decode(page: Page) -> None:
    page.get_by_role("button", name="Decode", exact=True).click()
    expect(page.locator(".bar").first).to_be_visible()


@pytest.mark.parametrize(
    ("size", "state"),
    [
        (LAPTOP, open_panel),
        (LAPTOP, decode),
        (PHONE, open_panel),
        (PHONE, open_sheet),
        (PHONE, unfold),
        (PHONE, decode),
        (LOW, as_it_opens),
        (LOW, open_sheet),
        (FLAT, as_it_opens),
        (FLAT, open_panel),
    ],
    ids=lambda given: f"{given['width']} by {given['height']}" if isinstance(given, dict) else given.__name__,
)
def test_the_banner_covers_nothing(open_page: OpenPage, line: Wire, size: dict[str, int], state: Callable[[Page], None]) -> None:
    page = open_page(viewport=size)
    page.goto(line.address)
    page.wait_for_selector(READY, state="attached")
    state(page)
    line.cut()
    page.evaluate("dispatchEvent(new Event('offline'))")
    banner = page.locator(".banner")
    expect(banner).to_contain_text("The server does not answer")
    page.wait_for_function(HAS_ROOM)
    page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished.catch(() => null)))")
    found = page.evaluate(COVERED)
    assert found["seen"] >= 3
    assert found["under"] == []
    box = banner.bounding_box()
    assert box is not None
    assert (box["x"], box["y"], box["width"]) == (0, 0, size["width"])
    assert box["height"] < size["height"] / 8
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
    banner.get_by_role("button", name="Try now").click(trial=True)


def test_what_is_only_fetched_ahead_is_not_missed(page: Page, expected_problems: list[str]) -> None:
    expected_problems.append("ERR_FAILED")
    page.route("**/vendor/*", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: "/vendor/" in request.url):
        page.goto("/")
    page.wait_for_selector(READY, state="attached")
    expect(page.locator("html")).not_to_have_attribute("data-broken", "true")
    expect(page.locator(".notice.broken")).to_be_hidden()


def test_a_part_that_did_not_load_is_told_of_in_a_row_of_its_own(page: Page, expected_problems: list[str]) -> None:
    expected_problems.append("ERR_FAILED")
    page.route("**/css/later.css", lambda route: route.abort())
    page.goto("/")
    page.wait_for_selector(READY, state="attached")
    notice = page.locator(".notice.broken")
    expect(notice).to_be_visible()
    page.wait_for_function(
        "(notice) => document.querySelector('.stage').getBoundingClientRect().bottom <= notice.getBoundingClientRect().top",
        arg=notice.element_handle(),
    )
    page.get_by_role("button", name="Decode", exact=True).click(trial=True)


ROOM = """(height) => {
  const room = (name) => document.querySelector(name).getBoundingClientRect();
  const [banner, bar, stage] = [".banner", "#sentences", ".stage"].map(room);
  const known = getComputedStyle(document.documentElement).getPropertyValue("--banner");
  const meet = (one, other) => Math.abs(one - other) < 1;
  const whole = meet(bar.top, banner.height) && meet(stage.top, bar.bottom) && meet(stage.bottom, innerHeight);
  return whole && meet(parseFloat(known), banner.height) && (banner.height > 0) === (height > 0);
}"""


def test_the_page_makes_room_for_the_banner_and_takes_it_back(page: Page, line: Wire) -> None:
    page.goto(line.address)
    page.wait_for_selector(READY, state="attached")
    line.cut()
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(page.locator(".banner")).to_be_visible()
    page.wait_for_function(ROOM, arg=1)
    line.mend()
    expect(page.locator(".banner")).to_be_hidden(timeout=30_000)
    page.wait_for_function(ROOM, arg=0)
