"""The target beside what is written: one table of both ways, and from each position to its logits."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect


def go(page: Page, step: int = 1, *, model: str = "pig-latin", src: tuple[str, ...] = ("she pet",)) -> str:
    decoding = page.request.post("/api/decodings", data={"model": model, "src": list(src)}).json()["id"]
    trace = page.request.get(f"/api/decodings/{decoding}/steps/{step}").json()["trace"]
    page.goto(f"/t/{trace}?decoding={decoding}&step={step}&panel=target")
    return str(decoding)


def rows(page: Page) -> list[str]:
    expect(page.locator(".target-table tbody tr").first).to_be_visible()
    return page.locator(".target-table tbody tr").all_inner_texts()


def test_both_ways_agree_when_the_decoder_writes_the_target(page: Page) -> None:
    go(page)
    page.locator("#target-beside").fill("eshay etpay")
    expect(page.locator(".target-parting")).to_have_text("They never part: what the decoder writes is the target.")
    assert len(rows(page)) == 12
    expect(page.locator(".predicted.right")).to_have_count(24)


def test_editing_the_target_shows_where_they_part(page: Page) -> None:
    decoding = go(page)
    page.locator("#target-beside").fill("eshay otpay")
    expect(page.locator(".target-parting")).to_have_text(
        "They part at position 7: the target feeds “o”, the decoder has written “e”."
    )
    expect(page.locator(".target-table tr.parts th")).to_contain_text("7")
    expect(page.locator("#tgt-0")).to_have_value("eshay otpay")
    forced = page.request.get(f"/api/decodings/{decoding}/forced?tgt=eshay otpay").json()["sentences"][0]
    share = forced["positions"][7]["forced"]["probability"]
    expect(page.locator(".target-table tbody tr").nth(7).locator(".predicted .chance").first).to_have_text(
        re.compile(rf"{share * 100:.1f}")
    )


def test_a_position_opens_its_logits_in_the_step_of_the_decoding(page: Page) -> None:
    go(page)
    page.locator("#target-beside").fill("eshay otpay")
    page.get_by_role("button", name=re.compile("^position 3, fed what it wrote: “a”")).click()
    expect(page).to_have_url(re.compile(r"tensor=logits&cell=0,3,5.*step=3"))
    expect(page.locator(".target-table [aria-current=step] th")).to_have_text("3")


def test_a_position_opens_its_logits_in_the_pass_that_was_fed_the_target(page: Page) -> None:
    decoding = go(page)
    page.locator("#target-beside").fill("eshay otpay")
    expect(page.locator(".target-parting")).to_contain_text("position 7")
    trace = page.request.get(f"/api/decodings/{decoding}/forced?tgt=eshay otpay").json()["trace"]
    page.get_by_role("button", name=re.compile("^position 7, fed the target")).click()
    expect(page).to_have_url(re.compile(rf"/t/{trace}\?.*tensor=logits&cell=0,7,"))
    page.go_back()
    expect(page.locator(".target-parting")).to_contain_text("position 7")


def test_each_sentence_has_its_own_table(page: Page) -> None:
    go(page, model="tiny", src=("dog run", "cat run"))
    expect(page.locator("label[for=target-beside]")).to_have_text("target of sentence 1")
    page.get_by_role("button", name="sentence 2").last.click()
    expect(page.locator("label[for=target-beside]")).to_have_text("target of sentence 2")
    expect(page.locator("#target-beside")).to_have_value("cat run")


def test_a_target_that_is_too_long_says_so_and_the_text_stays(page: Page, expected_problems: list[str]) -> None:
    expected_problems.append("status of 422")
    go(page)
    page.locator("#target-beside").fill("a" * 90)
    expect(page.locator(".target-parting")).to_contain_text("64")
    expect(page.locator("#target-beside")).to_have_value("a" * 90)
