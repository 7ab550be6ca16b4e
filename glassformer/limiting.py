"""`glassformer limits`: every setting, its value, and where that is from."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rich.table import Table

from .app.settings_told import SettingRow, rows
from .choosing import read_settings
from .options import wide_console

MIB, KIB = 2**20, 2**10


def show_limits(flags: Mapping[str, Any], *, as_json: bool) -> None:
    """Print all settings under these flags. Raises SettingError."""
    listed = rows(read_settings(flags), flags=flags, env=os.environ)
    if as_json:
        print(
            json.dumps(
                {row.name: {key: value for key, value in asdict(row).items() if key != "name"} for row in listed}, indent=2
            )
        )
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title, justify in (("setting", "left"), ("value", "right"), ("unit", "left"), ("from", "left"), ("what it is", "left")):
        table.add_column(title, justify=justify, no_wrap=title != "what it is", overflow="fold")  # type: ignore[arg-type]
    for row in listed:
        table.add_row(row.name, *_value(row), row.source, row.description)
    wide_console().print(table)


def _value(row: SettingRow) -> tuple[str, str]:
    """Return a value as a person reads it, with its unit."""
    value = row.value
    if isinstance(value, bool):
        return ("on" if value else "off"), ""
    if row.unit == "bytes":
        size, name = (MIB, "MiB") if value >= MIB else (KIB, "KiB")
        return (f"{value // size:,}", name) if value % size == 0 else (f"{value:,}", "bytes")
    if isinstance(value, int | float) and row.name != "port":
        return f"{value:,.10g}" if isinstance(value, float) else f"{value:,}", row.unit
    return str(value), row.unit
