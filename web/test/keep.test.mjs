// @ts-check
/** What a reader takes along from a run: the model, its script, its predictions; and the way back. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { acceptance, assertAccessible, dropFile, openPage, origin, settled } from "./lab.mjs";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").Locator} Locator */
/** @typedef {import("node:test").TestContext} TestContext */

const sample = (/** @type {string} */ name) => fileURLToPath(new URL(`../samples/${name}`, import.meta.url));
const brief = "ranks=2&lambdaf=10&encode=linear&iterations=20&speed=instant";
const python = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).stdout?.trim(); // itself, not what looks for it
const skip = !python && "there is no python3 here";

/** @param {TestContext} t */
function folder(t) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "ifmlab-keep-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** @param {Page} page */
async function train(page) {
  await settled(page);
  assert.equal(await page.locator(".plan").getAttribute("data-state"), "ready");
  await page.locator("button.start").click();
  await settled(page);
  assert.equal(await page.locator("ifm-result .verdict").getAttribute("data-phase"), "done");
}

/** @param {Page} page @param {Locator} button @param {string} to */
async function save(page, button, to) {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  await download.saveAs(to);
  return download.suggestedFilename();
}

/** @param {Locator} panel @param {string} file */
async function predict(panel, file) {
  await panel.locator("input[data-file=predict]").setInputFiles(file);
  await settled(panel.page());
  assert.equal(await panel.locator(`[data-predicted="${path.basename(file)}"]`).count(), 1);
}

/** The lines of a file of predictions, each with its numbers. @param {string} text */
function predictions(text) {
  const [head, ...rows] = text.trim().split("\n");
  assert.equal(head, "line,prediction,lower,upper");
  return rows.map((row) => {
    assert.match(row, /^\d+(,-?[\d.e+-]+){3}$/, "numbers alone, which no spreadsheet takes for a formula");
    return row.split(",").map(Number);
  });
}

/** The same sums in another order: a few roundings of numbers about as large. @param {number[][]} got @param {number[][]} want */
function assertSame(got, want) {
  assert.equal(got.length, want.length);
  for (const [i, [line, ...values]] of want.entries()) {
    assert.equal(got[i]?.[0], line);
    const size = Math.max(...values.map(Math.abs)); // of which the ends of a range are sums
    for (const [at, value] of values.entries()) assert.ok(Math.abs((got[i]?.[at + 1] ?? Number.NaN) - value) <= 1e-12 * size, `line ${line}: ${got[i]?.[at + 1]}, want ${value}`);
  }
}

/** Saves all there is to save of the model that is chosen. @param {Page} page @param {string} into */
async function saveAll(page, into) {
  const keep = page.locator("ifm-keep");
  const names = {
    model: await save(page, keep.locator(".download"), path.join(into, "model.json")),
    script: await save(page, keep.locator(".python"), path.join(into, "predict.py")),
    predictions: await save(page, keep.locator(".all"), path.join(into, "predictions.csv")),
  };
  return { names, predictions: predictions(readFileSync(path.join(into, "predictions.csv"), "utf8")) };
}

/** @param {string} folder @param {string} file */
const runScript = (folder, file) => predictions(execFileSync(python, [path.join(folder, "predict.py"), file], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }));

