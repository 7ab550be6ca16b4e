"""A server that was killed is started again on its port: links still work, with the same numbers."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from observing_processes import EXAMPLE, ask, values
from serving import running

ROOT = Path(__file__).resolve().parents[2]
CLOCK = re.compile(r"\btime\.time\(|\bdatetime\.(now|utcnow|today)\(|\btime\.time_ns\(")
BY_THE_WALL = {"model/training/run_folder.py", "app/trainings/mailbox.py"}
"""When a training was begun, and what processes leave for one another in files: both are read after a restart too, and hold
however far the clock is off."""


def test_links_work_after_the_server_was_killed(tmp_path: Path) -> None:
    """Row 113. A connection is open when it is killed, which would keep the port from a server that does not ask for it anew."""
    made = json.dumps(EXAMPLE)
    with running(folder=tmp_path) as first:
        status, answer = ask(first.address, "/api/traces", json.loads(made))
        assert status == 200
        link = f"/t/{json.loads(answer)['id']}"
        before = values(first.address)
        files = sorted(Path(os.environ["GLASSFORMER_DATA_FOLDER"]).rglob("*"))
        first.process.send_signal(signal.SIGKILL)
        first.process.wait()
        with running(folder=tmp_path, port=first.port) as second:
            assert second.address == first.address
            assert ask(second.address, link)[0] == 200
            assert ask(second.address, link.replace("/t/", "/api/traces/"))[1] == answer
            assert values(second.address) == before
            assert sorted(Path(os.environ["GLASSFORMER_DATA_FOLDER"]).rglob("*")) == files
            assert second.said() == ""


def test_nothing_waits_by_the_clock_on_the_wall() -> None:
    """Row 119: it may be set back or forward while the server runs. What has an end ends by the monotonic clock."""
    files = [file for folder in ("app", "glassformer", "model") for file in (ROOT / folder).rglob("*.py")]
    found = {file.relative_to(ROOT).as_posix() for file in files if CLOCK.search(file.read_text("utf-8"))}
    assert found == BY_THE_WALL


def start_without(tmp_path: Path, site: str, *flags: str) -> subprocess.CompletedProcess[str]:
    """Start a server whose installation is not what it should be."""
    (tmp_path / "sitecustomize.py").write_text(site)
    return subprocess.run(
        [sys.executable, "-m", "glassformer", "--no-browser", "--port", "0", *flags],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("lacking", "said"),
    [
        ("if name == 'orjson': raise metadata.PackageNotFoundError", "orjson is missing"),
        ("if name == 'torch': return '2.1.0+cpu'", "torch 2.1.0+cpu is too old: 2.6 or later is needed"),
    ],
)
def test_packages_that_are_missing_or_old_are_named_in_one_line(tmp_path: Path, lacking: str, said: str) -> None:
    """Row 121. Without the look at them it would be a traceback of an import, or of whatever an old one cannot do."""
    look = f"def version(name):\n    {lacking}\n    return old(name)\n"
    site = f"from importlib import metadata\nold = metadata.version\n{look}metadata.version = version\n"
    refused = start_without(tmp_path, site)
    assert refused.returncode == 2
    assert refused.stdout == ""
    assert refused.stderr == f"{said} (python -m pip install --upgrade glassformer)\n"


def test_server_serves_without_what_only_makes_it_quicker(tmp_path: Path) -> None:
    """httptools and uvloop; their places are taken by h11 and asyncio."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\n"
        "class Missing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name in ('httptools', 'uvloop'):\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Missing())\n"
    )
    with running(folder=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)}) as server:
        assert values(server.address)
        assert ask(server.address, "/" + "x" * 20_000)[0] == 414
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(10) == -signal.SIGTERM
        assert server.said() == ""
