"""uvicorn's two protocols with an end to every wait: httptools' where there is httptools, else h11's."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any


def protocol_class() -> Callable[..., Any]:
    """Return the quicker protocol of those there are."""
    if importlib.util.find_spec("httptools") is not None:
        from .with_httptools import HttpToolsGuest

        return HttpToolsGuest
    from .with_h11 import H11Guest

    return H11Guest
