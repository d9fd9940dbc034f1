// @ts-check
/** What a reader takes along from a run: the model, its script, its predictions; and the way back. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { holdCall, pass } from "./calls.mjs";
import { assertAccessible, openPage, settled } from "./lab.mjs";
import { drop, folder, refusal, sample, saved, small, tab, train, twice } from "./table.mjs";

const brief = `${twice}&speed=instant`;
const python = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).stdout?.trim(); // itself, not what looks for it
const skip = !python && "there is no python3 here";

/** @param {Locator} panel @param {string} file */
async function predict(panel, file) {
  await panel.locator("input[data-file=predict]").setInputFiles(file);
  await settled(panel.page());
  assert.equal(await panel.locator(`[data-predicted="${path.basename(file)}"]`).count(), 1);
}

/** The lines of a file of predictions, each with its numbers. The page has the cells of each row between. @param {string} text */
function predictions(text) {
  const [head, ...rows] = text.trim().split(/\r?\n/);
  assert.match(head ?? "", /^line,(.*,)?prediction,lower,upper,far$/);
  return rows.map((row) => {
    assert.match(row, /^\d+,(.*,)?(-?[\d.e+-]+,){3}0$/, "numbers alone, which no spreadsheet takes for a formula");
    const [line, ...all] = row.split(",");
    return [line, ...all.slice(-4)].map(Number);
  });
}

/** @param {string} text */
const predictionsOf = (text) => text.trim().split("\n").slice(1).map((row) => {
  const [prediction = Number.NaN, , , far] = row.split(",").slice(-4).map(Number);
  return { prediction, far };
});

/** The same sums in another order: a few roundings of numbers about as large. @param {number[][]} got @param {number[][]} want */
function assertSame(got, want) {
  assert.equal(got.length, want.length);
  for (const [i, [line, ...values]] of want.entries()) {
    assert.equal(got[i]?.[0], line);
    const size = Math.max(...values.map(Math.abs)); // of which the ends of a range are sums
    for (const [at, value] of values.entries()) assert.ok(Math.abs((got[i]?.[at + 1] ?? Number.NaN) - value) <= 1e-12 * size, `line ${line}: ${got[i]?.[at + 1]}, want ${value}`);
  }
}

/** Saves all there is to save of the model that is chosen. @param {Page} page */
async function saveAll(page) {
  const keep = page.locator("ifm-keep");
  await tab(page, "take");
  return { model: await saved(page, keep.locator(".download")), script: await saved(page, keep.locator(".python")), predictions: await saved(page, keep.locator(".all")) };
}

