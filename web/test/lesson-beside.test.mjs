// @ts-check
/** The experiments that stand beside a chapter's first one: their numbers are the native ones, and what they find is said and drawn. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, settled, tabTo } from "./lab.mjs";
import { details, value } from "./lesson.mjs";
import { records } from "./native.mjs";

test("the experiment on the rank gives the native rates", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=algorithm&algorithm.d=8&algorithm.ranks=1,3");
  await details(page, "algorithm");
  const ranks = page.locator("ifm-followup");
  await ranks.locator(".measure").click();
  await settled(page);
  for (const form of ["algorithm1", "centred"]) {
    const rows = await records(`d=8&k=3&n=480&test=10&iterations=15&tolerance=0&solver=${form}&batches=fresh&models=gfm&scenario=psd&truth=orthonormal&diagonal=kept`);
    const first = Number(rows[1]?.["errorM"]);
    const shown = await value(ranks.locator(`[data-first="${form} 3"]`));
    assert.ok(Math.abs(shown - first) < 1e-9, `${form}: ${shown} after one iteration, natively ${first}`);
    const error = (/** @type {number} */ i) => Number(rows[i]?.["errorW"]) + Number(rows[i]?.["errorM"]);
    assert.ok(Math.abs((await value(ranks.locator(`[data-shaped="${form} 3"]`))) / ((error(15) / error(2)) ** (1 / 13) * Math.sqrt(20)) - 1) < 1e-6);
  }
  assert.ok((await value(ranks.locator('[data-first="centred 3"]'))) < (await value(ranks.locator('[data-first="algorithm1 3"]'))));
});

test("Algorithm 1 is stepped through by buttons and keys, as printed and mended, with the engine's own numbers", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=algorithm&algorithm.seed=2", { viewport: { width: 390, height: 800 }, colorScheme: "dark" });
  await details(page, "algorithm");
  const picture = page.locator("ifm-iteration");
  const error = (/** @type {string} */ form, /** @type {number} */ i) => value(picture.locator(`[data-error="${form} ${i}"]`));
  await tabTo(page, "ifm-iteration .forth");
  await settled(page);
  assert.match(await picture.locator(".leg").innerText(), /^Iteration 1 of 5, step 1 of 4: estimate/);
  const trace = async (/** @type {number} */ map) => (await picture.locator("table[data-map]").nth(map).locator(".own").evaluateAll((all) => all.map((cell) => Number(cell.getAttribute("data-value"))))).reduce((sum, v) => sum + v, 0);
  const mean = Number(await picture.locator(".found [data-value]").first().getAttribute("data-value")); // half of the mean residual
  assert.ok(Math.abs((await trace(2)) / 8 / mean - 1) < 0.1, `${await trace(2)} on the diagonal, ${mean} in every entry`);

  await page.keyboard.press("ArrowRight");
  const left = await trace(2);
  await picture.getByLabel("with the missing term").check();
  assert.match(await picture.locator(".leg").innerText(), /step 2 of 4: correct/, "the same step of the other form");
  assert.ok(Math.abs(await trace(2)) < 0.2 * Math.abs(left), `${await trace(2)} is left of ${left}`);
  await picture.getByLabel("as printed").check();
  await picture.locator(".forth").click();
  const columns = await picture.locator("table[data-map]").nth(1).locator("tbody tr").evaluateAll((rows) => rows.map((row) => Array.from(row.querySelectorAll("td"), (cell) => Number(cell.dataset["value"]))));
  for (const [a, b] of /** @type {const} */ ([[0, 0], [1, 1], [0, 1], [1, 2]])) {
    const product = columns.reduce((sum, row) => sum + (row[a] ?? NaN) * (row[b] ?? NaN), 0);
    assert.ok(Math.abs(product - (a === b ? 1 : 0)) < 1e-12, `columns ${a} and ${b} of Ū: ${product}`);
  }
  assert.ok(Number.isNaN(await error("printed", 1)), "what has not been stepped through is not told yet");
  await page.keyboard.press("ArrowRight");
  await tabTo(page, "ifm-iteration .forth");
  for (let i = 4; i < 25; i++) await page.keyboard.press("ArrowRight"); // more than there are
  assert.match(await picture.locator(".leg").innerText(), /^Iteration 5 of 5, step 4 of 4: update/);
  assert.equal(await picture.locator(".forth").getAttribute("aria-disabled"), "true");
  for (const form of ["printed", "algorithm1"]) {
    const rows = await records(`d=8&k=3&n=1440&test=10&iterations=5&tolerance=0&seed=2&solver=${form}&batches=fresh&models=gfm&scenario=psd&truth=orthonormal&diagonal=kept`);
    for (const [i, row] of rows.entries()) assert.ok(Math.abs((await error(form, i)) / Number(row["errorM"]) - 1) < 1e-9, `${form}, iteration ${i}`);
  }
  assert.ok((await error("printed", 5)) > 4 && (await error("algorithm1", 5)) < 0.01, "the printed form goes astray, the mended one does not");
  await page.keyboard.press("ArrowLeft");
  assert.match(await picture.locator(".leg").innerText(), /step 3 of 4/);
  await picture.evaluate(async (/** @type {any} */ left) => {
    left.seed = 3;
    await left.updateComplete;
    const mark = document.createComment("");
    left.replaceWith(mark);
    mark.replaceWith(left);
  });
  await settled(page);
  assert.equal(await picture.locator(".experiment").getAttribute("data-phase"), "done", "who leaves while it computes finds it computed on return");
});
