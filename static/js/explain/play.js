/** Playing a matrix product: row times column, the sum growing term by term, one cell after the other. */

import { still } from "../core/motion.js";
import { createPlayControls, RATES } from "./play-controls.js";
import { createPlaySum } from "./play-sum.js";
import { addedAt, cellBefore, nextCell, placeOf, shareAt, stepped, sumOf } from "./product-walk.js";

/**
 * @typedef {import("../core/types.js").Explanation} Explanation @typedef {import("./product-walk.js").Stand} Stand @typedef {import("./product-walk.js").Sum} Sum
 * @typedef {{shape: number[], count: number, roles: {left: string, above: string}, cell: number[]}} Product   `cell` is where a walk begins
 *
 * @typedef {object} Play
 * @property {HTMLElement} element   the buttons
 * @property {HTMLElement} line      the sum, while there is one
 * @property {(product: Product | null) => void} show
 * @property {() => boolean} running   a walk is on screen, moving or paused
 */

/** A step of time that is longer than this was a pause of the browser's. */
const LONGEST = 100;
/** As many terms as an answer holds. */
const MOST = 1024;

/**
 * @param {object} host
 * @param {(at: {cell: number[], term: number | null, done: number} | null) => void} host.light   null when the walk is over
 * @param {(cell: number[], count: number) => Promise<Explanation | null>} host.explain
 * @param {(cell: number[]) => void} host.open
 * @returns {Play}
 */
export function createPlay({ light, explain, open }) {
  const sums = createPlaySum(() => { if (stand) open(stand.cell); });
  const line = sums.element;
  const controls = createPlayControls({ toggle, step: (by) => void step(by), cell: (by) => void skip(by), stop });
  const element = controls.element;
  element.hidden = true;
  /** @type {Product | null} */
  let product = null;
  /** @type {Stand | null} */
  let stand = null;
  /** @type {{key: string, sum: Sum} | null} the sum of the cell that the walk is at */
  let worked = null;
  let [moving, frame, before, spent] = [false, 0, 0, 0];

  function terms() {
    return product ? Math.min(product.count, MOST) : 0;
  }

  /** @param {number[]} cell @returns {Promise<Sum | null>} */
  async function sumAt(cell) {
    const mine = product;
    if (!mine) return null;
    const answer = await explain(cell, terms());
    return answer && mine === product ? sumOf(answer, mine.roles) : null;
  }

  /** Go to a place of the walk; the next cell's sum is fetched meanwhile. @param {Stand | null} to @returns {Promise<boolean>} */
  async function go(to) {
    if (!product || !to) return false;
    const mine = product;
    stand = to;
    const key = String(to.cell);
    if (worked?.key !== key) {
      const sum = await sumAt(to.cell);
      if (!sum || mine !== product || String(stand?.cell) !== key) return false;
      worked = { key, sum };
      const ahead = nextCell(mine.shape, to.cell);
      if (ahead) void explain(ahead, terms());
    }
    draw();
    return true;
  }

  function draw() {
    if (!product || !stand || !worked) return;
    const { cell, added } = stand;
    const whole = added >= terms();
    light({ cell, term: added > 0 ? added - 1 : null, done: placeOf(product.shape, cell) + (whole ? 1 : 0) });
    line.hidden = false;
    sums.write(worked.sum, added);
    controls.tell({ moving, begun: true });
  }

  function toggle() {
    if (moving) return pause();
    if (still() || !product) return;
    moving = true;
    before = performance.now();
    const from = stand && stand.added < terms() ? stand : { cell: (stand && nextCell(product.shape, stand.cell)) ?? product.cell, added: 0 };
    spent = shareAt(from.added, terms());
    void go({ cell: from.cell, added: Math.max(1, from.added) }).then(() => { if (moving) frame = requestAnimationFrame(run); });
  }

  /** @param {number} now */
  function run(now) {
    if (!moving || !product || !stand) return;
    spent += (Math.min(now - before, LONGEST) / 1000) * RATES[controls.rate()].cells;
    before = now;
    const ready = worked?.key === String(stand.cell);
    if (spent >= 1 && ready) {
      const next = nextCell(product.shape, stand.cell);
      if (!next) return pause();
      spent = 0;
      void go({ cell: next, added: 1 });
    } else if (ready) {
      const added = addedAt(spent, terms());
      if (added !== stand.added) void go({ cell: stand.cell, added });
    }
    frame = requestAnimationFrame(run);
  }

  function pause() {
    moving = false;
    cancelAnimationFrame(frame);
    controls.tell({ moving, begun: stand !== null });
  }

  /** @param {number} by */
  async function step(by) {
    pause();
    if (product) await go(stand ? stepped(product.shape, stand, by, terms()) : { cell: product.cell, added: 1 });
  }

  /** @param {number} by */
  async function skip(by) {
    pause();
    if (!product) return;
    const next = stand ? (by > 0 ? nextCell(product.shape, stand.cell) : cellBefore(product.shape, stand.cell)) : product.cell;
    await go(next && { cell: next, added: terms() });
  }

  function stop() {
    pause();
    [stand, worked] = [null, null];
    line.hidden = true;
    controls.tell({ moving, begun: false });
    light(null);
  }

  return {
    element, line,
    running: () => stand !== null,
    show(next) {
      const same = next && product && next.cell.join() === product.cell.join() && next.shape.join() === product.shape.join() && next.count === product.count;
      if (same) return;
      product = next;
      element.hidden = !next;
      stop();
    },
  };
}
