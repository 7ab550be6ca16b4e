"""The page while the server, the network or the browser fails it: nothing typed is lost, and it says what is going on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from browser.conftest import OpenPage
from playwright.sync_api import Page, Route, expect
from wire import Wire, wire

READY = "html[data-ready]"
WEIGHTS = "decoder.layers.0.cross_attn.weights"
SLOW = 30_000  # milliseconds: machines are shared


@pytest.fixture
def line(server: str, expected_problems: list[str]) -> Iterator[Wire]:
    expected_problems.append(r"ERR_|status of (404|50\d)|left the server")
    with wire(server) as made:
        yield made


def open_at(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector(READY, state="attached")


def busy(route: Route, code: str, message: str, status: int = 503) -> None:
    error = {"error": {"code": code, "message": message, "where": "", "request_id": ""}}
    route.fulfill(status=status, headers={"Retry-After": "1"}, content_type="application/json", body=json.dumps(error))


def test_server_killed_while_typing_and_decoding_comes_back_by_itself(page: Page, line: Wire) -> None:
    """Row 103: text, tensor, decoding and proof go on as before; nothing has to be reloaded. With `whenBack` off none does."""
    open_at(page, line.address)
    banner = page.locator(".banner")
    page.get_by_role("button", name="Decode", exact=True).click()
    expect(page.locator(".bar").first).to_be_visible()
    page.locator("select.speed").select_option("live")
    line.cut()
    page.get_by_role("button", name="Play").click()
    page.locator("#src-0").fill("cat dog")
    expect(banner).to_contain_text("The server does not answer")
    page.evaluate("window.kept = true")
    line.mend()
    expect(banner).to_be_hidden(timeout=SLOW)
    expect(page.locator(".step-says")).to_have_text(re.compile("the last"), timeout=SLOW)
    expect(page.locator("#src-0")).to_have_value("cat dog")

    line.cut()
    page.locator("#src-0").press("Enter")
    page.get_by_role("button", name="Leave").click()
    expect(banner).to_contain_text("Trying")
    line.mend()
    expect(page.locator(".row").first.locator(".field.src .chip-text")).to_have_text(["<start>", "cat", "dog"], timeout=SLOW)
    expect(page.get_by_role("button", name=re.compile("tensors recomputed"))).to_be_visible(timeout=SLOW)

    line.cut()
    page.get_by_role("button", name=re.compile("^the attention weights")).click()
    expect(banner).to_be_visible(timeout=SLOW)
    line.mend()
    expect(page.locator("#inspector canvas").first).to_be_visible(timeout=SLOW)
    expect(page.locator("#inspector")).to_contain_text("recomputed · max", timeout=SLOW)
    assert page.evaluate("window.kept"), "the page was loaded anew"


def test_a_chart_that_is_opened_while_the_server_is_away_comes_when_it_is_back(page: Page, line: Wire) -> None:
    page.route("**/vendor/*", lambda route: route.abort())
    open_at(page, line.address)
    page.get_by_role("button", name=re.compile("^the attention weights")).click()
    expect(page.locator("#inspector canvas").first).to_be_visible()
    line.cut()
    page.unroute("**/vendor/*")
    page.get_by_text("Distribution").click()
    expect(page.locator(".banner")).to_be_visible(timeout=SLOW)
    line.mend()
    expect(page.locator("#inspector .plot-container").first).to_be_visible(timeout=SLOW)
    expect(page.locator(".notice.broken")).to_be_hidden()


def test_device_offline_says_so_and_goes_on(page: Page, line: Wire) -> None:
    """Row 104."""
    open_at(page, line.address)
    page.locator("#src-0").fill("cat")
    page.context.set_offline(True)
    expect(page.locator(".banner")).to_contain_text("offline", timeout=SLOW)
    page.locator("#src-0").press("Enter")
    page.context.set_offline(False)
    expect(page.locator(".banner")).to_be_hidden(timeout=SLOW)
    expect(page.locator(".row").first.locator(".field.src .chip-text")).to_have_text(["<start>", "cat", "<pad>"], timeout=SLOW)


def test_a_busy_server_is_asked_again_and_the_place_in_the_queue_is_said(page: Page, expected_problems: list[str]) -> None:
    expected_problems.append("status of 503")
    open_at(page, "/")
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.headers["x-visitor"])
        if len(asked) == 1:
            busy(route, "busy", "64 pieces of work wait, the limit")
        elif len(asked) == 2:
            page.wait_for_timeout(2500)
            route.continue_()
        else:
            route.continue_()

    queue = {"waiting": 12, "yours": [{"place": 7}], "seconds": 1.4}
    page.route("**/api/queue", lambda route: route.fulfill(json=queue))
    page.route("**/api/traces", answer)
    page.locator("#src-0").fill("cat dog")
    page.locator("#src-0").press("Enter")
    expect(page.locator(".waiting")).to_contain_text("the server is busy, trying again soon")
    expect(page.locator(".waiting")).to_contain_text("7th in the queue, about 2 s", timeout=SLOW)
    expect(page.locator("#src-0")).to_have_value("cat dog")
    expect(page.locator(".row").first.locator(".field.src .chip-text")).to_have_text(["<start>", "cat", "dog"], timeout=SLOW)
    expect(page.locator(".waiting")).to_be_empty()
    assert len(asked) == 2
    assert len(set(asked)) == 1, "one tab is one visitor"


@pytest.mark.parametrize(
    ("code", "status", "says"),
    [
        ("deadline", 503, "took 10 s, the limit. Nothing is lost: try fewer or shorter sentences"),
        ("over_budget", 422, "took 10 s, the limit. Try fewer or shorter sentences, or a smaller model."),
    ],
)
def test_a_refusal_says_what_happened_and_what_to_do(
    page: Page, expected_problems: list[str], code: str, status: int, says: str
) -> None:
    expected_problems.append("status of")
    open_at(page, "/")
    page.route("**/api/traces", lambda route: busy(route, code, "the run took 10 s, the limit", status))
    page.locator("#src-0").fill("cat")
    page.locator("#src-0").press("Enter")
    expect(page.locator("#src-note")).to_contain_text(says)
    expect(page.locator("#src-0")).to_have_value("cat")


def test_a_run_asked_for_ten_times_is_one_run(page: Page) -> None:
    """Row 102: clicked ten times, and Enter held down."""
    open_at(page, "/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    page.locator("#src-0").fill("cat dog")
    page.get_by_role("button", name=re.compile("^Run")).click(click_count=10)
    expect(page.locator(".row").first.locator(".field.src .chip-text")).to_have_text(["<start>", "cat", "dog"])
    page.locator("#src-0").fill("dog dog")
    page.locator("#src-0").focus()
    for _ in range(10):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    expect(page.locator(".row").first.locator(".field.src .chip-text")).to_have_text(["<start>", "dog", "dog"])
    assert len(asked) == 2


def test_a_page_that_is_older_than_the_server_asks_to_be_reloaded(page: Page, expected_problems: list[str]) -> None:
    """Row 110: the files of the old page are gone; what was typed is there after the reload."""
    expected_problems.append("404|dynamically imported")
    page.route("**/later.js*", lambda route: route.fulfill(status=404))
    page.route("**/healthz", lambda route: route.fulfill(json={"status": "ok", "version": "9", "page": "0123456789abcdef"}))
    open_at(page, "/")
    page.locator("#src-0").fill("cat dog")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Keys and words").click()
    expect(page.locator(".banner")).to_contain_text("updated")
    page.unroute("**/later.js*")
    page.unroute("**/healthz")
    page.get_by_role("button", name="Reload").click()
    page.wait_for_selector(READY, state="attached")
    expect(page.locator(".banner")).to_be_hidden()
    expect(page.locator("#src-0")).to_have_value("cat dog")


def test_a_page_whose_script_is_gone_says_so(page: Page, expected_problems: list[str]) -> None:
    expected_problems.append("404")
    page.route("**/page.js", lambda route: route.fulfill(status=404))
    page.goto("/")
    expect(page.locator(".notice.broken")).to_be_visible()
    page.unroute("**/page.js")
    open_at(page, "/")
    expect(page.locator(".notice.broken")).to_be_hidden()


def test_without_scripts_the_page_says_what_is_missing(open_page: OpenPage) -> None:
    page = open_page(java_script_enabled=False)
    page.goto("/")
    expect(page.locator("noscript p")).to_be_visible()
    expect(page.locator("noscript p")).to_contain_text("switched off here")


THROWS = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("blocked", "SecurityError"); } });"""
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
CORRUPT = """sessionStorage.setItem("glassformer.visitor", "[7,");
sessionStorage.setItem("glassformer.drafts", '[7, null, ["", {"model": 3}], ["", {"model": "tiny", "src": 9}]]');
sessionStorage.setItem("glassformer.training", '{"task": {}, "typed": {"copy": 5, "reverse": {"steps": {}}}}');
localStorage.setItem("glassformer.theme", "purple{");"""


