// @ts-check
/**
 * What happens to the files a reader drops, good and bad, and whether the
 * browser computes what Go computes without one.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { zipSync } from "../node_modules/fflate/esm/index.mjs";
import { acceptance, downloaded, dropFile, gate, openPage, origin, settled } from "./lab.mjs";
import { ifm, runs } from "./native.mjs";

/** @typedef {import("playwright-core").Page} Page */

const sample = (/** @type {string} */ name) => fileURLToPath(new URL(`../samples/${name}`, import.meta.url));
const data = process.env["IFMLAB_DATA"] ?? "";
const skip = data === "" && "IFMLAB_DATA names no folder with the larger tables";
const small = "d=8&k=2&n=100&speed=instant"; // a figure that takes no time
const brief = `${small}&ranks=2&lambdaf=10&lambdaw=10&encode=linear&iterations=20&models=ifm`; // and a run on a table that takes little

/** @param {Page} page */
async function planned(page) {
  await settled(page);
  assert.equal(await page.locator(".plan").getAttribute("data-state"), "ready");
}

/** @param {Page} page */
async function train(page) {
  await page.locator("button.start").click();
  await settled(page);
  assert.equal(await page.locator("ifm-result .verdict").getAttribute("data-phase"), "done");
}

/** @param {Page} page @param {string} name @param {string | Uint8Array} bytes */
const drop = (page, name, bytes) => dropFile(page, "ifm-data .door", { name, bytes });

/**
 * The curves that an element shows, number by number, as its panel got them.
 *
 * @param {Page} page
 * @param {string} element
 * @returns {Promise<{ model: string, rank: number, lambda: number, errors: number[] }[]>}
 */
const curves = (page, element) =>
  page.locator(element).evaluate((panel) =>
    /** @type {any} */ (panel).training.lines.map((/** @type {any} */ line) => ({ model: line.model, rank: line.choice?.rank, lambda: line.choice?.lambda, errors: [...line.error] })),
  );

/**
 * @param {{ model: string, rank: number, lambda: number, errors: number[] }[]} got
 * @param {{ model: string, rank: number, lambda: number, errors: number[] }[]} want
 */
function assertSameCurves(got, want) {
  assert.deepEqual(got.map(({ model, rank, lambda }) => ({ model, rank, lambda })), want.map(({ model, rank, lambda }) => ({ model, rank, lambda })));
  for (const [i, { model, errors }] of want.entries()) {
    const first = errors[0] ?? Number.NaN;
    assert.equal(got[i]?.errors.length, errors.length, `${model}: records`);
    errors.forEach((v, j) => {
      const differs = Math.abs(v - (got[i]?.errors[j] ?? Number.NaN));
      assert.ok(differs <= 1e-9 * first, `${model}, record ${j}: ${v} natively, ${got[i]?.errors[j]} in the browser`);
    });
  }
}

test("the browser draws the curves of every truth that Go computes natively", async (t) => {
  const page = await openPage(t, "/?models=fm,gfm,ifm&d=16&n=500&test=300&speed=instant");
  for (const scenario of ["flipped", "psd", "mixed"]) {
    await page.locator(`ifm-figure .switch input[value=${scenario}]`).check();
    await settled(page);
    assert.equal(new URL(page.url()).searchParams.get("scenario") ?? "flipped", scenario);
    assertSameCurves(await curves(page, "ifm-figure"), await runs(new URL(page.url()).search));
  }
});

test("the size of the pool does not change a bit of any curve", async (t) => {
  /** @type {string[]} */
  const seen = [];
  for (const size of [1, 4]) {
    const page = await openPage(t, "about:blank");
    await page.addInitScript((n) => Object.defineProperty(navigator, "hardwareConcurrency", { value: n }), size);
    await page.goto(new URL("/?scenario=mixed&models=fm,gfm,ifm&trials=3&d=12&n=300&iterations=60&speed=instant", await origin()).href);
    await settled(page);
    seen.push(JSON.stringify(await curves(page, "ifm-figure")));
  }
  assert.equal(seen[0], seen[1]);
  assert.ok((seen[0] ?? "").length > 1000);
});

