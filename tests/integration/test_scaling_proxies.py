"""The configurations for nginx and Caddy, run on loopback in front of two servers that say what reached them."""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path

import pytest
from glassformer.app.settings import Settings
from proxying import PATIENCE, Behind, ask, behind

sys.path.append(str(Path(__file__).resolve().parents[2]))  # bench/ is no part of the package

from bench.scaling.proxies import CONFIGURATIONS, FILES, program, proxy

Proxied = tuple[int, Behind, Behind]
PROGRAMS = [
    pytest.param(
        kind,
        marks=pytest.mark.skipif(program(kind) is None, reason=f"{kind} is not installed"),
    )
    for kind in FILES
]


@pytest.fixture(scope="module", params=PROGRAMS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def proxied(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    with ExitStack() as stack:
        first, second = (stack.enter_context(behind()) for _ in range(2))
        folder = tmp_path_factory.mktemp(kind)
        yield stack.enter_context(proxy(kind, folder, (first.port, second.port))), first, second


def read_events(port: int, server: Behind, count: int) -> socket.socket:
    """Open a stream and read `count` events, each of which must be here before the next one is sent."""
    client = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    client.sendall(b"GET /api/decodings/abc/events HTTP/1.1\r\nHost: there:8080\r\n\r\n")
    seen = b""
    for number in range(count):
        while f"id: {number}\n".encode() not in seen:
            more = client.recv(4096)
            assert more, seen
            seen += more
        server.next_event.release()
    return client


def test_each_event_of_a_stream_arrives_before_the_next_is_sent(proxied: Proxied) -> None:
    port, first, second = proxied
    _, answer = ask(port, "/api/decodings/abc")
    server = first if answer["port"] == first.port else second
    with read_events(port, server, 5):
        pass


def test_server_learns_that_the_reader_of_a_stream_has_gone(proxied: Proxied) -> None:
    port, first, second = proxied
    _, answer = ask(port, "/api/decodings/abc")
    server = first if answer["port"] == first.port else second
    server.reader_gone.clear()
    read_events(port, server, 1).close()
    assert server.reader_gone.wait(PATIENCE)


def test_host_passes_as_it_was_sent_and_the_address_is_the_visitor_s_own(proxied: Proxied) -> None:
    sent = {"Host": "there.example:8080", "X_Forwarded_For": "192.0.2.66", "X_Visitor": "abc"}
    status, answer = ask(proxied[0], "/api/models", **sent)
    assert status == 200
    assert answer["headers"]["host"] == "there.example:8080"
    assert answer["headers"]["x-forwarded-for"] == "127.0.0.1"
    assert answer["headers"]["x-visitor"] == "abc"
    assert "x-recipe" not in answer["headers"]


def test_one_trace_is_asked_of_one_server_and_many_of_both(proxied: Proxied) -> None:
    port = proxied[0]
    places = {id: {ask(port, f"/api/traces/{id}/tensors/{name}")[1]["port"] for name in "abc"} for id in "ABCDEFGHIJKLMNOP"}
    assert all(len(place) == 1 for place in places.values())
    assert len(set.union(*places.values())) == 2


def test_address_as_long_as_the_server_takes_passes(proxied: Proxied) -> None:
    path = "/t/".ljust(Settings().max_url, "x")
    assert ask(proxied[0], path)[0] == 200


def test_bodies_pass_where_the_server_takes_them(proxied: Proxied) -> None:
    port, large = proxied[0], bytes(400_000)
    assert ask(port, "/api/traces", method="POST", body=bytes(Settings().max_body))[1]["body"] == Settings().max_body
    assert ask(port, "/api/runs/upload", method="POST", body=large)[1]["body"] == len(large)


def blamed(port: int) -> bool:
    """Send bodies that are far too long; say whether the proxy takes that for a failure of the servers behind it."""
    for _ in range(4):
        ask(port, "/api/traces", method="POST", body=bytes(310_000))
    return {ask(port, f"/api/traces/{id}")[0] for id in "ABCDEFGH"} != {200}


def test_bodies_too_long_make_no_server_seem_gone(proxied: Proxied) -> None:
    assert not blamed(proxied[0])


@pytest.mark.parametrize("kind", PROGRAMS[1:], indirect=True)
def test_bodies_too_long_take_every_server_away_where_caddy_counts_them_as_failures(kind: str, tmp_path: Path) -> None:
    """The twin of the test before, with the two lines that docs/scaling/Caddyfile warns of."""

    def counting(text: str) -> str:
        text = text.replace("lb_try_duration 5s", "fail_duration 5s")
        return text.replace("\treverse_proxy", "\trequest_body {\n\t\tmax_size 300KB\n\t}\n\treverse_proxy", 1)

    with ExitStack() as stack:
        ports = (stack.enter_context(behind()).port, stack.enter_context(behind()).port)
        assert blamed(stack.enter_context(proxy(kind, tmp_path, ports, counting)))


def test_other_server_answers_where_one_is_gone(kind: str, tmp_path: Path) -> None:
    with behind() as stays, ExitStack() as stack:
        with behind() as goes, ExitStack() as _:
            port = stack.enter_context(proxy(kind, tmp_path, (goes.port, stays.port)))
            ids = [f"trace-{number}" for number in range(20)]
            assert {ask(port, f"/api/traces/{id}")[1]["port"] for id in ids} == {goes.port, stays.port}
        assert {ask(port, f"/api/traces/{id}")[1]["port"] for id in ids} == {stays.port}


def told_while_away(kind: str, folder: Path, change: Callable[[str], str]) -> tuple[int, str, str]:
    """Ask where no server is; return the answer, and what the proxy's log says by then."""
    folder.mkdir()
    with socket.socket() as taken, socket.socket() as too:
        ports = []
        for silent in (taken, too):  # bound, and nobody listens
            silent.bind(("127.0.0.1", 0))
            ports.append(int(silent.getsockname()[1]))
        with proxy(kind, folder, tuple(ports), lambda text: change(text.replace("lb_try_duration 5s", ""))) as port:
            asking = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            asking.request("GET", "/t/smorrebrod")
            answer = asking.getresponse()
            said = answer.read().decode()
            asking.close()
    return answer.status, said, (folder / "log").read_text("utf-8", "replace")


def test_a_server_that_is_gone_is_said_calmly_and_nothing_typed_is_logged(kind: str, tmp_path: Path) -> None:
    """The twin has the lines away by which the log keeps still."""
    status, said, log = told_while_away(kind, tmp_path / "as it is", lambda text: text)
    assert status in (502, 503)
    assert "Glassformer is away for a moment." in said
    assert "smorrebrod" not in log

    def talking(text: str) -> str:
        text = re.sub(r"exclude http\.log\.error.*", "", text.replace("error_log stderr crit", "error_log stderr error"))
        return re.sub(r"\thandle_errors \{.*", "}\n", text, flags=re.DOTALL)  # a page of its own keeps Caddy still as well

    assert "smorrebrod" in told_while_away(kind, tmp_path / "twin", talking)[2]


def test_training_is_begun_once_whatever_becomes_of_the_server(kind: str, tmp_path: Path) -> None:
    """Both servers hang up on it after it reached them; with the retries of other addresses it would reach both."""
    with ExitStack() as stack:
        first, second = (stack.enter_context(behind(hang_up="/api")) for _ in range(2))
        with proxy(kind, tmp_path, (first.port, second.port)) as port:
            assert ask(port, "/api/runs", method="POST", body=b"{}")[0] == 502
    assert [*first.asked, *second.asked] == ["POST /api/runs"]


@pytest.mark.parametrize("kind", PROGRAMS[:1], indirect=True)
def test_stream_is_held_back_without_the_line_that_forbids_it(kind: str, tmp_path: Path) -> None:
    """The twin of the first test: nginx with its buffers gives the first event no earlier than many more."""
    with ExitStack() as stack:
        ports = (stack.enter_context(behind()).port, stack.enter_context(behind()).port)
        port = stack.enter_context(proxy(kind, tmp_path, ports, lambda text: text.replace("proxy_buffering off;", "")))
        client = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=0.5))
        client.sendall(b"GET /api/decodings/abc/events HTTP/1.1\r\nHost: there:8080\r\n\r\n")
        with pytest.raises(TimeoutError):
            client.recv(4096)


