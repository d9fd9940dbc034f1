// @ts-check
/** What a table's run shows beside its curves: errors, pairs by name, simpler models; and what its way says before. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { countCalls, holdCall, pass } from "./calls.mjs";
import { assertAccessible, dragFile, dropFile, openPage, settled } from "./lab.mjs";
import { shift } from "./measure.mjs";
import { finished, planned, refusal, rows, sample, savedChart, small, tab, title, train, twice } from "./table.mjs";

const two = `${twice}&speed=instant`;

/** How many test rows a panel has. @param {Page} page @param {string} element @returns {Promise<number>} */
const tested = (page, element) => page.locator(element).evaluate((panel) => [.../** @type {any} */ (panel).training.predictions.values()][0].actual.length);

test("a value out of bounds is held beside its input, in words, and the bounds are seen before", async (t) => {
  const page = await openPage(t, `/?source=table&sample=cars&${two}`);
  await planned(page);
  await tab(page, "training");
  await page.locator(".tuning summary").click();
  const input = page.locator(".tuning").getByLabel("Trials", { exact: true });
  /** What stands beside an input once it has a value. @param {Locator} input @param {string} value */
  const said = async (input, value) => {
    await input.fill(value);
    await input.press("Tab");
    return (await page.locator(`#${await input.getAttribute("aria-describedby")}`).innerText()).trim();
  };
  assert.match(await said(input, "5000"), /Set to 100: the range is 1 to 100\.$/);
  assert.equal(await input.inputValue(), "100");
  await page.waitForURL(/trials=100/);
  assert.equal(await said(input, "3"), "1 to 100", "what was held is forgotten with the next value");
  const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map((element) => element.id));
  assert.deepEqual(ids.filter((id, i) => ids.indexOf(id) !== i), [], "no two inputs share their bounds");
});

test("the figure's test rows unfold below its heat maps, and are asked for no sooner", async (t) => {
  const page = await openPage(t, "/?speed=instant&d=12&n=300&test=300&iterations=40", { before: countCalls });
  await page.getByRole("button", { name: /^More:/ }).click();
  await page.getByRole("checkbox", { name: "Heat maps" }).check();
  await page.keyboard.press("Escape");
  await finished(page, "ifm-figure");
  const panel = page.locator("ifm-predicted");
  await settled(page, panel.locator("summary").first().click());
  const chart = panel.locator("[data-chart=predictions]");
  assert.equal(await chart.locator(".scatter-svg circle").count(), 300, "of a run that is over, too");
  assert.equal(await tested(page, "ifm-figure"), 300);
  await settled(page, panel.locator("select.whose").selectOption("fm"));
  assert.match((await chart.locator(".plot").getAttribute("aria-label")) ?? "", /FM: RMSE/);
  await assertAccessible(page, { include: ["ifm-predicted"] });
});

test("from the drop of a file to its verdict hardly anything moves", async (t) => {
  const page = await openPage(t, `/?${small}&${twice}&source=table`, { viewport: { width: 390, height: 844 } });
  await dropFile(page, "#main", { name: "own.csv", bytes: readFileSync(sample("cars.csv")) });
  await finished(page);
  const moved = await shift(page, true); // nothing was pressed
  assert.ok(moved <= 0.02, `${moved}`);
});

test("rows that are pasted are a file, in the box or on the page", async (t) => {
  const page = await openPage(t, `/?${small}&${two}&models=ifm#table`);
  await page.getByRole("button", { name: "Paste rows" }).click();
  await page.locator("#pasted").fill(`a\tb\ty\n${rows(60, (i) => [(i * 7) % 11, (i * 5) % 13, `${(i * 3) % 17}.5`], "\t")}`);
  await page.getByRole("button", { name: "Use these rows" }).click();
  await finished(page);
  assert.equal(await title(page), "pasted.csv: 60 rows, 3 columns; predicting y");
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  }, `a,b,y\n${rows(70, (i) => [(i * 7) % 11, (i * 5) % 13, `${(i * 3) % 17}.5`])}`);
  await page.locator("#second [data-as=instead]").click();
  await finished(page);

  await t.test("a folder is refused, and what was open stays", async () => {
    await settled(page, dragFile(page, "#main", { path: path.dirname(sample("cars.csv")) }));
    assert.match(await refusal(page), /samples.*This is a folder/s);
    assert.match(await title(page), /^pasted\.csv: 70 rows/);
  });
});

const search = "sample=cars&target=Miles_per_Gallon&ranks=1,2&lambdaf=100,10&lambdaw=10&iterations=20";
const link = (/** @type {string} */ query) => `/?source=table&${query}&speed=instant`;

/** The file of a run. @param {Page} page */
const run = async (page) => {
  await tab(page, "training");
  return JSON.parse((await savedChart(page, page.locator("ifm-result [data-chart=curve]"), "json")).text);
};

test("folds choose the same, bit for bit, with one worker and with four", async (t) => {
  const few = `${search}&folds=3&encode=linear&models=ifm`;
  /** @type {any[]} */
  const seen = [];
  for (const processors of [1, 4]) {
    const page = await openPage(t, link(few), { processors });
    await train(page);
    seen.push((await run(page)).series);
  }
  assert.deepEqual(seen[0], seen[1]);
});

test("the search is drawn while it runs, and what it says is chosen is what the engine chose", async (t) => {
  const page = await openPage(t, link(`${search}&folds=3`), { before: (page) => holdCall(page, "next", 20) });
  const says = page.locator("ifm-search [data-note=search]");
  const slider = page.getByLabel("Candidate under the cursor");
  await page.locator("#tab-training").click();
  await slider.waitFor();
  assert.match(await page.locator(".going .note").innerText(), /^Cross-validation: \d of 6 folds/);
  for (const name of ["Pause", "Step", "Stop"]) assert.ok(await page.locator("ifm-result .controls").getByRole("button", { name }).isEnabled(), name);
  await pass(page);
  await settled(page);
  const { series } = await run(page);
  for (const { model, kept } of series) {
    await settled(page, page.locator("ifm-search .segments label", { hasText: model === "fm" ? /^FM$/ : "iFM" }).click());
    const tells = await says.innerText();
    assert.ok(tells.includes(`chosen is ${kept.rank === 0 ? "linear" : `rank ${kept.rank}, factor penalty ${kept.lambda}`}, weight penalty ${kept.weights}${kept.hats ? ", numbers as curves" : ""}.`), `${tells}: ${JSON.stringify(kept)}`);
    assert.match(tells, /of the 10 candidates/);
    assert.ok(Math.abs(Number(/standard error: ([\d.]+) ±/.exec(tells)?.[1]) - kept.valid) < 0.01, "what the engine chose is what the picture says");
  }
  await assertAccessible(page, { include: ["ifm-search"] });
});
