"""How many files a process may open, connections among them."""

from __future__ import annotations

import contextlib
import os
import sys

MOST = 65_536
KEPT_BACK = 32
"""Files that are not for connections: those of the models, of trainings and their processes, of logs."""


def open_more_files() -> int:
    """Let this process open as many files as the system allows it; return how many are left for connections."""
    if sys.platform == "win32":
        return MOST
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):  # then it stays at what it is
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    if soft == resource.RLIM_INFINITY:
        return MOST
    return max(1, soft - _open() - KEPT_BACK)


def _open() -> int:
    for folder in ("/proc/self/fd", "/dev/fd"):
        with contextlib.suppress(OSError):
            return len(os.listdir(folder))
    return KEPT_BACK
