"""The headers that every answer carries: what a browser may do with it."""

from __future__ import annotations

from collections.abc import Mapping

from ..settings import Settings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors {frames}; require-trusted-types-for 'script'"
)


def security_headers(settings: Settings) -> Mapping[str, str]:
    """Return the headers by name; `allow_frame` alone changes them."""
    return {
        "Content-Security-Policy": POLICY.format(frames=" ".join(settings.allow_frame) or "'none'"),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
    }
