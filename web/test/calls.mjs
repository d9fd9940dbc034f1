// @ts-check
/** Calls that the page makes of its engine, seen and held. */

/**
 * Lets a call of the engine through so many times, then holds it: pass(n) in the page lets n more
 * through. A call that reports progress takes one step each time, so that a fast machine shows all of them.
 *
 * @param {Page} page
 * @param {string} call
 * @param {number | "all"} [first]
 */
export async function holdCall(page, call, first = 1) {
  await page.addInitScript(({ held, first }) => {
    const post = Worker.prototype.postMessage;
    /** @type {(() => void)[]} */
    const waiting = [];
    const state = /** @type {any} */ (window);
    state.slices = first === "all" ? Number.POSITIVE_INFINITY : first; // that may pass
    state.pass = (/** @type {number} */ slices) => {
      state.slices = slices;
      for (const go of waiting.splice(0)) go();
    };
    Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ transfer) {
      const go = () => post.call(this, message, transfer);
      if (message.call !== held) return go();
      if (Number.isFinite(state.slices) && "ms" in message.args) message.args.ms = 0;
      if (state.slices-- > 0) go();
      else waiting.push(go);
    };
  }, { held: call, first });
}

/** Keeps the name of each call that the page makes of its engine, and what is closed: "start", "close run", "predictions". @param {Page} page */
export async function countCalls(page) {
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    const calls = /** @type {string[]} */ ((/** @type {any} */ (window).calls = []));
    const kinds = new WeakMap(); // of handles, by the worker that holds what they stand for
    Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ transfer) {
      if (!kinds.has(this)) {
        const own = new Map();
        kinds.set(this, own);
        this.addEventListener("message", ({ data }) => ["run", "table", "sky", "survey"].forEach((kind) => own.set(data.result?.[kind], kind)));
      }
      if (message.call) calls.push(`${message.call} ${message.call === "close" ? kinds.get(this).get(message.args.handle) : ""}`.trim());
      post.call(this, message, transfer);
    };
  });
}

/** The calls so far, in order. @param {Page} page @returns {Promise<string[]>} */
export const calls = (page) => page.evaluate(() => /** @type {any} */ (window).calls);

/** Lets so many more of the calls that are held through. @param {Page} page */
export const pass = (page, slices = Number.POSITIVE_INFINITY) => page.evaluate((slices) => /** @type {any} */ (window).pass(slices), slices);
