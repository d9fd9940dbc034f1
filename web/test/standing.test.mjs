// @ts-check
/** What the page concludes from a run's numbers, in the cases where it is easy to claim too much. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { dropFile, openPage } from "./lab.mjs";

/** @typedef {import("node:test").TestContext} TestContext */

/** @param {TestContext} t @param {string} query */
async function concludes(t, query) {
  const page = await openPage(t, `/?speed=instant&${query}`);
  await page.locator("ifm-figure .verdict[data-phase=done]").waitFor({ timeout: 60_000 });
  return page.locator("ifm-figure [data-verdict]").innerText();
}

test("where both models fit the truth the page says that, and not that one is far behind", async (t) => {
  assert.match(await concludes(t, "scenario=mixed&d=2&k=1&iterations=400"), /^Both fit the truth: FM ends at .*, iFM at /);
});

test("where rows are too few for the pairs the page says that ridge is ahead", async (t) => {
  assert.match(await concludes(t, "d=200"), /^Ridge regression \([^)]+\) is below both here.*too few/);
});

test("under noise the page says how much of the error no model can avoid", async (t) => {
  const says = await concludes(t, "noise=0.5");
  const floor = Number(/The noise alone makes ([\d.]+), which/.exec(says)?.[1]);
  assert.ok(floor > 0.08 && floor < 0.12, `half of a standard deviation of about .2: ${says}`);
});

/** @param {(i: number) => string} row */
const rows = (row) => `a,b,y\n${Array.from({ length: 300 }, (_, i) => row(i)).join("")}`;
const draw = (/** @type {number} */ i, /** @type {number} */ of) => ((Math.sin(i * of) * 1e4) % 1) - 0.5;

/** @param {TestContext} t @param {string} bytes */
async function concludesOnTable(t, bytes) {
  const page = await openPage(t, "/?speed=instant");
  await dropFile(page, "ifm-data .door", { name: "t.csv", bytes });
  await page.locator(".plan[data-state=ready]").waitFor();
  await page.getByLabel("Role of y", { exact: true }).selectOption("target");
  await page.locator(".plan[data-state=ready]").waitFor();
  await page.locator("button.start").click();
  await page.locator("ifm-result .verdict[data-phase=done]").waitFor({ timeout: 60_000 });
  return { says: await page.locator("ifm-result [data-verdict]").innerText(), notices: (await page.locator("ifm-result .notices").allTextContents()).join() };
}

test("a target that its columns add up to is called exact, not won by a model's rounding", async (t) => {
  const { says, notices } = await concludesOnTable(t, rows((i) => `${draw(i, 12.9)},${draw(i, 78.2)},${draw(i, 12.9) + draw(i, 78.2)}\n`));
  assert.match(says, /^Ridge regression predicts the target almost exactly on 60 test rows/);
  assert.match(notices, /as (a and b|b and a) may be/);
});

/** y = a + c·a·b and noise: the larger c, the clearer the interaction. */
const hidden = (/** @type {number} */ c) => rows((i) => `${draw(i, 12.9)},${draw(i, 78.2)},${draw(i, 12.9) + c * draw(i, 12.9) * draw(i, 78.2) + draw(i, 37.7)}\n`);

test("a lead over ridge that chance may explain is called one", async (t) => {
  const { says } = await concludesOnTable(t, hidden(0.25));
  assert.match(says, /predicts best on 60 test rows: test RMSE [\d.]+\. That is [\d.]+ % below ridge regression \([\d.]+\), which chance alone may explain: another split can turn it round/);
});

test("where quadratic ridge is level with the factors the page prefers it, being simpler", async (t) => {
  const { says } = await concludesOnTable(t, hidden(0.6));
  assert.match(says, /^Quadratic ridge wins on 60 test rows.* Of the others i?FM is level with it, so interactions pay here, but factors do not\./);
});

/** y = (Σ cⱼ xⱼ)², with cⱼ of the signs given, and noise: of rank one or two, where quadratic ridge has 324 columns for 180 rows. */
function wide(/** @type {boolean} */ both) {
  const d = 24;
  const row = (/** @type {number} */ i) => {
    const uniform = (/** @type {number} */ j) => Math.abs(Math.sin(i * 12.9898 + j * 78.233) * 43758.5453) % 1;
    const x = Array.from({ length: d }, (_, j) => uniform(j) - 0.5);
    const half = (/** @type {number} */ from) => x.reduce((sum, v, j) => sum + (j % 2 === from ? v : 0), 0) ** 2;
    return [...x, (both ? half(0) - half(1) : x.reduce((sum, v) => sum + v, 0) ** 2) + 0.5 * (uniform(d) - 0.5)].join(",");
  };
  return `${Array.from({ length: d }, (_, j) => `x${j}`).join(",")},y\n${Array.from({ length: 300 }, (_, i) => row(i)).join("\n")}\n`;
}

test("a lead over both simpler models that chance does not explain is told against both", async (t) => {
  const { says } = await concludesOnTable(t, wide(false));
  assert.match(says, /^FM predicts best on 60 test rows: test RMSE [\d.]+\. That is \d+ % below ridge regression \([\d.]+\), [\d.]+ % below quadratic ridge \([\d.]+\) and \d+ % below the mean/);
});

test("interactions of both signs that are there are won by iFM beyond chance", async (t) => {
  const { says } = await concludesOnTable(t, wide(true));
  assert.match(says, /^iFM predicts best on 60 test rows: test RMSE [\d.]+\. That is \d+ % below ridge regression \([\d.]+\), [\d.]+ % below quadratic ridge \([\d.]+\) and \d+ % below the mean/);
});

test("columns that do not tell the target are told to, whatever is ahead by a hair", async (t) => {
  const { says } = await concludesOnTable(t, rows((i) => `${draw(i, 12.9)},${draw(i, 78.2)},${draw(i, 37.7)}\n`));
  assert.match(says, /^Nothing here beats the mean|these columns say little about the target\./);
});