const tables = [
  { file: sample("diabetes.csv"), rows: 442, target: "target", skip: acceptance.skip },
  { file: sample("penguins.csv"), rows: 344, target: "Body Mass (g)", skip: acceptance.skip },
  { file: sample("cars.csv"), rows: 406, target: "Miles_per_Gallon" },
  { file: path.join(data, "csv/uci_bike_day.csv"), rows: 731, target: "cnt", ignore: ["casual", "registered", "instant", "dteday"], skip: skip || acceptance.skip },
  { file: path.join(data, "csv/uci_winequality-red-white_daphne.csv"), rows: 6497, target: "column 12", skip: skip || acceptance.skip },
];
test("a table, dropped, trains to what Go computes natively", async (t) => {
  const page = await openPage(t, "/?speed=instant&d=8&k=2&n=100&ranks=2&lambdaf=10,1&lambdaw=10&iterations=30#table");
  for (const { file, rows, target, ignore = [], skip = false } of tables) {
    await t.test(path.basename(file), { skip }, async () => {
      await dropFile(page, "ifm-data .door", { path: file });
      await planned(page);
      assert.match(await page.locator("#file").innerText(), new RegExp(`^${path.basename(file)}: ${rows.toLocaleString("en")} rows`));
      await page.getByLabel(`Role of ${target}`, { exact: true }).selectOption("target");
      for (const column of ignore) await page.getByLabel(`Role of ${column}`, { exact: true }).selectOption("ignore");
      await planned(page);
      await train(page);
      assertSameCurves(await curves(page, "ifm-result"), await runs(new URL(page.url()).search, file));
      const shown = await page.locator("ifm-result [data-standing]").evaluateAll((all) => all.map((row) => [row.getAttribute("data-standing"), Number(row.getAttribute("data-value"))]));
      const standing = Object.fromEntries(shown);
      assert.ok(standing["ridge"] < standing["mean"], `ridge ${standing["ridge"]} beats the mean ${standing["mean"]}`);
      assert.ok(standing["ifm"] < standing["mean"], `iFM ${standing["ifm"]} beats the mean ${standing["mean"]}`);
    });
  }
});

test("over several trials each keeps its own best iteration, and all that is compared is averaged", acceptance, async (t) => {
  const page = await openPage(t, "/?source=table&sample=diabetes&trials=3&iterations=100&models=fm,ifm&speed=instant");
  await planned(page);
  await train(page);
  const query = new URL(page.url()).search;
  const rows = await page.locator("ifm-result [data-standing]").evaluateAll((all) =>
    all.map((row) => [row.getAttribute("data-standing"), { rmse: Number(row.getAttribute("data-value")), below: Number(row.querySelector("[data-below]")?.getAttribute("data-below")) }]),
  );
  /** @type {Record<string, { rmse: number, below: number }>} */
  const got = Object.fromEntries(rows);
  const cells = await runs(query, sample("diabetes.csv"));
  for (const model of ["fm", "ifm"]) {
    const kept = cells.filter((cell) => cell.model === model).map((cell) => cell.kept);
    assert.equal(kept.length, 3);
    const want = kept.reduce((sum, v) => sum + v, 0) / 3;
    assert.ok(Math.abs((got[model]?.rmse ?? Number.NaN) - want) < 1e-9 * want, `${model}: ${want} natively, ${got[model]?.rmse} in the browser`);
  }
  // Each as 57.36 ± 2.4, in this order; then the trials that iFM won.
  const compared = (await ifm("compare", query, sample("diabetes.csv"))).match(/^ *diabetes .*$/m)?.[0] ?? "";
  const means = Array.from(compared.matchAll(/([\d.]+) ±/g), (found) => Number(found[1]));
  ["mean", "ridge", "quadratic", "fm", "ifm"].forEach((whose, i) => assert.equal(Number(got[whose]?.rmse.toPrecision(4)), means[i], whose));
  assert.equal(got["ifm"]?.below, Number(compared.match(/(\d) of 3/)?.[1]), "trials in which iFM is below ridge");
  assert.match(await page.locator("ifm-result [data-verdict]").innerText(), /test rows of the first trial.* Over 3 trials the mean test RMSE is .* and mean [\d.]+; .* is the best in \d of them/s);
  const note = await page.locator("ifm-result .verdict .note").innerText();
  assert.match(note, /chosen in each trial/);
  assert.doesNotMatch(note, /rank \d|ring/, "no trial's choice stands for all");
  assert.equal(await page.locator("ifm-result .curve-svg [aria-label=dot] circle[r='7']").count(), 0, "no ring");
});

