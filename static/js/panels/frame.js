/** The panels above the strip, of which at most one is open. A panel is fetched and made when it is first opened, and costs nothing while closed. */

import { el, fill } from "../core/dom.js";
import { covers } from "./open.js";

/**
 * @typedef {import("../core/store.js").Store} Store @typedef {import("../core/store.js").State} State @typedef {import("../core/actions.js").Actions} Actions
 *
 * What a panel's module makes: its body, what stands beside its title, and `show`, which is called when the panel opens and, while it
 * is open, whenever another step, trace or place is on screen.
 * @typedef {{element: HTMLElement, tools?: HTMLElement[], show: () => void}} Panel
 * It may call its button something else while it has news.
 * @typedef {{id: string, title: string, name: string, region?: string, says: string, load: () => Promise<{create: (store: Store, actions: Actions, call: (title: string | null) => void) => Panel}>}} PanelKind
 *
 * Panels that belong together: their kinds in the order of their buttons, and whether they have anything to show now.
 * @typedef {{kinds: PanelKind[], serves: (state: State) => boolean}} Registry
 */

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {Registry} registry
 * @returns {{root: HTMLElement, buttons: HTMLElement}}
 */
export function createFrame(store, actions, { kinds, serves }) {
  /** @type {Map<string, Panel>} */
  const made = new Map();
  const heading = el("h2");
  const tools = el("div", { class: "panel-tools" });
  const close = el("button", { type: "button", class: "button icon panel-close", on: { click: shut } }, "×");
  const body = el("div", { class: "panel-body" });
  const root = el("div", { class: "panel", id: `panel-${kinds[0].id}`, role: "region", hidden: true }, el("div", { class: "panel-head" }, heading, tools, close), body);
  const buttons = el("div", { class: "panel-buttons", role: "group", "aria-label": "panels" }, ...kinds.map(({ id, title, name, says }) => el("button", {
    type: "button", class: "button panel-button", "aria-expanded": "false", "aria-controls": root.id, "aria-label": name, title: says, text: title, data: { panel: id },
    on: { click: () => press(id) },
  })));

  /** @param {string} id */
  function press(id) {
    store.set({ panel: store.get().panel === id ? null : id });
    if (store.get().panel === id && covers()) close.focus();
  }

  function shut() {
    const { panel } = store.get();
    store.set({ panel: null });
    /** @type {HTMLElement | null} */ (buttons.querySelector(`[data-panel="${panel}"]`))?.focus();
  }

  /** @returns {PanelKind | null} */
  function opened() {
    const state = store.get();
    return serves(state) ? kinds.find(({ id }) => id === state.panel) ?? null : null;
  }

  /** @param {PanelKind} kind */
  async function make(kind) {
    try {
      const { create } = await kind.load();
      const call = (/** @type {string | null} */ title) => { /** @type {HTMLElement} */ (buttons.querySelector(`[data-panel="${kind.id}"]`)).textContent = title ?? kind.title; };
      if (!made.has(kind.id)) made.set(kind.id, create(store, actions, call));
      arrange();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      if (opened() === kind) fill(body, el("p", { class: "notice", text: "This part of the page did not load. Close it and open it again when the server answers." }));
    }
  }

  function arrange() {
    const kind = opened();
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (buttons.querySelectorAll("[data-panel]"))) button.setAttribute("aria-expanded", String(button.dataset.panel === kind?.id));
    root.hidden = kind === null;
    if (!kind) return fill(body);
    if (root.dataset.panel !== kind.id) {
      heading.textContent = kind.name;
      root.setAttribute("aria-label", kind.region ?? kind.name);
      root.dataset.panel = kind.id;
      close.setAttribute("aria-label", `Close ${kind.name}`);
      fill(tools);
      fill(body);
    }
    const panel = made.get(kind.id);
    if (!panel) return void make(kind);
    if (body.firstElementChild !== panel.element) {
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
  new ResizeObserver(([{ target }]) => root.style.setProperty("--strip", `${/** @type {HTMLElement} */ (target).offsetHeight}px`)).observe(/** @type {HTMLElement} */ (document.getElementById("timeline")));
  store.subscribe(["panel", "decoding", "step", "trace", "index"], arrange);
  return { root, buttons };
}