test("each model, its script and its predictions are saved, and Python predicts what the engine does", { skip }, async (t) => {
  const page = await openPage(t, `/?source=table&sample=penguins&models=fm,gfm,ifm&${brief}`);
  await train(page);
  const keep = page.locator("ifm-keep");
  const models = await keep.locator("select[name=keep] option").evaluateAll((all) => all.map((option) => ({ value: /** @type {HTMLOptionElement} */ (option).value, text: option.textContent })));
  assert.deepEqual(models.map(({ value }) => value).sort(), ["fm", "gfm", "ifm"]);
  assert.match(models[0]?.text ?? "", /best on validation rows/);
  assert.equal(await page.locator("ifm-fit").evaluate((panel) => /** @type {any} */ (panel).lead), models[0]?.value, "the one whose test rows are drawn");
  await predict(keep, sample("penguins.csv"));

  /** @type {Set<string>} */
  const seen = new Set();
  for (const { value } of models) {
    const into = folder(t);
    await keep.locator("select[name=keep]").selectOption(value);
    await settled(page);
    assert.equal(await page.locator("ifm-keep ifm-predict").evaluate((panel) => /** @type {any} */ (panel).done.of.is.model), value, "the same file anew");
    const saved = await saveAll(page, into);
    assert.deepEqual(saved.names, { model: `${value}.ifmlab.json`, script: "predict.py", predictions: "penguins.predictions.csv" });
    assert.equal(saved.predictions.length, 344, "rows whose target or features are missing too");
    assertSame(runScript(into, sample("penguins.csv")), saved.predictions);
    seen.add(JSON.stringify(saved.predictions));

    const test = await page.locator("ifm-result").evaluate((panel, model) => {
      const p = /** @type {any} */ (panel).training.predictions.get(model);
      return [...p.line].map((line, i) => [line, p.predicted[i]]);
    }, value);
    const byLine = new Map(saved.predictions.map(([line, v]) => [line, v]));
    for (const [, prediction, lower, upper] of saved.predictions) assert.ok((lower ?? NaN) < (prediction ?? NaN) && (prediction ?? NaN) < (upper ?? NaN));
    for (const [line, v] of test) assert.equal(byLine.get(line), v, `line ${line}, one of the run's own test rows`);

    const one = "import sys, json; sys.path.insert(0, sys.argv[1]); from predict import predict, interval; row = json.loads(sys.argv[2]); print(predict(row), *interval(row))";
    const row = { Species: "Adelie", Island: "Torgersen", "Beak Length (mm)": 39.1, "Beak Depth (mm)": "18.7", "Flipper Length (mm)": 181, Sex: "MALE" };
    assertSame([[2, ...execFileSync(python, ["-c", one, into, JSON.stringify(row)], { encoding: "utf8" }).trim().split(" ").map(Number)]], saved.predictions.slice(0, 1));
  }
  assert.equal(seen.size, 3, "three models, three answers");
});

test("a model of two classes predicts the likelier one and its probability, in Python too", { skip: skip || acceptance.skip }, async (t) => {
  const page = await openPage(t, "/?source=table&sample=penguins&target=Sex&models=ifm&ranks=2&lambdaf=30,3&iterations=20&speed=instant");
  await train(page);
  const keep = page.locator("ifm-keep");
  await predict(keep, sample("penguins.csv"));
  assert.match(await keep.locator(".predicted .sentence").innerText(), /log-loss of \S+ on the 333 rows .* the probability of MALE/s);
  const into = folder(t);
  await save(page, keep.locator(".python"), path.join(into, "predict.py"));
  await save(page, keep.locator(".all"), path.join(into, "predictions.csv"));
  const rows = (/** @type {string} */ text) => {
    const [head, ...lines] = text.trim().split("\n");
    assert.equal(head, "line,class,probability");
    return lines.map((line) => line.split(","));
  };
  const saved = rows(readFileSync(path.join(into, "predictions.csv"), "utf8"));
  assert.equal(saved.length, 344, "rows that do not say it too");
  for (const [, name, p] of saved) assert.equal(name, Number(p) >= 0.5 ? "MALE" : "FEMALE");
  const said = rows(execFileSync(python, [path.join(into, "predict.py"), sample("penguins.csv")], { encoding: "utf8" }));
  assert.deepEqual(said.map(([line, name]) => [line, name]), saved.map(([line, name]) => [line, name]));
  assertSame(said.map(([line, , p]) => [Number(line), Number(p)]), saved.map(([line, , p]) => [Number(line), Number(p)]));
  const row = { Species: "Adelie", Island: "Torgersen", "Beak Length (mm)": 39.1, "Beak Depth (mm)": "18.7", "Flipper Length (mm)": 181, "Body Mass (g)": 3750 };
  const one = "import sys, json; sys.path.insert(0, sys.argv[1]); from predict import classify, predict; row = json.loads(sys.argv[2]); print(classify(row), predict(row), classify(row, 1))";
  const [name, p, never] = execFileSync(python, ["-c", one, into, JSON.stringify(row)], { encoding: "utf8" }).trim().split(" ");
  assert.deepEqual([name, never], [saved[0]?.[1], "FEMALE"]);
  assertSame([[2, Number(p)]], [[2, Number(saved[0]?.[2])]]);
});