const header = "x1,x2,y\n";
const good = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => `${(i * 7) % 11},${(i * 5) % 13},${(i * 3) % 17}.5\n`).join("");

/** @type {{ name: string, bytes: string | Uint8Array, says: RegExp }[]} */
const refused = [
  { name: "movies.json", bytes: '[{"Title": "The Land Girls", "US Gross": 146083', says: /found the end of the file, want a comma/ },
  { name: "empty.csv", bytes: "", says: /empty|holds no|no bytes/ },
  { name: "header.csv", bytes: header, says: /header|no rows/ },
  { name: "utf16.csv", bytes: new Uint8Array([0xff, 0xfe, 0x61, 0, 0x2c, 0, 0x62, 0, 0x0a, 0]), says: /header|no rows/ },
  { name: "table.csv.gz", bytes: new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), says: /gzip.*(damaged|ends too soon)/ },
  { name: "ragged.csv", bytes: header + good(20) + "1,2\n".repeat(5), says: /ragged\.csv:22.*2 fields, want 3/s },
];
/** @type {{ title: string, bytes: string, says: RegExp }[]} */
const notices = [ // of columns whose names leave the target open: nothing trains unasked
  { title: "the second of two equal names becomes x (2)", bytes: `x,x,c\n${good(30)}`, says: /"x \(2\)"/ },
  { title: "a constant column is left out", bytes: `x1,x2,c\n${good(30).replaceAll(/^\d+,/gm, "1,")}`, says: /x1[\s\S]*It is 1 in every row/ },
  { title: "a target of two values is two classes", bytes: `x1,x2,c\n${good(30).replaceAll(/,(\d+)\.5$/gm, (_, v) => (v % 2 ? ",yes" : ",no"))}`, says: /models learn how likely yes is, against no/ },
  {
    title: "more features than rows train all the same",
    bytes: `${Array.from({ length: 14 }, (_, j) => `x${j}`).join(",")},c\n${Array.from({ length: 20 }, (_, i) => `${Array.from({ length: 15 }, (_, j) => ((i + 1) * (j + 3)) % 37).join(",")}\n`).join("")}`,
    says: /14 features and 12 training rows/,
  },
];
test("what is brought is refused by name, or told with what is odd about it, and trains", async (t) => {
  const page = await openPage(t, `/?${brief}#table`);

  await t.test("a file that is no table is refused beside the door, in words that name it, and what was open stays", async () => {
    const error = page.locator("[data-error=file]");
    await dropFile(page, "ifm-data .door", { path: sample("cars.csv") });
    await planned(page);
    assert.equal(await error.count(), 0);
    for (const { name, bytes, says } of refused) {
      await drop(page, name, bytes);
      await settled(page);
      const text = await error.innerText();
      assert.match(text, says);
      assert.match(text, new RegExp(name.replaceAll(".", "\\.")));
      assert.match(text, /cars\.csv/, "it says that what was open is still there");
      assert.match(await page.locator("#file").innerText(), /cars\.csv: 406 rows/);
    }
    await drop(page, "good.csv", header + good(30));
    await planned(page);
    assert.match(await page.locator("#file").innerText(), /^good\.csv: 30 rows/);
    assert.equal(await error.count(), 0);
  });

  await t.test("a few rows that cannot be read are listed with line and column, and the others train", async () => {
    await drop(page, "tec.csv", `${header}${good(40)}1,2\n3,12x,4\n5,6,Inf\n${good(20)}7,8,\n`);
    await planned(page);
    const listed = await page.locator("ifm-data details.places li").allTextContents();
    assert.ok(listed.some((line) => /^tec\.csv:42:\d+: .*2 fields, want 3/.test(line)), `${listed}`);
    assert.ok(listed.some((line) => /^tec\.csv:43:3: x2 is "?12x"?, want a finite number; fix the cell or delete line 43/.test(line)), `${listed}`);
    assert.ok(listed.some((line) => /^tec\.csv:44:\d+: y is "?Inf"?/.test(line)), `${listed}`);
    assert.ok(listed.some((line) => /^tec\.csv:65.*y is missing/.test(line)), `${listed}`);
    await train(page);
  });

  await t.test("a target of text is refused in its row of the table and another can be chosen; a table too small says how many rows it wants", async () => {
    await dropFile(page, "ifm-data .door", { path: sample("penguins.csv") });
    await planned(page);
    await page.getByLabel("Role of Species").selectOption("target");
    await settled(page);
    const error = page.locator("[data-error=plan]");
    assert.match(await error.innerText(), /Species has 3 classes; numbers and two classes can be learned; choose another target/);
    assert.equal(await page.locator("button.start").isDisabled(), true);
    await page.getByLabel("Role of Flipper Length (mm)").selectOption("target");
    await planned(page);
    await train(page);
    await drop(page, "small.csv", header + good(6));
    await settled(page);
    assert.match(await error.innerText(), /6 rows can be used, want at least 10/);
  });

  await t.test("what is odd about a table is told, and it trains all the same", async (t) => {
    for (const { title, bytes, says } of notices) {
      await t.test(title, async () => {
        await drop(page, "t.csv", bytes);
        await planned(page);
        await page.getByLabel("Role of c", { exact: true }).selectOption("target");
        await planned(page);
        assert.match((await page.locator("ifm-data :is(.notices, .column)").allInnerTexts()).join("\n"), says);
        if (process.env["LONG"] || /train|classes/.test(title)) await train(page);
      });
    }
  });

  await t.test("a column that the engine would ignore becomes a feature when a reader says so", async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `${1 + i},${(i * 7) % 11}.5,${(i * 5) % 13}.25\n`).join("");
    await dropFile(page, "ifm-data .door", { name: "counted.csv", bytes: `nr,x,y\n${rows}` });
    await planned(page);
    const features = async () => Number((await page.locator(".plan .sentence").innerText()).match(/from (\d+) encoded/)?.[1]);
    const role = (/** @type {string} */ name) => page.getByLabel(`Role of ${name}`, { exact: true });
    assert.equal(await role("nr").inputValue(), "ignore");
    assert.equal(await role("y").inputValue(), "target");
    const before = await features();
    await role("nr").selectOption("feature");
    await page.waitForURL((url) => !url.searchParams.has("ignore") && url.searchParams.get("target") === "y");
    await planned(page);
    assert.equal(await features(), before + 1);
    assert.equal(await role("nr").inputValue(), "feature");
    await role("y").selectOption("feature"); // no target is left: the plan says which it takes
    await page.waitForURL((url) => !url.searchParams.has("target"));
    await planned(page);
    const roles = await page.locator("select.role").evaluateAll((all) => all.map((select) => /** @type {HTMLSelectElement} */ (select).value));
    assert.equal(roles.filter((role) => role === "target").length, 1, `${roles}`);
  });

  await t.test("a built-in table that comes after a file was dropped does not take its place", async () => {
    const cars = await gate(page, "**/samples/cars.csv");
    await page.locator("nav a[href='#table']").click();
    await page.locator("[data-sample=cars]").click();
    await page.locator("input[data-file=table]").setInputFiles({ name: "own.csv", mimeType: "text/csv", buffer: Buffer.from(`a,b,y\n${Array.from({ length: 40 }, (_, i) => `${(i * 7) % 11},${(i * 5) % 13},${(i * 3) % 17}`).join("\n")}\n`) });
    await page.locator("#file", { hasText: "own.csv" }).waitFor();
    await cars.asked;
    cars.open();
    await planned(page);
    assert.match(await page.locator("#file").innerText(), /^own\.csv: 40 rows/);
  });
});

