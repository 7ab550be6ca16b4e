"""A page of somebody else's in the same browser, and text that would like to be markup: nothing runs, nothing is read."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import pytest
from browser.conftest import OpenPage
from playwright.sync_api import Browser, Error, Page, expect

READY = "html[data-ready]"
RECIPE = '{"model": "tiny", "src": ["dog run"], "tgt": ["dog run"]}'

MARKUP = [
    "<img src=x onerror=window.hit=1>",
    '"><script>window.hit=1</script>',
    "</script><script>window.hit=1</script>",
    "' onmouseover='window.hit=1",
    "{{7*7}} ${7*7} javascript:window.hit=1",
    "a\u202eb\u2066c\u200bd\u0007e",
]


class _Evil(BaseHTTPRequestHandler):
    """A page of another site, with nothing in its way."""

    def do_GET(self) -> None:
        body = b"<!doctype html><title>evil</title><body></body>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(params=["127.0.0.1", "127.0.0.2"], ids=["other port", "other host"])
def evil(request: pytest.FixtureRequest) -> Iterator[str]:
    listening = ThreadingHTTPServer((request.param, 0), _Evil)
    threading.Thread(target=listening.serve_forever, daemon=True).start()
    yield f"http://{request.param}:{listening.server_address[1]}"
    listening.shutdown()
    listening.server_close()


@pytest.fixture
def foreign(browser: Browser, evil: str) -> Iterator[Page]:
    """A page of the other site, which nobody watches: what it causes on its console is its own."""
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(evil)
        yield page


ATTACKS = """async ([server, recipe]) => {
  const read = {};
  const tried = async (name, work) => { try { read[name] = await work(); } catch (error) { read[name] = null; } };
  const text = async (answer) => (answer.type === "opaque" ? null : `${answer.status} ${await answer.text()}`);
  const body = (type) => ({ method: "POST", body: recipe, headers: { "Content-Type": type } });
  await tried("fetch", async () => text(await fetch(`${server}/api/models`)));
  await tried("fetch without cors", async () => text(await fetch(`${server}/api/models`, { mode: "no-cors" })));
  await tried("post as text", async () => text(await fetch(`${server}/api/traces`, { ...body("text/plain"), mode: "no-cors" })));
  await tried("post as json", async () => text(await fetch(`${server}/api/traces`, body("application/json"))));
  await tried("delete", async () => text(await fetch(`${server}/api/runs/run-00000000`, { method: "DELETE" })));
  await tried("beacon", async () => { navigator.sendBeacon(`${server}/api/traces`, recipe); return null; });
  const loads = (tag, address) => new Promise((done) => {
    const element = Object.assign(document.createElement(tag), { onload: () => done("loaded"), onerror: () => done(null) });
    element.src = address;
    document.body.append(element);
  });
  await tried("image", () => loads("img", `${server}/api/models`));
  await tried("script", () => loads("script", `${server}/api/models`));
  await tried("events", () => new Promise((done) => {
    const source = new EventSource(`${server}/api/decodings/abc/events`);
    Object.assign(source, { onopen: () => done("open"), onmessage: () => done("message"), onerror: () => done(null) });
  }));
  await tried("socket", () => new Promise((done) => {
    const socket = new WebSocket(`${server.replace("http", "ws")}/api/models`);
    Object.assign(socket, { onopen: () => done("open"), onerror: () => done(null) });
  }));
  return read;
}"""


def test_another_site_runs_nothing_and_reads_nothing(foreign: Page, server: str) -> None:
    """Row 107. With the guard's check of where a request comes from off (`foreign`), the models are answered 200."""
    statuses: dict[str, int] = {}
    addresses: dict[str, str] = {}
    listening = foreign.context.new_cdp_session(foreign)
    listening.on("Network.responseReceivedExtraInfo", lambda answer: statuses.update({answer["requestId"]: answer["statusCode"]}))
    listening.on("Network.requestWillBeSent", lambda asked: addresses.update({asked["requestId"]: asked["request"]["url"]}))
    listening.send("Network.enable")
    read = foreign.evaluate(ATTACKS, [server, RECIPE])
    assert {name: text for name, text in read.items() if text is not None} == {}
    answered = {addresses[id]: status for id, status in statuses.items() if addresses.get(id, "").startswith(server)}
    assert len(answered) >= 3
    assert {address: status for address, status in answered.items() if status not in (400, 403, 405)} == {}


def test_a_form_of_another_site_runs_nothing(foreign: Page, server: str) -> None:
    with foreign.expect_response(f"{server}/api/traces") as found:
        foreign.evaluate(
            """([server, recipe]) => {
              const form = document.createElement("form");
              Object.assign(form, { action: `${server}/api/traces`, method: "post", enctype: "text/plain" });
              form.append(Object.assign(document.createElement("input"), { name: recipe }));
              document.body.append(form);
              form.submit();
            }""",
            [server, RECIPE],
        )
    assert found.value.status == 403


