"""Proofs on the page: the badge of a tensor and what it opens, and the mark of the whole run."""

from __future__ import annotations

import json
import re
from typing import Any, Protocol

import pytest
from playwright.sync_api import Page, Route, expect
from reading import faults

READY = "html[data-ready]"
TINY = "eyJtb2RlbCI6InRpbnkiLCJzcmMiOlsiZG9nIHJ1biIsImNhdCBydW4iXSwidGd0IjpbImRvZyBydW4iLCJjYXQgcnVuIl19"
WEIGHTS = "decoder.layers.0.cross_attn.weights"


class OpenPage(Protocol):
    def __call__(self, **options: Any) -> Page: ...


def show(page: Page, name: str | None = None) -> None:
    page.goto(f"/t/{TINY}{f'?tensor={name}' if name else ''}")
    page.wait_for_selector(READY, state="attached")
    if name:
        page.wait_for_selector(f"[data-painted='{name}']", state="attached")


def test_the_badge_opens_what_was_compared_with_what(page: Page) -> None:
    show(page, WEIGHTS)
    badge, panel = page.locator(".proof"), page.locator(".proof-panel")
    expect(badge).to_contain_text("✓ recomputed")
    expect(panel).to_be_hidden()
    badge.click()
    expect(badge).to_have_attribute("aria-expanded", "true")
    expect(panel).to_contain_text("Each of its 24 numbers in double precision, by other code than the network's")
    expect(panel.locator("math")).to_be_visible()
    expect(panel).to_contain_text("% of what rounding explains")
    expect(panel).to_contain_text("A cell here adds up 3 terms")
    panel.get_by_text("The code of the second computation").click()
    expect(panel.locator("pre")).to_contain_text("def replay(self, operands")
    badge.click()
    expect(panel).to_be_hidden()


def test_the_worst_cell_shows_both_values_and_leads_to_its_explanation(page: Page) -> None:
    show(page, WEIGHTS)
    proof = page.request.get(f"/api/traces/{TINY}/proofs/{WEIGHTS}").json()
    page.locator(".proof").press("Enter")
    expect(page.locator(".proof-worst dd")).to_have_count(2)
    recorded, recomputed = page.locator(".proof-worst dd").all_inner_texts()
    assert float(recorded) == pytest.approx(proof["recorded"], rel=1e-11)
    assert float(recomputed) == pytest.approx(proof["replayed"], rel=1e-11)
    page.locator(".proof-place").click()
    expect(page).to_have_url(re.compile(f"cell={','.join(map(str, proof['cell']))}$"))
    expect(page.locator(".explanation")).to_be_visible()
    expect(page.locator(".proof-panel")).to_be_hidden()
    expect(page.locator(".proof")).to_be_focused()


def test_cells_that_are_only_moved_agree_to_the_last_bit(page: Page) -> None:
    show(page, "masks.causal")
    page.locator(".proof").click()
    panel = page.locator(".proof-panel")
    expect(panel).to_contain_text("from its place alone")
    expect(panel).to_contain_text("all agree to the last bit")
    expect(panel.locator(".proof-worst")).to_have_count(0)


def test_a_leaf_says_why_there_is_nothing_to_compute_again(page: Page) -> None:
    show(page, "src_ids")
    expect(page.locator(".proof")).to_have_text("given")
    page.locator(".proof").click()
    expect(page.locator(".proof-panel")).to_contain_text("It is what the model is given")


def test_the_whole_run_is_proved_without_being_asked(page: Page) -> None:
    show(page)
    mark = page.locator(".proof-mark")
    expect(mark).to_have_text("✓ all 189 tensors recomputed")
    mark.click()
    whole = page.locator(".proof-whole")
    expect(whole).to_contain_text("189 tensors, 6 354 numbers")
    expect(whole).to_contain_text("the same 20 logits to the last bit")
    expect(whole.locator(".proof-layers dt")).to_have_text(
        ["encoder layer 1", "encoder layer 2", "decoder layer 1", "decoder layer 2"]
    )
    whole.locator(".proof-place").click()
    expect(page).to_have_url(re.compile("tensor=.*cell="))


def test_a_run_that_fails_names_its_tensors(page: Page) -> None:
    def fail(route: Route) -> None:
        verdict = route.fetch().json()
        worst = {"name": WEIGHTS, "cell": [0, 1, 1, 2], "max_abs": 0.2, "max_rel": 0.31, "tolerance": 6.5e-7, "passes": False}
        different = {"cells": 20, "different": 3, "max_abs": 1e-3, "passes": False}
        reference = {"layers": [], "tolerance": 1e-5, "why_not": "torch.nn has none."}
        broken = {"passes": False, "failures": [worst], "unwatched": different, "reference": reference}
        route.fulfill(status=200, content_type="application/json", body=json.dumps(verdict | broken))

    page.route("**/proof", fail)
    show(page)
    page.locator(".proof-mark").click()
    expect(page.locator(".proof-mark")).to_have_text("✗ 1 of 189 tensors differs")
    expect(page.locator(".proof-part li")).to_contain_text("in cross-attention · decoder layer 1: 3.1e−1, allowed 6.5e−7")
    expect(page.locator(".proof-whole")).to_contain_text("3 of 20 logits differ, by 1.0e−3 at most.")
    expect(page.locator(".proof-whole")).to_contain_text("Not compared. torch.nn has none.")


def test_proofs_can_be_read_by_everybody_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    show(page, WEIGHTS)
    page.locator(".proof").click()
    page.locator(".proof-code summary").click()
    expect(page.locator(".proof-code pre")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate("document.querySelector('#inspector').scrollWidth <= document.querySelector('#inspector').clientWidth")
    assert faults(page, ".proof-panel") == []
