/** The distribution of a tensor's values, drawn by Plotly when its section is opened. */

import { tensors } from "../core/api.js";
import { el } from "../core/dom.js";
import { count } from "../core/format.js";
import { loadPlotly, prefetchPlotly } from "../core/plotly.js";
import { persist } from "../core/reach.js";
import { cellsOf } from "./arrange.js";
import { binned } from "./bins.js";
import { palette, whenThemeChanges } from "../core/palette.js";

/** @typedef {import("./context.js").Context} Context */

const MOST = 2 ** 18;
const SAMPLE = "256x256";

/** @returns {{element: HTMLDetailsElement, show: (context: Context) => void}} */
export function createHistogram() {
  const plot = el("div", { class: "plot", role: "img" });
  const says = el("p", { class: "soft small plot-says", text: "Counting …" });
  const element = el("details", { class: "card" }, el("summary", {}, el("h2", { text: "Distribution" })), plot, says);
  /** @type {Context | null} */
  let context = null;
  let drawn = "";

  async function draw() {
    if (!context || !element.open) return;
    const mine = context;
    const key = keyOf(mine);
    const [values, plotly] = await Promise.all([sample(mine), persist(loadPlotly)]).catch(() => [null, null]);
    if (mine !== context) return;
    if (!values || !plotly) {
      says.textContent = "The chart could not be loaded; close this section and open it again to retry.";
      return;
    }
    const bins = binned(values, Math.min(40, Math.ceil(2 * Math.sqrt(values.length))));
    drawn = key;
    plot.setAttribute("aria-label", `histogram of ${mine.of === "gradient" ? "the gradient of " : ""}${mine.record.name}: ${count(bins.finite)} finite values in ${bins.counts.length} bins`);
    says.textContent = words(mine, values.length, bins.other);
    await plotly.react(plot, [trace(bins)], layout(), { displayModeBar: false, responsive: true });
  }

  element.addEventListener("toggle", () => void draw());
  whenThemeChanges(() => void draw());
  prefetchPlotly();
  return {
    element,
    show(next) {
      context = next;
      if (drawn !== keyOf(next)) void draw();
    },
  };
}

/** @param {Context} context */
function keyOf({ trace, of, record }) {
  return `${trace.id} ${of} ${record.name}`;
}

/** @param {Context} context */
async function sample({ trace, record, of }) {
  const fit = cellsOf(record.shape) > MOST ? SAMPLE : undefined;
  const [{ values }] = await tensors(trace.id, [record.name], { fit, of });
  return values;
}

/** @param {Context} context @param {number} seen @param {number} other */
function words({ record }, seen, other) {
  const all = cellsOf(record.shape);
  const part = seen < all ? `A sample: ${count(seen)} of ${count(all)} values, every k-th row and column.` : `All ${count(all)} values.`;
  return other ? `${part} ${count(other)} of them are not finite and not in a bar.` : part;
}

/** @param {import("./bins.js").Bins} bins */
function trace({ edges, counts }) {
  const { css } = palette();
  const widths = counts.map((_, i) => edges[i + 1] - edges[i]);
  return {
    type: "bar", x: counts.map((_, i) => (edges[i] + edges[i + 1]) / 2), y: counts, width: widths, customdata: counts.map((_, i) => [edges[i], edges[i + 1]]),
    hovertemplate: "%{customdata[0]:.4g} to %{customdata[1]:.4g}: %{y}<extra></extra>", marker: { color: css("--ink-soft"), line: { width: 0.5, color: css("--panel") } },
  };
}

function layout() {
  const { css } = palette();
  const axis = { gridcolor: css("--line"), zerolinecolor: css("--line-strong"), linecolor: css("--line-strong"), tickcolor: css("--line-strong"), fixedrange: true };
  return {
    height: 190, margin: { l: 44, r: 8, t: 8, b: 36 }, bargap: 0, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", dragmode: false,
    font: { family: css("--sans"), size: 11, color: css("--ink-soft") }, xaxis: { ...axis, title: { text: "value", standoff: 6 } }, yaxis: { ...axis, title: { text: "how many", standoff: 6 }, rangemode: "tozero" },
    hoverlabel: { bgcolor: css("--panel"), bordercolor: css("--line-strong"), font: { color: css("--ink"), size: 12 } }, separators: ". ",
  };
}
