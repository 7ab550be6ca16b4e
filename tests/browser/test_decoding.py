"""Decoding on the page: every step is real, and can be stepped, played and linked to."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

READY = "html[data-ready]"


def start(page: Page, model: str = "tiny", sentence: str | None = None) -> None:
    page.goto("/")
    page.wait_for_selector(READY, state="attached")
    if model != "tiny":
        page.get_by_role("button", name=re.compile("^model")).click()
        page.locator(".menu-item", has_text=model).click()
        expect(page).to_have_title(re.compile(model))
    if sentence is not None:
        page.locator("#src-0").fill(sentence)
    page.get_by_role("button", name="Decode", exact=True).click()
    expect(page.locator(".step-says")).to_have_text("step 1")
    expect(page.locator(".bar").first).to_be_visible()


def fed(page: Page) -> Locator:
    return page.locator(".fed .chip:not(.chosen, .none) .chip-text")


def test_first_step_is_fed_the_start_token_alone(page: Page) -> None:
    start(page)
    expect(fed(page)).to_have_text(["<start>"])
    expect(page.locator(".bar")).to_have_count(5)
    assert "decoding=" in page.url
    assert "step=0" in page.url


def test_arrow_keys_step_and_the_chosen_token_is_fed_next(page: Page) -> None:
    start(page)
    chosen = page.locator(".fed .chosen .chip-text").inner_text()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".step-says")).to_have_text("step 2")
    expect(fed(page)).to_have_text(["<start>", chosen])
    page.keyboard.press("ArrowLeft")
    expect(fed(page)).to_have_text(["<start>"])


def test_probabilities_are_those_of_the_traces_last_position(page: Page) -> None:
    start(page)
    trace = page.url.split("/t/")[1].split("?")[0]
    answer = page.request.get(f"/api/traces/{trace}/tensors/probs.csv?index=batch:0")
    shares = [float(line.rsplit(",", 1)[1]) for line in answer.text().splitlines()[1:]]
    best = max(shares[-5:]) * 100
    expect(page.locator(".bar.chosen .bar-share")).to_have_text(re.compile(rf"^{best:.1f}\s%$"))


def test_decoding_ends_with_a_reason(page: Page) -> None:
    start(page)
    page.locator("select.speed").select_option("fast")
    page.get_by_role("button", name=re.compile("^Play")).click()
    expect(page.locator(".chosen-says")).to_contain_text("length limit 8", timeout=15000)
    expect(page.locator(".step-says")).to_have_text("step 8, the last")
    expect(page.get_by_role("button", name=re.compile("^Play"))).to_be_visible()
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator(".step-says")).to_have_text("step 8, the last")


def test_pig_latin_says_eshay_and_ends_by_itself(page: Page) -> None:
    start(page, "Pig Latin", "she")
    page.locator("select.speed").select_option("fast")
    page.get_by_role("button", name=re.compile("^Play")).click()
    expect(page.locator(".chosen-says")).to_contain_text("end token", timeout=20000)
    expect(fed(page)).to_have_text(["<start>", "e", "s", "h", "a", "y"])


def test_reload_and_another_window_show_the_same_step(page: Page) -> None:
    start(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".step-says")).to_have_text("step 3")
    expect(page).to_have_url(re.compile("step=2"))
    tokens, url = fed(page).all_inner_texts(), page.url
    other = page.context.new_page()
    for each in (page, other):
        each.goto(url)
        expect(each.locator(".step-says")).to_have_text("step 3")
        expect(fed(each)).to_have_text(tokens)
        expect(each.locator("#src-0")).to_have_value("dog run")
        expect(each.locator("#tgt-0")).to_have_value("dog run")
        assert each.url == url


def test_back_undoes_a_step_made_by_hand_then_leaves_the_decoding(page: Page) -> None:
    start(page)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("step=1$"))
    page.go_back()
    expect(page.locator(".step-says")).to_have_text("step 1")
    page.go_back()
    expect(page.locator(".decode-start")).to_be_visible()
    page.evaluate("history.go(2)")
    expect(page.locator(".step-says")).to_have_text("step 2")


def test_all_that_is_played_is_one_entry_of_the_history(page: Page) -> None:
    start(page)
    page.locator("select.speed").select_option("live")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".step-says")).to_have_text(re.compile("the last"))
    page.go_back()
    expect(page.locator(".step-says")).to_have_text("step 1")


def test_leaving_shows_the_whole_target_again(page: Page) -> None:
    start(page)
    page.get_by_role("button", name="Leave").click()
    expect(page.locator(".decode-start")).to_be_visible()
    assert "decoding=" not in page.url
    expect(page.locator(".row").first.locator(".shift-place").nth(2).locator(".chip-text")).to_have_text(["dog", "run"])


def test_several_sentences_end_each_on_its_own(page: Page) -> None:
    start(page)
    picker = page.get_by_role("group", name="sentence", exact=True)
    picker.get_by_role("button", name="sentence 2").click()
    expect(page).to_have_url(re.compile("index=batch:1"))
    expect(picker.get_by_role("button", name="sentence 2")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("head", ["1", "average of heads"])
def test_cross_attention_map_opens_the_real_cell(page: Page, head: str) -> None:
    start(page)
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Cross-attention so far").click()
    panel = page.get_by_role("region", name="cross-attention of the steps so far")
    expect(panel.locator("canvas")).to_have_attribute("aria-label", re.compile("^2 × 3 "))
    page.locator("#cross-head").select_option(label=head)
    panel.get_by_role("group").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(panel.locator(".map-says")).to_contain_text("“dog” (1)")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"tensor=decoder\.layers\.1\.cross_attn\.weights"))
    if head == "1":
        expect(page).to_have_url(re.compile("cell=0,0,1,1"))
    else:
        expect(panel).to_contain_text("Average over 2 heads")
        assert "cell=" not in page.url


def test_random_weights_and_a_missing_end_token_are_said(page: Page) -> None:
    start(page)
    told = page.locator(".decode-caution")
    expect(told).to_contain_text("Random weights: what it chooses means nothing.")
    expect(told).to_contain_text("This model has no end token, so it stops after 8 tokens.")
    start(page, "Pig Latin", "she")
    expect(told).to_have_text("")


def test_target_and_mode_say_why_they_are_off(page: Page) -> None:
    start(page)
    expect(page.locator(".field.tgt.unused").first).to_contain_text("not used while decoding")
    switch = page.get_by_role("switch", name="train mode")
    expect(switch).to_be_disabled()
    expect(switch).to_have_attribute("title", re.compile("decoding always runs without dropout"))
    expect(page.locator(".mode-why")).to_have_text("decoding runs without dropout")
    page.get_by_role("button", name="Leave").click()
    expect(page.locator(".mode-why")).to_have_text("")
    expect(page.locator(".field.tgt.unused")).to_have_count(0)


WHOLE_CHIPS = """(box) => {
  const frame = box.getBoundingClientRect();
  const chips = [...box.querySelectorAll(".chip")].map((chip) => chip.getBoundingClientRect());
  const seen = chips.filter((chip) => chip.bottom > frame.top + 1 && chip.top < frame.bottom - 1);
  const upright = (chip) => chip.top > frame.top - 1 && chip.bottom < frame.bottom + 1;
  const outside = seen.filter((chip) => !upright(chip) || chip.left < frame.left - 1 || chip.right > frame.right + 1);
  const onTop = seen.filter((a, i) => seen.slice(i + 1).some((b) => Math.abs(a.top - b.top) < 2 && a.right > b.left + 0.5));
  return [chips.length, outside.length, onTop.length];
}"""


def test_chips_of_a_long_prefix_stand_in_whole_rows(page: Page) -> None:
    start(page, "Pig Latin", "she pet the dog and the cat sat on it")
    page.get_by_role("button", name=re.compile("^To the end")).click()
    expect(page.locator(".chosen-says")).to_contain_text("Ends:", timeout=30000)
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".step-says")).not_to_contain_text("the last")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".fed .chosen")).to_be_in_viewport(ratio=1)
        chips, outside, on_top = page.locator(".fed").evaluate(WHOLE_CHIPS)
        assert chips > 30
        assert (outside, on_top) == (0, 0)
