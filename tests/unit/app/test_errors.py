"""The one body of every error: short, printable, and those who are to come back do not come back together."""

from __future__ import annotations

import json

import pytest
from glassformer.app.errors import error_answer
from glassformer.app.settings import Settings

from glassformer.serving.refusals import refusal

HOSTILE = ["\ud800", "a\u202eb", "line\r\nSet-Cookie: x", "\x1b[31m", "\x00", "\u2028"]


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_is_in_a_message_is_written_out(text: str) -> None:
    """Seen to fail with the text as it is: half a character is no JSON, and the rest turns lines or breaks them."""
    error = json.loads(error_answer(422, "bad_input", f"no {text}", where=text, request_id="1").body)["error"]
    assert error["message"].isprintable()
    assert error["where"].isprintable()
    assert f"\\u{ord(text[1] if text[0] == 'a' else text[4] if text[0] == 'l' else text[0]):04x}" in error["message"]


def test_a_message_and_its_place_are_short() -> None:
    error = json.loads(error_answer(422, "bad_input", "x" * 10_000, where="y" * 10_000).body)["error"]
    assert len(error["message"]) <= 600
    assert len(error["where"]) <= 80


@pytest.mark.parametrize("status", [429, 503])
def test_those_who_wait_are_told_different_times(status: int) -> None:
    """Seen to fail with one number for all."""
    told = {int(error_answer(status, "busy", "later").headers["retry-after"]) for _ in range(60)}
    assert len(told) > 1
    assert min(told) >= 1


def test_those_who_are_turned_away_at_the_door_are_told_different_times_as_well() -> None:
    heads = [refusal(503, "busy", "later", Settings()).lower().partition(b"\r\n\r\n")[0] for _ in range(60)]
    told = {line for head in heads for line in head.split(b"\r\n") if line.startswith(b"retry-after:")}
    assert len(told) > 1


@pytest.mark.parametrize("status", [400, 404, 422, 500, 507])
def test_others_are_told_no_time(status: int) -> None:
    assert "retry-after" not in error_answer(status, "x", "y").headers
