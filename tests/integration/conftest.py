"""The app in this process, asked without a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from glassformer.app.main import create_app
from glassformer.app.settings import Settings

WORKED_EXAMPLE = {"model": "tiny", "src": ["dog run", "cat run"], "tgt": ["dog run", "cat run"]}


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(Settings()), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def trace(client: TestClient) -> dict[str, Any]:
    answer = client.post("/api/traces", json=WORKED_EXAMPLE)
    assert answer.status_code == 200
    return dict(answer.json())


@pytest.fixture
def refused(client: TestClient) -> Callable[..., dict[str, Any]]:
    """Post a body that must be refused; return the error after checking that nothing else was lost."""

    def post(address: str, status: int, **request: Any) -> dict[str, Any]:
        answer = client.post(address, **request)
        assert answer.status_code == status, answer.text
        error = dict(answer.json()["error"])
        assert set(error) == {"code", "message", "where", "request_id"}
        assert "Traceback" not in answer.text
        assert client.get("/healthz").status_code == 200
        return error

    return post
