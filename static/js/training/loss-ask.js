/** Asking while somebody drags: one question in flight, and of those that wait only the newest. */

/**
 * @template Question, Answer
 * @param {(question: Question) => Promise<Answer>} ask
 * @param {(answer: Answer, question: Question) => void} tell
 * @param {(error: unknown) => void} fail
 * @returns {(question: Question) => void}
 */
export function newestWins(ask, tell, fail) {
  /** @type {Question | null} */
  let waiting = null;
  let busy = false;

  /** @param {Question} question */
  async function go(question) {
    busy = true;
    try {
      const answer = await ask(question);
      if (waiting === null) tell(answer, question);
    } catch (error) {
      if (waiting === null) fail(error);
    }
    busy = false;
    const next = waiting;
    waiting = null;
    if (next !== null) void go(next);
  }

  return (question) => {
    if (busy) waiting = question;
    else void go(question);
  };
}
