"""Take the README's pictures from a running page: `make screenshots`. They land in docs/images/."""

from __future__ import annotations

import io
from pathlib import Path

from browser import opened
from PIL import Image
from playwright.sync_api import Page

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images"


def main() -> None:
    """Write all pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with opened(None) as page:
        _open(page, "/")
        _shoot(page, "model")

        _open(page, f"{_trace(page, 'tiny')}?at=decoder.layers.0.cross_attn:dot&tensor=decoder.layers.0.cross_attn.weights")
        _shoot(page, "attention")

        weights = "decoder.layers.1.cross_attn.weights"
        _open(page, f"{_trace(page, 'pig-latin')}?at=decoder.layers.1.cross_attn&tensor={weights}&cell=0,1,7,4&index=head:1")
        page.locator(".explanation").evaluate("panel => panel.scrollIntoView({ block: 'start' })")
        _shoot(page, "explanation")

        _open(page, _trace(page, "pig-latin"))
        page.get_by_role("button", name="Decode", exact=True).click()
        page.wait_for_timeout(1000)
        for _ in range(6):
            page.keyboard.press("Shift+ArrowRight")
            page.wait_for_timeout(300)
        page.get_by_role("button", name="Cross-attention so far").click()
        _shoot(page, "decoding")

        asked = {"model": "pig-latin", "src": ["a dog"], "strategy": "beam"}
        decoding = page.request.post("/api/decodings", data=asked).json()["id"]
        tree = page.request.get(f"/api/decodings/{decoding}/tree?to=60").json()
        _open(page, f"/t/{tree['traces'][6]}?decoding={decoding}&step=6&panel=tree")
        _shoot(page, "tree")

        _open(page, f"{_trace(page, 'pig-latin')}?panel=sheet")
        _shoot(page, "sheet")


def _trace(page: Page, model: str) -> str:
    example = page.request.get(f"/api/models/{model}").json()["examples"][0]
    made = page.request.post("/api/traces", data={"model": model, "src": example["src"], "tgt": example["tgt"]})
    return f"/t/{made.json()['id']}"


def _open(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("html[data-ready]", state="attached")
    page.wait_for_timeout(1500)


def _shoot(page: Page, name: str) -> None:
    page.wait_for_timeout(800)
    Image.open(io.BytesIO(page.screenshot())).convert("RGB").save(FOLDER / f"{name}.png", optimize=True)
    print(f"docs/images/{name}.png")


if __name__ == "__main__":
    main()
