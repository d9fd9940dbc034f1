// @ts-check
/**
 * What happens to the files a reader drops, good and bad, and whether the
 * browser computes what Go computes without one.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { downloaded, dropFile, openPage, origin } from "./lab.mjs";

/** @typedef {import("playwright-core").Page} Page */

const top = fileURLToPath(new URL("../..", import.meta.url));
const sample = (/** @type {string} */ name) => path.join(top, "web", "samples", name);
const data = process.env["IFMLAB_DATA"] ?? "";
const skip = data === "" && "IFMLAB_DATA names no folder with the larger tables";

/** @param {Page} page */
const planned = (page) => page.locator(".plan[data-state=ready]").waitFor();

/** @param {Page} page */
async function train(page) {
  await page.locator("button.start").click();
  await page.locator("ifm-result .verdict[data-phase=done]").waitFor({ timeout: 120_000 });
}

/**
 * The curves that an element shows, number by number, as its panel got them.
 *
 * @param {Page} page
 * @param {string} element
 * @returns {Promise<{ model: string, rank: number, lambda: number, rmse: number[] }[]>}
 */
const curves = (page, element) =>
  page.locator(element).evaluate((panel) =>
    /** @type {any} */ (panel).training.lines.map((/** @type {any} */ line) => ({ model: line.model, rank: line.choice?.rank, lambda: line.choice?.lambda, rmse: [...line.rmse] })),
  );

/**
 * Runs a command of core on a link's settings, without those of the view.
 *
 * @param {string} command
 * @param {string} query
 * @param {string[]} files
 */