/**
 * Has a worker's files arrive slice by slice of 2 MB: those after the first when
 * reading is cancelled, or never, as from a disk that has stopped.
 *
 * @param {Page} page
 * @param {"cancelled" | "never"} until
 */
async function hindered(page, until) {
  await page.addInitScript((until) => {
    const hinder = (/** @type {string} */ until) => {
      const read = Blob.prototype.arrayBuffer;
      let [slices, go] = [0, () => {}];
      let cancelled = new Promise((resolve) => (go = () => resolve(undefined)));
      addEventListener("message", ({ data }) => {
        if (data.call !== "cancel" || until !== "cancelled") return;
        go();
        [slices, cancelled] = [0, new Promise((resolve) => (go = () => resolve(undefined)))]; // the next file is held, too
      });
      Blob.prototype.arrayBuffer = async function () {
        if (this.size === 2 << 20 && slices++ > 0) await cancelled;
        return read.call(this);
      };
    };
    globalThis.Worker = class extends Worker {
      /** @param {string | URL} script */
      constructor(script) {
        super(URL.createObjectURL(new Blob([`(${hinder})("${until}"); importScripts("${script}")`])));
      }
      /** @override */
      terminate() {
        document.documentElement.dataset["ended"] = "yes";
        super.terminate();
      }
    };
  }, until);
  await page.goto(new URL(`/?${brief}`, await origin()).href);
}

