"""The page's modules as two scripts: the same code, private names, the right order, and what is opened later apart."""

from __future__ import annotations

import subprocess
from importlib import resources
from pathlib import Path

import playwright
import pytest
from glassformer.app.bundle import LATER, bundle

NODE = Path(playwright.__file__).parent / "driver" / "node"

MODULES = {
    "main.js": 'import { twice as double } from "./core/number.js";\nimport { say, Sign } from "./shell/say.js";\n'
    "await say(double(21), new Sign());",
    "core/number.js": "const factor = 2;\nexport function twice(x) {\n  return factor * x;\n}",
    "shell/say.js": 'export { twice } from "../core/number.js";\nconst factor = "!";\nexport class Sign {\n  text = factor;\n}\n'
    "export async function say(x, sign) {\n  console.log(x + sign.text);\n}\nexport const loud = (x) => x + factor;",
}


def test_what_is_put_together_does_the_same(tmp_path: Path) -> None:
    assert run(MODULES, tmp_path) == "42!\n"


def test_what_is_opened_later_comes_apart_and_shares_what_is_there(tmp_path: Path) -> None:
    modules = MODULES | {
        "main.js": 'import { count } from "./core/count.js";\ncount();\n'
        'const { open } = await import("./shell/panel.js");\nopen();',
        "core/count.js": "let times = 0;\nexport function count() {\n  console.log(++times);\n}",
        "shell/panel.js": 'import { count } from "../core/count.js";\nimport { twice } from "../core/number.js";\n'
        'export async function open() {\n  count();\n  const { deep } = await import("./deep.js");\n'
        "  console.log(twice(deep));\n}",
        "shell/deep.js": "export const deep = 21;",
    }
    made = bundle(modules, "main.js")
    assert "factor" not in made.first
    assert "factor" in made.later
    assert made.later.count("times") == 0, "a module of the first script is there once"
    assert run(modules, tmp_path) == "1\n2\n42\n"


def run(modules: dict[str, str], folder: Path) -> str:
    """Put modules together, run them, and return what they print."""
    made = bundle(modules, "main.js")
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "page.js").write_text(made.first)
    (folder / LATER).write_text(made.later)
    return subprocess.run([str(NODE), str(folder / "page.js")], capture_output=True, text=True, timeout=30, check=True).stdout


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"core/number.js": 'import { say } from "../shell/say.js";\nexport const twice = say;'},
            "modules need each other: main.js > core",
        ),
        ({"core/number.js": "export default 7;"}, "core/number.js has a form that cannot be put together: 'export default 7;'"),
        ({"core/number.js": "export let twice = 1;"}, "cannot be put together"),
        ({"core/number.js": "export const twice = import(`./x.js`);"}, "cannot be put together"),
        ({"core/number.js": 'export const twice = import("./x.js");'}, "imports core/x.js, which does not exist"),
        ({"main.js": 'import { x } from "./nowhere.js";'}, "main.js imports nowhere.js, which does not exist"),
    ],
)
def test_a_form_that_is_not_known_is_refused_naming_the_module(changed: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bundle(MODULES | changed, "main.js")


def test_every_module_of_the_page_is_in_it_unless_it_only_holds_types() -> None:
    root = resources.files("glassformer.static").joinpath("js")
    modules = {str(path.relative_to(root)): path.read_text() for path in Path(str(root)).rglob("*.js")}
    made = bundle(modules, "main.js")
    together = made.first + made.later
    unused = [
        name for name, text in modules.items() if not text.rstrip().endswith("export {};") and _middle(text) not in together
    ]
    assert sorted(unused) == ["code.js", "theme.js"]


def _middle(text: str) -> str:
    """Return the longest line of code, which no other module is likely to have."""
    return max(
        (
            line
            for line in text.splitlines()
            if not line.lstrip().startswith(("*", "/"))
            and "/**" not in line
            and "import(" not in line
            and not line.startswith(("import", "export"))
        ),
        key=len,
    )
