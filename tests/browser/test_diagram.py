"""The diagram: sizes on every edge, real values in the pictures, ways in and out, and one colour per axis."""

from __future__ import annotations

import re
from typing import Any, Protocol

import pytest
from playwright.sync_api import Locator, Page, expect
from reading import faults

READY = "html[data-ready]"
# The colour in the middle of each cell of a picture.
MIDDLES = """(canvas, [rows, columns]) => {
  const pen = canvas.getContext("2d");
  const middle = (place, count, size) => Math.floor(((place + 0.5) * size) / count);
  return Array.from({ length: rows * columns }, (_, i) => {
    const [x, y] = [middle(i % columns, columns, canvas.width), middle(Math.floor(i / columns), rows, canvas.height)];
    return [...pen.getImageData(x, y, 1, 1).data.slice(0, 3)];
  });
}"""
LABELS = "labels => labels.map((label) => [label.dataset.tensor, label.textContent])"
CROSS = "decoder.layers.0.cross_attn"


class OpenPage(Protocol):
    def __call__(self, **options: Any) -> Page: ...


def start(page: Page, query: str = "", **recipe: Any) -> str:
    """Open a trace of the worked example, or of another recipe, and return its id."""
    body = {"model": "tiny", "src": ["dog run", "cat run"], "tgt": ["dog run", "cat run"], **recipe}
    trace = str(page.request.post("/api/traces", data=body).json()["id"])
    page.goto(f"/t/{trace}{query}")
    page.wait_for_selector(READY, state="attached")
    return trace


def box(page: Page, block: str) -> Locator:
    return page.locator(f'.dg-level:last-child .dg-box[data-id="{block}"]')


def edge(page: Page, tensor: str) -> Locator:
    return page.locator(f'.dg-level:last-child .dg-label[data-tensor="{tensor}"]')


def here(page: Page) -> Locator:
    return page.locator(".dg-here")


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement?.getAttribute('aria-label') ?? ''"))


def test_every_edge_of_the_worked_example_shows_the_size_that_the_trace_has(page: Page) -> None:
    trace = start(page)
    records = page.request.get(f"/api/traces/{trace}").json()["records"]
    shapes = {record["name"]: record["shape"] for record in records}
    for at in ("", "decoder", "decoder.layers.0", CROSS, "encoder.layers.1.feed_forward", "loss", "masks", "src_embed"):
        page.goto(f"/t/{trace}?at={at}")
        page.wait_for_selector(READY, state="attached")
        labels = page.locator(".dg-level:last-child .dg-label").evaluate_all(LABELS)
        assert labels
        for name, text in labels:
            if name in shapes:
                size = ", ".join(map(str, shapes[name])) + ("," if len(shapes[name]) == 1 else "")
                assert f"({size})" in text, f"{name} at {at!r}"


def test_pictures_show_the_values_that_the_server_sends(page: Page) -> None:
    trace = start(page, "?at=" + CROSS)
    picture = edge(page, f"{CROSS}.heads").locator("canvas")
    expect(picture).to_be_visible()
    csv = page.request.get(f"/api/traces/{trace}/tensors/{CROSS}.heads.csv?index=batch:0,head:0").text()
    values = [float(line.split(",")[-1]) for line in csv.splitlines()[1:]]
    pixels = picture.evaluate(MIDDLES, [2, 4])
    strong = max(map(abs, values)) / 10
    assert len(pixels) == len(values) == 8
    for (red, _, blue), value in zip(pixels, values, strict=True):
        assert abs(value) < strong or (red > blue) == (value > 0), "positive is orange, negative blue"


def test_pictures_wear_the_colours_of_the_scheme(page: Page) -> None:
    start(page, "?at=" + CROSS)
    picture = edge(page, "memory").locator("canvas")
    expect(picture).to_be_visible()
    light = picture.evaluate(MIDDLES, [3, 8])
    page.emulate_media(color_scheme="dark")
    shown = f"([canvas, before]) => String(({MIDDLES})(canvas, [3, 8])) !== String(before)"
    page.wait_for_function(shown, arg=[picture.element_handle(), light])


def test_click_goes_in_level_by_level_and_escape_comes_out(page: Page) -> None:
    start(page)
    box(page, CROSS).click()
    expect(here(page)).to_have_text("cross-attention")
    box(page, f"{CROSS}:dot").click()
    expect(here(page)).to_have_text("scaled dot-product attention")
    for name in ("cross-attention", "layer 1", "decoder", "model"):
        page.keyboard.press("Escape")
        expect(here(page)).to_have_text(name)
    page.go_back()
    expect(here(page)).to_have_text("decoder")


