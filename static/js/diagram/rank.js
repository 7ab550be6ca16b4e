/** Boxes with wires between them put into rows: each box above all that it reads, long wires keeping a lane of their own. Pure: no DOM. */

/**
 * @typedef {{id: string, width: number, row: number, x: number, lane: boolean}} Node  `lane`: no box, a wire passing by
 * @typedef {{id: string, from: string, to: string[]}} Wire
 * @typedef {{nodes: Map<string, Node>, rows: Node[][], steps: {wire: string, from: string, to: string, arrives: boolean}[]}} Ranking
 *   `steps`: each wire cut into pieces from one row to the next
 */

const SPACE = 26;
const LANE = 26;
const ROUNDS = 8;

/**
 * @param {{id: string, width: number}[]} boxes in the order in which they run
 * @param {Wire[]} wires
 * @param {{first: Set<string>, last: Set<string>}} ends  what must stand in the lowest and in the highest row
 * @returns {Ranking}
 */
export function rank(boxes, wires, ends) {
  const nodes = new Map(boxes.map(({ id, width }) => [id, /** @type {Node} */ ({ id, width, row: 0, x: 0, lane: false })]));
  setRows(nodes, wires, ends);
  const steps = cutWires(nodes, wires);
  /** @type {Node[][]} */
  const rows = [];
  for (const node of nodes.values()) (rows[node.row] ??= []).push(node);
  const filled = rows.filter((row) => row !== undefined);
  order(filled, steps);
  return { nodes, rows: filled, steps };
}

/** @param {Map<string, Node>} nodes @param {Wire[]} wires @param {{first: Set<string>, last: Set<string>}} ends */
function setRows(nodes, wires, ends) {
  const node = (/** @type {string} */ id) => /** @type {Node} */ (nodes.get(id));
  for (let round = 0; round < nodes.size; round++) {
    for (const wire of wires) for (const to of wire.to) node(to).row = Math.max(node(to).row, node(wire.from).row + 1);
  }
  const fed = new Set(wires.flatMap((wire) => wire.to));
  for (const made of nodes.values()) {
    const below = wires.filter((wire) => wire.from === made.id).flatMap((wire) => wire.to.map((to) => node(to).row));
    if (!fed.has(made.id) && !ends.first.has(made.id) && below.length) made.row = Math.max(0, Math.min(...below) - 1);
  }
  const top = Math.max(...[...nodes.values()].map((made) => made.row));
  for (const id of ends.last) node(id).row = top;
}

/** @param {Map<string, Node>} nodes @param {Wire[]} wires */
function cutWires(nodes, wires) {
  /** @type {Ranking["steps"]} */
  const steps = [];
  const node = (/** @type {string} */ id) => /** @type {Node} */ (nodes.get(id));
  for (const wire of wires) {
    let from = wire.from;
    const top = Math.max(...wire.to.map((to) => node(to).row));
    for (let row = node(wire.from).row + 1; row <= top; row++) {
      for (const to of wire.to) if (node(to).row === row) steps.push({ wire: wire.id, from, to, arrives: true });
      if (row === top) break;
      const id = `${wire.id} past ${row}`;
      nodes.set(id, { id, width: LANE, row, x: 0, lane: true });
      steps.push({ wire: wire.id, from, to: id, arrives: false });
      from = id;
    }
  }
  return steps;
}

/** Sort each row by the middle of what it is joined to, there and back, then set it apart. @param {Node[][]} rows @param {Ranking["steps"]} steps */
function order(rows, steps) {
  const find = new Map(rows.flat().map((node) => [node.id, node]));
  /** @type {Map<string, Node[]>} */
  const joined = new Map(rows.flat().map((node) => [node.id, []]));
  for (const { from, to } of steps) {
    joined.get(from)?.push(/** @type {Node} */ (find.get(to)));
    joined.get(to)?.push(/** @type {Node} */ (find.get(from)));
  }
  for (const row of rows) spread(row, row.map((_, i) => i * 10));
  for (let round = 0; round < ROUNDS; round++) {
    for (const row of round % 2 ? [...rows].reverse() : rows) {
      const wish = new Map(row.map((node) => [node, middle(node, /** @type {Node[]} */ (joined.get(node.id)))]));
      row.sort((a, b) => /** @type {number} */ (wish.get(a)) - /** @type {number} */ (wish.get(b)));
      spread(row, row.map((node) => /** @type {number} */ (wish.get(node))));
    }
  }
}

/** @param {Node} node @param {Node[]} others */
function middle(node, others) {
  return others.length ? others.reduce((sum, other) => sum + other.x, 0) / others.length : node.x;
}

/** Put a row's nodes as near to where they wish as their widths allow. @param {Node[]} row @param {number[]} wish */
function spread(row, wish) {
  let right = -Infinity;
  const placed = row.map((node, i) => {
    const x = Math.max(wish[i], right + node.width / 2 + SPACE);
    right = x + node.width / 2;
    return x;
  });
  const shift = placed.reduce((sum, x, i) => sum + wish[i] - x, 0) / (row.length || 1);
  row.forEach((node, i) => { node.x = Math.round(placed[i] + shift); });
}
