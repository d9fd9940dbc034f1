// @ts-check
/** The chapters on the diagonal, on real tables, and what every chapter says of its own run: question, answer and explanation agree. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { acceptance, assertAccessible, assertFits, follow, openPage, origin, settled } from "./lab.mjs";
import { runs } from "./native.mjs";

/** wasm and amd64 round exp, log and the like differently; a few hundred iterations do not make that larger than this. */
const CLOSE = 1e-9;

/** Settings of the chapter on tables that take a second or two. */
const light = "data.trials=2&data.ranks=2&data.lambdas=0.1&data.iterations=40";

/** @param {number} found @param {number} wanted @param {string} what */
function near(found, wanted, what) {
  assert.ok(Math.abs(found - wanted) <= CLOSE * Math.abs(wanted), `${what} is ${found}, natively ${wanted}`);
}

/** @param {Page} page @param {string} panel */
async function chapter(page, panel) {
  await settled(page);
  return page.locator(panel);
}

/** @param {Locator} of */
async function over(of) {
  await settled(of.page());
  assert.equal(await of.locator(".chapter").getAttribute("data-phase"), "done");
  return of;
}

/** Runs a chapter alone, in a frame's view, by a guess or without one. @param {Page} page @param {string} panel @param {string} [guess] */
async function run(page, panel, guess) {
  const found = await chapter(page, panel);
  await found.locator(guess === undefined ? ".run" : `[data-guess=${guess}]`).click();
  return over(found);
}

/** @param {Locator} of @param {string} selector */
const value = async (of, selector) => Number(await of.locator(selector).getAttribute("data-value"));

/** The cell of a split of a sample. @param {Locator} of @param {string} sample @param {number} trial @param {string} column */
const split = (of, sample, trial, column) => of.locator("[data-chart=splits] tbody tr", { has: of.page().locator("th", { hasText: sample }) }).nth(trial).locator(`td[data-column="${column}" i]`);

/** The rows of a table of data, a cell's text each. @param {Locator} of */
const cells = (of) => of.locator("details tbody tr").evaluateAll((rows) => rows.map((row) => Array.from(row.children, (cell) => cell.textContent?.trim() ?? "")));

