// @ts-check
/** The paper's experiments: their numbers are the ones that the same settings give natively, and a reader can start, stop and read them by any means. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { assertAccessible, assertFits, matchPicture, openPage, origin } from "./lab.mjs";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {Record<string, string>} Row */

const root = fileURLToPath(new URL("../..", import.meta.url));

/** wasm and amd64 round exp, log and the like differently; a hundred iterations do not make that larger than this. */
const CLOSE = 1e-9;

/**
 * The records of a query, as the same engine computes them natively.
 *
 * @param {string} query
 * @returns {Promise<Row[]>}
 */
async function native(query) {
  const { stdout } = await promisify(execFile)("go", ["run", "./core/curve", query], { cwd: path.resolve(root), maxBuffer: 1 << 28 });
  const [header = "", ...lines] = stdout.trim().split("\n");
  const names = header.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((value, i) => [names[i] ?? "", value])));
}

/** @param {number} found @param {number} wanted @param {string} what */
function near(found, wanted, what) {
  assert.ok(Math.abs(found - wanted) <= CLOSE * Math.abs(wanted), `${what} is ${found}, natively ${wanted}`);
}

/** @param {readonly number[]} values */
const mean = (values) => values.reduce((sum, v) => sum + v, 0) / values.length;
/** @param {readonly number[]} values */
const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[half] ?? NaN) : ((sorted[half - 1] ?? NaN) + (sorted[half] ?? NaN)) / 2;
};

/** The last record of each run, by point and trial. @param {Row[]} rows */
const ends = (rows) => [...new Map(rows.map((row) => [`${row["point"]} ${row["model"]} ${row["trial"]}`, row])).values()];

/**
 * Goes to the section and sets an experiment's settings.
 *
 * @param {Page} page
 * @param {string} panel
 * @param {Record<string, string | number>} settings
 */
async function prepare(page, panel, settings) {
  await page.locator("nav a[href='#lesson']").click();
  const experiment = page.locator(panel);
  await experiment.getByText("Settings of this chapter").click();
  for (const [key, value] of Object.entries(settings)) {
    const input = experiment.locator(`[data-key=${key}]`);
    if ((await input.evaluate((e) => e.tagName)) === "SELECT") await input.selectOption(String(value));
    else {
      await input.fill(String(value));
      await input.blur();
    }
  }
  return experiment;
}

/** @param {Page} page @param {string} panel @param {Record<string, string | number>} settings */
async function run(page, panel, settings) {
  const experiment = await prepare(page, panel, settings);
  await experiment.getByRole("button", { name: "Run", exact: true }).click();
  await experiment.locator(".chapter[data-phase=done]").waitFor({ timeout: 60_000 });
  return experiment;
}

const small = { d: 12, k: 2, rows: 10, test: 100, trials: 2, iterations: 40 };

