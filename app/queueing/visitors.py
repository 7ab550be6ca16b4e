"""Who asks: by address, and by a key that the page sends so that those behind one address are told apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import Scope

from ..settings import Settings

_KEY = re.compile(rb"[A-Za-z0-9_-]{1,32}")


@dataclass(frozen=True)
class Visitor:
    """Where a request comes from, and which of the visitors there it says it is ("" where it says nothing).

    The address cannot be chosen by who asks; the key can. So what is shared fairly goes by address first. Of IPv6 it is the
    network, `2001:db8::/64`, since whoever has one of its addresses may take any other.
    """

    address: str
    key: str


NOBODY = Visitor("", "")
"""The server itself."""


def visitor_of(scope: Scope, settings: Settings) -> Visitor:
    """Return who sent a request."""
    headers: dict[bytes, bytes] = dict(scope["headers"])
    key = headers.get(b"x-visitor", b"")
    return Visitor(_owned(address_of(scope, settings)), key.decode() if _KEY.fullmatch(key) else "")


def address_of(scope: Scope, settings: Settings) -> str:
    """Return where a request comes from: the address of the connection, or what a trusted proxy says of it."""
    client = scope.get("client")
    peer = str(client[0]) if client else ""
    forwarded = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    if forwarded and settings.trusted_proxies and is_trusted(peer, settings.trusted_proxies):
        peer = _address(forwarded[-1].rpartition(b",")[2].decode("latin-1")) or peer
    return peer


def is_trusted(peer: str, proxies: str) -> bool:
    """Say whether an address is a proxy's whose word about its clients is taken."""
    try:
        address = ip_address(peer)
        return any(address in ip_network(proxy.strip(), strict=False) for proxy in proxies.split(",") if proxy.strip())
    except ValueError:
        return False


def _owned(peer: str) -> str:
    """Return what whoever has an address has with it: the address itself, or a network of IPv6."""
    if ":" not in peer:
        return peer
    address = ip_address(peer) if _address(peer) else None
    if not isinstance(address, IPv6Address) or address.is_loopback:
        return peer
    return str(address.ipv4_mapped or IPv6Network((int(address), 64), strict=False))


def _address(text: str) -> str:
    """Return an address in its one form, or "" for what is none."""
    try:
        return str(ip_address(text.strip().strip("[]")))
    except ValueError:
        return ""
