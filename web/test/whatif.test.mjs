// @ts-check
/** What a prediction becomes if cells of its row are others: on a row of a table, on the average row, in a model from a file. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { assertAccessible, openPage, settled } from "./lab.mjs";
import { drop, sample, saved, tab, train, twice } from "./table.mjs";

/** The parts before and after a change, and their ends. @param {Locator} reasons */
const parts = (reasons) => reasons.locator("tr[data-part]").evaluateAll((rows) => rows.map((row) => ({ part: row.getAttribute("data-part") ?? "", before: Number(row.getAttribute("data-before")), after: Number(row.getAttribute("data-value")), text: /** @type {HTMLElement} */ (row).innerText })));

/** @param {Locator} reasons */
async function addsUp(reasons) {
  const all = await parts(reasons);
  const end = all.findIndex(({ part }) => part === "predicted");
  for (const when of /** @type {const} */ (["before", "after"])) {
    const sum = all.slice(0, end).reduce((sum, part) => sum + part[when], 0);
    assert.ok(Math.abs(sum - (all[end]?.[when] ?? Number.NaN)) < 1e-9, `${when}: ${sum}`);
  }
  return { before: all[end]?.before, after: all[end]?.after, all };
}

/** What the engine predicts for the same row as a file of its own. @param {Page} page @param {Record<string, string>} changes */
async function asFile(page, changes) {
  const [names = [], ...rows] = readFileSync(sample("cars.csv"), "utf8").trim().split("\n").map((line) => line.split(","));
  const line = await page.locator("ifm-fit ifm-reasons section").getAttribute("data-line");
  const row = rows[Number(line) - 2]?.map((cell, i) => changes[names[i] ?? ""] ?? cell) ?? [];
  await tab(page, "take");
  const keep = page.locator("ifm-keep");
  await keep.locator("input[data-file=predict]").setInputFiles({ name: "one.csv", mimeType: "text/csv", buffer: Buffer.from(`${names.join(",")}\n${row.join(",")}\n`) });
  await settled(page);
  const { predicted, low, high } = await keep.locator("ifm-predict").evaluate((panel) => /** @type {any} */ (panel).done.predicted);
  await tab(page, "predictions");
  return { predicted: predicted[0], low: low[0], high: high[0] };
}

test("cells of a row are changed by keyboard, and prediction, interval and parts follow", async (t) => {
  const page = await openPage(t, `/?source=table&sample=cars&models=ifm&${twice}&speed=instant`);
  await train(page);
  const fit = page.locator("ifm-fit");
  const reasons = fit.locator("ifm-reasons");
  await fit.locator(".largest button").nth(1).click();
  await settled(page);
  const at = await addsUp(reasons);
  assert.equal(at.before, at.after, "nothing is changed yet");
  await reasons.locator(".what-if summary").click();
  await settled(page);
  await assertAccessible(page, { include: ["ifm-reasons"] });
  const top = () => reasons.evaluate((panel) => /** @type {HTMLElement} */ (panel.querySelector("table")).getBoundingClientRect().top - panel.getBoundingClientRect().top);
  const before = await top();

  const slider = reasons.getByRole("slider", { name: "Horsepower, slider" });
  await slider.focus();
  for (let i = 0; i < 40; i++) await page.keyboard.press("ArrowRight");
  await settled(page);
  const horsepower = await reasons.getByRole("spinbutton", { name: "Horsepower", exact: true }).inputValue();
  await reasons.getByRole("combobox", { name: "Origin" }).selectOption("Japan");
  await settled(page);
  const changed = await addsUp(reasons);
  assert.equal(changed.before, at.after);
  assert.notEqual(changed.after, at.after);
  assert.match(changed.all.find(({ part }) => part === "Horsepower")?.text ?? "", new RegExp(`\\d+ → ${horsepower}`));
  assert.equal(await top(), before, "nothing moves");
  const own = await asFile(page, { Horsepower: horsepower, Origin: "Japan" });
  assert.equal(changed.after, own.predicted);
  assert.deepEqual(["low", "high"].map((end) => changed.all.find(({ part }) => part === end)?.after), [own.low, own.high]);
  assert.match(await reasons.locator("[role=status]").innerText(), /^Predicted: [\d.]+, before the change [\d.]+\. 90.% interval: [\d.]+ to [\d.]+\. Actual: [\d.]+\.$/);

  await reasons.getByRole("spinbutton", { name: "Horsepower", exact: true }).fill("400");
  await settled(page);
  assert.equal(await reasons.locator("[data-beyond=true]").count(), 1);
  await reasons.getByRole("button", { name: /^Horsepower as in the file: \d+$/ }).click();
  await settled(page);
  assert.equal(await reasons.locator("[data-beyond=true]").count(), 0);
  assert.ok(await reasons.getByRole("button", { name: /^Origin as in the file/ }).isEnabled(), "which is still changed");
  await reasons.getByRole("button", { name: "All as in the file" }).click();
  await settled(page);
  assert.equal((await addsUp(reasons)).after, at.after);
  assert.ok(await reasons.getByRole("button", { name: "All as in the file" }).isDisabled());

  await fit.getByRole("button", { name: "Explain the average row" }).click();
  await settled(page);
  await addsUp(reasons);
});

