"""uvicorn's two protocols with an end to every wait: httptools' where there is httptools, else h11's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def protocol_class() -> Callable[..., Any]:
    """Return the quicker protocol of those there are."""
    try:
        from .with_httptools import HttpToolsGuest
    except ImportError:
        from .with_h11 import H11Guest

        return H11Guest
    return HttpToolsGuest