test("the built-in tables come out as the same runs do natively, and the answer counts them", acceptance, async (t) => {
  const page = await openPage(t, `/?embed=1&chapter=data&${light}`);
  const tables = await run(page, "#data", "all");
  await tables.getByText("Data of this chart").click();
  const native = await runs("source=table&target=Miles_per_Gallon&ignore=Name&trials=2&ranks=2&lambdas=0.1&iterations=40", fileURLToPath(new URL("../samples/cars.csv", import.meta.url)));
  for (const model of ["fm", "ifm"]) {
    for (const trial of [0, 1]) near(Number(await split(tables, "Cars", trial, model).getAttribute("data-value")), native.find((run) => run.model === model && run.trial === trial)?.kept ?? NaN, `${model} on split ${trial} of cars`);
  }
  const ratios = await Promise.all(["penguins", "cars", "diabetes"].map((name) => value(tables, `[data-ratio="ifm ${name}"]`)));
  const won = ratios.filter((ratio) => ratio < 0.99).length;
  const answer = won === 0 ? "none" : won === 3 ? "all" : "some";
  assert.ok(ratios.every((ratio) => ratio > 0.5 && ratio < 1.5), `the ratios are those of real tables: ${ratios}`);
  assert.equal(await tables.locator(".answer").getAttribute("data-answer"), answer);
  assert.equal(await tables.locator(".answer").getAttribute("data-right"), String(answer === "all"), "a guess is right or wrong by this run's numbers");
  const says = await tables.locator(".told").innerText();
  for (const [i, name] of ["Penguins", "Cars", "Diabetes"].entries()) {
    const gain = 1 - (ratios[i] ?? NaN);
    assert.match(says, new RegExp(`${gain > 0.01 ? "more than 1 % on[^.]*" : gain < -0.01 ? "behind[^.]*" : "level[^.]*"}${name}`.replaceAll("[^.]*", ".*")), says);
    assert.ok(Math.abs(Number(await tables.locator(".told [data-of=ifm]").evaluateAll((all, want) => all.map((e) => Number(e.getAttribute("data-value"))).find((v) => Math.abs(v - want) < 1e-12), gain)) - gain) < 1e-12, `${name}'s gain is in the sentence`);
  }
  await tables.locator(`[data-guess=${answer}]`).click();
  assert.equal(await tables.locator(".answer").getAttribute("data-right"), "true", "the other guess, without another run");
  const out = tables.locator("[data-open=cars]");
  assert.equal(await out.getAttribute("target"), "_blank", "a frame has no section for tables");
  assert.equal(new URL((await out.getAttribute("href")) ?? "", page.url()).searchParams.get("embed"), null);
  for (const name of ["penguins", "cars", "diabetes"]) {
    const row = tables.locator(`tr[data-table=${name}]`);
    const values = await row.locator("td[data-ratio]").evaluateAll((cells) => cells.map((cell) => [Number(cell.getAttribute("data-value")), cell.textContent?.includes("best") ?? false]));
    const least = Math.min(...values.map(([ratio]) => Number(ratio)));
    assert.deepEqual(values.filter(([, best]) => best).map(([ratio]) => ratio), [least], `${name}: the best is marked in words`);
  }

  await t.test("every dot has exact values, by pointer and by arrow keys, and they are the table's", async () => {
    const piece = tables.locator(".dots");
    const [readout, cursor, over] = [piece.locator(".readout"), piece.locator(".over input"), piece.locator(".over")];
    const top = () => piece.locator("details").evaluate((e) => e.getBoundingClientRect().top - (e.closest(".dots")?.getBoundingClientRect().top ?? NaN));
    const [hint, place] = [await readout.innerText(), await top()];
    assert.match(hint, /Point at the chart/);
    /** What is to be told of each dot, from the table, and its ratio. @type {Map<string, number>} */
    const dots = new Map();
    for (const [name, split, , ridge, , ...rmse] of await cells(piece)) {
      for (const [i, model] of ["FM", "iFM"].entries()) dots.set(`${name}, ${model}, split ${split}: test RMSE ${rmse[i]} ÷ ridge’s ${ridge}`, Number(rmse[i]) / Number(ridge));
    }
    assert.equal(dots.size, 12);
    const svg = await piece.locator(".plot svg").boundingBox();
    assert.ok(svg);
    /** @type {string[]} */
    const seen = [];
    await cursor.focus();
    for (let i = 0; i < dots.size; i++) {
      if (i > 0) await page.keyboard.press("ArrowRight");
      const says = await readout.innerText();
      assert.equal(await cursor.getAttribute("aria-valuetext"), says);
      const [dot = "", ratio = ""] = says.split(" = ");
      assert.ok(Math.abs((dots.get(dot) ?? NaN) - Number(ratio)) < 2e-3, `${says}: the table has it, in four digits`);
      seen.push(dot);
      const pin = await piece.locator(".pin").evaluate((e) => {
        const own = e.getBoundingClientRect();
        const drawn = Array.from(e.closest(".dots")?.querySelectorAll("g[aria-label=dot] path, g[aria-label=dot] circle") ?? [], (one) => one.getBoundingClientRect());
        return Math.min(...drawn.map((one) => Math.hypot(one.x + one.width / 2 - own.x - own.width / 2, one.y + one.height / 2 - own.y - own.height / 2)));
      });
      assert.ok(pin < 2, `the ring is ${pin} px from a dot`);
      assert.equal(await top(), place, "nothing moves");
    }
    assert.deepEqual([...seen].sort(), [...dots.keys()].sort(), "the keys reach every dot");
    for (const [i, dot] of seen.entries()) if (seen[i - 1]?.split(", split")[0] === dot.split(", split")[0]) assert.ok((dots.get(dot) ?? 0) >= (dots.get(seen[i - 1] ?? "") ?? 0) - 1e-3, "from the left to the right of a line");
    await cursor.blur();
    assert.equal(await readout.innerText(), hint);
    const at = async (/** @type {string} */ key) => {
      const [sample = "", trial, model = ""] = key.split(" ");
      const row = split(piece, sample, Number(trial), model);
      const box = await over.boundingBox();
      assert.ok(box);
      await cursor.focus();
      await page.keyboard.press("Home");
      const wanted = `test RMSE ${await row.innerText()} ÷`;
      for (let i = 0; i < 12 && !(await readout.innerText()).includes(wanted); i++) await page.keyboard.press("ArrowRight");
      const pin = await piece.locator(".pin").boundingBox();
      assert.ok(pin, `${sample}, ${trial}, ${model} has a place`);
      await cursor.blur();
      return { x: pin.x + pin.width / 2, y: pin.y + pin.height / 2, wanted };
    };
    for (const key of ["penguins 0 fm", "cars 1 ifm", "diabetes 0 ifm"]) {
      const { x, y, wanted } = await at(key);
      await page.mouse.move(x, y + 1);
      assert.ok((await readout.innerText()).includes(wanted), `${await readout.innerText()} under the pointer`);
      await page.mouse.down();
      await page.mouse.up();
      assert.ok((await readout.innerText()).includes(wanted), "and where it is pressed");
      await cursor.blur();
      await page.mouse.move(0, 0);
      assert.equal(await readout.innerText(), hint);
      assert.equal(await piece.locator("[data-cursor]").count(), 0);
    }
  });
});

