"""What the machine is, and how busy it was before anything was measured."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def describe_machine() -> str:
    """One line for the table: cores, processor, load averages, versions."""
    load = ", ".join(f"{value:.2f}" for value in os.getloadavg())
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return f"{os.cpu_count()} cores ({_processor()}), load average before {load}, {system}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
