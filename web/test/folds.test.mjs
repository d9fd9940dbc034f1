// @ts-check
/** That K folds choose what is trained on a table, wherever and in whichever order they are done. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { holdCall } from "./calls.mjs";
import { acceptance, assertAccessible, downloaded, follow, openPage, origin, settled } from "./lab.mjs";
import { runs } from "./native.mjs";

/** @typedef {import("playwright-core").Page} Page */

const cars = fileURLToPath(new URL("../samples/cars.csv", import.meta.url));
const search = "sample=cars&target=Miles_per_Gallon&ranks=1,2&lambdaf=100,10&lambdaw=10&iterations=20";

/** Begins a search, and holds its calls for records from the first so many on. @param {Page} page @param {string} query @param {number} [held] */
async function begin(page, query, held) {
  const link = `/?source=table&${query}&speed=instant`;
  if (page.url() !== "about:blank") await follow(page, link);
  else await page.goto(new URL(link, await origin()).href);
  await settled(page);
  if (held !== undefined) await page.evaluate(`pass(${held})`);
  await page.locator("button.start").click();
}

/** @param {Page} page */
async function run(page) {
  const control = page.locator("ifm-result [data-chart=curve] ifm-save");
  await control.locator("button.save").click();
  const [download] = await Promise.all([page.waitForEvent("download"), control.locator("[data-kind=json]").click()]);
  return JSON.parse((await downloaded(download)).toString("utf8"));
}

test("folds choose the same, bit for bit, with one worker and with four, and what they choose natively", async (t) => {
  const few = `${search}&folds=3&encode=linear&models=ifm`;
  /** @type {any[]} */
  const seen = [];
  for (const size of [1, 4]) {
    const page = await openPage(t, "about:blank");
    await page.addInitScript((n) => Object.defineProperty(navigator, "hardwareConcurrency", { value: n }), size);
    await begin(page, few);
    await settled(page);
    assert.match(await page.locator("ifm-plan .sentence").innerText(), /319 rows train; in 3 folds they first choose rank and λ/);
    seen.push((await run(page)).series);
  }
  assert.deepEqual(seen[0], seen[1]);
  const native = await runs(`?${few}`, cars);
  for (const { model, kept, candidates } of seen[0]) {
    const own = native.find((one) => one.model === model);
    const errors = candidates[kept.candidate].test;
    assert.equal(own?.errors.length, errors.length);
    errors.forEach((/** @type {number} */ v, /** @type {number} */ i) => assert.ok(Math.abs(v / (own?.errors[i] ?? 0) - 1) < 1e-9, `record ${i}: ${v}, natively ${own?.errors[i]}`));
    assert.equal(kept.iteration, candidates.at(-1).iteration.at(-1), "what the folds chose is the last that is trained");
  }
});

test("a search is drawn, over folds and without them, and is stopped and begun again", async (t) => {
  const page = await openPage(t, "about:blank");
  await holdCall(page, "next", "all");

  await t.test("the search is drawn while it runs and says of each candidate what the folds make of it, in words and as a table", async () => {
    await begin(page, `${search}&folds=3`, 20);
    const plot = page.locator("ifm-search .plot");
    const slider = page.getByLabel("Candidate under the cursor");
    await slider.waitFor();
    assert.match(await page.locator("ifm-result .controls .progress").innerText(), /^\d of 6 folds, which choose what is trained/);
    await page.evaluate("pass(Infinity)");
    await settled(page);
    assert.match((await plot.getAttribute("aria-label")) ?? "", /^Line chart of RMSE over 3 folds, with its standard error, by penalty, a line for each rank and encoding\. Rank 1 is between/);
    const { series } = await run(page);
    for (const { model, kept } of series) {
      await page.locator("ifm-search .segments label", { hasText: model === "fm" ? /^FM$/ : "iFM" }).click();
      await page.locator("ifm-search .segments input:checked").waitFor();
      const tells = await page.locator("ifm-search [data-note=search]").innerText();
      assert.ok(tells.includes(`${kept.rank === 0 ? "ridge" : `rank ${kept.rank}, λf ${kept.lambda}`}, λw ${kept.weights}${kept.hats ? ", numbers as bases" : ""} is chosen`), `${tells}: ${JSON.stringify(kept)}`);
      assert.match(tells, /(of the 10 candidates (is|are)|No other of the 10 candidates is) within one standard error/);
      assert.ok(Math.abs(Number(/is chosen, ([\d.]+) ±/.exec(tells)?.[1]) - kept.valid) < 0.01, "what the engine chose is what the picture says");
    }
    await slider.focus();
    assert.match((await slider.getAttribute("aria-valuetext")) ?? "", /mean of 3 folds, iteration \d+ \(chosen\)$/);
    await page.locator("ifm-search summary", { hasText: "Data of this chart" }).click();
    assert.equal(await page.locator("ifm-search tbody tr").count(), 10);
    assert.equal(await page.locator("ifm-search tbody tr[data-best]").count(), 1);
    await assertAccessible(page, { include: ["ifm-search"] });
  });

  await t.test("without folds the search is drawn on validation rows", acceptance, async () => {
    await begin(page, `${search}&models=ifm`);
    await settled(page);
    const { series } = await run(page);
    const { kept } = series[0];
    const tells = await page.locator("ifm-search [data-note=search]").innerText();
    assert.match(tells, /^iFM: .* is chosen, [\d.]+ on validation rows\.$/);
    assert.ok(tells.includes(`λw ${kept.weights}`) && Math.abs(Number(/is chosen, ([\d.]+) on/.exec(tells)?.[1]) - kept.valid) < 0.01, tells);
  });

  await t.test("folds can be stopped, and a new run finishes", acceptance, async () => {
    await begin(page, `${search}&folds=3&models=ifm`, 2);
    await page.locator("ifm-result [data-phase=running] button", { hasText: "Stop" }).click();
    await page.locator("ifm-result .verdict[data-phase=stopped]").waitFor();
    await page.evaluate("pass(Infinity)");
    await page.locator("button.start").click();
    await page.locator("ifm-result .verdict[data-phase=done]").waitFor();
    const { series } = await run(page);
    assert.ok(series[0].kept.test < 5);
  });
});