test("each chapter alone says of its own run what that shows", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=diagonal");

  await t.test("the slider takes a column from Gaussian to ±1, by keyboard, with its moments from the formula", async () => {
    const moments = await chapter(page, "#diagonal");
    const piece = moments.locator("ifm-distribution");
    const slider = piece.locator(".slide input");
    const shown = async () => Object.fromEntries(await Promise.all(["parameter", "kappa", "phi", "tau"].map(async (key) => [key, await value(piece, `[data-moment=${key}]`)])));
    assert.deepEqual(await shown(), { parameter: 0, kappa: 0, phi: 3, tau: 2 });
    await slider.focus();
    for (let i = 0; i < 50; i++) await page.keyboard.press("ArrowRight");
    const { parameter: a, phi, tau } = await shown();
    assert.equal(a, 0.75);
    assert.ok(Math.abs(tau - 2 * (1 - a ** 4)) < 1e-12 && Math.abs(phi - (3 - 2 * a ** 4)) < 1e-12, `τ = ${tau}, φ = ${phi}`);
    await piece.getByText("Data of this picture").click();
    const rows = await piece.locator("tbody tr").allInnerTexts();
    const at = (/** @type {string} */ x) => Number(rows.find((row) => row.startsWith(`${x}\t`))?.split("\t")[1]);
    const normal = (/** @type {number} */ x) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
    const sd = Math.sqrt(1 - a * a);
    assert.ok(Math.abs(at("1") - (normal((1 - a) / sd) + normal((1 + a) / sd)) / (2 * sd)) < 1e-3, `the density at 1 is ${at("1")}, in three digits`);
    assert.ok(Math.abs((at("1") ?? 0) - (at("−1") ?? 0)) < 1e-12, "it is symmetric");
    assert.equal(await piece.locator("[data-end=yes]").count(), 0);
    await slider.focus();
    await page.keyboard.press("End");
    assert.deepEqual(await shown(), { parameter: 1, kappa: 0, phi: 1, tau: 0 });
    assert.match(await piece.locator("[data-end=yes]").innerText(), /x² is 1 in every row, so a square tells nothing/);
    assert.match((await piece.locator("[role=img]").getAttribute("aria-label")) ?? "", /0\.50 at −1\.00, 0\.50 at 1\.00\. κ is 0, φ 1\.00, τ 0/);
    assert.match((await slider.getAttribute("aria-valuetext")) ?? "", /^a = 1\.000, τ = 0$/);
    await piece.getByLabel("Columns").selectOption("threepoint");
    await page.waitForURL(/diagonal\.features=threepoint/);
    assert.deepEqual(await shown(), { parameter: 1, kappa: 0, phi: 1, tau: 0 }, "the families end at the same column");
    await slider.focus();
    await page.keyboard.press("Home");
    const first = await shown();
    assert.ok(Math.abs((first["tau"] ?? 0) - 2) < 1e-12 && Math.abs((first["phi"] ?? 0) - 3) < 1e-12, "three points begin with a Gaussian's φ");
  });

  await t.test("the density of the column has exact values, by pointer, by arrow keys and by touch, and they are the table's", acceptance, async () => {
    await follow(page, "/?embed=1&chapter=diagonal");
    const piece = (await chapter(page, "#diagonal")).locator("ifm-distribution");
    const [readout, cursor, over] = [piece.locator(".readout"), piece.locator(".over input"), piece.locator(".over")];
    await piece.locator(".slide input").fill("60"); // a = 0.84
    if ((await piece.locator("details[open]").count()) === 0) await piece.getByText("Data of this picture").click();
    const top = () => piece.locator("details").evaluate((e) => e.getBoundingClientRect().top);
    const [hint, place] = [await readout.innerText(), await top()];
    assert.match(hint, /Point at the chart/);
    const told = (/** @type {string[]} */ [x, own, gaussian]) => `x = ${x}: density ${own}, of a Gaussian ${gaussian}`;
    const table = await cells(piece);
    assert.equal(table.length, 25);
    await cursor.press("Home");
    for (const [i, row] of table.entries()) {
      if (i > 0) for (let step = 0; step < 5; step++) await page.keyboard.press("ArrowRight");
      assert.equal(await readout.innerText(), told(row));
      assert.equal(await cursor.getAttribute("aria-valuetext"), told(row));
      assert.equal(await top(), place, "nothing moves");
    }
    await cursor.blur();
    assert.equal(await readout.innerText(), hint);
    assert.equal(await piece.locator("[data-cursor]").count(), 0);
    const box = await over.boundingBox();
    assert.ok(box);
    for (const i of [3, 12, 20]) {
      const x = box.x + (box.width * i) / 24;
      await page.mouse.move(x, box.y + 40);
      assert.equal(await readout.innerText(), told(table[i] ?? []));
      const hair = await piece.locator(".over .hair").boundingBox();
      assert.ok(hair && Math.abs(hair.x - x) < 2, `the hair is at ${hair?.x}, the pointer at ${x}`);
    }
    await page.mouse.click(box.x + (box.width * 16) / 24, box.y + 40);
    assert.equal(await readout.innerText(), told(table[16] ?? []), "where it is pressed");
    const pin = await piece.locator(".pin").boundingBox();
    const height = box.height * (1 - Number(table[16]?.[1]) / 1.5);
    assert.ok(pin && Math.abs(pin.y + pin.height / 2 - box.y - height) < 1.5, "the ring is on the curve");
    await page.keyboard.press("ArrowLeft");
    assert.match(await readout.innerText(), /^x = 0\.95: /, "and the keys go on from there");
    await page.mouse.move(0, 0);
    await cursor.blur();
    await over.dispatchEvent("pointermove", { pointerType: "touch", clientX: box.x + box.width / 2, clientY: box.y + 40 });
    await over.dispatchEvent("pointerleave", { pointerType: "touch" });
    assert.equal(await readout.innerText(), told(table[12] ?? []), "a finger that was lifted leaves its reading");
    await page.locator("body").dispatchEvent("pointerdown", { pointerType: "touch" });
    assert.equal(await readout.innerText(), hint);
    await piece.getByLabel("Columns").selectOption("threepoint");
    const points = await cells(piece);
    assert.equal(points.length, 3);
    await cursor.press("Home");
    for (const [i, [x, share]] of points.entries()) {
      if (i > 0) await page.keyboard.press("ArrowRight");
      assert.equal(await cursor.getAttribute("aria-valuetext"), `x = ${x}: share of the rows ${share}`);
      assert.equal(await readout.innerText(), `x = ${x}: share of the rows ${share}`);
    }
    await cursor.blur();
    await piece.locator(".slide input").fill("100");
    assert.deepEqual(await cells(piece), [["−1", "0.500"], ["1", "0.500"]]);
    await page.mouse.move(box.x + 0.9 * box.width, box.y + 40);
    assert.equal(await readout.innerText(), "x = 1: share of the rows 0.500");
  });

  await t.test("the place of the column is marked on the chart of the run, and told in words", async () => {
    await follow(page, "/?embed=1&chapter=diagonal&diagonal.d=10&diagonal.k=1&diagonal.taus=2,0.5,0.1&diagonal.ratios=30&diagonal.trials=2&diagonal.iterations=10");
    const moments = await run(page, "#diagonal");
    const piece = moments.locator("ifm-distribution");
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
    const box = await piece.locator(".slide input").boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + box.width - 3, box.y + box.height / 2);
    await settled(page);
    assert.match(await piece.locator(".beside").innerText(), /0\.1,/);
    assert.ok((await left()) < between && between < gaussian, "the mark goes to the left as τ does");
  });

  await t.test("the map's explanation gives the numbers of its answer", acceptance, async () => {
    await follow(page, "/?embed=1&chapter=samples&samples.d=16&samples.trials=3&samples.ks=1,4&samples.ratios=1,2,3,4,6,8");
    const map = await run(page, "#samples", "falls");
    const first = async (/** @type {number} */ k) => {
      const cells = await map.locator(`[data-cell^="${k} "]`).evaluateAll((all) => all.map((cell) => [Number(cell.getAttribute("data-cell")?.split(" ")[1]), cell.getAttribute("data-found") === cell.getAttribute("data-over")]));
      const failed = cells.filter(([, found]) => !found).map(([ratio]) => Number(ratio));
      return Math.min(...cells.map(([ratio]) => Number(ratio)).filter((ratio) => ratio > Math.max(0, ...failed)));
    };
    const each = (/** @type {number} */ ratio, /** @type {number} */ k) => (ratio * 16 * k) / (16 * k - (k * (k - 1)) / 2 + 16 + 1); // rows for each free number of M, w and b
    const [one, four] = [each(await first(1), 1), each(await first(4), 4)];
    const answer = four < one / 1.2 ? "falls" : four > one * 1.2 ? "rises" : "stays";
    assert.equal(await map.locator(".answer").getAttribute("data-answer"), answer);
    const told = map.locator(".told .num");
    const said = await told.evaluateAll((all) => all.map((number) => Number(number.getAttribute("data-value"))));
    assert.ok(said.includes(one) && said.includes(four), `${said} has ${one} and ${four}`);
    const lines = map.locator("ifm-chart");
    const ends = () => lines.evaluate((chart) => /** @type {any} */ (chart).spec.drawing.lines.map((/** @type {any} */ line) => line.x.at(-1)));
    const free = await ends();
    assert.ok(Math.abs(free[0] - each(8, 1)) < 1e-12 && Math.abs(free[1] - each(8, 4)) < 1e-12, "rows are counted in free numbers");
    assert.ok(Math.abs(free[2] - (await first(1)) * 16 * 16 / (16 * 4 - 6 + 17)) < 1e-9, "rows like k²d, 16 times those of k = 1, stand beside");
    await map.getByLabel("Count rows in").selectOption("dk");
    await settled(page);
    assert.deepEqual((await ends()).slice(0, 2), [8, 8]);
    assert.match(page.url(), /samples\.across=dk/);
    assert.doesNotMatch(await map.locator(".cost").innerText(), /have changed/);
  });

  await t.test("Algorithm 1 as printed converges for k = 1, and answer and explanation say so together", async () => {
    await follow(page, "/?embed=1&chapter=algorithm&algorithm.d=10&algorithm.k=1");
    const one = await run(page, "#algorithm", "grows");
    assert.equal(await one.locator(".answer").getAttribute("data-answer"), "shrinks");
    assert.equal(await one.locator(".answer").getAttribute("data-right"), "false");
    assert.match(await one.locator(".told").innerText(), /As printed it converges, k being 1/);
    await follow(page, page.url().replace("algorithm.k=1", "algorithm.k=3"));
    const three = await run(page, "#algorithm", "grows");
    assert.equal(await three.locator(".answer").getAttribute("data-answer"), "grows");
    assert.equal(await three.locator(".answer").getAttribute("data-right"), "true");
    assert.match(await three.locator(".told").innerText(), /As printed, it ends [\d.,]+ times as far .*error of the trace by about −k\/2, here −1\.5\./);
  });

  await t.test("Figure 1 decides nothing where FM has not learnt the unflipped truth either", async () => {
    await follow(page, "/?embed=1&chapter=psd&psd.d=12&psd.k=2&psd.test=100&psd.trials=2&psd.iterations=40&psd.rows=1");
    const few = await run(page, "#psd", "stuck");
    assert.ok((await value(few, '[data-ending="fm psd"]')) > 0.75);
    assert.equal(await few.locator(".answer").getAttribute("data-answer"), "");
    assert.match(await few.locator(".told").innerText(), /FM does not learn the truth of \(a\) either/);
    await follow(page, page.url().replace("psd.rows=1", "psd.rows=20"));
    const enough = await run(page, "#psd", "stuck");
    const [a, b] = [await value(enough, '[data-ending="fm psd"]'), await value(enough, '[data-ending="fm flipped"]')];
    assert.equal(await enough.locator(".answer").getAttribute("data-answer"), b > 0.9 ? "stuck" : b > 3 * a ? "worse" : "same");
    assert.match(await enough.locator(".told").innerText(), /Let 1 be what is left without interactions\. FM ends at \S+( × 10⁻\S+)? in \(a\)/);
  });

  await t.test("a run on the tables can be stopped by keyboard and keeps what has come", async () => {
    await follow(page, "/?embed=1&chapter=data&data.trials=20");
    const tables = await chapter(page, "#data");
    await tables.locator(".run").focus();
    await page.keyboard.press("Enter");
    await tables.locator(".chapter[data-phase=running]").waitFor();
    await tables.locator('[data-ratio="ifm penguins"]:not([data-value=NaN])').waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent?.trim()), "Stop");
    await page.keyboard.press("Enter");
    await settled(page);
    assert.equal(await tables.locator(".chapter").getAttribute("data-phase"), "stopped");
    assert.match(await tables.locator(".cost").innerText(), /^Stopped: \d+ of 120 runs came to an end/);
    assert.ok((await value(tables, '[data-ratio="ifm penguins"]')) > 0, "what came is still shown");
  });
});

