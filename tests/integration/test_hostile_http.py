"""Rows 10 to 26: types, lengths, encodings, addresses, ranges and methods that no browser of ours sends."""

from __future__ import annotations

import os
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from glassformer.app.assets import read_assets
from glassformer.app.main import create_app
from glassformer.app.settings import Settings
from witness import Witness

from glassformer.serving.server import Server

NothingLost = Callable[..., AbstractContextManager[Witness]]
RECIPE = b'{"model":"tiny","src":["dog"],"tgt":["dog"]}'
KINDS = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "",
    "application/json5",
    "text/json",
    "*/*",
]
ENCODINGS = ["gzip", "br", "deflate", "zstd", "identity, gzip", "GZIP"]


def test_a_body_of_another_type_or_encoding_is_refused_and_nothing_runs(nothing_lost: NothingLost) -> None:
    """Seen to fail with the type not looked at: a form of another site's page needs no preflight to send text/plain."""
    app = create_app(Settings())
    with TestClient(app, raise_server_exceptions=False) as client, nothing_lost(client):
        before = app.state.glassformer.compute.traces.entries
        for kind in KINDS:
            assert client.post("/api/traces", content=RECIPE, headers={"Content-Type": kind}).status_code == 415
        for encoding in ENCODINGS:
            headers = {"Content-Type": "application/json", "Content-Encoding": encoding}
            assert client.post("/api/traces", content=RECIPE, headers=headers).status_code == 415
        assert client.post("/api/traces", data={"model": "tiny"}).status_code == 415
        assert client.post("/api/traces", files={"model": b"tiny"}).status_code == 415
        assert app.state.glassformer.compute.traces.entries == before
        kinds = ("application/json; charset=utf-8", "Application/JSON", "application/json ;x=y")
        assert [client.post("/api/traces", content=RECIPE, headers={"Content-Type": kind}).status_code for kind in kinds] == [
            200
        ] * 3


def test_a_body_where_there_is_none_is_refused(client: TestClient) -> None:
    for method in ("GET", "HEAD", "DELETE", "OPTIONS"):
        assert client.request(method, "/api/models", content=b"x").status_code == 400
        assert client.request(method, "/api/models", content=iter([b"x"])).status_code == 400
    assert client.get("/api/models", headers={"Content-Length": "0"}).status_code == 200


@pytest.mark.parametrize(
    "bait",
    [
        "//evil.example/",
        "/\\evil.example/",
        "/?next=//evil.example",
        "/%2f%2fevil.example",
        "/t//evil.example/..",
        "/api/models/",
    ],
)
def test_nothing_leads_to_another_site(client: TestClient, bait: str) -> None:
    answer = client.get(f"http://testserver{bait}", follow_redirects=False, headers={"Accept": "text/html"})
    assert "evil.example" not in answer.headers.get("location", "")
    assert answer.status_code in (200, 404, 307)
    assert "evil.example" not in answer.text


@pytest.mark.parametrize(
    "range_",
    [
        "bytes=" + ",".join(["0-1"] * 3000),
        "bytes=9-2",
        "bytes=-999999999999",
        "bytes=0-",
        "lines=1-2",
        "bytes=x",
    ],
)
def test_ranges_change_nothing(client: TestClient, range_: str) -> None:
    hash = client.app.state.glassformer.assets.hash  # type: ignore[attr-defined]
    answer = client.get(f"/static/{hash}/js/theme.js", headers={"Range": range_})
    assert (answer.status_code, "content-range" in answer.headers) == (200, False)


@pytest.mark.parametrize("path", ["/api/traces", "/api/models", "/healthz", "/", "/api/runs"])
def test_other_methods_are_not_allowed(client: TestClient, path: str) -> None:
    for method in ("PUT", "TRACE", "CONNECT", "PROPFIND", "FOO"):
        assert client.request(method, path, json={} if method == "PUT" else None).status_code == 405, method


@pytest.mark.parametrize(
    "address", ["/t/" + quote("<script>alert(1)</script>"), "/" + quote('"><img src=x onerror=alert(1)>'), "/t/{{7*7}}"]
)
def test_pages_do_not_repeat_their_address(client: TestClient, address: str) -> None:
    page = client.get(address, headers={"Accept": "text/html"})
    assert page.status_code == 404
    assert not [
        word for word in ("alert(1)", "49", "onerror") if word in page.text.replace(client.app.state.glassformer.assets.hash, "")
    ]  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The app behind the real parser of HTTP, in a thread of this process."""
    server = Server(create_app(Settings(max_body=2000)), Settings(), ready=lambda: None)
    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    yield listening.getsockname()[1]
    server.should_exit = True
    thread.join()


def say(port: int, text: bytes) -> tuple[int, str]:
    """Send bytes as they are; return the first answer and its status, 0 where the connection is closed without one."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
        client.sendall(text)
        answer = b""
        while b"\r\n\r\n" not in answer or not _is_whole(answer):
            if not (piece := client.recv(2**20)):
                break
            answer += piece
        return (int(answer.split()[1]) if answer else 0), answer.decode("latin-1")


