"""The inspector shows the real values of a tensor, says what each cell is, and stays quick with large ones."""

from __future__ import annotations

import re
from typing import Any, Protocol

import pytest
from playwright.sync_api import Locator, Page, expect
from reading import faults

READY = "html[data-ready]"
WEIGHTS = "decoder.layers.0.cross_attn.weights"
MASKED = "decoder.layers.0.self_attn.masked_scores"
LARGE = "encoder.layers.0.feed_forward.w_1"

# How many different channel values a canvas holds: a blank one has two at most.
SHADES = "canvas => new Set(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data).size"

# Counts the frames in which there is no heatmap.
WATCH_BLANKS = """() => {
  window.blank = 0;
  const look = () => {
    const heat = document.querySelector(".heat");
    if (heat.hidden || !heat.offsetHeight) window.blank++;
    requestAnimationFrame(look);
  };
  look();
}"""


class OpenPage(Protocol):
    def __call__(self, **options: Any) -> Page: ...


def show(page: Page, tensor: str, *, model: str = "tiny", cell: str = "", index: str = "") -> None:
    """Open a trace of the model's first example with a tensor in the inspector, by its address."""
    example = page.request.get(f"/api/models/{model}").json()["examples"][0]
    trace = page.request.post("/api/traces", data={"model": model, "src": example["src"], "tgt": example["tgt"]}).json()["id"]
    extra = (f"&cell={cell}" if cell else "") + (f"&index={index}" if index else "")
    page.goto(f"/t/{trace}?tensor={tensor}{extra}")
    painted(page, tensor)


def painted(page: Page, tensor: str) -> None:
    page.wait_for_selector(f'#inspector[data-painted="{tensor}"]', state="attached", timeout=15000)


def values(page: Page, tensor: str, query: str = "") -> list[list[str]]:
    """The tensor's cells as the server writes them: indexes, then the value."""
    trace = page.url.split("/t/")[1].split("?")[0]
    text = page.request.get(f"/api/traces/{trace}/tensors/{tensor}.csv{query}").text()
    return [line.split(",") for line in text.splitlines()[1:]]


def inspector(page: Page) -> Locator:
    return page.locator("#inspector")


def grid(page: Page) -> Locator:
    return page.locator(".heat-grid")


def spoken(page: Page) -> str:
    return page.locator(".heat [aria-live]").inner_text()


def test_start_leads_into_the_scores_of_cross_attention(page: Page) -> None:
    page.goto("/")
    page.wait_for_selector(READY, state="attached")
    page.get_by_role("button", name="the scores of cross-attention").click()
    painted(page, "decoder.layers.0.cross_attn.scores")
    expect(page.locator(".tensor-size").first).to_contain_text("(2, 2, 2, 3)")
    expect(page.locator(".why")).to_contain_text("2 sentences × 2 heads × 2 target positions × 3 source positions = 24 numbers")
    expect(page.locator(".tensor-formula math")).to_be_visible()
    expect(page.locator(".proof")).to_contain_text("✓ recomputed")


def test_start_states_the_parameters_with_their_sums(page: Page) -> None:
    page.goto("/")
    expect(page.locator(".parameters")).to_contain_text("8·32 + 32 + 32·8 + 8")
    expect(page.locator(".parameters tr", has_text="feed-forward")).to_contain_text("552")


def test_keyboard_reads_the_servers_own_numbers(page: Page) -> None:
    show(page, WEIGHTS)
    known = {tuple(map(int, line[:4])): float(line[4]) for line in values(page, WEIGHTS)}
    grid(page).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    assert re.fullmatch(r"head 1, sentence 1: query “dog” \(1\) gives [\d.]+ of its attention to key “run” \(2\)", spoken(page))
    said = float(re.search(r"gives ([\d.]+)", spoken(page))[1])  # type: ignore[index]
    assert said == pytest.approx(known[0, 0, 1, 2], rel=1e-6)
    page.keyboard.press("ArrowRight")
    assert spoken(page).startswith("head 2, sentence 1: query “dog” (1) gives")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("cell=0,1,1,0"))