test("the section is loaded when it comes near, and a sentence says so where it cannot be", async (t) => {
  const page = await openPage(t, "about:blank", { expected: [/Failed to load resource/] });
  /** @type {string[]} */
  const asked = [];
  await page.route("**/a/section-*.js", (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.goto(new URL("/?speed=instant", await origin()).href);
  await page.locator("ifm-figure .verdict[data-phase=done]").waitFor();
  assert.deepEqual(asked, []);
  await page.locator("nav a[href='#lesson']").click();
  await page.getByText(/“The lesson” could not be loaded/).waitFor();
  assert.equal(asked.length, 1);
});

test("Figure 1 looks as in the README", async (t) => {
  const page = await openPage(t, "/", { viewport: { width: 1280, height: 900 } });
  const experiment = await run(page, "ifm-figure1", { d: 50, k: 3, test: 2000, trials: 5 });
  await experiment.locator("select.axis").selectOption("log");
  await experiment.getByText("Settings of this chapter").click();
  await page.evaluate(() => document.fonts.ready);
  await page.mouse.move(0, 0);
  await experiment.locator(".cost").evaluate((cost) => (cost.style.visibility = "hidden")); // it says how long the run took
  await matchPicture(experiment, "figure1");
});

test("Figure 1 of the page is the mean of the native runs, in all three panels", async (t) => {
  const page = await openPage(t);
  const experiment = await run(page, "ifm-figure1", small);
  for (const scenario of ["psd", "flipped", "mixed"]) {
    const rows = await native(`scenario=${scenario}&d=12&k=2&n=240&test=100&trials=2&iterations=40`);
    const chart = experiment.locator(`ifm-lines[data-scenario=${scenario}]`);
    await chart.getByText("Data of this chart").click();
    const table = chart.locator("tbody tr");
    await table.nth(40).waitFor();
    assert.equal(await table.count(), 41);
    for (const [model, name] of /** @type {const} */ ([["fm", "FM"], ["ifm", "iFM"]])) {
      const shown = await chart.locator(`td[data-line=${name}]`).evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute("data-value"))));
      shown.forEach((value, i) => {
        const at = (/** @type {string} */ trial) => Number(rows.findLast((row) => row["model"] === model && row["trial"] === trial && Number(row["iteration"]) <= i)?.["test"]);
        near(value, mean([at("0"), at("1")]), `${scenario}, ${name} at iteration ${i}`);
      });
    }
  }
  assert.match(await experiment.locator(".told").innerText(), /in \(a\) and \(b\) are the same bit for bit/);
  assert.match(await experiment.locator(".live").innerText(), /^Live: computed in this browser\. 240 training rows, 100 test rows, d = 12, k = 2, seed 1; mean of 2 trials/);
  const [a, b] = await Promise.all(["psd", "flipped"].map((scenario) => experiment.locator(`[data-ending="ifm ${scenario}"]`).getAttribute("data-value")));
  assert.equal(a, b);
  assert.ok(Number(a) > 0 && Number(a) < 0.2, `iFM ends at ${a} of what a linear model leaves`);
});

test("the axis of Figure 1 is linear until the reader asks for the log one", async (t) => {
  const page = await openPage(t);
  const experiment = await run(page, "ifm-figure1", small);
  const frame = experiment.locator("ifm-lines[data-scenario=psd] .frame");
  assert.equal(await frame.getAttribute("data-scale"), "linear");
  await experiment.getByRole("combobox", { name: "Axis" }).selectOption("log");
  await experiment.locator("ifm-lines[data-scenario=psd] .frame[data-scale=log]").waitFor();
  await page.waitForFunction(() => document.querySelector("ifm-lines[data-scenario=psd] svg")?.textContent?.includes("10⁻²"));
});

test("the log axis of Figure 1 goes down to where its curves and bands end", async (t) => {
  const page = await openPage(t);
  const experiment = await run(page, "ifm-figure1", { ...small, rows: 20, iterations: 100, solver: "gauss-newton" });
  await experiment.getByRole("combobox", { name: "Axis" }).selectOption("log");
  const chart = experiment.locator("ifm-lines[data-scenario=mixed]");
  await chart.locator(".frame[data-scale=log]").waitFor();
  const low = await chart.evaluate((lines) => /** @type {any} */ (lines).drawing.y.domain[0]);
  const least = await chart.evaluate((lines) => Math.min(.../** @type {any} */ (lines).drawing.lines.flatMap((/** @type {any} */ line) => [...line.y, ...line.low])));
  assert.ok(least < 1e-12, `Gauss–Newton ends at rounding, not at ${least}`);
  assert.ok(low <= least && low > least / 10, `the axis ends at ${low}, the lowest point is ${least}`);
});

test("Figure 1 explains iFM's pace only where iFM falls like 1/t, by scaled gradients too", async (t) => {
  const page = await openPage(t);
  const experiment = await run(page, "ifm-figure1", { d: 40, k: 3, rows: 20, test: 200, trials: 1, iterations: 60, solver: "scaled" });
  assert.match(await experiment.locator(".told").innerText(), /falls only by a factor of (1\.[5-9]|2\.\d) between iterations 30 and 60, about like 1\/t/);
  assert.match(await experiment.locator(".live").innerText(), /seed 1; 1 trial; solver: scaled/);
});

test("Figure 1 says that the rows are too few where a model ends above no interactions at all", async (t) => {
  const page = await openPage(t);
  const experiment = await run(page, "ifm-figure1", { ...small, rows: 1 });
  const above = await experiment.locator("[data-ending]").evaluateAll((cells) => cells.filter((cell) => Number(cell.getAttribute("data-value")) > 1).map((cell) => cell.getAttribute("data-ending")));
  assert.ok(above.includes("ifm psd"), `24 rows do not tell 12 × 2 numbers (above 1: ${above})`);
  const says = await experiment.locator(".told").innerText();
  assert.match(says, /iFM in \(a\).* end above 1, worse than with no interactions at all: 24 training rows are too few\./);
  assert.doesNotMatch(says, /1\/t/);
});

