/** Reading server-sent events out of text as it arrives. Pure. */

/** @typedef {{name: string, id: string | null, data: string}} Event_ */

/**
 * The events that are whole, and the text that begins the next.
 * @param {string} text
 * @returns {{events: Event_[], rest: string}}
 */
export function eventsIn(text) {
  const blocks = text.replaceAll("\r\n", "\n").split("\n\n");
  const rest = /** @type {string} */ (blocks.pop());
  return { events: blocks.map(eventOf).filter(({ data }) => data !== ""), rest };
}

/** @param {string} block @returns {Event_} */
function eventOf(block) {
  /** @type {Event_} */
  const event = { name: "message", id: null, data: "" };
  /** @type {string[]} */
  const data = [];
  for (const line of block.split("\n")) {
    const [, field, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (field === "event") event.name = value;
    else if (field === "id") event.id = value;
    else if (field === "data") data.push(value);
  }
  return { ...event, data: data.join("\n") };
}