test("a model of a logarithm predicts the target itself, in Python too, and says what its interactions are of", { skip: skip || acceptance.skip }, async (t) => {
  const page = await openPage(t, `/?source=table&sample=penguins&models=ifm&log=yes&${brief}`);
  await train(page);
  await predict(page.locator("ifm-keep"), sample("penguins.csv"));
  const into = folder(t);
  const saved = await saveAll(page, into);
  assert.ok(saved.predictions.every(([, grams]) => (grams ?? 0) > 1000 && (grams ?? 0) < 10_000), "grams, no logarithms");
  assertSame(runScript(into, sample("penguins.csv")), saved.predictions);
  const far = path.join(into, "far.csv");
  writeFileSync(far, readFileSync(sample("penguins.csv"), "utf8").replace(/^(Adelie,Torgersen),39\.1,/m, "$1,1e99,"));
  await predict(page.locator("ifm-keep"), far);
  const again = folder(t);
  const held = await saveAll(page, again);
  assert.ok(held.predictions.every(([, grams]) => (grams ?? 0) > 0 && (grams ?? 0) < 1e5), "what lies far beyond is held");
  assertSame(runScript(again, far), held.predictions);

  const other = await openPage(t, "/?d=8&n=100&iterations=20&speed=instant", { reducedMotion: "reduce" });
  await dropFile(other, "h1", { path: path.join(into, "model.json") });
  await settled(other);
  assert.match(await other.locator("ifm-model").innerText(), /A saved iFM that predicts Body Mass \(g\)[\s\S]*log\(Body Mass \(g\)\)/);
});

test("the script of a model of bases, trained where cells with colons were missing, predicts what the engine does", { skip: skip || acceptance.skip }, async (t) => {
  const into = folder(t);
  const file = path.join(into, "bells.csv");
  const rows = Array.from({ length: 300 }, (_, i) => [["00:00", "07:30", "09:15"][i % 3], ["x:y", "late", "soon"][((i * 7) % 5) % 3], `${(i * 31) % 97}.5`, (i % 3) * ((i * 31) % 97) + (i % 7)].join(","));
  writeFileSync(file, ["start,a:b,width,y", ...rows].join("\n"));
  const page = await openPage(t, "/?source=table&target=y&models=ifm&ranks=2&iterations=10&solver=als&encode=hats&missingas=start:00:00,a:b:x:y&speed=instant");
  await page.locator("input[data-file=table]").setInputFiles(file);
  await train(page);
  await predict(page.locator("ifm-keep"), file);
  const saved = await saveAll(page, into);
  assert.equal(saved.predictions.length, 300);
  const model = readFileSync(path.join(into, "model.json"), "utf8");
  assert.match(model, /"knot"/);
  assert.match(model, /"start:00:00"/);
  assert.match(model, /"a:b:x:y"/);
  assertSame(runScript(into, file), saved.predictions);
});

