"""Whether the packages are here that Glassformer needs, and new enough; said in one line before any of them is imported."""

from __future__ import annotations

import re
from importlib import metadata

_REQUIREMENT = re.compile(r"([\w.-]+)(?:\[[^\]]*\])?>=([\d.]+)")


def complaint() -> str | None:
    """Return what is wrong with the packages, or None. What is only of use if there (`uvicorn[standard]`'s) is not looked at."""
    try:
        required = metadata.requires("glassformer") or []
    except metadata.PackageNotFoundError:  # run from its source, which says nothing of what it needs
        return None
    wrong = []
    for found in (_REQUIREMENT.fullmatch(line) for line in required):
        if found is None:
            continue
        name, least = found.groups()
        try:
            there = metadata.version(name)
        except metadata.PackageNotFoundError:
            wrong.append(f"{name} is missing")
        else:
            if _numbers(there) < _numbers(least):
                wrong.append(f"{name} {there} is too old: {least} or later is needed")
    return f"{'; '.join(wrong)} (python -m pip install --upgrade glassformer)" if wrong else None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("+")[0])[:3])
