"""The loss panel: its numbers are the server's, a dragged logit moves all that follows, and smoothing is told in three ways."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

TWO = {"model": "tiny", "src": ["dog run", "cat"], "tgt": ["dog run", "cat"]}


def go(page: Page, body: dict[str, Any] = TWO, more: str = "") -> str:
    trace = page.request.post("/api/traces", data=body).json()["id"]
    page.goto(f"/t/{trace}?panel=loss{more}")
    return str(trace)


def lay_open(page: Page, trace: str) -> dict[str, Any]:
    sheet: dict[str, Any] = page.request.get(f"/api/traces/{trace}/sheet").json()
    return sheet


def test_sum_and_both_means_stand_side_by_side_and_open_their_tensors(page: Page) -> None:
    sheet = lay_open(page, go(page))
    ways = page.locator(".loss-way .loss-value")
    expect(ways).to_have_text([f"{sheet[key]:.4f}" for key in ("total", "mean", "mean_of_means")])
    expect(page.locator(".loss-way.trained")).to_contain_text("6.209 ÷ 3 tokens")
    ways.nth(2).click()
    expect(page).to_have_url(re.compile(r"tensor=loss\.mean_of_means&"))


def test_the_scale_names_the_floor_and_the_untrained_level(page: Page) -> None:
    sheet = lay_open(page, go(page, {**TWO, "options": {"smoothing": 0.1}}))
    expect(page.locator(".loss-scale")).to_have_attribute(
        "aria-label", f"floor {sheet['floor']:.3f}, loss {sheet['mean']:.3f}, untrained ln V {sheet['untrained']:.3f}"
    )
    expect(page.locator(".loss-means")).to_contain_text("the target itself is uncertain, and its entropy stays")


def ask(page: Page, trace: str, cell: str, logit: float) -> dict[str, Any]:
    found: dict[str, Any] = page.request.get(f"/api/traces/{trace}/whatif?cell={cell}&logit={logit}").json()
    return found


def test_another_logit_moves_probabilities_term_loss_and_gradient(page: Page) -> None:
    trace = go(page)
    page.get_by_role("spinbutton", name="logit").fill("4")
    after = ask(page, trace, "0,0,3", 4)["after"]
    expect(page.locator(".loss-numbers")).to_contain_text(f"→ {after['term']:.4f}")
    expect(page.locator(".loss-numbers")).to_contain_text(f"→ {after['mean']:.4f}")
    row = page.locator(".loss-row tr.chosen")
    expect(row).to_contain_text(f"{100 * after['probabilities'][3]:.1f} %")
    expect(row).to_contain_text(f"{after['gradient'][3]:.3f}".replace("-", "−"))
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".loss-numbers s")).to_have_count(0)


def test_arrows_drag_the_logit_of_any_token_at_any_position(page: Page) -> None:
    trace = go(page)
    page.get_by_role("button", name="position 1, label “run”").click()
    page.get_by_role("button", name="cat", exact=True).click()
    expect(page.locator(".loss-slider-title")).to_have_text("logit of “cat” at position 1")
    before = ask(page, trace, "0,1,2", 0)["before"]
    page.locator("#loss-slider").focus()
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".loss-numbers s").first).to_have_text(f"{before['term']:.4f}")
    expect(page.locator("#loss-slider")).to_be_focused()


def test_cross_entropy_is_entropy_and_divergence(page: Page) -> None:
    trace = go(page, {**TWO, "options": {"smoothing": 0.3, "smoothing_over": "others"}})
    term = lay_open(page, trace)["sentences"][0][0]["term"]
    label = page.locator(".loss-parts").get_attribute("aria-label") or ""
    whole, entropy, divergence = (float(number) for number in re.findall(r"\d+\.\d+", label))
    assert abs(whole - term) < 1e-4
    assert abs(entropy + divergence - whole) < 2e-4
    assert entropy > 1


def test_the_three_conventions_have_three_losses_and_a_press_chooses_one(page: Page) -> None:
    go(page)
    cards = page.locator(".loss-convention")
    for place, name in enumerate(("all", "others", "real")):
        body = {**TWO, "options": {"smoothing": 0.1, "smoothing_over": name}}
        trace = page.request.post("/api/traces", data=body).json()["id"]
        expect(cards.nth(place).locator(".loss-value")).to_have_text(f"{lay_open(page, trace)['mean']:.4f}")
    cards.nth(1).click()
    expect(cards.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".loss-way.trained .loss-value")).to_have_text(cards.nth(1).locator(".loss-value").inner_text())
    page.get_by_role("group", name="label smoothing ε").get_by_role("button", name="0", exact=True).click()
    expect(cards.nth(1)).to_have_attribute("aria-pressed", "false")


def test_padding_says_that_its_logits_do_not_matter(page: Page) -> None:
    go(page, more="&index=batch:1")
    page.get_by_role("button", name="position 1, label “<pad>”, left out").click()
    expect(page.locator(".loss-whatif")).to_contain_text("its term is 0 whatever the logits say")


def test_of_a_large_vocabulary_the_label_and_the_likeliest_tokens_are_drawn(page: Page) -> None:
    go(page, {"model": "paper-base", "src": ["a b"], "tgt": ["a b"]})
    expect(page.locator(".loss-row tbody tr")).to_have_count(14)
    expect(page.locator(".loss-row tbody tr").first).to_contain_text("label")
