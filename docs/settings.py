"""Write docs/settings.md from the server's own settings; with --check, only say whether it is up to date."""

from __future__ import annotations

import sys
from pathlib import Path

from glassformer.app.settings import Settings

PAGE = Path(__file__).with_suffix(".md")
HEAD = """# Settings

Each setting is an environment variable. `glassformer --host` and `--port` set the first two as well; `GET /api/limits` tells the
others. Written by `make docs` from `app/settings.py`.

| variable | default | what it is |
|---|---|---|
"""


def page() -> str:
    """Return the whole page."""
    fields = Settings.model_fields.items()
    rows = [f"| `GLASSFORMER_{name.upper()}` | {field.default} | {field.description} |" for name, field in fields]
    return HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        if PAGE.read_text() != page():
            sys.exit("docs/settings.md is out of date; make docs writes it")
    else:
        PAGE.write_text(page())
