"""One step less another: new cells are marked, equal ones are plain, and the largest difference is said."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from playwright.sync_api import Page, expect
from safetensors.numpy import load

BODY: dict[str, Any] = {"model": "pig-latin", "src": ["she pet"]}


def go(page: Page, step: int, more: str, *, body: dict[str, Any] = BODY) -> str:
    decoding = page.request.post("/api/decodings", data=body).json()["id"]
    trace = page.request.get(f"/api/decodings/{decoding}/steps/{step}").json()["trace"]
    page.goto(f"/t/{trace}?decoding={decoding}&step={step}{more}")
    return str(decoding)


def values(page: Page, decoding: str, step: int, name: str) -> np.ndarray:
    trace = page.request.get(f"/api/decodings/{decoding}/steps/{step}").json()["trace"]
    return load(page.request.get(f"/api/traces/{trace}/tensors/{name}").body())[name]


def tiny(number: float) -> str:
    mantissa, exponent = f"{number:.1e}".split("e")
    return f"{mantissa}e{int(exponent)}".replace("-", "−")


def test_the_step_before_is_offered_and_goes_along(page: Page) -> None:
    go(page, 3, "&tensor=decoder.layers.0.self_attn.weights")
    page.get_by_role("button", name="compare with", exact=True).click()
    says = page.locator(".step-compare-says")
    expect(says).to_have_text(re.compile(r" 36 cells that step 3 has too are the same bits.*\. 28 cells are new\."))
    expect(page).to_have_url(re.compile("compare=2"))
    page.locator("#timeline").press("Shift+ArrowRight")
    expect(says).to_have_text(re.compile(r" 64 cells that step 4 has too are the same bits.*\. 36 cells are new\."))
    expect(page).to_have_url(re.compile("compare=3"))
    page.get_by_role("button", name="compare with", exact=True).click()
    expect(says).to_be_hidden()
    assert "compare=" not in page.url


def test_the_largest_difference_is_that_of_the_tensors(page: Page) -> None:
    decoding = go(page, 7, "&tensor=logits&compare=2")
    now, then = values(page, decoding, 7, "logits"), values(page, decoding, 2, "logits")
    both = now[:, : then.shape[1]]
    same, largest = int((both == then).sum()), float(np.abs(both.astype(np.float64) - then).max())
    says = page.locator(".step-compare-says")
    expect(says).to_contain_text(f"{now.size - then.size} cells are new.")
    some = f"{same} of {then.size} cells that step 3 has too are the same bits, largest difference {tiny(largest)}."
    expect(says).to_contain_text(some if same < then.size else f"All {same} cells that step 3 has too are the same bits.")


def test_masks_and_blocked_scores_are_compared_too(page: Page) -> None:
    go(page, 3, "&tensor=decoder.layers.0.self_attn.masked_scores&compare=2")
    expect(page.locator(".step-compare-says")).to_have_text(
        re.compile(r" 36 cells that step 3 has too are the same bits.*\. 28 cells are new\.")
    )
    go(page, 3, "&tensor=masks.decoder_self_attn&compare=2")
    expect(page.locator(".step-compare-says")).to_have_text("All 9 cells that step 3 has too are the same bits. 7 cells are new.")
    expect(page.locator(".heat-legend")).to_have_text("this step − step 3same bitsnew in this step")


def test_the_memory_does_not_change(page: Page) -> None:
    go(page, 3, "&tensor=memory&compare=0")
    expect(page.locator(".step-compare-says")).to_have_text("All 448 cells that step 1 has too are the same bits.")


def test_a_cell_is_read_with_its_change(page: Page) -> None:
    go(page, 3, "&tensor=decoder.layers.0.self_attn.weights&compare=2&index=head:0&cell=0,0,3,0")
    expect(page.locator(".readout")).to_contain_text("; new: step 3 has no such cell")
    page.locator(".heat-grid").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".readout")).to_contain_text("; the same bits in step 3")


def test_a_beams_row_is_compared_with_the_row_it_came_from(page: Page) -> None:
    go(page, 5, "&tensor=tgt_ids&compare=4", body={**BODY, "strategy": "beam"})
    expect(page.locator(".step-compare-says")).to_contain_text(
        "All 20 cells that step 5 has too are the same bits. 4 cells are new."
    )


def test_the_table_says_what_is_new_and_what_is_the_same(page: Page) -> None:
    go(page, 1, "&tensor=tgt_ids&compare=0")
    page.get_by_text("As a table").click()
    expect(page.locator(".tables caption")).to_have_text("tgt_ids: this step − step 1")
    expect(page.locator(".tables td").filter(has_text=re.compile("same|new"))).to_have_text(["same", "new"])


def test_the_same_step_and_a_step_that_is_not_there_are_said(page: Page, expected_problems: list[str]) -> None:
    expected_problems.append("status of 4")
    go(page, 3, "&tensor=memory&compare=3")
    expect(page.locator(".step-compare-says")).to_have_text("That is the step on screen; choose another one.")
    go(page, 3, "&tensor=memory&compare=50")
    expect(page.locator(".step-compare-says")).to_have_text("This decoding has no step 51.")
