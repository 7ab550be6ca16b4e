"""The page and its files: hashed addresses, compressed, kept for ever, nothing from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

import brotli
import pytest
from fastapi.testclient import TestClient


def test_the_page_names_files_that_exist_and_may_be_kept_for_ever(client: TestClient) -> None:
    page = client.get("/").text
    addresses = re.findall(r'(?:href|src|content)="(/(?:static|vendor)/[^"]+)"', page)
    assert len(addresses) == 5
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_files_are_sent_compressed_to_those_who_take_it(client: TestClient) -> None:
    address = re.search(r'src="(/static/[^"]+page\.js)"', client.get("/").text)
    assert address
    plain = client.get(address[1], headers={"Accept-Encoding": "identity"})
    with client.stream("GET", address[1], headers={"Accept-Encoding": "br"}) as packed:
        raw = b"".join(packed.iter_raw())
    assert packed.headers["content-encoding"] == "br"
    assert brotli.decompress(raw) == plain.content
    assert client.get(address[1], headers={"Accept-Encoding": "gzip"}).content == plain.content


def test_the_pages_own_code_is_small(client: TestClient) -> None:
    page = client.get("/").text
    total = 0
    for address in set(re.findall(r'(?:href|src)="(/static/[^"]+\.(?:js|css))"', page)):
        with client.stream("GET", address, headers={"Accept-Encoding": "br"}) as answer:
            total += len(b"".join(answer.iter_raw()))
    assert total < 100_000


@pytest.mark.parametrize(
    "name", ["../pyproject.toml", "%2e%2e/app/main.py", "..%2f..%2fREADME.md", "__init__.py", "js//main.js", "js/%00", "x" * 3000]
)
def test_nothing_outside_the_static_files_is_served(client: TestClient, name: str) -> None:
    folder = re.search(r"/static/[0-9a-f]{16}", client.get("/").text)
    assert folder
    answer = client.get(f"{folder[0]}/{name}")
    assert answer.status_code == 404
    assert name not in answer.text


def test_old_files_are_gone(client: TestClient) -> None:
    assert client.get("/static/0000000000000000/js/main.js").status_code == 404
    assert client.get("/vendor/plotly-0000000000000000.min.js").status_code == 404


def test_a_link_to_a_trace_opens_the_page_and_a_broken_one_says_so(client: TestClient, trace: dict[str, str]) -> None:
    assert client.get(f"/t/{trace['id']}").status_code == 200
    broken = client.get("/t/nothing")
    assert broken.status_code == 404
    assert "<main" in broken.text


def test_all_pages_have_one_head(repository: Path) -> None:
    folder = repository / "templates"
    texts = {file.name: file.read_text("utf-8") for file in folder.glob("*.html")}
    assert len(texts) >= 5
    assert [name for name, text in texts.items() if "<head>" in text or "<!doctype" in text.lower()] == ["base.html"]
    assert [name for name, text in texts.items() if text.startswith('{% extends "base.html" %}')] == [
        name for name in texts if name != "base.html"
    ]


def test_a_browser_that_goes_nowhere_gets_a_page_with_a_way_back(client: TestClient) -> None:
    answer = client.get("/nothing", headers={"Accept": "text/html,*/*"})
    assert answer.status_code == 404
    assert '<a href="/">' in answer.text
    assert client.get("/nothing").json()["error"]["code"] == "not_found"
    assert client.get("/api/nothing", headers={"Accept": "text/html"}).json()["error"]["code"] == "not_found"
