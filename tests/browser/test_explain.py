"""A selected cell says where it comes from: its terms, the arithmetic, the masks that decide."""

from __future__ import annotations

import re
from typing import Any, Protocol

import pytest
from explaining import PIG, WEIGHTS, explained, links, number, open_cell, panel
from playwright.sync_api import Page, expect
from reading import faults

MASKED = "decoder.layers.0.self_attn.masked_scores"


class OpenPage(Protocol):
    def __call__(self, **options: Any) -> Page: ...


def test_a_share_of_attention_is_worked_out_from_its_scores(page: Page) -> None:
    open_cell(page, WEIGHTS, "0,0,1,2")
    expect(panel(page)).to_contain_text("weights from query “dog” (1) to key “run” (2), head 1, sentence 1")
    rows = page.locator(".ex-terms tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(2).locator("th")).to_have_text("run")
    expect(rows.nth(2)).to_have_class("ex-here")
    powers = [number(text) for text in page.locator(".ex-terms tbody td:nth-child(4)").all_inner_texts()]
    shown = number(page.locator(".ex-value").inner_text())
    assert powers[2] / sum(powers) == pytest.approx(shown, abs=2e-4)
    expect(page.locator(".ex-check")).to_have_text(re.compile(r"worked out 0\.\d+, recorded 0\.\d+, difference (0|\d(e−|\.)\d+)"))


def test_running_sum_ends_in_the_total_and_the_total_in_the_cell(page: Page) -> None:
    open_cell(page, "encoder.layers.0.feed_forward.hidden", "0,1,3")
    products = [number(text) for text in page.locator(".ex-terms tbody td:nth-child(4)").all_inner_texts()]
    sums = [number(text) for text in page.locator(".ex-terms tbody td:nth-child(5)").all_inner_texts()]
    assert sums == pytest.approx([sum(products[: i + 1]) for i in range(8)], abs=1e-3)
    assert number(page.locator(".ex-terms tfoot tr:last-child td:nth-child(4)").inner_text()) == pytest.approx(sums[-1], abs=1e-3)
    result = number(page.locator(".ex-equation:last-child b").inner_text())
    assert result == pytest.approx(number(page.locator(".ex-value").inner_text()), abs=1e-3)


def test_what_stands_around_an_explanation_lays_it_out_once(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_cell(page, "encoder.layers.0.feed_forward.out", "0,1,3", PIG)
    page.locator(".an-toggle").click()
    expect(page.locator(".explanation .an-parts")).to_be_visible()
    around = """(at) => { const found = []; while (!(at = at.parentElement).matches(".inspector"))
      if (/grid|flex/.test(getComputedStyle(at).display)) found.push(at.className); return found; }"""
    for inside in (".ex-terms", ".ex-equations", ".ex-check", ".an-parts", ".an-grid", ".maps-product"):
        assert panel(page).locator(inside).first.evaluate(around) == [], inside


def test_an_operand_under_the_pointer_is_told_to_the_other_views(page: Page) -> None:
    open_cell(page, "encoder.layers.0.feed_forward.hidden", "0,1,3")
    page.locator(".ex-terms .ex-link").first.hover()
    expect(page.locator("#diagram .pointed").first).to_be_attached()
    page.mouse.move(5, 5)
    expect(page.locator("#diagram .pointed")).to_have_count(0)


def test_an_explanation_out_of_sight_is_a_click_away(page: Page) -> None:
    open_cell(page, WEIGHTS, "0,1,1,2", PIG)
    away = page.get_by_role("button", name=re.compile(r"^Where 0\.\d+ comes from"))
    away.click()
    expect(panel(page)).to_be_focused()
    expect(panel(page)).to_be_in_viewport(ratio=0.3)
    expect(away).to_be_hidden()


def test_an_explanation_that_fails_says_so_and_the_next_one_comes(page: Page, expected_problems: list[str]) -> None:
    expected_problems.append("status of 503")
    open_cell(page, WEIGHTS, "0,0,1,2")
    body = '{"error": {"code": "busy", "message": "Too much to do just now.", "where": ""}}'
    page.route("**/explanations/**", lambda route: route.fulfill(status=503, content_type="application/json", body=body))
    page.locator(".heat-grid").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(panel(page)).to_contain_text("Too much to do just now.")
    page.unroute("**/explanations/**")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".ex-terms")).to_be_visible()
    expect(page.locator(".explanation > .notice")).to_be_hidden()


