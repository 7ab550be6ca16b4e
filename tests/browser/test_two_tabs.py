"""Several tabs at once, and a tab that was asleep: each goes its own way, and none takes the connections of the others."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

READY = "html[data-ready]"
SLOTS = 3
NAPS = (
    ("document.dispatchEvent(new Event('freeze'))", "document.dispatchEvent(new Event('resume'))"),
    ("dispatchEvent(new PageTransitionEvent('pagehide'))", "dispatchEvent(new PageTransitionEvent('pageshow'))"),
)


def open_tab(page: Page) -> Page:
    tab = page.context.new_page()
    tab.goto("/")
    tab.wait_for_selector(READY, state="attached")
    return tab


def wait_for(tab: Page, happened: list[str], count: int) -> None:
    for _ in range(200):
        if len(happened) >= count:
            return
        tab.wait_for_timeout(50)
    pytest.fail("it did not come about", pytrace=False)


def play(tab: Page) -> None:
    tab.get_by_role("button", name="Decode", exact=True).click()
    expect(tab.locator(".bar").first).to_be_visible()
    tab.locator("select.speed").select_option("live")
    tab.get_by_role("button", name="Play").click()


def test_two_tabs_go_their_own_ways(page: Page) -> None:
    one, other = open_tab(page), open_tab(page)
    one.locator("#src-0").fill("cat dog")
    one.locator("#src-0").press("Enter")
    expect(one).to_have_title(re.compile("^cat dog"))
    other.get_by_role("button", name="Decode", exact=True).click()
    expect(other.locator(".step-says")).to_have_text("step 1")
    expect(one.locator(".decode-start")).to_be_visible()
    expect(other.locator("#src-0")).to_have_value("dog run")
    keys = [tab.evaluate("sessionStorage.getItem('glassformer.visitor')") for tab in (one, other)]
    assert keys[0] != keys[1]


@pytest.mark.parametrize("locks", [True, False], ids=["kept to a few", "without locks"])
def test_streams_leave_connections_for_other_tabs(page: Page, locks: bool) -> None:
    """Row 101. Without locks between tabs, as on a page without https, every tab opens its stream: the defence is off."""
    opened: list[str] = []

    def hold(route: Route) -> None:
        opened.append(route.request.url)

    page.context.route("**/events", hold)
    if not locks:
        page.context.add_init_script("Object.defineProperty(navigator, 'locks', { value: undefined })")
    tabs = [open_tab(page) for _ in range(SLOTS + 1)]
    for tab in tabs:
        play(tab)
    expect(tabs[-1].locator(".step-says")).not_to_have_text("step 1")
    assert len(opened) == (SLOTS if locks else SLOTS + 1)


def test_a_tab_that_sleeps_closes_its_stream_and_goes_on_when_it_wakes(page: Page) -> None:
    """Row 104: a laptop that was closed, and a page that comes back out of the browser's cache."""
    opened: list[str] = []
    closed: list[str] = []

    def hold(route: Route) -> None:
        opened.append(route.request.url)

    tab = open_tab(page)
    tab.on("requestfailed", lambda request: closed.append(request.url) if request.url.endswith("/events") else None)
    tab.route("**/events", hold)
    play(tab)
    for sleeps, wakes in NAPS:
        known, gone = len(opened), len(closed)
        tab.evaluate(sleeps)
        wait_for(tab, closed, gone + 1)
        tab.evaluate(wakes)
        wait_for(tab, opened, known + 1)
