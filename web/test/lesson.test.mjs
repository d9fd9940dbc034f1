// @ts-check
/** The paper's experiments: their numbers are the ones that the same settings give natively, and a reader can start, stop and read them by any means. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, assertAccessible, assertFits, follow, matchPicture, openPage, origin, settled } from "./lab.mjs";
import { records } from "./native.mjs";

/** @typedef {import("./native.mjs").Row} Row */
/** @typedef {Record<string, string | number>} Settings */

/** wasm and amd64 round exp, log and the like differently; a hundred iterations do not make that larger than this. */
const CLOSE = 1e-9;

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

const small = { d: 12, k: 2, rows: 10, test: 100, trials: 2, iterations: 40 };
const figure = "d=8&k=2&n=100&iterations=20&speed=instant"; // takes no time
const names = /** @type {const} */ ({ "#psd": "psd", "#algorithm": "algorithm", "#diagonal": "diagonal", "#samples": "samples" });

const sweep = { features: "threepoint", d: 10, k: 1, trials: 3, taus: "2,0.5,0", ratios: "20,40" };

/** A chapter's settings as they stand in an address. @param {keyof typeof names} panel @param {Settings} settings */
const written = (panel, settings) => Object.entries(settings).map(([key, value]) => `&${names[panel]}.${key}=${value}`).join("");

/** Runs an experiment that is on the page. @param {Locator} experiment */
async function ran(experiment) {
  await experiment.locator("button.run").click();
  await settled(experiment.page());
  assert.equal(await experiment.locator(".chapter").getAttribute("data-phase"), "done");
  return experiment;
}

/** Runs an experiment of such a page under settings. @param {Page} page @param {keyof typeof names} panel @param {Settings} settings */
async function run(page, panel, settings) {
  await follow(page, `/?embed=1&chapter=${names[panel]}${written(panel, settings)}`);
  return ran(page.locator(panel));
}

