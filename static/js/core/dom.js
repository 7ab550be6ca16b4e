/** Making elements. Text always goes in as text, never as markup, and with nothing in it that cannot be seen. */

import { seen } from "./seen.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Record<string, any>} Attributes  `class`, `text`, `on` (listeners by event), `data` (dataset), `vars` (CSS custom
 *   properties), any ARIA or HTML attribute; true sets an empty attribute, false, null and undefined leave it out
 */

/** Attributes that are read as text is. */
const READ = ["title", "aria-label", "aria-valuetext", "placeholder"];

/**
 * Make an HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  dress(made, attributes);
  made.append(...kept(children));
  return made;
}

/**
 * Make an SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  dress(made, attributes);
  made.append(...kept(children));
  return made;
}

/**
 * Set attributes on an element, as `el` does.
 * @param {HTMLElement | SVGElement} element
 * @param {Attributes} attributes
 */
export function dress(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else if (name === "text") element.textContent = seen(String(value));
    else if (name === "on") for (const [type, listener] of Object.entries(value)) element.addEventListener(type, /** @type {EventListener} */ (listener));
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "vars") for (const [key, word] of Object.entries(value)) element.style.setProperty(key, String(word));
    else element.setAttribute(name, value === true ? "" : READ.includes(name) ? seen(String(value)) : String(value));
  }
}

/**
 * Replace everything inside an element.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...kept(children));
}

/**
 * What may wait until what is there is on the screen.
 * @param {() => void} work
 */
export function afterPaint(work) {
  requestAnimationFrame(() => setTimeout(work));
}

/**
 * Put a formula into the page. `mathml` comes from our own server, which made it from the network's own formulas; it is parsed as
 * XML, apart from the page, and only MathML elements are taken over.
 * @param {string} mathml
 * @returns {Element}
 */
export function math(mathml) {
  const parsed = new DOMParser().parseFromString(/** @type {string} */ (inert(mathml)), "application/xml").documentElement;
  return /** @type {Element} */ (adopt(parsed));
}

/** @type {{createHTML: (text: string) => unknown} | null} */
let policy = null;

/** Text for a parser whose document is never shown: browsers with Trusted Types want to be told so. @param {string} text @returns {unknown} */
function inert(text) {
  const types = /** @type {any} */ (globalThis).trustedTypes;
  if (!types) return text;
  policy ??= types.createPolicy("glassformer-formulas", { createHTML: (/** @type {string} */ markup) => markup });
  return /** @type {NonNullable<typeof policy>} */ (policy).createHTML(text);
}

const MATHML = "http://www.w3.org/1998/Math/MathML";

/** @param {Element} node @returns {Element} */
function adopt(node) {
  const made = document.createElementNS(MATHML, node.localName);
  for (const { name, value } of node.attributes) if (name !== "xmlns" && !name.startsWith("on")) made.setAttribute(name, value);
  for (const child of node.childNodes) made.append(child.nodeType === Node.ELEMENT_NODE ? adopt(/** @type {Element} */ (child)) : (child.textContent ?? ""));
  return made;
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function kept(children) {
  return children.filter((child) => child !== null && child !== undefined && child !== false).map((child) => (child instanceof Node ? child : seen(String(child))));
}