const millions = header + "1,2,3.5\n".repeat(1_000_000);
for (const [until, files] of /** @type {const} */ ([
  ["cancelled", [["when asked, and its worker stays", "large.csv", millions, "2\\.1 MB"], ["while it is unpacked", "large.csv.gz", gzipSync(millions, { level: 0 }), "[1-9][0-9.]* .B"], ["while an archive in it is unpacked", "large.zip", zipSync({ "large.csv.gz": gzipSync(millions, { level: 0 }) }, { level: 0 }), "0 bytes"]]],
  ["never", [["when asked even if its worker no longer listens", "large.csv", millions, "2\\.1 MB"]]],
])) {
  test(`reading a large file tells how far it is and stops, where its worker ${until === "never" ? "does not listen" : "listens"}`, async (t) => {
    const page = await openPage(t, "about:blank");
    await hindered(page, until);
    await dropFile(page, "ifm-data .door", { path: sample("cars.csv") });
    await planned(page);
    for (const [what, name, bytes, far] of files) {
      await t.test(what, name === "large.csv" ? {} : acceptance, async () => {
        await page.evaluate(() => delete document.documentElement.dataset["ended"]); // of the figure's, which made room
        await drop(page, name, bytes);
        await page.getByText(new RegExp(`Reading ${name}: ${far} of 8\\.0 MB`)).waitFor();
        assert.equal(Number(await page.locator("progress#reading").getAttribute("value")) > 0, !far.startsWith("0"));
        await page.getByRole("button", { name: "Cancel" }).click();
        await settled(page);
        assert.equal(await page.locator("progress#reading").count(), 0);
        assert.equal(await page.locator("ifm-data [role=status].note").innerText(), `Reading ${name} was cancelled.`);
        assert.equal(await page.locator("html").getAttribute("data-ended"), until === "never" ? "yes" : null);
        assert.match(await page.locator("#file").innerText(), /cars\.csv: 406 rows/);
        await train(page);
      });
    }
  });
}

test("the model can be kept as a file, and its interactions are shown", async (t) => {
  const page = await openPage(t, "/?source=table&sample=cars&ranks=2&lambdaf=10&lambdaw=10&iterations=40&speed=instant");
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
  const apart = (/** @type {number} */ i, /** @type {number} */ j) => [i, j].every((at) => model.features[at].column === model.features[i].column && model.features[at].kind !== "knot");
  assert.ok(apart(0, 1) && !apart(0, d - 1), "two levels of a column, and two columns");
  for (const [i, j] of [[0, 1], [1, d - 1], [2, d - 2]]) {
    assert.ok(i !== undefined && j !== undefined);
    const want = apart(i, j) ? 0 : (model.target.scale * (dot(model.u[i], v[j]) + dot(model.u[j], v[i]))) / 2;
    const got = seen[0].values[i * d + j];
    assert.ok(Math.abs(got - want) < 1e-9 * model.target.scale, `${seen[0].names[i]} × ${seen[0].names[j]}: ${got}, want ${want}`);
  }
  await page.getByText("The strongest pairs as a table").last().click();
  await settled(page);
  assert.ok((await page.locator("ifm-result ifm-matrix tbody tr").count()) > 0);
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
  await page.goto(new URL("/?trials=6&iterations=20&ranks=2&lambdas=0.1&d=8&k=2&n=100&speed=instant", await origin()).href);
  await settled(page);
  const { start, close, most } = await counts();
  assert.deepEqual({ start, close }, { start: 12, close: 12 });
  assert.ok(most <= 8, `${most} runs were held at once`);
  await page.locator("[data-sample=penguins]").click();
  await planned(page);
  await train(page);
  assert.deepEqual((await counts()).held, 0, "those on a table too");
  assert.equal(await page.getByText("All of them are of the first trial.").count(), 1, "what is looked at later is at hand");
});