test("a long run can be stopped at once, keeps what has come, and gives way to the next", async (t) => {
  const page = await openPage(t);
  const experiment = await prepare(page, "ifm-figure1", { trials: 50 });
  await experiment.getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForFunction(() => Number(document.querySelector("ifm-figure1 progress")?.getAttribute("max")) === 300);
  await experiment.locator("ifm-lines .over").first().waitFor({ timeout: 30_000 });
  const heard = page.evaluate(() => new Promise((resolve) => {
    const stop = (/** @type {MouseEvent} */ { timeStamp }) => {
      const look = () => (document.querySelector("ifm-figure1 .chapter[data-phase=stopped]") ? resolve(performance.now() - timeStamp) : setTimeout(look));
      look();
    };
    addEventListener("click", stop, { capture: true, once: true });
  }));
  await experiment.getByRole("button", { name: "Stop" }).click();
  await experiment.locator(".chapter[data-phase=stopped]").waitFor();
  assert.match(await experiment.locator(".cost").innerText(), /^Stopped: \d+ of 300 runs came to an end/);
  assert.ok(await experiment.locator("ifm-lines .plot svg").first().isVisible(), "what came is still drawn");
  assert.ok(Number(await heard) < 1500, `Stop is heard at once, in ${await heard} ms`);
  assert.match(await experiment.locator(".live").innerText(), /mean of the runs that came to an end/);
  await page.waitForTimeout(1000);
  const idle = await page.evaluate(() => /** @type {any} */ (document.querySelector("ifm-app")).pool.engines.map((/** @type {any} */ engine) => engine.waiting.size));
  assert.deepEqual(idle, idle.map(() => 0), "no engine is at work");
  for (const [key, value] of Object.entries(small)) {
    await experiment.locator(`[data-key=${key}]`).fill(String(value));
    await experiment.locator(`[data-key=${key}]`).blur();
  }
  assert.match(await experiment.locator(".cost").innerText(), /^The settings have changed since this run/);
  await experiment.getByRole("button", { name: "Run again" }).click();
  await experiment.locator(".chapter[data-phase=done]").waitFor({ timeout: 30_000 });
  assert.match(await experiment.locator(".cost").innerText(), /^12 runs in/);
});

