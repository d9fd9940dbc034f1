// @ts-check
/** The engine comes in parts, each when it is needed. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, settled } from "./lab.mjs";
import { figureDone, finished, openSample, small, twice } from "./table.mjs";

/** The parts of the engine that the page has asked for, in this order. @param {Page} page @returns {Promise<string[]>} */
const parts = (page) => page.evaluate(() => [...new Set(performance.getEntriesByType("resource").flatMap(({ name }) => /\/a\/(\w+)-[^/]*\.wasm$/.exec(name)?.[1] ?? []))]);

test("who looks at the figure and the lesson loads nothing that opens tables, and a table alone nothing else", async (t) => {
  const page = await openPage(t, `/?${small}&${twice}&chapter=psd&psd.d=12&psd.k=2&psd.rows=10&psd.test=100&psd.trials=1&psd.iterations=20`);
  await settled(page);
  await page.locator("#psd [data-guess]").first().click();
  await settled(page);
  assert.equal(await page.locator("#psd .chapter").getAttribute("data-phase"), "done");
  await page.locator("header [data-place=figure]").click();
  await figureDone(page);
  assert.deepEqual(await parts(page), ["engine"]);
  await openSample(page, "penguins");
  await finished(page);
  assert.deepEqual(await parts(page), ["engine", "table"]);

  const frame = await openPage(t, `/?embed=1&source=table&sample=cars&speed=instant&${twice}&models=ifm`);
  await finished(frame);
  assert.deepEqual(await parts(frame), ["table"]);
});

test("where the engine of tables does not come the section says so, and the next try finds it", async (t) => {
  const page = await openPage(t, `/?source=table&speed=instant&${twice}&models=ifm`, { expected: [/ERR_FAILED/] });
  await settled(page);
  await page.route("**/a/table-*.wasm", (route) => route.abort());
  const sample = page.locator("[data-sample=penguins]");
  await sample.click();
  await page.locator("#file-error").waitFor();
  await settled(page); // no worker that began before is on its way: it would fail the next try, too
  assert.match(await page.locator("#file-error").innerText(), /engine could not start: a\/table-.*\.wasm could not be loaded/);
  await page.unroute("**/a/table-*.wasm");
  await sample.click();
  await finished(page);
});
