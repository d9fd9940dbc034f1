// @ts-check
/** The chapters on the diagonal, on real tables, with the numbers of native runs. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, openPage, settled } from "./lab.mjs";
import { details, near, open, over, run, value } from "./lesson.mjs";
import { runs } from "./native.mjs";
import { finished, openData, sample, small, standings } from "./table.mjs";

/** Settings of the chapter on tables that take a second or two. */
const light = "data.trials=2&data.ranks=2&data.lambdas=0.1&data.iterations=40";

/** The cell of a split of a sample. @param {Locator} of @param {string} sample @param {number} trial @param {string} column */
const split = (of, sample, trial, column) => of.locator("[data-chart=splits] tbody tr", { has: of.page().locator("th", { hasText: sample }) }).nth(trial).locator(`td[data-column="${column}" i]`);

/** The rows of a table of data, a cell's text each. @param {Locator} of */
const cells = (of) => of.locator(".under tbody tr").evaluateAll((rows) => rows.map((row) => Array.from(row.children, (cell) => cell.textContent?.trim() ?? "")));

test("the built-in tables come out as the same runs do natively, the answer counts them, and every dot has exact values", acceptance, async (t) => {
  const page = await openPage(t, `/?embed=1&chapter=data&${light}`);
  const tables = await details(page, "data");
  await run(tables, "all");
  await openData(tables);
  const native = await runs("source=table&target=Miles_per_Gallon&ignore=Name&trials=2&ranks=2&lambdas=0.1&iterations=40", sample("cars.csv"));
  for (const model of ["fm", "ifm"]) {
    for (const trial of [0, 1]) near(Number(await split(tables, "Cars", trial, model).getAttribute("data-value")), native.find((run) => run.model === model && run.trial === trial)?.kept ?? NaN, `${model} on split ${trial} of cars`);
  }
  const names = ["penguins", "cars", "diabetes"];
  const ratios = await Promise.all(names.map((name) => value(tables.locator(`[data-ratio="ifm ${name}"]`))));
  const won = ratios.filter((ratio) => ratio < 0.99).length;
  const answer = won === 0 ? "none" : won === 3 ? "all" : "some";
  assert.ok(ratios.every((ratio) => ratio > 0.5 && ratio < 1.5), `the ratios are those of real tables: ${ratios}`);
  assert.equal(await tables.locator(".answer").getAttribute("data-answer"), answer);
  assert.equal(await tables.locator("[data-open=cars]").getAttribute("target"), "_blank", "a frame has no section for tables");
  for (const name of names) {
    const cells = await tables.locator(`tr[data-table=${name}] td[data-ratio]`).evaluateAll((cells) => cells.map((cell) => ({ ratio: Number(cell.getAttribute("data-value")), best: cell.textContent?.includes("best") ?? false })));
    assert.deepEqual(cells.filter(({ best }) => best).map(({ ratio }) => ratio), [Math.min(...cells.map(({ ratio }) => ratio))], `${name}: the best is marked in words`);
  }

  await t.test("every dot has exact values, by pointer and by arrow keys, and they are the table's", async () => {
    const piece = tables.locator(".dots");
    const [readout, cursor] = [piece.locator(".readout"), piece.locator(".over input")];
    const hint = await readout.innerText();
    /** What is to be told of each dot, from the table, and its ratio. @type {Map<string, number>} */
    const dots = new Map();
    for (const [name, split, , ridge, , ...rmse] of await cells(piece)) {
      for (const [i, model] of ["FM", "iFM"].entries()) dots.set(`${name}, ${model}, split ${split}: test RMSE ${rmse[i]} ÷ linear regression’s ${ridge}`, Number(rmse[i]) / Number(ridge));
    }
    assert.equal(dots.size, 12);
    const seen = [];
    for (let i = 0; i < dots.size; i++) {
      await cursor.press(i === 0 ? "Home" : "ArrowRight");
      const says = await readout.innerText();
      assert.equal(await cursor.getAttribute("aria-valuetext"), says);
      const [dot = "", ratio = ""] = says.split(" = ");
      assert.ok(Math.abs((dots.get(dot) ?? NaN) - Number(ratio)) < 2e-3, `${says}: the table has it, in four digits`);
      seen.push(dot);
    }
    assert.deepEqual(seen.toSorted(), [...dots.keys()].sort(), "the keys reach every dot");
    const says = await readout.innerText();
    const pin = await piece.locator(".pin").boundingBox();
    assert.ok(pin);
    await cursor.blur();
    assert.equal(await readout.innerText(), hint);
    await page.mouse.move(pin.x + pin.width / 2, pin.y + pin.height / 2 + 1);
    assert.equal(await readout.innerText(), says, "what is under the pointer");
  });
});

