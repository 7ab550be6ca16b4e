"""The training sheet: it says what the server laid open, its numbers open tensors, its switches show leak and alarm."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from reading import faults

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
TWO = {"model": "tiny", "src": ["dog run", "cat"], "tgt": ["dog run", "cat"]}


def go(page: Page, body: dict[str, Any] = TWO, panel: str = "sheet", more: str = "") -> str:
    trace = page.request.post("/api/traces", data=body).json()["id"]
    page.goto(f"/t/{trace}?panel={panel}{more}")
    return str(trace)


def lay_open(page: Page, trace: str) -> dict[str, Any]:
    sheet: dict[str, Any] = page.request.get(f"/api/traces/{trace}/sheet").json()
    return sheet


def test_each_line_of_the_sheet_is_what_the_server_says(page: Page) -> None:
    places = lay_open(page, go(page))["sentences"][0]
    table = page.get_by_role("table", name="sentence 1, position by position")
    for title, key in (("decoder input", "fed"), ("label", "label")):
        cells = table.get_by_role("row", name=re.compile(f"^{title}")).get_by_role("cell")
        expect(cells).to_have_text([place[key]["text"] for place in places])
    terms = table.get_by_role("row", name=re.compile("^loss term")).get_by_role("cell")
    expect(terms).to_have_text([f"{place['term']:.2f}" for place in places])
    expect(page.locator(".sheet-lead")).to_contain_text(
        "no position can read its answer; all 2 positions are predicted in one pass"
    )


def test_a_number_opens_its_tensor_at_its_cell(page: Page) -> None:
    trace = go(page)
    page.get_by_role("button", name=re.compile("^log-probability of “run” at position 1")).click()
    expect(page).to_have_url(re.compile(rf"/t/{trace}\?tensor=log_probs&cell=0,1,4&panel=sheet"))
    page.get_by_role("button", name=re.compile("^loss term at position 0")).click()
    expect(page).to_have_url(re.compile(r"tensor=loss\.terms&cell=0,0&"))
    page.get_by_role("button", name=re.compile("^position 1 sees all 2 positions")).click()
    expect(page).to_have_url(re.compile(r"tensor=masks\.decoder_self_attn&cell=0,1,1&"))


def test_padding_is_marked_and_adds_nothing(page: Page) -> None:
    go(page)
    page.locator(".sheet").get_by_role("button", name="sentence 2").click()
    table = page.get_by_role("table", name="sentence 2, position by position")
    expect(table.get_by_role("row", name=re.compile("^loss term")).get_by_role("cell").nth(1)).to_have_text("0 · left out")
    expect(page.locator(".sheet-sum")).to_contain_text("3 labels count; 1 is padding and adds 0 to the sum")


def test_without_the_causal_mask_the_leak_is_shown_by_its_weight(page: Page) -> None:
    go(page)
    page.get_by_role("switch", name="causal mask").uncheck()
    leaks = page.get_by_role("region", name="the leak")
    expect(leaks).to_contain_text("Sentence 1, position 0 looks at its own label “dog”, fed at position 1: weight 0.608")
    leaks.get_by_role("button", name=re.compile("^weight of position 0")).click()
    expect(page).to_have_url(re.compile(r"tensor=decoder\.layers\.1\.self_attn\.weights&cell=0,1,0,1&.*panel=sheet"))
    page.get_by_role("switch", name="causal mask").check()
    expect(leaks).to_have_count(0)
    expect(page).to_have_url(re.compile(r"tensor=decoder\.layers\.1\.self_attn\.weights&cell=0,1,0,1&"))


def test_a_target_that_is_not_shifted_raises_the_alarm_until_it_is_mended(page: Page) -> None:
    go(page)
    page.get_by_role("switch", name="shift the target").uncheck()
    alarm = page.locator(".sheet-alarm")
    expect(alarm).to_contain_text("The target is not shifted: every position is fed its own answer")
    expect(alarm).to_contain_text("the model need only copy")
    alarm.get_by_role("button", name="Shift it right").click()
    expect(alarm).to_have_count(0)
    expect(page.get_by_role("switch", name="shift the target")).to_be_checked()


def test_smoothing_sets_terms_apart_from_surprisals(page: Page) -> None:
    go(page)
    page.get_by_label("label smoothing ε").select_option("0.1")
    expect(page).to_have_url(re.compile(r"panel=sheet"))
    expect(page.locator("#sheet-smoothing-says")).to_contain_text("terms differ from surprisals")
    trace = re.search(r"/t/([\w-]+)", page.url)
    assert trace
    place = lay_open(page, trace[1])["sentences"][0][0]
    assert place["term"] != place["surprisal"]
    expect(page.get_by_role("row", name=re.compile("^loss term")).get_by_role("cell").first).to_have_text(f"{place['term']:.2f}")


def test_a_long_sentence_stands_one_position_under_the_other(page: Page) -> None:
    go(page, {"model": "pig-latin", "src": ["she pet the dog"], "tgt": ["eshay etpay ethay ogday"]})
    expect(page.locator(".sheet-table.down tbody tr")).to_have_count(24)
    expect(page.locator(".sheet-source")).to_contain_text("24 of 24 right")


def test_panels_of_training_and_of_decoding_take_turns(page: Page) -> None:
    go(page)
    expect(page.locator("#timeline").get_by_role("button", name="Training sheet", exact=True)).to_have_attribute(
        "aria-expanded", "true"
    )
    page.get_by_role("button", name="Decode", exact=True).click()
    expect(page.locator(".sheet")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("panel="))


def test_escape_closes_the_sheet_and_gives_the_focus_back(page: Page) -> None:
    go(page)
    page.locator("#sheet-causal").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".sheet")).to_have_count(0)
    expect(page.locator("#timeline").get_by_role("button", name="Training sheet", exact=True)).to_be_focused()


def test_a_closed_sheet_asks_for_nothing(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/")
    expect(page.locator("html[data-ready]")).to_be_attached()
    assert not [url for url in asked if "/sheet" in url or "/whatif" in url]


@pytest.mark.parametrize("panel", ["sheet", "loss"])
def test_sheet_and_loss_are_accessible_on_a_laptop_and_a_phone(open_page: Any, panel: str) -> None:
    for options in ({}, PHONE):
        page = open_page(**options)
        go(page, {**TWO, "options": {"causal": False, "smoothing": 0.1}}, panel)
        expect(page.locator(".sheet-table, .loss-row")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert faults(page, f".{panel}") == []