test("the settings of the chapter on tables stand in the address, and gFM is one of them", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=data&data.trials=2&data.compared=three&data.ranks=2&data.lambdas=0.1&data.iterations=30");
  const tables = await chapter(page, "#data");
  assert.equal(await tables.locator("thead th").filter({ hasText: "gFM" }).count(), 1);
  await tables.getByText("Settings of this chapter").click();
  assert.equal(await tables.locator("[data-key=trials]").inputValue(), "2");
  await tables.locator("[data-key=trials]").fill("1");
  await tables.locator("[data-key=trials]").blur();
  await page.waitForURL(/data\.trials=1/);
  await run(page, "#data");
  assert.ok((await value(tables, '[data-ratio="gfm cars"]')) < 1.5);
  assert.match(await tables.locator(".told").innerText(), /One split says nothing of chance/);
  assert.match(await tables.locator(".live").innerText(), /1 split; seed 1\. Ranks 2 and 1 penalty tried/);
});

test("a table that cannot be had is that row's error, and the answer waits for it", async (t) => {
  const page = await openPage(t, "about:blank", { expected: [/Failed to load resource/] });
  await page.route("**/samples/cars.csv", (route) => route.fulfill({ status: 404 }));
  await page.goto(new URL(`/?embed=1&chapter=data&${light}`, await origin()).href);
  const tables = await run(page, "#data", "none");
  assert.match(await tables.locator("tr[data-table=cars] [role=alert]").innerText(), /cars\.csv could not be loaded/);
  assert.ok((await value(tables, '[data-ratio="ifm diabetes"]')) > 0);
  assert.match(await tables.locator(".told").innerText(), /1 table could not be had and does not count/);
  await page.unroute("**/samples/cars.csv");
  await tables.locator(".run").click();
  await over(tables);
  assert.ok((await value(tables, '[data-ratio="ifm cars"]')) < 1);
});