def test_selected_cell_survives_a_reload_and_goes_with_its_sentence(page: Page) -> None:
    show(page, WEIGHTS, cell="0,1,1,2")
    expect(page.locator(".readout")).to_contain_text("head 2, sentence 1: query “dog” (1) gives")
    inspector(page).get_by_role("button", name="sentence 2").click()
    expect(page.locator(".readout")).to_contain_text("head 2, sentence 2: query “cat” (1) gives")
    page.reload()
    painted(page, WEIGHTS)
    expect(page.locator(".readout")).to_contain_text("head 2, sentence 2: query “cat” (1) gives")


def test_pointer_reads_and_selects(page: Page) -> None:
    show(page, WEIGHTS)
    page.evaluate("document.fonts.ready")  # the formula's font may come late and move what is below it
    page.mouse.move(*near_the_last_cell(page))
    expect(page.locator(".readout")).to_contain_text("query “dog” (1) gives")
    page.mouse.click(*near_the_last_cell(page))
    expect(page).to_have_url(re.compile("cell=0,0,1,2"))


def near_the_last_cell(page: Page) -> tuple[float, float]:
    box = page.locator(".heat-cells").first.bounding_box()
    assert box
    return box["x"] + box["width"] - 60, box["y"] + box["height"] - 12


def test_all_heads_stand_side_by_side_and_one_can_stand_alone(page: Page) -> None:
    show(page, WEIGHTS)
    expect(page.locator(".heat-panel")).to_have_count(2)
    first, second = (page.locator(".heat-panel").nth(i).bounding_box() for i in (0, 1))
    assert first
    assert second
    assert first["y"] == second["y"]
    assert first["x"] < second["x"]
    inspector(page).get_by_role("button", name="head 2", exact=True).first.click()
    expect(page.locator(".heat-panel")).to_have_count(1)
    expect(page).to_have_url(re.compile("index=head:1"))
    page.reload()
    painted(page, WEIGHTS)
    expect(page.locator(".heat-panel")).to_have_count(1)
    page.get_by_role("button", name="all 2 side by side").click()
    expect(page.locator(".heat-panel")).to_have_count(2)


def test_blocked_cells_are_told_apart_in_masked_scores_and_weights(page: Page) -> None:
    show(page, MASKED)
    expect(page.locator(".heat-legend")).to_contain_text("blocked (−∞)")
    grid(page).focus()
    page.keyboard.press("ArrowRight")
    assert spoken(page).endswith("key “dog” (1): blocked (−∞)")
    page.locator(".links").get_by_role("button", name="weights").click()
    painted(page, "decoder.layers.0.self_attn.weights")
    grid(page).focus()
    page.keyboard.press("ArrowRight")
    assert spoken(page).endswith("gives nothing, exactly 0, to key “dog” (1), which is blocked")


def test_statistics_leave_blocked_cells_out(page: Page) -> None:
    show(page, MASKED)
    finite = [float(line[4]) for line in values(page, MASKED) if line[4] not in ("-inf", "-Infinity")]
    figures = page.locator('section[aria-label="Statistics"]')
    assert len(finite) == 12
    expect(figures.locator("div", has_text=re.compile("^mean"))).to_contain_text(f"{sum(finite) / 12:.2f}".replace("-", "−"))
    expect(figures.locator("div", has_text=re.compile("^blocked"))).to_contain_text("4")


def test_operands_and_readers_are_links(page: Page) -> None:
    show(page, WEIGHTS)
    page.locator(".links").get_by_role("button", name="masked scores").click()
    painted(page, "decoder.layers.0.cross_attn.masked_scores")
    page.locator(".links").get_by_role("button", name="cross-attention", exact=True).click()
    painted(page, "masks.cross_attn")
    page.go_back()
    painted(page, "decoder.layers.0.cross_attn.masked_scores")


RANKS = (
    "src_ids",
    "masks.causal",
    "loss.mean",
    "encoder.layers.0.self_attn_residual.norm.mean",
    "encoder.layers.0.self_attn.b_q",
)


@pytest.mark.parametrize("tensor", RANKS)
def test_tensors_of_every_rank_and_kind_open(page: Page, tensor: str) -> None:
    show(page, tensor)
    if tensor == "loss.mean":
        shown = float(page.locator(".single").inner_text().replace("−", "-"))
        assert shown == pytest.approx(float(values(page, tensor)[0][-1]), rel=1e-6)
    else:
        expect(grid(page)).to_be_visible()
        grid(page).focus()
        assert spoken(page)


