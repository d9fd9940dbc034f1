// @ts-check
/** What an interaction is, and the spectrum: their numbers are those of the native runs. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, settled, tabTo } from "./lab.mjs";
import { answered, details, native, near, open, over, run, value } from "./lesson.mjs";
import { openData } from "./table.mjs";

const few = { ranks: "1,8" };
const asked = "scenario=mixed&truth=orthonormal&d=30&k=3&n=1800&test=1000&noise=0.1&solver=agd&iterations=300";

test("a plane explains nothing of a product, FM and iFM all of it, with the numbers of the native runs", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=interaction");
  const chapter = await details(page, "interaction");
  assert.equal(await page.locator("ifm-figure, ifm-data, nav").count(), 0, "a frame has nothing but the chapter");
  await run(chapter, "half");
  assert.deepEqual(await answered(chapter), ["nothing", "false"]);
  const weight = (/** @type {string} */ row) => value(chapter.locator(`[data-row=${row}] [data-weight]`), "data-weight");
  for (const model of ["fm", "ifm"]) {
    const { test: rmse } = await native(`scenario=mixed&truth=orthonormal&d=2&k=2&rank=1&n=500&test=10000&noise=0.1&iterations=100&models=${model}`);
    near(await value(chapter.locator(`[data-row=${model}] [data-rmse]`), "data-rmse"), rmse, `${model}'s test RMSE`);
    // 500 rows with a noise of a tenth of sd y tell a weight to .1·1.8/√500 = .008, 1 % of it in twice that.
    near(await weight(model), await weight("truth"), `${model}'s m`, 0.02);
  }
  const [sd, second] = await chapter.locator(".told b[data-of=none]").evaluateAll((all) => all.map((b) => Number(b.getAttribute("data-value"))));
  // Where y = w·x + m·x₁x₂, ‖w‖ = 1, its variance is 1 + m².
  near(second ?? NaN, Math.abs(await weight("truth")), "the sd of the product");
  near((sd ?? NaN) ** 2, 1 + (second ?? NaN) ** 2, "the variance of y");
  await run(chapter, "nothing");
  assert.deepEqual(await answered(chapter), ["nothing", "true"], "another guess needs no other run");

  await t.test("the plane and the saddle add up to y, and only the saddle makes the lines cross", async () => {
    await openData(chapter.locator("ifm-surface"));
    await settled(page);
    const rows = await chapter.locator(".surface tbody tr").evaluateAll((all) => all.map((tr) => [...tr.querySelectorAll("td[data-value]")].slice(1).map((td) => Number(td.getAttribute("data-value")))));
    assert.equal(rows.length, 25);
    for (const [linear = NaN, product = NaN, sum = NaN] of rows) assert.ok(Math.abs(linear + product - sum) < 1e-12, `${linear} + ${product} = ${sum}`); // values below 10, added once
    // At x₁ = x₂ = 2 the product is 4m; the sd of 500 rows is off by 3 % of itself, the product of two of them by 4.5 %.
    near(rows.at(-1)?.[1] ?? NaN, 4 * (await weight("ifm")), "the product in the corner", 0.15);
    const slopes = () => chapter.locator(".graph line.held").evaluateAll((all) => all.map((line) => parseFloat(line.getAttribute("y2") ?? "") - parseFloat(line.getAttribute("y1") ?? "")));
    const crossing = await slopes();
    assert.equal(crossing.length, 3);
    assert.ok(Math.abs((crossing[0] ?? 0) - (crossing[2] ?? 0)) > 10, `the slopes differ: ${crossing}`);
    assert.match(await chapter.locator(".cut .title").innerText(), /The lines cross at x₁ = /);
    await tabTo(page, "[data-axis=y]");
    await page.keyboard.press("ArrowLeft");
    await tabTo(page, ".surface input[type=checkbox]");
    await page.keyboard.press("Space");
    await settled(page);
    assert.match(await chapter.locator(".cut .title").innerText(), /Parallel/);
    const parallel = await slopes();
    for (const slope of parallel) assert.ok(Math.abs(slope - (parallel[0] ?? NaN)) < 1e-9, `parallel: ${parallel}`); // per cent of a picture
    assert.match(await chapter.locator(".sums .product").innerText(), /\b0$/);
  });
});