function core(command, query, ...files) {
  const view = new Set(["speed", "sample", "embed", "hide", "scale", "theme"]);
  const settings = query.replace(/^\?/, "").split("&").filter((pair) => !view.has(pair.split("=")[0] ?? "")).join("&");
  return execFileSync("go", ["run", `./core/${command}`, settings, ...files], { cwd: top, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
}

/**
 * The same curves computed natively by the command that prints a link's
 * curves, one for each model and trial; kept is the test RMSE at the best
 * iteration on validation rows.
 *
 * @param {string} query
 * @param {string[]} files
 */
function native(query, ...files) {
  const [head, ...rows] = core("curve", query, ...files).trim().split("\n").map((line) => line.split(","));
  assert.ok(head);
  const at = (/** @type {string} */ name) => head.indexOf(name);
  /** @type {Map<string, string[][]>} */
  const cells = new Map();
  for (const row of rows) {
    const cell = `${row[at("model")]} ${row[at("trial")]}`;
    cells.set(cell, [...(cells.get(cell) ?? []), row]);
  }
  return [...cells].map(([cell, all]) => {
    const lead = all.at(-1)?.[at("lead")];
    const led = all.filter((row) => row[at("candidate")] === lead);
    const number = (/** @type {string[] | undefined} */ row, /** @type {string} */ name) => Number(row?.[at(name)]);
    const best = led.reduce((best, row) => (number(row, "valid") < number(best, "valid") ? row : best));
    return { model: cell.split(" ")[0] ?? "", rank: number(led[0], "rank"), lambda: number(led[0], "lambda"), kept: number(best, "test"), rmse: led.map((row) => number(row, "test")) };
  });
}

/**
 * @param {{ model: string, rank: number, lambda: number, rmse: number[] }[]} got
 * @param {{ model: string, rank: number, lambda: number, rmse: number[] }[]} want
 */
function assertSameCurves(got, want) {
  assert.deepEqual(got.map(({ model, rank, lambda }) => ({ model, rank, lambda })), want.map(({ model, rank, lambda }) => ({ model, rank, lambda })));
  for (const [i, { model, rmse }] of want.entries()) {
    const first = rmse[0] ?? Number.NaN;
    assert.equal(got[i]?.rmse.length, rmse.length, `${model}: records`);
    rmse.forEach((v, j) => {
      const differs = Math.abs(v - (got[i]?.rmse[j] ?? Number.NaN));
      assert.ok(differs <= 1e-9 * first, `${model}, record ${j}: ${v} natively, ${got[i]?.rmse[j]} in the browser`);
    });
  }
}

for (const scenario of ["psd", "flipped", "mixed"]) {
  test(`the browser draws the ${scenario} curves that Go computes natively`, async (t) => {
    const query = `?scenario=${scenario}&models=fm,gfm,ifm&speed=instant`;
    const page = await openPage(t, `/${query}`);
    await page.locator("ifm-figure .verdict[data-phase=done]").waitFor();
    assertSameCurves(await curves(page, "ifm-figure"), native(query));
  });
}

test("the size of the pool does not change a bit of any curve", async (t) => {
  /** @type {string[]} */
  const seen = [];
  for (const size of [1, 4]) {
    const page = await openPage(t, "about:blank");
    await page.addInitScript((n) => Object.defineProperty(navigator, "hardwareConcurrency", { value: n }), size);
    await page.goto(new URL("/?scenario=mixed&models=fm,gfm,ifm&trials=3&speed=instant", await origin()).href);
    await page.locator("ifm-figure .verdict[data-phase=done]").waitFor();
    seen.push(JSON.stringify(await curves(page, "ifm-figure")));
  }
  assert.equal(seen[0], seen[1]);
  assert.ok((seen[0] ?? "").length > 1000);
});

const tables = [
  { file: sample("diabetes.csv"), rows: 442, target: "target" },
  { file: sample("penguins.csv"), rows: 344, target: "Body Mass (g)" },
  { file: sample("cars.csv"), rows: 406, target: "Miles_per_Gallon" },
  { file: path.join(data, "csv/uci_bike_day.csv"), rows: 731, target: "cnt", ignore: ["casual", "registered", "instant", "dteday"], skip },
  { file: path.join(data, "csv/uci_winequality-red-white_daphne.csv"), rows: 6497, target: "column 12", skip },
];
for (const { file, rows, target, ignore = [], skip } of tables) {
  test(`${path.basename(file)}, dropped, trains to what Go computes natively`, { skip }, async (t) => {
    const page = await openPage(t, "/?speed=instant");
    await dropFile(page, "ifm-data .door", { path: file });
    await planned(page);
    assert.match(await page.locator("#file").innerText(), new RegExp(`: ${rows.toLocaleString("en")} rows`));
    await page.getByLabel(`Role of ${target}`, { exact: true }).selectOption("target");
    for (const column of ignore) await page.getByLabel(`Role of ${column}`, { exact: true }).selectOption("ignore");
    await planned(page);
    await train(page);
    const got = await curves(page, "ifm-result");
    assertSameCurves(got, native(new URL(page.url()).search, file));
    const shown = await page.locator("ifm-result [data-standing]").evaluateAll((all) => all.map((row) => [row.getAttribute("data-standing"), Number(row.getAttribute("data-value"))]));
    const standing = Object.fromEntries(shown);
    assert.ok(standing["ridge"] < standing["mean"], `ridge ${standing["ridge"]} beats the mean ${standing["mean"]}`);
    assert.ok(standing["ifm"] < standing["mean"], `iFM ${standing["ifm"]} beats the mean ${standing["mean"]}`);
  });
}

test("over several trials each keeps its own best iteration, and all that is compared is averaged", async (t) => {
  const page = await openPage(t, "/?source=table&sample=diabetes&trials=3&iterations=300&models=fm,ifm&speed=instant");
  await planned(page);
  await train(page);
  const query = new URL(page.url()).search;
  const rows = await page.locator("ifm-result [data-standing]").evaluateAll((all) =>
    all.map((row) => [row.getAttribute("data-standing"), { rmse: Number(row.getAttribute("data-value")), below: Number(row.querySelector("[data-below]")?.getAttribute("data-below")) }]),
  );
  /** @type {Record<string, { rmse: number, below: number }>} */
  const got = Object.fromEntries(rows);
  const cells = native(query, sample("diabetes.csv"));
  for (const model of ["fm", "ifm"]) {
    const kept = cells.filter((cell) => cell.model === model).map((cell) => cell.kept);
    assert.equal(kept.length, 3);
    const want = kept.reduce((sum, v) => sum + v, 0) / 3;
    assert.ok(Math.abs((got[model]?.rmse ?? Number.NaN) - want) < 1e-9 * want, `${model}: ${want} natively, ${got[model]?.rmse} in the browser`);
  }
  // Each as 57.36 ± 2.4, in this order; then the trials that iFM won.
  const compared = core("compare", query, sample("diabetes.csv")).match(/^ *diabetes .*$/m)?.[0] ?? "";
  const means = Array.from(compared.matchAll(/([\d.]+) ±/g), (found) => Number(found[1]));
  ["mean", "ridge", "quadratic", "fm", "ifm"].forEach((whose, i) => assert.equal(Number(got[whose]?.rmse.toPrecision(4)), means[i], whose));
  assert.equal(got["ifm"]?.below, Number(compared.match(/(\d) of 3/)?.[1]), "trials in which iFM is below ridge");
  assert.match(await page.locator("ifm-result [data-verdict]").innerText(), /in each of 3 trials.*means over 3 trials; .* is the best in \d of them/s);
  const note = await page.locator("ifm-result .verdict .note").innerText();
  assert.match(note, /chosen in each trial/);
  assert.doesNotMatch(note, /rank \d|ring/, "no trial's choice stands for all");
  assert.equal(await page.locator("ifm-result .curve-svg [aria-label=dot] circle[r='7']").count(), 0, "no ring");
});

const header = "x1,x2,y\n";
const good = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => `${(i * 7) % 11},${(i * 5) % 13},${(i * 3) % 17}.5\n`).join("");

/** @type {{ name: string, bytes: string | Uint8Array, says: RegExp }[]} */
const refused = [
  { name: "movies.json", bytes: '[{"Title": "The Land Girls", "US Gross": 146083}]', says: /JSON/ },
  { name: "empty.csv", bytes: "", says: /empty|holds no|no bytes/ },
  { name: "header.csv", bytes: header, says: /header|no rows/ },
  { name: "utf16.csv", bytes: new Uint8Array([0xff, 0xfe, 0x61, 0, 0x2c, 0, 0x62, 0, 0x0a, 0]), says: /UTF-16/ },
  { name: "table.csv.gz", bytes: new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), says: /gzip/ },
  { name: "ragged.csv", bytes: header + good(20) + "1,2\n".repeat(5), says: /ragged\.csv:22.*2 fields, want 3/s },
];
for (const { name, bytes, says } of refused) {
  test(`${name} is refused beside the door, in words that name it, and what was open stays`, async (t) => {
    const page = await openPage(t, "/");
    await dropFile(page, "ifm-data .door", { path: sample("cars.csv") });
    await planned(page);
    await dropFile(page, "ifm-data .door", { name, bytes });
    const error = page.locator("[data-error=file]");
    await error.waitFor();
    const text = await error.innerText();
    assert.match(text, says);
    assert.match(text, new RegExp(name.replaceAll(".", "\\.")));
    assert.match(text, /cars\.csv/, "it says that what was open is still there");
    assert.match(await page.locator("#file").innerText(), /cars\.csv: 406 rows/);
    await dropFile(page, "ifm-data .door", { name: "good.csv", bytes: header + good(30) });
    await page.locator("#file", { hasText: "good.csv: 30 rows" }).waitFor();
    await planned(page);
    assert.equal(await error.count(), 0);
  });
}

