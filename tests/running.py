"""Coroutines in tests."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, in a thread of its own: a browser test of the same process may hold a loop in this one."""
    context = contextvars.copy_context()
    with ThreadPoolExecutor(max_workers=1) as threads:
        return threads.submit(context.run, asyncio.run, work).result()
