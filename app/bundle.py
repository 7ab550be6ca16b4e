"""The page's modules put together as two scripts, so that a first visit asks once instead of two hundred times.

The first holds what the page needs at once, the second what is opened later: what is reached by `import("./x.js")` alone.
Modules keep to a few forms, which this file knows and insists on: `import { a, b as c } from "./x.js";`, `import("./x.js")`,
`export` before a function, class or const, and `export { a } from "./x.js";`. Each becomes a function that returns what it
exports, called once, in the order in which modules need each other; names stay private to their module. The first script leaves
its modules where the second finds them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from posixpath import dirname, join, normpath

_COMMENT = re.compile(r"/\*\*.*?\*/", re.DOTALL)
_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";$', re.MULTILINE)
_AGAIN = re.compile(r'^export \{([^}]*)\} from "([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
_LATER = re.compile(r'\bimport\("([^"]+)"\)')
_OTHER = re.compile(r"^(?:import|export)\b(?! \{\};).*$|\bimport\s*\(|\bimport\.meta\b", re.MULTILINE)

LATER = "later.js"
"""The name of the second script, beside the first."""

_DOOR = f"""const load = (again) => import("./{LATER}" + again);
let opened = null;
const later = (name) => {{
  opened ??= (globalThis.glassformerLater?.(load) ?? load("")).catch((error) => {{ opened = null; throw error; }});
  return opened.then(({{ modules }}) => modules[name]);
}};"""
"""How the first script opens what is in the second; static/js/core/reach.js says what happens while the server is away."""


@dataclass(frozen=True)
class Bundle:
    """The two scripts; the second is asked for when something in it is opened first."""

    first: str
    later: str


def bundle(modules: Mapping[str, str], entry: str) -> Bundle:
    """Return what does what `entry` does.

    Args:
        modules: the text of each module by its name, `core/dom.js`.

    Raises:
        ValueError: a module is missing, two need each other, or a form is not known; the message names the module.
    """
    modules = {name: _COMMENT.sub("", text) for name, text in modules.items()}
    first: list[str] = []
    _visit(entry, modules, first, ())
    order, doors = list(first), list[str]()
    for name in order:  # grows while it is gone through
        for wanted in _LATER.findall(modules[name]):
            door = _resolve(name, wanted)
            if door not in doors:
                doors.append(door)
                _visit(door, modules, order, ())
    places = {name: f"module{place}" for place, name in enumerate(order)}
    wrapped = {name: _wrap(name, modules[name], places, last=name == entry) for name in order}
    *before, last = (wrapped[name] for name in first)
    left = f"globalThis.glassformer = {{ {', '.join(places[name] for name in first[:-1])} }};"
    found = "const { " + ", ".join(places[name] for name in first[:-1]) + " } = globalThis.glassformer;"
    opened = "export const modules = { " + ", ".join(f'"{door}": {places[door]}' for door in doors) + " };"
    return Bundle(
        "\n".join([_DOOR, *before, left, last]),
        "\n".join(
            [found, "const later = async (name) => modules[name];", *(wrapped[name] for name in order[len(first) :]), opened]
        ),
    )


def _visit(name: str, modules: Mapping[str, str], order: list[str], above: tuple[str, ...]) -> None:
    if name in above:
        raise ValueError(f"modules need each other: {' > '.join([*above, name])}")
    if name not in modules:
        raise ValueError(f"{above[-1] if above else 'the page'} imports {name}, which does not exist")
    if name in order:
        return
    for _, wanted in [*_IMPORT.findall(modules[name]), *_AGAIN.findall(modules[name])]:
        _visit(_resolve(name, wanted), modules, order, (*above, name))
    order.append(name)


def _wrap(name: str, text: str, places: Mapping[str, str], *, last: bool) -> str:
    exported = _EXPORT.findall(text)

    def take(match: re.Match[str]) -> str:
        names = re.sub(r"(\w+) as (\w+)", r"\1: \2", match[1])
        return f"const {{{names}}} = {places[_resolve(name, match[2])]};"

    def pass_on(match: re.Match[str]) -> str:
        exported.extend(part.strip() for part in match[1].split(","))
        return take(match)

    body = _EXPORT.sub("", _AGAIN.sub(pass_on, _IMPORT.sub(take, text)))
    body = _LATER.sub(lambda match: f'later("{_resolve(name, match[1])}")', body)
    if left := _OTHER.search(body):
        raise ValueError(f"{name} has a form that cannot be put together: {left[0]!r}")
    if last:
        return f"{{\n{body}\n}}"
    return f"const {places[name]} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


def _resolve(name: str, wanted: str) -> str:
    return normpath(join(dirname(name), wanted))
