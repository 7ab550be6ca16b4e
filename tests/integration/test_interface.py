"""The interface keeps to its own document: Schemathesis asks every route for what the document allows, and for what it forbids.

Streams and files are left out; what no library writes as JSON is sent by test_hostile_json.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from glassformer.app.main import create_app
from glassformer.app.settings import Settings
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode, openapi
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

# No training begins: each would be more than this allows.
SETTINGS = Settings(train_bytes=2**20, train_seconds=1e-9, code_tries=10_000)
SCHEMA = openapi.from_dict(create_app(SETTINGS).openapi())
OPERATIONS = {
    f"{operation.method} {operation.path}": operation
    for result in SCHEMA.get_all_operations()
    for operation in [result.ok()]
    if not operation.path.endswith(("/events", "/upload"))
}
TAKES_VALUES = [name for name, operation in OPERATIONS.items() if operation.query.items or operation.body.items]
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
EXAMPLES = settings(
    max_examples=8,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)


@pytest.fixture(scope="module")
def server() -> Iterator[TestClient]:
    with TestClient(create_app(SETTINGS), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="module")
def known(server: TestClient) -> dict[str, dict[str, str]]:
    """What there is, so that not every answer is that there is nothing."""
    trace = server.post("/api/traces", json={"model": "tiny", "src": ["dog"], "tgt": ["dog"]}).json()["id"]
    decoding = server.post("/api/decodings", json={"model": "tiny", "src": ["dog"], "max_steps": 2}).json()["id"]
    name = "decoder.layers.0.self_attn.w_q"
    return {"/api/traces": {"id": trace, "name": name}, "/api/decodings": {"id": decoding}, "/api/models": {"model": "tiny"}}


def ask(server: TestClient, case: Case) -> Any:
    """Send a case; httpx takes what requests would, but for what HTTP itself has no place for."""
    sent = case.as_transport_kwargs(base_url="http://testserver")
    sent.pop("cookies", None)
    data = sent.pop("data", None)
    if isinstance(data, str | bytes):
        sent["content"] = data
    return server.request(**sent)


@pytest.mark.parametrize("name", OPERATIONS)
def test_what_the_document_allows_is_answered_as_it_says(server: TestClient, known: dict[str, dict[str, str]], name: str) -> None:
    operation = OPERATIONS[name]
    there = next((found for start, found in known.items() if operation.path.startswith(start)), {})

    @given(case=operation.as_strategy(generation_mode=GenerationMode.POSITIVE))
    @EXAMPLES
    def run(case: Case) -> None:
        case.path_parameters.update({key: value for key, value in there.items() if key in case.path_parameters})
        if "cell" in (case.query or {}):
            case.query["cell"] = "0,0"
        case.validate_response(ask(server, case), checks=CHECKS)

    run()


@pytest.mark.parametrize("name", TAKES_VALUES)
def test_what_the_document_forbids_is_refused(server: TestClient, name: str) -> None:
    @given(case=OPERATIONS[name].as_strategy(generation_mode=GenerationMode.NEGATIVE))
    @EXAMPLES
    def run(case: Case) -> None:
        case.validate_response(ask(server, case), checks=[*CHECKS, negative_data_rejection])

    run()


def test_every_route_but_streams_and_files_is_asked() -> None:
    assert len(OPERATIONS) > 40
    assert len(TAKES_VALUES) > 15
