"""A real Chromium, and pages that watch themselves: an error on the console fails the test that caused it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from watching import watch

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
    "microsoft-edge",
)
"""The shell is the same engine without windows and toolbars, which cost a test more than the page does."""
MAC = ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
LAPTOP = {"width": 1440, "height": 900}
NO_CHROMIUM = (
    "no Chromium was found. Install one (Debian: apt-get install chromium-headless-shell fonts-dejavu-core), "
    "or set CHROMIUM to the path of a Chromium, Chrome or Edge."
)
FAILED = pytest.StashKey[bool]()


class OpenPage(Protocol):
    def __call__(self, **options: Any) -> Page: ...


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where Chromium is. There being none fails the tests: a browser test that did not run has not passed."""
    named = os.environ.get("CHROMIUM")
    candidates = [named] if named else [*NAMES, *MAC]
    found = next((path for path in map(shutil.which, candidates) if path), None)
    if found is None:
        pytest.fail(f"CHROMIUM is {named!r}: no program is there" if named else NO_CHROMIUM, pytrace=False)
    return found


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
        yield launched
        launched.close()


@pytest.fixture
def expected_problems() -> list[str]:
    """Patterns of problems that a test causes on purpose, such as "status of 422". Append to it."""
    return []


@pytest.fixture
def open_page(browser: Browser, server: str, expected_problems: list[str], request: pytest.FixtureRequest) -> Iterator[OpenPage]:
    """Makes pages, each in a context of its own: `open_page(viewport=…, color_scheme="dark", has_touch=True)`.

    `page.goto("/")` is relative to the server. When the test ends, any uncaught error, any console error and any
    request that left the server, on any of the pages, fails it.
    """
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def open_one(**options: Any) -> Page:
        context = browser.new_context(**{"base_url": server, "viewport": LAPTOP, **options})
        contexts.append(context)
        watch(context, server, problems.append)
        return context.new_page()

    yield open_one
    if request.node.stash.get(FAILED, False):
        _keep_pictures(contexts, request.node)
    for context in contexts:
        context.close()
    unexpected = [problem for problem in problems if not any(re.search(pattern, problem) for pattern in expected_problems)]
    if unexpected:
        pytest.fail("the page had problems:\n" + "\n".join(unexpected), pytrace=False)


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """A page on a laptop's screen."""
    return open_page()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    report = yield
    if report.when == "call":  # type: ignore[attr-defined]
        item.stash[FAILED] = report.failed  # type: ignore[attr-defined]
    return report


def _keep_pictures(contexts: list[BrowserContext], node: pytest.Item) -> None:
    """What a failed test saw last, as build/failures/<test>-<n>.png."""
    folder = Path(node.config.rootpath) / "build" / "failures"
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w.-]+", "-", node.name)
    pages = [page for context in contexts for page in context.pages]
    for number, page in enumerate(pages):
        page.screenshot(path=folder / f"{name}-{number}.png")