test("without any table the chapter says why, and can be run again", async (t) => {
  const page = await openPage(t, "about:blank", { expected: [/Failed to load resource/] });
  await page.route("**/samples/*.csv", (route) => route.abort());
  await page.goto(new URL(`/?embed=1&chapter=data&${light}`, await origin()).href);
  const tables = await chapter(page, "#data");
  await tables.locator(".run").click();
  await settled(page);
  assert.equal(await tables.locator(".chapter > .error").count(), 1);
  assert.equal(await tables.locator(".chapter").getAttribute("data-phase"), "idle");
  await page.unroute("**/samples/*.csv");
  await tables.locator(".run").click();
  await over(tables);
  assert.equal(await tables.locator(".error").count(), 0);
});

test("a table of the chapter opens in the page's own section with the chapter's settings, without a new load", acceptance, async (t) => {
  const page = await openPage(t, `/?speed=instant&d=8&k=2&n=100&iterations=20&${light}#data`);
  const tables = await run(page, "#data");
  await page.evaluate(() => (/** @type {any} */ (window).here = true));
  const link = tables.locator("[data-open=cars]");
  const href = new URL((await link.getAttribute("href")) ?? "", page.url());
  assert.equal(href.searchParams.get("sample"), "cars");
  assert.equal(href.searchParams.get("source"), "table");
  assert.equal(href.hash, "#table");
  await link.click();
  await settled(page);
  assert.equal(await page.locator("ifm-data .table[data-table='cars.csv']").count(), 1);
  assert.ok(await page.evaluate(() => /** @type {any} */ (window).here), "the page stayed");
  const now = new URL(page.url());
  for (const [key, wanted] of Object.entries({ sample: "cars", target: "Miles_per_Gallon", ignore: "Name", trials: "2", ranks: "2", lambdas: "0.1", iterations: "40", "data.trials": "2" })) assert.equal(now.searchParams.get(key), wanted, key);
  await page.locator("ifm-data .plan[data-state=ready] .start").click();
  await settled(page);
  assert.equal(await page.locator("ifm-result .verdict").getAttribute("data-phase"), "done");
  const ridge = Number(await page.locator("ifm-result tr[data-standing=ridge]").getAttribute("data-value"));
  const ifm = Number(await page.locator("ifm-result tr[data-standing=ifm]").getAttribute("data-value"));
  await tables.getByText("Data of this chart").click();
  const mean = async (/** @type {string} */ column) => {
    const own = await Promise.all([0, 1].map((trial) => split(tables, "Cars", trial, column).getAttribute("data-value")));
    return (Number(own[0]) + Number(own[1])) / 2;
  };
  near(ridge, await mean("ridge"), "ridge in the section");
  near(ifm, await mean("iFM"), "iFM in the section");
});

