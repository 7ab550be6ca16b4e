"""What a cell reads stands beside it as heatmaps, lights up with the pointer, and a matrix product can be played."""

from __future__ import annotations

import re
from typing import Any, Protocol

import pytest
from playwright.sync_api import Locator, Page, expect
from reading import faults

READY = "html[data-ready]"
BLOCK = "decoder.layers.0.cross_attn"
SCORES = f"{BLOCK}.scores"
HIDDEN = "encoder.layers.0.feed_forward.hidden"
EMBEDDED = "src_embed.embedded"

# How strongly a cell of a map is veiled, 0 to 255; cells of the small model are all as large as cells get.
VEIL = """([canvas, column, row]) => {
  const ratio = canvas.width / parseFloat(canvas.style.width);
  const [wide, high] = [parseFloat(canvas.style.width), parseFloat(canvas.style.height)];
  const [x, y] = [wide - 2 - 38 * column + 19, high - 2 - 20 * row + 10];
  return canvas.getContext("2d").getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data[3];
}"""


class OpenPage(Protocol):
    def __call__(self, **options: Any) -> Page: ...


def show(page: Page, tensor: str, cell: str, at: str = "") -> None:
    recipe = {"model": "tiny", "src": ["dog run", "cat run"], "tgt": ["dog run", "cat run"]}
    trace = page.request.post("/api/traces", data=recipe).json()["id"]
    page.goto(f"/t/{trace}?tensor={tensor}&cell={cell}&at={at}")
    expect(page.locator(".maps")).to_be_visible()
    page.evaluate("document.fonts.ready")


def values(page: Page, tensor: str) -> dict[tuple[int, ...], float]:
    trace = page.url.split("/t/")[1].split("?")[0]
    lines = page.request.get(f"/api/traces/{trace}/tensors/{tensor}.csv").text().splitlines()[1:]
    return {tuple(map(int, cells)): float(value) for *cells, value in (line.split(",") for line in lines)}


def picture(page: Page, tensor: str) -> Locator:
    return page.locator(f'.map-picture[data-tensor="{tensor}"]')


def is_lit(page: Page, tensor: str, *, row: int, column: int) -> bool:
    """Whether a cell, counted from the map's last row and column (1), is clear of the veil."""
    canvas = picture(page, tensor).locator(".heat-above").element_handle()
    return bool(page.evaluate(VEIL, [canvas, column, row]) == 0)


def box(part: Locator) -> dict[str, float]:
    found = part.bounding_box()
    assert found
    return dict(found)


def lit_edges(page: Page) -> list[str]:
    return sorted(page.locator(".dg-label.operand").evaluate_all("labels => labels.map(label => label.dataset.tensor)"))


def number(text: str) -> float:
    return float(text.replace("−", "-").replace("(", "").replace(")", ""))


def test_operands_of_a_product_stand_where_row_and_column_meet(page: Page) -> None:
    show(page, SCORES, "0,1,1,2")
    left, above, result = (box(picture(page, f"{BLOCK}.{name}")) for name in ("q", "k", "scores"))
    assert left["y"] == result["y"]
    assert left["x"] + left["width"] < result["x"]
    assert above["x"] == result["x"]
    assert above["y"] + above["height"] < result["y"]
    expect(page.locator(".maps")).to_contain_text("kᵀ (4, 3)")


def test_row_and_column_of_the_selected_cell_are_lit(page: Page) -> None:
    show(page, SCORES, "0,1,1,2")
    assert all(is_lit(page, f"{BLOCK}.q", row=1, column=column) for column in (1, 2, 3, 4))
    assert not any(is_lit(page, f"{BLOCK}.q", row=2, column=column) for column in (1, 2, 3, 4))
    assert [is_lit(page, f"{BLOCK}.k", row=2, column=column) for column in (3, 2, 1)] == [False, False, True]
    assert [is_lit(page, SCORES, row=1, column=column) for column in (3, 2, 1)] == [False, False, True]


def test_bias_stands_under_the_result_and_lists_are_strips(page: Page) -> None:
    show(page, HIDDEN, "0,1,3")
    result, bias = box(picture(page, HIDDEN)), box(picture(page, "encoder.layers.0.feed_forward.b_1"))
    assert bias["x"] == result["x"]
    assert bias["width"] == pytest.approx(result["width"], abs=1)
    assert bias["height"] < 30


def test_pointing_at_the_heatmap_lights_that_cells_operands_at_once(page: Page) -> None:
    show(page, SCORES, "0,1,1,2", at=BLOCK)
    page.locator(".heat-grid").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Home")
    assert is_lit(page, f"{BLOCK}.q", row=2, column=1)
    assert is_lit(page, f"{BLOCK}.k", row=1, column=3)
    assert not is_lit(page, f"{BLOCK}.k", row=1, column=1)
    assert lit_edges(page) == [f"{BLOCK}.k", f"{BLOCK}.q"]
    page.locator(".heat-grid").blur()
    assert is_lit(page, f"{BLOCK}.k", row=1, column=1)


def test_operands_in_another_head_are_shown_too(page: Page) -> None:
    show(page, SCORES, "0,1,1,2")
    cells = picture(page, f"{BLOCK}.q").locator(".heat-cells")
    before = cells.evaluate("canvas => canvas.toDataURL()")
    first = box(page.locator(".heat-panel .heat-cells").first)
    page.mouse.move(first["x"] + first["width"] - 70, first["y"] + first["height"] - 12)
    assert cells.evaluate("canvas => canvas.toDataURL()") != before
    page.mouse.move(5, 5)
    assert cells.evaluate("canvas => canvas.toDataURL()") == before


