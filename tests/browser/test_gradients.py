"""Gradients on the page: in the tensor view, explained and checked, on the edges, in their panel, and a step of the optimiser."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

BATCH: dict[str, Any] = {"model": "tiny", "src": ["dog run", "cat"], "tgt": ["dog run cat", "cat dog"]}
WEIGHTS = "decoder.layers.0.cross_attn.weights"


@pytest.fixture
def trace(page: Page) -> str:
    return str(page.request.post("/api/traces", data=BATCH).json()["id"])


def ask(page: Page, trace: str, path: str) -> dict[str, Any]:
    answer = page.request.get(f"/api/traces/{trace}/{path}")
    assert answer.ok, answer.text()
    return dict(answer.json())


def norms_of(page: Page, trace: str) -> dict[str, dict[str, Any]]:
    return {record["name"]: record for record in ask(page, trace, "gradients")["records"]}


def short(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def test_a_switch_shows_the_gradient_in_the_tensors_place_and_back(page: Page, trace: str) -> None:
    page.goto(f"/t/{trace}?tensor={WEIGHTS}")
    heat = page.locator(".heat-grid")
    expect(heat).to_have_attribute("aria-label", re.compile(f"^values of {WEIGHTS}"))
    page.get_by_role("group", name="value or gradient").get_by_role("button", name="gradient").click()
    expect(page).to_have_url(re.compile("of=gradient"))
    expect(heat).to_have_attribute("aria-label", re.compile(f"^gradient of {WEIGHTS}"))
    record = norms_of(page, trace)[WEIGHTS]
    expect(page.locator(".of-figure").first).to_have_text(f"norm {short(record['norm'])}")
    most = max(abs(record["summary"]["min"]), abs(record["summary"]["max"]))
    expect(page.locator(".heat-legend .scale")).to_have_attribute(
        "aria-label", f"colour scale from −{short(most)} to {short(most)}"
    )
    expect(page.locator(".downloads a").nth(1)).to_have_attribute("href", re.compile(r"\.npy\?of=gradient$"))
    figures = page.get_by_role("region", name="Statistics").locator(".figures").first
    expect(figures).to_contain_text(f"min{short(record['summary']['min'])}")
    page.get_by_role("button", name="value", exact=True).click()
    expect(heat).to_have_attribute("aria-label", re.compile("^values of"))
    expect(page).not_to_have_url(re.compile("of=gradient"))


def test_a_link_opens_the_gradients_explanation_and_its_trail_keeps_which(page: Page, trace: str) -> None:
    page.goto(f"/t/{trace}?tensor={WEIGHTS}&cell=0,1,1,2&of=gradient")
    panel = page.locator(".explanation")
    expect(panel).to_have_attribute("data-of", "gradient")
    found = ask(page, trace, f"explanations/{WEIGHTS}?cell=0,1,1,2&of=gradient")
    expect(panel.locator(".ex-place b")).to_have_text("∂L/∂weights")
    expect(panel.locator(".ex-says")).to_have_text(found["says"])
    upstream, value = found["operands"]
    assert (upstream["of"], value["of"]) == ("gradient", "value")
    panel.locator(f'.ex-link[data-tensor="{value["name"]}"]').first.click()
    expect(page).not_to_have_url(re.compile("of=gradient"))
    expect(panel).to_have_attribute("data-of", "value")
    expect(page).to_have_url(re.compile(r"trail=g\d+:0\.1\.1\.2"))
    page.get_by_role("button", name="← back").click()
    expect(panel).to_have_attribute("data-of", "gradient")
    panel.locator(f'.ex-link[data-tensor="{upstream["name"]}"]').first.click()
    expect(page).to_have_url(re.compile(f"tensor={re.escape(upstream['name'])}.*of=gradient"))


def test_a_cell_is_held_against_a_central_difference(page: Page, trace: str) -> None:
    page.goto(f"/t/{trace}?tensor={WEIGHTS}&cell=0,1,1,2&of=gradient")
    check = page.get_by_role("region", name="Check of this gradient")
    check.get_by_role("button", name="check this cell").click()
    expect(check.locator(".gr-verdict")).to_contain_text("✓ agrees")
    expect(check.locator(".gr-three dd")).to_have_count(3)
    found = ask(page, trace, f"gradients/{WEIGHTS}/check?cell=0,1,1,2")
    expect(check.locator(".gr-losses")).to_contain_text(f"{found['lower']:.12f}")


@pytest.mark.parametrize(
    ("name", "words"),
    [("src_ids", "Whole numbers have no gradient"), ("masks.decoder_self_attn", "A mask has no gradient")],
)
def test_what_has_no_gradient_says_why_and_shows_its_values(page: Page, trace: str, name: str, words: str) -> None:
    page.goto(f"/t/{trace}?tensor={name}&of=gradient")
    expect(page.locator(".of-says")).to_contain_text(words)
    expect(page.locator(".heat-grid")).to_have_attribute("aria-label", re.compile("^values of"))
    expect(page.get_by_role("button", name="gradient", exact=True)).to_be_disabled()


def test_a_run_without_a_target_says_that_there_is_no_loss(page: Page) -> None:
    trace = page.request.post("/api/traces", data={"model": "tiny", "src": ["dog"], "prefix": [[1]]}).json()["id"]
    page.goto(f"/t/{trace}?tensor=logits&of=gradient")
    expect(page.locator(".of-says")).to_contain_text("There is no loss without a target")
    expect(page.locator(".heat-grid")).to_have_attribute("aria-label", re.compile("^values of"))
    page.get_by_role("button", name="value", exact=True).click()
    expect(page.locator(".of")).to_be_hidden()


def test_what_nothing_reads_is_marked(page: Page, trace: str) -> None:
    page.goto(f"/t/{trace}?tensor=probs&of=gradient")
    expect(page.locator(".of-says b")).to_have_text("unread")


def test_edges_carry_norms_only_while_gradients_are_looked_at(page: Page, trace: str) -> None:
    page.goto(f"/t/{trace}")
    expect(page.locator(".dg-label").first).to_be_visible()
    expect(page.locator(".dg-norm")).to_have_count(0)
    page.get_by_role("button", name="Gradients", exact=True).click()
    norms = norms_of(page, trace)
    edges = page.locator(".dg-label:has(.dg-norm)")
    expect(edges.first).to_be_visible()
    assert edges.count() > 20
    for edge in edges.all()[:12]:
        record = norms[str(edge.get_attribute("data-tensor"))]
        text = "unread" if record["mark"] == "unread" else "≈ 0" if record["mark"] == "vanishing" else short(record["norm"])
        assert (edge.locator(".dg-norm").evaluate("node => node.firstChild.data")) == text or record["norm"] < 0.005
        assert "gradient" in str(edge.get_attribute("aria-label"))
    expect(page.locator(".dg-norms")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".dg-norm")).to_have_count(0)
    expect(page.locator(".dg-norms")).to_be_hidden()


def test_the_panel_lists_every_gradient_from_the_loss_back_and_opens_it(page: Page, trace: str) -> None:
    page.goto(f"/t/{trace}?panel=gradients")
    panel = page.locator(".gradients")
    norms = norms_of(page, trace)
    expect(panel.locator(".gr-item")).to_have_count(len(norms))
    found = ask(page, trace, "gradients")
    expect(panel.locator(".gr-says")).to_contain_text(f"norm {short(found['norm'])}")
    titles = panel.locator(".gr-block h3").all_text_contents()
    assert titles.index("decoder layer 2 · feed-forward") < titles.index("decoder layer 1 · feed-forward")
    assert titles.index("decoder layer 1 · feed-forward") < titles.index("encoder layer 1 · feed-forward")
    panel.locator('[data-tensor="generator.w"]').click()
    expect(page).to_have_url(re.compile("tensor=generator.w&of=gradient.*panel=gradients"))


def test_the_panel_leaves_only_what_vanishes(page: Page, trace: str) -> None:
    page.goto(f"/t/{trace}?panel=gradients")
    marks = [record["mark"] for record in norms_of(page, trace).values()]
    near = page.locator(".gr-item:is([data-mark=vanishing], [data-mark=zero])")
    expect(page.locator(".gr-vanishing")).to_contain_text(f"at {marks.count('vanishing')} of {len(marks)} (≈ 0)")
    only = page.get_by_role("button", name="only these")
    only.click()
    expect(page.locator(".gr-item:visible")).to_have_count(near.count())
    only.click()
    expect(page.locator(".gr-item:visible")).to_have_count(len(marks))


def test_it_begins_with_softmax_less_target(page: Page, trace: str) -> None:
    page.goto(f"/t/{trace}?panel=gradients")
    start = page.get_by_role("region", name="Softmax minus target")
    row = ask(page, trace, "whatif?cell=0,1,0&logit=0")["before"]
    start.get_by_role("combobox", name="position").select_option("1")
    label = start.locator("tr.label")
    expect(label.locator("th")).to_have_text("run")
    expect(label.locator("td").nth(0)).to_have_text(f"{row['probabilities'][4]:.4f}")
    expect(label.locator("td").nth(1)).to_have_text("−1.0000")
    expect(label.locator("td").nth(2)).to_have_text(f"{row['gradient'][4]:.4f}".replace("-", "−"))
    label.get_by_role("button").click()
    expect(page).to_have_url(re.compile(r"tensor=[\w.]+&cell=0,1,4&of=gradient"))


def test_a_step_with_every_parameter_lowers_the_loss(page: Page, trace: str) -> None:
    page.goto(f"/t/{trace}?panel=gradients")
    whole = page.get_by_role("region", name="One step with every parameter")
    whole.get_by_role("textbox", name="learning rate of the step").fill("0.01")
    whole.get_by_role("button", name="take one step").click()
    found = ask(page, trace, "optimiser?rate=0.01")
    expect(whole.locator("b")).to_have_text([f"{found['before']:.4f}", f"{found['after']:.4f}"])
    expect(whole.get_by_role("status")).to_contain_text("less.")
    whole.get_by_role("textbox").fill("much")
    whole.get_by_role("textbox").press("Enter")
    expect(whole.get_by_role("status")).to_have_text("A rate is above 0 and at most 100.")


def test_one_step_of_adam_for_a_weight_at_a_step_of_the_schedule(page: Page, trace: str) -> None:
    page.goto(f"/t/{trace}?tensor=generator.w&cell=3,4&of=gradient")
    step = page.get_by_role("region", name="One step of Adam")
    expect(step).to_be_visible()
    place = step.get_by_role("spinbutton", name="step of the schedule, as a number")
    place.fill("4000")
    place.press("Enter")
    found = ask(page, trace, "optimiser/generator.w?cell=3,4&step=4000")
    expect(step.locator(".gr-rate-says")).to_contain_text("Here is the top.")
    after = step.locator(".gr-box").last.locator("output")
    expect(after).to_have_text(re.compile(re.escape(f"{found['after']:.6f}")))
    expect(step.locator(".gr-line")).to_have_count(6)
    rate = step.get_by_role("textbox", name="learning rate")
    rate.fill("0.5")
    rate.press("Enter")
    expect(step.locator(".gr-rate-says")).to_have_text("A rate of your own, apart from the schedule.")
    expect(step.locator(".gr-box").nth(2).locator("output")).to_have_text(re.compile("^0.5|^0.499999"))
    page.goto(f"/t/{trace}?tensor=logits&cell=0,1,4&of=gradient")
    expect(page.get_by_role("region", name="Check of this gradient")).to_be_visible()
    expect(step).to_be_hidden()


def test_the_keyboard_walks_a_gradient_and_its_switch(page: Page, trace: str) -> None:
    page.goto(f"/t/{trace}?tensor={WEIGHTS}&of=gradient")
    heat = page.locator(".heat-grid")
    expect(heat).to_have_attribute("aria-label", re.compile("^gradient of"))
    heat.focus()
    heat.press("ArrowRight")
    heat.press("Enter")
    expect(page.locator(".explanation")).to_have_attribute("data-of", "gradient")
    expect(page.locator(".readout")).to_contain_text(re.compile("a little more here, (more|less) loss"))
    value = page.get_by_role("button", name="value", exact=True)
    value.focus()
    value.press("Enter")
    expect(page.locator(".explanation")).to_have_attribute("data-of", "value")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_is_wider_than_the_screen(open_page: Any, scheme: str) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, color_scheme=scheme, has_touch=True)
    trace = page.request.post("/api/traces", data=BATCH).json()["id"]
    page.goto(f"/t/{trace}?tensor=generator.w&cell=3,4&of=gradient")
    expect(page.get_by_role("region", name="One step of Adam")).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.goto(f"/t/{trace}?panel=gradients")
    expect(page.locator(".gr-item").first).to_be_visible()
    assert page.evaluate("document.querySelector('.panel-body').scrollWidth <= document.querySelector('.panel-body').clientWidth")
