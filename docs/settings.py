"""Write docs/settings.md from the server's own settings; with --check, only say whether it is up to date."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from glassformer.app.profiles import PROFILES
from glassformer.app.settings import Settings
from glassformer.app.settings_told import unit

PAGE = Path(__file__).with_suffix(".md")
HEAD = """# Settings

`glassformer --profile local|classroom|public` chooses a column. Any setting can be named otherwise, by `--set NAME=VALUE` or by
the environment variable `GLASSFORMER_NAME`; a flag wins over the environment, and both over the profile. `--host`, `--port`,
`--allow-host`, `--allow-frame` and `--code` are short for the settings of their names. `glassformer limits` lists what holds and
from where; `GET /api/limits` tells visitors the numbers and switches. Why a setting is there: [security.md](security.md).
Written by `make docs` from `app/settings.py` and `app/profiles.py`.

| setting | local | classroom | public | unit | what it is |
|---|---|---|---|---|---|
"""


def page() -> str:
    """Return the whole page."""
    rows = []
    for name, field in Settings.model_fields.items():
        values = [profile.get(name, field.default) for profile in PROFILES.values()]
        if name == "profile":
            values = list(PROFILES)
        rows.append(f"| `{name}` | {' | '.join(_shown(name, value) for value in values)} | {unit(name)} | {field.description} |")
    return HEAD + "\n".join(rows) + "\n"


def _shown(name: str, value: Any) -> str:
    if name == "port":
        return str(value)
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple | str):
        return ", ".join(value) if isinstance(value, tuple) else value
    return f"{value:,.10g}" if isinstance(value, float) else f"{value:,}"


if __name__ == "__main__":
    if "--check" in sys.argv:
        if PAGE.read_text() != page():
            sys.exit("docs/settings.md is out of date; make docs writes it")
    else:
        PAGE.write_text(page())