def test_breadcrumb_leads_to_every_level_above(page: Page) -> None:
    start(page, "?at=decoder.layers.1.cross_attn:dot")
    expect(page.locator(".dg-crumb")).to_have_text(["model", "decoder", "layer 2", "cross-attention"])
    page.get_by_role("button", name="decoder", exact=True).click()
    expect(here(page)).to_have_text("decoder")
    expect(page.locator(".dg-level:last-child .dg-box")).to_have_count(2)


def test_an_edge_from_elsewhere_is_named_by_the_block_that_it_comes_from(page: Page) -> None:
    start(page, "?at=" + CROSS)
    expect(edge(page, "decoder.layers.0.self_attn_residual.norm.out")).to_contain_text("norm out (2, 2, 8)")
    expect(edge(page, f"{CROSS}.out")).to_contain_text("out (2, 2, 8)")
    expect(edge(page, "memory")).to_contain_text("memory (2, 3, 8)")


def test_a_click_on_an_edge_selects_its_tensor(page: Page) -> None:
    start(page)
    edge(page, "memory").click()
    expect(page).to_have_url(re.compile(r"tensor=memory"))
    expect(edge(page, "memory")).to_have_attribute("aria-current", "true")


def test_pointing_at_an_axis_lights_up_every_edge_that_has_it(page: Page) -> None:
    start(page)
    page.locator('.dg-axis[data-axis="vocab"]').hover()
    lit = page.locator(".dg-level:last-child .dg-label.lit").evaluate_all("labels => labels.map(label => label.dataset.tensor)")
    assert sorted(lit) == ["log_probs", "logits", "probs"]


def test_an_arrow_steps_from_the_whole_diagram_onto_a_part_of_it(page: Page) -> None:
    start(page)
    page.locator(".dg-surface").focus()
    whole = focused(page)
    page.keyboard.press("ArrowUp")
    assert focused(page) != whole
    page.keyboard.press("ArrowUp")
    assert focused(page) != whole


def test_arrow_keys_walk_enter_goes_in(page: Page) -> None:
    start(page)
    box(page, CROSS).focus()
    assert focused(page) == "cross-attention, mixes positions, output (2, 2, 8)"
    page.keyboard.press("ArrowUp")
    assert focused(page) == "out, (2, 2, 8), batch query d_model"
    page.keyboard.press("ArrowUp")
    assert focused(page).startswith("add & norm, each position alone")
    page.keyboard.press("Enter")
    expect(here(page)).to_have_text("add & norm")
    page.keyboard.press("Escape")
    expect(here(page)).to_have_text("layer 1")


def test_the_open_layer_can_be_chosen(page: Page) -> None:
    start(page)
    page.get_by_role("button", name="show layer 2").first.click()
    expect(box(page, "encoder.layers.1.self_attn")).to_be_visible()
    page.get_by_role("button", name="show layer 1").first.click()
    expect(box(page, "encoder.layers.0.self_attn")).to_be_visible()


@pytest.mark.parametrize(
    ("options", "written", "least"), [({}, "numbers", 9.5), ({"norm": "pre"}, "numbers", 9.5), ({}, "both", 9)]
)
def test_the_whole_fits_a_laptop_with_legible_text(page: Page, options: dict[str, str], written: str, least: float) -> None:
    start(page, options=options)
    page.get_by_role("button", name=written, exact=True).click()
    surface = page.locator(".dg-surface").bounding_box()
    scene = page.locator(".dg-scene").bounding_box()
    assert surface
    assert scene
    assert scene["x"] >= surface["x"] - 1
    assert scene["y"] >= surface["y"] - 1
    assert scene["x"] + scene["width"] <= surface["x"] + surface["width"] + 1
    assert scene["y"] + scene["height"] <= surface["y"] + surface["height"] + 1
    scale = page.locator(".dg-level:last-child > g").evaluate("group => group.transform.baseVal.consolidate().matrix.a")
    assert 11 * scale >= least


def test_wheel_zooms_with_control_and_zero_fits_again(page: Page) -> None:
    start(page)
    scale = "group => group.transform.baseVal.consolidate().matrix.a"
    camera = page.locator(".dg-level:last-child > g")
    before = camera.evaluate(scale)
    box(page, CROSS).hover()
    page.keyboard.down("Control")
    page.mouse.wheel(0, -60)
    page.keyboard.up("Control")
    page.wait_for_function(
        "before => document.querySelector('.dg-level:last-child > g').transform.baseVal.consolidate().matrix.a > before * 1.2",
        arg=before,
    )
    box(page, CROSS).focus()
    page.keyboard.press("0")
    assert abs(camera.evaluate(scale) - before) < 1e-6
    page.keyboard.press("+")
    assert camera.evaluate(scale) > before


def test_a_drag_pans_and_is_no_click(page: Page) -> None:
    start(page)
    found = box(page, CROSS).bounding_box()
    assert found
    page.mouse.move(found["x"] + 20, found["y"] + 10)
    page.mouse.down()
    page.mouse.move(found["x"] + 90, found["y"] + 60, steps=4)
    page.mouse.up()
    moved = box(page, CROSS).bounding_box()
    assert moved
    assert abs(moved["x"] - found["x"] - 70) < 6
    expect(here(page)).to_have_text("model")