def open_recipe(page: Page, recipe: dict[str, Any], query: str) -> None:
    trace = page.request.post("/api/traces", data=recipe).json()["id"]
    page.goto(f"/t/{trace}?{query}")


def test_loss_terms_are_named_by_their_labels(page: Page) -> None:
    show(page, "loss.terms", cell="0,0")
    term = float(values(page, "loss.terms")[0][-1])
    readout = page.locator(".readout")
    expect(readout).to_contain_text("label “dog”, predicted after “<start>” (position 0): ")
    assert float(readout.inner_text().rsplit(" ", 1)[1]) == pytest.approx(term, rel=1e-6)


def test_labels_that_are_padding_are_left_out_not_blocked(page: Page) -> None:
    open_recipe(page, {"model": "tiny", "src": ["dog run", "cat"], "tgt": ["dog run", "cat"]}, "tensor=loss.counted&cell=1,1")
    painted(page, "loss.counted")
    expect(page.locator(".readout")).to_contain_text("left out")
    expect(page.locator(".heat-legend")).to_have_text(re.compile("counted.*left out"))
    assert "blocked" not in inspector(page).inner_text()


def test_mean_over_no_label_says_why_it_is_no_number(page: Page) -> None:
    open_recipe(page, {"model": "tiny", "src": ["dog"], "tgt": ["fish"]}, "tensor=loss.mean")
    painted(page, "loss.mean")
    expect(page.locator(".single")).to_have_text("NaN")
    expect(page.locator(".single-note")).to_have_text("No label counts (all are padding), so there is no mean: 0 / 0.")
    expect(page.locator(".proof")).to_have_text("recomputed: NaN as well")


def test_statistics_tell_the_whole_from_what_is_shown(page: Page) -> None:
    show(page, WEIGHTS, index="batch:1,head:1")
    figures = page.locator('section[aria-label="Statistics"]')
    expect(figures).to_contain_text("of the whole tensor")
    shown = [line for line in values(page, WEIGHTS) if line[:2] == ["1", "1"]]
    row, column, most = max(((line[2], line[3], float(line[4])) for line in shown), key=lambda cell: cell[2])
    tgt, src = ["<start>", "cat"], ["<start>", "cat", "run"]
    expect(figures.locator(".extremes")).to_contain_text(f"max {most:.2f} at {tgt[int(row)]} → {src[int(column)]}")
    figures.locator(".extremes button").last.click()
    expect(page).to_have_url(re.compile(f"cell=1,1,{row},{column}"))


def test_paper_sizes_do_not_pass_for_those_of_the_run(page: Page) -> None:
    show(page, WEIGHTS)
    note = inspector(page).get_by_text("Values and sizes here are those of this run, not of the paper's base sizes.")
    expect(note).to_be_hidden()
    page.goto(f"{page.url}&sizes=paper")
    painted(page, WEIGHTS)
    expect(note).to_be_visible()


@pytest.mark.parametrize(
    ("tensor", "ends"), [("log_probs", ("−", "0")), ("encoder.layers.0.self_attn_residual.norm.variance", ("0", ""))]
)
def test_values_of_one_sign_have_a_scale_from_zero(page: Page, tensor: str, ends: tuple[str, str]) -> None:
    show(page, tensor)
    texts = page.locator(".scale > span:not(.scale-bar)").all_inner_texts()
    assert texts[0].startswith(ends[0])
    assert texts[1].startswith(ends[1])
    assert "0" in (texts[0], texts[1])


