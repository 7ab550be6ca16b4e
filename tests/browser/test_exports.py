"""What is taken away from the page, of sentences and names that would like to be more than text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

READY = "html[data-ready]"
HOSTILE = ["=1+1|'cmd'!A1", "+SUM(1,2)", "-2+3", '@A1,"x"\t;', "..\\../\u202egpj.exe"]
NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]\d+)?|-?Infinity|NaN|True|False")
SMALL = {"d_model": 8, "n_heads": 2, "d_ff": 8, "n_layers": 1}


def open_with(page: Page, texts: list[str]) -> dict[str, Any]:
    """A model of letters fed with these, one sentence each; returns the trace."""
    recipe = {"model": "pig-latin", "src": texts, "tgt": texts}
    answer = page.request.post("/api/traces", data=recipe)
    assert answer.status == 200, answer.text()
    trace: dict[str, Any] = answer.json()
    return trace


def test_a_csv_holds_numbers_and_nothing_that_was_typed(page: Page) -> None:
    """A spreadsheet takes a cell for a formula that begins with = + - @; a minus stands before a number alone."""
    trace = open_with(page, HOSTILE[:2])
    small = [record["name"] for record in trace["records"] if len(record["shape"]) <= 2]
    assert {"src_ids", "tgt_ids"} <= set(small)
    for name in [*small[:12], "src_ids", "tgt_ids"]:
        text = page.request.get(f"/api/traces/{trace['id']}/tensors/{name}.csv").text()
        head, *rows = list(csv.reader(io.StringIO(text)))
        assert all(re.fullmatch(r"[a-z_]+", cell) for cell in head), head
        assert rows
        assert [cell for row in rows for cell in row if not NUMBER.fullmatch(cell)] == [], name


def test_files_of_a_tensor_are_called_as_the_tensor_is(page: Page) -> None:
    trace = open_with(page, HOSTILE)
    page.goto(f"/t/{trace['id']}?tensor=src_ids")
    page.wait_for_selector(READY, state="attached")
    for ending in ("safetensors", "npy", "csv"):
        with page.expect_download() as found:
            page.locator(".downloads a", has_text=ending).click()
        assert found.value.suggested_filename == f"src_ids.{ending}"


def test_a_copied_link_is_an_address_and_nothing_else(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    trace = open_with(page, HOSTILE)
    page.goto(f"/t/{trace['id']}?tensor=src_ids")
    page.wait_for_selector(READY, state="attached")
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".copied")).to_have_text("copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.url
    assert re.fullmatch(r"/t/[\w-]+", urlsplit(copied).path)
    page.goto(copied)
    expect(page.locator("#src-0")).to_have_value(HOSTILE[0])


@pytest.fixture(scope="module")
def run(server: str, browser: Browser) -> Iterator[dict[str, Any]]:
    page = browser.new_context(base_url=server).new_page()
    made = page.request.post("/api/runs", data={"task": "copy", "steps": 3, "batch": 2, "options": SMALL}).json()
    page.goto(f"/api/runs/{made['id']}")
    page.wait_for_function(
        "async (id) => (await (await fetch(`/api/runs/${id}`)).json()).state === 'finished'", arg=made["id"], timeout=60_000
    )
    yield made
    page.request.delete(f"/api/runs/{made['id']}")
    page.context.close()


@pytest.mark.parametrize(
    ("name", "called"),
    [("../../=cmd|x", "_.._=cmd_x"), (".hidden", "hidden"), ("-rf", "rf"), ("größer שלום", "größer שלום"), ("...", None)],
)
def test_files_of_a_model_have_a_name_that_leads_nowhere(page: Page, run: dict[str, Any], name: str, called: str | None) -> None:
    answer = page.request.patch(f"/api/runs/{run['id']}", data={"name": name})
    assert answer.status == 200
    page.goto("/?panel=train")
    page.locator(".tr-tab", has_text=name).click()
    for kind, ending in (("weights", "safetensors"), ("card", "json")):
        with page.expect_download() as found:
            page.locator(f"[data-act={kind}]").click()
        assert found.value.suggested_filename == f"{called or run['id']}.{ending}"
        head = page.request.get(found.value.url).headers["content-disposition"]
        assert not re.search(r"[\r\n]", head)
