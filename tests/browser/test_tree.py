"""The tree of a beam search: every hypothesis, which won and why, and each one's own pass."""

from __future__ import annotations

import re
from typing import Any, Protocol

import pytest
from decodings import decode, show, tree
from playwright.sync_api import Locator, Page, expect

BEAM = {"kind": "beam", "width": 3, "length_penalty": 0.6}


class OpenPage(Protocol):
    def __call__(self, **options: Any) -> Page: ...


def node(page: Page, id: int) -> Locator:
    return page.locator(f"[data-node='{id}']")


def test_tree_holds_every_hypothesis_that_lived_or_died(page: Page) -> None:
    id = decode(page, strategy=BEAM)
    nodes = tree(page, id)["nodes"]
    show(page, id, step=4)
    kept = [each["id"] for each in nodes if each["fate"] != "dropped"]
    for each in kept:
        expect(node(page, each)).to_be_attached()
    now = [each["id"] for each in nodes if each["fate"] == "dropped" and each["step"] == 4]
    expect(page.locator(".tree-node")).to_have_count(len(kept) + len(now))
    page.get_by_label("all dropped").check()
    expect(page.locator(".tree-node")).to_have_count(len(nodes))


def test_winner_is_marked_and_its_numbers_are_the_servers(page: Page) -> None:
    id = decode(page, strategy=BEAM)
    answer = tree(page, id)
    show(page, id, step=2)
    best = answer["nodes"][answer["best"][0]]
    expect(node(page, best["id"])).to_have_class(re.compile(r"\bwins\b"))
    expect(page.locator(".tree-why")).to_contain_text("“eshay etpay ethay ogday” wins with")
    expect(page.locator(".tree-why")).to_contain_text(
        f"over {answer['divisors'][best['length']]:.3f}, the divisor for {best['length']} tokens"
    )
    expect(page.locator(".tree-why")).to_contain_text("The runner-up")


def test_a_hypothesis_opens_the_pass_of_exactly_its_prefix(page: Page) -> None:
    id = decode(page, strategy=BEAM)
    nodes = tree(page, id)["nodes"]
    show(page, id, step=4)
    other = next(each for each in nodes if each["fate"] in ("passed", "died") and each["step"] == 5 and each["row"] > 0)
    node(page, other["id"]).click()
    expect(page).to_have_url(re.compile(r"step=6"))
    step = page.request.get(f"/api/decodings/{id}/steps/6").json()
    row = next(place for place, each in enumerate(step["rows"]) if each["node"] == other["id"])
    assert row > 0
    expect(page).to_have_url(re.compile(rf"index=batch:{row}"))
    expect(node(page, other["id"])).to_have_attribute("aria-current", "true")
    expect(page.locator(".batch-row[aria-pressed=true] .batch-place")).to_have_text(str(row + 1))


def test_a_dropped_hypothesis_opens_the_pass_that_made_it(page: Page) -> None:
    id = decode(page, strategy=BEAM)
    nodes = tree(page, id)["nodes"]
    show(page, id, step=3)
    dropped = next(each for each in nodes if each["fate"] == "dropped" and each["step"] == 3 and each["row"] == 1)
    node(page, dropped["id"]).click()
    expect(page.locator(".batch-row[aria-pressed=true] .batch-place")).to_have_text("2")
    expect(page).to_have_url(re.compile(r"step=3"))


def test_keys_walk_the_tree_and_do_not_step(page: Page) -> None:
    id = decode(page, strategy=BEAM)
    answer = tree(page, id)
    show(page, id, step=4)
    root = 0
    page.locator(".tree-node[tabindex='0']").focus()
    page.keyboard.press("Home")
    expect(node(page, root)).to_be_focused()
    page.keyboard.press("ArrowRight")
    first = next(each for each in answer["nodes"] if each["step"] == 0 and each["token"]["text"] == "e")
    expect(node(page, first["id"])).to_be_focused()
    expect(page.locator(".tree-says")).to_contain_text("step 1: “e” has log-probability")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".tree-node:focus")).not_to_have_attribute("data-node", str(first["id"]))
    page.keyboard.press("ArrowLeft")
    expect(node(page, root)).to_be_focused()
    expect(page).to_have_url(re.compile(r"step=4"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"step=1"))


def test_panel_follows_its_buttons_so_that_tab_leads_into_it(page: Page) -> None:
    show(page, decode(page, strategy=BEAM), step=4)
    page.get_by_role("button", name="Leave").focus()
    page.keyboard.press("Tab")
    expect(page.locator("#panel-attention :focus")).to_have_count(1)


def test_step_is_said_to_be_one_pass_over_its_prefixes(page: Page) -> None:
    id = decode(page, strategy=BEAM)
    step = show(page, id, step=2)
    expect(page.locator(".batch-says")).to_have_text(
        f"Step 3: a step of beam search is one forward pass over {len(step['rows'])} prefixes."
    )
    expect(page.locator(".batch-row")).to_have_count(3)
    page.locator(".batch-row").nth(2).click()
    expect(page).to_have_url(re.compile(r"index=batch:2"))


def test_tree_grows_with_the_steps_and_to_the_end(page: Page) -> None:
    id = decode(page, strategy={"kind": "beam", "width": 2}, src=("the big dog",))
    show(page, id, step=0)
    expect(page.locator(".tree-why")).to_contain_text("is the best so far")
    expect(page.locator(".wins")).to_have_count(0)
    page.get_by_role("button", name="Grow to the end").click()
    expect(page.locator(".tree-why")).to_contain_text("wins with", timeout=20000)
    expect(page.locator(".wins")).to_have_count(1)


@pytest.mark.parametrize(
    ("strategy", "said"),
    [
        ("greedy", "Greedy decoding keeps one hypothesis"),
        ({"kind": "sample", "seed": 3}, "Sampling keeps one hypothesis"),
        ({"kind": "beam", "width": 1}, "it is greedy decoding"),
    ],
)
def test_one_path_is_said_to_be_one(page: Page, strategy: dict[str, Any] | str, said: str) -> None:
    id = decode(page, strategy=strategy)
    show(page, id, step=3)
    expect(page.locator(".tree-why")).to_contain_text(said)
    expect(page.locator(".tree-step.now .tree-node")).to_have_count(1)


def test_each_sentence_has_its_own_tree(page: Page) -> None:
    id = decode(page, strategy={"kind": "beam", "width": 2}, src=("she", "the dog"))
    show(page, id, step=1)
    expect(page.locator(".tree-why")).to_contain_text("“e")
    panel = page.get_by_role("region", name="Tree of hypotheses")
    panel.get_by_role("combobox", name="sentence").select_option(label="sentence 2")
    expect(page).to_have_url(re.compile(r"index=batch:2"))
    expect(page.locator(".tree-node.at")).to_have_count(1)
    page.locator(".batch-row").first.click()
    expect(page).to_have_url(re.compile(r"index=batch:2"))


def test_tree_and_alignment_work_by_touch_on_a_phone(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    id = decode(page, strategy=BEAM)
    other = next(each for each in tree(page, id)["nodes"] if each["fate"] == "passed" and each["step"] == 4 and each["row"] > 0)
    show(page, id, step=5)
    expect(node(page, other["id"])).to_be_in_viewport()
    node(page, other["id"]).tap()
    expect(node(page, other["id"])).to_have_attribute("aria-current", "true")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    show(page, id, step=5, panel="output")
    page.locator(".look-token.written").nth(1).tap()
    expect(page.locator(".look-says")).to_contain_text("To write “s” (2) it looked at")
    page.get_by_role("button", name="Open step 2").tap()
    expect(page).to_have_url(re.compile(r"step=1"))
