/** The chooser of how the next token is chosen: greedy, beam or sampling, with their settings, and whether keys and values are kept. */

import { el, fill, math } from "../core/dom.js";
import { createMenu } from "../core/menu.js";
import { wayInWords } from "../core/way.js";

/**
 * @typedef {import("../core/store.js").Store} Store @typedef {import("../core/actions.js").Actions} Actions
 * @typedef {import("../core/types.js").Strategy} Strategy @typedef {import("../core/types.js").Problem} Problem @typedef {import("../core/way.js").Way} Way
 * @typedef {(where: string) => HTMLElement | null} Wrong   what the server said about a setting
 */

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {() => Promise<boolean>} start   begin a decoding in the chosen way
 * @returns {{root: HTMLElement, begin: () => Promise<boolean>}} `begin` starts, and says here what the server refused
 */
export function createStrategy(store, actions, start) {
  const menu = createMenu("How the next token is chosen", { class: "ways" });
  /** @type {Strategy[]} */
  let strategies = [];
  /** A width that was not chosen is one that fits beside the other sentences. @param {Strategy["settings"][number]} setting */
  const usual = ({ name, value }) => name === "width" ? widthFor(value, store.get().most, store.get().input.src.length) : value;
  /** @type {Problem | null} */
  let refused = null;

  /** The strategies, as they go here when nothing is chosen. */
  const asUsual = () => strategies.map((each) => ({ ...each, settings: each.settings.map((setting) => ({ ...setting, value: usual(setting) })) }));
  /** @param {Strategy["settings"][number]} setting */
  const told = (setting) => setting.name === "width" ? { ...setting, says: `${setting.says}, at most ${store.get().most} in all` } : setting;

  /** @param {Partial<Way>} patch */
  const change = (patch) => store.set({ way: { ...store.get().way, ...patch } });

  /** @param {string} name @param {number | string} value */
  function set(name, value) {
    const { kind, settings } = store.get().way;
    change({ settings: { ...settings, [kind]: { ...settings[kind], [name]: value } } });
  }

  async function begin() {
    refused = null;
    const { kind, settings } = store.get().way;
    const wide = strategies.find((each) => each.kind === kind)?.settings.find(({ name }) => name === "width");
    if (wide && settings[kind]?.width === undefined && usual(wide) !== wide.value) set("width", usual(wide));
    const began = await start();
    const { problem } = store.get();
    if (!began && problem && /^(strategy|cache)/.test(problem.where)) {
      refused = problem;
      store.set({ problem: null });
      await show();
      menu.open();
      /** @type {HTMLElement | null} */ (menu.panel.querySelector("[aria-invalid=true]"))?.focus();
    } else if (began) menu.close();
    return began;
  }

  /** Draw once more: the same way with the next seed. @param {number | string} seed */
  function again(seed) {
    set("seed", Number(seed) + 1 || 0);
    void begin();
  }

  async function show() {
    if (!strategies.length) strategies = await actions.strategies().catch(() => []);
    render();
  }

  /** @param {string} where */
  function wrong(where) {
    return refused?.where === where ? el("p", { class: "problem small", role: "alert", text: refused.message }) : null;
  }

  function render() {
    const { way, decoding } = store.get();
    menu.button.textContent = wayInWords(way, asUsual());
    menu.button.setAttribute("aria-label", `How the next token is chosen: ${menu.button.textContent}`);
    const strategy = strategies.find(({ kind }) => kind === way.kind);
    if (menu.panel.hidden && !refused || !strategy) return;
    const held = menu.panel.contains(document.activeElement) ? document.activeElement?.id : null;
    fill(menu.panel, el("form", { class: "way-form", autocomplete: "off", novalidate: true, on: { submit: (/** @type {Event} */ event) => { event.preventDefault(); void begin(); } } },
      el("div", { class: "way-kinds", role: "group", "aria-label": "strategy" }, ...strategies.map(({ kind, title }) => el("button", { type: "button", class: "button", id: `way-${kind}`, "aria-pressed": String(kind === way.kind), text: title, on: { click: () => { refused = null; change({ kind }); } } }))),
      el("p", { class: "small soft", text: strategy.says }), el("p", { class: "way-rule" }, math(strategy.rule)),
      ...strategy.settings.map((setting) => row(told(setting), way.settings[way.kind]?.[setting.name] ?? usual(setting), { set, again, wrong })), wrong("strategy"),
      cacheRow(way.cache, (cache) => change({ cache }), wrong),
      el("button", { type: "submit", class: "button primary", text: decoding ? "Start anew" : "Decode" })));
    if (held) document.getElementById(held)?.focus();
  }

  menu.button.addEventListener("click", () => void show());
  store.subscribe(["most", "input"], () => { if (store.get().way.kind === "beam") render(); });
  store.subscribe(["way", "decoding"], ({ way, decoding }, changed) => {
    if (decoding && !strategies.length) void show();
    if (changed.has("decoding") || way.kind !== shown.kind || way.cache !== shown.cache) render();
    else menu.button.textContent = wayInWords(way, asUsual());
    shown = way;
  });
  let shown = store.get().way;
  render();
  return { root: menu.root, begin };
}

/** Rows are sentences times width. @param {number} width @param {number} most @param {number} sentences */
export function widthFor(width, most, sentences) {
  return Math.max(1, Math.min(width, Math.floor(most / Math.max(sentences, 1))));
}

/**
 * @param {Strategy["settings"][number]} setting
 * @param {number | string} value
 * @param {{set: (name: string, value: string) => void, again: (seed: number | string) => void, wrong: Wrong}} on
 */
function row({ name, title, says }, value, { set, again, wrong }) {
  const id = `way-${name}`;
  const problem = wrong(`strategy.${name}`);
  const field = el("input", { id, type: "text", inputmode: "decimal", class: "button way-field", value, "aria-describedby": `${id}-says`, "aria-invalid": problem ? "true" : null, on: { input: () => set(name, field.value) } });
  return el("div", { class: "setting" }, el("label", { for: id, class: "setting-title", text: title }),
    el("span", { class: "way-value" }, name === "seed" && el("button", { type: "button", class: "button way-again", id: "way-again", text: "draw again", title: "Decode with the next seed", on: { click: () => again(field.value) } }), field),
    el("span", { class: "small soft setting-says", id: `${id}-says`, text: says }), problem);
}

/** @param {boolean} on @param {(on: boolean) => void} change @param {Wrong} wrong */
function cacheRow(on, change, wrong) {
  return el("div", { class: "setting" }, el("label", { for: "way-cache", class: "setting-title", text: "keep keys and values" }),
    el("input", { type: "checkbox", role: "switch", id: "way-cache", class: "switch", checked: on, "aria-describedby": "way-cache-says", on: { change: (/** @type {any} */ event) => change(event.target.checked) } }),
    el("span", { class: "small soft setting-says", id: "way-cache-says", text: "each step computes the new position alone; the tensors shown are those of the whole pass" }), wrong("cache"));
}