def test_another_site_cannot_frame_the_page(foreign: Page, server: str) -> None:
    """Row 106. The browser's own page of an error takes its place; with `frame-ancestors *` ours would stay."""
    foreign.evaluate("(server) => document.body.append(Object.assign(document.createElement('iframe'), { src: server }))", server)
    (frame,) = (frame for frame in foreign.frames if frame != foreign.main_frame)
    try:
        frame.wait_for_url(re.compile("^chrome-error:"), wait_until="commit")
    except Error as refused:
        if "ERR_BLOCKED_BY_RESPONSE" not in refused.message:  # the refusal itself, where it comes while this waits
            raise
    assert not frame.url.startswith(server)
    assert frame.locator("#sentences").count() == 0


def test_a_name_that_was_led_here_is_refused(browser: Browser, server: str) -> None:
    """Rebinding: the browser believes that the name is the other site's, and asks this server under it."""
    with browser.new_context() as context:
        page = context.new_page()
        answer = page.goto(f"http://evil.localhost:{urlsplit(server).port}/")
        assert answer is not None
        assert answer.status == 400


@pytest.mark.parametrize(("scheme", "ground"), [("light", "rgb(251, 250, 247)"), ("dark", "rgb(21, 23, 28)")])
def test_the_page_of_a_refusal_looks_like_the_others(browser: Browser, server: str, scheme: Any, ground: str) -> None:
    with browser.new_context(color_scheme=scheme, viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        page.goto(f"http://evil.localhost:{urlsplit(server).port}/")
        expect(page.locator("body")).to_have_css("background-color", ground)
        expect(page.locator(".refusal")).to_contain_text("is not called 'evil.localhost")
        assert page.evaluate("document.documentElement.scrollWidth") == 390


def unharmed(page: Page) -> None:
    page.wait_for_timeout(50)
    assert page.evaluate("window.hit === undefined")
    assert page.evaluate("document.querySelectorAll('img, script:not([src])').length") == 0


def test_text_that_would_be_markup_is_shown_as_text_in_every_view(page: Page, expected_problems: list[str]) -> None:
    """Rows 31, 32, 39 and 97: in fields, chips, title, tooltips, tensors, explanations, decoding, its panels and downloads."""
    page.goto("/")
    page.wait_for_selector(READY, state="attached")
    page.get_by_role("button", name=re.compile("^model")).click()
    page.locator(".menu-item", has_text="Pig Latin").click()
    expect(page).to_have_title(re.compile("Pig Latin"))
    for text in MARKUP:
        page.locator("#src-0").fill(text)
        page.locator("#tgt-0").fill(text)
        page.locator("#src-0").press("Enter")
        expect(page.locator(".rows.unrun")).to_have_count(0)
        unharmed(page)
    chips = page.locator(".row").first.locator(".field.src .chip-text")
    expect(chips.nth(1)).to_have_text("\\u202e")
    assert page.locator(".field.src .chip-text", has_text="\u202e").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") == 1440
    assert "\u202e" not in page.title()

    page.locator("#src-0").fill(MARKUP[0])
    page.locator("#src-0").press("Enter")
    expect(page).to_have_title(re.compile(re.escape(MARKUP[0])))
    page.get_by_role("button", name="Training sheet").click()
    page.locator("#inspector").get_by_role("button", name=re.compile("^the attention weights")).click()
    expect(page.locator("#inspector")).to_have_attribute("data-painted", re.compile(r"\.weights$"))
    page.locator("#inspector .heat-grid").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#inspector .ex-room").first).to_contain_text("from query “<start>” (0) to key “<” (0)")
    unharmed(page)
    page.get_by_role("button", name="Decode", exact=True).click()
    expect(page.locator(".bar").first).to_be_visible()
    for name in ("Output and alignment", "Target beside what is written", "Tree of hypotheses", "Cross-attention so far"):
        page.get_by_role("button", name=name).click()
        page.wait_for_timeout(150)
        unharmed(page)


@pytest.mark.parametrize("width", [1440, 390])
def test_letters_that_cannot_be_seen_are_told_of_under_the_field_that_holds_them(open_page: OpenPage, width: int) -> None:
    page = open_page(viewport={"width": width, "height": 844})
    page.goto("/")
    page.wait_for_selector(READY, state="attached")
    if width < 860:
        page.locator(".bar-summary").click()
    source, says = page.locator("#src-0"), page.locator("#src-unseen")
    expect(says).to_be_hidden()
    source.fill("abc\u202edef")
    expect(says).to_be_visible()
    expect(says).to_have_text(re.compile(r"right-to-left override \(U\+202E\) after “abc”\."))
    expect(source).to_have_value("abc\u202edef")
    expect(source).to_have_accessible_description(re.compile("right-to-left override"))
    assert page.locator(".sentences").evaluate("(bar) => bar.scrollWidth <= bar.clientWidth")
    source.press("Enter")
    expect(page.locator(".field.src .chip-text", has_text="abc")).to_have_text("abc\\u202edef")
    expect(source).to_have_value("abc\u202edef")
    expect(says).to_be_visible()
    page.get_by_role("button", name="sentence 2 of 2").click()
    expect(says).to_be_hidden()
    page.locator("#tgt-1").fill("\u200b")
    expect(page.locator("#tgt-unseen")).to_contain_text("zero-width space (U+200B) at the start")
    page.locator("#tgt-1").fill("שלום")
    expect(page.locator("#tgt-unseen")).to_be_hidden()
