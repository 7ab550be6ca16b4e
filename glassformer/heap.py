"""Keeping freed memory: on Linux the process starts itself once more with glibc told to do so."""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import sys

# Recording costs mostly what fresh pages of memory cost; what was freed is kept for the next trace instead.
# What it buys and costs: docs/decisions/0002-kept-heap.md.
SETTINGS = "glibc.malloc.hugetlb=1:glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=17179869184:glibc.malloc.top_pad=67108864"

TUNABLES = "GLIBC_TUNABLES"
OPT_OUT = "GLASSFORMER_PLAIN_HEAP"


def keep_heap() -> None:
    """Replace this process by the same command under `SETTINGS`, where that is possible and not yet so.

    glibc reads them before the first line of Python, so they cannot be set from inside. Someone's own GLIBC_TUNABLES
    stand; GLASSFORMER_PLAIN_HEAP=1 leaves memory as the system has it. Programs started from here get a plain heap.
    """
    if os.environ.get(TUNABLES) == SETTINGS:
        del os.environ[TUNABLES]
    elif TUNABLES not in os.environ and not os.environ.get(OPT_OUT) and _is_glibc():
        with contextlib.suppress(OSError):  # where a process may not start itself again, it serves all the same
            os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], {**os.environ, TUNABLES: SETTINGS})


def give_back() -> None:
    """Give the system back what is free now: after something large that happens once. What is freed later is kept again."""
    if _is_glibc():
        ctypes.CDLL(None).malloc_trim(0)


def _is_glibc() -> bool:
    return sys.platform == "linux" and platform.libc_ver()[0] == "glibc"
