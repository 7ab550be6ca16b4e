/** What went wrong, in words that also say what to do. */

/** @typedef {import("./types.js").Problem} Problem */

/** An answer that is not what was asked for. */
export class ServerError extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** What can be done about an error, by its code; what is wrong with an input says so itself. */
const ADVICE = /** @type {Record<string, string>} */ ({
  busy: "Nothing is lost: run it again in a minute.",
  deadline: "Nothing is lost: try fewer or shorter sentences, or a smaller model.",
  out_of_memory: "Nothing is lost: try again in a moment, or with a smaller model.",
  over_budget: "Try fewer or shorter sentences, or a smaller model.",
  code_needed: "Reload the page to give it; what you typed is kept.",
  internal: "Nothing is lost; run it again, or something else.",
});

/** @returns {Problem} */
export function offline() {
  return { code: "offline", message: "The server does not answer. What you typed is kept; try again in a moment.", where: "", status: 0 };
}

/**
 * @param {Response} answer one that is not good
 * @returns {Promise<Problem>}
 */
export async function problemOf(answer) {
  const body = await answer.json().catch(() => null);
  const { code, message, where, request_id: id } = body?.error ?? { code: "error", message: `The server answered ${answer.status}.`, where: "" };
  const advice = code === "internal" && id ? `${ADVICE.internal} Its log knows this as request ${id}.` : ADVICE[code];
  return { code, message: advised(message, advice), where, status: answer.status };
}

/** @param {string} message @param {string | undefined} advice */
function advised(message, advice) {
  return advice ? `${message.replace(/[.;]?$/, ".")} ${advice}` : message;
}
