"""Only our own cookies reach the app, in one pass over what came."""

from __future__ import annotations

from http.cookies import SimpleCookie
from time import perf_counter

import pytest
from glassformer.app.guard.cookies import CODE_COOKIE, cookies_of, keep_own_cookies

OWN = CODE_COOKIE + "=" + "ab" * 32


def scope(*lines: str) -> dict[str, list[tuple[bytes, bytes]]]:
    return {"headers": [(b"host", b"x"), *((b"cookie", line.encode("latin-1")) for line in lines)]}


@pytest.mark.parametrize(
    "other", ['prefs={"a":1}', "a[b]=c", "word", "x=ä", "@x=1", "s=a b", 'q="\\"', "", "=", CODE_COOKIE + "=wrong"]
)
def test_whatever_other_programs_of_the_host_set_ours_is_found(other: str) -> None:
    for line in (f"{other}; {OWN}", f"{OWN};{other}"):
        assert cookies_of(scope(line), CODE_COOKIE) == ["ab" * 32]
    assert cookies_of(scope(other, OWN), CODE_COOKIE) == ["ab" * 32]


def test_nothing_behind_the_guard_sees_a_foreign_cookie() -> None:
    request = scope('a="\\\\\\\\"; ' + OWN + "; b=c")
    keep_own_cookies(request)
    assert request["headers"] == [(b"host", b"x"), (b"cookie", OWN.encode())]
    request = scope("a=b")
    keep_own_cookies(request)
    assert request["headers"] == [(b"host", b"x")]


def test_a_cookie_that_is_made_to_take_long_takes_no_longer_than_its_length() -> None:
    """Python's own reader is measured beside ours: on some versions of Python it takes seconds for twice this."""
    line = 'a="' + "\\" * 8000 + '"'
    began = perf_counter()
    keep_own_cookies(scope(line))
    ours = perf_counter() - began
    began = perf_counter()
    SimpleCookie(line)
    theirs = perf_counter() - began
    assert ours < max(0.05, theirs)


def test_so_many_and_no_more() -> None:
    assert len(cookies_of(scope("; ".join([OWN] * 300)), CODE_COOKIE)) == 8
