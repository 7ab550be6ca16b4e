/** The fields of a training that is about to begin: each with what it means, and with what the server said against it. */

import { el } from "../core/dom.js";

/** @typedef {import("./train-recipe.js").Field} Field @typedef {import("./train-types.js").Task} Task */

/**
 * @param {Field} field
 * @param {string | undefined} typed
 * @param {(text: string) => void} type
 */
export function fieldRow({ name, title, value, choices, says }, typed, type) {
  const id = idOf(name);
  const text = typed ?? String(value);
  const shared = { id, "aria-describedby": `${id}-says ${id}-wrong` };
  const control = typeof value === "boolean" ? el("input", { ...shared, type: "checkbox", role: "switch", class: "switch", checked: text === "true", on: { change: (/** @type {any} */ { target }) => type(String(target.checked)) } })
    : choices ? el("select", { ...shared, class: "button", on: { change: (/** @type {any} */ { target }) => type(target.value) } }, ...choices.map((choice) => el("option", { value: choice, selected: String(choice) === text, text: choice })))
      : el("input", { ...shared, type: "text", class: "button tr-field", autocomplete: "off", spellcheck: "false", inputmode: typeof value === "number" || name === "warm_up" ? "decimal" : null, value: text, placeholder: value, on: { input: (/** @type {any} */ { target }) => type(target.value) } });
  return el("div", { class: `tr-row${typeof value === "string" && !choices && name === "name" ? " wide" : ""}` }, el("label", { for: id, text: title }), control, el("span", { class: "soft small", id: `${id}-says`, text: says ?? "" }), wrong(name));
}

/**
 * The sentences: pasted, or out of a text file.
 * @param {string} text
 * @param {(text: string) => void} type
 */
export function pairsRow(text, type) {
  const area = el("textarea", {
    id: idOf("pairs"), class: "tr-pairs mono", rows: 6, dir: "auto", spellcheck: "false", "aria-describedby": `${idOf("pairs")}-says ${idOf("pairs")}-wrong`,
    placeholder: "good morning | guten Morgen\nthank you | danke", on: { input: () => type(area.value) },
  });
  area.value = text;
  const note = el("span", { class: "soft small", id: `${area.id}-says`, text: "a line each: source, then a tab, | or comma, then target" });
  const file = el("input", { type: "file", class: "visually-hidden", accept: ".txt,.tsv,.csv,text/plain,text/csv,text/tab-separated-values", tabindex: -1, "aria-hidden": "true", on: { change: () => void take() } });
  async function take() {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    const { text: read, encoding } = decoded(await chosen.arrayBuffer());
    area.value = read;
    file.value = "";
    note.textContent = encoding === "UTF-8" ? `${chosen.name} is in the box; it can be changed there` : `${chosen.name} is not UTF-8 and was read as ${encoding}: look whether its letters are right`;
    type(read);
  }
  return el("div", { class: "tr-sentences" }, el("label", { for: area.id, text: "pairs of sentences" }), area,
    el("div", { class: "tr-line" }, el("button", { type: "button", class: "button", text: "Choose a text file …", on: { click: () => file.click() } }), file, note), wrong("pairs"));
}

/**
 * UTF-8, or UTF-16 where the file begins as that does; else Windows-1252, in which every byte is a character, so that nothing is lost.
 * @param {ArrayBuffer} bytes
 * @returns {{text: string, encoding: string}}
 */
export function decoded(bytes) {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  const as = (/** @type {string} */ name, /** @type {string} */ encoding, fatal = false) => ({ text: new TextDecoder(name, { fatal }).decode(bytes), encoding });
  if (first === 0xff && second === 0xfe) return as("utf-16le", "UTF-16");
  if (first === 0xfe && second === 0xff) return as("utf-16be", "UTF-16");
  try {
    return as("utf-8", "UTF-8", true);
  } catch {
    return as("windows-1252", "Windows-1252");
  }
}

/**
 * The choice of a task: a card each, with an example.
 * @param {Task[]} tasks
 * @param {string} chosen
 * @param {(id: string) => void} choose
 */
export function taskCards(tasks, chosen, choose) {
  return el("fieldset", { class: "tr-tasks" }, el("legend", { class: "visually-hidden", text: "what it learns" }), ...tasks.map((task) => {
    const example = tellingExample(task.examples);
    return el("label", { class: "tr-task" }, el("input", { type: "radio", name: "tr-task", id: `tr-task-${task.id}`, value: task.id, checked: task.id === chosen, on: { change: () => choose(task.id) } }),
      el("b", { text: task.title }), example ? el("span", { class: "small" }, el("bdi", { class: "of-src", text: example.src }), " → ", el("bdi", { class: "of-tgt", text: example.tgt })) : el("span", { class: "small soft", text: "your own: pasted, or a text file" }));
  }));
}

/**
 * The shortest example that shows what is learned: several tokens, and a target that is not the source continued. Pure.
 * @param {Task["examples"]} examples
 */
export function tellingExample(examples) {
  const varied = [...examples].sort((a, b) => a.src.length - b.src.length).filter(({ src }) => new Set(src.replaceAll(" ", "")).size > 2);
  return varied.find(({ src, tgt }) => !tgt.startsWith(src)) ?? varied[0] ?? examples[0];
}

/** @param {string} name */
export function idOf(name) {
  return `tr-${name.replace(".", "-")}`;
}

/** @param {string} name */
function wrong(name) {
  return el("p", { class: "problem small tr-wrong", id: `${idOf(name)}-wrong`, role: "alert", hidden: true });
}
