/** The page: one store, one set of actions, and the views, which know these two and not each other. */

import { createActions, keepAddress } from "./core/actions.js";
import { keepCompare } from "./core/compare.js";
import { keepGradients } from "./core/keep-gradients.js";
import { dropSizes, keepSizes } from "./core/sizes.js";
import { oneSentence } from "./core/sentences.js";
import { persist } from "./core/reach.js";
import { createStore, initialState } from "./core/store.js";
import { keepTrail } from "./core/trail.js";
import { create as createTimeline } from "./decode/view.js";
import { create as createDiagram } from "./diagram/view.js";
import { create as createSentences } from "./sentence/view.js";
import { createBanner } from "./shell/banner.js";
import { keepHelp } from "./shell/help-open.js";
import { letThePageScroll } from "./shell/scroll.js";
import { createSheet } from "./shell/sheet.js";
import { keepTitle } from "./shell/title.js";
import { keepUnopened } from "./shell/unopened.js";
import { keepWaiting } from "./shell/waiting.js";
import { create as createInspector } from "./tensor/view.js";

/** @type {any} */ (globalThis).glassformerLater = persist;

const store = createStore(initialState(), (before, patch) => keepCompare(before, keepTrail(before, oneSentence(before, dropSizes(before, patch)))));
const actions = createActions(store);

for (const [id, create] of Object.entries({ sentences: createSentences, diagram: createDiagram, inspector: createInspector, timeline: createTimeline })) {
  create(/** @type {HTMLElement} */ (document.getElementById(id)), store, actions);
}
const inspector = /** @type {HTMLElement} */ (document.getElementById("inspector"));
inspector.before(createSheet(inspector, store));
/** @type {HTMLElement} */ (document.getElementById("sentences")).before(createBanner());
keepHelp(store);
keepWaiting(store);
keepTitle(store);
keepUnopened(/** @type {HTMLElement} */ (document.querySelector("main")), store, actions);
letThePageScroll();
keepSizes(store);
keepAddress(store);
keepGradients(store);
await actions.start();
document.documentElement.dataset.ready = "true";
(globalThis.requestIdleCallback ?? setTimeout)(() => void import("./explain/panel.js"));