def test_paper_sizes_stand_on_the_same_edges_without_values(page: Page) -> None:
    start(page)
    page.get_by_role("button", name="paper’s base sizes").click()
    expect(edge(page, "memory")).to_contain_text("(2, 3, 512)")
    expect(edge(page, "logits")).to_contain_text("(2, 2, 37000)")
    expect(page.locator(".dg-frame").first).to_contain_text("1 of 6")
    expect(page.locator(".dg-word")).to_contain_text("no values")
    expect(page.locator(".dg-picture canvas")).to_have_count(0)
    expect(page).to_have_url(re.compile("sizes=paper"))


def test_names_can_be_written_instead_of_numbers(page: Page) -> None:
    start(page, "?at=" + CROSS)
    page.get_by_role("button", name="names", exact=True).click()
    expect(edge(page, f"{CROSS}.heads")).to_contain_text("(batch, head, query, d_k)")
    page.get_by_role("button", name="both", exact=True).click()
    expect(edge(page, f"{CROSS}.heads")).to_contain_text("(2, 2, 2, 4)")


def test_pre_norm_is_drawn_as_it_runs(page: Page) -> None:
    start(page, options={"norm": "pre"})
    norm, attention = box(page, f"{CROSS}_residual.norm").bounding_box(), box(page, CROSS).bounding_box()
    assert norm
    assert attention
    assert norm["y"] > attention["y"]
    expect(box(page, "decoder.norm")).to_be_visible()


def test_one_head_is_written_out_as_arithmetic(page: Page) -> None:
    trace = start(page, f"?at={CROSS}:dot")
    cell = page.locator(f'[data-tensor="{CROSS}.scaled_scores"] .dg-number').nth(4)
    cell.click()
    expect(page).to_have_url(re.compile(r"cell=0,0,1,1"))
    csv = page.request.get(f"/api/traces/{trace}/tensors/{CROSS}.scaled_scores.csv?index=batch:0,head:0,query:1,key:1").text()
    value = float(csv.splitlines()[1].split(",")[-1])
    expect(page.locator(".dg-sum-terms")).to_have_text(re.compile(rf"\) / √4 = {re.escape(f'{value:.2f}'.replace('-', '−'))}$"))
    expect(page.locator(".dg-sum-what")).to_have_text("score of dog (query 1) with dog (key 1)")
    assert page.locator(".dg-rings .dg-ring").count() == 3


def test_another_head_shows_other_numbers(page: Page) -> None:
    start(page, f"?at={CROSS}:dot")
    first = page.locator(f'[data-tensor="{CROSS}.q"] .dg-number').first
    expect(first).to_have_text(re.compile(r"\d"))
    before = first.text_content() or ""
    page.get_by_role("button", name="head 2", exact=True).click()
    expect(first).not_to_have_text(before)
    expect(page).to_have_url(re.compile("index=.*head:1"))


def test_blocked_keys_are_hatched_in_the_weights(page: Page) -> None:
    start(page, "?at=decoder.layers.0.self_attn:dot")
    expect(page.locator('[data-tensor="decoder.layers.0.self_attn.weights"] .dg-blocked')).to_have_count(1)


def test_decoding_changes_values_and_sizes_but_moves_no_box(page: Page) -> None:
    start(page)
    page.get_by_role("button", name="Decode", exact=True).click()
    expect(edge(page, "tgt_ids")).to_contain_text("(2, 1)")
    before = box(page, CROSS).bounding_box()
    drawn = box(page, CROSS).element_handle()
    page.get_by_role("button", name="One step forward").click()
    expect(edge(page, "tgt_ids")).to_contain_text("(2, 2)")
    assert box(page, CROSS).bounding_box() == before
    assert drawn.evaluate("box => box.isConnected"), "the box is the same element as before"


def test_it_works_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    start(page)
    scale = page.locator(".dg-level:last-child > g").evaluate("group => group.transform.baseVal.consolidate().matrix.a")
    assert 11 * scale >= 9.5
    box(page, CROSS).tap()
    expect(here(page)).to_have_text("cross-attention")
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_nothing_moves_for_those_who_asked_for_less_motion(open_page: OpenPage) -> None:
    page = open_page(reduced_motion="reduce")
    start(page)
    box(page, CROSS).click()
    assert page.locator(".dg-level").count() == 1


def test_axe_finds_nothing_serious_at_any_level(open_page: OpenPage) -> None:
    page = open_page(reduced_motion="reduce")
    for at in ("", CROSS, f"{CROSS}:dot"):
        start(page, f"?at={at}")
        assert faults(page, "#diagram") == []
