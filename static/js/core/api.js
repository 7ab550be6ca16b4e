/** Talking to the server. Values come as bytes (safetensors) and need no decoding; answers that cannot change are kept. */

import { ask } from "./ask.js";

export { ServerError } from "./problems.js";

const KEPT_BYTES = 64 * 2 ** 20;
const LATELY = 6;

/**
 * Ask for JSON.
 * @param {string} address
 * @param {{body?: unknown, method?: string, signal?: AbortSignal, key?: string} & import("./ask.js").Manner} [options] with a body it is posted, a
 *   file as it is; `key` tells the server that two requests are one
 * @returns {Promise<any>} null where the answer is empty
 */
export async function json(address, { body, method, signal, key, ...manner } = {}) {
  const file = body instanceof Blob;
  const headers = { ...(body === undefined ? {} : { "Content-Type": file ? "application/octet-stream" : "application/json" }), ...(key ? { "Idempotency-Key": key } : {}) };
  const sent = body === undefined ? { method } : { method: method ?? "POST", body: file ? body : JSON.stringify(body) };
  const answer = await ask(address, { ...sent, headers, signal }, manner);
  return answer.status === 204 ? null : answer.json();
}

/** @type {Map<string, {bytes: number, values: import("./types.js").Values[]}>} */
const kept = new Map();

/**
 * Fetch tensors of a trace, several in one answer. What a trace holds never changes, so an answer is kept and given again.
 * @param {string} trace
 * @param {string[]} names
 * @param {{index?: string, fit?: string, of?: "value" | "gradient", signal?: AbortSignal, aside?: boolean}} [options] a slice, as docs/http-api.md
 *   writes it; `aside`: of another trace than the one on screen
 * @returns {Promise<import("./types.js").Values[]>} in the order of the names
 */
export async function tensors(trace, names, { index, fit, of = "value", signal, aside = false } = {}) {
  if (!aside && of === "value") askedLately(trace, names, { index, fit });
  return fetchTensors(trace, names, { index, fit, of, signal });
}

/** @param {string} trace @param {string[]} names @param {{index?: string, fit?: string, of?: "value" | "gradient", signal?: AbortSignal, quiet?: boolean}} options */
async function fetchTensors(trace, names, { index, fit, of = "value", signal, quiet }) {
  const query = new URLSearchParams({ names: names.join(",") });
  if (index) query.set("index", index);
  if (fit) query.set("fit", fit);
  if (of === "gradient") query.set("of", of);
  const address = `/api/traces/${trace}/tensors?${query}`;
  const known = kept.get(address);
  if (known) {
    kept.delete(address);
    kept.set(address, known);
    return known.values;
  }
  const bytes = await (await ask(address, { signal }, { quiet })).arrayBuffer();
  const read = readSafetensors(bytes);
  const values = names.map((name) => /** @type {import("./types.js").Values} */ (read.get(name)));
  keep(address, bytes.byteLength, values);
  return values;
}

/** @typedef {{names: string[], slice: {index?: string, fit?: string}}} Asked */

/** @type {{trace: string, asked: Map<string, Asked>}} what was fetched of the newest trace */
let lately = { trace: "", asked: new Map() };

/** @param {string} trace @param {string[]} names @param {{index?: string, fit?: string}} slice */
function askedLately(trace, names, slice) {
  if (lately.trace !== trace) lately = { trace, asked: new Map() };
  lately.asked.set(JSON.stringify([names, slice]), { names, slice });
}

/**
 * Fetch for one trace what was lately fetched for another, before it is wanted: the next step of a decoding.
 * @param {string} shown
 * @param {string} next
 */
export async function fetchLike(shown, next) {
  if (lately.trace !== shown) return;
  await Promise.all([...lately.asked.values()].slice(-LATELY).map(({ names, slice }) => fetchTensors(next, names, { ...slice, quiet: true })));
}

/**
 * Read a safetensors file without copying its values.
 * @param {ArrayBuffer} bytes
 * @returns {Map<string, import("./types.js").Values>}
 */
export function readSafetensors(bytes) {
  const length = Number(new DataView(bytes).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, length)));
  const base = 8 + length;
  const found = new Map();
  for (const [name, entry] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    const about = JSON.parse(header.__metadata__?.[name] ?? "{}");
    const axes = words(about.axes).map((axis) => axis.split(":"));
    const [from, to] = entry.data_offsets;
    found.set(name, {
      name, shape: entry.shape,
      axes: axes.map(([axis]) => axis), over: axes.map(([axis, over]) => over ?? axis),
      start: about.start ?? entry.shape.map(() => 0), step: about.step ?? entry.shape.map(() => 1), full: about.shape ?? entry.shape,
      values: view(bytes, entry.dtype, base + from, to - from),
    });
  }
  return found;
}

/** @param {string | undefined} text @returns {string[]} */
function words(text) {
  return (text ?? "").split(" ").filter(Boolean);
}

/** @type {Record<string, Float32ArrayConstructor | Uint8ArrayConstructor | BigInt64ArrayConstructor>} */
const KINDS = { F32: Float32Array, U8: Uint8Array, BOOL: Uint8Array, I64: BigInt64Array };

/** @param {ArrayBuffer} bytes @param {string} dtype @param {number} at @param {number} length */
function view(bytes, dtype, at, length) {
  const Kind = KINDS[dtype];
  if (!Kind) throw new Error(`a tensor of type ${dtype} cannot be shown`);
  const whole = at % Kind.BYTES_PER_ELEMENT === 0;
  return whole ? new Kind(bytes, at, length / Kind.BYTES_PER_ELEMENT) : new Kind(bytes.slice(at, at + length));
}

/** @param {string} address @param {number} bytes @param {import("./types.js").Values[]} values */
function keep(address, bytes, values) {
  kept.set(address, { bytes, values });
  let total = 0;
  for (const entry of kept.values()) total += entry.bytes;
  for (const [oldest, entry] of kept) {
    if (total <= KEPT_BYTES) break;
    total -= entry.bytes;
    kept.delete(oldest);
  }
}
