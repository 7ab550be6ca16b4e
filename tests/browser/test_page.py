"""The page as a whole: links, history, a server that is away, and what axe finds."""

from __future__ import annotations

import re

import pytest
from browser.conftest import OpenPage
from playwright.sync_api import Page, expect
from reading import faults

READY = "html[data-ready]"
WEIGHTS = "decoder.layers.0.cross_attn.weights"
PHONE = {"width": 390, "height": 844}


def open_home(page: Page, query: str = "") -> str:
    """Open the page; return the address of its trace."""
    page.goto(f"/{query}")
    page.wait_for_selector(READY, state="attached")
    return page.url.split("?")[0]


def test_address_names_the_trace_and_a_link_shows_the_same(page: Page) -> None:
    trace = open_home(page)
    assert "/t/" in trace
    address = f"{trace}?at=decoder.layers.0&tensor={WEIGHTS}&cell=1,0,1,2&index=batch:1,head:0"
    for _ in range(2):
        page.goto(address)
        page.wait_for_selector(READY, state="attached")
        assert page.url == address
        expect(page).to_have_title(re.compile("^weights · "))


def test_back_and_forward_twenty_times_end_where_they_should(page: Page) -> None:
    open_home(page)
    addresses = [page.url]
    for sentence in ("cat", "dog cat", "run run run", "cat dog"):
        page.locator("#src-0").fill(sentence)
        page.locator("#src-0").press("Enter")
        expect(page.locator("#src-note")).not_to_contain_text("not run yet")
        expect(page).not_to_have_url(addresses[-1])
        addresses.append(page.url)
    for _ in range(10):
        page.evaluate("history.back()")
        page.evaluate("history.forward()")
    page.evaluate("history.go(-2)")
    expect(page).to_have_url(addresses[2])
    expect(page.locator("#src-0")).to_have_value("dog cat")
    expect(page.locator(".row").first.locator(".field.src .chip-text")).to_have_text(["<start>", "dog", "cat"])
    page.evaluate("history.go(2)")
    expect(page).to_have_url(addresses[4])
    expect(page.locator("#src-0")).to_have_value("cat dog")


def test_page_fits_a_laptop_without_scrolling(page: Page) -> None:
    open_home(page)
    assert page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]") == [900, 1440]
    assert page.locator(".sentences").evaluate("element => element.offsetHeight") <= 128


def test_phone_shows_diagram_timeline_and_a_sheet(open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, is_mobile=True, has_touch=True)
    open_home(page)
    assert page.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [390, 390]
    expect(page.locator("#inspector")).to_be_hidden()
    page.get_by_role("button", name=re.compile("^About")).tap()
    expect(page.locator("#inspector")).to_be_visible()
    page.locator(".bar-summary").tap()
    expect(page.locator("#src-0")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def decode(page: Page) -> None:
    page.get_by_role("button", name="Decode", exact=True).click()
    expect(page.locator(".bar").first).to_be_visible()
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    expect(page.locator(".step-says")).to_have_text("step 4")


PARTS = (
    ".bar-tools, .bar-summary, .bar-body, .dg-bar, .dg-axes, .dg-surface, .dg-caption, .sheet-handle, "
    ".controls > *, .fed, .chosen-says, .bars, .decode-caution"
)
OVERPRINTED = """(parts) => {
  const floats = (part) => part.matches(".dg-axes") && innerWidth > 860;
  const shown = [...document.querySelectorAll(parts)].filter((part) => !floats(part))
    .map((part) => ({ name: part.className, box: part.getBoundingClientRect() })).filter(({ box }) => box.width && box.height);
  const across = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return shown.flatMap((a, i) => shown.slice(i + 1).filter((b) => across(a.box, b.box)).map((b) => `${a.name} on ${b.name}`));
}"""


@pytest.mark.parametrize("viewport", [(720, 450), (844, 390), (390, 600), (1280, 560)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_low_screen_scrolls_and_overprints_nothing(open_page: OpenPage, viewport: tuple[int, int]) -> None:
    page = open_page(viewport={"width": viewport[0], "height": viewport[1]})
    open_home(page)
    decode(page)
    assert page.locator(".dg-surface").evaluate("surface => surface.clientHeight") >= 300
    assert page.evaluate("document.documentElement.scrollWidth") == viewport[0]
    assert page.evaluate("document.documentElement.scrollHeight > innerHeight")
    assert page.evaluate(OVERPRINTED, PARTS) == []
    page.evaluate("scrollTo(0, 0)")
    page.locator(".dg-surface").hover(position={"x": 200, "y": 40})
    page.mouse.wheel(0, 200)
    expect(page.locator(".sentences")).not_to_be_in_viewport()


def test_phone_timeline_leaves_the_diagram_its_room(open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, is_mobile=True, has_touch=True)
    open_home(page)
    decode(page)
    covered = page.evaluate(
        "document.querySelector('#timeline').offsetHeight + document.querySelector('.sheet-handle').offsetHeight"
    )
    assert covered <= 0.4 * PHONE["height"]
    assert page.evaluate(OVERPRINTED, PARTS) == []
    assert page.evaluate("document.documentElement.scrollHeight") == PHONE["height"]


def test_links_of_the_page_for_an_unknown_address_lead_back(page: Page, expected_problems: list[str]) -> None:
    expected_problems.append("404")
    answer = page.goto("/nothing")
    assert answer is not None
    assert answer.status == 404
    links = page.get_by_role("link")
    assert links.count() >= 1
    links.first.click()
    page.wait_for_selector(READY, state="attached")
    expect(page.locator("#src-0")).to_have_value("dog run")
    assert "/t/" in page.url


def test_question_mark_lists_keys_and_words(page: Page) -> None:
    open_home(page)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys and words")
    expect(dialog).to_contain_text("d_model")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.locator("#src-0").press("?")
    expect(dialog).to_be_hidden()


def test_server_away_keeps_everything_and_comes_back(page: Page, expected_problems: list[str]) -> None:
    expected_problems.append("ERR_")
    open_home(page)
    page.route("**/api/**", lambda route: route.abort())
    page.locator("#src-0").fill("cat dog")
    page.locator("#src-0").press("Enter")
    banner = page.locator(".banner")
    expect(banner).to_contain_text("The server does not answer")
    expect(page.locator("#src-0")).to_have_value("cat dog")
    page.unroute("**/api/**")
    expect(banner).to_be_hidden(timeout=15000)
    expect(page.locator(".row").first.locator(".field.src .chip-text")).to_have_text(["<start>", "cat", "dog"])


@pytest.mark.parametrize("viewport", [{"width": 1440, "height": 900}, PHONE], ids=["laptop", "phone"])
def test_axe_finds_nothing(open_page: OpenPage, viewport: dict[str, int]) -> None:
    page = open_page(viewport=viewport)
    open_home(page)
    page.get_by_role("button", name="Decode", exact=True).click()
    expect(page.locator(".bar").first).to_be_visible()
    if viewport == PHONE:
        page.locator(".bar-summary").click()
    page.get_by_role("button", name="Cross-attention so far").click()
    assert faults(page) == []