/** What a program of Python prints, which has predict.py in a folder. @param {string} folder @param {string[]} args */
const runPython = (folder, ...args) => execFileSync(python, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

test("each model, its script and its predictions are saved, and Python predicts what the engine does", { skip }, async (t) => {
  const page = await openPage(t, `/?source=table&sample=penguins&models=fm,gfm,ifm&${brief}`);
  await train(page);
  await tab(page, "take");
  const keep = page.locator("ifm-keep");
  const models = await keep.locator("select[name=keep] option").evaluateAll((all) => all.map((option) => /** @type {HTMLOptionElement} */ (option).value));
  assert.deepEqual(models.toSorted(), ["fm", "gfm", "ifm"]);
  assert.equal(await page.locator("ifm-fit").evaluate((panel) => /** @type {any} */ (panel).lead), models[0], "the best on validation rows, whose test rows are drawn");
  await predict(keep, sample("penguins.csv"));

  const seen = new Set();
  for (const model of models) {
    await keep.locator("select[name=keep]").selectOption(model);
    await settled(page);
    assert.equal(await page.locator("ifm-keep ifm-predict").evaluate((panel) => /** @type {any} */ (panel).done.of.is.model), model, "the same file anew");
    const files = await saveAll(page);
    assert.deepEqual(Object.values(files).map(({ name }) => name), [`${model}.ifmlab.json`, "predict.py", "penguins.predictions.csv"]);
    const all = predictions(files.predictions.text);
    assert.match(files.predictions.text, /^line,Species,Island,.*,Sex,Body Mass \(g\),prediction,.*\r\n2,Adelie,Torgersen,39\.1,18\.7,181,MALE,3750,/, "its own columns, the target last");
    assert.equal(all.length, 344, "rows whose target or features are missing too");
    for (const [, prediction = NaN, lower = NaN, upper = NaN] of all) assert.ok(lower < prediction && prediction < upper);
    seen.add(files.predictions.text);
    const test = await page.locator("ifm-result").evaluate((panel, model) => {
      const p = /** @type {any} */ (panel).training.predictions.get(model);
      return [...p.line].map((line, i) => [line, p.predicted[i]]);
    }, model);
    const byLine = new Map(all.map(([line, v]) => [line, v]));
    for (const [line, v] of test) assert.equal(byLine.get(line), v, `line ${line}, one of the run's own test rows`);

    const into = folder(t);
    writeFileSync(path.join(into, "predict.py"), files.script.text);
    assertSame(predictions(runPython(into, "predict.py", sample("penguins.csv"))), all);
    const one = "import sys, json; from predict import predict, interval; row = json.loads(sys.argv[1]); print(predict(row), *interval(row))";
    const row = { Species: "Adelie", Island: "Torgersen", "Beak Length (mm)": 39.1, "Beak Depth (mm)": "18.7", "Flipper Length (mm)": 181, Sex: "MALE" };
    assertSame([[2, ...runPython(into, "-c", one, JSON.stringify(row)).trim().split(" ").map(Number), 0]], all.slice(0, 1));
  }
  assert.equal(seen.size, 3, "three models, three answers");
});

test("a model that was saved is opened without a table, says what it is, and predicts the same", async (t) => {
  const page = await openPage(t, `/?source=table&sample=penguins&models=ifm&${brief}`);
  await train(page);
  await predict(page.locator("ifm-keep"), sample("penguins.csv"));
  const files = await saveAll(page);

  const other = await openPage(t, `/?${small}&iterations=20`, { reducedMotion: "reduce" });
  await drop(other, "model.json", files.model.bytes);
  const panel = other.locator("ifm-model");
  assert.equal(await panel.locator("#saved-title:focus").count(), 1);
  assert.match(await panel.innerText(), /predicts Body Mass \(g\)[\s\S]*model\.json: rank 2, 6 columns encoded as 1\d features[\s\S]*Species, Island, Beak Length/);
  assert.equal(await other.locator("ifm-data .opened, [data-error]").count(), 0, "no table is needed");
  const input = panel.locator("input[data-file=predict]");
  const asked = other.waitForEvent("filechooser");
  await input.focus(); // the browser has heard by then that the chooser is awaited
  await other.keyboard.press("Space");
  await (await asked).setFiles(sample("penguins.csv"));
  await settled(other);
  assert.ok(await input.evaluate((element) => element === document.activeElement), "the focus stays");
  assert.match(await panel.locator(".predicted .sentence").innerText(), /344 rows predicted, with an RMSE of \d+ on the 342 rows/);
  assert.equal(await panel.locator(".predicted tbody td[data-value]").count(), 10);
  assert.equal((await saved(other, panel.locator(".all"))).text, files.predictions.text, "bit for bit");
  const [drawn = [], learnt = []] = await Promise.all([panel.locator("ifm-matrix"), page.locator("ifm-result ifm-matrix")].map((matrix) => matrix.evaluate((matrix) => [.../** @type {any} */ (matrix).panels[0].values.values])));
  const most = Math.max(...learnt.map(Math.abs));
  drawn.forEach((v, i) => assert.ok(Math.abs(v - learnt[i]) < 1e-12 * most, `entry ${i}: ${v}, want ${learnt[i]}`));
  await assertAccessible(other, { include: ["ifm-model"] });

  const { digest: _, ...file } = JSON.parse(files.model.text);
  await drop(other, "small.json", JSON.stringify({ ...file, target: { ...file.target, span: [3500, 3700] } }));
  await predict(panel, sample("penguins.csv"));
  const marked = predictionsOf((await saved(other, panel.locator(".all"))).text).map(({ prediction, far }) => ({ far, beyond: prediction < 3400 || prediction > 3800 }));
  const count = marked.filter(({ far }) => far === 1).length;
  assert.ok(marked.every(({ far, beyond }) => far === Number(beyond)) && count > 100 && count < 340, `${count} rows`);
  assert.deepEqual(await panel.locator(".predicted tbody td[data-value]").evaluateAll((cells) => cells.map((cell) => Number(/far beyond the training targets/.test(cell.textContent ?? "")))), marked.slice(0, 10).map(({ far }) => far), "in words");
  assert.match(await panel.locator(".notices").innerText(), new RegExp(`far beyond the values that the model has learned from, 3500 to 3700, in ${count} of 344 rows`));

  await drop(other, "other.json", JSON.stringify({ ...JSON.parse(files.model.text), target: { ...file.target, name: "another" } }));
  assert.match(await refusal(other), /it was damaged, or edited by hand/);
  assert.match(await panel.locator("#saved-title").innerText(), /predicts Body Mass/, "the model before is still open");
  await other.getByRole("button", { name: "Open the edited file" }).click();
  await settled(other);
  assert.match(await panel.locator("#saved-title").innerText(), /predicts another/);
  assert.equal(await panel.locator(".predicted").count(), 0, "what was predicted was of the model before");
  await panel.getByRole("button", { name: "Close the model" }).click();
  await settled(other);
  assert.equal(await panel.count(), 0);
});

test("a model is fitted to all rows where it is asked for, and its file says so", async (t) => {
  const page = await openPage(t, `/?source=table&sample=penguins&models=fm,ifm&${brief}`, { before: (page) => holdCall(page, "everyRow", 0) });
  await train(page);
  const keep = page.locator("ifm-keep");
  await tab(page, "take");
  const one = JSON.parse((await saved(page, keep.locator(".download"))).text);
  assert.equal(one.fitted, "training and validation rows");
  const choice = keep.getByLabel("Fit to all rows, test rows included");
  await choice.check();
  await keep.getByText("Fitting to all rows …").waitFor();
  assert.ok(await keep.locator(".download").isDisabled());
  await choice.uncheck();
  assert.deepEqual(JSON.parse((await saved(page, keep.locator(".download"))).text), one);
  await pass(page);
  await choice.check();
  await keep.getByText("The test errors come from the model fitted without the test rows.").waitFor();
  await settled(page);
  await assertAccessible(page, { include: ["ifm-keep"] });
  const files = await saved(page, keep.locator(".download"));
  const all = JSON.parse(files.text);
  assert.deepEqual([all.fitted, all.model, all.interval.rows], ["all rows", one.model, one.interval.rows]);
  assert.notDeepEqual(all.w, one.w);

  await drop(page, "all.json", files.bytes);
  assert.match(await page.locator("ifm-model .sentence").first().innerText(), /Fitted to all rows, test rows included\.$/);
});

test("a file that is no model, or not the model's, says so and leaves all as it was", async (t) => {
  const page = await openPage(t, `/?source=table&sample=cars&ignore=Name&target=Miles_per_Gallon&models=ifm&${brief}`);
  await train(page);
  await tab(page, "take");
  const { bytes, text } = await saved(page, page.locator("ifm-keep .download"));
  await drop(page, "model.json", bytes);
  const panel = page.locator("ifm-model");
  for (const [name, broken, says] of /** @type {const} */ ([
    ["other.json", '{"format": "geojson"}', /expected "ifmlab model"/],
    ["cut.json", text.slice(0, 300), /expected a/],
    ["nan.json", JSON.stringify({ ...JSON.parse(text), b: null }), /b is "null", expected a finite number/],
  ])) {
    await drop(page, name, broken);
    const error = page.locator("[data-error=file]", { hasText: name });
    assert.match(await error.innerText(), says);
    assert.match(await error.innerText(), /cars\.csv is still open/);
    assert.deepEqual(await Promise.all([panel, page.locator("ifm-keep .download")].map((one) => one.count())), [1, 1], "the model that was open is still, and so is the run");
  }

  await predict(panel, sample("cars.csv"));
  const before = await panel.locator(".predicted").innerText();
  await panel.locator("input[data-file=predict]").setInputFiles(sample("penguins.csv"));
  await settled(page);
  const refused = panel.locator("[data-error=predict]");
  assert.match(await refused.innerText(), /needs the column "Cylinders" and 6 more, but this file has Species, Island/);
  assert.equal(await panel.locator(".predicted").innerText(), before);

  const odd = path.join(folder(t), "odd.csv");
  const [head, ...rows] = readFileSync(sample("cars.csv"), "utf8").split("\n");
  writeFileSync(odd, [head, ...rows.slice(0, 30).map((row, i) => (i === 3 ? row.replace(/^([^,]*,\d+),(\d+),/, "$1,many,") : i === 5 ? `${row},one too many` : i === 7 ? row.replace("USA", "Mars") : row))].join("\n"));
  await predict(panel, odd);
  assert.equal(await refused.count(), 0);
  for (const summary of await panel.locator(":is(.places, .gaps) summary").all()) await summary.click();
  const told = await panel.locator(".predicted").innerText();
  for (const said of [/odd\.csv: 29 rows predicted/, /odd\.csv:7:1: 10 fields/, /odd\.csv:5:\d+: Displacement is "many"/, /Origin has levels unknown to the model .* "Mars" on line 9/, /Displacement\s+0\s+0\s+1[\s\S]*Origin\s+0\s+1\s+0/]) assert.match(told, said);
});
