"""Measure how long it takes from choosing a tensor to its heatmap on the screen, in Chromium against a running server.

    python bench/browser_paint.py [--port PORT] [--rounds N]

Without a port a server is started and ended again. The page is warm, and the first three clicks are not counted; each tensor is
chosen for the first time, so that its values are fetched. The clock starts with the click and stops in the second animation frame
after the canvas was drawn, when the picture is on the screen. Prints a Markdown table of medians.

The tensors are real ones: those of the attention blocks of `tiny`, and parameters of `paper-base`. For 2048 x 2048 it is the
drawing path alone, every cell of it, given values made here, since no model has that size; the page would ask for every 8th cell.
"""

from __future__ import annotations

import re
import statistics

from browser import opened, options
from playwright.sync_api import Page

WARM = 3
CASES = (
    ("tiny", r"_attn\.(weights|scores|q|k|v|heads)$", "tiny: 2 heads of at most 3 x 4", 50),
    ("paper-base", r"_attn\.w_[qkvo]$", "512 x 512", 50),
    ("paper-base", r"feed_forward\.w_1$", "512 x 2048", 100),
    ("paper-base", r"embed\.table$", "37000 x 512", 100),
)

# Clicks the link to a tensor, waits for its heatmap to be drawn, then for the frame that shows it.
CLICK = """async (name) => {
  const inspector = document.getElementById("inspector");
  const link = inspector.querySelector(`button[data-tensor="${name}"]`);
  const { promise, resolve } = Promise.withResolvers();
  const watch = new MutationObserver(() => {
    if (inspector.dataset.painted !== name) return;
    watch.disconnect();
    const drawn = performance.now();
    requestAnimationFrame(() => requestAnimationFrame(() => resolve([drawn, performance.now()])));
  });
  watch.observe(inspector, { attributes: true, attributeFilter: ["data-painted"] });
  const before = performance.now();
  link.click();
  const [drawn, shown] = await promise;
  return { drawn: drawn - before, shown: shown - before };
}"""

# Goes to a tensor by its address, as the browser's back and forward do.
GO = "link => { history.pushState(null, '', link); dispatchEvent(new PopStateEvent('popstate')); }"

# The drawing path with values of its own: the same modules, no server.
DRAW = """async ([base, rows, columns, rounds]) => {
  const [{ pixelsOf }, { palette }, { drawSheet }, { whole }, { frameOf }, { slabOf }] = await Promise.all(
    ["core/colour", "core/palette", "tensor/draw", "tensor/span", "tensor/geometry", "tensor/slab"]
      .map((name) => import(`${base}/js/${name}.js`)));
  const values = Float32Array.from({ length: rows * columns }, (_, i) => Math.sin(i * 12.9898) * 2);
  const about = { values, axes: ["in", "out"], shape: [rows, columns], start: [0, 0], step: [1, 1] };
  const canvas = document.createElement("canvas");
  const frame = frameOf(rows, columns, 480, 440, { left: 40, widest: 0, strip: false, captions: false });
  [canvas.width, canvas.height] = [Math.ceil(frame.outerWidth), Math.ceil(frame.outerHeight)];
  document.body.append(canvas);
  const label = (place) => ({ text: String(place), faint: false });
  const took = [];
  for (let i = 0; i < rounds; i++) {
    await new Promise(requestAnimationFrame);
    const before = performance.now();
    const slab = slabOf(about, { row: "in", column: "out" }, {});
    const spans = { rows: whole(rows, frame.height, frame.cellHeight), columns: whole(columns, frame.width, frame.cellWidth) };
    drawSheet(canvas.getContext("2d"), {
      frame, spans, slabs: [slab], behind: [], scale: { kind: "signed", bound: 2, blocked: false }, caption: null, sums: null,
      rowLabel: label, columnLabel: label, colours: { row: "#000", column: "#000" },
    }, palette());
    const drawn = performance.now();
    await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
    took.push({ drawn: drawn - before, shown: performance.now() - before });
  }
  canvas.remove();
  return took;
}"""


def main() -> None:
    chosen = options(__doc__, rounds=24)
    with opened(chosen.port) as page:
        print("| tensor | values drawn, median ms | on the screen, median ms | worst | aim |\n|---|---|---|---|---|")
        for model, tensor, title, aim in CASES:
            rounds = _click_rounds(page, model, tensor, chosen.rounds)
            _print(title, rounds, aim)
        base = page.locator('script[type="module"]').get_attribute("src").removesuffix("/js/page.js")  # type: ignore[union-attr]
        _print("2048 x 2048, every cell drawn, no server", page.evaluate(DRAW, [base, 2048, 2048, chosen.rounds]), 100)


def _click_rounds(page: Page, model: str, pattern: str, rounds: int) -> list[dict[str, float]]:
    """Click one tensor after the other, each for the first time, on the link from a tensor that reads it."""
    example = page.request.get(f"/api/models/{model}").json()["examples"][0]
    answer = page.request.post("/api/traces", data={"model": model, "src": example["src"], "tgt": example["tgt"]}).json()
    legend = page.request.get(f"/api/models/{model}").json()["tensors"]
    readers = {tensor["name"]: tensor["feeds"][0] for tensor in legend if re.search(pattern, tensor["name"]) and tensor["feeds"]}
    link = f"/t/{answer['id']}"
    page.goto(f"{link}?tensor=memory")
    page.wait_for_selector("html[data-ready]", state="attached")
    page.wait_for_timeout(2000)
    took = []
    for name, reader in list(readers.items())[: rounds + WARM]:
        page.evaluate(GO, f"{link}?tensor={reader}")
        page.wait_for_selector(f'#inspector[data-painted="{reader}"]', state="attached")
        page.wait_for_timeout(400)
        took.append(page.evaluate(CLICK, name))
    return took[WARM:] or took


def _print(title: str, rounds: list[dict[str, float]], aim: int) -> None:
    drawn = statistics.median(one["drawn"] for one in rounds)
    shown = [one["shown"] for one in rounds]
    print(f"| {title} | {drawn:.1f} | {statistics.median(shown):.1f} | {max(shown):.1f} | {aim} |", flush=True)


if __name__ == "__main__":
    main()