test("a run whose worker is ended is done again, with the same numbers", async (t) => {
  const page = await openPage(t);
  const ending = async () => (await page.locator("ifm-figure1 [data-ending]").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-value"))));
  const experiment = await run(page, "ifm-figure1", { d: 30, k: 3, test: 500, trials: 2 });
  const before = await ending();
  await experiment.getByRole("button", { name: "Run again" }).click();
  await experiment.locator("ifm-lines .over").first().waitFor();
  await page.evaluate(() => /** @type {any} */ (document.querySelector("ifm-app")).pool.engines[0].restart({ kind: "Stopped", message: "", file: "", line: 0, column: 0, field: "", found: "" }));
  await experiment.locator(".chapter[data-phase=done]").waitFor({ timeout: 30_000 });
  assert.equal(await experiment.locator(".error").count(), 0);
  assert.deepEqual(await ending(), before);
});

test("Algorithm 1 converges as corrected at the theorem's rate, grows as printed, and iFM's rate stands beside its long run", async (t) => {
  const page = await openPage(t);
  const experiment = await run(page, "ifm-algorithm", {});
  const rows = await native("truth=orthonormal&scenario=psd&diagonal=kept&d=40&k=3&n=7200&models=gfm&solver=algorithm1&batches=fresh&iterations=12&tolerance=0");
  const errors = rows.map((row) => Number(row["errorW"]) + Number(row["errorM"]));
  const rate = Number(await experiment.locator("[data-rate=gfm]").getAttribute("data-value"));
  near(rate, ((errors[12] ?? NaN) / (errors[2] ?? NaN)) ** 0.1, "gFM's rate");
  const shaped = rate * Math.sqrt(60);
  assert.ok(shaped > 1.2 && shaped < 1.8, `times √(n/kd) it is ${shaped}`);
  const says = await experiment.locator(".told").innerText();
  assert.ok(Number(/As printed, it ends ([\d,]+) times as far/.exec(says)?.[1]?.replace(",", "")) > 10, says);
  assert.match(says, /Try four times the rows/);
  const [, told, tends] = /iFM multiplies its error by ([\d.]+) in the last iterations\. .* it tends to ([\d.]+), not to 0/.exec(says) ?? [];
  const ifm = (await native("truth=orthonormal&scenario=psd&diagonal=zero&d=40&k=3&n=7200&models=ifm&solver=algorithm1&batches=fresh&iterations=12&tolerance=0")).map((row) => Number(row["errorW"]) + Number(row["errorM"]));
  near(Number(await experiment.locator("[data-rate=ifm]").getAttribute("data-value")), ((ifm[12] ?? NaN) / (ifm[6] ?? NaN)) ** (1 / 6), "iFM's rate over the last half");
  assert.ok(Math.abs(Number(told) / Number(tends) - 1) < 0.05, `at 60 dk the rate, ${told}, is within chance of its limit, ${tends}`);
  const reference = await experiment.locator("ifm-lines").evaluate((lines) => /** @type {any} */ (lines).drawing.lines.at(-1));
  assert.equal(reference.x.at(-1), 12);
  near(reference.y.at(-1), ifm[12] ?? NaN, "the reference line ends where iFM does");
  near(reference.y.at(-1) / reference.y.at(-2), Number(await experiment.locator("[data-rate=ifm] ~ td").nth(1).getAttribute("data-value")), "an iteration of it is the long-run rate");
  const slider = experiment.getByRole("slider");
  await slider.focus();
  await page.keyboard.press("Home");
  assert.match((await slider.getAttribute("aria-valuetext")) ?? "", /^Iteration 0: gFM, corrected [\d.]+, gFM, as printed [\d.]+, iFM [\d.]+$/);
});

test("the advice to try more rows is given only where it can be followed and would hold", async (t) => {
  const page = await openPage(t);
  const slider = { d: 10, k: 1, features: "slider" }; // 600 rows, 1/√n = 0.041
  const advice = async (/** @type {Record<string, string | number>} */ settings) => {
    await page.goto(new URL("/?d=8&n=100&iterations=1&speed=instant", await origin()).href); // the figure takes no time
    return /Try four times the rows/.test(await (await run(page, "ifm-algorithm", settings)).locator(".told").innerText());
  };
  assert.equal(await advice({ ...slider, tau: 1 }), true);
  assert.equal(await advice({ ...slider, tau: 1, inverse: "pseudo" }), false, "the pseudo-inverse");
  assert.equal(await advice({ ...slider, tau: 0.03, moments: "true" }), false, "τ below 1/√n");
  assert.equal(await advice({ d: 10, k: 1, rows: 126 }), false, "504 dk cannot be asked for");
  assert.equal(await advice({ d: 10, k: 1, rows: 125 }), true);
});

test("Algorithm 1 with too few rows says who left all numbers, and for k = 2 as printed that it comes no closer", async (t) => {
  const page = await openPage(t);
  const experiment = await run(page, "ifm-algorithm", { rows: 1, iterations: 60 });
  assert.match(await experiment.locator(".told").innerText(), /^As printed it left all numbers\. Corrected gFM and iFM left all numbers: 120 rows are too few\.$/);
  assert.equal(await experiment.locator("[role=alert]").count(), 0);
  await page.goto(await origin());
  const two = await run(page, "ifm-algorithm", { k: 2, d: 10 });
  assert.doesNotMatch(await two.locator(".told").innerText(), /As printed it (converges|multiplies)/);
  assert.ok(Number(await two.locator("[data-rate=printed]").getAttribute("data-value")) > 0.97, "−k/2 is −1");
});

test("moments that Algorithm 1 cannot invert are a result, beside iFM's", async (t) => {
  const page = await openPage(t);
  const experiment = await run(page, "ifm-algorithm", { d: 10, k: 1, features: "slider", tau: 0 });
  assert.equal(await experiment.locator("[role=alert]").count(), 0);
  assert.match(await experiment.locator(".told").innerText(), /^2 of gFM’s 2 runs were refused, because τ is too small to divide by\..* choose the pseudo-inverse\./);
  assert.ok(Number(await experiment.locator("[data-rate=ifm]").getAttribute("data-value")) < 1, "iFM converges all the same");
});

const sweep = { features: "threepoint", d: 10, k: 1, trials: 3, taus: "2, 0.5, 0", ratios: "20, 40" };

test("a sweep over τ gives the medians of the native runs", async (t) => {
  const page = await openPage(t);
  const experiment = await run(page, "ifm-moments", { ...sweep, solver: "agd", iterations: 30 });
  for (const [model, diagonal] of /** @type {const} */ ([["gfm", "kept"], ["ifm", "zero"]])) {
    const rows = ends(await native(`sweep=tau&ratios=20,40&taus=2,0.5,0&features=threepoint&truth=orthonormal&scenario=psd&diagonal=${diagonal}&models=${model}&d=10&k=1&trials=3&solver=agd&iterations=30`));
    for (const [i, tau] of ["2", "0.5", "0"].entries()) {
      for (const [j, ratio] of ["20", "40"].entries()) {
        const shown = Number(await experiment.locator(`[data-cell="${model} ${ratio} ${tau}"]`).getAttribute("data-value"));
        near(shown, median(rows.filter((row) => row["point"] === String(2 * i + j)).map((row) => Number(row["errorM"]))), `${model}, τ = ${tau}, n = ${ratio} dk`);
      }
    }
  }
  await experiment.getByLabel("Show").selectOption("rmse");
  await experiment.getByText(/^test RMSE ÷ sd of y at the end/).waitFor();
});

test("by itself the chapter shows gFM's matrix going wrong as τ goes to 0 while its predictions stay good", async (t) => {
  const page = await openPage(t);
  await page.locator("nav a[href='#lesson']").click();
  const chapter = page.locator("#diagonal .chapter");
  await chapter.locator("[data-guess=matrix]").click();
  await page.locator("#diagonal .chapter[data-phase=done]").waitFor({ timeout: 60_000 });
  assert.match(await chapter.locator(".answer").innerText(), /^You guessed .*, and this run says so too/);
  const error = async (/** @type {string} */ cell) => Number(await chapter.locator(`[data-cell="${cell}"]`).getAttribute("data-value"));
  assert.ok((await error("gfm 30 0")) > 10 * (await error("gfm 30 2")) && (await error("ifm 30 0")) < 0.05);
  assert.match(await chapter.locator(".told").innerText(), /Yet gFM predicts well there.*pace of gradient descent/);
});

test("as τ goes to 0 gFM loses the truth and not its predictions, and iFM loses neither", async (t) => {
  const page = await openPage(t);
  const experiment = await run(page, "ifm-moments", { features: "threepoint", taus: "2, 0", solver: "gauss-newton", d: 30, trials: 5 });
  const says = await experiment.locator(".told").innerText();
  assert.match(says, /^With n = 30 dk, gFM’s error of M is \S+ × 10⁻\S+ at τ = 2 and 0\.\d+ at τ = 0\. iFM’s error of M is .* Yet gFM predicts well there, with a test RMSE of \S+ × 10⁻\S+ sd\..* is chance/);
  assert.ok(Number(await experiment.locator('[data-cell="ifm 30 0"]').getAttribute("data-value")) < 1e-6);
});

test("as τ goes to 0 Algorithm 1 loses gFM's truth, then its way, and iFM keeps both", async (t) => {
  const page = await openPage(t);
  const experiment = await run(page, "ifm-moments", { features: "threepoint", taus: "2, 0.02, 0.001, 0", ratios: "10", d: 20, trials: 3, solver: "algorithm1" });
  const error = async (/** @type {string} */ cell) => Number(await experiment.locator(`[data-cell="${cell}"]`).getAttribute("data-value"));
  assert.ok((await error("gfm 10 0.02")) > 1e3 * (await error("gfm 10 2")), "the error of M rises");
  assert.match(await experiment.locator('[data-cell="gfm 10 0.001"]').innerText(), /diverged/);
  assert.equal(await experiment.locator('[data-cell="gfm 10 0"]').innerText(), "refused");
  for (const tau of ["2", "0.02", "0.001", "0"]) assert.ok((await error(`ifm 10 ${tau}`)) < 1e-3, `iFM at τ = ${tau}`);
  const rows = ends(await native("sweep=tau&ratios=10&taus=2,0.02&features=threepoint&truth=orthonormal&scenario=psd&diagonal=kept&models=gfm&d=20&k=2&trials=3&solver=algorithm1&batches=fresh&moments=true&iterations=25"));
  near(await error("gfm 10 2"), median(rows.filter((row) => row["point"] === "0").map((row) => Number(row["errorM"]))), "fresh rows are the same rows natively");
  assert.match(await experiment.locator(".told").innerText(), /diverged.*refused.*Choose Gauss–Newton/);
});

test("gFM that is refused for its τ is a result that is counted, not an error of the page", async (t) => {
  const page = await openPage(t);
  const experiment = await run(page, "ifm-moments", { ...sweep, solver: "algorithm1", k: 1, ratios: "60" });
  const cell = experiment.locator('[data-cell="gfm 60 0"]');
  assert.equal(await cell.innerText(), "refused");
  assert.equal(await cell.getAttribute("data-refused"), "3");
  assert.equal(await experiment.locator("[role=alert]").count(), 0);
  assert.match(await experiment.locator(".told").innerText(), /3 of gFM’s 9 runs were refused/);
  assert.ok(Number(await experiment.locator('[data-cell="ifm 60 0"]').getAttribute("data-value")) < 0.1, "iFM does not care");
});

test("the map counts what the native runs count, and a cell opens its run in the figure", async (t) => {
  const page = await openPage(t, "/?theme=dark&seed=5");
  const experiment = await run(page, "ifm-samples", { d: 12, trials: 4, ks: "1, 2", ratios: "1, 3, 8" });
  const rows = ends(await native("sweep=rank&ratios=1,3,8&ks=1,2&truth=orthonormal&scenario=mixed&models=ifm&d=12&trials=4&solver=gauss-newton&iterations=100&test=100"));
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
  await page.waitForFunction(() => document.activeElement?.id === "figure");
  assert.equal(page.url().replaceAll(/&samples\.[^&#]*/g, ""), new URL(href ?? "", page.url()).href, "the link says where it goes; the map's own settings stay");
  assert.match(page.url(), /solver=gauss-newton.*theme=dark/);
  await page.locator("ifm-figure .verdict[data-phase=done]").waitFor({ timeout: 30_000 });
  assert.match(await page.locator("ifm-figure .live").innerText(), /192 training rows.*Gauss–Newton/);
  await page.goBack();
  await page.waitForURL((url) => url.searchParams.get("seed") === "5" && !url.searchParams.has("n"));
});

test("a cell whose runs failed otherwise than by missing the truth is left out, of the map and of its sentence", async (t) => {
  const page = await openPage(t);
  const experiment = await run(page, "ifm-samples", { d: 12, trials: 2, ks: "1, 13", ratios: "8" }); // no 13 orthonormal factors in 12 dimensions
  assert.equal(await experiment.locator('[data-cell="13 8"]').innerText(), "–");
  assert.equal(await experiment.locator('[data-cell="1 8"]').innerText(), "2/2");
  assert.match(await experiment.locator("[role=alert]").innerText(), /rank is 13, want at most 12.*2 runs/);
  assert.equal(await experiment.locator(".told").innerText(), "The truth is found in every trial for k = 1 from n = 8 dk on. All of this map is found, so it does not tell where success begins. Try fewer rows.");
  assert.match(await experiment.locator(".live").innerText(), /of both signs \(k = 1 has a single eigenvalue, positive\)/);
});

test("the map offers Algorithm 1 only to models it fits, with the rows that it needs, and tells refusals from divergence", async (t) => {
  const page = await openPage(t);
  const experiment = await prepare(page, "ifm-samples", { d: 12, trials: 2, sweep: "tau", taus: "2, 0", model: "gfm", scenario: "psd", solver: "algorithm1" });
  const value = (/** @type {string} */ key) => experiment.locator(`[data-key=${key}]`).inputValue();
  assert.equal(await value("ratios"), "6, 12, 24, 48, 96");
  await experiment.getByRole("button", { name: "Run", exact: true }).click();
  await experiment.locator(".chapter[data-phase=done]").waitFor({ timeout: 60_000 });
  assert.match(await experiment.locator(".told").innerText(), /10 runs were refused, because τ is too small to divide by, and \d+ runs? diverged; they count as not found\.$/);
  await experiment.locator("[data-key=model]").selectOption("fm");
  assert.equal(await value("solver"), "gauss-newton");
  assert.equal(await value("ratios"), "1, 1.5, 2, 2.5, 3, 4, 6");
  assert.equal(await experiment.locator("[data-key=solver] option[value=algorithm1]").count(), 0);
});

test("a tap leaves its reading shown, which a mouse takes with it", async (t) => {
  const page = await openPage(t, "/", { hasTouch: true });
  const experiment = await run(page, "ifm-figure1", small);
  const over = experiment.locator("ifm-lines .over").first();
  const readout = experiment.locator("ifm-lines .readout").first();
  const box = await over.boundingBox();
  assert.ok(box);
  await over.hover();
  assert.match(await readout.innerText(), /^Iteration 20: /);
  await page.mouse.move(0, 0);
  await page.waitForFunction(() => !document.querySelector("ifm-lines .readout")?.textContent?.startsWith("Iteration"));
  await over.dispatchEvent("pointermove", { pointerType: "touch", clientX: box.x + box.width / 2, clientY: box.y + 10 });
  await over.dispatchEvent("pointerleave", { pointerType: "touch" });
  assert.match(await readout.innerText(), /^Iteration 20: /);
});

test("the figure comes to its end while an experiment is at work", async (t) => {
  const page = await openPage(t);
  const experiment = await prepare(page, "ifm-figure1", { d: 60, trials: 50 });
  await experiment.getByRole("button", { name: "Run", exact: true }).click();
  await experiment.locator(".chapter[data-phase=running]").waitFor();
  await page.locator("h1").scrollIntoViewIfNeeded();
  await page.locator("ifm-figure .verdict[data-phase=done]").waitFor({ timeout: 30_000 });
  assert.equal(await experiment.locator(".chapter").getAttribute("data-phase"), "running");
});

test("by keyboard alone an experiment is found, run, stopped and read", async (t) => {
  const page = await openPage(t);
  await page.locator("nav a[href='#lesson']").focus();
  await page.keyboard.press("Enter");
  const experiment = page.locator("ifm-figure1");
  await experiment.locator(".run").waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.closest("ifm-figure1") !== null && document.activeElement?.textContent?.trim());
  for (let i = 0; i < 40 && (await focused()) !== "Run"; i++) await page.keyboard.press("Tab");
  assert.equal(await focused(), "Run");
  await page.keyboard.press("Enter");
  await experiment.locator("ifm-lines .over").first().waitFor({ timeout: 30_000 });
  assert.equal(await focused(), "Run again", "the button keeps the focus while it can do nothing");
  for (let i = 0; i < 5 && (await focused()) !== "Stop"; i++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await experiment.locator(".chapter[data-phase=stopped]").waitFor();
  const slider = experiment.getByRole("slider").first();
  for (let i = 0; i < 10 && !(await slider.evaluate((e) => e === document.activeElement)); i++) await page.keyboard.press("Tab");
  await page.keyboard.press("Home");
  assert.match((await slider.getAttribute("aria-valuetext")) ?? "", /^Iteration 0: /);
});

for (const [colorScheme, width] of /** @type {const} */ ([["light", 360], ["dark", 1440], ["light", 320]])) {
  test(`the experiments keep axe's rules and the page's width, before and after, ${colorScheme}, ${width} px`, async (t) => {
    const page = await openPage(t, "/?speed=instant&iterations=20", { colorScheme, viewport: { width, height: 800 } });
    const stays = async () => {
      await assertAccessible(page);
      await assertFits(page);
    };
    await page.locator("nav a[href='#lesson']").click();
    await page.locator("ifm-samples .run").waitFor();
    await stays();
    await run(page, "ifm-figure1", small);
    if (width <= 360) assert.ok(await page.locator("ifm-figure1 .scroll").last().evaluate((e) => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight), "its endings fit");
    await run(page, "ifm-algorithm", { d: 10, k: 1, features: "slider", tau: 0 });
    await run(page, "ifm-moments", { ...sweep, solver: "algorithm1" });
    await run(page, "ifm-samples", { d: 12, trials: 12, ratios: "1,2,3,4,5,6,7,8,9,10", ks: "1" });
    for (const fold of await page.locator("ifm-lesson").getByText("Data of this chart").all()) await fold.click();
    await stays();
  });
}
