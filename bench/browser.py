"""What measuring in a browser needs: a running server, Chromium, and a page of a laptop's size."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, sync_playwright

ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking")


def options(about: str, rounds: int) -> argparse.Namespace:
    """Read `--port` and `--rounds` from the command line."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--port", type=int, help="measure the server that runs there, instead of one started for it")
    parser.add_argument("--rounds", type=int, default=rounds)
    return parser.parse_args()


@contextmanager
def opened(port: int | None) -> Iterator[Page]:
    """A page in Chromium, whose addresses are relative to a running server."""
    with _server(port) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_chromium(), args=list(ARGUMENTS))
        yield browser.new_page(viewport={"width": 1440, "height": 900}, base_url=address)
        browser.close()


@contextmanager
def _server(port: int | None) -> Iterator[str]:
    if port is not None:
        yield f"http://127.0.0.1:{port}"
        return
    process = subprocess.Popen(
        [sys.executable, "-m", "glassformer", "--no-browser", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    try:
        assert process.stdout
        found = next(match for line in process.stdout if (match := re.search(r"http://\S+", line)))
        yield found[0].split()[0].rstrip("/")
    finally:
        process.terminate()
        process.wait()


def _chromium() -> str:
    named = [os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "chromium-headless-shell"]
    found = next((path for path in map(shutil.which, filter(None, named)) if path), None)
    if found is None:
        sys.exit("no Chromium was found; set CHROMIUM to its path")
    return found
