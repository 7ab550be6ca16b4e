"""The cache panel: what it counts is what the server counted, and its rows and links open the tensors they name."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

BODY: dict[str, Any] = {"model": "pig-latin", "src": ["she pet"]}


def go(page: Page, step: int, *, body: dict[str, Any] = BODY, more: str = "&panel=cache") -> str:
    """Open a step of a decoding; returns the decoding's id."""
    decoding = page.request.post("/api/decodings", data=body).json()["id"]
    trace = page.request.get(f"/api/decodings/{decoding}/steps/{step}").json()["trace"]
    page.goto(f"/t/{trace}?decoding={decoding}&step={step}{more}")
    return str(decoding)


def spaced(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def test_counts_are_the_servers(page: Page) -> None:
    decoding = go(page, 4)
    saving = page.request.get(f"/api/decodings/{decoding}/steps/4/cache").json()
    panel = page.locator(".cache")
    one = panel.get_by_role("region", name="Multiplications in step 5")
    expect(one.locator(".mono")).to_have_text([spaced(saving["full"]), spaced(saving["cached"])])
    expect(one.locator(".cache-ratio")).to_have_text(f"{saving['full'] / saving['cached']:.1f} times fewer")
    together = panel.get_by_role("region", name="In steps 1 to 5 together")
    expect(together.locator(".mono")).to_have_text([spaced(saving["full_total"]), spaced(saving["cached_total"])])
    expect(panel.locator(".cache-apart")).to_contain_text("The best token is the same at all 5 positions.")


def test_new_rows_are_lit_and_the_memorys_are_computed_once(page: Page) -> None:
    go(page, 4)
    own = page.get_by_role("region", name="masked self-attention · decoder layer 1")
    expect(own.locator(".kept-place")).to_have_count(10)
    expect(own.locator(".kept-place.fresh")).to_have_text(["a", "a"])
    cross = page.get_by_role("region", name=re.compile("^cross-attention · decoder layer 1"))
    expect(cross.locator(".kept-once")).to_have_text("computed once, from the memory")
    expect(cross.locator(".fresh")).to_have_count(0)
    page.locator("#timeline").press("Shift+ArrowRight")
    expect(own.locator(".kept-place.fresh")).to_have_text(["y", "y"])


def test_a_row_opens_its_tensor_at_that_row(page: Page) -> None:
    go(page, 4)
    page.get_by_role("button", name="V of “s”, position 2, kept").first.click()
    expect(page).to_have_url(re.compile(r"tensor=decoder\.layers\.0\.self_attn\.v&cell=0,0,2,0"))
    expect(page.locator(".tensor-head h1")).to_have_text("V", ignore_case=True)


def test_arrows_walk_along_a_row(page: Page) -> None:
    go(page, 4)
    newest = page.get_by_role("button", name="K of “a”, position 4, new").first
    newest.focus()
    newest.press("ArrowLeft")
    expect(page.get_by_role("button", name="K of “h”, position 3, kept").first).to_be_focused()


def test_largest_difference_links_to_its_logit(page: Page) -> None:
    decoding = go(page, 4)
    cell = page.request.get(f"/api/decodings/{decoding}/steps/4/cache").json()["cell"]
    page.locator(".cache-apart .link").click()
    expect(page).to_have_url(re.compile(rf"tensor=logits&cell={','.join(map(str, cell))}"))


def test_earlier_keys_are_seen_to_be_the_same_bits(page: Page) -> None:
    go(page, 4)
    page.get_by_role("button", name="See it: keys of step 5 less those of step 4").click()
    expect(page).to_have_url(re.compile(r"tensor=decoder\.layers\.0\.self_attn\.k.*compare=3"))
    expect(page.locator(".step-compare-says")).to_contain_text(
        "All 256 cells that step 4 has too are the same bits. 64 cells are new."
    )


def test_without_the_causal_mask_the_panel_says_why_there_is_no_cache(page: Page, expected_problems: list[str]) -> None:
    expected_problems.append("status of 422")
    go(page, 1, body={**BODY, "options": {"causal": False}})
    expect(page.locator(".cache-says")).to_contain_text("A cache needs the causal mask")
    expect(page.locator(".cache-content")).to_be_hidden()


def test_a_closed_panel_asks_for_nothing(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    go(page, 1, more="")
    expect(page.locator(".step-says")).to_contain_text("step 2")
    page.locator("#timeline").press("Shift+ArrowRight")
    expect(page.locator(".step-says")).to_contain_text("step 3")
    assert not [url for url in asked if url.endswith("/cache") or "/forced" in url]
