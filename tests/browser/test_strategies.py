"""Strategies on the page: chosen beside Decode, part of the link, and every row of a beam can be looked into."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

READY = "html[data-ready]"


def chooser(page: Page) -> Locator:
    return page.locator(".ways")


def choose(page: Page, kind: str, **settings: str) -> None:
    chooser(page).locator("> .button").click()
    chooser(page).get_by_role("button", name=kind, exact=True).click()
    for name, value in settings.items():
        chooser(page).locator(f"#way-{name}").fill(value)


def start(page: Page, kind: str, sentence: str = "she", **settings: str) -> None:
    page.goto("/")
    page.wait_for_selector(READY, state="attached")
    page.get_by_role("button", name=re.compile("^model")).click()
    page.locator(".menu-item", has_text="Pig Latin").click()
    expect(page).to_have_title(re.compile("Pig Latin"))
    page.locator("#src-0").fill(sentence)
    choose(page, kind, **settings)
    chooser(page).get_by_role("button", name="Decode", exact=True).click()
    expect(page.locator(".step-says")).to_have_text("step 1")


def test_hypotheses_of_a_beam_are_rows_that_can_be_opened(page: Page) -> None:
    start(page, "Beam", width="3")
    page.keyboard.press("ArrowRight")
    chips = page.get_by_role("group", name="hypotheses of this step, the best first").get_by_role("button")
    expect(chips).to_have_count(3)
    expect(chips.first).to_have_attribute("aria-pressed", "true")
    chips.nth(1).click()
    expect(page).to_have_url(re.compile("index=batch:1"))
    told = chips.nth(1).locator(".hypothesis-text").inner_text()
    expect(page.locator(".fed .chip:not(.chosen, .none) .chip-text").nth(1)).to_have_text(told)
    scores = [float(text.replace("−", "-")) for text in page.locator(".hypothesis-score").all_inner_texts()]
    assert scores == sorted(scores, reverse=True)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".step-says")).to_have_text("step 1")
    page.get_by_role("button", name="Leave").click()
    expect(page.locator("#src-0")).to_have_value("she")


def test_the_way_is_part_of_the_link_and_shown_again(page: Page) -> None:
    start(page, "Sampling", temperature="2", top_k="4", seed="7")
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(".step-says")).to_have_text("step 1")
    chooser(other).locator("> .button").click()
    expect(other.locator("#way-seed")).to_have_value("7")
    expect(other.locator("#way-top_k")).to_have_value("4")
    expect(chooser(other).locator("math")).to_be_visible()


def test_a_draw_shows_what_is_cut_and_where_it_falls(page: Page) -> None:
    start(page, "Sampling", temperature="3", top_k="4", seed="7")
    table = page.locator(".sampling-table")
    expect(table.locator("tbody tr")).to_have_count(10)
    expect(table.locator("tbody tr.cut")).to_have_count(6)
    expect(table.locator("tbody tr").nth(5)).to_contain_text("cut by top-k")
    expect(page.get_by_role("img", name=re.compile(r"^the draw 0\.\d{4} falls on \w"))).to_be_visible()
    decoding = page.url
    chooser(page).locator("> .button").click()
    chooser(page).get_by_role("button", name="draw again").click()
    expect(page).not_to_have_url(decoding)
    expect(chooser(page).locator("> .button")).to_have_text("Sampling, seed 8")


def test_a_refused_setting_says_why_and_loses_nothing(page: Page, expected_problems: list[str]) -> None:
    expected_problems.append("status of 422")
    page.goto("/")
    page.wait_for_selector(READY, state="attached")
    choose(page, "Beam", width="9")
    chooser(page).get_by_role("button", name="Decode", exact=True).click()
    expect(chooser(page).get_by_role("alert")).to_have_text("2 sentences with a beam of 9 are 18 rows; the limit is 8")
    expect(page.locator("#way-width")).to_have_value("9")
    expect(page.locator("#way-width")).to_be_focused()
    assert "decoding=" not in page.url


def test_two_sentences_in_a_beam_keep_to_their_own_rows(page: Page) -> None:
    page.goto("/")
    page.wait_for_selector(READY, state="attached")
    choose(page, "Beam", width="2")
    chooser(page).get_by_role("button", name="Decode", exact=True).click()
    picker = page.get_by_role("group", name="sentence", exact=True)
    picker.get_by_role("button", name="sentence 2").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".step-says")).to_have_text("step 2")
    expect(page).to_have_url(re.compile("index=batch:2"))
    expect(picker.get_by_role("button", name="sentence 2")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#src-1")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile("index=batch:1"))


def test_live_steps_arrive_and_the_end_is_a_key_away(page: Page) -> None:
    start(page, "Greedy")
    page.locator("select.speed").select_option("live")
    with page.expect_request(re.compile("/events$")):
        page.get_by_role("button", name=re.compile("^Play")).click()
    expect(page.locator(".chosen-says")).to_contain_text("end token", timeout=20000)
    expect(page.locator(".tick")).to_have_count(6)
    page.keyboard.press("Home")
    expect(page.locator(".step-says")).to_have_text("step 1")
    page.keyboard.press("End")
    expect(page.locator(".step-says")).to_have_text("step 6, the last")


def test_the_end_is_found_where_no_step_is_known(page: Page) -> None:
    start(page, "Greedy")
    page.get_by_role("button", name=re.compile("^To the end")).click()
    expect(page.locator(".step-says")).to_have_text("step 6, the last", timeout=20000)
    expect(page.locator(".tick-token")).to_have_text(["e", "s", "h", "a", "y", "<end>"])


def test_pausing_is_said_and_what_has_not_changed_steps_back(page: Page) -> None:
    start(page, "Greedy", "she pet the dog")
    page.locator("select.speed").select_option("slow")
    page.get_by_role("button", name=re.compile("^Play")).click()
    expect(page.locator(".step-says")).to_have_text(re.compile("^step [2-9]$"))
    page.get_by_role("button", name=re.compile("^Pause")).click()
    expect(page.locator(".chosen-says")).to_contain_text("Stopped by hand at step")
    step = page.locator(".step-says").inner_text().removeprefix("step ")
    expect(page.locator(".chosen-says")).to_contain_text(f"Stopped by hand at step {step}.")
    expect(page.locator(".decode-change")).to_have_text(
        f"new: row {step} of the masked self-attention · memory untouched (the encoder ran once)"
    )
    still = page.locator(".dg-goes-on .dg-label.still")
    expect(still.filter(has_text="memory").first).to_be_visible()
    expect(still.filter(has_text="logits")).to_have_count(0)
