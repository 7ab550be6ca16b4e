/** A map of shares on a canvas: rows and columns named by their tokens, in the colours of their axes. */

/**
 * @typedef {object} Picture
 * @property {Float64Array} values   rows times columns, each from 0 to 1
 * @property {{text: string, faint: boolean}[]} rows
 * @property {{text: string, faint: boolean}[]} columns   a faint column is padding: nothing can look at it
 * @property {string} rowColour      the CSS custom property of the rows' axis
 * @property {string} columnColour
 * @property {[number, number] | null} at       the cell under pointer or keys
 * @property {[number, number] | null} chosen
 *
 * @typedef {{cell: number, left: number, top: number, upright: boolean, width: number, height: number}} Plan
 */

const FONT = "12px";
const GAP = 6;
/** From this share on, a cell is nearer to the deep end of its scale than ink can be read on. */
const DEEP = 0.6;

/**
 * Where everything stands, for a room of so many pixels.
 * @param {Picture} picture
 * @param {{width: number, height: number}} room
 * @param {(text: string) => number} measure
 * @returns {Plan}
 */
export function plan({ rows, columns }, room, measure) {
  const widest = (/** @type {{text: string}[]} */ labels) => Math.ceil(Math.max(0, ...labels.map(({ text }) => measure(text))));
  const left = widest(rows) + GAP + 2;
  const name = widest(columns);
  const fit = Math.min((room.width - left) / Math.max(columns.length, 1), (room.height - 20) / Math.max(rows.length, 1));
  const cell = Math.round(Math.max(14, Math.min(40, fit)));
  const upright = name <= cell - 2;
  const top = (upright ? 16 : name) + GAP;
  return { cell, left, top, upright, width: left + cell * columns.length + 2, height: top + cell * rows.length + 2 };
}

/**
 * Which cell is at a point of the picture.
 * @param {Plan} plan
 * @param {Picture} picture
 * @param {number} x
 * @param {number} y
 * @returns {[number, number] | null}
 */
export function cellAt({ cell, left, top }, { rows, columns }, x, y) {
  const row = Math.floor((y - top) / cell);
  const column = Math.floor((x - left) / cell);
  return row >= 0 && row < rows.length && column >= 0 && column < columns.length ? [row, column] : null;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Picture} picture
 * @param {Plan} place
 */
export function paint(canvas, picture, place) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(place.width * ratio);
  canvas.height = Math.round(place.height * ratio);
  canvas.style.setProperty("width", `${place.width}px`);
  canvas.style.setProperty("height", `${place.height}px`);
  context.scale(ratio, ratio);
  const css = getComputedStyle(canvas);
  const colour = (/** @type {string} */ name) => css.getPropertyValue(name).trim();
  context.font = `600 ${FONT} ${css.fontFamily}`;
  context.textBaseline = "middle";
  labels(context, picture, place, colour);
  cells(context, picture, place, colour);
  if (picture.chosen) outline(context, picture.chosen, place, colour("--ink"), 2);
  if (picture.at) outline(context, picture.at, place, colour("--focus"), 2);
}

/** @param {CanvasRenderingContext2D} context @param {Picture} picture @param {Plan} place @param {(name: string) => string} colour */
function labels(context, { rows, columns, rowColour, columnColour }, { cell, left, top, upright }, colour) {
  context.textAlign = "right";
  rows.forEach(({ text, faint }, i) => {
    context.fillStyle = colour(faint ? "--ink-soft" : rowColour);
    context.fillText(text, left - GAP, top + cell * (i + 0.5));
  });
  columns.forEach(({ text, faint }, i) => {
    context.fillStyle = colour(faint ? "--ink-soft" : columnColour);
    context.save();
    context.translate(left + cell * (i + 0.5), top - GAP);
    if (!upright) context.rotate(-Math.PI / 2);
    context.textAlign = upright ? "center" : "left";
    context.fillText(text, 0, upright ? -4 : 0);
    context.restore();
  });
}

/** @param {CanvasRenderingContext2D} context @param {Picture} picture @param {Plan} place @param {(name: string) => string} colour */
function cells(context, { values, rows, columns }, { cell, left, top }, colour) {
  const [low, high, ink, blocked] = ["--value-low", "--value-high", "--ink", "--value-blocked"].map(colour);
  const numbers = cell >= 30;
  context.textAlign = "center";
  context.font = context.font.replace("600", "400").replace(FONT, "11px");
  rows.forEach((_, i) => columns.forEach(({ faint }, j) => {
    const share = values[i * columns.length + j];
    const [x, y] = [left + j * cell, top + i * cell];
    context.fillStyle = `color-mix(in oklab, ${high} ${(share * 100).toFixed(1)}%, ${low})`;
    context.fillRect(x, y, cell - 1, cell - 1);
    if (faint) hatch(context, x, y, cell - 1, blocked);
    else if (numbers) {
      context.fillStyle = share > DEEP ? low : ink;
      context.fillText(share.toFixed(2), x + cell / 2, y + cell / 2 + 0.5);
    }
  }));
  context.strokeStyle = colour("--line");
  context.strokeRect(left - 0.5, top - 0.5, cell * columns.length, cell * rows.length);
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} size @param {string} colour */
function hatch(context, x, y, size, colour) {
  context.save();
  context.beginPath();
  context.rect(x, y, size, size);
  context.clip();
  context.strokeStyle = colour;
  context.beginPath();
  for (let shift = -size; shift < size; shift += 5) {
    context.moveTo(x + shift, y + size);
    context.lineTo(x + shift + size, y);
  }
  context.stroke();
  context.restore();
}

/** @param {CanvasRenderingContext2D} context @param {[number, number]} at @param {Plan} place @param {string} colour @param {number} width */
function outline(context, [row, column], { cell, left, top }, colour, width) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.strokeRect(left + column * cell, top + row * cell, cell - 1, cell - 1);
}
