/** Plotly, fetched only when a chart is opened: a classic script of our own server, at the address the page names. */

/** @typedef {{react: (root: HTMLElement, traces: object[], layout: object, config: object) => Promise<unknown>, Plots: {resize: (root: HTMLElement) => void}}} Plotly */

/** @type {Promise<Plotly> | null} */
let loading = null;

/** @returns {Promise<Plotly>} fails with a TypeError, as an import does; then it can be asked for again */
export function loadPlotly() {
  loading ??= load().catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** Have the browser fetch the script while it has nothing else to do; running it waits until a chart needs it. */
export function prefetchPlotly() {
  const idle = globalThis.requestIdleCallback ?? ((/** @type {() => void} */ go) => setTimeout(go, 2000));
  idle(() => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "prefetch", as: "script", href: address() });
    link.dataset.asked = "again";
    document.head.append(link);
  });
}

/** @returns {Promise<Plotly>} */
function load() {
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = /** @type {string} */ (/** @type {unknown} */ (trusted(address())));
    script.dataset.asked = "again";
    const restore = lendStyles();
    script.addEventListener("load", () => {
      restore();
      done(/** @type {any} */ (globalThis).Plotly);
    });
    script.addEventListener("error", () => {
      restore();
      failed(new TypeError("plotly.js did not load"));
    });
    document.head.append(script);
  });
}

/**
 * Plotly makes style elements, which the page's policy forbids. Its own rules it adds one by one to the sheet with a certain id: it
 * is lent one of ours, which may take rules. The rules for maps, which it writes as text while it starts, go into an inert element.
 * @returns {() => void} ends the second
 */
function lendStyles() {
  const sheet = document.querySelector('link[rel="stylesheet"]');
  if (sheet) sheet.id = "plotly.js-style-global";
  const create = document.createElement;
  document.createElement = (/** @type {string} */ tag, /** @type {ElementCreationOptions | undefined} */ options) => create.call(document, tag === "style" ? "template" : tag, options);
  return () => Reflect.deleteProperty(document, "createElement");
}

function address() {
  return /** @type {HTMLMetaElement} */ (document.querySelector('meta[name="plotly"]')).content;
}

/** The one address that may become a script here. @param {string} wanted */
function trusted(wanted) {
  const types = /** @type {any} */ (globalThis).trustedTypes;
  if (!types) return wanted;
  policy ??= types.createPolicy("glassformer-plotly", {
    createScriptURL: (/** @type {string} */ url) => {
      if (url !== address()) throw new TypeError(`${url} is not the address of plotly.js`);
      return url;
    },
  });
  return policy.createScriptURL(wanted);
}

/** @type {any} */
let policy = null;