test("a model that was saved is opened without a table, says what it is, and predicts the same", async (t) => {
  const into = folder(t);
  const page = await openPage(t, `/?source=table&sample=penguins&models=ifm&${brief}`);
  await train(page);
  await predict(page.locator("ifm-keep"), sample("penguins.csv"));
  const saved = await saveAll(page, into);

  const file = JSON.parse(readFileSync(path.join(into, "model.json"), "utf8"));
  const other = await openPage(t, "/?d=8&n=100&iterations=20&speed=instant", { reducedMotion: "reduce" });
  await dropFile(other, "h1", { path: path.join(into, "model.json") });
  const panel = other.locator("ifm-model");
  await settled(other);
  assert.equal(await panel.locator("#saved-title:focus").count(), 1);
  assert.match(await panel.innerText(), /A saved i?FM that predicts Body Mass \(g\)[\s\S]*model\.json: rank 2, 6 columns encoded as 1\d features, [\d.]+ kB\.[\s\S]*Species, Island, Beak Length/);
  assert.equal(await other.locator("ifm-data .table, [data-error]").count(), 0, "no table is needed");
  const input = panel.locator("input[data-file=predict]");
  const asked = other.waitForEvent("filechooser");
  await input.focus(); // the browser has heard by then that the chooser is awaited
  await other.keyboard.press("Space");
  const chooser = await asked;
  await chooser.setFiles(sample("penguins.csv"));
  await settled(other);
  assert.equal(await panel.locator('[data-predicted="penguins.csv"]').count(), 1);
  assert.ok(await input.evaluate((element) => element === document.activeElement), "the focus stays");
  assert.match(await panel.locator(".predicted .sentence").innerText(), /344 rows predicted, with an RMSE of \d+ on the 342 rows/);
  assert.equal(await panel.locator(".predicted tbody td[data-value]").count(), 10);
  await save(other, panel.locator(".all"), path.join(into, "again.csv"));
  assert.deepEqual(predictions(readFileSync(path.join(into, "again.csv"), "utf8")), saved.predictions, "bit for bit");
  const drawn = await panel.locator("ifm-matrix").evaluate((matrix) => [.../** @type {any} */ (matrix).panels[0].values.values]);
  const learnt = await page.locator("ifm-result ifm-matrix").evaluate((matrix) => [.../** @type {any} */ (matrix).panels[0].values.values]);
  const most = Math.max(...learnt.map(Math.abs));
  drawn.forEach((v, i) => assert.ok(Math.abs(v - learnt[i]) < 1e-12 * most, `entry ${i}: ${v}, want ${learnt[i]}`));
  await assertAccessible(other, { include: ["ifm-model"] });

  file.target.name = "another";
  await dropFile(other, "h1", { name: "other.json", bytes: JSON.stringify(file) });
  await settled(other);
  assert.match(await panel.locator("h3").innerText(), /predicts another/);
  assert.equal(await panel.locator(".predicted").count(), 0, "what was predicted was of the model before");
  await panel.getByRole("button", { name: "Close it" }).click();
  await settled(other);
  assert.equal(await panel.count(), 0);
});

