// @ts-check
/** What stands beside the models of a table once they are trained: boosted trees, and the pairs of columns that act together. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { holdCall } from "./calls.mjs";
import { assertAccessible, dropFile, openPage, origin, settled } from "./lab.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @param {Page} page @param {string} query */
async function train(page, query) {
  await page.goto(new URL(`/?source=table&${query}&speed=instant`, await origin()).href);
  await settled(page);
  await page.locator("button.start").click();
  await page.locator("ifm-result .verdict[data-phase=done]").waitFor();
}

test("boosted trees grow once the models are trained, tell how far, can be stopped and begun again, and stand among the others", async (t) => {
  const page = await openPage(t, "about:blank");
  await holdCall(page, "trees");
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
  await settled(page);
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Grow boosted trees", "the focus is on the button in place of the one that has gone");
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

/** Rows of three columns of numbers and one of levels; the first two act together as far as `strength` says. @param {number} rows @param {number} strength */
const drawn = (rows, strength) => {
  const uniform = (/** @type {number} */ i, /** @type {number} */ of) => (Math.abs(Math.sin(i * 12.9898 + of * 78.233) * 43758.5453) % 1) - 0.5;
  const line = (/** @type {number} */ i) => {
    const [a, b, c] = [uniform(i, 1), uniform(i, 2), uniform(i, 3)];
    return `${a},${b},${c},${"uvw".charAt(i % 3)},${a + b * b + c + strength * a * b + 0.2 * (uniform(i, 4) + uniform(i, 5))}`;
  };
  return `a,b,c,kind,y\n${Array.from({ length: rows }, (_, i) => line(i)).join("\n")}\n`;
};

test("pairs that act together are tested step by step, named with their share and effect, and told where there are none", async (t) => {
  const page = await openPage(t, "about:blank");
  await holdCall(page, "pairs");
  await page.goto(new URL("/?d=8&k=2&n=100&ranks=1&lambdaf=30&lambdaw=10&encode=linear&speed=instant#table", await origin()).href);
  await dropFile(page, "ifm-data .door", { name: "drawn.csv", bytes: drawn(600, 3) }); // whose target is sure, so that it trains at once
  await page.locator("ifm-result .verdict[data-phase=done]").waitFor();
  const panel = page.locator("ifm-pairs");
  await panel.getByText(/^(Reading|Fitting|Multiplying|Testing|Measuring) .* …$/).waitFor();
  assert.equal(await panel.getByRole("progressbar").count(), 1);
  await panel.getByRole("button", { name: "Stop" }).focus();
  await page.keyboard.press("Enter");
  await panel.getByText("The test was stopped, and names no pair.").waitFor();
  await page.evaluate(() => /** @type {any} */ (window).pass(Number.POSITIVE_INFINITY));
  await panel.getByRole("button", { name: "Test pairs of columns" }).click();
  await panel.locator("[data-named]").waitFor();
  await settled(page);
  assert.equal(await panel.locator(".first").innerText(), "1 of 6 pairs stands out.");
  const row = panel.locator("tr[data-pair]");
  assert.equal(await row.getAttribute("data-pair"), "a × b");
  assert.match(await row.innerText(), /%\s+[\d.]+ % to [\d.]+ %\s+[\d.]+ × 10⁻/);
  const { share, effect, rows, columns } = await panel.evaluate((element) => {
    const [pair] = /** @type {any} */ (element).study.answers.get(0).named;
    return { share: pair.share, effect: [...pair.effect], rows: pair.rows.length, columns: pair.columns.length };
  });
  assert.equal(Number(await row.getAttribute("data-share")), share);
  assert.ok(share > 0.05 && share < 0.6, `${share}`);
  const cells = await panel.locator("ifm-effect tbody td").allInnerTexts();
  assert.equal(cells.length, rows * columns, "a cell for each two places");
  cells.forEach((text, i) => assert.match(text, Number.isNaN(effect[i]) ? /^–$/ : effect[i] < 0 ? /^−/ : /^[+0]/, "the sign is told in words, not by colour alone"));
  assert.match(await panel.locator("ifm-effect .note").innerText(), /^Highest at a [−\d.]+, b [−\d.]+: \+[\d.]+\. Lowest at a /);
  const marked = await panel.locator("ifm-effect td[data-few=true]").allInnerTexts();
  assert.ok(marked.every((text) => text.endsWith("°")));
  await panel.getByRole("region", { name: /^What a and b do together/ }).focus();
  await assertAccessible(page, { include: ["ifm-pairs"] });

  await dropFile(page, "ifm-data .door", { name: "drawn.csv", bytes: drawn(601, 0) });
  await settled(page);
  await panel.getByText("No pair stands out among 6.").waitFor();
  assert.equal(await panel.locator("tr[data-pair], ifm-effect").count(), 0);
});

test("entries of single knots are not listed, as they mean nothing by themselves", async (t) => {
  const page = await openPage(t, "about:blank");
  await train(page, "sample=cars&models=ifm&ranks=1&lambdaf=30&lambdaw=10&encode=hats");
  await settled(page);
  assert.equal(await page.locator("ifm-pairs [data-named]").count(), 1);
  assert.equal(await page.locator("ifm-strongest .strongest").count(), 0);
});
