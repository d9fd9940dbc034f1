// @ts-check
/** What the page makes of workers that are ended, or that end by themselves and say nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./lab.mjs";
import { offlineAddress } from "./offline.mjs";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").Frame} Frame */

const figure = "ifm-figure";

/** Waits until so many engines have been asked for something that they have not answered. @param {Page | Frame} page @param {number} [engines] */
function busy(page, engines = 1) {
  return page.waitForFunction((n) => /** @type {any} */ (document.querySelector("ifm-app"))?.pool.engines.filter((/** @type {any} */ engine) => engine.up && engine.waiting.size > 0).length >= n, engines);
}

/** How many workers each engine has had and lost. @param {Page} page @returns {Promise<number[]>} */
function lives(page) {
  return page.evaluate(() => /** @type {any} */ (document.querySelector("ifm-app")).pool.engines.map((/** @type {any} */ engine) => engine.life));
}

/** Ends all workers, as a browser does that wants their memory. @param {Page} page */
function loseWorkers(page) {
  return Promise.all(page.workers().map((worker) => worker.evaluate(() => self.close())));
}

test("Restart while both engines are in a long call begins the run anew", async (t) => {
  const page = await openPage(t, "/?d=500&n=30000&test=2000&k=8&models=fm,ifm&solver=agd");
  for (let i = 0; i < 2; i++) {
    await busy(page);
    await page.locator(`${figure} .restart`).click();
  }
  await page.locator(`${figure} .controls[data-phase=running]`).waitFor();
  assert.equal(await page.locator(`${figure} [role=alert]`).count(), 0);
});

const missed = { expected: [/ERR_FILE_NOT_FOUND/] }; // the picture of a worker that is gone

/** Has all workers of a slow run end in silence, and waits for the run to end all the same. @param {Page} page */
async function outlives(page) {
  await page.locator(`${figure} .controls[data-phase=running]`).waitFor();
  await loseWorkers(page);
  await page.getByLabel("Speed").first().selectOption("instant");
  await page.locator(`${figure} .verdict[data-phase=done]`).waitFor();
  assert.ok((await lives(page)).some((life) => life > 0), "a worker was gone");
  assert.equal(await page.locator(`${figure} [role=alert]`).count(), 0);
}

const run = "models=fm,ifm&speed=slow";

test("a run whose workers end in silence is done again, and the second time told", async (t) => {
  const page = await openPage(t, `/?${run}`, missed);
  await outlives(page);
  await page.getByLabel("Speed").first().selectOption("slow");
  await page.locator(`${figure} .restart`).click();
  for (let i = 0; i < 2; i++) {
    const before = await lives(page);
    await busy(page);
    await loseWorkers(page);
    await page.waitForFunction((then) => /** @type {any} */ (document.querySelector("ifm-app")).pool.engines.some((/** @type {any} */ engine, /** @type {number} */ at) => engine.life > (then[at] ?? 0)), before);
  }
  await page.getByText(/The engine stopped/).first().waitFor();
});

test("in a file without a network, where no picture of a worker can be shown, it is done again as well", async (t) => {
  const page = await openPage(t, "about:blank", { origins: ["null"] });
  await page.goto(`${await offlineAddress(t)}?${run}`);
  await outlives(page);
});
