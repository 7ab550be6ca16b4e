"""The panel of parameters: its counts are the server's, its sizes slide without a run, the paper's count stands beside ours."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from browser.conftest import OpenPage
from playwright.sync_api import Locator, Page, expect
from reading import faults

TINY: dict[str, Any] = {"model": "tiny", "src": ["dog run", "cat run"], "tgt": ["dog run", "cat run"]}
PAPER: dict[str, Any] = {"model": "paper-base", "src": ["the bank"], "tgt": ["la rive"]}


def start(page: Page, recipe: dict[str, Any] = TINY, more: str = "", **options: Any) -> None:
    trace = page.request.post("/api/traces", data={**recipe, **({"options": options} if options else {})}).json()["id"]
    page.goto(f"/t/{trace}?panel=parameters{more}")
    expect(page.locator(".params-table tbody tr").first).to_be_attached()


def of_model(page: Page, model: str = "tiny", **options: Any) -> Any:
    return page.request.get(f"/api/models/{model}?options={json.dumps(options)}").json()


def spaced(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def row(page: Page, name: str) -> Locator:
    return page.locator(".params-table tr", has=page.locator(f'[data-name="{name}"]'))


def size(page: Page, name: str) -> Locator:
    return page.get_by_role("spinbutton", name=f"{name}, as a number")


def total(page: Page) -> Locator:
    return page.locator(".params-totals b").first


def test_counts_are_the_servers_and_the_tree_opens_down_to_each_weight(page: Page) -> None:
    start(page)
    counted = of_model(page)["parameters"]
    expect(total(page)).to_have_text(spaced(counted["total"]))
    expect(row(page, "encoder").locator(".number")).to_have_text(spaced(counted["parts"]["encoder"]))
    page.locator('[data-name="encoder.layers.1"]').click()
    feed_forward = row(page, "encoder.layers.1.feed_forward")
    expect(feed_forward.locator(".params-formula")).to_have_text(re.compile(r"8·32 \+ 32 \+ 32·8 \+ 8"))
    expect(feed_forward.locator(".number")).to_have_text("552")


def test_a_weight_opens_in_the_inspector_and_its_block_lights_up(page: Page) -> None:
    start(page)
    page.locator('[data-name="decoder.layers.0"]').click()
    page.locator('[data-name="decoder.layers.0.feed_forward"]').click()
    weight = page.locator('[data-name="decoder.layers.0.feed_forward.w_1"]')
    weight.hover()
    expect(page.locator('.dg-box[data-id="decoder.layers.0.feed_forward"]')).to_have_class(re.compile("pointed"))
    weight.click()
    expect(page).to_have_url(re.compile(r"tensor=decoder\.layers\.0\.feed_forward\.w_1"))
    expect(page.locator(".tensor-head h1")).to_have_text("w_1", ignore_case=True)


def test_the_keyboard_walks_and_opens_the_tree(page: Page) -> None:
    start(page)
    page.locator('[data-name="encoder"]').focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator('[data-name="encoder.layers.0"]')).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator('[data-name="encoder.layers.0.self_attn"]')).to_be_visible()
    expect(page.locator('[data-name="encoder.layers.0"]')).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.locator('[data-name="encoder.layers.0.self_attn"]')).to_have_count(0)


def test_a_shared_table_counts_once_and_is_marked_where_it_stands_again(page: Page) -> None:
    start(page, tied_embeddings=True)
    expect(row(page, "src_embed.table").locator(".params-shared")).to_have_text("shared by 3, counted here")
    for place in ("tgt_embed.table", "generator.w"):
        expect(row(page, place)).to_contain_text("counted once")
        expect(row(page, place).locator(".number")).to_have_text("0")
    page.locator('[data-name="generator.w"]').click()
    expect(page).to_have_url(re.compile(r"tensor=src_embed\.table"))


def test_by_size_the_largest_stands_first(page: Page) -> None:
    start(page)
    page.get_by_role("button", name="size", exact=True).click()
    counts = [int(text.replace(" ", "")) for text in page.locator(".params-table tbody .number").all_text_contents()]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == 8 * 32


def test_a_slider_moves_counts_and_diagram_and_runs_nothing(page: Page) -> None:
    start(page)
    runs: list[str] = []
    page.on("request", lambda request: runs.append(request.url) if request.method == "POST" else None)
    page.get_by_role("slider", name="d_ff").press("ArrowRight")
    expect(size(page, "d_ff")).to_have_value("48")
    expect(total(page)).to_have_text(spaced(of_model(page, d_ff=48)["parameters"]["total"]))
    expect(page.locator('.dg-box[data-id="decoder.layers.0.feed_forward"]')).to_contain_text("8 → 48 → 8")
    expect(page.locator(".dg-word")).to_contain_text("Sizes being chosen; no values")
    expect(page.locator(".dg-picture canvas")).to_have_count(0)
    expect(page).to_have_url(re.compile("sizes=d_ff:48"))
    assert runs == []
    page.get_by_role("button", name="As it ran").click()
    expect(total(page)).to_have_text(spaced(of_model(page)["parameters"]["total"]))
    expect(page.locator(".dg-picture canvas").first).to_be_visible()


def test_more_heads_leave_the_count_as_it_is(page: Page) -> None:
    start(page)
    heads = page.get_by_role("slider", name="n_heads")
    assert heads.get_attribute("max") == "3"  # 1, 2, 4, 8
    heads.press("End")
    expect(page.locator(".params-stays")).to_contain_text("The count stays")
    expect(total(page)).to_have_text(spaced(of_model(page)["parameters"]["total"]))
    expect(page.get_by_role("button", name=re.compile("^d_k"))).to_contain_text("1")


def test_a_width_that_heads_do_not_divide_names_those_that_do(page: Page, expected_problems: list[str]) -> None:
    expected_problems.append("status of 422")
    start(page, n_heads=4)
    size(page, "d_model").fill("10")
    expect(page.locator(".params-says")).to_contain_text(
        "d_model 10 does not divide by n_heads 4 (remainder 2); head counts that do: 1, 2, 5, 10"
    )
    expect(size(page, "n_heads")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("button", name="Run with these sizes")).to_be_disabled()
    page.get_by_role("group", name="n_heads instead").get_by_role("button", name="5").click()
    expect(page.locator(".params-says")).to_be_empty()
    expect(total(page)).to_have_text(spaced(of_model(page, d_model=10, n_heads=5)["parameters"]["total"]))


def test_run_with_these_sizes_runs_them(page: Page) -> None:
    start(page, more="&sizes=d_model:12,n_heads:3")
    expect(size(page, "d_model")).to_have_value("12")
    page.get_by_role("button", name="Run with these sizes").click()
    expect(page).not_to_have_url(re.compile("sizes="))
    expect(page.locator(".dg-label", has_text="(2, 3, 12)").first).to_be_visible()
    expect(page.get_by_role("button", name="Run with these sizes")).to_be_disabled()
    expect(page.get_by_role("button", name=re.compile("^Settings"))).to_have_text("Settings (2)")


def test_a_trained_model_says_why_its_sizes_stay_and_offers_others(page: Page) -> None:
    start(page, {"model": "copy", "src": ["3 4"], "tgt": ["3 4"]})
    expect(size(page, "d_model")).to_be_disabled()
    expect(size(page, "n_heads")).to_be_enabled()
    expect(page.locator(".params-says")).to_contain_text("copy was trained with these sizes")
    page.get_by_role("group", name="models with random weights").get_by_role("button", name="small").click()
    expect(size(page, "d_model")).to_be_enabled()
    expect(total(page)).to_have_text(spaced(of_model(page, "small")["parameters"]["total"]))


def test_base_stands_beside_the_papers_65_million_and_big_beside_213(page: Page) -> None:
    start(page, PAPER)
    section = page.locator(".params-paper")
    expect(section.locator("h3")).to_have_text("Beside the paper’s 65 million")
    expect(section).to_contain_text("63 119 496, 1 880 504 fewer")
    expect(section).to_contain_text(
        "39 692 to 41 640 rows instead of 37 000; but big, 213 million in the paper, would need 35 262 to 36 236"
    )
    section.get_by_role("button", name="See big: 214 282 376").click()
    expect(section.locator("h3")).to_have_text("Beside the paper’s 213 million")
    expect(total(page)).to_have_text("214 282 376")
    expect(size(page, "d_model")).to_have_value("1024")


def test_heads_are_among_the_settings(page: Page) -> None:
    start(page)
    page.get_by_role("button", name=re.compile("^Settings")).click()
    heads = page.get_by_label("n heads")
    expect(heads.locator("option")).to_have_text(["1", "2", "4", "8"])
    heads.select_option("4")
    expect(page.get_by_role("button", name=re.compile("^Settings"))).to_have_text("Settings (1)")
    expect(page.get_by_role("button", name=re.compile("^d_k"))).to_contain_text("2")


@pytest.mark.parametrize("width", [390, 1440])
def test_nothing_stands_out_at_the_side(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    start(page, PAPER)
    body = page.locator('[data-panel="parameters"] .panel-body')
    assert body.evaluate("body => body.scrollWidth - body.clientWidth") == 0


def test_on_a_phone_a_weight_opens_in_front_of_the_panel(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    start(page)
    page.get_by_role("button", name="size", exact=True).click()
    page.locator(".params-table tbody .link").first.click()
    expect(page.locator('[data-panel="parameters"].panel')).to_be_hidden()
    expect(page).to_have_url(re.compile("tensor="))


@pytest.mark.parametrize("width", [1440, 390])
def test_everybody_can_read_and_reach_it(open_page: OpenPage, width: int, expected_problems: list[str]) -> None:
    expected_problems.append("status of 422")
    page = open_page(viewport={"width": width, "height": 900})
    start(page, more="&sizes=d_model:10,n_heads:4", tied_embeddings=True)
    expect(page.get_by_role("group", name="n_heads instead")).to_be_visible()
    assert faults(page, ".params") == []


def test_the_papers_count_is_a_press_away(page: Page) -> None:
    start(page, PAPER)
    page.get_by_role("button", name="beside the paper’s 65 million").click()
    expect(page.locator(".params-paper h3")).to_be_in_viewport()
