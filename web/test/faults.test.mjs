// @ts-check
/** What the page makes of workers that are ended. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./lab.mjs";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").Frame} Frame */

const figure = "ifm-figure";

/** Waits until so many engines have been asked for something that they have not answered. @param {Page | Frame} page @param {number} [engines] */
function busy(page, engines = 1) {
  return page.waitForFunction((n) => /** @type {any} */ (document.querySelector("ifm-app"))?.pool.engines.filter((/** @type {any} */ engine) => engine.up && engine.waiting.size > 0).length >= n, engines);
}

test("Restart while both engines are in a long call begins the run anew", async (t) => {
  const page = await openPage(t, "/?d=500&n=30000&test=2000&k=8&models=fm,ifm&solver=agd");
  for (let i = 0; i < 2; i++) {
    await busy(page);
    await page.locator(`${figure} .restart`).click();
  }
  await page.locator(`${figure} .controls[data-phase=running]`).waitFor({ timeout: 120_000 });
  assert.equal(await page.locator(`${figure} [role=alert]`).count(), 0);
});