def test_configurations_say_what_a_stream_and_a_link_need() -> None:
    nginx = (CONFIGURATIONS / "nginx.conf").read_text("utf-8")
    assert "proxy_buffering off;" in nginx
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in nginx
    assert "proxy_set_header Host $http_host;" in nginx
    buffers, size = map(int, re.search(r"large_client_header_buffers (\d+) (\d+)k", nginx).groups())  # type: ignore[union-attr]
    assert buffers >= 4
    assert size * 1024 >= Settings().max_url + len("DELETE  HTTP/1.1\r\n")
    caddy = (CONFIGURATIONS / "Caddyfile").read_text("utf-8")
    assert not re.search(r"^\s*(request_body|fail_duration)", caddy, re.MULTILINE), "too long a body would take servers away"
    assert int(re.search(r"max_header_size (\d+)KB", caddy)[1]) * 1000 > Settings().max_url + Settings().max_header  # type: ignore[index]


def test_bodies_pass_nginx_up_to_the_limit_of_the_server() -> None:
    text = (CONFIGURATIONS / "nginx.conf").read_text("utf-8")
    small, large = (int(size) * {"k": 2**10, "m": 2**20}[unit] for size, unit in re.findall(r"max_body_size (\d+)([km])", text))
    assert Settings().max_body < small < 2 * Settings().max_body
    assert Settings().max_upload < large < 2 * Settings().max_upload
