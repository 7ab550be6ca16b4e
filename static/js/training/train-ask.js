/** Asking the server for trainings. */

import { json, ServerError } from "../core/api.js";

/** @typedef {import("./train-types.js").Run} Run @typedef {import("./train-types.js").Tasks} Tasks @typedef {import("./train-types.js").Plan} Plan */

/** @returns {Promise<Tasks>} */
export const askTasks = () => json("/api/runs/tasks");
/** @returns {Promise<Run[]>} */
export const askRuns = async () => (await json("/api/runs", { quiet: true })).runs;
/** @returns {Promise<{training: boolean, uploads: boolean}>} */
export const askLimits = () => json("/api/limits");
/** @param {object} recipe @returns {Promise<Plan>} */
export const askPlan = (recipe) => json("/api/runs/plan", { body: recipe });
/** @param {string} id @param {"pause" | "resume" | "stop" | "step"} verb @returns {Promise<Run>} */
export const tellRun = (id, verb) => json(`/api/runs/${id}/${verb}`, { body: {}, again: false });
/** @param {string} id @param {string} name @returns {Promise<Run>} */
export const renameRun = (id, name) => json(`/api/runs/${id}`, { body: { name }, method: "PATCH" });
/** @param {string} id */
export const removeRun = (id) => json(`/api/runs/${id}`, { method: "DELETE", again: false });
/** @param {Blob} file @returns {Promise<Run>} */
export const loadModel = (file) => json("/api/runs/upload", { body: file, again: false });
/** @param {string} id @param {number} step @returns {Promise<{step: number, tests: Record<string, import("./train-types.js").Test>}>} */
export const askScores = (id, step) => json(`/api/runs/${id}/scores?step=${step}`);

/** What was asked to begin and has not been answered: pressing again asks for the same training, not for a second one. */
let begun = { text: "", key: "" };

/** @param {object} recipe @returns {Promise<Run>} */
export async function beginRun(recipe) {
  const text = JSON.stringify(recipe);
  if (begun.text !== text) begun = { text, key: crypto.getRandomValues(new Uint32Array(4)).join("-") };
  const run = await json("/api/runs", { body: recipe, key: begun.key });
  begun = { text: "", key: "" };
  return run;
}

/**
 * What the server said against something, with a full stop; other errors are thrown on.
 * @param {unknown} error
 * @returns {{message: string, where: string, code: string}}
 */
export function refusal(error) {
  if (!(error instanceof ServerError)) throw error;
  const { message, where, code } = error.problem;
  return { message: `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? "" : "."}`, where, code };
}