@pytest.mark.parametrize("script", [THROWS, FULL, CORRUPT], ids=["blocked", "full", "corrupt"])
def test_storage_that_fails_fails_nothing(page: Page, script: str) -> None:
    """Row 105."""
    page.add_init_script(script)
    open_at(page, "/")
    page.locator("#src-0").fill("cat dog")
    page.get_by_role("button", name=re.compile("^Colours")).click()
    page.get_by_role("button", name=re.compile("^token ids")).click()
    expect(page).to_have_url(re.compile("tensor=src_ids"))
    page.go_back()
    expect(page.locator("#src-0")).to_have_value("cat dog")
    page.get_by_role("button", name="Train a model").click()
    expect(page.get_by_role("button", name="Start training")).to_be_visible()
    page.locator("#src-0").press("Enter")
    expect(page.locator(".row").first.locator(".field.src .chip-text")).to_have_text(["<start>", "cat", "dog"])


def test_reload_in_the_middle_of_a_decoding_goes_on_there(page: Page) -> None:
    """Row 99: the same decoding at the same step, and what was typed."""
    open_at(page, "/")
    page.get_by_role("button", name="Decode", exact=True).click()
    expect(page.locator(".bar").first).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("step=1$"))
    page.locator("#src-0").fill("run and not run yet")
    url = page.url
    page.reload()
    page.wait_for_selector(READY, state="attached")
    assert page.url == url
    expect(page.locator(".step-says")).to_have_text("step 2")
    expect(page.locator("#src-0")).to_have_value("run and not run yet")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".step-says")).not_to_have_text("step 2")


