"""What is printed for those who share a server with a class."""

from __future__ import annotations

import socket

import pytest
from glassformer.app.settings import Settings

from glassformer import sharing


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_every_address_of_this_machine_is_told_where_it_listens_on_all(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "own_addresses", lambda: ["198.51.100.4", "2001:db8::4"])
    told = sharing.lines_to_share(Settings(host=host, allow_host="glass.example"), 80)  # type: ignore[arg-type]
    assert [line.split(": ", 1)[1] for line in told] == [
        "http://glass.example:80/",
        "http://198.51.100.4:80/",
        "http://[2001:db8::4]:80/",
    ]


def test_a_class_on_loopback_is_told_that_nobody_else_gets_in() -> None:
    assert "--host" in sharing.lines_to_share(Settings(profile="classroom"), 80)[0]
    assert sharing.lines_to_share(Settings(profile="classroom", host="198.51.100.4"), 80) == []
    assert sharing.lines_to_share(Settings(), 80) == []


def test_own_addresses_are_addresses_of_this_machine() -> None:
    for address in sharing.own_addresses():
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with socket.socket(family) as here:
            here.bind((address, 0))
