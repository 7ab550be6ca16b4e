"""Rows 27 to 40: sentences that nobody means. They are refused with both counts, or run and come back letter by letter."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from witness import Witness

NothingLost = Callable[..., AbstractContextManager[Witness]]
MARKUP = [
    "<img src=x onerror=alert(1)>",
    '"><script>alert(1)</script>',
    "</script>",
    "' onmouseover=alert(1) '",
    "{{7*7}}",
    "${7*7}",
    "javascript:alert(1)",
    "%s%n%d",
    "a\r\nSet-Cookie: x=y",
    "\x1b[31mred\x1b[0m",
]
LETTERS = {
    "family of four": "👨‍👩‍👧‍👦",
    "flag": "🇳🇵",
    "composed": "caf\u00e9",
    "decomposed": "cafe\u0301",
    "right to left": "\u202eabc\u202c",
    "isolates": "\u2066abc\u2069",
    "zero width": "a\u200b\u200d\u2060b",
    "mark of byte order": "a\ufeffb",
    "NUL and controls": "a\x00\x01\x1f\x7f\x85b",
    "separators": "a\u2028b\u2029c",
    "marks upon marks": "a" + "\u0301" * 40,
    "not a character": "\uffff\U0010ffff",
}
MODELS = ("tiny", "copy", "pig-latin")


def made(client: TestClient, model: str, text: str) -> Any:
    return client.post("/api/traces", json={"model": model, "src": [text], "tgt": [text]})


def summary(answer: Any, name: str) -> dict[str, Any]:
    return dict(next(record for record in answer.json()["records"] if record["name"] == name)["summary"])


def tokens(answer: Any) -> list[dict[str, Any]]:
    return list(answer.json()["tokens"]["src"][0])


@pytest.mark.parametrize("text", ["", " ", "\t\n", "\u3000", "\u2003"])
def test_an_empty_sentence_is_refused_where_blanks_are_no_letters(client: TestClient, text: str) -> None:
    for model in MODELS:
        answer = made(client, model, text)
        if model == "pig-latin" and text:
            assert summary(answer, "logits")["nan"] == 0, "a blank is a letter like any other there"
            continue
        assert answer.status_code == 422
        assert answer.json()["error"]["code"] == "empty_input"
        assert answer.json()["error"]["where"] == "src.0"


@pytest.mark.parametrize("model", MODELS)
def test_an_empty_target_alone_is_a_sentence_of_no_words(client: TestClient, model: str) -> None:
    """Row 27: the decoder is given its start alone, and every number is one; a model without an end has nothing to learn then."""
    answer = client.post("/api/traces", json={"model": model, "src": ["5" if model == "copy" else "dog"], "tgt": [""]})
    if model == "tiny":
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "empty_input")
        assert answer.json()["error"]["where"] == "tgt.0"
        return
    assert answer.status_code == 200
    assert [token["special"] for token in answer.json()["tokens"]["tgt"][0]] == [True]
    assert all(record["summary"]["nan"] == 0 for record in answer.json()["records"])


@pytest.mark.parametrize("name", ["NUL and controls", "separators", "zero width", "right to left"])
def test_letters_that_are_not_seen_are_letters(client: TestClient, name: str) -> None:
    """Row 32: they run, and come back as they were sent; the page writes them out (tests/browser)."""
    for model in MODELS:
        answer = made(client, model, LETTERS[name])
        assert answer.status_code == 200
        assert answer.json()["recipe"]["src"] == [LETTERS[name]]


def test_the_limit_of_tokens_runs_and_one_more_is_refused_with_both_counts(client: TestClient) -> None:
    most = next(model["max_length"] for model in client.get("/api/models").json()["models"] if model["id"] == "pig-latin")
    assert made(client, "pig-latin", "a" * (most - 1)).status_code in (200, 422)
    longest = next(length for length in (most, most - 1, most - 2) if made(client, "pig-latin", "a" * length).status_code == 200)
    refused = made(client, "pig-latin", "a" * (longest + 1)).json()["error"]
    assert str(most) in refused["message"]
    assert str(most + 1) in refused["message"]


def test_what_is_far_too_long_is_refused_before_it_is_cut_into_tokens(client: TestClient, nothing_lost: NothingLost) -> None:
    with nothing_lost(client):
        assert made(client, "tiny", "x" * 2**20).status_code == 413
        assert made(client, "pig-latin", "a" + "\u0301" * 100_000).status_code in (413, 422)
        for model in MODELS:
            assert made(client, model, "x " * 60_000).status_code in (413, 422)
            assert made(client, model, "x" * 100_000).status_code in (413, 422)


def test_every_letter_runs_and_comes_back_as_it_was_sent(client: TestClient, nothing_lost: NothingLost) -> None:
    with nothing_lost(client):
        for text in (*LETTERS.values(), *MARKUP):
            for model in MODELS:
                answer = made(client, model, text)
                assert answer.status_code in (200, 422), (model, text, answer.text)
                if answer.status_code == 422:
                    error = answer.json()["error"]
                    assert error["code"] in ("bad_input", "empty_input")
                    assert error["message"].isprintable()
                    continue
                assert answer.json()["recipe"]["src"] == [text]
                assert client.get(f"/api/traces/{answer.json()['id']}").json() == answer.json()
                assert all(token["text"] for token in tokens(answer))


def test_composed_and_decomposed_letters_are_two_texts(client: TestClient) -> None:
    ids = {made(client, "pig-latin", LETTERS[name]).json()["id"] for name in ("composed", "decomposed")}
    assert len(ids) == 2


@pytest.mark.parametrize("text", ["<pad>", "<start>", "<end>", "<unknown>", "[MASK]", "<|endoftext|>", "<bos>"])
def test_a_special_token_cannot_be_typed(client: TestClient, text: str) -> None:
    for model in MODELS:
        answer = made(client, model, text)
        if answer.status_code == 200:
            typed = [token for token in tokens(answer) if token["text"] not in ("<start>", "<end>") or not token["special"]]
            assert typed
            assert not [token for token in typed if token["special"] and not token["unknown"]], (model, typed)


def test_unknown_letters_run_as_unknown_with_a_notice_and_no_number_is_lost(client: TestClient) -> None:
    answer = made(client, "pig-latin", "ßßß")
    assert answer.status_code == 200
    assert any(token["unknown"] for token in tokens(answer))
    assert answer.json()["notices"]
    assert summary(answer, "logits")["nan"] == 0
    assert math.isfinite(summary(answer, "logits")["min"])


@pytest.mark.parametrize(
    "prefix",
    [
        [[-1]],
        [[5]],
        [[2**31]],
        [[2**63]],
        [[10**400]],
        [[1.5]],
        [[True]],
        [["1"]],
        [[None]],
        [[[1]]],
        [[1], [1]],
        [[]],
        [],
        [[1] * 10_000],
        {"0": [1]},
    ],
)
def test_ids_outside_the_vocabulary_are_refused_with_the_range(client: TestClient, prefix: Any) -> None:
    answer = client.post("/api/traces", json={"model": "tiny", "src": ["dog"], "prefix": prefix})
    assert answer.status_code == 422
    assert answer.json()["error"]["where"].split(".")[0] in ("prefix", "src", "tgt")
    if prefix in ([[-1]], [[5]], [[2**31]]):
        assert "0 to 4" in answer.json()["error"]["message"]


def test_rows_of_unequal_length_and_rows_outside_the_sentences_are_refused(client: TestClient) -> None:
    for more in ({"prefix": [[1, 2], [1]]}, {"prefix": [[1], [1]], "rows": [0, 2]}, {"prefix": [[1], [1]], "rows": [0, -1]}):
        answer = client.post("/api/traces", json={"model": "tiny", "src": ["dog", "cat"], **more})
        assert answer.status_code in (200, 422)
        if answer.status_code == 200:
            assert answer.json()["tokens"]["tgt"][1][1]["pad"]


def test_markup_is_data_in_every_answer(client: TestClient) -> None:
    """On the page it is text (tests/browser); here it is JSON, of the type that no browser reads as a page."""
    for text in MARKUP:
        answer = made(client, "pig-latin", text)
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        if answer.status_code == 200:
            assert json.loads(answer.content)["recipe"]["src"] == [text]
    for text in MARKUP:
        refused = client.get("/api/models/" + quote(text, safe=""))
        assert refused.status_code == 404
        assert refused.headers["content-type"] == "application/json"
        assert "set-cookie" not in refused.headers
