// @ts-check
/** The paper's experiments: their numbers are the ones that the same settings give natively, and a reader can start, stop and read them by any means. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, matchPicture, openPage, settled } from "./lab.mjs";
import { near, open, over, own, run } from "./lesson.mjs";
import { records } from "./native.mjs";
import { openData } from "./table.mjs";

/** @typedef {import("./native.mjs").Row} Row */
/** The median of an odd number of values. @param {readonly number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[(values.length - 1) / 2] ?? NaN;

/** The last record of each run, by point and trial. @param {Row[]} rows */
const ends = (rows) => [...new Map(rows.map((row) => [`${row["point"]} ${row["model"]} ${row["trial"]}`, row])).values()];

const small = { d: 12, k: 2, rows: 10, test: 100, trials: 2, iterations: 40 };
const figure = "d=8&k=2&n=100&iterations=20&speed=instant"; // takes no time

test("the lesson is loaded when it is shown, a sentence says so where it cannot be, and it comes by itself once the network is back", async (t) => {
  /** @type {string[]} */
  const asked = [];
  const before = (/** @type {Page} */ page) => page.route("**/a/section-*.js", (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  const page = await openPage(t, `/?${figure}`, { expected: [/Failed to load resource/], viewport: { width: 1280, height: 700 }, before });
  await settled(page);
  assert.deepEqual(asked, []);
  await page.locator("header a[data-place=lesson]").click();
  await settled(page);
  assert.equal(await page.getByText(/“Lesson” could not be loaded/).count(), 1);
  assert.ok(asked.length > 0);
  await page.unroute("**/a/section-*.js");
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await page.locator("#lesson .question").waitFor();
  assert.equal(await page.getByText(/could not be loaded/).count(), 0);
});

test("Figure 1 looks as in the README", acceptance, async (t) => {
  const page = await openPage(t, `/?chapter=psd${own("psd", { d: 50, k: 3, test: 2000, trials: 5 })}`, { viewport: { width: 1280, height: 900 } });
  const experiment = page.locator("#psd .chapter");
  await settled(page);
  await experiment.locator("[data-guess=worse]").click();
  await run(experiment);
  await page.evaluate(() => document.fonts.ready);
  await page.mouse.move(0, 0);
  await experiment.locator(".cost").evaluate((cost) => (cost.style.visibility = "hidden")); // it says how long the run took
  await settled(page);
  await matchPicture(experiment, "figure1");
});

test("each experiment alone gives the numbers of its native runs, and says what they mean", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=psd", { hasTouch: true });

  await t.test("Figure 1 of the page is the mean of the native runs, in all three panels, and says what they mean", async (t) => {
    const experiment = await open(page, "psd", small);
    await run(experiment);
    const chart = (/** @type {string} */ scenario) => experiment.locator(`ifm-chart[data-chart=${scenario}]`);
    for (const scenario of ["psd", "flipped", "mixed"]) {
      const rows = await records(`scenario=${scenario}&d=12&k=2&n=240&test=100&trials=2&iterations=40`);
      await openData(chart(scenario));
      await settled(page);
      assert.equal(await chart(scenario).locator("tbody tr").count(), 41);
      const shown = (/** @type {string} */ name) => chart(scenario).locator(`td[data-column=${name}]`).evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute("data-value"))));
      const native = (/** @type {string} */ model, /** @type {number} */ i) => ["0", "1"].map((trial) => Number(rows.findLast((row) => row["model"] === model && row["trial"] === trial && Number(row["iteration"]) <= i)?.["test"]));
      const [fm, ifm] = [await shown("FM"), await shown("iFM")];
      // The page divides by a straight-line fit's error, which the records lack: FM's first and last value give that of either trial.
      const [[a = 0, b = 0], [c = 0, d = 0], u, v] = [native("fm", 0), native("fm", 40), 2 * (fm[0] ?? 0), 2 * (fm[40] ?? 0)];
      const shares = [(u * d - v * b) / (a * d - b * c), (a * v - c * u) / (a * d - b * c)];
      for (const [model, values] of /** @type {const} */ ([["fm", fm], ["ifm", ifm]])) values.forEach((value, i) => near(value, native(model, i).reduce((sum, error, trial) => sum + (error * (shares[trial] ?? 0)) / 2, 0), `${scenario}, ${model} at iteration ${i}`));
    }
    assert.match(await experiment.locator(".live").innerText(), /^Live: computed in this browser\. 240 training rows, 100 test rows, d = 12, k = 2, seed 1; mean of 2 trials/);
    const [a, b] = await Promise.all(["psd", "flipped"].map((scenario) => experiment.locator(`[data-ending="ifm ${scenario}"]`).getAttribute("data-value")));
    assert.equal(a, b);
    assert.ok(Number(a) > 0 && Number(a) < 0.2, `iFM ends at ${a} of what a linear model leaves`);
    await t.test("a tap leaves its reading shown, which a mouse takes with it", async () => {
      const over = chart("psd").locator(".over");
      const readout = chart("psd").locator(".readout");
      await over.hover();
      assert.match(await readout.innerText(), /^Iteration 20: /);
      const box = await over.boundingBox();
      await page.mouse.move(0, 0);
      await settled(page);
      assert.doesNotMatch(await readout.innerText(), /^Iteration/);
      await over.dispatchEvent("pointermove", { pointerType: "touch", clientX: (box?.x ?? NaN) + (box?.width ?? NaN) / 2, clientY: (box?.y ?? NaN) + 10 });
      await over.dispatchEvent("pointerleave", { pointerType: "touch" });
      assert.match(await readout.innerText(), /^Iteration 20: /);
    });
  });

  await t.test("Algorithm 1 converges as corrected at the theorem's rate, grows as printed, and iFM's rate stands beside its long run", async () => {
    const experiment = await open(page, "algorithm", {});
    await run(experiment);
    const native = async (/** @type {string} */ model, /** @type {string} */ diagonal) => (await records(`truth=orthonormal&scenario=psd&diagonal=${diagonal}&d=40&k=3&n=7200&models=${model}&solver=algorithm1&batches=fresh&iterations=12&tolerance=0`)).map((row) => Number(row["errorW"]) + Number(row["errorM"]));
    const [gfm, ifm] = [await native("gfm", "kept"), await native("ifm", "zero")];
    const rate = async (/** @type {string} */ model) => Number(await experiment.locator(`[data-rate=${model}]`).getAttribute("data-value"));
    near(await rate("gfm"), ((gfm[12] ?? NaN) / (gfm[2] ?? NaN)) ** 0.1, "gFM's rate");
    near(await rate("ifm"), ((ifm[12] ?? NaN) / (ifm[6] ?? NaN)) ** (1 / 6), "iFM's rate over the last half");
    const shaped = (await rate("gfm")) * Math.sqrt(60);
    assert.ok(shaped > 1.2 && shaped < 1.8, `times √(n/kd) it is ${shaped}`);
    const reference = await experiment.locator("ifm-chart").first().evaluate((lines) => /** @type {any} */ (lines).spec.drawing.lines.at(-1));
    assert.equal(reference.x.at(-1), 12);
    near(reference.y.at(-1), ifm[12] ?? NaN, "the reference line ends where iFM does");
    const slider = experiment.getByRole("slider");
    await slider.press("Home");
    assert.match((await slider.getAttribute("aria-valuetext")) ?? "", /^Iteration 0: gFM, as printed [\d.]+, gFM, corrected [\d.]+, gFM, centred [\d.]+, iFM [\d.]+$/);
  });

  await t.test("a sweep over τ gives the medians of the native runs, and tells what they show", async () => {
    const experiment = await open(page, "diagonal", { features: "threepoint", d: 10, k: 1, trials: 3, taus: "2,0.5,0", ratios: "20,40", solver: "agd", iterations: 30 });
    await run(experiment);
    const value = async (/** @type {string} */ cell) => Number(await experiment.locator(`[data-cell="${cell}"]`).getAttribute("data-value"));
    for (const [model, diagonal] of /** @type {const} */ ([["gfm", "kept"], ["ifm", "zero"]])) {
      const rows = ends(await records(`sweep=tau&ratios=20,40&taus=2,0.5,0&features=threepoint&truth=orthonormal&scenario=psd&diagonal=${diagonal}&models=${model}&d=10&k=1&trials=3&solver=agd&iterations=30`));
      for (const [i, tau] of ["2", "0.5", "0"].entries()) {
        for (const [j, ratio] of ["20", "40"].entries()) {
          near(await value(`${model} ${ratio} ${tau}`), median(rows.filter((row) => row["point"] === String(2 * i + j)).map((row) => Number(row["errorM"]))), `${model}, τ = ${tau}, n = ${ratio} dk`);
        }
      }
    }
  });

  await t.test("the map leaves out what failed otherwise than by missing the truth", async () => {
    const experiment = await open(page, "samples", { d: 12, trials: 2, ks: "1,13", ratios: "8" }); // no 13 orthonormal factors in 12 dimensions
    await run(experiment);
    assert.equal(await experiment.locator('[data-cell="13 8"]').innerText(), "–");
    assert.equal(await experiment.locator('[data-cell="1 8"]').innerText(), "2/2");
    assert.match(await experiment.locator("[role=alert]").innerText(), /rank is 13, expected at most 12.*2 runs/);
  });
});

