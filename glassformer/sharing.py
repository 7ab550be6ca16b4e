"""What to tell a class: the addresses under which others reach this machine."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .app.settings import Settings

EVERYWHERE = ("0.0.0.0", "::", "")
_SOMEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses that belong to nobody; asking for the way there sends nothing."""


def lines_to_share(settings: Settings, port: int) -> list[str]:
    """Return what is printed below the server's own address, for those who share it."""
    if settings.host in EVERYWHERE:
        addresses = [*settings.allow_host, *own_addresses()]
        return [f"  for others: {_address(each, port)}" for each in addresses] or ["  this machine is in no network"]
    if settings.profile == "classroom" and _is_loopback(settings.host):
        return ["  for this machine alone; a class needs --host with an address of this machine, or 0.0.0.0 for all of them"]
    return []


def own_addresses() -> list[str]:
    """Return this machine's addresses, as far as others may use them, without asking anybody."""
    found: dict[str, None] = {}
    for family, somewhere in _SOMEWHERE:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((somewhere, 9))
            found[asking.getsockname()[0]] = None
    return [each for each in found if not _is_loopback(each) and not ipaddress.ip_address(each).is_link_local]


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
