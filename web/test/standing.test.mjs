// @ts-check
/** That the page concludes from its runs' numbers. What it concludes from which is tested beside the sources, by table. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, dropFile, openPage, settled } from "./lab.mjs";

/** @typedef {import("node:test").TestContext} TestContext */

test("under noise the page says how much of the error no model can avoid", async (t) => {
  const page = await openPage(t, "/?speed=instant&noise=0.5");
  await page.locator("ifm-figure .verdict[data-phase=done]").waitFor();
  const says = await page.locator("ifm-figure [data-verdict]").innerText();
  const floor = Number(/The noise alone makes ([\d.]+), which/.exec(says)?.[1]);
  assert.ok(floor > 0.08 && floor < 0.12, `half of a standard deviation of about .2: ${says}`);
});

/** @param {TestContext} t @param {string} bytes */
async function concludesOnTable(t, bytes) {
  const page = await openPage(t, "/?speed=instant&d=8&n=100#table"); // its figure takes no time
  await dropFile(page, "ifm-data .door", { name: "t.csv", bytes });
  await settled(page); // its target is sure, so that it trains at once
  return { says: await page.locator("ifm-result [data-verdict]").innerText(), notices: (await page.locator("ifm-result .notices").allTextContents()).join() };
}

test("a target that its columns add up to is called exact, not won by a model's rounding", acceptance, async (t) => {
  const draw = (/** @type {number} */ i, /** @type {number} */ of) => ((Math.sin(i * of) * 1e4) % 1) - 0.5;
  const rows = Array.from({ length: 300 }, (_, i) => `${draw(i, 12.9)},${draw(i, 78.2)},${draw(i, 12.9) + draw(i, 78.2)}\n`);
  const { says, notices } = await concludesOnTable(t, `a,b,y\n${rows.join("")}`);
  assert.match(says, /^Ridge regression predicts the target almost exactly on 60 test rows/);
  assert.match(notices, /as (a and b|b and a) may be/);
});

test("interactions of both signs that are there are won by iFM beyond chance", acceptance, async (t) => {
  const d = 24;
  // y = (x₀ + x₂ + …)² − (x₁ + x₃ + …)², and noise: of rank two, where quadratic ridge has 324 columns for 180 rows.
  const rows = Array.from({ length: 300 }, (_, i) => {
    const uniform = (/** @type {number} */ j) => Math.abs(Math.sin(i * 12.9898 + j * 78.233) * 43758.5453) % 1;
    const x = Array.from({ length: d }, (_, j) => uniform(j) - 0.5);
    const half = (/** @type {number} */ from) => x.reduce((sum, v, j) => sum + (j % 2 === from ? v : 0), 0) ** 2;
    return [...x, half(0) - half(1) + 0.5 * (uniform(d) - 0.5)].join(",");
  });
  const { says } = await concludesOnTable(t, `${Array.from({ length: d }, (_, j) => `x${j}`).join(",")},y\n${rows.join("\n")}\n`);
  assert.match(says, /^On 60 test rows iFM \(RMSE [\d.]+\) predicts better than ridge regression \([\d.]+\), quadratic ridge \([\d.]+\)/);
});