test("a column is taken from Gaussian to ±1, with its moments, and its place is marked on the run's chart", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=diagonal");
  await details(page, "diagonal");
  const piece = page.locator("ifm-distribution");

  await t.test("the slider takes a column from Gaussian to ±1, by keyboard, with its moments from the formula", async () => {
    const slider = piece.locator(".slide input");
    const shown = async () => Object.fromEntries(await Promise.all(["parameter", "kappa", "phi", "tau"].map(async (key) => [key, await value(piece.locator(`[data-moment=${key}]`))])));
    assert.deepEqual(await shown(), { parameter: 0, kappa: 0, phi: 3, tau: 2 });
    await slider.focus();
    for (let i = 0; i < 50; i++) await page.keyboard.press("ArrowRight");
    const { parameter: a, phi, tau } = await shown();
    assert.equal(a, 0.75);
    assert.ok(Math.abs(tau - 2 * (1 - a ** 4)) < 1e-12 && Math.abs(phi - (3 - 2 * a ** 4)) < 1e-12, `τ = ${tau}, φ = ${phi}`);
    await openData(piece);
    const density = new Map((await cells(piece)).map(([x = "", own]) => [x, Number(own)]));
    const normal = (/** @type {number} */ x) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
    const sd = Math.sqrt(1 - a * a);
    assert.ok(Math.abs((density.get("1") ?? NaN) - (normal((1 - a) / sd) + normal((1 + a) / sd)) / (2 * sd)) < 1e-3, "the density at 1, in three digits");
    assert.equal(density.get("1"), density.get("−1"), "it is symmetric");
    await slider.press("End");
    assert.deepEqual(await shown(), { parameter: 1, kappa: 0, phi: 1, tau: 0 });
    assert.equal(await piece.locator("[data-end=yes]").count(), 1, "a square tells nothing there");
    assert.match((await slider.getAttribute("aria-valuetext")) ?? "", /^a = 1(\.000)?, τ = 0$/);
    await piece.getByLabel("Columns").selectOption("threepoint");
    await page.waitForURL(/diagonal\.features=threepoint/);
    assert.deepEqual(await shown(), { parameter: 1, kappa: 0, phi: 1, tau: 0 }, "the families end at the same column");
    await slider.press("Home");
    const first = await shown();
    assert.ok(Math.abs((first["tau"] ?? 0) - 2) < 1e-12 && Math.abs((first["phi"] ?? 0) - 3) < 1e-12, "three points begin with a Gaussian's φ");
  });

  await t.test("the place of the column is marked on the chart of the run, and told in words", async () => {
    const moments = await open(page, "diagonal", { d: 10, k: 1, taus: "2,0.5,0.1", ratios: 30, trials: 2, iterations: 10 });
    await run(moments);
    const mark = moments.locator("ifm-chart[data-chart=curve] .here");
    const left = async () => Number.parseFloat((await mark.getAttribute("style"))?.split(":")[1] ?? "");
    await piece.locator(".slide input").fill("0");
    await settled(page);
    const gaussian = await left();
    await piece.locator(".slide input").fill("80"); // a = 0.96, τ = 0.301
    await settled(page);
    assert.match(await piece.locator(".beside").innerText(), /0\.5,/);
    const between = await left();
    const told = await piece.locator(".beside").innerText();
    for (const [model, name] of [["gfm", "gFM"], ["ifm", "iFM"]]) assert.ok(told.includes(`${await moments.locator(`[data-cell="${model} 30 0.5"]`).innerText()} for ${name}`), `${told}: ${name}’s error is the table’s`);
    await piece.locator(".slide input").fill("99");
    await settled(page);
    assert.match(await piece.locator(".beside").innerText(), /0\.1,/);
    assert.ok((await left()) < between && between < gaussian, "the mark goes to the left as τ does");
  });
});

