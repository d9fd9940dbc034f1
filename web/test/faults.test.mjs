// @ts-check
/** What the page makes of workers that are ended, or that end by themselves and say nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { serveDist } from "./hosts.mjs";
import { acceptance, dropFile, inWorkers, openPage, settled } from "./lab.mjs";
import { offlineAddress, records } from "./offline.mjs";
import { openSample, rows, small, tab, twice } from "./table.mjs";

const figure = "ifm-figure";

const mine = { name: "mine.csv", bytes: `a,b,y\n${rows(60, (i) => [i % 7, (i * 5) % 11, ((i % 7) - 3) * (((i * 5) % 11) - 5)])}` };

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
  const page = await openPage(t, "/?d=300&n=12000&test=2000&k=8&models=fm,ifm&solver=agd");
  for (let i = 0; i < 2; i++) {
    await busy(page);
    await page.locator(`${figure} .restart`).evaluate((/** @type {HTMLElement} */ e) => e.click());
  }
  await page.locator(`${figure} .controls[data-phase=running]`).waitFor();
  assert.equal(await page.locator(`${figure} [role=alert]`).count(), 0);
});

const missed = { expected: [/ERR_FILE_NOT_FOUND/] }; // the picture of a worker that is gone

/** Has all workers of a slow run end in silence, and waits for the run to end all the same. @param {Page} page */
async function outlives(page) {
  await page.locator(`${figure} .controls[data-phase=running]`).waitFor();
  await loseWorkers(page);
  await page.locator(`${figure} input[name=speed][value=instant]`).evaluate((/** @type {HTMLElement} */ e) => e.click());
  await page.locator(`${figure} .verdict[data-phase=done]`).waitFor();
  assert.ok((await lives(page)).some((life) => life > 0), "a worker was gone");
  assert.equal(await page.locator(`${figure} [role=alert]`).count(), 0);
}

const run = "models=fm,ifm&speed=slow";

test("a run whose workers end in silence is done again, and the second time told", async (t) => {
  const page = await openPage(t, `/?${run}`, missed);
  await outlives(page);
  await page.locator(`${figure} input[name=speed][value=slow]`).evaluate((/** @type {HTMLElement} */ e) => e.click());
  await page.locator(`${figure} .restart`).evaluate((/** @type {HTMLElement} */ e) => e.click());
  for (let i = 0; i < 2; i++) {
    await page.waitForFunction(() => {
      const engines = /** @type {any[]} */ (/** @type {any} */ (document.querySelector("ifm-app")).pool.engines).filter((engine) => engine.load > 0);
      return engines.length > 0 && engines.every((engine) => engine.up) && engines.some((engine) => engine.waiting.size > 0);
    });
    const before = await page.evaluate(() => /** @type {any} */ (document.querySelector("ifm-app")).pool.engines.map((/** @type {any} */ engine) => (engine.load > 0 ? engine.life : -1)));
    await loseWorkers(page);
    if (i > 0) break; // once the first loss is told, the run has ended and asks no other
    await page.waitForFunction((then) => /** @type {any} */ (document.querySelector("ifm-app")).pool.engines.every((/** @type {any} */ engine, /** @type {number} */ at) => engine.life > (then[at] ?? 0)), before); // or the loss of one would count as its second later
  }
  await page.getByText(/The engine stopped/).first().waitFor();
});

test("in a file without a network, where no picture of a worker can be shown, it is done again as well", acceptance, async (t) => {
  const page = await openPage(t, `${await offlineAddress(t)}?${run}`, { origins: ["null"] });
  await outlives(page);
});

test("an engine that came damaged is fetched once more past the cache, and is named where it stays so", async (t) => {
  for (const damaged of [/engine-[^/]*\.wasm$/, /worker-[^/]*\.js$/]) {
    for (const always of process.env["LONG"] ? [false, true] : [damaged.source.startsWith("worker")]) {
      let came = 0;
      const host = await serveDist({ cut: (name) => damaged.test(name) && (came++ === 0 || always) });
      const page = await openPage(t, `${host}/?d=8&k=2&n=100&speed=instant`, { origins: [host] });
      await settled(page);
      const told = page.locator(`${figure} [role=alert]`);
      if (always) assert.match(await told.first().innerText(), /a\/(engine|worker)-\S+ is damaged, even after a second download/);
      else assert.deepEqual([await page.locator(`${figure} .verdict`).getAttribute("data-phase"), await told.count()], ["done", 0]);
    }
  }
});