test("a few rows that cannot be read are listed with line and column, and the others train", async (t) => {
  const page = await openPage(t, "/?speed=instant");
  const bytes = `${header}${good(40)}1,2\n3,12x,4\n5,6,Inf\n${good(20)}7,8,\n`;
  await dropFile(page, "ifm-data .door", { name: "tec.csv", bytes });
  await planned(page);
  const listed = await page.locator("ifm-data details.places li").allTextContents();
  assert.ok(listed.some((line) => /^tec\.csv:42:\d+: .*2 fields, want 3/.test(line)), `${listed}`);
  assert.ok(listed.some((line) => /^tec\.csv:43:3: x2 is "?12x"?, want a finite number; fix the cell or delete line 43/.test(line)), `${listed}`);
  assert.ok(listed.some((line) => /^tec\.csv:44:\d+: y is "?Inf"?/.test(line)), `${listed}`);
  assert.ok(listed.some((line) => /^tec\.csv:65.*y is missing/.test(line)), `${listed}`);
  await train(page);
});

test("a target of text is refused in its row of the table and another can be chosen", async (t) => {
  const page = await openPage(t, "/?speed=instant");
  await dropFile(page, "ifm-data .door", { path: sample("penguins.csv") });
  await planned(page);
  await page.getByLabel("Role of Species").selectOption("target");
  const error = page.locator("[data-error=plan]");
  await error.waitFor();
  assert.match(await error.innerText(), /Species holds 3 texts \(Adelie, Chinstrap, Gentoo\), want numbers or two values; choose another target/);
  assert.equal(await page.locator("button.start").isDisabled(), true);
  await page.getByLabel("Role of Flipper Length (mm)").selectOption("target");
  await planned(page);
  await train(page);
});

