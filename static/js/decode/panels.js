/** The panels above the steps, of which at most one is open. A panel is made when it is first opened, and costs nothing while closed. */

import { el, fill } from "../core/dom.js";
import { create as attention } from "./attention.js";
import { create as cache } from "./cache.js";
import { create as output } from "./output.js";
import { create as target } from "./target.js";
import { create as tree } from "./tree.js";

/**
 * @typedef {import("../core/store.js").Store} Store @typedef {import("../core/actions.js").Actions} Actions
 *
 * What a panel's module makes: its body, what stands beside its title, and `show`, which is called when the panel opens and, while it
 * is open, whenever another step, trace or place is on screen.
 * @typedef {{element: HTMLElement, tools?: HTMLElement[], show: () => void}} Panel
 * @typedef {{id: string, title: string, name: string, region?: string, says: string, create: (store: Store, actions: Actions) => Panel}} PanelKind
 */

/** @type {PanelKind[]} in the order of their buttons */
export const PANELS = [
  { id: "attention", title: "Attention", name: "Cross-attention so far", region: "cross-attention of the steps so far", says: "Which source tokens each written token looked at", create: attention },
  { id: "tree", title: "Tree", name: "Tree of hypotheses", says: "Every hypothesis that lived or died", create: tree },
  { id: "output", title: "Output", name: "Output and alignment", says: "What was written, token by token, and where each token comes from", create: output },
  { id: "target", title: "Target", name: "Target beside what is written", says: "Fed the target beside fed its own tokens", create: target },
  { id: "cache", title: "Cache", name: "Kept keys and values", says: "What keeping keys and values saves", create: cache },
];

/**
 * @param {Store} store
 * @param {Actions} actions
 * @returns {{root: HTMLElement, buttons: HTMLElement}}
 */
export function createPanels(store, actions) {
  /** @type {Map<string, Panel>} */
  const made = new Map();
  const heading = el("h2", { id: "panel-title" });
  const tools = el("div", { class: "panel-tools" });
  const close = el("button", { type: "button", class: "button icon panel-close", on: { click: shut } }, "×");
  const body = el("div", { class: "panel-body" });
  const root = el("div", { class: "panel", id: "decode-panel", role: "region", hidden: true }, el("div", { class: "panel-head" }, heading, tools, close), body);
  const buttons = el("div", { class: "panel-buttons", role: "group", "aria-label": "panels" }, ...PANELS.map(({ id, title, name, says }) => el("button", {
    type: "button", class: "button panel-button", "aria-expanded": "false", "aria-controls": root.id, "aria-label": name, title: says, text: title, data: { panel: id },
    on: { click: () => store.set({ panel: store.get().panel === id ? null : id }) },
  })));

  function shut() {
    const { panel } = store.get();
    store.set({ panel: null });
    /** @type {HTMLElement | null} */ (buttons.querySelector(`[data-panel="${panel}"]`))?.focus();
  }

  /** @returns {PanelKind | null} */
  function opened() {
    const { decoding, panel } = store.get();
    return decoding ? PANELS.find(({ id }) => id === panel) ?? null : null;
  }

  /** @param {PanelKind} kind @returns {Panel} */
  function panelOf(kind) {
    const panel = made.get(kind.id) ?? kind.create(store, actions);
    made.set(kind.id, panel);
    return panel;
  }

  function arrange() {
    const kind = opened();
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (buttons.querySelectorAll("[data-panel]"))) button.setAttribute("aria-expanded", String(button.dataset.panel === kind?.id));
    root.hidden = kind === null;
    if (!kind) return fill(body);
    const panel = panelOf(kind);
    if (body.firstElementChild !== panel.element) {
      heading.textContent = kind.name;
      root.setAttribute("aria-label", kind.region ?? kind.name);
      root.dataset.panel = kind.id;
      close.setAttribute("aria-label", `Close ${kind.name}`);
      fill(tools, ...(panel.tools ?? []));
      fill(body, panel.element);
    }
    panel.show();
  }

  document.addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.key !== "Escape" || event.defaultPrevented || root.hidden || !(target instanceof Element)) return;
    if (target !== document.body && !target.closest("#timeline") || target.closest(".menu")) return;
    event.preventDefault();
    event.stopPropagation();
    shut();
  }, { capture: true });
  store.subscribe(["panel", "decoding", "step", "trace", "index"], arrange);
  return { root, buttons };
}