test("the reader's own columns are listed by τ̂, those of two values in words, and none is invented", async (t) => {
  const page = await openPage(t, "/?speed=instant&d=8&k=2&n=100&iterations=20#diagonal");
  const columns = page.locator("ifm-columns");
  await settled(page);
  assert.equal(await columns.getByRole("link").getAttribute("href"), "#table");
  assert.equal(await columns.locator("table").count(), 0);
  await page.locator("ifm-data [data-sample=penguins]").click();
  await settled(page);
  const rows = await columns.locator("tbody tr").evaluateAll((all) => all.map((row) => ({ name: /** @type {HTMLElement} */ (row).dataset["column"], standing: /** @type {HTMLElement} */ (row).dataset["standing"], tau: Number(row.querySelector("[data-value]")?.getAttribute("data-value")) })));
  assert.deepEqual(rows.map(({ tau }) => tau), rows.map(({ tau }) => tau).sort((a, b) => a - b));
  assert.deepEqual(rows.filter(({ tau }) => tau === 0).map(({ name, standing }) => `${name} ${standing}`), ["Species levels", "Island levels", "Sex two"]);
  const shown = await page.evaluate(() => Object.fromEntries(/** @type {any} */ (document.querySelector("ifm-app")).lab.loader.loaded.table.columns.map((/** @type {any} */ c) => [c.name, c.tau])));
  for (const { name, tau } of rows.filter(({ standing }) => standing === "clear")) assert.equal(tau, shown[name ?? ""], `${name}'s τ̂ is the engine's`);
  assert.match(await columns.locator(".about").innerText(), /In penguins\.csv, 3 of 7 columns have τ = 0\. There gFM’s diagonal cannot be told/);
  assert.match(await columns.locator("tr[data-column=Sex]").innerText(), /two values: says nothing/);
});