test("FM finds none of the negative eigenvalues, iFM all of them, and each rank ends where its native run does", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=spectrum");
  const chapter = await open(page, "spectrum", few);
  await run(chapter, "none");
  assert.deepEqual(await answered(chapter), ["above", "false"]);
  const spectra = await chapter.locator("ifm-spectrum").evaluate((stems) => /** @type {any} */ (stems).panels.map((/** @type {any} */ panel) => [...panel.values.eigenvalues]));
  const [truth, fm, ifm] = /** @type {number[][]} */ (spectra);
  assert.ok(truth && fm && ifm);
  // Orthonormal factors: eigenvalues evenly from 1 down to ½ times d, their signs taking turns.
  for (const [i, wanted] of [30, 15, -22.5].entries()) near(truth[i] ?? NaN, wanted, `the truth's eigenvalue ${i + 1}`);
  assert.equal(fm.length, 3);
  assert.ok(fm.every((v) => v >= 0), `FM has none below zero: ${fm}`);
  assert.deepEqual([...ifm].map(Math.sign).slice(0, 2), [1, 1]);
  near(ifm.at(-1) ?? NaN, -22.5, "the last of iFM’s", 0.1);
  const base = await native(`${asked}&models=ifm&rank=2`);
  for (const [model, rank] of /** @type {const} */ ([["fm", 1], ["fm", 3], ["fm", 30], ["ifm", 2], ["ifm", 3]])) {
    const ran = await native(`${asked}&models=${model}&rank=${rank}`);
    near(await value(chapter.locator(`[data-off="${model} ${rank}"]`)), ran["errorM"], `the error of M of ${model} at rank ${rank}`);
    near((await value(chapter.locator(`[data-left="${model} ${rank}"]`))) / (await value(chapter.locator('[data-left="ifm 2"]'))), (ran["test"] ?? NaN) / (base["test"] ?? NaN), `the test RMSE of ${model} at rank ${rank}, in units of iFM's`);
  }

  await t.test("its charts are read by the arrow keys", async () => {
    for (const [name, key, says] of /** @type {const} */ ([[/^rank of the model/, "Home", /^Rank 1: FM 0\.\d+, iFM 0\.\d+/], [/^Eigenvalue$/, "End", /^Eigenvalue 4 of 4; Truth −22\.5, negative; FM, rank 3 0; iFM, rank 2 −/]])) {
      const slider = chapter.getByRole("slider", { name });
      await slider.press(key);
      assert.match((await slider.getAttribute("aria-valuetext")) ?? "", says);
    }
  });

  await t.test("a run whose worker is ended has its matrices all the same", async () => {
    await open(page, "spectrum", { ...few, n: 1000 });
    await chapter.locator(".run").click();
    await page.waitForFunction(() => {
      const { tracks } = /** @type {any} */ (document.querySelector("#spectrum"));
      const half = tracks.some((/** @type {any} */ track) => track.done) && !tracks.every((/** @type {any} */ track) => track.done);
      if (half) /** @type {any} */ (document.querySelector("ifm-app")).pool.engines[0].restart({ kind: "Stopped", message: "", file: "", line: 0, column: 0, field: "", found: "" });
      return half;
    }, undefined, { polling: 1 }); // between its messages: a busy machine may draw no frame while it is half done
    await over(chapter);
    assert.equal(await chapter.locator(".error").count(), 0);
    assert.equal(await chapter.locator("ifm-spectrum .stems").count(), 3);
    assert.match((await answered(chapter))[0] ?? "", /^(all|above|none|)$/);
  });
});