def test_edges_stay_lit_for_the_selected_cell_and_go_out_with_it(page: Page) -> None:
    show(page, SCORES, "0,1,1,2", at=BLOCK)
    page.mouse.move(5, 5)
    assert lit_edges(page) == [f"{BLOCK}.k", f"{BLOCK}.q"]
    page.locator(".heat-grid").focus()
    page.keyboard.press("Escape")
    page.locator(".heat-grid").blur()
    assert lit_edges(page) == []
    expect(page.locator(".maps")).to_be_hidden()


def test_what_only_the_server_knows_is_asked_for(page: Page) -> None:
    show(page, EMBEDDED, "0,1,3")
    table = picture(page, "src_embed.table").locator(".heat-above")
    before = table.evaluate("canvas => canvas.toDataURL()")
    page.locator(".heat-grid").focus()
    with page.expect_response(re.compile(r"/explanations/src_embed\.embedded\?cell=0,2,3")):
        page.keyboard.press("ArrowDown")
    page.wait_for_function("([canvas, before]) => canvas.toDataURL() !== before", arg=[table.element_handle(), before])


def test_a_cell_of_a_map_says_its_value_lights_its_edge_and_opens(page: Page) -> None:
    show(page, SCORES, "0,1,1,2", at=BLOCK)
    known = values(page, f"{BLOCK}.k")
    above = picture(page, f"{BLOCK}.k")
    size = box(above)
    above.hover(position={"x": size["width"] - 20, "y": size["height"] - 12})
    said = page.locator(".maps-says").inner_text()
    assert "key “run” (2), d_k 3" in said
    assert number(said.rsplit(" ", 1)[1]) == pytest.approx(known[0, 1, 2, 3], rel=1e-6)
    expect(page.locator(".dg-label.pointed")).to_have_attribute("data-tensor", f"{BLOCK}.k")
    above.click(position={"x": size["width"] - 20, "y": size["height"] - 12})
    expect(page).to_have_url(re.compile(rf"tensor={re.escape(BLOCK)}\.k&cell=0,1,2,3&trail="))


def test_a_link_in_the_table_rings_its_cell(page: Page) -> None:
    show(page, SCORES, "0,1,1,2")
    page.mouse.move(5, 5)
    above = picture(page, f"{BLOCK}.q").locator(".heat-above")
    before = above.evaluate("canvas => canvas.toDataURL()")
    page.locator(".explanation table").get_by_role("button").first.hover()
    page.wait_for_function("([canvas, before]) => canvas.toDataURL() !== before", arg=[above.element_handle(), before])


def test_a_product_is_played_term_by_term_up_to_its_value(page: Page) -> None:
    show(page, SCORES, "0,1,1,0")
    known = values(page, SCORES)
    on = page.get_by_role("button", name="one term on (→)")
    for term in range(1, 5):
        on.click()
        expect(page.locator(".play-sum")).to_contain_text(f"{term} of 4")
    total = page.locator(".play-sum span").last
    assert number(total.inner_text()) == pytest.approx(known[0, 1, 1, 0], abs=1e-4)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".play-sum")).to_contain_text("1 of 4")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".play-sum")).to_contain_text("4 of 4")
    assert number(page.locator(".play-sum span").last.inner_text()) == pytest.approx(known[0, 1, 1, 2], abs=1e-4)
    page.get_by_role("button", name="explain it").click()
    expect(page).to_have_url(re.compile("cell=0,1,1,2"))


def test_playing_asks_once_a_cell_and_stops_at_the_end(page: Page) -> None:
    show(page, SCORES, "0,1,1,1")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("button", name="fast").click()
    page.get_by_role("button", name="▶ play").click()
    expect(page.get_by_role("button", name="pause")).to_be_visible()
    expect(page.get_by_role("button", name="▶ play")).to_be_visible(timeout=10000)
    expect(page.locator(".play-sum")).to_contain_text("4 of 4")
    assert len(asked) == 2, asked
    page.keyboard.press("Escape")
    expect(page.locator(".play-sum")).to_be_hidden()


def test_nothing_runs_by_itself_with_reduced_motion(open_page: OpenPage) -> None:
    page = open_page(reduced_motion="reduce")
    show(page, SCORES, "0,1,1,1")
    expect(page.get_by_role("button", name="▶ play")).to_be_hidden()
    expect(page.locator(".maps-play")).to_contain_text("asks for less motion")
    page.get_by_role("button", name="one term on (→)").click()
    expect(page.locator(".play-sum")).to_contain_text("1 of 4")


def test_numbers_of_the_arithmetic_ring_their_operands(page: Page) -> None:
    show(page, SCORES, "0,1,1,1", at=f"{BLOCK}:dot")
    page.locator(f'.dg-matrix[data-tensor="{BLOCK}.heads"] .dg-number').first.hover()
    expect(page.locator(".dg-ring.hovered")).to_have_count(3)
    page.mouse.move(5, 5)
    expect(page.locator(".dg-ring.hovered")).to_have_count(0)


@pytest.mark.parametrize("width", [1440, 390])
def test_maps_fit_and_can_be_used_by_everybody(open_page: OpenPage, width: int) -> None:
    page = open_page(viewport={"width": width, "height": 900})
    show(page, HIDDEN, "0,1,3")
    room = box(page.locator(".maps"))
    for part in page.locator(".map-picture, .play-buttons > *").all():
        assert box(part)["x"] + box(part)["width"] <= room["x"] + room["width"] + 1
    assert faults(page, ".maps") == []
