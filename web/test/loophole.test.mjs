// @ts-check
/** FM's loophole: a cross built by hand, and those that FM makes of itself, rank by rank. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, settled, tabTo } from "./lab.mjs";
import { answered, details, over, value } from "./lesson.mjs";
import { records } from "./native.mjs";

const small = { d: 6, n: 200, test: 100, iterations: 120 };
const address = `/?embed=1&chapter=loophole${Object.entries(small).map(([key, value]) => `&loophole.${key}=${value}`).join("")}`;

/** @typedef {{ key: string, values: { d: number, values: number[], names: string[] } | null, crosses?: number[] }} Panel */

/** What maps show. @param {Locator} row @returns {Promise<Record<string, Panel>>} */
async function maps(row) {
  const panels = /** @type {Panel[]} */ (await row.evaluate((matrix) => /** @type {any} */ (matrix).panels.map((/** @type {any} */ panel) => ({ ...panel, values: panel.values && { ...panel.values, values: [...panel.values.values] } }))));
  return Object.fromEntries(panels.map((panel) => [panel.key, panel]));
}

/** @param {Panel | undefined} panel @param {number} i @param {number} l */
const entry = (panel, i, l) => panel?.values?.values[i * (panel.values.d) + l] ?? NaN;

test("FM's loophole is asked, built by hand and learnt rank by rank, by keyboard alone", async (t) => {
  const page = await openPage(t, address, { reducedMotion: "reduce" });
  const chapter = await details(page, "loophole");
  const building = chapter.locator("ifm-crosses");
  const built = building.locator("ifm-matrix");
  const learnt = chapter.locator(".seen ifm-matrix");
  await tabTo(page, "[data-guess=none]");
  await page.keyboard.press("Enter");
  await over(chapter);

  await t.test("the answer is that of rank 1: the row with the largest hidden diagonal entry is copied, sign and all", async () => {
    assert.deepEqual(await answered(chapter), ["all", "false"]);
    const { truth, fm } = await maps(learnt);
    const d = truth?.values?.d ?? 0;
    assert.equal(d, 6);
    const row = [...Array(d).keys()].reduce((best, j) => (entry(fm, j, j) > entry(fm, best, best) ? j : best), 0);
    assert.deepEqual(fm?.crosses, [row]);
    const others = [...Array(d).keys()].filter((i) => i !== row);
    const size = (/** @type {number[]} */ of) => Math.hypot(...of);
    const missed = size(others.map((i) => entry(fm, row, i) - entry(truth, row, i))) / size(others.map((i) => entry(truth, row, i)));
    assert.ok(Math.abs((await value(chapter.locator(".told b").first())) - missed) < 1e-12, "sums of five products, in another order");
  });

  await t.test("c grows by itself once asked to, in few steps where nothing is to move, and a slider takes it anywhere", async () => {
    const slider = building.locator("[data-slider=c]");
    assert.equal(await slider.inputValue(), "42", "the cross is seen, and it waits to be asked");
    const { whole: first } = await maps(built);
    await tabTo(page, "button.play");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await slider.inputValue(), "60");
    assert.equal(await building.locator("button.play").getAttribute("aria-pressed"), "false");
    const { whole } = await maps(built);
    const [j = -1] = whole?.crosses ?? [];
    const square = entry(whole, j, j);
    assert.ok(Math.abs(square / entry(first, j, j) / (1000 / 0.3) ** 0.3 - 1) < 1e-9, "c² grows to a thousand times the largest entry");
    assert.ok(Math.abs((await value(building.locator("[data-of=square]"))) - square) < 1e-9 * square);
    await slider.focus();
    await page.keyboard.press("Home");
    await settled(page);
    assert.match((await slider.getAttribute("aria-valuetext")) ?? "", /^\d\.\d+ on the hidden diagonal, up to \d\.?\d* spilt elsewhere$/);
    await building.locator("[data-slider=columns]").focus();
    await page.keyboard.press("End");
    await settled(page);
    assert.equal((await maps(built))["whole"]?.crosses?.length, 5);
    const kept = await value(building.locator("[data-of=kept]"));
    assert.ok(kept < 1e-9, `${kept}: what is left grows fourfold with a column at this c, so products of up to a thousand are taken from each other`);
  });

  await t.test("the slider of the rank shows what each rank has learnt, as its native run does", async () => {
    const slider = chapter.locator("[data-slider=rank]");
    await tabTo(page, "[data-slider=rank]");
    for (const rank of [1, 2, 3]) {
      if (rank > 1) await page.keyboard.press("ArrowRight");
      await settled(page);
      const run = (await records(`scenario=flipped&truth=orthonormal&d=6&k=2&n=200&test=100&noise=0&solver=agd&iterations=120&models=fm&rank=${rank}`)).at(-1) ?? {};
      const { truth, fm, left } = await maps(learnt);
      const off = Math.hypot(...(left?.values?.values ?? [])) / Math.hypot(...(truth?.values?.values ?? []));
      assert.ok(Math.abs(off - Number(run["errorM"])) < 1e-6 * off, `rank ${rank}: ${off}, natively ${run["errorM"]}`); // wasm and amd64 round differently, and c² grows without bound
      const names = (fm?.crosses ?? []).map((j) => truth?.values?.names[j]);
      assert.equal(await chapter.locator(`[data-matrix=fm] .framed`).count(), 2 * names.length, "a frame for each row and each column");
      const said = (await slider.getAttribute("aria-valuetext")) ?? "";
      assert.ok(said.startsWith(`Rank ${rank}: `) && names.every((name) => said.includes(name ?? "?")), said);
      assert.equal(await chapter.locator(`[data-crosses="${rank}"]`).innerText(), names.join(", ") || "none");
    }
  });

  await t.test("with d − 2 columns or one more the bias is over, and iFM's with as many numbers stands beside", async () => {
    const told = await chapter.locator(".told").innerText();
    const [, rank, less, numbers] = /at rank (\d) = d(?: − (\d))?, with (\d+) numbers/.exec(told) ?? [];
    assert.ok(rank === "4" || rank === "5", told);
    assert.deepEqual([Number(less), Number(numbers)], [6 - Number(rank), 6 * Number(rank)]);
    assert.ok((await value(chapter.locator(`[data-left="fm ${rank}"]`))) <= 0.02);
    assert.ok((await value(chapter.locator('[data-left="fm 1"]'))) > 0.2);
    const lines = chapter.getByRole("slider", { name: /^numbers for each feature/ });
    await lines.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    assert.match((await lines.getAttribute("aria-valuetext")) ?? "", /^12 numbers: FM 0\.\d+, iFM 0\.\d+$/);
  });
});
