/** Boxes with wires between them put into rows: each box above all that it reads, long wires keeping a lane of their own. Pure: no DOM. */

/**
 * @typedef {{id: string, width: number, row: number, x: number, lane: boolean}} Node  `lane`: no box, a wire passing by
 * @typedef {{id: string, from: string, to: string[]}} Wire
 * @typedef {{nodes: Map<string, Node>, rows: Node[][], steps: {wire: string, from: string, to: string, arrives: boolean}[]}} Ranking
 *   `steps`: each wire cut into pieces from one row to the next
 */

const SPACE = 26;
const LANE = 26;
const ROUNDS = 9;

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
  standTogether(nodes, steps);
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

/**
 * Sort each row by the middle of what it is joined to below and above in turn, ending below, so that what stands alone stands straight.
 * @param {Node[][]} rows @param {Ranking["steps"]} steps
 */
function order(rows, steps) {
  const find = new Map(rows.flat().map((node) => [node.id, node]));
  const side = (/** @type {"from" | "to"} */ mine, /** @type {"from" | "to"} */ other) => {
    /** @type {Map<string, Node[]>} */
    const joined = new Map();
    for (const step of steps) joined.set(step[mine], [...(joined.get(step[mine]) ?? []), /** @type {Node} */ (find.get(step[other]))]);
    return joined;
  };
  const [below, above] = [side("to", "from"), side("from", "to")];
  for (const row of rows) spread(row, row.map((_, i) => i * 10), () => true);
  for (let round = 0; round < ROUNDS; round++) {
    const up = round % 2 === 0;
    for (const row of up ? rows.slice(1) : rows.slice(0, -1).reverse()) {
      const wish = new Map(row.map((node) => [node, middle(node, (up ? below.get(node.id) ?? above.get(node.id) : above.get(node.id) ?? below.get(node.id)) ?? [])]));
      row.sort((a, b) => /** @type {number} */ (wish.get(a)) - /** @type {number} */ (wish.get(b)));
      spread(row, row.map((node) => /** @type {number} */ (wish.get(node))), (node) => (up ? below : above).has(node.id));
    }
  }
}

/** @param {Node} node @param {Node[]} others */
function middle(node, others) {
  return others.length ? others.reduce((sum, other) => sum + other.x, 0) / others.length : node.x;
}

/**
 * Put a row's nodes as near to where they wish as their widths allow.
 * @param {Node[]} row @param {number[]} wish @param {(node: Node) => boolean} counts whose wish moves the row as a whole
 */
function spread(row, wish, counts) {
  let right = -Infinity;
  const placed = row.map((node, i) => {
    const x = Math.max(wish[i], right + node.width / 2 + SPACE);
    right = x + node.width / 2;
    return x;
  });
  const wishes = placed.map((x, i) => wish[i] - x).filter((_, i) => counts(row[i]));
  const shift = wishes.reduce((sum, change) => sum + change, 0) / (wishes.length || 1);
  row.forEach((node, i) => { node.x = Math.round(placed[i] + shift); });
}

/** Parts that no wire joins stand side by side, as near as their widths allow. @param {Map<string, Node>} nodes @param {Ranking["steps"]} steps */
function standTogether(nodes, steps) {
  const group = new Map([...nodes.keys()].map((id) => [id, id]));
  for (let round = 0; round < nodes.size; round++) {
    for (const { from, to } of steps) {
      const least = /** @type {string} */ ([group.get(from), group.get(to)].sort()[0]);
      group.set(from, least).set(to, least);
    }
  }
  const groups = [...new Set(group.values())].map((name) => [...nodes.values()].filter((node) => group.get(node.id) === name));
  const left = (/** @type {Node[]} */ part) => Math.min(...part.map((node) => node.x - node.width / 2));
  groups.sort((a, b) => left(a) - left(b));
  let right = left(groups[0] ?? []);
  for (const part of groups) {
    const shift = right - left(part);
    for (const node of part) node.x += shift;
    right = Math.max(...part.map((node) => node.x + node.width / 2)) + SPACE;
  }
}
