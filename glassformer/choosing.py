"""Settings from the command line: flags, `--set NAME=VALUE`, then the environment and the profile. What is wrong is named."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from .app.settings import Settings

_SECRET = ("code", "teacher_token")


class SettingError(Exception):
    """A setting does not exist or cannot have this value: one line that names it."""


def read_flags(named: Mapping[str, Any], assignments: Sequence[str] = ()) -> dict[str, Any]:
    """Return what the command line says: flags that are not None or empty, and `name=value`, which win.

    Raises:
        SettingError: no setting has this name, or it is not written name=value.
    """
    flags = {name: value for name, value in named.items() if value not in (None, [], ())}
    for text in assignments:
        written, equals, value = text.partition("=")
        name = written.strip().lower().replace("-", "_")
        if not equals:
            raise SettingError(f"the setting {text[:40]!r} is not written name=value, such as max_tokens=64")
        if name not in Settings.model_fields:
            raise SettingError(f"no setting is named {written[:40]!r}{_near(name)}; glassformer limits lists them")
        flags[name] = value.strip()
    return flags


def read_settings(flags: Mapping[str, Any]) -> Settings:
    """Return the settings. Raises SettingError."""
    try:
        return Settings(**flags)
    except ValidationError as error:
        wrong = "; ".join(_told(".".join(map(str, item["loc"])), item["input"], item["msg"]) for item in error.errors())
        raise SettingError(f"a setting is wrong: {wrong}") from error


def _told(name: str, value: object, message: str) -> str:
    shown = "" if name in _SECRET else f" {str(value)[:60]!r}"
    return f"{name}{shown}: {message.removeprefix('Value error, ')}"


def _near(name: str) -> str:
    near = difflib.get_close_matches(name, Settings.model_fields, n=1)
    return f" (did you mean {near[0]}?)" if near else ""