test("a file that is no model, or not the model's, says so and leaves all as it was", async (t) => {
  const into = folder(t);
  const page = await openPage(t, `/?source=table&sample=cars&ignore=Name&target=Miles_per_Gallon&models=ifm&${brief}`);
  await train(page);
  const keep = page.locator("ifm-keep");
  await save(page, keep.locator(".download"), path.join(into, "model.json"));
  await page.locator("input[data-file=model]").setInputFiles(path.join(into, "model.json"));
  const panel = page.locator("ifm-model");
  await settled(page);
  assert.equal(await panel.count(), 1);

  const file = JSON.parse(readFileSync(path.join(into, "model.json"), "utf8"));
  for (const [name, text, says] of /** @type {const} */ ([
    ["other.json", '{"format": "geojson"}', /format is "\\"geojson\\"", want "ifmlab model"/],
    ["cut.json", readFileSync(path.join(into, "model.json"), "utf8").slice(0, 300), /want a/],
    ["nan.json", JSON.stringify({ ...file, b: null }), /b is "null", want a finite number/],
  ])) {
    await dropFile(page, "ifm-data h2", { name, bytes: text });
    await settled(page);
    const error = page.locator("[data-error=file]", { hasText: name });
    assert.match(await error.innerText(), says);
    assert.match(await error.innerText(), /cars\.csv is still loaded/);
    assert.equal(await panel.count(), 1, "the model that was open is still");
    assert.equal(await keep.locator(".download").count(), 1, "and so is the run");
  }

  await predict(panel, sample("cars.csv"));
  const before = await panel.locator(".predicted").innerText();
  await panel.locator("input[data-file=predict]").setInputFiles(sample("penguins.csv"));
  await settled(page);
  const refused = panel.locator("[data-error=predict]");
  assert.match(await refused.innerText(), /needs the column "Cylinders" and 6 more, and this file has Species, Island[\s\S]*still below/);
  assert.equal(await panel.locator(".predicted").innerText(), before);

  const odd = path.join(into, "odd.csv");
  const [head, ...rows] = readFileSync(sample("cars.csv"), "utf8").split("\n");
  writeFileSync(odd, [head, ...rows.slice(0, 30).map((row, i) => (i === 3 ? row.replace(/^([^,]*,\d+),(\d+),/, "$1,many,") : i === 5 ? `${row},one too many` : i === 7 ? row.replace("USA", "Mars") : row))].join("\n"));
  await predict(panel, odd);
  assert.equal(await refused.count(), 0);
  await panel.locator(".places summary").first().click();
  await panel.locator(".places summary").last().click();
  const told = await panel.locator(".predicted").innerText();
  assert.match(told, /odd\.csv: 29 rows predicted/);
  assert.match(told, /odd\.csv:7:1: found 10 fields, want 9/, "the row that cannot be read");
  assert.match(told, /odd\.csv:5:\d+: Displacement is "many", want a finite number; it counts as missing/);
  await panel.locator(".gaps summary").click();
  assert.match(await panel.locator(".gaps").innerText(), /Displacement\s+0\s+0\s+1[\s\S]*Origin\s+0\s+1\s+0/, "what is missing and unseen, by columns");
  assert.match(told, /Origin is none of the levels .* "Mars" on line 9/);
});

test("reading a file to predict can be stopped, and what was predicted before stays", acceptance, async (t) => {
  const page = await openPage(t, "about:blank");
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ transfer) {
      const endless = message.call === "open" ? message.args.file.name === "endless.csv" : message.call === "predict" && document.documentElement.hasAttribute("data-stuck");
      if (!endless) post.call(this, message, transfer); // those are never answered
      else if (message.call === "predict") document.documentElement.dataset["stuck"] = "predict";
    };
  });
  await page.goto(new URL(`/?source=table&sample=penguins&models=ifm&${brief}`, await origin()).href);
  await train(page);
  const keep = page.locator("ifm-keep");
  await predict(keep, sample("penguins.csv"));
  await keep.locator("input[data-file=predict]").setInputFiles({ name: "endless.csv", mimeType: "text/csv", buffer: Buffer.from("a\n1\n") });
  await keep.locator("progress").waitFor();
  await keep.getByRole("button", { name: "Cancel" }).click();
  await keep.locator("[role=status]", { hasText: "Reading endless.csv was cancelled" }).waitFor({ state: "attached" });
  assert.equal(await keep.locator("[data-error]").count(), 0);
  assert.equal(await keep.locator('[data-predicted="penguins.csv"]').count(), 1);
  await predict(keep, sample("penguins.csv")); // by a new worker
  await page.evaluate(() => (document.documentElement.dataset["stuck"] = ""));
  await keep.locator("input[data-file=predict]").setInputFiles({ name: "read.csv", mimeType: "text/csv", buffer: readFileSync(sample("penguins.csv")) });
  await keep.locator("progress").waitFor();
  await page.locator("html[data-stuck=predict]").waitFor(); // it has been read
  await keep.getByRole("button", { name: "Cancel" }).click();
  await keep.locator("[role=status]", { hasText: "Reading read.csv was cancelled" }).waitFor({ state: "attached" });
  await page.evaluate(() => delete document.documentElement.dataset["stuck"]);
  await predict(keep, sample("penguins.csv"));
});

