import assert from "node:assert/strict";
import test, { mock } from "node:test";

import { ask, waitOf } from "../../static/js/core/ask.js";
import { json } from "../../static/js/core/api.js";
import { found, onReach, probe, reached } from "../../static/js/core/reach.js";
import { eventsIn } from "../../static/js/core/sse.js";
import { inWords } from "../../static/js/shell/queue.js";

const refusal = (/** @type {number} */ status, /** @type {string} */ code, headers = {}) =>
  new Response(JSON.stringify({ error: { code, message: `${code} it is`, where: "", request_id: "" } }), { status, headers: { "Content-Type": "application/json", ...headers } });

/**
 * Answer requests by what stands in a list, and keep what was asked.
 * @param {((() => Response) | null)[]} answers  null: nobody answers
 */
function served(...answers) {
  /** @type {{address: string, headers: Record<string, string>}[]} */
  const asked = [];
  mock.method(globalThis, "fetch", async (/** @type {string} */ address, /** @type {any} */ { headers }) => {
    asked.push({ address, headers });
    const answer = answers.shift();
    if (!answer) throw new TypeError("nobody");
    return answer();
  });
  return asked;
}

test("who is told to wait waits no shorter, and gets the answer without asking again", async () => {
  const asked = served(() => refusal(503, "busy", { "Retry-After": "0" }), () => Response.json({ fine: true }));
  const before = Date.now();
  assert.deepEqual(await json("/api/traces", { body: {} }), { fine: true });
  assert.equal(asked.length, 2);
  assert.ok(Date.now() - before >= 490);
  for (let i = 0; i < 50; i++) {
    const wait = waitOf(refusal(503, "busy", { "Retry-After": "3" }));
    assert.ok(wait !== null && wait >= 3000 && wait <= 4500);
  }
  assert.equal(waitOf(refusal(503, "busy")), null);
  assert.equal(waitOf(refusal(422, "bad_input", { "Retry-After": "1" })), null);
});

test("a deadline is not tried again, and says what to do", async () => {
  const asked = served(() => refusal(503, "deadline", { "Retry-After": "0" }));
  await assert.rejects(json("/api/traces", { body: {} }), /deadline it is\. Nothing is lost/);
  assert.equal(asked.length, 1);
});

test("what may be asked twice waits for the server; what may not says that it is away", async () => {
  const asked = served(null, () => Response.json({ page: "" }), () => Response.json({ fine: true }));
  /** @type {string[]} */
  const said = [];
  onReach((reach) => said.push(reach));
  const answer = json("/api/models");
  await new Promise((go) => setTimeout(go, 10));
  assert.equal(reached(), false);
  assert.equal(await probe(), true);
  assert.deepEqual(await answer, { fine: true });
  assert.deepEqual(said, ["down", "up"]);
  assert.deepEqual(asked.map(({ address }) => address), ["/api/models", "/healthz", "/api/models"]);
  served(null);
  await assert.rejects(json("/api/runs", { body: {}, again: false }), /does not answer/);
  found();
});

test("a proxy that finds no server is as no answer, and a request that is given up is not", async () => {
  served(() => new Response("Bad Gateway", { status: 502 }));
  await assert.rejects(ask("/api/runs/x/step", { method: "POST" }, { again: false }), /does not answer/);
  found();
  const gone = new AbortController();
  served(null);
  const answer = ask("/api/models", { signal: gone.signal });
  await new Promise((go) => setTimeout(go, 10));
  gone.abort();
  await assert.rejects(answer, { name: "AbortError" });
  found();
});

test("every request says which tab asks, and the same one each time", async () => {
  const asked = served(() => Response.json({}), () => Response.json({}));
  await json("/api/models");
  await json("/api/runs", { body: {}, key: "abc" });
  assert.match(asked[0].headers["X-Visitor"], /^[A-Za-z0-9_-]{16,32}$/);
  assert.equal(asked[0].headers["X-Visitor"], asked[1].headers["X-Visitor"]);
  assert.equal(asked[1].headers["Idempotency-Key"], "abc");
});

test("events are read as they arrive, whole ones only", () => {
  const { events, rest } = eventsIn(': beat\n\nevent: step\nid: 3\ndata: {"a":\ndata: 1}\n\nevent: st');
  assert.deepEqual(events, [{ name: "step", id: "3", data: '{"a":\n1}' }]);
  assert.equal(rest, "event: st");
  assert.deepEqual(eventsIn(`${rest}ep\r\ndata: 2\r\n\r\n`), { events: [{ name: "step", id: null, data: "2" }], rest: "" });
});

test("a place in the queue is said in words", () => {
  const asking = { again: false, quiet: false };
  assert.equal(inWords({ waiting: 12, yours: [{ place: 7 }, { place: 9 }], seconds: 1.4 }, [asking]), "7th in the queue, about 2 s");
  assert.equal(inWords({ waiting: 12, yours: [{ place: 112 }], seconds: 0 }, [asking]), "112th in the queue");
  assert.equal(inWords({ waiting: 30, yours: [{ place: 22 }], seconds: 9 }, [asking]), "22nd in the queue, about 9 s");
  assert.equal(inWords({ waiting: 3, yours: [{ place: 1 }], seconds: 0 }, [asking]), "next in the queue");
  assert.equal(inWords({ waiting: 3, yours: [{ place: 0 }, { place: 2 }], seconds: 1 }, [asking]), "being computed");
  assert.equal(inWords({ waiting: 3, yours: [], seconds: 1 }, [asking]), "waiting for the answer …");
  assert.equal(inWords(null, [{ ...asking, again: true }]), "the server is busy, trying again soon");
});
