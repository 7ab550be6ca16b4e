"""The pages that tests get really do notice what goes wrong on them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser
from watching import watch


@pytest.mark.parametrize(
    ("script", "reported"),
    [
        ("console.error('lost')", "console: lost"),
        ("setTimeout(() => { throw new Error('broken') })", "uncaught: broken"),
        ("alert('hello')", "dialog: hello"),
        (
            "document.dispatchEvent(new SecurityPolicyViolationEvent('securitypolicyviolation', "
            "{ violatedDirective: 'script-src', documentURI: 'about:blank', effectiveDirective: '', originalPolicy: '', "
            "disposition: 'enforce', statusCode: 0, blockedURI: 'inline', sample: 'x' }))",
            "console: policy: script-src inline x",
        ),
        ("new Image().src = 'http://127.0.0.1:9/a.png'", "left the server: http://127.0.0.1:9/a.png"),
    ],
)
def test_watched_page_reports_what_goes_wrong(browser: Browser, script: str, reported: str) -> None:
    problems: list[str] = []
    with browser.new_context() as context:
        watch(context, "http://127.0.0.1:8", problems.append)
        page = context.new_page()
        page.goto("about:blank")
        page.evaluate(script)
        page.wait_for_timeout(200)
    assert reported in problems


def test_watched_page_says_nothing_of_what_goes_well(browser: Browser) -> None:
    problems: list[str] = []
    with browser.new_context() as context:
        watch(context, "http://127.0.0.1:8", problems.append)
        page = context.new_page()
        page.evaluate("console.log('fine'); new Image().src = 'data:image/png;base64,'")
        page.wait_for_timeout(200)
    assert problems == []