/** @type {{ title: string, bytes: string, says: RegExp }[]} */
const notices = [
  { title: "the second of two equal names becomes x (2)", bytes: `x,x,y\n${good(30)}`, says: /"x \(2\)"/ },
  { title: "a constant column is left out", bytes: `x1,x2,y\n${good(30).replaceAll(/^\d+,/gm, "1,")}`, says: /x1 is constant/ },
  { title: "a target of two values is read as 0 and 1", bytes: `x1,x2,y\n${good(30).replaceAll(/,(\d+)\.5$/gm, (_, v) => (v % 2 ? ",yes" : ",no"))}`, says: /no is read as 0 and yes as 1, and the loss is squared/ },
  {
    title: "more features than rows train all the same",
    bytes: `${Array.from({ length: 30 }, (_, j) => `x${j}`).join(",")},y\n${Array.from({ length: 20 }, (_, i) => `${Array.from({ length: 31 }, (_, j) => ((i + 1) * (j + 3)) % 37).join(",")}\n`).join("")}`,
    says: /30 features and 12 training rows/,
  },
];
for (const { title, bytes, says } of notices) {
  test(`${title}, and the page says so`, async (t) => {
    const page = await openPage(t, "/?speed=instant");
    await dropFile(page, "ifm-data .door", { name: "t.csv", bytes });
    await planned(page);
    if (await page.locator('[data-column="y"] select.role').inputValue() !== "target") {
      await page.getByLabel("Role of y", { exact: true }).selectOption("target");
      await planned(page);
    }
    assert.match((await page.locator("ifm-data .notices").allTextContents()).join("\n"), says);
    await train(page);
  });
}

test("a table too small for three parts says how many rows it wants", async (t) => {
  const page = await openPage(t, "/");
  await dropFile(page, "ifm-data .door", { name: "small.csv", bytes: header + good(6) });
  const error = page.locator("[data-error=plan]");
  await error.waitFor();
  assert.match(await error.innerText(), /6 rows can be used, want at least 10/);
});

test("reading a large file shows its progress and stops at once when asked", async (t) => {
  const page = await openPage(t, "/");
  await dropFile(page, "ifm-data .door", { path: sample("cars.csv") });
  await planned(page);
  await dropFile(page, "ifm-data .door", { name: "large.csv", bytes: header + good(100_000).repeat(90) });
  await page.locator("progress#reading").waitFor();
  await page.waitForFunction(() => Number(document.querySelector("progress#reading")?.getAttribute("value")) > 0);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.locator("progress#reading").waitFor({ state: "detached" });
  assert.match(await page.locator("ifm-data [role=status].note").innerText(), /large\.csv/);
  assert.match(await page.locator("#file").innerText(), /cars\.csv: 406 rows/);
});

test("reading stops when asked even if its worker no longer listens", async (t) => {
  const page = await openPage(t, "about:blank");
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ transfer) {
      if (message.call !== "cancel") post.call(this, message, transfer);
    };
    const end = Worker.prototype.terminate;
    Worker.prototype.terminate = function () {
      document.documentElement.dataset["ended"] = "yes";
      end.call(this);
    };
  });
  await page.goto(new URL("/?speed=instant", await origin()).href);
  await dropFile(page, "ifm-data .door", { path: sample("cars.csv") });
  await planned(page);
  await dropFile(page, "ifm-data .door", { name: "large.csv", bytes: header + good(100_000).repeat(80) });
  await page.waitForFunction(() => Number(document.querySelector("progress#reading")?.getAttribute("value")) > 0);
  assert.equal(await page.locator("html").getAttribute("data-ended"), null);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Reading large.csv was cancelled.").waitFor();
  assert.equal(await page.locator("html").getAttribute("data-ended"), "yes", "its worker was ended");
  assert.match(await page.locator("#file").innerText(), /cars\.csv: 406 rows/);
  await train(page);
});

