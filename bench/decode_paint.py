"""Measure how long one decoding step takes from the key to the screen, in Chromium against a running server.

    python bench/decode_paint.py [--port PORT] [--rounds N]

Without a port a server is started and ended again. `pig-latin` writes "she pet the dog" in Pig Latin, one letter a step. The
clock starts with the arrow key and stops in the second animation frame after all of the step was drawn: its tokens and bars, the
diagram's sizes and pictures, and the heatmap where one is open. A reader looks at each step for a while before the next key; in
that time the page fetches the next step, as it always does. The first three steps are not counted. Prints a Markdown table.
"""

from __future__ import annotations

import statistics

from browser import opened, options
from playwright.sync_api import Page

MODEL, SENTENCE, AIM = "pig-latin", "she pet the dog", 50
WARM = 3
READING_MS = 500
CASES = (
    ("the whole model, no tensor open", "", ""),
    ("a cross-attention block, its weights open", "decoder.layers.0.cross_attn", "decoder.layers.0.cross_attn.weights"),
)

# Presses the key, waits until every part shows another trace than before, then for the frame that shows it.
STEP = """async (parts) => {
  const before = document.getElementById("diagram").dataset.trace;
  const { promise, resolve } = Promise.withResolvers();
  const watched = parts.map((id) => document.getElementById(id));
  const watch = new MutationObserver(() => {
    const [trace, ...others] = watched.map((part) => part.dataset.trace);
    if (trace === before || others.some((other) => other !== trace)) return;
    watch.disconnect();
    const drawn = performance.now();
    requestAnimationFrame(() => requestAnimationFrame(() => resolve([drawn, performance.now()])));
  });
  for (const part of watched) watch.observe(part, { attributes: true, attributeFilter: ["data-trace"] });
  const start = performance.now();
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
  const [drawn, shown] = await promise;
  return { drawn: drawn - start, shown: shown - start };
}"""


def main() -> None:
    chosen = options(__doc__, rounds=20)
    with opened(chosen.port) as page:
        print("| on the screen | drawn, median ms | on the screen, median ms | worst | aim |\n|---|---|---|---|---|")
        for title, place, tensor in CASES:
            rounds = _steps(page, place, tensor, chosen.rounds)
            drawn = statistics.median(one["drawn"] for one in rounds)
            shown = [one["shown"] for one in rounds]
            print(f"| {title} | {drawn:.1f} | {statistics.median(shown):.1f} | {max(shown):.1f} | {AIM} |", flush=True)


def _steps(page: Page, place: str, tensor: str, rounds: int) -> list[dict[str, float]]:
    """Decode from the start, one key a step, until the sentence ends or there are enough rounds."""
    decoding = page.request.post("/api/decodings", data={"model": MODEL, "src": [SENTENCE]}).json()["id"]
    first = page.request.get(f"/api/decodings/{decoding}/steps/0").json()
    page.goto(f"/t/{first['trace']}?decoding={decoding}&step=0" + (f"&at={place}&tensor={tensor}" if tensor else ""))
    page.wait_for_selector("html[data-ready]", state="attached")
    parts = ["diagram", "timeline", *(["inspector"] if tensor else [])]
    page.wait_for_function("parts => parts.every(id => document.getElementById(id).dataset.trace)", arg=parts)
    page.wait_for_timeout(2000)
    took = []
    for _ in range(rounds + WARM):
        if page.locator("[aria-label^='One step forward']").get_attribute("aria-disabled") == "true":
            break
        took.append(page.evaluate(STEP, parts))
        page.wait_for_timeout(READING_MS)
    return took[WARM:] or took


if __name__ == "__main__":
    main()