def _is_whole(answer: bytes) -> bool:
    head, _, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head.lower())
    return length is None or len(body) >= int(length[1])


GET = b"GET /healthz HTTP/1.1\r\n"
POST = b"POST /api/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
CHUNK = b"3e8\r\n" + b" " * 1000 + b"\r\n"
RAW = {
    "no host": (GET + b"\r\n", {400}),
    "no host, HTTP/1.0": (b"GET /healthz HTTP/1.0\r\n\r\n", {400}),
    "two hosts": (GET + b"Host: localhost\r\nHost: localhost\r\n\r\n", {400}),
    "empty host": (GET + b"Host:\r\n\r\n", {400}),
    "another host in the target": (b"GET http://evil.example/healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n", {400}),
    "chunked and one byte too long": (POST + b"Transfer-Encoding: chunked\r\n\r\n" + CHUNK * 2 + b"1\r\n \r\n", {413}),
    "chunked, never ending": (POST + b"Transfer-Encoding: chunked\r\n\r\n" + CHUNK * 3, {413}),
    "declared too long": (POST + b"Content-Length: 2001\r\n\r\n", {413}),
    "declared beyond counting": (POST + b"Content-Length: 99999999999999999999999999\r\n\r\n", {400, 413}),
    "negative length": (POST + b"Content-Length: -1\r\n\r\n", {400}),
    "two lengths": (POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", {400}),
    "length and chunks": (POST + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", {400, 422}),
    "a header over two lines": (GET + b"Host: localhost\r\nX-A: b\r\n c\r\n\r\n", {200, 400}),
    "NUL in a header": (GET + b"Host: localhost\r\nX-A: \x00\r\n\r\n", {400}),
    "no HTTP": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", {0, 400}),
    "1000 headers": (GET + b"Host: localhost\r\n" + b"".join(b"X-%d: 1\r\n" % i for i in range(1000)) + b"\r\n", {431}),
    "100 kB of header": (GET + b"Host: localhost\r\nX-A: " + b"x" * 100_000 + b"\r\n\r\n", {431, 400}),
    "100 kB of address": (b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", {414}),
    "web socket": (GET + b"Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", {403}),
    "HTTP/2 by prior knowledge": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {0, 400, 405, 505}),
    "all is well": (GET + b"Host: localhost\r\n\r\n", {200}),
}


def test_what_is_sent_byte_by_byte_is_refused_and_nothing_is_lost(port: int, nothing_lost: NothingLost) -> None:
    with nothing_lost(f"http://127.0.0.1:{port}", pid=os.getpid()) as witness:
        for name, (text, statuses) in RAW.items():
            status, _ = say(port, text)
            assert status in statuses, (name, status)
            witness.saw(status)


TRICKS = [
    "../settings.py",
    "%2e%2e/settings.py",
    "..%2fsettings.py",
    "..%5csettings.py",
    "%252e%252e/settings.py",
    "/etc/passwd",
    "//etc/passwd",
    "%00",
    "js/main.js%00.css",
    "js/../js/main.js",
    "js/./main.js",
    "JS/MAIN.JS",
    "js",
    "js/",
    "__init__.py",
    "../static2/x",
    "x" * 3000,
    "\\..\\settings.py",
    "js/main.js/",
    "C:/windows/win.ini",
    "file:///etc/passwd",
]


def test_a_static_address_is_a_name_and_never_a_path(port: int, nothing_lost: NothingLost) -> None:
    hash = read_assets().hash
    with nothing_lost(f"http://127.0.0.1:{port}", pid=os.getpid()):
        for trick in TRICKS:
            for prefix in (f"/static/{hash}/", f"/static/{hash[:-1]}x/", "/static/", "/vendor/"):
                status, answer = say(
                    port, f"GET {prefix}{trick} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
                )
                assert status == 404, prefix + trick
                assert trick[-20:] not in answer.split("\r\n\r\n")[1], "the address is not sent back"
        assert say(port, f"GET /static/{hash}/js/main.js HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())[0] == 200
