"""Links that cannot be opened: nothing is drawn as if it were theirs, and what they ask for can still be read and run."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import pytest
from browser.conftest import LAPTOP, OpenPage
from playwright.sync_api import Page, expect

READY = "html[data-ready]"
PHONE = {"width": 390, "height": 844}
LINK = {"model": "nope", "options": {"norm": "pre"}, "src": ["cat dog", "run"], "tgt": ["dog cat", "cat"]}


def address(recipe: dict[str, Any]) -> str:
    text = json.dumps(recipe, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "/t/" + base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def refused(page: Page, url: str) -> None:
    page.goto(url)
    page.wait_for_selector(READY, state="attached")
    expect(page.get_by_role("heading", name="This link cannot be opened here")).to_be_visible()


@pytest.fixture(autouse=True)
def _refusals(expected_problems: list[str]) -> None:
    expected_problems.append(r"status of (404|422)")


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize(
    ("url", "says", "holds"),
    [
        ("/t/BROKEN", "This id is no recipe", ["Nothing of it can be read"]),
        (address(LINK), "No model is named 'nope'", ["norm pre", "cat dog", "dog cat", "without its settings"]),
        (address(LINK)[:-12], "This id is no recipe", ["it was cut off", "nope", "cat dog"]),
        (address({"model": "tiny", "src": ["dog " * 80], "tgt": ["cat"]}), "this model takes 64", ["tiny", "dog dog", "cat"]),
        (address({"model": "run-0123456789abcdef@5", "src": ["abc"], "tgt": ["cba"]}), "", ["run-0123456789abcdef@5", "abc"]),
        (address({"model": "tiny", "src": ["dog"], "tgt": ["dog"], "options": {"d_model": 10**6}}), "", ["d model 1000000"]),
    ],
    ids=["nonsense", "no such model", "cut off", "too long", "deleted training", "too large"],
)
def test_nothing_is_drawn_for_a_link_that_cannot_be_opened(
    open_page: OpenPage, size: dict[str, int], url: str, says: str, holds: list[str]
) -> None:
    page = open_page(viewport=size)
    refused(page, url)
    card = page.locator(".unopened")
    expect(card.get_by_role("alert")).to_contain_text(says)
    for text in holds:
        expect(card).to_contain_text(text)
    for part in ("#diagram", "#timeline", "#inspector", ".sheet-handle"):
        expect(page.locator(part)).to_be_hidden()
    assert page.url.endswith(url)
    expect(page).to_have_title("A link that cannot be opened · Glassformer")
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]


def test_the_sentences_of_a_refused_link_can_be_run(page: Page) -> None:
    refused(page, address(LINK))
    expect(page.locator("#src-0")).to_have_value("cat dog")
    expect(page.locator("#src-note")).to_contain_text("From the link, not run")
    page.locator("#src-0").press("Enter")
    expect(page.locator(".unopened")).to_be_hidden()
    expect(page.locator(".row").first.locator(".field.src .chip-text")).to_have_text(["<start>", "cat", "dog"])
    expect(page.locator("#diagram")).to_be_visible()
    expect(page).not_to_have_url(re.compile(re.escape(address(LINK))))
    page.go_back()
    expect(page.locator(".unopened")).to_be_visible()
    expect(page.locator("#diagram")).to_be_hidden()
    expect(page.locator("#src-0")).to_have_value("cat dog")
    page.go_forward()
    expect(page.locator("#diagram")).to_be_visible()
    expect(page.locator(".row").first.locator(".field.src .chip-text")).to_have_text(["<start>", "cat", "dog"])


def test_a_model_chosen_for_a_refused_link_runs_its_sentences(page: Page) -> None:
    refused(page, address(LINK))
    page.get_by_role("button", name=re.compile("^model")).click()
    page.locator(".menu-item", has_text="Pig Latin").click()
    expect(page.locator("#diagram")).to_be_visible()
    expect(page).to_have_title(re.compile("cat dog · Pig Latin"))


def test_what_is_typed_at_a_refused_link_stays(page: Page) -> None:
    refused(page, address(LINK))
    page.locator("#src-0").fill("run run")
    page.reload()
    expect(page.locator(".unopened")).to_be_visible()
    expect(page.locator("#src-0")).to_have_value("run run")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("html")).to_have_attribute("data-ready", "true")
    expect(page.get_by_role("button", name="Try again")).to_be_focused()
    expect(page.locator("#src-0")).to_have_value("run run")
    expect(page.locator(".unopened dd", has_text="cat dog")).to_be_visible()
    page.get_by_role("button", name="Open the worked example").press("Enter")
    expect(page.locator("#src-0")).to_have_value("dog run")
    expect(page.locator("#diagram")).to_be_focused()
    page.go_back()
    expect(page.locator("#src-0")).to_have_value("run run")


def test_a_link_that_failed_can_be_tried_again(page: Page, expected_problems: list[str]) -> None:
    expected_problems.append("status of 500")
    page.route("**/api/traces/*", lambda route: route.fulfill(status=500))
    good = address({"model": "tiny", "src": ["run cat"], "tgt": ["cat"]})
    refused(page, good)
    expect(page.locator("#src-0")).to_have_value("run cat")
    page.unroute("**/api/traces/*")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".unopened")).to_be_hidden()
    expect(page.locator(".row").first.locator(".field.src .chip-text")).to_have_text(["<start>", "run", "cat"])
    assert page.url.endswith(good)


def test_unreadable_links_leave_a_bar_to_type_into(page: Page) -> None:
    refused(page, "/t/nonsense")
    page.locator("#src-0").fill("cat")
    page.locator("#tgt-0").fill("dog")
    page.locator("#src-0").press("Enter")
    expect(page).not_to_have_url(re.compile("nonsense"))
    expect(page.locator("#diagram")).to_be_visible()
