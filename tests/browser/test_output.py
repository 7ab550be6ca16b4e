"""What a decoding wrote, beside what another way would have written, and where each token comes from."""

from __future__ import annotations

import re

from decodings import SENTENCE, decode, show
from playwright.sync_api import Page, expect


def test_each_written_token_has_its_numbers_and_opens_its_step(page: Page) -> None:
    id = decode(page, strategy="greedy")
    show(page, id, step=1, panel="output")
    mine = page.request.get(f"/api/decodings/{id}/result").json()["sentences"][0]
    expect(page.locator(".output-text")).to_have_text("eshay etpay ethay ogday")
    expect(page.locator(".written-token")).to_have_count(len(mine["written"]))
    expect(page.locator(".output-written")).to_contain_text(f"{mine['length']} tokens · ends with the end token")
    page.get_by_role("button", name=re.compile("^step 6:")).click()
    expect(page).to_have_url(re.compile(r"step=5"))
    expect(page.locator(".written-token[aria-current=step]")).to_have_attribute("data-step", "5")


def test_beam_that_writes_the_same_is_said_to_be_the_same(page: Page) -> None:
    id = decode(page, strategy="greedy")
    show(page, id, step=0, panel="output")
    page.get_by_role("button", name="Compare with a beam of 4").click()
    expect(page.locator(".output-same")).to_have_text("The same: a beam of 4 writes the same 24 tokens.", timeout=20000)
    expect(page.locator(".output-beside")).to_contain_text("over the length penalty")


def test_beam_that_writes_something_else_stands_beside_it_and_opens(page: Page) -> None:
    id = decode(page, strategy="greedy", model="tiny", src=("dog run", "cat run"))
    show(page, id, step=0, panel="output")
    page.get_by_role("region", name="Output and alignment").get_by_role("combobox", name="sentence").select_option(
        label="sentence 2"
    )
    page.get_by_role("button", name="Compare with a beam of 4").click()
    expect(page.locator(".output-same")).to_contain_text("They part at token", timeout=20000)
    expect(page.locator(".output-same")).to_contain_text("likelier as a whole: −6.06 against −6.59")
    expect(page.locator(".written-token.parts")).to_have_count(1)
    page.get_by_role("link", name="Open a beam of 4").click()
    expect(page.get_by_role("button", name="Compare with greedy decoding")).to_be_visible()


def test_what_cannot_be_compared_says_why(page: Page, expected_problems: list[str]) -> None:
    expected_problems.append("status of 422")
    id = decode(page, strategy="greedy", model="tiny", src=("dog run", "cat run", "dog"))
    show(page, id, step=0, panel="output")
    page.get_by_role("button", name="Compare with a beam of 4").click()
    expect(page.locator(".output-problem")).to_have_text(re.compile(r"^3 sentences with a beam of 4 are 12 rows; .*8"))
    expect(page.get_by_role("button", name="Compare with a beam of 4")).to_be_enabled()


def test_alignment_shows_the_weights_of_the_last_pass(page: Page) -> None:
    id = decode(page, strategy="greedy")
    show(page, id, step=0, panel="output")
    mine = page.request.get(f"/api/decodings/{id}/result").json()["sentences"][0]
    name = "decoder.layers.0.cross_attn.weights"
    answer = page.request.get(f"/api/traces/{mine['trace']}/tensors/{name}.csv?index=batch:0,head:1,query:1").text()
    shares = [float(line.rsplit(",", 1)[1]) for line in answer.splitlines()[1:]]
    assert len(shares) == len(SENTENCE)
    page.locator("#alignment-layer").select_option(label="1")
    page.locator("#alignment-head").select_option(label="2")
    best = max(range(len(shares)), key=shares.__getitem__)
    token = page.get_by_role(
        "button", name=re.compile(rf"^To write “s” \(2\) it looked at “{SENTENCE[best]}” {shares[best]:.2f}")
    )
    token.click()
    expect(token).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Open step 2").click()
    expect(page).to_have_url(re.compile(r"step=1"))
    expect(page).to_have_url(re.compile(r"tensor=decoder\.layers\.0\.cross_attn\.weights"))


def test_alignment_is_walked_by_keys_and_labels_the_average(page: Page) -> None:
    id = decode(page, strategy="greedy")
    show(page, id, step=0, panel="output")
    expect(page.get_by_role("region", name="alignment", exact=True)).to_contain_text("Average over 4 heads.")
    page.locator(".look-token[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".look-says")).to_contain_text("To write “s” (2) it looked at")
    expect(page.locator(".look-says")).to_contain_text("on average over the heads")
    page.keyboard.press("ArrowUp")
    expect(page.locator(".look-token:focus")).to_have_attribute("data-side", "source")
    expect(page).to_have_url(re.compile(r"step=0"))


def test_weights_are_a_table_too(page: Page) -> None:
    id = decode(page, strategy={"kind": "beam", "width": 2})
    show(page, id, step=0, panel="output")
    page.get_by_text("The weights as a table").click()
    table = page.locator(".look-rows table")
    expect(table.locator("thead th")).to_have_count(len(SENTENCE))
    expect(table.locator("tbody tr")).to_have_count(24)