test("a table that is read anew during a run on it is held once when the run is over", acceptance, async (t) => {
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
  await page.goto(new URL("/?source=table&sample=penguins&trials=4&ranks=2&lambdas=0.1&iterations=40&speed=slow&models=ifm&d=8&k=2&n=100", await origin()).href);
  await planned(page);
  await page.locator("button.start").click();
  await page.locator("ifm-result .verdict[data-phase=running]").waitFor();
  await page.locator("select[name=separator]").selectOption("comma");
  await page.waitForURL(/separator=comma/);
  await page.locator("ifm-result .controls").getByLabel("Speed").selectOption("instant");
  await settled(page);
  assert.equal(await page.locator("ifm-result .verdict").getAttribute("data-phase"), "done");
  const { opened, closed } = await page.evaluate(() => /** @type {any} */ (window).asked);
  assert.ok(opened > 2, `it was opened ${opened} times`);
  assert.equal(opened - closed, 1);
});

// What each is: fuzzed (afl, fuzzing), odd quotes, separators and line ends, blank and ragged lines, other encodings.
const edge = [
  ...["15473.csv", "17738.csv", "afl_16.csv", "afl_4.csv", "afl_3977_case_10.csv", "afl_null_padding_11.csv", "all_quotes.csv", "auto_pipe_delim_quote.csv", "auto_varchar_multi_line.csv", "blank_line.csv"].map((name) => `duckdb/${name}`),
  ...["comments_invalid_rows.csv", "dirty_line.csv", "empty.csv", "encodings_all_latin1.csv", "encodings_utf16.csv", "error_mismatch_bad.csv", "evil_nullpadding_2.csv", "fuzzing_14.csv"].map((name) => `duckdb/${name}`),
  ...["long-sample.csv", "sample-header.csv", "utf-8-bom-sample.csv"].map((name) => `papaparse/${name}`),
  ...["smallpop.csv", "strange.csv", "uspop-latin1.csv", "uspop.csv"].map((name) => `rust-csv/${name}`),
];
test("files that broke other parsers are read or refused by name, and never break the page", { skip: skip || acceptance.skip }, async (t) => {
  const page = await openPage(t, `/?${small}#table`, { reducedMotion: "reduce" });
  const bring = async (/** @type {string} */ name, /** @type {string | Uint8Array} */ bytes) => {
    await page.locator("input[data-file=table]").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(bytes) });
    await settled(page);
  };
  let between = false; // what was open before stays open where a file is refused
  for (const file of edge) {
    const name = path.basename(file);
    if (!between) {
      await bring("between.csv", header + good(30));
      await page.locator("#decided:focus").waitFor(); // nothing is in doubt: it trains at once, and leads to the curve
      assert.match(await page.locator("#file").innerText(), /^between\.csv: 30 rows/);
      assert.equal(await page.locator("[data-error=file]").count(), 0);
    }
    await bring(name, readFileSync(path.join(data, "csv-edge", file)));
    const refused = page.locator("[data-error=file]", { hasText: name });
    between = await refused.count() > 0;
    if (between) {
      assert.match(await page.locator("#file").innerText(), /between\.csv: 30 rows/, `${name} was refused: what was open stays`);
      assert.ok((await refused.innerText()).length > name.length + 40, `${name} was refused with a reason`);
    } else {
      await page.locator("#file:focus, #decided:focus").waitFor(); // what it says, or what it has become
      assert.match(await page.locator("#file", { hasText: name }).innerText(), /: [1-9][\d,]* rows?, [1-9]\d* columns?/, `${name} was read`);
    }
  }
});
