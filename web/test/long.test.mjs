// @ts-check
/** What is left of an hour's work: nothing grows, in the page or in its engines. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, dropFile, follow, inWorkers, openPage, settled } from "./lab.mjs";
import { details, run } from "./lesson.mjs";
import { openSample, train } from "./table.mjs";

/** Rounds that fill what is kept on purpose: scripts and their compiled code, engines and the memory that they work in. */
const FIRST = 8;

/** Rounds that may leave nothing, whole turns of the six kinds that there are: the last one shows what the last one before them did. Each has eight runs and draws some forty charts: in all as much as a reader does in an hour who starts one every twenty seconds. */
const ROUNDS = 24;

const quick = [
  "speed=instant&d=12&k=2&n=300&iterations=40&ranks=2&lambdaf=10&encode=linear",
  "psd.d=12&psd.k=2&psd.rows=10&psd.test=100&psd.trials=2&psd.iterations=40",
  "diagonal.d=10&diagonal.trials=1&diagonal.taus=2,0.1&diagonal.iterations=20",
  "vtec.days=1&vtec.stride=720&vtec.fixes=0",
].join("&");

const rows = Array.from({ length: 300 }, (_, i) => `${i % 7},${(i * i) % 11},${(i % 7) * ((i * i) % 11) + i / 100}`);

/** Has an engine keep its memory where it can be asked for. */
const keepMemory = "const { instantiate } = WebAssembly; WebAssembly.instantiate = async (...all) => { const made = await instantiate(...all); globalThis.memory = (made.instance ?? made).exports.mem; return made; }";

/** What the page and its engines hold, in bytes and by number, once all that can go is gone. @param {Page} page */
async function held(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  for (let i = 0; i < 3; i++) await devtools.send("HeapProfiler.collectGarbage"); // what one lets go of, the next takes
  const { metrics } = await devtools.send("Performance.getMetrics");
  const { nodes, jsEventListeners: listeners } = await devtools.send("Memory.getDOMCounters");
  await devtools.detach();
  const engines = await Promise.all(page.workers().map((worker) => worker.evaluate(() => Number(/** @type {any} */ (globalThis).memory.buffer.byteLength))));
  return { heap: metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.NaN, nodes, listeners, engines: engines.reduce((sum, bytes) => sum + bytes, 0), workers: engines.length };
}

/** A round of a reader's, from another figure to another table, seen through a narrow window or a wide one, in other colours. @param {Page} page @param {number} i */
async function round(page, i) {
  await page.setViewportSize({ width: i % 2 ? 390 : 1280, height: 900 });
  await follow(page, `/?${quick}&scenario=${["psd", "flipped", "mixed"][i % 3]}&seed=${i}&theme=${i % 2 ? "dark" : "light"}&psd.seed=${i}&diagonal.seed=${i}&vtec.seed=${i}`);
  await settled(page, page.locator("ifm-figure .restart").evaluate((/** @type {HTMLElement} */ e) => e.click()));
  for (const chapter of ["psd", "diagonal", "vtec"]) {
    await follow(page, `/?${quick}&chapter=${chapter}&theme=${i % 2 ? "dark" : "light"}&psd.seed=${i}&diagonal.seed=${i}&vtec.seed=${i}`);
    await run(await details(page, chapter));
  }
  await openSample(page, ["penguins", "cars", "diabetes"][i % 3] ?? "");
  await train(page);
  await dropFile(page, "#table", { name: "mine.csv", bytes: ["a,b,y", ...rows, ""].join("\n") });
  await train(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.evaluate(() => scrollTo(0, 0));
  await settled(page);
}

test("an hour of training and drawing, opening and closing leaves no worker, no listener, and no memory that grows", acceptance, async (t) => {
  const page = await openPage(t, `/?${quick}`, { alone: true, before: (page) => inWorkers(page, keepMemory) });
  await settled(page);
  for (let i = 1; i <= FIRST; i++) await round(page, i);
  const before = await held(page);
  for (let i = 1; i <= ROUNDS; i++) await round(page, FIRST + i);
  const after = await held(page);
  t.diagnostic(`before ${JSON.stringify(before)}, after ${JSON.stringify(after)}`);
  assert.equal(after.workers, before.workers);
  const more = (/** @type {keyof typeof before} */ what) => after[what] - before[what];
  assert.ok(more("listeners") < ROUNDS, "less than one listener a round: charts of other data have some more or less");
  assert.ok(more("nodes") < 5 * ROUNDS, `${more("nodes")} nodes more: sentences on other data have a few more or less; a comment that stays for each column of two tables is a dozen a round`);
  assert.ok(more("heap") < 128 * 1024 * ROUNDS, `${more("heap")} bytes more: V8 compiles what runs often, 100 kB a round at first and 30 kB after twenty; a table that stays has 200 kB`);
  assert.ok(more("engines") < 4 * 1024 * 1024, `${more("engines")} bytes more: Go’s heap grows by 4 MB where it grows in earnest`);
});
