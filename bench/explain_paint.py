"""Measure how long it takes from selecting a cell to its explanation on the screen, in Chromium against a running server.

    python bench/explain_paint.py [--port PORT] [--rounds N]

Without a port a server is started and ended again. The page is warm, and the first three cells are not counted; every cell is
selected for the first time, so that its explanation is asked for. The clock starts with the Enter key on the cell of the heatmap
and stops in the second animation frame after the explanation was written. Prints a Markdown table of medians.
"""

from __future__ import annotations

import statistics

from browser import opened, options
from playwright.sync_api import Page

WARM = 3
READING_MS = 250
CASES = (
    ("tiny", "decoder.layers.0.cross_attn.scores", 50),
    ("tiny", "decoder.layers.1.feed_forward.out", 50),
    ("pig-latin", "decoder.layers.1.cross_attn.weights", 50),
    ("pig-latin", "decoder.layers.1.feed_forward.out", 50),
    ("paper-base", "decoder.layers.5.feed_forward.out", 100),
    ("paper-base", "log_probs", 100),
)

# Walks one cell on in the heatmap and selects it, waits for the explanation of another cell, then for the frame that shows it.
SELECT = """async (key) => {
  const grid = document.querySelector("#inspector .heat-grid");
  const panel = document.querySelector("#inspector .explanation");
  const before = panel.dataset.explained;
  const press = (key) => grid.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const { promise, resolve } = Promise.withResolvers();
  const watch = new MutationObserver(() => {
    if (panel.dataset.explained === before) return;
    watch.disconnect();
    const written = performance.now();
    requestAnimationFrame(() => requestAnimationFrame(() => resolve([written, performance.now()])));
  });
  watch.observe(panel, { attributes: true, attributeFilter: ["data-explained"] });
  press(key);
  await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
  const start = performance.now();
  press("Enter");
  const [written, shown] = await promise;
  return { drawn: written - start, shown: shown - start };
}"""


def main() -> None:
    chosen = options(__doc__, rounds=15)
    with opened(chosen.port) as page:
        print("| a cell of | written, median ms | on the screen, median ms | worst | aim |\n|---|---|---|---|---|")
        for model, tensor, aim in CASES:
            rounds = _rounds(page, model, tensor, chosen.rounds)
            written = statistics.median(one["drawn"] for one in rounds)
            shown = [one["shown"] for one in rounds]
            print(
                f"| {model}: {tensor} | {written:.1f} | {statistics.median(shown):.1f} | {max(shown):.1f} | {aim} |", flush=True
            )


def _rounds(page: Page, model: str, tensor: str, rounds: int) -> list[dict[str, float]]:
    """Select one cell after the other, there and back again along the rows, as far as there are new ones."""
    example = page.request.get(f"/api/models/{model}").json()["examples"][0]
    trace = page.request.post("/api/traces", data={"model": model, "src": example["src"], "tgt": example["tgt"]}).json()
    shape = next(record["shape"] for record in trace["records"] if record["name"] == tensor)
    page.goto(f"/t/{trace['id']}?tensor={tensor}&cell={','.join('0' * len(shape))}")
    page.wait_for_selector("html[data-ready]", state="attached")
    page.wait_for_selector(".explanation[data-explained]")
    page.wait_for_timeout(2000)
    page.locator("#inspector .heat-grid").focus()
    took = []
    for i in range(rounds + WARM):
        last = (i + 1) % shape[-1] == 0
        if last and (i + 1) // shape[-1] >= shape[-2]:
            break
        backwards = (i // shape[-1]) % 2 == 1
        took.append(page.evaluate(SELECT, "ArrowDown" if last else "ArrowLeft" if backwards else "ArrowRight"))
        page.wait_for_timeout(READING_MS)
    return took[WARM:] or took


if __name__ == "__main__":
    main()
