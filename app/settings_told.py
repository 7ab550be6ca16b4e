"""What is told of the settings: to visitors, numbers and switches; to whoever runs the server, each with where it is from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .profiles import PROFILES
from .settings import Settings

_SECRET = frozenset({"code", "teacher_token"})


@dataclass(frozen=True)
class SettingRow:
    """A setting as it is listed. `source` is flag, environment, the profile's name, or default."""

    name: str
    value: Any
    unit: str
    source: str
    description: str


def told(settings: Settings) -> dict[str, bool | int | float | str]:
    """Return what a visitor may know: the profile, and what is a number or a switch. Names, folders and secrets are texts."""
    values = settings.model_dump(exclude={"port"})
    return {name: value for name, value in values.items() if name == "profile" or isinstance(value, bool | int | float)}


def rows(settings: Settings, *, flags: Iterable[str], env: Mapping[str, str]) -> list[SettingRow]:
    """Return every setting, with a secret's value hidden."""
    named, variables = set(flags), {name.upper() for name in env}
    return [
        SettingRow(
            name=name,
            value=_shown(name, getattr(settings, name)),
            unit=unit(name),
            source=_source(name, settings.profile, named, variables),
            description=field.description or "",
        )
        for name, field in Settings.model_fields.items()
    ]


def unit(name: str) -> str:
    """Return what a setting is counted in: bytes, seconds, or nothing."""
    extra = Settings.model_fields[name].json_schema_extra
    if isinstance(extra, dict) and "unit" in extra:
        return str(extra["unit"])
    return next((word for word in ("bytes", "seconds") if word in name.split("_")), "")


def _shown(name: str, value: Any) -> Any:
    if name in _SECRET:
        return "set" if value else ""
    return ", ".join(value) if isinstance(value, tuple) else value


def _source(name: str, profile: str, flags: set[str], variables: set[str]) -> str:
    if name in flags:
        return "flag"
    if f"GLASSFORMER_{name.upper()}" in variables:
        return "environment"
    return profile if name in PROFILES[profile] else "default"
