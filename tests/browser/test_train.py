"""Training on the page: begun, watched, steered, gone back over, and the model used like any other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import APIRequestContext, Browser, Page, expect
from reading import faults
from wire import wire

SMALL = {"d_model": 8, "n_heads": 2, "d_ff": 8, "n_layers": 1}
QUICK = {"task": "reverse", "steps": 30, "batch": 4, "options": SMALL}
LONG = {**QUICK, "steps": 90_000}
SLOW = 60_000
REFUSED = r"422|409|404"
FITS = "(body) => body.scrollWidth <= body.clientWidth"


@pytest.fixture(scope="module")
def reverse(server: str, browser: Browser) -> Iterator[dict[str, Any]]:
    """A training that is finished, for the tests that change nothing about it."""
    page = browser.new_context(base_url=server).new_page()
    run = finished(page)
    yield run
    page.request.delete(f"/api/runs/{run['id']}")
    page.context.close()


@pytest.fixture(autouse=True)
def nothing_goes_on(server: str, page: Page, reverse: dict[str, Any]) -> Iterator[None]:
    """No training of one test takes its turn from another."""
    yield
    for run in page.request.get("/api/runs").json()["runs"]:
        if run["id"] != reverse["id"]:
            page.request.delete(f"/api/runs/{run['id']}")


def open_train(page: Page) -> None:
    page.goto("/?panel=train")
    expect(page.locator(".train")).to_be_visible(timeout=SLOW)


def write(page: Page, **values: str) -> None:
    for name, value in values.items():
        page.locator(f"#tr-{name}").fill(value)


def begin_small(page: Page, steps: int = 90_000) -> None:
    page.locator("#tr-task-copy").check(force=True)
    page.get_by_text("Sizes and variants").click()
    write(page, name="Mine", steps=str(steps), batch="4")
    write(page, **{f"options-{name}": str(value) for name, value in SMALL.items()})
    page.get_by_role("button", name="Start training").click()


def start(request: APIRequestContext, recipe: dict[str, Any]) -> dict[str, Any]:
    answer = request.post("/api/runs", data=recipe)
    assert answer.status == 201, answer.text()
    return dict(answer.json())


def finished(page: Page, recipe: dict[str, Any] = QUICK) -> dict[str, Any]:
    run = start(page.request, recipe)
    for _ in range(300):
        now = page.request.get(f"/api/runs/{run['id']}").json()
        if now["state"] in ("finished", "diverged", "failed"):
            return dict(now)
        page.wait_for_timeout(200)
    pytest.fail(f"{run['id']} did not end")


def choose(page: Page, name: str) -> None:
    page.locator(".tr-tab", has_text=name).click()


def test_a_training_is_started_followed_paused_resumed_and_stopped(page: Page) -> None:
    open_train(page)
    begin_small(page)
    state = page.locator(".tr-state")
    expect(state).to_have_text("learning", timeout=SLOW)
    expect(page.locator(".picker")).to_contain_text("Mine", timeout=SLOW)
    expect(page.locator(".tr-follow")).to_have_attribute("aria-pressed", "true")
    first = page.url
    expect(page).not_to_have_url(first, timeout=SLOW)  # the next checkpoint
    expect(page.locator(".tr-figure")).to_have_count(4)
    expect(page.locator(".tr-sample")).to_have_count(4)
    page.locator("[data-verb=pause]").click()
    expect(state).to_have_text("paused", timeout=SLOW)
    bar = page.get_by_role("progressbar", name="steps")
    before = int(bar.get_attribute("aria-valuenow") or 0)
    page.locator("[data-verb=step]").click()
    expect(bar).to_have_attribute("aria-valuenow", str(before + 1), timeout=SLOW)
    page.locator("[data-verb=resume]").click()
    expect(state).to_have_text("learning", timeout=SLOW)
    page.locator("[data-verb=stop]").click()
    expect(state).to_have_text("stopped", timeout=SLOW)
    expect(page.locator(".train [role=status]")).to_contain_text("Mine: stopped")


def test_following_keeps_tensor_and_cell_and_makes_no_history(page: Page) -> None:
    run = start(page.request, {**LONG, "name": "Watched"})
    open_train(page)
    choose(page, "Watched")
    page.locator(".tr-follow").click(timeout=SLOW)
    expect(page).to_have_url(re.compile(r"/t/"), timeout=SLOW)
    expect(page.locator(".picker")).to_contain_text("Watched", timeout=SLOW)
    page.get_by_role("link", name="the attention weights").or_(page.get_by_role("button", name="the attention weights")).click()
    expect(page).to_have_url(re.compile("tensor="), timeout=SLOW)
    tensor = re.search(r"tensor=[^&]+", page.url)
    length, shown = page.evaluate("history.length"), page.url
    expect(page).not_to_have_url(shown, timeout=SLOW)
    assert tensor is not None
    assert tensor[0] in page.url
    assert page.evaluate("history.length") == length
    assert page.request.post(f"/api/runs/{run['id']}/stop", data={}).ok


def test_the_scrubber_goes_back_over_checkpoints_and_each_is_a_link(page: Page, reverse: dict[str, Any]) -> None:
    run = reverse
    open_train(page)
    choose(page, "Reverse")
    expect(page.locator(".tr-state")).to_have_text("finished")
    slider = page.get_by_role("slider", name="checkpoint")
    slider.focus()
    slider.press("Home")
    expect(page.locator(".tr-kept-says")).to_contain_text("on screen: step 0, 1 of", timeout=SLOW)
    expect(page.locator(".picker")).to_contain_text("step 0")
    page.reload()
    expect(page.locator(".picker")).to_contain_text("step 0", timeout=SLOW)
    trace = page.request.get(f"/api/traces/{page.url.split('/t/')[1].split('?')[0]}").json()
    assert trace["model"] == f"{run['id']}@0"
    expect(page.locator(".tr-state")).to_have_text("finished")  # its training is in view again


def test_a_trained_model_is_scored_opened_and_decoded(page: Page) -> None:
    open_train(page)
    choose(page, "Reverse")
    scores = page.locator(".tr-scores")
    expect(scores).to_contain_text("ten numbers")
    expect(scores).to_contain_text("version:2.")
    page.get_by_role("button", name="Open as model").click()
    expect(page.locator(".train")).to_have_count(0)
    expect(page.locator(".picker")).to_contain_text("Reverse", timeout=SLOW)
    page.get_by_role("button", name="Decode", exact=True).click()
    expect(page).to_have_url(re.compile("decoding="), timeout=SLOW)
    page.goto("/")
    page.locator(".picker").click()
    expect(page.locator(".menu-item", has_text="Reverse")).to_be_visible()


def test_what_is_wrong_stands_at_its_field_and_nothing_typed_is_lost(page: Page, expected_problems: list[str]) -> None:
    expected_problems.append(REFUSED)
    open_train(page)
    page.locator("#tr-task-pairs").check(force=True)
    write(page, pairs="good morning | guten Morgen\noops\n", name="Greetings")
    page.get_by_role("button", name="Start training").click()
    expect(page.locator("#tr-pairs-wrong")).to_contain_text("Line 2 has one column")
    expect(page.locator("#tr-pairs")).to_have_attribute("aria-invalid", "true")
    page.reload()
    expect(page.locator("#tr-pairs")).to_have_value("good morning | guten Morgen\noops\n")
    expect(page.locator("#tr-name")).to_have_value("Greetings")
    page.locator("#tr-task-copy").check(force=True)
    page.get_by_text("Sizes and variants").click()
    write(page, **{"options-d_model": "33"})
    expect(page.locator(".tr-form .problem:visible")).to_contain_text("33 does not divide by n_heads 4")
    write(page, **{"options-d_model": "32"})
    expect(page.locator(".tr-cost")).to_contain_text("parameters")
    expect(page.locator(".tr-form .problem:visible")).to_have_count(0)


def test_a_training_that_waits_has_no_scale_made_of_nothing(page: Page) -> None:
    start(page.request, {**LONG, "name": "First"})
    start(page.request, {**LONG, "name": "Second"})
    open_train(page)
    choose(page, "Second")
    expect(page.locator(".tr-state")).to_have_text("next in line")
    norm = page.locator(".tr-figure", has_text="gradient norm")
    expect(norm).to_contain_text("nothing yet")
    expect(norm.locator(".tick")).to_have_text(["", "", "", "0", "step 90 000"], use_inner_text=False)


def test_a_divergence_names_tensor_and_step_and_leads_there(page: Page) -> None:
    run = finished(page, {**QUICK, "rate": 1e30, "name": "Too fast"})
    assert run["state"] == "diverged"
    open_train(page)
    choose(page, "Too fast")
    broken = page.get_by_role("group", name="what went wrong")
    expect(broken).to_contain_text(f"The training broke at step {run['diverged']['step']}")
    broken.get_by_role("button", name=re.compile("^Open ")).click()
    expect(page).to_have_url(re.compile(f"tensor={re.escape(run['diverged']['tensor'])}"), timeout=SLOW)


def test_a_model_is_renamed_downloaded_deleted_and_loaded_again(page: Page, expected_problems: list[str]) -> None:
    expected_problems.append(REFUSED)
    run = finished(page, {**QUICK, "name": "Backwards"})
    open_train(page)
    choose(page, "Backwards")
    page.get_by_role("textbox", name="name of the model").fill("Mirror")
    page.keyboard.press("Enter")
    expect(page.locator(".tr-tab", has_text="Mirror")).to_be_visible()
    with page.expect_download() as caught:
        page.get_by_role("link", name="Weights").click()
    assert caught.value.suggested_filename == "Mirror.safetensors"
    file = caught.value.path()
    page.get_by_role("button", name="Delete …").click()
    page.get_by_role("button", name="Keep it").click()
    assert page.request.get(f"/api/runs/{run['id']}").ok
    page.get_by_role("button", name="Delete …").click()
    page.get_by_role("button", name="Delete for good").click()
    expect(page.locator(".tr-tab", has_text="Mirror")).to_have_count(0)
    expect(page.locator(".train [role=status]")).to_have_text("Mirror: deleted.")
    page.locator(".tr-go input[type=file]").set_input_files(
        {"name": "mirror.safetensors", "mimeType": "application/octet-stream", "buffer": file.read_bytes()}
    )
    expect(page.locator(".tr-state")).to_have_text("loaded from a file", timeout=SLOW)
    expect(page.locator(".tr-progress-says")).to_have_text(f"weights of step {QUICK['steps']}")
    expect(page.locator(".tr-scrubber")).to_be_hidden()  # one checkpoint is no way to go
    expect(page.locator(".picker")).to_contain_text("Mirror", timeout=SLOW)
    choose(page, "New training")
    page.locator(".tr-go input[type=file]").set_input_files(
        {"name": "no.safetensors", "mimeType": "application/octet-stream", "buffer": b"no model"}
    )
    expect(page.locator(".tr-form .problem:visible")).to_contain_text("no.safetensors")


def test_a_weight_shows_what_the_next_step_of_its_training_did(page: Page, reverse: dict[str, Any]) -> None:
    run = reverse
    step = run["checkpoints"][0]["step"]
    model, name = f"{run['id']}@{step}", "src_embed.table"
    trace = page.request.post("/api/traces", data={"model": model, "src": ["5 6 7"], "tgt": ["7 6 5"]}).json()["id"]
    page.goto(f"/t/{trace}?tensor={name}&cell=3,0&of=gradient")
    card = page.get_by_role("region", name="The next step of its training")
    expect(card).to_contain_text(f"step {step + 1}", timeout=SLOW)
    found = page.request.get(f"/api/runs/{run['id']}/optimiser/{name}?cell=3,0&step={step}").json()
    expect(card.locator(".gr-line")).to_have_count(len(found["lines"]))
    expect(card).to_contain_text("The run made it")


def test_axe_finds_nothing(page: Page) -> None:
    open_train(page)
    assert faults(page, "#panel-sheet") == []
    choose(page, "Reverse")
    expect(page.locator(".tr-figure")).to_have_count(4)
    expect(page.locator(".tr-scores")).to_be_visible()
    assert faults(page, "#panel-sheet") == []


def test_the_panel_fits_a_phone(open_page: Callable[..., Page]) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_train(page)
    page.locator(".tr-tab", has_text="Reverse").tap()
    expect(page.locator(".tr-figure")).to_have_count(4)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.locator(".panel-body").first.evaluate(FITS)
    page.locator(".tr-tab", has_text="New").tap()
    page.locator(".tr-task", has_text="Sort").tap()
    expect(page.locator("#tr-task-sort")).to_be_checked()
    assert page.locator(".panel-body").first.evaluate(FITS)
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_training_that_waits_says_its_place_in_line(page: Page) -> None:
    first, second, third = (start(page.request, {**LONG, "name": name}) for name in ("First", "Second", "Third"))
    assert third["place"] == 2
    open_train(page)
    page.get_by_role("button", name=re.compile("^Third")).click()
    expect(page.locator(".tr-state")).to_have_text("second in line")
    expect(page.get_by_role("button", name="Second next in line")).to_be_visible()
    page.request.post(f"/api/runs/{first['id']}/stop", data={})
    expect(page.locator(".tr-state")).to_have_text("next in line", timeout=SLOW)
    page.request.delete(f"/api/runs/{second['id']}")
    expect(page.locator(".tr-state")).to_have_text("learning", timeout=SLOW)


def test_a_name_that_is_typed_while_the_server_is_away_is_given_when_it_is_back(
    page: Page, server: str, expected_problems: list[str]
) -> None:
    expected_problems.append(r"ERR_|left the server|status of 50\d")
    made = start(page.request, {**LONG, "name": "Before"})
    with wire(server) as line:
        page.goto(f"{line.address}/?panel=train")
        page.get_by_role("button", name=re.compile("^Before")).click()
        name = page.get_by_label("name of the model")
        expect(name).to_have_value("Before")
        expect(page.locator(".tr-state")).to_have_text("learning", timeout=SLOW)
        line.cut()
        expect(page.locator(".banner")).to_be_visible(timeout=SLOW)
        name.fill("After")
        name.press("Enter")
        page.get_by_role("button", name="Stop").click()
        expect(page.locator(".tr-run > .problem")).to_contain_text("does not answer")
        expect(name).to_have_value("After")
        line.mend()
        expect(page.get_by_role("button", name=re.compile("^After"))).to_be_visible(timeout=SLOW)
        expect(name).to_have_value("After")
        expect(page.locator(".tr-run > .problem")).to_be_hidden(timeout=SLOW)
    assert page.request.get(f"{server}/api/runs/{made['id']}").json()["name"] == "After"