test("the section is loaded when it comes near, a sentence says so where it cannot be, and it comes by itself once the network is back", async (t) => {
  const page = await openPage(t, "about:blank", { expected: [/Failed to load resource/] });
  /** @type {string[]} */
  const asked = [];
  await page.route("**/a/section-*.js", (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.goto(new URL(`/?${figure}`, await origin()).href);
  await settled(page);
  assert.deepEqual(asked, []);
  await page.locator("nav a[href='#lesson']").click();
  await settled(page);
  assert.equal(await page.getByText(/“The lesson” could not be loaded/).count(), 1);
  assert.ok(asked.length > 0);
  await page.unroute("**/a/section-*.js");
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await page.locator("#lesson h2").waitFor();
  assert.equal(await page.getByText(/could not be loaded/).count(), 0);
});

test("Figure 1 looks as in the README", acceptance, async (t) => {
  const page = await openPage(t, `/?${figure}${written("#psd", { d: 50, k: 3, test: 2000, trials: 5 })}#psd`, { viewport: { width: 1280, height: 900 } });
  const experiment = await ran(page.locator("#psd"));
  await experiment.locator("select.axis").selectOption("log");
  await page.evaluate(() => document.fonts.ready);
  await page.mouse.move(0, 0);
  await experiment.locator(".cost").evaluate((cost) => (cost.style.visibility = "hidden")); // it says how long the run took
  await experiment.locator("ifm-followup").evaluate((other) => (other.style.display = "none")); // an experiment of its own
  await settled(page);
  await matchPicture(experiment, "figure1");
});

test("each experiment alone gives the numbers of its native runs, and says what they mean", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=psd", { hasTouch: true });

  await t.test("Figure 1 of the page is the mean of the native runs, in all three panels, and says what they mean", async (t) => {
    const experiment = await run(page, "#psd", small);
    for (const scenario of ["psd", "flipped", "mixed"]) {
      const rows = await records(`scenario=${scenario}&d=12&k=2&n=240&test=100&trials=2&iterations=40`);
      const chart = experiment.locator(`ifm-chart[data-chart=${scenario}]`);
      await chart.getByText("Data of this chart").click();
      await settled(page);
      assert.equal(await chart.locator("tbody tr").count(), 41);
      for (const [model, name] of /** @type {const} */ ([["fm", "FM"], ["ifm", "iFM"]])) {
        const shown = await chart.locator(`td[data-column=${name}]`).evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute("data-value"))));
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

    const chart = (/** @type {string} */ scenario) => experiment.locator(`ifm-chart[data-chart=${scenario}]`);
    const toLog = async () => {
      await experiment.getByRole("combobox", { name: "Axis" }).selectOption("log");
      await settled(page);
    };
    await t.test("a tap leaves its reading shown, which a mouse takes with it", async () => {
      const over = experiment.locator("ifm-chart .over").first();
      const readout = experiment.locator("ifm-chart .readout").first();
      await over.hover();
      assert.match(await readout.innerText(), /^Iteration 20: /);
      await page.mouse.move(0, 0);
      await settled(page);
      assert.doesNotMatch(await readout.innerText(), /^Iteration/);
      const box = await over.boundingBox();
      assert.ok(box);
      await over.dispatchEvent("pointermove", { pointerType: "touch", clientX: box.x + box.width / 2, clientY: box.y + 10 });
      await over.dispatchEvent("pointerleave", { pointerType: "touch" });
      assert.match(await readout.innerText(), /^Iteration 20: /);
    });
    await t.test("its axis is linear until the reader asks for the log one", async () => {
      assert.equal(await chart("psd").locator(".frame").getAttribute("data-scale"), "linear");
      await toLog();
      assert.equal(await chart("psd").locator(".frame").getAttribute("data-scale"), "log");
      assert.match((await chart("psd").locator("svg").first().textContent()) ?? "", /10⁻²/);
    });
    await t.test("its log axis goes down to where its curves and bands end", acceptance, async () => {
      await run(page, "#psd", { ...small, rows: 20, iterations: 100, solver: "gauss-newton" });
      const low = await chart("mixed").evaluate((lines) => /** @type {any} */ (lines).spec.drawing.y.domain[0]);
      const least = await chart("mixed").evaluate((lines) => Math.min(.../** @type {any} */ (lines).spec.drawing.lines.flatMap((/** @type {any} */ line) => [...line.y, ...line.low])));
      assert.ok(least < 1e-12, `Gauss–Newton ends at rounding, not at ${least}`);
      assert.ok(low <= least && low > least / 10, `the axis ends at ${low}, the lowest point is ${least}`);
    });
    await t.test("it explains iFM's pace only where iFM falls like 1/t, by scaled gradients too", acceptance, async () => {
      await run(page, "#psd", { d: 40, k: 3, rows: 20, test: 200, trials: 1, iterations: 60, solver: "scaled" });
      assert.match(await experiment.locator(".told").innerText(), /falls only by a factor of (1\.[5-9]|2\.\d) between iterations 30 and 60, about like 1\/t/);
      assert.match(await experiment.locator(".live").innerText(), /seed 1; 1 trial; solver: scaled/);
    });
    await t.test("it says that the rows are too few where a model ends above no interactions at all", async () => {
      await run(page, "#psd", { ...small, rows: 1 });
      const above = await experiment.locator("[data-ending]").evaluateAll((cells) => cells.filter((cell) => Number(cell.getAttribute("data-value")) > 1).map((cell) => cell.getAttribute("data-ending")));
      assert.ok(above.includes("ifm psd"), `24 rows do not tell 12 × 2 numbers (above 1: ${above})`);
      const says = await experiment.locator(".told").innerText();
      assert.match(says, /iFM in \(a\).* end above 1, worse than with no interactions at all: 24 training rows are too few\./);
      assert.doesNotMatch(says, /1\/t/);
    });
  });

  await t.test("a run whose worker is ended is done again, with the same numbers", acceptance, async () => {
    const ending = async () => (await page.locator("#psd [data-ending]").evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-value"))));
    const experiment = await run(page, "#psd", { d: 20, k: 3, test: 200, trials: 2 });
    const before = await ending();
    await experiment.getByRole("button", { name: "Run again" }).click();
    await page.waitForFunction(() => {
      const { tracks } = /** @type {any} */ (document.querySelector("#psd"));
      const half = tracks.some((/** @type {any} */ track) => track.done) && !tracks.every((/** @type {any} */ track) => track.done);
      if (half) /** @type {any} */ (document.querySelector("ifm-app")).pool.engines[0].restart({ kind: "Stopped", message: "", file: "", line: 0, column: 0, field: "", found: "" });
      return half;
    });
    await settled(page);
    assert.equal(await experiment.locator(".chapter").getAttribute("data-phase"), "done");
    assert.equal(await experiment.locator(".error").count(), 0);
    assert.deepEqual(await ending(), before);
  });

  await t.test("Algorithm 1 converges as corrected at the theorem's rate, grows as printed, and iFM's rate stands beside its long run", async () => {
    const experiment = await run(page, "#algorithm", {});
    const rows = await records("truth=orthonormal&scenario=psd&diagonal=kept&d=40&k=3&n=7200&models=gfm&solver=algorithm1&batches=fresh&iterations=12&tolerance=0");
    const errors = rows.map((row) => Number(row["errorW"]) + Number(row["errorM"]));
    const rate = Number(await experiment.locator("[data-rate=gfm]").getAttribute("data-value"));
    near(rate, ((errors[12] ?? NaN) / (errors[2] ?? NaN)) ** 0.1, "gFM's rate");
    const shaped = rate * Math.sqrt(60);
    assert.ok(shaped > 1.2 && shaped < 1.8, `times √(n/kd) it is ${shaped}`);
    const says = await experiment.locator(".told").innerText();
    assert.ok(Number(/As printed, it ends ([\d,]+) times as far/.exec(says)?.[1]?.replace(",", "")) > 10, says);
    assert.match(says, /Try four times the rows/);
    const [, told, tends] = /iFM multiplies its error by ([\d.]+) in the last iterations\. .* it tends to ([\d.]+), not to 0/.exec(says) ?? [];
    const ifm = (await records("truth=orthonormal&scenario=psd&diagonal=zero&d=40&k=3&n=7200&models=ifm&solver=algorithm1&batches=fresh&iterations=12&tolerance=0")).map((row) => Number(row["errorW"]) + Number(row["errorM"]));
    near(Number(await experiment.locator("[data-rate=ifm]").getAttribute("data-value")), ((ifm[12] ?? NaN) / (ifm[6] ?? NaN)) ** (1 / 6), "iFM's rate over the last half");
    assert.ok(Math.abs(Number(told) / Number(tends) - 1) < 0.05, `at 60 dk the rate, ${told}, is within chance of its limit, ${tends}`);
    const from = ifm.findIndex((_, i) => i > 0 && errors.slice(i).every((error, j) => error < (ifm[i + j] ?? NaN)));
    assert.ok(from > 1 && says.includes(`From iteration ${from} on gFM is ahead`), `gFM overtakes at ${from}: ${says}`);
    assert.match(says, /At first iFM is ahead: after one iteration its error is 0\.\d+, gFM’s 0\.\d+.*The reason is the diagonal\./);
    const reference = await experiment.locator("ifm-chart").first().evaluate((lines) => /** @type {any} */ (lines).spec.drawing.lines.at(-1));
    assert.equal(reference.x.at(-1), 12);
    near(reference.y.at(-1), ifm[12] ?? NaN, "the reference line ends where iFM does");
    near(reference.y.at(-1) / reference.y.at(-2), Number(await experiment.locator("[data-rate=ifm] ~ td").nth(1).getAttribute("data-value")), "an iteration of it is the long-run rate");
    const slider = experiment.getByRole("slider");
    await slider.focus();
    await page.keyboard.press("Home");
    assert.match((await slider.getAttribute("aria-valuetext")) ?? "", /^Iteration 0: gFM, corrected [\d.]+, gFM, centred [\d.]+, gFM, as printed [\d.]+, iFM [\d.]+$/);
  });

  await t.test("Algorithm 1 tells what its rows and moments do to it", acceptance, async (t) => {
    await t.test("with too few rows it says who left all numbers, and for k = 2 as printed that it comes no closer", async () => {
      const experiment = await run(page, "#algorithm", { rows: 1, iterations: 60 });
      assert.match(await experiment.locator(".told").innerText(), /^As printed it left all numbers\. Corrected gFM and iFM left all numbers: 120 rows are too few\.$/);
      assert.equal(await experiment.locator("[role=alert]").count(), 0);
      const two = await run(page, "#algorithm", { k: 2, d: 10 });
      assert.doesNotMatch(await two.locator(".told").innerText(), /As printed it (converges|multiplies)/);
      assert.ok(Number(await two.locator("[data-rate=printed]").getAttribute("data-value")) > 0.97, "−k/2 is −1");
    });
    await t.test("moments that it cannot invert are a result, beside iFM's", async () => {
      const experiment = await run(page, "#algorithm", { d: 10, k: 1, features: "slider", tau: 0 });
      assert.equal(await experiment.locator("[role=alert]").count(), 0);
      assert.match(await experiment.locator(".told").innerText(), /^3 of gFM’s 3 runs were refused, because τ is too small to divide by\..* choose the pseudo-inverse\./);
      assert.ok(Number(await experiment.locator("[data-rate=ifm]").getAttribute("data-value")) < 1, "iFM converges all the same");
    });
  });

  await t.test("a sweep over τ gives the medians of the native runs, and tells what they show", async (t) => {
    const experiment = await run(page, "#diagonal", { ...sweep, solver: "agd", iterations: 30 });
    for (const [model, diagonal] of /** @type {const} */ ([["gfm", "kept"], ["ifm", "zero"]])) {
      const rows = ends(await records(`sweep=tau&ratios=20,40&taus=2,0.5,0&features=threepoint&truth=orthonormal&scenario=psd&diagonal=${diagonal}&models=${model}&d=10&k=1&trials=3&solver=agd&iterations=30`));
      for (const [i, tau] of ["2", "0.5", "0"].entries()) {
        for (const [j, ratio] of ["20", "40"].entries()) {
          const shown = Number(await experiment.locator(`[data-cell="${model} ${ratio} ${tau}"]`).getAttribute("data-value"));
          near(shown, median(rows.filter((row) => row["point"] === String(2 * i + j)).map((row) => Number(row["errorM"]))), `${model}, τ = ${tau}, n = ${ratio} dk`);
        }
      }
    }
    const both = await experiment.locator("ifm-chart[data-chart=curve]").first().evaluate((chart) => /** @type {any} */ (chart).spec.drawing.lines.map((/** @type {any} */ line) => ({ name: line.name, look: `${line.dash} ${line.symbol}`, y: line.y })));
    assert.deepEqual(both.map((/** @type {any} */ line) => line.name), ["gFM: error of M", "gFM: test RMSE", "iFM: error of M", "iFM: test RMSE"], "what is recovered and what is predicted, on one axis");
    assert.equal(new Set(both.map((/** @type {any} */ line) => line.look)).size, 4, "told apart by dash and marker, not by colour alone");
    for (const [i, tau] of ["0", "0.5", "2"].entries()) {
      near(both[0].y[i], Number(await experiment.locator(`[data-cell="gfm 40 ${tau}"]`).getAttribute("data-value")), `the error of M at τ = ${tau}`);
      near(both[1].y[i], Number(await experiment.locator(`[data-cell="gfm 40 ${tau} rmse"]`).getAttribute("data-value")), `the RMSE at τ = ${tau}`);
    }
    await experiment.getByLabel("Show").selectOption("rmse");
    await settled(page);
    assert.equal(await experiment.getByText(/^test RMSE ÷ sd of y at the end/).count(), 1);
    assert.ok(both[1].y[0] < both[0].y[0], "at τ = 0 gFM predicts better than it recovers");
    near(Number(await experiment.locator('[data-cell="gfm 40 0"]').getAttribute("data-value")), both[1].y[0], "its RMSE alone is the line of before");
    await experiment.getByLabel("Show").selectOption("errorM");

    const value = async (/** @type {string} */ cell) => Number(await experiment.locator(`[data-cell="${cell}"]`).getAttribute("data-value"));
    await t.test("by itself the chapter shows gFM's matrix going wrong as τ goes to 0 while its predictions stay good", acceptance, async () => {
      await follow(page, "/?embed=1&chapter=diagonal");
      await experiment.locator("[data-guess=matrix]").click();
      await settled(page);
      assert.match(await experiment.locator(".answer").innerText(), /^You guessed .*, and this run says so too/);
      assert.ok((await value("gfm 30 0")) > 10 * (await value("gfm 30 2")) && (await value("ifm 30 0")) < 0.05);
      assert.match(await experiment.locator(".told").innerText(), /Yet gFM predicts well there.*pace of gradient descent/);
    });
    await t.test("as τ goes to 0 gFM loses the truth and not its predictions, and iFM loses neither", acceptance, async () => {
      await run(page, "#diagonal", { features: "threepoint", taus: "2,0", solver: "gauss-newton", iterations: 60, d: 30, trials: 5 });
      const says = await experiment.locator(".told").innerText();
      assert.match(says, /^With n = 30 dk, gFM’s error of M is \S+ × 10⁻\S+ at τ = 2 and 0\.\d+ at τ = 0\. iFM’s error of M is .* Yet gFM predicts well there, with a test RMSE of \S+ × 10⁻\S+ sd(: its two lines part)?\..* is chance/);
      assert.ok((await value("ifm 30 0")) < 1e-6);
    });
    await t.test("as τ goes to 0 Algorithm 1 loses gFM's truth, then its way, and iFM keeps both", acceptance, async () => {
      await run(page, "#diagonal", { features: "threepoint", taus: "2,0.02,0.001,0", ratios: "10", d: 20, trials: 3, solver: "algorithm1", iterations: 25 });
      assert.ok((await value("gfm 10 0.02")) > 1e3 * (await value("gfm 10 2")), "the error of M rises");
      assert.match(await experiment.locator('[data-cell="gfm 10 0.001"]').innerText(), /diverged/);
      assert.equal(await experiment.locator('[data-cell="gfm 10 0"]').innerText(), "refused");
      for (const tau of ["2", "0.02", "0.001", "0"]) assert.ok((await value(`ifm 10 ${tau}`)) < 1e-3, `iFM at τ = ${tau}`);
      const rows = ends(await records("sweep=tau&ratios=10&taus=2,0.02&features=threepoint&truth=orthonormal&scenario=psd&diagonal=kept&models=gfm&d=20&k=2&trials=3&solver=algorithm1&batches=fresh&moments=true&iterations=25"));
      near(await value("gfm 10 2"), median(rows.filter((row) => row["point"] === "0").map((row) => Number(row["errorM"]))), "fresh rows are the same rows natively");
      assert.match(await experiment.locator(".told").innerText(), /diverged.*refused.*Choose Gauss–Newton/);
    });
    await t.test("gFM that is refused for its τ is a result that is counted, not an error of the page", async () => {
      await run(page, "#diagonal", { ...sweep, solver: "algorithm1", iterations: 25, ratios: "60" });
      const cell = experiment.locator('[data-cell="gfm 60 0"]');
      assert.equal(await cell.innerText(), "refused");
      assert.equal(await cell.getAttribute("data-refused"), "3");
      assert.equal(await experiment.locator("[role=alert]").count(), 0);
      assert.match(await experiment.locator(".told").innerText(), /3 of gFM’s 9 runs were refused/);
      assert.ok((await value("ifm 60 0")) < 0.1, "iFM does not care");
    });
  });

  await t.test("the map leaves out what failed otherwise than by missing the truth", async () => {
    const experiment = await run(page, "#samples", { d: 12, trials: 2, ks: "1,13", ratios: "8" }); // no 13 orthonormal factors in 12 dimensions
    assert.equal(await experiment.locator('[data-cell="13 8"]').innerText(), "–");
    assert.equal(await experiment.locator('[data-cell="1 8"]').innerText(), "2/2");
    assert.match(await experiment.locator("[role=alert]").innerText(), /rank is 13, want at most 12.*2 runs/);
    assert.equal(await experiment.locator(".told").innerText(), "The truth is found in every trial for k = 1 from n = 8 dk on. All of this map is found, so it does not tell where success begins. Try fewer rows.");
    assert.match(await experiment.locator(".live").innerText(), /of both signs \(k = 1 has a single eigenvalue, positive\)/);
  });
});

test("a long run can be stopped, keeps what has come, and gives way to the next", async (t) => {
  const page = await openPage(t, `/?embed=1&chapter=psd${written("#psd", { trials: 50 })}`);
  const experiment = page.locator("#psd");
  await experiment.locator("button.run").click();
  await experiment.locator(".cost", { hasText: "of 300 runs" }).waitFor();
  await experiment.locator("ifm-chart .over").first().waitFor();
  await experiment.getByRole("button", { name: "Stop" }).first().click();
  await settled(page); // no engine is at work
  assert.equal(await experiment.locator(".chapter").getAttribute("data-phase"), "stopped");
  const over = Number((await experiment.locator(".cost").innerText()).match(/^Stopped: (\d+) of 300 runs came to an end/)?.[1]);
  assert.ok(over < 300, `${over} runs`);
  assert.ok(await experiment.locator("ifm-chart .plot svg").first().isVisible(), "what came is still drawn");
  assert.match(await experiment.locator(".live").innerText(), /mean of the runs that came to an end/);
  await follow(page, `/?embed=1&chapter=psd${written("#psd", small)}`);
  assert.match(await experiment.locator(".cost").innerText(), /^The settings have changed since this run/);
  await ran(experiment);
  assert.match(await experiment.locator(".cost").innerText(), /^12 runs in/);
});

test("the map counts what the native runs count, and a cell opens its run in the figure", async (t) => {
  const page = await openPage(t, `/?theme=dark&seed=5&${figure}${written("#samples", { d: 12, trials: 4, ks: "1,2", ratios: "1,3,8" })}#samples`);
  const experiment = await ran(page.locator("#samples"));
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
  assert.equal(await page.evaluate(() => document.activeElement?.id), "figure");
  assert.equal(page.url().replaceAll(/&samples\.[^&#]*/g, ""), new URL(href ?? "", page.url()).href, "the link says where it goes; the map's own settings stay");
  assert.match(page.url(), /solver=gauss-newton.*theme=dark/);
  assert.equal(await page.locator("ifm-figure .verdict").getAttribute("data-phase"), "done");
  assert.match(await page.locator("ifm-figure .live").innerText(), /192 training rows.*Gauss–Newton/);
  await page.goBack();
  await page.waitForURL((url) => url.searchParams.get("seed") === "5" && url.searchParams.get("n") === "100");
});

test("the figure comes to its end while an experiment is at work", async (t) => {
  const page = await openPage(t, `/?${figure}${written("#psd", { d: 60, trials: 50 })}#psd`);
  const experiment = page.locator("#psd");
  await experiment.locator("button.run").click();
  await experiment.locator(".chapter[data-phase=running]").waitFor();
  await page.locator("h1").scrollIntoViewIfNeeded();
  await page.locator("ifm-figure .verdict[data-phase=done]").waitFor();
  assert.equal(await experiment.locator(".chapter").getAttribute("data-phase"), "running");
});

test("by keyboard alone an experiment is found, run, stopped and read", async (t) => {
  const page = await openPage(t, `/?${figure}`);
  await page.locator("nav a[href='#lesson']").focus();
  await page.keyboard.press("Enter");
  const experiment = page.locator("#psd");
  await experiment.locator(".run").waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.closest("#psd") !== null && document.activeElement?.textContent?.trim());
  for (let i = 0; i < 40 && (await focused()) !== "Run"; i++) await page.keyboard.press("Tab");
  assert.equal(await focused(), "Run");
  await page.keyboard.press("Enter");
  await experiment.locator("ifm-chart .over").first().waitFor();
  assert.equal(await focused(), "Run again", "the button keeps the focus while it can do nothing");
  for (let i = 0; i < 5 && (await focused()) !== "Stop"; i++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await experiment.locator(".chapter").getAttribute("data-phase"), "stopped");
  const slider = experiment.getByRole("slider").first();
  for (let i = 0; i < 10 && !(await slider.evaluate((e) => e === document.activeElement)); i++) await page.keyboard.press("Tab");
  await page.keyboard.press("Home");
  assert.match((await slider.getAttribute("aria-valuetext")) ?? "", /^Iteration 0: /);
});

for (const [colorScheme, width] of /** @type {const} */ ([["light", 320], ["dark", 1440]])) {
  test(`the experiments keep axe's rules and the page's width, before and after, ${colorScheme}, ${width} px`, width === 320 ? acceptance : {}, async (t) => {
    const few = width === 320 ? 8 : 3; // a row of a table for each, which axe reads word by word
    const own = Object.entries({
      "#psd": { ...small, iterations: few },
      "#algorithm": { d: 10, k: 1, features: "slider", tau: 0, iterations: few },
      "#diagonal": { ...sweep, solver: "algorithm1", iterations: few },
      "#samples": { d: 12, trials: width === 320 ? 12 : 2, ratios: width === 320 ? "1,2,3,4,5,6,7,8,9,10" : "1,3", ks: "1" },
    });
    const link = own.map(([panel, settings]) => written(/** @type {keyof typeof names} */ (panel), settings)).join("");
    const page = await openPage(t, `/?${figure}${link}#lesson`, { colorScheme, viewport: { width, height: 800 } });
    await settled(page);
    if (colorScheme === "light") await assertAccessible(page, { include: ["ifm-lesson"] });
    await assertFits(page);
    for (const [panel] of own) {
      await page.locator(panel).scrollIntoViewIfNeeded(); // some have scripts of their own
      await ran(page.locator(panel));
    }
    for (const fold of await page.locator("ifm-lesson").getByText("Data of this chart").filter({ visible: true }).all()) await fold.click();
    await settled(page);
    await assertAccessible(page, { include: ["ifm-lesson"] });
    for (const each of colorScheme === "light" ? [320, 360] : [width]) {
      await page.setViewportSize({ width: each, height: 800 });
      await settled(page);
      await assertFits(page);
      if (each <= 360) assert.ok(await page.locator("#psd .scroll").last().evaluate((e) => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight), "its endings fit");
    }
  });
}
