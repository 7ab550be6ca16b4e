"""The sentence bar: what is typed is run, shown as tokens, and never lost."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

READY = "html[data-ready]"


def open_home(page: Page) -> None:
    page.goto("/")
    page.wait_for_selector(READY, state="attached")


def source(page: Page, place: int = 0) -> Locator:
    return page.locator(f"#src-{place}")


def chips(page: Page, side: str, place: int = 0) -> Locator:
    return page.locator(".row").nth(place).locator(f".field.{side} .chip-text")


def test_worked_example_is_on_screen_with_ids(page: Page) -> None:
    open_home(page)
    expect(source(page)).to_have_value("dog run")
    expect(chips(page, "src")).to_have_text(["<start>", "dog", "run"])
    expect(page.locator(".row").first.locator(".field.src .chip-id")).to_have_text(["1", "3", "4"])


def test_labels_stand_under_the_decoder_input_shifted_by_one(page: Page) -> None:
    open_home(page)
    places = page.locator(".row").first.locator(".field.tgt .shift-place")
    expect(places.nth(1).locator(".chip-text")).to_have_text(["<start>", "dog"])
    expect(places.nth(2).locator(".chip-text")).to_have_text(["dog", "run"])
    expect(page.locator("#tgt-note")).to_contain_text("one place late")


def test_enter_runs_what_is_typed(page: Page) -> None:
    open_home(page)
    source(page).fill("cat cat dog")
    expect(page.locator("#src-note")).to_contain_text("not run yet")
    source(page).press("Enter")
    expect(chips(page, "src")).to_have_text(["<start>", "cat", "cat", "dog"])
    expect(page.locator("#src-note")).not_to_contain_text("not run yet")


def test_unknown_word_is_marked_and_explained(page: Page) -> None:
    open_home(page)
    source(page).fill("dog fish")
    source(page).press("Enter")
    expect(page.locator("#src-note")).to_contain_text("fish")
    expect(page.locator(".row").first.locator(".field.src .chip.unknown")).to_have_count(1)


def test_markup_in_a_sentence_is_text(page: Page) -> None:
    open_home(page)
    source(page).fill("<img src=x onerror=alert(1)> <b>dog</b>")
    source(page).press("Enter")
    expect(page.locator("#src-note")).to_contain_text("“<img”")
    expect(chips(page, "src")).to_contain_text(["<b>dog</b>"])
    expect(page.locator(".sentences img")).to_have_count(0)


def test_refused_text_stays_and_says_why(page: Page, expected_problems: list[str]) -> None:
    expected_problems.append("422")
    open_home(page)
    text = "dog " * 70
    source(page).fill(text)
    source(page).press("Enter")
    expect(page.locator("#src-note")).to_contain_text("this model takes")
    expect(source(page)).to_have_value(text)
    expect(source(page)).to_have_attribute("aria-invalid", "true")
    expect(chips(page, "src")).to_have_text(["<start>", "dog", "run"])
    page.reload()
    page.wait_for_selector(READY, state="attached")
    expect(source(page)).to_have_value(text)


def test_typed_text_outlives_a_reload(page: Page) -> None:
    open_home(page)
    source(page).fill("run run")
    page.reload()
    page.wait_for_selector(READY, state="attached")
    expect(source(page)).to_have_value("run run")
    expect(chips(page, "src")).to_have_text(["<start>", "dog", "run"])


def test_back_shows_the_sentence_that_was_run(page: Page) -> None:
    open_home(page)
    source(page).fill("cat cat")
    source(page).press("Enter")
    expect(chips(page, "src")).to_have_text(["<start>", "cat", "cat"])
    page.go_back()
    expect(source(page)).to_have_value("dog run")
    expect(chips(page, "src")).to_have_text(["<start>", "dog", "run"])


def test_sentences_are_added_up_to_eight_and_removed(page: Page) -> None:
    open_home(page)
    for place in range(2, 8):
        page.get_by_role("button", name="add a sentence").click()
        source(page, place).fill("cat run")
        page.locator(f"#tgt-{place}").fill("cat run")
    expect(page.get_by_role("button", name="add a sentence")).to_have_count(0)
    page.get_by_role("button", name="Run").click()
    expect(chips(page, "src", 7)).to_have_text(["<start>", "cat", "run"])
    page.get_by_role("button", name="remove sentence 8").click()
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("button", name=re.compile("^sentence 7 of 7"))).to_have_count(1)


def test_setting_changes_the_run_and_resets(page: Page) -> None:
    open_home(page)
    before = page.url
    page.get_by_role("button", name=re.compile("^Settings")).click()
    page.locator("#setting-norm").select_option("pre")
    expect(page.get_by_role("button", name="Settings (1)")).to_be_visible()
    assert page.url != before
    page.locator("#setting-reset").click()
    expect(page).to_have_url(before)


@pytest.mark.parametrize("option", ["norm"])
def test_trained_model_refuses_what_it_was_not_trained_with(page: Page, expected_problems: list[str], option: str) -> None:
    expected_problems.append("422")
    open_home(page)
    page.get_by_role("button", name=re.compile("^model")).click()
    page.locator(".menu-item", has_text="Pig Latin").click()
    expect(page).to_have_title(re.compile("Pig Latin"))
    source(page).fill("my own words")
    page.get_by_role("button", name=re.compile("^Settings")).click()
    page.locator(f"#setting-{option}").select_option("pre")
    expect(page.locator(".setting .problem")).to_contain_text("trained")
    expect(page.locator(f"#setting-{option}")).to_have_value("post")
    expect(source(page)).to_have_value("my own words")


def test_train_mode_has_its_badge(page: Page) -> None:
    open_home(page)
    switch = page.get_by_role("switch", name="train mode")
    expect(switch).to_have_text("eval")
    switch.click()
    expect(switch).to_have_text("train")
    switch.click()
    expect(switch).to_have_text("eval")


def test_examples_run_by_a_click(page: Page) -> None:
    open_home(page)
    page.get_by_role("button", name="Examples").click()
    page.locator(".menu-item", has_text="padded").click()
    expect(chips(page, "src", 0)).to_have_text(["<start>", "dog", "run", "cat"])
    page.get_by_role("button", name=re.compile("^sentence 2 of 2")).click()
    expect(page.locator(".row").nth(1).locator(".field.src .chip.pad")).to_have_count(2)


def test_theme_is_remembered(page: Page) -> None:
    open_home(page)
    button = page.get_by_role("button", name=re.compile("^Colours"))
    button.click()
    button.click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def two_sentences(page: Page) -> None:
    """The worked example with its second sentence on screen."""
    open_home(page)
    page.get_by_role("button", name=re.compile("^sentence 2 of 2")).click()
    expect(source(page, 1)).to_be_visible()


def test_refusal_goes_to_the_sentence_that_it_names(page: Page, expected_problems: list[str]) -> None:
    expected_problems.append("422")
    two_sentences(page)
    page.locator("#tgt-1").fill("")
    page.get_by_role("button", name=re.compile("^sentence 1 of 2")).click()
    source(page).press("Enter")
    expect(page.locator("#tgt-1")).to_be_visible()
    expect(page.locator("#tgt-1")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#tgt-0")).to_have_attribute("aria-invalid", "false")
    expect(page.locator("#tgt-note")).to_contain_text("arget 2")
    expect(page.locator("#src-note")).not_to_contain_text("arget 2")


def test_notices_stand_under_the_side_they_are_about(page: Page) -> None:
    open_home(page)
    page.locator("#tgt-0").fill("dog bird")
    page.locator("#tgt-0").press("Enter")
    expect(page.locator("#tgt-note")).to_contain_text("“bird”")
    expect(page.locator("#src-note")).not_to_contain_text("“bird”")


def test_first_keystroke_takes_the_old_note_away(page: Page, expected_problems: list[str]) -> None:
    expected_problems.append("422")
    open_home(page)
    for text, told in (("dog fish", "fish"), ("dog " * 70, "this model takes")):
        source(page).fill(text)
        source(page).press("Enter")
        expect(page.locator("#src-note")).to_contain_text(told)
        source(page).press("End")
        source(page).press("x")
        expect(page.locator("#src-note")).to_contain_text("Changed, not run yet: press Enter")
        expect(page.locator("#src-note")).not_to_contain_text(told)
        expect(source(page)).to_have_attribute("aria-invalid", "false")


def test_bar_inspector_and_arithmetic_show_one_sentence(page: Page) -> None:
    open_home(page)
    trace = page.url.split("?")[0]
    weights = "decoder.layers.0.cross_attn.weights"
    page.goto(f"{trace}?at=decoder.layers.0.cross_attn:dot&tensor={weights}&cell=1,0,1,2")
    page.wait_for_selector(READY, state="attached")
    expect(source(page, 1)).to_be_visible()
    page.get_by_role("button", name=re.compile("^sentence 1 of 2")).click()
    expect(page).to_have_url(re.compile("index=batch:0"))
    assert "cell=" not in page.url
    page.locator("#inspector").get_by_role("group", name="sentence").get_by_role("button").nth(1).click()
    expect(source(page, 1)).to_be_visible()
    expect(page).to_have_url(re.compile("index=batch:1"))


def test_target_of_an_earlier_source_is_pointed_out(page: Page) -> None:
    open_home(page)
    hint = re.compile("still that of the earlier source; the loss measures this pair")
    source(page).fill("cat cat")
    expect(page.locator("#tgt-note")).to_have_text(hint)
    source(page).press("Enter")
    expect(page.locator("#src-note")).not_to_contain_text("not run yet")
    expect(page.locator("#tgt-note")).to_have_text(hint)
    page.locator("#tgt-0").fill("cat cat")
    page.locator("#tgt-0").press("Enter")
    expect(page.locator("#tgt-note")).to_contain_text("one place late")


def test_without_the_causal_mask_the_target_says_what_each_position_sees(page: Page) -> None:
    open_home(page)
    page.get_by_role("button", name=re.compile("^Settings")).click()
    page.locator("#setting-causal").uncheck()
    expect(page.locator("#tgt-note")).to_have_text(
        "Causal mask off: each position also sees later tokens, its own label among them."
    )


def test_field_says_how_many_tokens_are_used_of_how_many(page: Page) -> None:
    open_home(page)
    room = page.locator("#src-0-aside")
    expect(room).to_have_text("3 of 64 tokens")
    source(page).fill("dog")
    expect(room).to_have_text("at most 64 tokens")
    source(page).press("Enter")
    expect(room).to_have_text("2 of 64 tokens")