test("a long run can be stopped by keyboard, keeps what has come, and gives way to the next", async (t) => {
  const page = await openPage(t, `/?embed=1&chapter=psd${own("psd", { ...small, trials: 50, iterations: 500 })}`);
  const experiment = page.locator("#psd .chapter");
  await settled(page);
  await experiment.locator(".run").press("Enter");
  await experiment.locator(".cost .num", { hasText: /^[1-9]/ }).waitFor(); // one is over
  await experiment.locator(".stop").press("Enter");
  await over(experiment, "stopped");
  assert.match(await experiment.locator(".cost").innerText(), /^Stopped: \d+ of \d+ runs came to an end/);
  assert.ok(await experiment.locator(".plot svg").first().isVisible(), "what came is still drawn");
  assert.ok(await experiment.locator(".run").evaluate((button) => button === document.activeElement), "the button keeps the focus");
  await open(page, "psd", small);
  await over(experiment); // other settings run by themselves
  await run(experiment);
  assert.match(await experiment.locator(".cost").innerText(), /^12 runs in/);
});

test("the map counts what the native runs count, and a cell opens its run in the figure", async (t) => {
  const page = await openPage(t, `/?theme=dark&seed=5&${figure}${own("samples", { d: 12, trials: 4, ks: "1,2", ratios: "1,3,8" })}#samples`);
  const experiment = page.locator("#samples .chapter");
  await settled(page);
  await run(experiment);
  const rows = ends(await records("sweep=rank&ratios=1,3,8&ks=1,2&truth=orthonormal&scenario=mixed&models=ifm&d=12&trials=4&solver=gauss-newton&iterations=100&test=100"));
  for (const [i, k] of ["1", "2"].entries()) {
    for (const [j, ratio] of ["1", "3", "8"].entries()) {
      const found = rows.filter((row) => row["point"] === String(3 * i + j) && Math.max(Number(row["errorW"]), Number(row["errorM"])) < 0.01).length;
      const cell = experiment.locator(`[data-cell="${k} ${ratio}"]`);
      assert.equal(await cell.innerText(), `${found}/4`, `k = ${k}, n = ${ratio} dk`);
    }
  }
  assert.match(await experiment.locator("caption").innerText(), /^iFM by Gauss–Newton/);
  const link = experiment.getByRole("link", { name: /^k = 2, n = 8 dk: found in/ });
  const href = await link.getAttribute("href");
  await link.click();
  await page.waitForURL(/k=2&n=192/);
  await settled(page);
  assert.equal(await page.locator("main").getAttribute("data-place"), "figure");
  assert.equal(page.url().replaceAll(/&samples\.[^&#]*/g, ""), new URL(href ?? "", page.url()).href.replace("#figure", ""), "the link says where it goes; the map's own settings stay");
  assert.match(page.url(), /solver=gauss-newton.*theme=dark/);
  assert.equal(await page.locator("ifm-figure .verdict").getAttribute("data-phase"), "done");
  assert.match(await page.locator("ifm-figure .live").innerText(), /192 training rows.*Gauss–Newton/);
  await page.goBack();
  await page.waitForURL((url) => url.searchParams.get("seed") === "5" && url.searchParams.get("n") === "100");
});
