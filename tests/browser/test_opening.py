"""The page while it opens: what is typed meanwhile stays, nothing is sent by itself, and what fails can be tried again."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

READY = "html[data-ready]"


def held(page: Page, pattern: str | re.Pattern[str]) -> Callable[[], None]:
    """Hold back the answers to `pattern` until what is returned is called."""
    waiting: list[Route] = []
    page.route(pattern, lambda route: waiting.append(route))

    def release() -> None:
        for route in waiting:
            route.continue_()
        page.unroute(pattern)

    return release


@pytest.mark.parametrize(
    "pattern",
    ["**/api/models", "**/api/models/tiny", "**/api/traces"],
)
def test_what_is_typed_while_the_page_opens_stays_and_is_not_sent(page: Page, pattern: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.post_data or "") if request.method == "POST" else None)
    release = held(page, pattern)
    with page.expect_request(pattern):
        page.goto("/")
    page.locator("#src-0").press_sequentially("cat cat")
    page.locator("#src-0").press("Enter")
    release()
    page.wait_for_selector(READY, state="attached")
    expect(page.locator("#src-note")).to_contain_text("Changed, not run yet")
    expect(page.locator("#src-0")).to_have_value("cat cat")
    expect(page.locator("#tgt-0")).not_to_have_value("")
    assert len(asked) == 1
    assert "cat cat" not in asked[0]
    page.locator("#src-0").press("Enter")
    expect(page.locator(".row").first.locator(".field.src .chip-text").nth(1)).to_have_text("cat")
    assert len(asked) == 2


@pytest.mark.parametrize("button", ["Run", "Try again"])
def test_models_that_fail_can_be_asked_for_again(page: Page, expected_problems: list[str], button: str) -> None:
    expected_problems.append("status of 500")
    page.route("**/api/models", lambda route: route.fulfill(status=500))
    page.goto("/")
    expect(page.locator("#src-note")).to_contain_text("The server answered 500")
    page.unroute("**/api/models")
    page.get_by_role("button", name=re.compile(f"^{button}")).click()
    expect(page.locator("#src-0")).to_have_value("dog run")
    expect(page.locator("#src-note")).not_to_contain_text("500")
    expect(page.get_by_role("button", name="Try again")).to_be_hidden()


def test_a_run_on_its_way_says_so(page: Page) -> None:
    page.goto("/")
    page.wait_for_selector(READY, state="attached")
    release = held(page, "**/api/traces")
    page.locator("#src-0").fill("cat")
    expect(page.locator("#src-note")).to_contain_text("Changed, not run yet")
    page.locator("#src-0").press("Enter")
    expect(page.locator("#src-note")).to_contain_text("Sent, waiting for its turn")
    expect(page.locator("form.unrun")).to_have_count(0)
    release()
    expect(page.locator("#src-note")).to_contain_text("The encoder reads")


def test_a_smaller_limit_is_told_to_who_adds_sentences_and_chooses_a_beam(page: Page) -> None:
    """`max_batch` of a class is 4: the beam that nobody chose fits the sentences, and no fifth is offered."""
    page.route("**/api/limits", lambda route: route.fulfill(json={"max_batch": 4}))
    with page.expect_response("**/api/limits"):
        page.goto("/")
    page.get_by_role("button", name="add a sentence").click()
    page.get_by_role("button", name="add a sentence").click()
    expect(page.get_by_role("button", name="add a sentence")).to_have_count(0)
    page.get_by_role("button", name="remove sentence 4").click()
    page.get_by_role("button", name="remove sentence 3").click()
    ways = page.locator(".ways")
    ways.locator("> .button").click()
    ways.get_by_role("button", name="Beam", exact=True).click()
    expect(page.locator("#way-width")).to_have_value("2")
    expect(page.locator("#way-width-says")).to_have_text("hypotheses of a sentence, at most 4 in all")
    ways.get_by_role("button", name="Decode", exact=True).click()
    expect(page.locator(".decode-run .ways > .button")).to_have_text("Beam of 2")


@pytest.mark.parametrize("works", [True, False])
def test_a_link_is_copied_without_a_clipboard(page: Page, works: bool) -> None:
    """Plain http has no `navigator.clipboard`; where nothing copies, the link stands selected in a field."""
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined });")
    page.add_init_script(
        f"document.execCommand = () => {{ window.copied = getSelection().toString(); return {str(works).lower()}; }};"
    )
    page.goto("/")
    page.wait_for_selector(READY, state="attached")
    page.get_by_role("button", name="Copy link").click()
    said, field = page.locator(".copied"), page.get_by_label("the link to this view")
    if works:
        expect(said).to_have_text("copied")
        expect(field).to_be_hidden()
        assert page.evaluate("window.copied") == page.url
    else:
        expect(field).to_have_value(page.url)
        expect(field).to_be_focused()
    shown, target = page.locator(".copy-said").bounding_box(), page.locator(".field.tgt").first.bounding_box()
    assert shown
    assert target
    assert shown["y"] + shown["height"] <= target["y"]