def test_small_probabilities_reach_to_their_largest_and_the_likeliest_are_named(page: Page) -> None:
    show(page, "probs", model="paper-base")
    expect(page.locator(".scale-note")).to_have_text("from 0 to the largest here, not to 1")
    show(page, "probs")
    expect(page.locator(".likeliest h2")).to_have_text("Likeliest after “dog” (1)")
    row = sorted(((float(line[3]), int(line[2])) for line in values(page, "probs") if line[:2] == ["0", "1"]), reverse=True)
    words = page.request.get("/api/models/tiny").json()["vocabulary"]
    expect(page.locator(".likeliest li")).to_have_count(5)
    assert page.locator(".likeliest li button").all_inner_texts() == [words[place] for _, place in row[:5]]
    page.locator(".likeliest li button").first.click()
    expect(page).to_have_url(re.compile(f"cell=0,1,{row[0][1]}$"))
    page.goto(re.sub("cell=[^&]*", "cell=1,0,2", page.url))
    expect(page.locator(".likeliest h2")).to_have_text("Likeliest after “<start>” (0)")


def test_output_matrix_is_named_among_the_embeddings_where_it_has_its_own(page: Page) -> None:
    page.goto("/")
    expect(page.locator(".start .figures")).to_contain_text("embeddings and output matrix")
    open_recipe(page, {"model": "tiny", "src": ["dog"], "tgt": ["dog"], "options": {"tied_embeddings": True}}, "")
    expect(page.locator(".start .figures")).to_contain_text("embeddings")
    expect(page.locator(".start .figures")).not_to_contain_text("output matrix")


def test_reading_says_that_positions_count_from_zero(page: Page) -> None:
    show(page, WEIGHTS, cell="0,0,1,2")
    expect(page.locator(".counting")).to_have_text("(1) is position 1, counted from 0; heads and sentences are counted from 1.")


def test_tensor_that_is_not_there_is_named(page: Page) -> None:
    open_recipe(page, {"model": "tiny", "src": ["dog"], "tgt": ["dog"]}, "tensor=decoder.layers.9.weights")
    note = inspector(page).get_by_text("This run has no tensor named “decoder.layers.9.weights”.")
    expect(note).to_be_visible()
    page.get_by_role("button", name="the memory").click()
    painted(page, "memory")
    expect(note).to_be_hidden()


def test_tensor_can_be_closed(page: Page) -> None:
    show(page, WEIGHTS, cell="0,0,1,2")
    page.get_by_role("button", name="close, back to the story of this run").click()
    expect(page.locator(".start h1")).to_be_visible()
    expect(page.locator(".start h1")).to_be_focused()
    expect(page).not_to_have_url(re.compile("tensor=|cell="))


def test_norm_says_what_it_takes_together_and_its_epsilon(page: Page) -> None:
    norm = "encoder.layers.0.self_attn_residual.norm"
    show(page, f"{norm}.normalised")
    expect(page.locator(".tensor-says")).to_contain_text("Normalised together: each row, the 8 numbers of one token (d_model).")
    show(page, f"{norm}.deviation")
    expect(page.locator(".tensor-says")).to_contain_text("ε = 0.00001")


def test_canvas_is_not_blank_and_the_two_sentences_differ(page: Page) -> None:
    show(page, "memory")
    pictures = []
    for sentence in ("sentence 1", "sentence 2"):
        inspector(page).get_by_role("button", name=sentence).click()
        page.wait_for_timeout(100)
        pictures.append(page.locator(".heat-cells").first.evaluate("canvas => canvas.toDataURL()"))
    assert pictures[0] != pictures[1]
    assert page.locator(".heat-cells").first.evaluate(SHADES) > 50


def test_theme_change_repaints(page: Page) -> None:
    show(page, "memory")
    before = page.locator(".heat-cells").first.evaluate("canvas => canvas.toDataURL()")
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(100)
    assert page.locator(".heat-cells").first.evaluate("canvas => canvas.toDataURL()") != before


def test_decoding_repaints_in_place(page: Page) -> None:
    show(page, WEIGHTS)
    page.get_by_role("button", name="Decode", exact=True).click()
    expect(page.locator(".tensor-size .size").first).to_have_text("(2, 2, 1, 3)")
    page.evaluate(WATCH_BLANKS)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".tensor-size .size").first).to_have_text("(2, 2, 2, 3)")
    assert page.evaluate("window.blank") == 0


