"""The page's modules as one script: the same code, private names, the right order."""

from __future__ import annotations

import subprocess
from importlib import resources
from pathlib import Path

import playwright
import pytest
from glassformer.app.bundle import bundle

NODE = Path(playwright.__file__).parent / "driver" / "node"

MODULES = {
    "main.js": 'import { twice as double } from "./core/number.js";\nimport { say, Sign } from "./shell/say.js";\n'
    "await say(double(21), new Sign());",
    "core/number.js": "const factor = 2;\nexport function twice(x) {\n  return factor * x;\n}",
    "shell/say.js": 'export { twice } from "../core/number.js";\nconst factor = "!";\nexport class Sign {\n  text = factor;\n}\n'
    "export async function say(x, sign) {\n  console.log(x + sign.text);\n}\nexport const loud = (x) => x + factor;",
}


def test_what_is_put_together_does_the_same(tmp_path: Path) -> None:
    script = tmp_path / "page.mjs"
    script.write_text(bundle(MODULES, "main.js"))
    done = subprocess.run([str(NODE), str(script)], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == "42!\n"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"core/number.js": 'import { say } from "../shell/say.js";\nexport const twice = say;'},
            "modules need each other: main.js > core",
        ),
        ({"core/number.js": "export default 7;"}, "core/number.js has a form that cannot be put together: 'export default 7;'"),
        ({"core/number.js": "export let twice = 1;"}, "cannot be put together"),
        ({"core/number.js": 'export const twice = import("./x.js");'}, "cannot be put together"),
        ({"main.js": 'import { x } from "./nowhere.js";'}, "main.js imports nowhere.js, which does not exist"),
    ],
)
def test_a_form_that_is_not_known_is_refused_naming_the_module(changed: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bundle(MODULES | changed, "main.js")


def test_every_module_of_the_page_is_in_it_unless_it_only_holds_types() -> None:
    root = resources.files("glassformer.static").joinpath("js")
    modules = {str(path.relative_to(root)): path.read_text() for path in Path(str(root)).rglob("*.js")}
    together = bundle(modules, "main.js")
    unused = [
        name for name, text in modules.items() if not text.rstrip().endswith("export {};") and _middle(text) not in together
    ]
    assert unused == ["theme.js"]


def _middle(text: str) -> str:
    """Return the longest line of code, which no other module is likely to have."""
    return max(
        (
            line
            for line in text.splitlines()
            if not line.lstrip().startswith(("*", "/")) and "/**" not in line and not line.startswith(("import", "export"))
        ),
        key=len,
    )