for (const [colorScheme, width] of /** @type {const} */ ([["light", 360], ["dark", 1440], ["light", 320]])) {
  test(`the two chapters keep axe's rules, their width and their places, ${colorScheme}, ${width} px`, width !== 360 ? acceptance : {}, async (t) => {
    const page = await openPage(t, "/?embed=1&chapter=diagonal&diagonal.d=10&diagonal.k=1&diagonal.taus=2,0&diagonal.ratios=20&diagonal.trials=2", { colorScheme, viewport: { width, height: 800 } });
    const stays = async () => {
      if (width !== 360) await assertAccessible(page); // the rules are the same there as at 320
      await assertFits(page);
    };
    const moments = await chapter(page, "#diagonal");
    await page.evaluate(() => {
      const columns = /** @type {any} */ (document.querySelector("ifm-columns"));
      const column = { kind: "numeric", guess: "feature", missing: 0, unreadable: 0, distinctExact: true, mean: 0, sd: 1, min: 0, max: 1, levels: [] };
      columns.table = { name: "mine.csv", rows: 400, columns: Array.from({ length: 30 }, (_, i) => ({ ...column, name: `a column of a long name, ${i}`, distinct: i < 3 ? 2 : 50, tau: i < 3 ? 0 : i / 100 })) };
    });
    await page.locator("ifm-columns .all").click();
    await settled(page);
    assert.equal(await page.locator("ifm-columns tbody tr").count(), 30);
    const slider = moments.locator("ifm-distribution .slide input");
    assert.ok(((await slider.boundingBox())?.height ?? 0) >= 44, "the slider is a target for a finger");
    const place = () => moments.locator("ifm-chart[data-chart=curve]").first().evaluate((e) => e.getBoundingClientRect().top - (e.closest(".chapter")?.getBoundingClientRect().top ?? NaN));
    const before = await place();
    await run(page, "#diagonal");
    for (const position of ["50", "97", "100", "0"]) {
      await slider.fill(position);
      await settled(page);
      assert.equal(await place(), before, `the chart stays where it is, at position ${position}`);
      await moments.locator("ifm-distribution .over input").press("Home");
      assert.equal(await place(), before, `also when the numbers at its edge are told, at position ${position}`);
    }
    for (const fold of await moments.getByText(/^Data of this (chart|picture)$/).all()) await fold.click();
    await settled(page);
    await stays();
    await follow(page, `/?embed=1&chapter=data&${light}`);
    const tables = await run(page, "#data");
    await tables.getByText("Data of this chart").click();
    await settled(page);
    const room = () => tables.locator(".dots .readout").evaluate((e) => e.getBoundingClientRect().height);
    const tall = await room();
    for (let i = 0; i < 12; i++) {
      await tables.locator(".dots .over input").press(i === 0 ? "Home" : "ArrowRight");
      assert.equal(await room(), tall, "the room for what is told is enough");
    }
    await stays();
  });
}