/** Has all engines refused memory when they start. */
const refused = "WebAssembly.instantiate = () => Promise.reject(new RangeError('WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory for new instance'))";

test("an engine that is given no memory to start with says so", async (t) => {
  const page = await openPage(t, "/?d=8&k=2&n=100&speed=instant", { before: (page) => inWorkers(page, refused) });
  await page.locator(`${figure} [role=alert]`, { hasText: /the browser is out of memory. Close other tabs/ }).first().waitFor();
});

/** A module of WebAssembly whose memory grows to so many MB and no further. @param {Buffer} wasm @param {number} megabytes */
function bounded(wasm, megabytes) {
  /** An unsigned LEB128, and where it ends. @param {number} at @returns {[value: number, end: number]} */
  const read = (at) => {
    const [byte = 0] = wasm.subarray(at);
    if (byte < 128) return [byte, at + 1];
    const [rest, end] = read(at + 1);
    return [byte - 128 + 128 * rest, end];
  };
  /** @param {number} value @returns {number[]} */
  const written = (value) => (value < 128 ? [value] : [128 + (value % 128), ...written(Math.floor(value / 128))]);
  for (let at = 8; at < wasm.length; ) {
    const [size, body] = read(at + 1);
    if (wasm[at] === 5) { // the section of memories: how many, whether there is a limit, and the sizes in pages
      const section = [1, 1, ...written(read(read(body)[1] + 1)[0]), ...written(16 * megabytes)];
      return Buffer.concat([wasm.subarray(0, at), Buffer.from([5, ...written(section.length), ...section]), wasm.subarray(body + size)]);
    }
    at = body + size;
  }
  throw new Error("the module has no memory");
}

test("a file for which there is not enough memory is told, and the table that was open stays and trains", async (t) => {
  const before = (/** @type {Page} */ page) => page.route("**/a/table-*.wasm", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ status: 200, contentType: "application/wasm", body: bounded(await response.body(), 16) });
  });
  const page = await openPage(t, `/?${small}&${twice}`, { expected: [/^exit code: 2$/], before });
  await settled(page, dropFile(page, "ifm-figure h1", mine));
  const want = await records(page, "ifm-result");
  await dropFile(page, "#table", { name: "large.csv", bytes: `a,b,y\n${rows(6e5, (i) => [i + 0.25, i + 0.5, i + 0.75])}` });
  await settled(page, page.locator("#second [data-as=instead]").click());
  const told = await page.locator("[role=alert]", { hasText: /large\.csv/ }).innerText();
  assert.match(told, /The browser ran out of memory.*mine\.csv is still open/s);
  await tab(page, "training");
  await settled(page, page.locator("ifm-result .controls .main").click());
  assert.deepEqual(await records(page, "ifm-result"), want);
});

test("who starts ten times in a second and turns the screen meanwhile sees the one run, with its own numbers", async (t) => {
  const address = "/?d=12&k=2&n=300&iterations=40&speed=instant";
  const page = await openPage(t, address);
  await settled(page);
  const want = await records(page, figure);
  await page.locator(`${figure} .restart`).evaluate(async (button) => {
    for (let i = 0; i < 10; i++) {
      /** @type {HTMLButtonElement} */ (button).click();
      await new Promise((resolve) => setTimeout(resolve));
    }
  });
  await page.setViewportSize({ width: 640, height: 360 });
  await settled(page, page.setViewportSize({ width: 360, height: 640 }));
  assert.deepEqual(await records(page, figure), want);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "and nothing sticks out");
});

test("a model of a reader's own table asks before the page is left, until it is saved", async (t) => {
  const page = await openPage(t, `/?${small}&${twice}&models=ifm`);
  await settled(page, dropFile(page, "ifm-figure h1", mine));
  await tab(page, "take");
  /** Whether the browser would ask. */
  const asks = () => page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
  assert.ok(await asks());
  await settled(page, page.locator("header [data-place=figure]").click());
  assert.ok(await asks(), "at another place too");
  await settled(page, page.goBack());
  const [saved] = await Promise.all([page.waitForEvent("download"), page.locator("ifm-keep .download").click()]);
  await saved.cancel();
  await settled(page);
  assert.ok(!(await asks()), "it is on the reader's disk");
  await openSample(page, "cars");
  assert.ok(!(await asks()), "the address brings those of a built-in table back");
});
