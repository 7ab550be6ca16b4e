"""How hosts and origins are written: by settings, which must be exact, and by browsers, which are read with care."""

from __future__ import annotations

import ipaddress
import re

_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?))(?::(\d{1,5}))?", re.ASCII)
_ORIGIN = re.compile(r"https?://([^/\s]+)", re.ASCII)


def split_list(value: object) -> object:
    """Return the parts of a text with commas between; anything else stays as it is."""
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


def read_host(text: str) -> str | None:
    """Return the host of `name`, `name:port`, `[::1]:port`, lower-cased, an address in its one form; None for anything else."""
    found = _HOST.fullmatch(text.lower())
    if found is None or not 0 <= int(found[3] or 0) <= 65535:
        return None
    if found[1] is None:
        return found[2]
    try:
        return plain_address(ipaddress.IPv6Address(found[1]))
    except ValueError:
        return None


def plain_address(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> str:
    """Return an address in its one form; an IPv4 address that IPv6 wraps is itself."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


def is_loopback(host: str) -> bool:
    """Say whether a host, as `read_host` returns it, is this machine and nothing else."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def read_origin(text: str) -> str | None:
    """Return `host` or `host:port` of an origin, without the port that its scheme has anyway; None for `null` and the like."""
    found = _ORIGIN.fullmatch(text.lower())
    if found is None or read_host(found[1]) is None:
        return None
    return without_usual_port(found[1])


def without_usual_port(host: str) -> str:
    """Return `host:port` without the port of http and https, which browsers leave out as well."""
    return host.removesuffix(":80").removesuffix(":443") if not host.endswith("::80") else host


def check_host_name(name: str) -> str:
    """Return the name of a host as it will be compared. Raises ValueError for a pattern, a port or an address with a scheme."""
    host = read_host(f"[{name.strip('[]')}]" if ":" in name else name)
    if host is None:
        raise ValueError(f"{name[:60]!r} is no exact name of a host, such as glass.example.org (no *, no port)")
    return host


def check_origin(origin: str) -> str:
    """Return an origin as a content security policy writes it. Raises ValueError."""
    if read_origin(origin) is None:
        raise ValueError(f"{origin[:60]!r} is no exact origin, such as https://lessons.example.org (no *, no path)")
    return origin.lower()