def test_histogram_is_drawn_by_plotly_only_when_it_is_opened(page: Page) -> None:
    show(page, "memory")
    assert not page.evaluate("'Plotly' in window")
    page.locator("summary", has_text="Distribution").click()
    expect(page.locator(".plot .bars path").first).to_be_attached(timeout=20000)
    expect(page.locator(".plot")).to_have_attribute("aria-label", re.compile("histogram of memory: 48 finite values"))
    assert page.locator(".plot canvas").count() == 0
    assert page.locator(".modebar").count() == 0


def test_table_holds_all_digits(page: Page) -> None:
    show(page, WEIGHTS)
    page.locator("summary", has_text="As a table").click()
    expect(page.locator(".tables td").first).to_be_visible()
    cells = page.locator(".tables td").all_inner_texts()
    known = [float(line[4]) for line in values(page, WEIGHTS) if line[0] == "0"]
    assert [float(cell) for cell in cells if cell] == pytest.approx(known, rel=1e-6)


def test_files_can_be_taken_away(page: Page) -> None:
    show(page, WEIGHTS)
    for address in page.locator(".downloads a").evaluate_all("links => links.map(link => link.getAttribute('href'))"):
        assert page.request.get(address).ok


def test_large_tensor_is_fetched_thinned_in_one_request_and_in_tiles_when_near(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if re.search("names=.*w_1(?!.*fit)", request.url) else None)
    show(page, LARGE, model="paper-base")
    assert len(asked) == 1
    assert "%2F8" in asked[0] or "/8" in asked[0]
    expect(page.locator(".thinned")).to_have_text("showing every second row, every 8th column")
    page.get_by_role("button", name="zoom until the numbers can be read").click()
    expect(page.locator(".thinned")).to_have_count(0)
    grid(page).focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".heat [aria-live]")).to_have_text(re.compile(r"^in \d+, out \d+: "))
    said = re.search(r"in (\d+), out (\d+): (\S+)$", spoken(page))
    assert said
    known = values(page, LARGE, f"?index=in:{said[1]}-{int(said[1]) + 1},out:{said[2]}-{int(said[2]) + 1}")
    assert float(said[3].replace("−", "-")) == pytest.approx(float(known[0][-1]), rel=1e-5)
    page.get_by_role("button", name="show the whole tensor (0)").click()
    expect(page.locator(".thinned")).to_have_text("showing every second row, every 8th column")


def test_wheel_moves_a_zoomed_tensor_and_not_the_page(page: Page) -> None:
    show(page, LARGE, model="paper-base")
    page.get_by_role("button", name="zoom until the numbers can be read").click()
    page.wait_for_timeout(300)
    box = grid(page).bounding_box()
    assert box
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    before = page.locator(".readout").inner_text()
    page.mouse.wheel(0, 300)
    page.wait_for_timeout(200)
    page.mouse.move(box["x"] + 201, box["y"] + 200)
    assert page.locator(".readout").inner_text() != before
    assert page.locator("#inspector").evaluate("inspector => inspector.scrollTop") == 0


@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing(open_page: OpenPage, width: int) -> None:
    page = open_page(viewport={"width": width, "height": 900})
    show(page, WEIGHTS)
    if width < 860 and not grid(page).is_visible():
        page.locator(".sheet-handle").click()
    page.locator("summary", has_text="As a table").click()
    assert faults(page, "#inspector") == []


def test_phone_has_no_sideways_scroll_and_taps_select(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    show(page, WEIGHTS)
    if not grid(page).is_visible():
        page.locator(".sheet-handle").tap()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.locator("#inspector").evaluate("inspector => inspector.scrollWidth <= inspector.clientWidth")
    canvas = page.locator(".heat-cells").first
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box
    canvas.tap(position={"x": box["width"] - 60, "y": box["height"] - 12})
    expect(page).to_have_url(re.compile("cell=0,0,1,2"))


def test_markup_in_tokens_stays_text(page: Page) -> None:
    recipe = {"model": "paper-base", "src": ["a<b>bold</b> <img src=x onerror=alert(1)>"], "tgt": ["x"]}
    trace = page.request.post("/api/traces", data=recipe).json()["id"]
    page.goto(f"/t/{trace}?tensor=src_embed.sum&cell=0,0,0")
    painted(page, "src_embed.sum")
    expect(page.locator(".readout")).to_contain_text("a<b>bold</b>")
    assert page.locator("#inspector img").count() == 0