test("names that would break out of a page, a script or a sheet do nothing there", { skip: skip || acceptance.skip }, async (t) => {
  const into = folder(t);
  const names = ["=cmd|'/C calc'!A0", "it's \"\"\" ''' \\", "</script><img src=x onerror=alert(1)>", "two\nlines \\n", "same", "same", "\t+tab é 漢 🎈", "</title>'''\"\"\"\\"];
  const quote = (/** @type {string} */ cell) => `"${cell.replaceAll('"', '""')}"`;
  const lines = [names.map(quote).join(";")];
  for (let i = 0; i < 90; i++) {
    const x = ((i * 7) % 11) + 0.25;
    const level = i < 3 ? `rare ${i}` : (["=1+1", "it's", "\\'''", "</script>"][i % 4] ?? "");
    const cells = [x, i % 5 === 0 ? "NA" : ((i * 3) % 7) - 0.5, level, ((i * i) % 13) / 8, i % 2, ["1,50", "2", "1,5"][i % 3] ?? "", ["ja", "nein"][(i >> 1) % 2] ?? "", x * (i % 4) - ((i * i) % 13) + 100];
    lines.push(cells.map((cell) => quote(typeof cell === "number" ? String(cell).replace(".", ",") : cell)).join(";"));
  }
  const file = path.join(into, "hostile.csv");
  writeFileSync(file, `\uFEFF${lines.join("\r\n")}\r\n`);

  const page = await openPage(t, `/?models=ifm&rare=2&d=8&k=2&n=100&${brief}`);
  await dropFile(page, "ifm-data", { path: file });
  await settled(page);
  assert.match(await page.locator("#file").innerText(), /^hostile\.csv: 90 rows, 8 columns/);
  await page.getByLabel("Role of </title>", { exact: false }).selectOption("target");
  await page.getByLabel("same (2) is read as", { exact: true }).selectOption("categorical");
  await train(page);
  const keep = page.locator("ifm-keep");
  await predict(keep, file);
  const saved = await saveAll(page, into);
  assert.equal(saved.predictions.length, 90);
  assert.equal(saved.predictions[0]?.[0], 3, "the header has two lines");
  const model = JSON.parse(readFileSync(path.join(into, "model.json"), "utf8"));
  assert.deepEqual(model.table, { separator: ";", point: ",", header: true, numbers: [] });
  for (const kind of ["value", "level", "other", "missing"]) assert.ok(model.features.some((/** @type {any} */ f) => f.kind === kind), `a feature is of kind ${kind}`);
  assertSame(runScript(into, file), saved.predictions);

  // Cells that training has not seen, in each of the columns but the last.
  const odd = ["", " NA ", "n/a", "+3,5", " 2,25\u00a0", ",5", "7,", "1e1", "-2E+0", "1.5", "0x10", "inf", "1e151", "-1e400", "1 000", "=1+1", "It's", "ja ", "1,5", "1,50", "rare 0", "1,5e0", "\u0664"];
  const second = path.join(into, "second.csv");
  const columns = [...names.keys()].slice(0, -1);
  const others = (/** @type {number} */ at) => columns.map((i) => (i === at ? "" : "2"));
  const cells = odd.flatMap((cell) => columns.map((at) => others(at).map((other, i) => quote(i === at ? cell : other)).join(";")));
  writeFileSync(second, [names.slice(0, -1).map(quote).join(";"), ...cells, "", "2;2;2;2;2;2;2"].join("\n"));
  await predict(keep, second);
  await save(page, keep.locator(".all"), path.join(into, "second.predictions.csv"));
  const seen = predictions(readFileSync(path.join(into, "second.predictions.csv"), "utf8"));
  assert.equal(seen.length, cells.length + 1);
  assert.equal(seen.at(-1)?.[0], 3 + cells.length + 1, "after a blank line");
  assertSame(runScript(into, second), seen);

  await page.locator("input[data-file=model]").setInputFiles(path.join(into, "model.json"));
  await predict(page.locator("ifm-model"), file);
  assert.equal(await page.locator("img, main script").count(), 0);
  assert.match(await page.locator("ifm-model h3").innerText(), /<\/title>'''"""/, "it stands there as it is");
});
