"""Who asks: by address, and by a key that the page sends so that those behind one address are told apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address, ip_network

from starlette.types import Scope

from ..settings import Settings

_KEY = re.compile(rb"[A-Za-z0-9_-]{1,32}")


@dataclass(frozen=True)
class Visitor:
    """Where a request comes from, and which of the visitors there it says it is ("" where it says nothing).

    The address cannot be chosen by who asks; the key can. So what is shared fairly goes by address first.
    """

    address: str
    key: str


NOBODY = Visitor("", "")
"""The server itself."""


def visitor_of(scope: Scope, settings: Settings) -> Visitor:
    """Return who sent a request; the address is that of the connection, or what a trusted proxy says of it."""
    client = scope.get("client")
    peer = str(client[0]) if client else ""
    headers: dict[bytes, bytes] = dict(scope["headers"])
    key = headers.get(b"x-visitor", b"")
    forwarded = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    if forwarded and settings.trusted_proxies and is_trusted(peer, settings.trusted_proxies):
        peer = _address(forwarded[-1].rpartition(b",")[2].decode("latin-1")) or peer
    return Visitor(peer, key.decode() if _KEY.fullmatch(key) else "")


def is_trusted(peer: str, proxies: str) -> bool:
    """Say whether an address is a proxy's whose word about its clients is taken."""
    try:
        address = ip_address(peer)
        return any(address in ip_network(proxy.strip(), strict=False) for proxy in proxies.split(",") if proxy.strip())
    except ValueError:
        return False


def _address(text: str) -> str:
    """Return an address in its one form, or "" for what is none."""
    try:
        return str(ip_address(text.strip().strip("[]")))
    except ValueError:
        return ""
