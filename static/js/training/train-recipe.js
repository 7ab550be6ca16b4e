/** From what is typed to a recipe of a training: pure functions. */

/**
 * @typedef {import("./train-types.js").Task} Task
 * @typedef {{name: string, title: string, value: string | number | boolean, choices?: any[], says?: string, group: "plain" | "pairs" | "form"}} Field
 */

/**
 * The fields of a task, in their order, with what stands in them at first.
 * @param {Task} task
 * @param {string[]} schedules
 * @param {import("../core/types.js").Option[]} options   what the server says of a model's settings
 * @returns {Field[]}
 */
export function fieldsOf(task, schedules, options) {
  const own = Object.entries(task.options).map(([name, value]) => {
    const known = options.find((option) => option.name === name);
    return /** @type {Field} */ ({ name: `options.${name}`, title: name.replaceAll("_", " "), value, choices: typeof value === "string" ? known?.choices : undefined, says: known?.says, group: "form" });
  });
  return [
    { name: "name", title: "name", value: "", says: `what the model will be called; left empty: ${task.title}`, group: "plain" },
    { name: "steps", title: "steps", value: task.steps, says: "how often the weights change", group: "plain" },
    ...(task.id === "pairs" ? /** @type {Field[]} */ (PAIRS) : []),
    { name: "batch", title: "batch", value: task.batch, says: "sentences a step", group: "form" },
    { name: "rate", title: "learning rate", value: task.rate, says: "the highest one; with the paper's schedule its factor", group: "form" },
    { name: "schedule", title: "schedule", value: schedules[0], choices: schedules, says: "cosine: up, then down along a cosine; paper: its equation 3", group: "form" },
    { name: "warm_up", title: "warm-up steps", value: "", says: "the rise; left empty: a tenth of all", group: "form" },
    { name: "seed", title: "seed", value: 1, says: "the same seed, the same training", group: "form" },
    ...own,
  ];
}

/** @type {Field[]} */
const PAIRS = [
  { name: "unit", title: "read by", value: "word", choices: ["word", "character"], says: "what a token is", group: "pairs" },
  { name: "vocabulary", title: "most tokens", value: 4000, says: "rarer ones become <unk>", group: "pairs" },
  { name: "held_out", title: "share kept for the test", value: 0.1, says: "never learned from", group: "pairs" },
];

/**
 * The recipe: what was typed and is not what the server takes anyway.
 * @param {Task} task
 * @param {Field[]} fields
 * @param {Record<string, string>} typed
 * @returns {Record<string, any>}
 */
export function recipeOf(task, fields, typed) {
  const changed = fields.filter(({ name, value }) => typed[name] !== undefined && typed[name].trim() !== "" && typed[name] !== String(value)).map((field) => ({ name: field.name, value: read(field, typed[field.name]) }));
  const options = Object.fromEntries(changed.filter(({ name }) => name.startsWith("options.")).map(({ name, value }) => [name.slice("options.".length), value]));
  return {
    task: task.id, ...Object.fromEntries(changed.filter(({ name }) => !name.startsWith("options.")).map(({ name, value }) => [name, value])),
    ...(Object.keys(options).length ? { options } : {}), ...(task.id === "pairs" ? { pairs: typed.pairs ?? "" } : {}),
  };
}

/**
 * The field that an error of the server is about; null where none has that name.
 * @param {string} where
 * @param {Field[]} fields
 */
export function fieldFor(where, fields) {
  if (where === "pairs") return "pairs";
  return fields.find(({ name }) => name === where || name === `options.${where}`)?.name ?? null;
}

/** As the server wants it: a number, a yes or no; what is neither goes as it was typed, and is refused with its reason. @param {Field} field @param {string} text */
function read({ value, name }, text) {
  if (typeof value === "boolean") return text === "true";
  const number = Number(text.replace(",", ".").replace("−", "-"));
  return (typeof value === "number" || name === "warm_up") && Number.isFinite(number) ? number : text;
}
