"""The arithmetic of one head: whose tokens stand at its rows and columns, which cells a mask blocks, and sums that work out."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

READY = "html[data-ready]"
SELF = "decoder.layers.0.self_attn"
CROSS = "decoder.layers.0.cross_attn"
TRAINING = {"dropout": 0.5, "mode": "train"}


def start(page: Page, block: str, **recipe: object) -> str:
    """Open an attention block's arithmetic, of two sentences that differ in words and length, and return the trace's id."""
    body = {"model": "tiny", "src": ["dog run", "cat"], "tgt": ["dog run", "cat"], **recipe}
    trace = str(page.request.post("/api/traces", data=body).json()["id"])
    page.goto(f"/t/{trace}?at={block}:dot")
    page.wait_for_selector(READY, state="attached")
    expect(cells(page, f"{block}.q").first).to_have_text(re.compile(r"\d"))
    return trace


def cells(page: Page, tensor: str) -> Locator:
    return page.locator(f'.dg-level:last-child [data-tensor="{tensor}"] .dg-number')


def labels(page: Page, tensor: str) -> Locator:
    return page.locator(f'.dg-level:last-child [data-tensor="{tensor}"] .dg-place-label tspan')


def values(page: Page, trace: str, tensor: str, index: str) -> list[float]:
    csv = page.request.get(f"/api/traces/{trace}/tensors/{tensor}.csv?index={index}").text()
    return [float(line.split(",")[-1]) for line in csv.splitlines()[1:]]


def numbers(text: str) -> list[float]:
    return [float(number.replace("−", "-")) for number in re.findall(r"−?\d+\.\d+", text)]


def test_rows_and_columns_are_called_by_the_chosen_sentence(page: Page) -> None:
    start(page, CROSS)
    expect(labels(page, f"{CROSS}.k")).to_have_text(["<start>", "dog", "run"])
    page.get_by_role("button", name="sentence 2", exact=True).click()
    expect(labels(page, f"{CROSS}.k")).to_have_text(["<start>", "cat", "<pad>"])
    expect(labels(page, f"{CROSS}.q")).to_have_text(["<start>", "<pad>"])
    expect(labels(page, f"{CROSS}.v")).to_have_text(["<start>", "cat", "<pad>"])
    page.get_by_role("button", name="sentence 1", exact=True).click()
    expect(labels(page, f"{CROSS}.k")).to_have_text(["<start>", "dog", "run"])


def test_an_address_with_another_sentence_names_and_numbers_that_sentence(page: Page) -> None:
    trace = start(page, CROSS)
    page.goto(f"/t/{trace}?at={CROSS}:dot&index=batch:1,head:1")
    page.wait_for_selector(READY, state="attached")
    expect(labels(page, f"{CROSS}.k")).to_have_text(["<start>", "cat", "<pad>"])
    first = values(page, trace, f"{CROSS}.q", "batch:1,head:1")[0]
    expect(cells(page, f"{CROSS}.q").first).to_have_text(f"{first:.2f}".replace("-", "−"))


def test_labels_follow_each_step_of_decoding(page: Page) -> None:
    start(page, SELF)
    page.get_by_role("button", name="sentence 2", exact=True).click()
    page.get_by_role("button", name="Decode", exact=True).click()
    expect(labels(page, f"{SELF}.q")).to_have_text(["<start>"])
    page.get_by_role("button", name="One step forward").click()
    expect(labels(page, f"{SELF}.q")).to_have_count(2)
    expect(page).to_have_url(re.compile("step=1"))
    trace = page.request.get("/api/traces/" + page.url.split("/t/")[1].split("?")[0]).json()
    expect(labels(page, f"{SELF}.q")).to_have_text([token["text"] for token in trace["tokens"]["tgt"][1]])


def test_dropout_is_a_step_between_the_weights_and_what_they_are_multiplied_with(page: Page) -> None:
    trace = start(page, CROSS, options=TRAINING)
    dropped = f"{CROSS}.dropout.out"
    shown = [float((text or "nan").replace("−", "-")) for text in cells(page, dropped).all_text_contents()]
    real = values(page, trace, dropped, "batch:0,head:0")
    assert shown == pytest.approx(real, abs=0.006)
    assert real != values(page, trace, f"{CROSS}.weights", "batch:0,head:0"), "the case drops something"
    cells(page, f"{CROSS}.heads").nth(5).click()
    expect(page.locator(".dg-sum-what")).to_have_text("what dog (query 1) takes from the values, column 1")
    *terms, result = numbers(page.locator(".dg-sum-terms").text_content() or "")
    assert round(sum(weight * value for weight, value in zip(terms[::2], terms[1::2], strict=True)), 2) == round(result, 2)
    assert all(abs(written - weight) < 0.001 for written, weight in zip(terms[::2], real[3:], strict=True))


def test_a_weight_that_dropout_leaves_says_what_it_was_multiplied_by(page: Page) -> None:
    trace = start(page, CROSS, options=TRAINING)
    cells(page, f"{CROSS}.dropout.out").first.click()
    expect(page).to_have_url(re.compile(re.escape(f"tensor={CROSS}.dropout.out")))
    weight = values(page, trace, f"{CROSS}.weights", "batch:0,head:0")[0]
    multiplier = values(page, trace, f"{CROSS}.dropout.multiplier", "batch:0,head:0")[0]
    written = numbers(page.locator(".dg-sum-terms").text_content() or "")
    assert written == pytest.approx([weight, multiplier, weight * multiplier], abs=0.006)


def test_outside_training_dropout_rests_and_no_step_is_drawn(page: Page) -> None:
    start(page, CROSS, options={"dropout": 0.5})
    expect(page.locator(f'[data-tensor="{CROSS}.dropout.out"]')).to_have_count(0)
    expect(page.locator(f'[data-tensor="{CROSS}.weights"] .dg-size-label')).to_contain_text("dropout rests")


def test_blocked_scores_are_hatched_with_their_number_and_say_why(page: Page) -> None:
    trace = start(page, SELF)
    scores = f"{SELF}.scaled_scores"
    expect(page.locator(".dg-matrices")).to_contain_text("mask, softmax")
    later = cells(page, scores).nth(1)
    expect(later.locator("rect")).to_have_class("dg-blocked")
    expect(later).to_have_text(f"{values(page, trace, scores, 'batch:0,head:0')[1]:.2f}".replace("-", "−"))
    later.click()
    expect(page.locator(".dg-sum-terms")).to_have_text(re.compile("blocked: −∞, because it is later than the query$"))
    cells(page, f"{SELF}.weights").nth(1).click()
    expect(page.locator(".dg-sum-terms")).to_have_text(re.compile("^blocked: −∞, because it is later than the query; "))


def test_a_blocked_score_of_padding_says_so(page: Page) -> None:
    start(page, CROSS)
    page.get_by_role("button", name="sentence 2", exact=True).click()
    expect(cells(page, f"{CROSS}.scaled_scores").locator("rect.dg-blocked")).to_have_count(2)
    cells(page, f"{CROSS}.scaled_scores").nth(2).click()
    expect(page.locator(".dg-sum-what")).to_have_text("score of <start> (query 0) with <pad> (key 2)")
    expect(page.locator(".dg-sum-terms")).to_have_text(re.compile("blocked: −∞, because it is padding$"))


def test_a_written_sum_works_out_and_has_all_digits_on_hover(page: Page) -> None:
    trace = start(page, CROSS)
    for place in range(6):
        cells(page, f"{CROSS}.scaled_scores").nth(place).click()
        expect(page).to_have_url(re.compile(f"cell=0,0,{place // 3},{place % 3}"))
        text = page.locator(".dg-sum-terms").text_content() or ""
        *terms, result = numbers(text)
        added = sum(one * other for one, other in zip(terms[::2], terms[1::2], strict=True)) / 2
        assert f"{added:.2f}" == f"{result:.2f}" or "≈" in text, text
    whole = page.locator(".dg-sum-terms .dg-term").last.get_attribute("title") or ""
    assert abs(float(whole.replace("−", "-")) - values(page, trace, f"{CROSS}.scaled_scores", "batch:0,head:0")[5]) < 1e-6


def test_a_softmax_says_that_the_largest_score_is_taken_off(page: Page) -> None:
    start(page, CROSS)
    cells(page, f"{CROSS}.weights").nth(4).click()
    expect(page.locator(".dg-sum-how")).to_contain_text("less the row’s largest score")


def test_the_cut_into_heads_is_told_with_its_columns(page: Page) -> None:
    trace = start(page, CROSS)
    cells(page, f"{CROSS}.q").nth(1).click()
    expect(page.locator(".dg-sum-terms")).to_contain_text("column 1 of queries: its columns 0–3 are head 1")
    page.goto(f"/t/{trace}?at={CROSS}")
    page.wait_for_selector(READY, state="attached")
    page.locator(f'.dg-level:last-child .dg-box[data-id="{CROSS}.q"]').hover()
    expect(page.locator(".dg-caption")).to_contain_text("Of queries, columns 0–3 become head 1, 4–7 head 2.")