test("a slider that is dragged is followed by the last cell, one question at a time", async (t) => {
  const page = await openPage(t, `/?source=table&sample=cars&models=ifm&${twice}&speed=instant`);
  await train(page);
  await page.locator("ifm-fit .largest button").first().click();
  await settled(page);
  await page.locator("ifm-reasons .what-if summary").click();
  const last = await page.locator("ifm-fit").evaluate((fit) => {
    const own = /** @type {any} */ (fit);
    const { callOn } = own.pool;
    own.asked = { now: 0, most: 0 };
    own.pool.callOn = async (/** @type {any[]} */ ...args) => {
      own.asked.most = Math.max(own.asked.most, ++own.asked.now);
      try {
        return await callOn.apply(own.pool, args);
      } finally {
        own.asked.now--;
      }
    };
    const slider = /** @type {HTMLInputElement} */ (fit.querySelector("[data-column=Weight_in_lbs] input[type=range]"));
    for (let i = 0; i < 50; i++) {
      slider.value = String(2000 + 50 * i);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    }
    return slider.value;
  });
  await settled(page);
  const { after, most } = await page.locator("ifm-fit").evaluate((fit) => ({ after: /** @type {any} */ (fit).explanations.answered.found.inputs.find((/** @type {any} */ { column }) => column === "Weight_in_lbs").after, most: /** @type {any} */ (fit).asked.most }));
  assert.equal(after, last);
  assert.equal(most, 1);
});

test("in a model from a file the average row and rows of another file are changed, of classes too", async (t) => {
  const page = await openPage(t, `/?source=table&sample=penguins&target=Species&models=ifm&${twice}&speed=instant`);
  await train(page);
  await tab(page, "take");
  const file = await saved(page, page.locator("ifm-keep .download"));
  await drop(page, file.name, file.bytes);
  await settled(page);
  const reasons = page.locator("ifm-model ifm-reasons");
  await page.locator("ifm-model .average-row").click();
  await settled(page);
  assert.ok(await reasons.locator(".what-if[open]").count(), "ready to be changed");
  const at = await addsUp(reasons);
  assert.equal(at.before, at.after);
  await reasons.getByRole("spinbutton", { name: "Beak Length (mm)" }).fill("55");
  await settled(page);
  const { all } = await addsUp(reasons);
  const each = all.filter(({ part }) => part.startsWith("P("));
  assert.equal(each.length, 3);
  for (const when of /** @type {const} */ (["before", "after"])) assert.ok(Math.abs(each.reduce((sum, part) => sum + part[when], 0) - 1) < 1e-12);
  assert.notEqual(each[0]?.before, each[0]?.after);

  await page.locator("ifm-model input[data-file=predict]").setInputFiles(sample("penguins.csv"));
  await settled(page);
  await page.locator("ifm-model").getByRole("button", { name: "Line 3: why this prediction" }).click();
  await settled(page);
  assert.equal(await reasons.locator("section").getAttribute("data-line"), "3");
  assert.match(await reasons.locator("[role=status]").innerText(), /Actual: Adelie\.$/);
  await page.setViewportSize({ width: 390, height: 844 });
  await settled(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than a phone");
});
