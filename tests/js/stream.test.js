import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { openStream } from "../../static/js/core/stream.js";

/** @param {string} text */
const events = (text) => new Response(text, { headers: { "Content-Type": "text/event-stream" } });
const never = () => new Promise(() => {});

/** @param {((signal: AbortSignal) => Response | Promise<any>)[]} answers */
function served(...answers) {
  /** @type {{address: string, last: string | undefined, signal: AbortSignal}[]} */
  const asked = [];
  mock.method(globalThis, "fetch", async (/** @type {string} */ address, /** @type {any} */ { headers, signal }) => {
    if (address === "/healthz") return Response.json({});
    asked.push({ address, last: headers["Last-Event-ID"], signal });
    const answer = answers.shift();
    if (!answer) return never();
    return answer(signal);
  });
  return asked;
}

/** @param {string} address @returns {Promise<{heard: any[], problem: any}>} what came until it was over */
function heardOf(address) {
  /** @type {any[]} */
  const heard = [];
  return new Promise((resolve) => openStream(address, { hear: (name, data) => heard.push([name, data]), over: (problem) => resolve({ heard, problem }) }));
}

test("a stream that says bye, and one that breaks, go on after the last event", async () => {
  const asked = served(
    () => events('id: 0\nevent: step\ndata: 0\n\n: beat\n\nid: 1\nevent: step\ndata: 1\n\nevent: bye\ndata: {}\n\n'),
    () => { throw new TypeError("nobody"); },
    () => events('id: 2\nevent: step\ndata: 2\n\nevent: end\ndata: {}\n\n'),
  );
  assert.deepEqual(await heardOf("/a"), { heard: [["step", 0], ["step", 1], ["step", 2]], problem: null });
  assert.deepEqual(asked.map(({ last }) => last), [undefined, "1", "1"]);
});

test("what is over, refused or failed says so and is not asked again", async () => {
  served(() => new Response(null, { status: 204 }));
  assert.deepEqual(await heardOf("/b"), { heard: [], problem: null });
  served(() => Response.json({ error: { code: "not_found", message: "gone", where: "" } }, { status: 404 }));
  assert.equal((await heardOf("/c")).problem.message, "gone");
  served(() => events('event: error\ndata: {"error": {"code": "deadline", "message": "too long", "where": ""}}\n\n'));
  assert.equal((await heardOf("/d")).problem.code, "deadline");
  const asked = served(() => Response.json({ error: { code: "bad_cursor", message: "no", where: "" } }, { status: 409 }));
  assert.equal((await heardOf("/e")).problem.code, "bad_cursor");
  assert.equal(asked.length, 1);
});

test("a tab has one stream: the newest is open, the one before it goes on when that is closed", async () => {
  const asked = served(never, never, never);
  const close = openStream("/old", { hear: () => {}, over: () => {} });
  await new Promise((go) => setTimeout(go, 20));
  const shut = openStream("/new", { hear: () => {}, over: () => {} });
  await new Promise((go) => setTimeout(go, 20));
  assert.deepEqual(asked.map(({ address, signal }) => [address, signal.aborted]), [["/old", true], ["/new", false]]);
  shut();
  await new Promise((go) => setTimeout(go, 20));
  assert.deepEqual(asked.map(({ address, signal }) => [address, signal.aborted]), [["/old", true], ["/new", true], ["/old", false]]);
  close();
});