test("a column that the engine would ignore becomes a feature when a reader says so", async (t) => {
  const page = await openPage(t, "/");
  const rows = Array.from({ length: 60 }, (_, i) => `${1960 + i},${(i * 7) % 11}.5,${(i * 5) % 13}.25\n`).join("");
  await dropFile(page, "ifm-data .door", { name: "years.csv", bytes: `year,x,y\n${rows}` });
  await planned(page);
  const features = async () => Number((await page.locator(".plan .sentence").innerText()).match(/from (\d+) encoded/)?.[1]);
  const role = (/** @type {string} */ name) => page.getByLabel(`Role of ${name}`, { exact: true });
  assert.equal(await role("year").inputValue(), "ignore");
  assert.equal(await role("y").inputValue(), "target");
  const before = await features();
  await role("year").selectOption("feature");
  await page.waitForURL((url) => !url.searchParams.has("ignore") && url.searchParams.get("target") === "y");
  await page.waitForFunction((n) => document.querySelector(".plan .sentence")?.textContent?.includes(`from ${n} encoded`), before + 1);
  assert.equal(await role("year").inputValue(), "feature");
  await role("y").selectOption("feature"); // no target is left: the plan says which it takes
  await page.waitForURL((url) => !url.searchParams.has("target"));
  await planned(page);
  await page.waitForFunction(() => [.../** @type {NodeListOf<HTMLSelectElement>} */ (document.querySelectorAll("select.role"))].filter((select) => select.value === "target").length === 1);
});

test("the model can be kept as a file, and its interactions are shown", async (t) => {
  const page = await openPage(t, "/?source=table&sample=cars&speed=instant");
  await planned(page);
  await train(page);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: /^Download model/ }).click()]);
  assert.match(download.suggestedFilename(), /^i?fm\.ifmlab\.json$/);
  const model = JSON.parse((await downloaded(download)).toString("utf8"));
  assert.equal(model.format, "ifmlab model");
  assert.equal(`${model.model}.ifmlab.json`, download.suggestedFilename());
  assert.equal(model.target.name, "Miles_per_Gallon");
  assert.equal(model.u.length, model.features.length);

  const seen = await page.locator("ifm-result ifm-matrix").evaluate((panel) => /** @type {any} */ (panel).panels.map((/** @type {any} */ p) => ({ key: p.key, names: [...p.values.names], values: [...p.values.values] })));
  assert.equal(seen[0].key, model.model, "the model that leads comes first");
  const d = seen[0].names.length;
  const dot = (/** @type {number[]} */ a, /** @type {number[]} */ b) => a.reduce((sum, v, i) => sum + v * (b[i] ?? 0), 0);
  const v = model.v ?? model.u;
  for (const [i, j] of [[0, 1], [1, 3], [2, 5]]) {
    assert.ok(i !== undefined && j !== undefined);
    const want = (model.target.scale * (dot(model.u[i], v[j]) + dot(model.u[j], v[i]))) / 2;
    const got = seen[0].values[i * d + j];
    assert.ok(Math.abs(got - want) < 1e-9 * model.target.scale, `${seen[0].names[i]} × ${seen[0].names[j]}: ${got}, want ${want}`);
  }
  await page.getByText("The strongest pairs as a table").last().click();
  await page.locator("ifm-result ifm-matrix tbody tr").first().waitFor();
});

test("a run is let go as soon as it is over, whatever comes of it", async (t) => {
  const page = await openPage(t, "about:blank");
  await page.addInitScript(() => {
    const asked = /** @type {any} */ (window).asked = { start: 0, close: 0, held: 0, most: 0 };
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ transfer) {
      if (message.call === "start") {
        asked.start++;
        asked.most = Math.max(asked.most, ++asked.held);
      }
      if (message.call === "close" && message.args.kind === "run") {
        asked.close++;
        asked.held--;
      }
      post.call(this, message, transfer);
    };
  });
  const counts = () => page.evaluate(() => /** @type {any} */ (window).asked);
  await page.goto(new URL("/?trials=12&iterations=20&speed=instant", await origin()).href);
  await page.locator("ifm-figure .verdict[data-phase=done]").waitFor({ timeout: 60_000 });
  const { start, close, most } = await counts();
  assert.deepEqual({ start, close }, { start: 24, close: 24 });
  assert.ok(most <= 8, `${most} runs were held at once`);
  await page.locator("[data-sample=penguins]").click();
  await planned(page);
  await train(page);
  assert.deepEqual((await counts()).held, 0, "those on a table too");
  assert.equal(await page.getByText("Both are of the first trial.").count(), 1, "what is looked at later is at hand");
});

