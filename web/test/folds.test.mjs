// @ts-check
/** That K folds choose what is trained on a table, wherever and in whichever order they are done. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { holdCall, pass } from "./calls.mjs";
import { assertAccessible, openPage, settled } from "./lab.mjs";
import { runs } from "./native.mjs";
import { openData, sample, savedChart, tab, train } from "./table.mjs";

const search = "sample=cars&target=Miles_per_Gallon&ranks=1,2&lambdaf=100,10&lambdaw=10&iterations=20";
const link = (/** @type {string} */ query) => `/?source=table&${query}&speed=instant`;

/** The file of a run. @param {Page} page */
const run = async (page) => {
  await tab(page, "training");
  return JSON.parse((await savedChart(page, page.locator("ifm-result [data-chart=curve]"), "json")).text);
};

test("folds choose the same, bit for bit, with one worker and with four, and what they choose natively", async (t) => {
  const few = `${search}&folds=3&encode=linear&models=ifm`;
  /** @type {any[]} */
  const seen = [];
  for (const processors of [1, 4]) {
    const page = await openPage(t, link(few), { processors });
    await train(page);
    seen.push((await run(page)).series);
  }
  assert.deepEqual(seen[0], seen[1]);
  const native = await runs(`?${few}`, sample("cars.csv"));
  for (const { model, kept, candidates } of seen[0]) {
    const own = native.find((one) => one.model === model);
    const errors = candidates[kept.candidate].test;
    assert.equal(own?.errors.length, errors.length);
    errors.forEach((/** @type {number} */ v, /** @type {number} */ i) => assert.ok(Math.abs(v / (own?.errors[i] ?? 0) - 1) < 1e-9, `record ${i}: ${v}, natively ${own?.errors[i]}`));
    assert.equal(kept.iteration, candidates.at(-1).iteration.at(-1), "what the folds chose is the last that is trained");
  }
});

test("a search is drawn, over folds and without them, and is stopped and begun again", async (t) => {
  const page = await openPage(t, link(`${search}&folds=3`), { before: (page) => holdCall(page, "next", 20) });
  const says = page.locator("ifm-search [data-note=search]");

  await t.test("the search is drawn while it runs and says of each candidate what the folds make of it, in words and as a table", async () => {
    const slider = page.getByLabel("Candidate under the cursor");
    await page.locator("#tab-training").click();
    await slider.waitFor();
    assert.match(await page.locator(".going .note").innerText(), /^Cross-validation: \d of 6 folds/);
    await pass(page);
    await settled(page);
    const { series } = await run(page);
    for (const { model, kept } of series) {
      await page.locator("ifm-search .segments label", { hasText: model === "fm" ? /^FM$/ : "iFM" }).click();
      await settled(page);
      const tells = await says.innerText();
      assert.ok(tells.includes(`chosen is ${kept.rank === 0 ? "linear" : `rank ${kept.rank}, factor penalty ${kept.lambda}`}, weight penalty ${kept.weights}${kept.hats ? ", numbers as curves" : ""}.`), `${tells}: ${JSON.stringify(kept)}`);
      assert.match(tells, /of the 10 candidates/);
      assert.ok(Math.abs(Number(/standard error: ([\d.]+) ±/.exec(tells)?.[1]) - kept.valid) < 0.01, "what the engine chose is what the picture says");
    }
    await slider.focus();
    assert.match((await slider.getAttribute("aria-valuetext")) ?? "", /mean of 3 folds, iteration \d+ \(chosen\)$/);
    await openData(page.locator("ifm-search ifm-chart"));
    assert.equal(await page.locator("ifm-search tbody tr").count(), 10);
    assert.equal(await page.locator("ifm-search tbody th", { hasText: "chosen" }).count(), 1);
    await assertAccessible(page, { include: ["ifm-search"] });
  });
});
