"""What is too long, of the wrong type or no JSON is refused before anything runs, in one body."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from glassformer.app.headers import security_headers
from glassformer.app.main import create_app
from glassformer.app.settings import Settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Refused = Callable[..., dict[str, Any]]
JSON = {"Content-Type": "application/json"}
EXAMPLE = '{"model":"tiny","src":["dog"],"tgt":["dog"],'


@pytest.mark.parametrize(
    "body",
    [
        EXAMPLE + '"options":{"dropout":NaN}}',
        EXAMPLE + '"options":{"dropout":Infinity}}',
        EXAMPLE + '"options":{"dropout":1e400}}',
        '{"model":"tiny","src":["\\ud800"],"tgt":["dog"]}',
        '{"model":"\\ud800","src":["dog"],"tgt":["dog"]}',
        EXAMPLE + '"\\ud800":1}',
        EXAMPLE + '"__proto__":{}}',
        EXAMPLE + '"constructor":1}',
        "",
        "null",
        "[]",
        '"x"',
        '{"model":"tiny"',
        "7",
        EXAMPLE + '"seed":1.5}',
        EXAMPLE + '"seed":18446744073709551616}',
        EXAMPLE + '"prefix":[[1.5]]}',
        EXAMPLE + '"prefix":"x"}',
    ],
)
def test_json_that_is_no_recipe_is_refused(refused: Refused, body: str) -> None:
    refused("/api/traces", 422, content=body, headers=JSON)


@pytest.mark.parametrize("body", ["1" * 5000, "[" * 100_000])
def test_json_that_breaks_a_parser_is_a_bad_request(client: TestClient, body: str) -> None:
    assert client.post("/api/traces", content=body, headers=JSON).status_code in (400, 422)
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""])
def test_a_body_of_another_type_is_refused(refused: Refused, kind: str) -> None:
    refused("/api/traces", 415, content=EXAMPLE[:-1] + "}", headers={"Content-Type": kind})


def test_a_compressed_body_is_refused_and_never_inflated(refused: Refused) -> None:
    refused("/api/traces", 415, content=b"\x1f\x8b", headers=JSON | {"Content-Encoding": "gzip"})


@pytest.fixture(scope="module")
def narrow() -> Iterator[TestClient]:
    settings = Settings(max_body=2000, max_url=1500, max_header=1500, max_cells=64)
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize(("length", "status"), [(2000, 422), (2001, 413)])
def test_a_body_is_counted_with_its_length_and_without(narrow: TestClient, length: int, status: int) -> None:
    body = b" " * (length - 2) + b"{}"
    assert narrow.post("/api/traces", content=body, headers=JSON).status_code == status
    assert narrow.post("/api/traces", content=iter([body[:900], body[900:]]), headers=JSON).status_code == status


@pytest.mark.parametrize(("length", "status"), [(1500, 404), (1501, 414)])
def test_an_address_is_counted(narrow: TestClient, length: int, status: int) -> None:
    assert narrow.get("/" + "x" * (length - 1)).status_code == status


def test_headers_are_counted(narrow: TestClient) -> None:
    assert narrow.get("/healthz", headers={"X-More": "x" * 900}).status_code == 200
    assert narrow.get("/healthz", headers={"X-More": "x" * 1500}).status_code == 431
    assert narrow.get("/healthz", headers={f"X-{i}": "1" for i in range(300)}).status_code == 431


def test_an_answer_larger_than_the_limit_is_refused_with_a_way_out(narrow: TestClient) -> None:
    made = narrow.post("/api/traces", json={"model": "tiny", "src": ["dog"], "tgt": ["dog"]}).json()
    address = f"/api/traces/{made['id']}/tensors/encoder.layers.0.feed_forward.w_1"
    answer = narrow.get(address)
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "too_large"
    assert narrow.get(address + "?index=in:0-2").status_code == 200


def test_every_answer_carries_the_security_headers_and_a_request_id(client: TestClient) -> None:
    for address in ("/", "/healthz", "/api/models", "/nothing", "/openapi.json"):
        headers = client.get(address).headers
        assert {name: headers[name] for name in security_headers(Settings())} == security_headers(Settings())
        assert len(headers["x-request-id"]) == 16


def test_the_document_of_the_interface_names_every_route(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    assert set(document["paths"]) == {
        "/api/decodings",
        "/api/decodings/strategies",
        "/api/decodings/{id}",
        "/api/decodings/{id}/events",
        "/api/decodings/{id}/forced",
        "/api/decodings/{id}/result",
        "/api/decodings/{id}/steps/{index}",
        "/api/decodings/{id}/steps/{index}/cache",
        "/api/decodings/{id}/tree",
        "/api/limits",
        "/api/models",
        "/api/models/{model}",
        "/api/runs",
        "/api/runs/plan",
        "/api/runs/tasks",
        "/api/runs/upload",
        "/api/runs/{id}",
        "/api/runs/{id}/config.json",
        "/api/runs/{id}/events",
        "/api/runs/{id}/log",
        "/api/runs/{id}/optimiser/{parameter}",
        "/api/runs/{id}/schedule",
        "/api/runs/{id}/scores",
        "/api/runs/{id}/weights.safetensors",
        "/api/runs/{id}/{verb}",
        "/api/traces",
        "/api/traces/{id}",
        "/api/traces/{id}/ancestry/{name}",
        "/api/traces/{id}/explanations/{name}",
        "/api/traces/{id}/gradients",
        "/api/traces/{id}/gradients/{name}/check",
        "/api/traces/{id}/optimiser",
        "/api/traces/{id}/optimiser/{name}",
        "/api/traces/{id}/proof",
        "/api/traces/{id}/proofs/{name}",
        "/api/traces/{id}/sheet",
        "/api/traces/{id}/tensors",
        "/api/traces/{id}/tensors/{name}",
        "/api/traces/{id}/whatif",
        "/healthz",
    }


def test_limits_are_told(client: TestClient) -> None:
    assert client.get("/api/limits").json()["max_tokens"] == 512


atoms = st.sampled_from(
    [
        "NaN",
        "Infinity",
        "-Infinity",
        "1e400",
        '"\\ud800"',
        "9" * 400,
        '"__proto__"',
        '"tiny"',
        '"dog"',
        "[]",
        "{}",
        "null",
        "true",
        "-1",
        "0.5",
    ]
)
names = st.sampled_from(['"model"', '"src"', '"tgt"', '"prefix"', '"options"', '"seed"', '"\\ud800"', '"max_steps"'])
values = st.recursive(
    atoms,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{','.join(items)}]")
        | st.lists(st.tuples(names, inner), max_size=3).map(
            lambda items: "{" + ",".join(f"{name}:{value}" for name, value in items) + "}"
        )
    ),
    max_leaves=6,
)
bodies = st.lists(st.tuples(names, values), max_size=6).map(
    lambda items: "{" + ",".join(f"{name}:{value}" for name, value in items) + "}"
)


@given(body=bodies)
@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_at_all_is_a_fault_of_the_server(client: TestClient, body: str) -> None:
    for address in ("/api/traces", "/api/decodings"):
        assert client.post(address, content=body, headers=JSON).status_code in (200, 400, 404, 422)
