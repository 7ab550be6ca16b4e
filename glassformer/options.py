"""What the commands share: reading `name=value`, and a console that is wide enough for a table."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from .model.errors import InputError

_WIDTH = 110  # where the output is no terminal


def read_option(text: str) -> tuple[str, Any]:
    """Read `name=value`; true, false and numbers are what they look like. Raises InputError."""
    name, equals, value = text.partition("=")
    if not equals:
        raise InputError(f"the option {text[:40]!r} is not written name=value, such as norm=pre", where="options")
    if value in ("true", "false"):
        return name, value == "true"
    for kind in (int, float):
        try:
            return name, kind(value)
        except ValueError:
            continue
    return name, value


def wide_console() -> Console:
    """Return a console as wide as the terminal, or wide enough where there is none."""
    console = Console()
    return console if console.is_terminal else Console(width=_WIDTH)