test("a table that is read anew during a run on it is held once when the run is over", async (t) => {
  const page = await openPage(t, "about:blank");
  await page.addInitScript(() => {
    const asked = /** @type {any} */ (window).asked = { opened: 0, closed: 0 };
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ transfer) {
      if (message.call === "open") asked.opened++;
      if (message.call === "close" && message.args.kind === "table") asked.closed++;
      post.call(this, message, transfer);
    };
  });
  await page.goto(new URL("/?source=table&sample=penguins&trials=12&ranks=2&lambdas=0.1&iterations=40&speed=slow&models=fm,ifm", await origin()).href);
  await planned(page);
  await page.locator("button.start").click();
  await page.locator("ifm-result .verdict[data-phase=running]").waitFor({ timeout: 60_000 });
  await page.locator("select[name=separator]").selectOption("comma");
  await planned(page);
  await page.locator("ifm-result .controls").getByLabel("Speed").selectOption("instant");
  await page.locator("ifm-result .verdict[data-phase=done]").waitFor({ timeout: 60_000 });
  await page.waitForFunction(() => /** @type {any} */ (window).asked.opened > 2 && /** @type {any} */ (window).asked.opened - /** @type {any} */ (window).asked.closed === 1);
});

test("a built-in table that comes after a file was dropped does not take its place", async (t) => {
  const page = await openPage(t);
  /** @type {() => void} */
  let go = () => undefined;
  const late = new Promise((resolve) => (go = () => resolve(null)));
  await page.route("**/samples/cars.csv", async (route) => {
    await late;
    await route.continue();
  });
  await page.locator("nav a[href='#table']").click();
  await page.locator("[data-sample=cars]").click();
  await page.locator("input[data-file=table]").setInputFiles({ name: "own.csv", mimeType: "text/csv", buffer: Buffer.from(`a,b,y\n${Array.from({ length: 40 }, (_, i) => `${(i * 7) % 11},${(i * 5) % 13},${(i * 3) % 17}`).join("\n")}\n`) });
  await planned(page);
  const came = page.waitForResponse("**/samples/cars.csv");
  go();
  await (await came).finished();
  await page.waitForTimeout(300);
  assert.match(await page.locator("#file").innerText(), /^own\.csv: 40 rows/);
});

// What each is: fuzzed (afl, fuzzing), odd quotes, separators and line ends, blank and ragged lines, other encodings.
const edge = [
  ...["15473.csv", "17738.csv", "afl_16.csv", "afl_4.csv", "afl_3977_case_10.csv", "afl_null_padding_11.csv", "all_quotes.csv", "auto_pipe_delim_quote.csv", "auto_varchar_multi_line.csv", "blank_line.csv"].map((name) => `duckdb/${name}`),
  ...["comments_invalid_rows.csv", "dirty_line.csv", "empty.csv", "encodings_all_latin1.csv", "encodings_utf16.csv", "error_mismatch_bad.csv", "evil_nullpadding_2.csv", "fuzzing_14.csv"].map((name) => `duckdb/${name}`),
  ...["long-sample.csv", "sample-header.csv", "utf-8-bom-sample.csv"].map((name) => `papaparse/${name}`),
  ...["smallpop.csv", "strange.csv", "uspop-latin1.csv", "uspop.csv"].map((name) => `rust-csv/${name}`),
];
test("files that broke other parsers are read or refused by name, and never break the page", { skip }, async (t) => {
  const page = await openPage(t, "/#table", { reducedMotion: "reduce" });
  const input = page.locator("input[data-file=table]");
  // What has been read takes the focus and scrolls into sight: only then does the page stand still.
  const bring = async (/** @type {string} */ name, /** @type {string | Uint8Array} */ bytes) => {
    await page.evaluate(() => /** @type {HTMLElement | null} */ (document.activeElement)?.blur());
    await input.setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(bytes) });
  };
  let between = false; // what was open before stays open where a file is refused
  for (const file of edge) {
    const name = path.basename(file);
    if (!between) {
      await bring("between.csv", header + good(30));
      await page.locator("#file:focus", { hasText: "between.csv: 30 rows" }).waitFor();
      await page.locator("[data-error=file]").waitFor({ state: "detached" });
    }
    await bring(name, readFileSync(path.join(data, "csv-edge", file)));
    const read = page.locator("#file:focus", { hasText: name });
    const refused = page.locator("[data-error=file]", { hasText: name });
    await read.or(refused).first().waitFor();
    between = await refused.count() > 0;
    if (between) {
      assert.match(await page.locator("#file").innerText(), /between\.csv: 30 rows/, `${name} was refused: what was open stays`);
      assert.ok((await refused.innerText()).length > name.length + 40, `${name} was refused with a reason`);
    } else {
      assert.match(await read.innerText(), /: [1-9][\d,]* rows?, [1-9]\d* columns?/, `${name} was read`);
    }
  }
});
