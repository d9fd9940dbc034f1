// @ts-check
/** What stands beside the models of a table once they are trained: boosted trees, and the pairs of columns that act together. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, openPage, origin, settled } from "./lab.mjs";

/** @typedef {import("playwright-core").Page} Page */

/**
 * Holds a call of the engine at its first slice, until it is let through.
 *
 * @param {Page} page
 * @param {string} call
 */
async function hold(page, call) {
  await page.addInitScript((held) => {
    const post = Worker.prototype.postMessage;
    /** @type {(() => void)[]} */
    const waiting = [];
    const state = /** @type {any} */ (window);
    state.slices = 1; // that may pass
    state.pass = (/** @type {number} */ slices) => {
      state.slices = slices;
      for (const go of waiting.splice(0)) go();
    };
    Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ transfer) {
      const go = () => post.call(this, message, transfer);
      if (message.call !== held || state.slices-- > 0) go();
      else waiting.push(go);
    };
  }, call);
}

/** @param {Page} page @param {string} query */
async function train(page, query) {
  await page.goto(new URL(`/?source=table&${query}&speed=instant`, await origin()).href);
  await settled(page);
  await page.locator("button.start").click();
  await page.locator("ifm-result .verdict[data-phase=done]").waitFor();
}

test("boosted trees grow once the models are trained, tell how far, can be stopped and begun again, and stand among the others", async (t) => {
  const page = await openPage(t, "about:blank");
  await hold(page, "trees");
  await train(page, "sample=cars");
  const trees = page.locator("ifm-standing .growth");
  const says = page.locator("ifm-result [data-verdict]");
  const row = page.locator("ifm-result [data-standing=trees]");
  await trees.getByText(/^Growing boosted trees, to compare: \d+ of at most 1,300$/).waitFor();
  assert.ok(Number(await trees.getByLabel(/^Growing boosted trees/).getAttribute("value")) > 0);
  assert.match(await says.innerText(), / 79 test rows/, "the models are judged without them");
  assert.doesNotMatch(await says.innerText(), /trees/);
  assert.equal(await row.count(), 0);
  assert.equal(await page.locator("ifm-keep button").first().isEnabled(), true, "the models can be taken along");
  await assertAccessible(page, { include: ["ifm-standing"] });

  await trees.getByRole("button", { name: "Stop" }).focus();
  await page.keyboard.press("Enter");
  await trees.getByText(/^Boosted trees were stopped after \d+\.$/).waitFor();
  assert.equal(await page.locator("ifm-result .verdict").getAttribute("data-phase"), "done", "the run itself is over and stays");

  await page.evaluate(() => /** @type {any} */ (window).pass(Number.POSITIVE_INFINITY));
  await trees.getByRole("button", { name: "Grow boosted trees" }).click();
  await row.waitFor();
  await settled(page);
  assert.match(await trees.innerText(), /^Boosted trees: \d+ trees of at most (15|31) leaves/);
  assert.match(await says.innerText(), /boosted trees \([\d.]+\)/i);
  assert.match((await page.locator("ifm-result ifm-curve .plot").getAttribute("aria-label")) ?? "", /Reference line: boosted trees, [\d.]+\./);
  const { ridge, all, errors, two } = await page.locator("ifm-result").evaluate((panel) => {
    const { trees, predictions } = /** @type {any} */ (panel).training;
    const { actual, ridge } = predictions.get("ifm");
    const { rmse, predicted } = trees.answers.get(0);
    const mean = actual.reduce((/** @type {number} */ sum, /** @type {number} */ y) => sum + y, 0) / actual.length;
    const sum = (/** @type {(y: number, i: number) => number} */ of) => actual.reduce((/** @type {number} */ total, /** @type {number} */ y, /** @type {number} */ i) => total + of(y, i), 0);
    const measured = (/** @type {ArrayLike<number>} */ p) => ({ mae: sum((y, i) => Math.abs((p[i] ?? NaN) - y)) / actual.length, r2: 1 - sum((y, i) => ((p[i] ?? NaN) - y) ** 2) / sum((y) => (y - mean) ** 2) });
    return { ridge: measured(ridge), all: measured(predicted), errors: rmse, two: document.querySelectorAll("[data-auc]").length };
  });
  assert.equal(Number(await row.getAttribute("data-value")), errors);
  for (const [whose, want] of /** @type {const} */ ([["trees", all], ["ridge", ridge]])) {
    const own = page.locator(`ifm-result [data-standing=${whose}]`);
    assert.ok(Math.abs(Number(await own.getAttribute("data-mae")) - want.mae) < 1e-12 && Math.abs(Number(await own.getAttribute("data-r2")) - want.r2) < 1e-12, whose);
  }
  const mean = page.locator("ifm-result [data-standing=mean]");
  assert.ok(Number(await mean.getAttribute("data-mae")) > 5 && Number(await mean.getAttribute("data-r2")) < 0, "the training mean explains less than the test rows' own");
  assert.equal(two, 0, "a target of many values has no AUC");
});

test("trees that take long are offered, with what they may take, and not grown unasked", async (t) => {
  const page = await openPage(t, "about:blank");
  await train(page, "sample=cars&trials=40&models=ifm&ranks=1&lambdaf=30&lambdaw=10&encode=linear&iterations=2");
  await settled(page);
  const trees = page.locator("ifm-standing .growth");
  assert.match(await trees.innerText(), /^Boosted trees were not grown: here they may take (about \d+ seconds|about a minute|a few seconds) in 40 trials\./);
  assert.equal(await page.locator("ifm-result [data-standing=trees]").count(), 0);
  await trees.getByRole("button", { name: "Grow boosted trees" }).click();
  await settled(page);
  assert.match(await page.locator("ifm-result [data-verdict]").innerText(), /boosted trees.* Over 40 trials the mean test RMSE is .*boosted trees/is);
});