def test_enter_on_a_cell_explains_it_aloud(page: Page) -> None:
    open_cell(page, WEIGHTS, "0,0,1,2")
    page.locator(".heat-grid").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    explained(page, f"{WEIGHTS}[0,0,1,1]")
    expect(page.locator(".ex-voice")).to_have_text(re.compile(r"^weights\[sentence 1, head 1, dog, dog\] is 0\.\d+\. "))
    page.keyboard.press("Escape")
    expect(panel(page)).to_be_hidden()


def test_a_blocked_score_says_which_mask_blocks_it_and_why(page: Page) -> None:
    open_cell(page, MASKED, "0,0,0,1")
    expect(page.locator(".ex-value")).to_have_text("−∞")
    expect(page.locator(".ex-equations")).to_contain_text("blocked")
    reasons = page.locator(".ex-because li")
    expect(reasons).to_have_count(1)
    expect(reasons).to_contain_text("the decoder never looks ahead")
    reasons.get_by_role("button").click()
    explained(page, "masks.causal[0,1]")
    expect(page.locator(".ex-value")).to_have_text("blocked")


def test_a_padded_key_is_blocked_for_being_padding(page: Page) -> None:
    recipe = {"model": "tiny", "src": ["dog run", "cat"], "tgt": ["dog run", "cat"]}
    open_cell(page, "decoder.layers.0.cross_attn.masked_scores", "1,0,1,2", recipe)
    expect(page.locator(".ex-because")).to_contain_text("padding")
    expect(panel(page)).to_contain_text("−∞")


@pytest.mark.parametrize(
    ("tensor", "cell", "says"),
    [
        ("src_ids", "1,1", "Given: position 1 of the source, sentence 2, is “cat”"),
        ("encoder.layers.0.self_attn.w_q", "0,3", "A parameter of a model that was not trained"),
    ],
)
def test_what_is_made_from_nothing_says_how_it_came_to_be(page: Page, tensor: str, cell: str, says: str) -> None:
    open_cell(page, tensor, cell)
    expect(page.locator(".ex-says")).to_contain_text(says)
    expect(page.locator(".ex-terms")).to_have_count(0)


def test_long_sums_show_the_largest_terms_and_what_the_others_come_to(page: Page) -> None:
    open_cell(page, "encoder.layers.0.feed_forward.out", "0,1,3", PIG)
    rows = page.locator(".ex-terms tbody tr")
    expect(rows).to_have_count(64)
    expect(panel(page)).to_contain_text("128 terms")
    products = [abs(number(text)) for text in page.locator(".ex-terms tbody td:nth-child(4)").all_inner_texts()]
    assert products == sorted(products, reverse=True)
    signed = [number(text) for text in page.locator(".ex-terms tbody td:nth-child(4)").all_inner_texts()]
    rest = number(page.locator(".ex-terms tfoot tr", has_text="64 more").locator("td:nth-child(4)").inner_text())
    total = number(page.locator(".ex-terms tfoot tr", has_text="together").locator("td:nth-child(4)").inner_text())
    assert sum(signed) + rest == pytest.approx(total, abs=5e-3)
    page.get_by_role("button", name="the other 64").click()
    expect(rows).to_have_count(128)
    expect(page.locator(".ex-terms tfoot")).not_to_contain_text("more")
    page.get_by_role("button", name="in order").click()
    expect(rows).to_have_count(64)
    expect(rows.nth(5).locator("th")).to_have_text("5")


def test_a_cell_outside_the_tensor_in_an_address_is_let_go(page: Page) -> None:
    trace = page.request.post("/api/traces", data=PIG).json()["id"]
    page.goto(f"/t/{trace}?tensor=probs&cell=0,0,99")
    page.wait_for_selector('#inspector[data-painted="probs"]', state="attached")
    expect(panel(page)).to_be_hidden()


@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing(open_page: OpenPage, width: int) -> None:
    page = open_page(viewport={"width": width, "height": 900})
    open_cell(page, WEIGHTS, "0,0,1,2")
    links(page, "decoder.layers.0.cross_attn.masked_scores").nth(2).click()
    explained(page, "decoder.layers.0.cross_attn.masked_scores[0,0,1,2]")
    assert faults(page, ".explanation") == []