test("a table that cannot be had is that row's error, and without any the chapter says why; both can be run again, with gFM too", async (t) => {
  const page = await openPage(t, `/?embed=1&chapter=data&${light.replace("trials=2", "trials=1")}&data.compared=three`, { expected: [/Failed to load resource/], before: (page) => page.route("**/samples/*.csv", (route) => route.abort()) });
  const tables = await details(page, "data");
  await over(tables, "idle");
  assert.equal(await tables.locator(".seen > .error").count(), 1);
  await page.unroute("**/samples/*.csv");
  await page.route("**/samples/cars.csv", (route) => route.fulfill({ status: 404 }));
  await run(tables, "none");
  assert.equal(await tables.locator(".seen > .error").count(), 0);
  assert.match(await tables.locator("tr[data-table=cars] [role=alert]").innerText(), /cars\.csv could not be loaded/);
  assert.ok((await value(tables.locator('[data-ratio="ifm diabetes"]'))) > 0);
  await page.unroute("**/samples/cars.csv");
  await run(tables);
  for (const model of ["ifm", "gfm"]) assert.ok((await value(tables.locator(`[data-ratio="${model} cars"]`))) < 1.5, model);
});

test("a table of the chapter opens in the page's own section with the chapter's settings, without a new load", acceptance, async (t) => {
  const page = await openPage(t, `/?${small}&iterations=20&${light}#data`);
  const tables = await details(page, "data");
  await run(tables);
  await openData(tables);
  const means = await Promise.all(["linear", "iFM"].map(async (column) => {
    const splits = await Promise.all([0, 1].map((trial) => value(split(tables, "Cars", trial, column))));
    return ((splits[0] ?? 0) + (splits[1] ?? 0)) / 2;
  }));
  await page.evaluate(() => (/** @type {any} */ (window).here = true));
  await tables.locator("[data-open=cars]").click();
  await finished(page);
  assert.ok(await page.evaluate(() => /** @type {any} */ (window).here), "the page stayed");
  const now = new URL(page.url());
  for (const [key, wanted] of Object.entries({ source: "table", sample: "cars", target: "Miles_per_Gallon", ignore: "Name", trials: "2", ranks: "2", lambdas: "0.1", iterations: "40" })) assert.equal(now.searchParams.get(key), wanted, key);
  const own = await standings(page);
  for (const [i, whose] of ["ridge", "ifm"].entries()) near(own[whose] ?? NaN, means[i], `${whose} in the section`);
});

test("the reader's own columns are listed by τ̂, those of two values in words, and none is invented", async (t) => {
  const page = await openPage(t, "/?speed=instant&d=8&k=2&n=100&iterations=20#diagonal");
  await details(page, "diagonal");
  const columns = page.locator("ifm-columns");
  assert.match((await columns.getByRole("link").getAttribute("href")) ?? "", /#table$/);
  assert.equal(await columns.locator("table").count(), 0);
  await page.locator("header a[data-place=table]").click();
  await page.locator("ifm-data [data-sample=penguins]").click();
  await settled(page);
  await page.locator("header a[data-place=lesson]").click();
  await details(page, "diagonal");
  const rows = await columns.locator("tbody tr").evaluateAll((all) => all.map((row) => ({ name: /** @type {HTMLElement} */ (row).dataset["column"], standing: /** @type {HTMLElement} */ (row).dataset["standing"], tau: Number(row.querySelector("[data-value]")?.getAttribute("data-value")) })));
  assert.deepEqual(rows.map(({ tau }) => tau), rows.map(({ tau }) => tau).sort((a, b) => a - b));
  assert.deepEqual(rows.filter(({ tau }) => tau === 0).map(({ name, standing }) => `${name} ${standing}`), ["Species levels", "Island levels", "Sex two"]);
  const shown = await page.evaluate(() => Object.fromEntries(/** @type {any} */ (document.querySelector("ifm-app")).lab.loader.loaded.table.columns.map((/** @type {any} */ c) => [c.name, c.tau])));
  for (const { name, tau } of rows.filter(({ standing }) => standing === "clear")) assert.equal(tau, shown[name ?? ""], `${name}'s τ̂ is the engine's`);
  assert.match(await columns.locator(".about").innerText(), /In penguins\.csv, 3 of 7 columns have τ = 0/);
});
