"""Rows 11 and 19: bodies, addresses, headers and answers up to their limit, and one past it; the document names every route."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from glassformer.app.main import create_app
from glassformer.app.settings import Settings

JSON = {"Content-Type": "application/json"}
NARROW = Settings(max_body=2000, max_url=1500, max_header=1500, max_headers=20, max_cells=64)


@pytest.fixture(scope="module")
def narrow() -> Iterator[TestClient]:
    with TestClient(create_app(NARROW), raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize(("length", "status"), [(NARROW.max_body, 422), (NARROW.max_body + 1, 413)])
def test_a_body_is_counted_with_its_length_and_without(narrow: TestClient, length: int, status: int) -> None:
    body = b" " * (length - 2) + b"{}"
    assert narrow.post("/api/traces", content=body, headers=JSON).status_code == status
    assert narrow.post("/api/traces", content=iter([body[:900], body[900:]]), headers=JSON).status_code == status


@pytest.mark.parametrize(("length", "status"), [(NARROW.max_url, 404), (NARROW.max_url + 1, 414)])
def test_an_address_is_counted(narrow: TestClient, length: int, status: int) -> None:
    assert narrow.get("/" + "x" * (length - 1)).status_code == status


def test_headers_are_counted(narrow: TestClient) -> None:
    def status(headers: dict[str, str]) -> int:
        return narrow.get("/healthz", headers=headers).status_code

    sent = narrow.build_request("GET", "/healthz").headers.raw
    room = NARROW.max_header - sum(len(name) + len(value) + 4 for name, value in sent) - len("x-more") - 4
    assert [status({"X-More": "x" * length}) for length in (room, room + 1)] == [200, 431]
    most = NARROW.max_headers - len(sent)
    assert [status({f"X-{i}": "1" for i in range(count)}) for count in (most, most + 1)] == [200, 431]


def test_an_answer_larger_than_the_limit_is_refused_with_a_way_out(narrow: TestClient) -> None:
    assert NARROW.max_cells == 64
    made = narrow.post("/api/traces", json={"model": "tiny", "src": ["dog"], "tgt": ["dog"]}).json()
    address = f"/api/traces/{made['id']}/tensors/encoder.layers.0.feed_forward.w_1"
    answer = narrow.get(address)
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "too_large"
    assert narrow.get(address + "?index=in:0-2").status_code == 200
    assert [narrow.get(f"{address}?index=in:0,out:0-{most}").status_code for most in (32, 33)] == [200, 422]
    assert narrow.get(address + "?index=in:0-2,out:0-32").status_code == 200, "64 cells, the limit"
    assert narrow.get(address + "?index=in:0-3,out:0-22").status_code == 422, "66 cells"


def test_the_document_of_the_interface_names_every_route(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    assert set(document["paths"]) == {
        "/api/code",
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
        "/api/queue",
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