def test_back_and_forward_twenty_times_show_what_the_address_says(page: Page) -> None:
    """Row 100: through tensors, blocks and steps of a decoding."""
    open_at(page, "/")
    page.get_by_role("button", name=re.compile("^token ids")).click()
    page.get_by_role("button", name="Decode", exact=True).click()
    expect(page.locator(".bar").first).to_be_visible()
    for step in (1, 2):
        page.keyboard.press("Shift+ArrowRight")
        expect(page).to_have_url(re.compile(f"step={step}$"))
    last = page.url
    for _ in range(20):
        page.evaluate("history.back()")
        page.evaluate("history.forward()")
    expect(page).to_have_url(last)
    expect(page.locator(".step-says")).to_have_text("step 3")
    page.evaluate("history.go(-3)")
    expect(page.locator(".decode-start")).to_be_visible()
    expect(page.locator("#inspector")).to_contain_text("src_ids")


def test_a_slow_answer_leaves_the_page_free(page: Page) -> None:
    open_at(page, "/")
    page.route("**/api/traces", lambda route: (page.wait_for_timeout(1500), route.continue_()))
    page.locator("#src-0").fill("cat")
    page.locator("#src-0").press("Enter")
    expect(page.locator(".sentences.waits")).to_be_visible()
    page.locator("#src-0").fill("cat dog")
    page.get_by_role("button", name=re.compile("^token ids")).click()
    expect(page.locator("#inspector")).to_contain_text("src_ids")
    expect(page.locator(".sentences.waits")).to_have_count(0, timeout=SLOW)
    expect(page.locator("#src-0")).to_have_value("cat dog")


@pytest.mark.parametrize("size", [(360, 225), (320, 640)], ids=["400 % zoom", "320 px"])
def test_a_matrix_of_many_cells_is_usable_on_a_very_small_screen(open_page: OpenPage, size: tuple[int, int]) -> None:
    """Row 109: 32 768 cells; every key brings the next picture within a frame that is not felt."""
    page = open_page(viewport={"width": size[0], "height": size[1]})
    recipe = {"model": "tiny", "src": ["dog run"], "tgt": ["dog run"], "options": {"d_model": 128, "d_ff": 256}}
    trace = page.request.post("/api/traces", data=recipe).json()["id"]
    open_at(page, f"/t/{trace}?tensor=encoder.layers.0.feed_forward.w_1")
    grid = page.locator("#inspector .heat-grid").first
    expect(grid).to_be_visible()
    grid.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page).to_have_url(re.compile(r"cell=2,\d$"))
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]
