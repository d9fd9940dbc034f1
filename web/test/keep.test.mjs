// @ts-check
/** What a reader takes along from a run: the model, its script, its predictions; and the way back. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { holdCall, pass } from "./calls.mjs";
import { assertAccessible, downloaded, openPage, serveHTML, settled } from "./lab.mjs";
import { bring, drop, refusal, sample, saved, small, tab, train, twice } from "./table.mjs";

const brief = `${twice}&speed=instant`;

/** @param {Locator} panel @param {string} file */
async function predict(panel, file) {
  await panel.locator("input[data-file=predict]").setInputFiles(file);
  await settled(panel.page());
  assert.equal(await panel.locator(`[data-predicted="${path.basename(file)}"]`).count(), 1);
}

test("a model that was saved is opened without a table, says what it is, and predicts the same", async (t) => {
  const page = await openPage(t, `/?source=table&sample=penguins&models=fm,ifm&${brief}`);
  await train(page);
  await tab(page, "take");
  const keep = page.locator("ifm-keep");
  await predict(keep, sample("penguins.csv"));
  const seen = new Set();
  const take = async (/** @type {string} */ model) => {
    await settled(page, keep.locator("select[name=keep]").selectOption(model));
    const [file, script, predictions] = [await saved(page, keep.locator(".download")), await saved(page, keep.locator(".python")), await saved(page, keep.locator(".all"))];
    assert.deepEqual([file.name, script.name, predictions.name], [`${model}.ifmlab.json`, "predict.py", "penguins.predictions.csv"]);
    seen.add(script.text).add(predictions.text);
    return { model: file, predictions };
  };
  await take("fm");
  const files = await take("ifm");
  assert.equal(seen.size, 4, "two models, two scripts, and the same file predicted by each");
  const [head = "", first = "", ...more] = files.predictions.text.trim().split("\r\n");
  assert.match(head, /^line,Species,Island,.*,Sex,Body Mass \(g\),prediction,lower,upper,far$/, "its own columns, the target last");
  assert.match(first, /^2,Adelie,Torgersen,39\.1,18\.7,181,MALE,3750,[\d.]+,[\d.]+,[\d.]+,0$/);
  assert.equal(more.length, 343, "rows whose target or features are missing too");

  await t.test("a file that is no model, or not the model's, says so and leaves all as it was", async () => {
    await drop(page, "model.json", files.model.bytes);
    const panel = page.locator("ifm-model");
    const { text } = files.model;
    for (const [name, broken, says] of /** @type {const} */ ([
      ["other.json", '{"format": "geojson"}', /expected "ifmlab model"/],
      ["cut.json", text.slice(0, 300), /expected a/],
      ["nan.json", JSON.stringify({ ...JSON.parse(text), b: null }), /b is "null", expected a finite number/],
    ])) {
      await drop(page, name, broken);
      const error = await page.locator("[data-error=file]", { hasText: name }).innerText();
      assert.match(error, says);
      assert.match(error, /penguins\.csv is still open/);
      assert.deepEqual(await Promise.all([panel, page.locator("ifm-keep .download")].map((one) => one.count())), [1, 1], "the model that was open is still, and so is the run");
    }
    await predict(panel, sample("penguins.csv"));
    const before = await panel.locator(".predicted").innerText();
    await settled(page, panel.locator("input[data-file=predict]").setInputFiles(sample("cars.csv")));
    assert.match(await panel.locator("[data-error=predict]").innerText(), /needs the column "Species" and 5 more, but this file has Name, /);
    assert.equal(await panel.locator(".predicted").innerText(), before);
  });

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
  assert.match(await panel.locator(".predicted .sentence").innerText(), /344 rows predicted, with an RMSE of \d+ on the 342 rows.*The 90.% interval covers \d+ of 342: \d+.%\./s);
  assert.equal(await panel.locator(".predicted tbody td[data-value]").count(), 10);
  assert.equal((await saved(other, panel.locator(".all"))).text, files.predictions.text, "bit for bit");
  await assertAccessible(other, { include: ["ifm-model"] });

  const file = JSON.parse(files.model.text);
  await drop(other, "other.json", JSON.stringify({ ...file, target: { ...file.target, name: "another" } }));
  assert.match(await refusal(other), /it was damaged, or edited by hand/);
  assert.match(await panel.locator("#saved-title").innerText(), /predicts Body Mass/, "the model before is still open");
  await settled(other, other.getByRole("button", { name: "Open the edited file" }).click());
  assert.match(await panel.locator("#saved-title").innerText(), /predicts another/);
  assert.equal(await panel.locator(".predicted").count(), 0, "what was predicted was of the model before");
  await settled(other, panel.getByRole("button", { name: "Close the model" }).click());
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

test("a model goes to libFM and comes back without the names of its columns", async (t) => {
  const page = await openPage(t, `/?source=table&sample=diabetes&target=target&models=fm,gfm&numeric=sex&${brief}`);
  await train(page);
  await tab(page, "take");
  const keep = page.locator("ifm-keep");
  await settled(page, keep.locator("select[name=keep]").selectOption("gfm"));
  await keep.locator(".libfm").click();
  await keep.locator("[data-error=form]").waitFor();
  assert.match(await keep.locator("[data-error=form]").innerText(), /gFM keeps the squares of features, and libFM has none/);
  await settled(page, keep.locator("select[name=keep]").selectOption("fm"));
  assert.equal(await keep.locator("[data-error=form]").count(), 0, "it was of another model");
  const [model, features] = ["model.libfm", "features.csv"].map((name) => page.waitForEvent("download", (download) => download.suggestedFilename() === name));
  await keep.locator(".libfm").click();
  assert.ok((await downloaded(await features ?? assert.fail())).length > 100);

  await drop(page, "model.libfm", await downloaded(await model ?? assert.fail()));
  assert.match(await page.locator("ifm-model").innerText(), /rank 2, 10 columns encoded as 10 features[\s\S]*The model has no column names/);
});

/** The columns of the table that is open, each with its first cells, as the engine reads them. @param {Page} page @returns {Promise<{ dialect: string[], names: string[], preview: string[][], rows: number }>} */
const opened = (page) =>
  page.locator("ifm-data").evaluate((panel) => {
    const { table } = /** @type {any} */ (panel).loaded;
    return { dialect: [table.separator, table.point, table.charset], names: table.columns.map((/** @type {any} */ { name }) => name), preview: table.preview, rows: table.rows };
  });

/** Cars as a spreadsheet in Germany writes them: semicolons, decimal commas, windows-1252. */
const german = () => {
  const lines = readFileSync(sample("cars.csv"), "utf8").trim().split(/\r?\n/).map((line) => line.replaceAll('"', "").split(","));
  const text = lines.map((cells, i) => [i === 0 ? "Größe" : ["groß", "=klein", 'mittel "M"'][i % 3], ...cells.slice(1).map((cell) => cell.replace(".", ","))].map((cell) => (/["=]/.test(cell ?? "") ? `"${cell?.replaceAll('"', '""')}"` : cell)).join(";"));
  return Buffer.from(`${text.join("\r\n")}\r\n`, "latin1");
};

test("test rows of a German file are saved as it was written, or as a workbook, and both are read back", async (t) => {
  const page = await openPage(t, `/?source=table&models=ifm&speed=instant&${twice}`);
  await bring(page, "autos.csv", german());
  const own = await opened(page);
  assert.deepEqual(own.dialect, [";", ",", "windows-1252"]);
  await train(page);
  const test = await page.locator("ifm-result").evaluate((panel) => {
    const p = /** @type {any} */ (panel).training.predictions.get("ifm");
    return [...p.line].map((line, i) => [line, p.actual[i], p.predicted[i]]).sort((a, b) => a[0] - b[0]);
  });
  await page.locator("ifm-fit [data-covered]").waitFor(); // the intervals
  const text = await saved(page, page.locator("button.test-rows"));
  const book = await saved(page, page.locator("button.test-rows-workbook"));
  assert.deepEqual([text.name, book.name], ["autos.test-rows.csv", "autos.test-rows.xlsx"]);

  const target = await page.locator("ifm-result").evaluate((panel) => /** @type {any} */ (panel).training.started.target);
  const decoded = new TextDecoder("windows-1252").decode(text.bytes);
  assert.match(decoded, /;'=klein;/, "a spreadsheet runs no formula");
  for (const file of [text, book]) {
    await bring(page, file.name, file.bytes);
    const read = await opened(page);
    if (file === text) assert.deepEqual(read.dialect, own.dialect);
    assert.equal(read.rows, test.length);
    assert.deepEqual(read.names, ["line", ...own.names.filter((name) => name !== target), target, "prediction", "lower", "upper", "error"]);
    const number = (/** @type {string | undefined} */ cell) => Number(cell?.replace(",", "."));
    for (const [i, row] of read.preview.entries()) {
      const [line = NaN, actual = NaN, prediction = NaN] = test[i] ?? [];
      assert.equal(Number(row[0]), line);
      const [y = NaN, guess = NaN, low = NaN, high = NaN, error = NaN] = row.slice(-5).map(number);
      assert.ok(Math.abs(y - actual) < 1e-9 && Math.abs(guess - prediction) < 1e-9 && Math.abs(guess - y - error) < 1e-9 && low < guess && guess < high, row.join(" "));
    }
  }
});

test("the report says what the page says, on one page of either size, without scripts or requests", async (t) => {
  const page = await openPage(t, `/?source=table&sample=cars&rows=Origin:!=:Japan&models=ifm&${brief}`);
  await train(page);
  const verdict = (await page.locator(".verdict-of").innerText()).replace(/\s+/g, " ").trim();
  await tab(page, "take");
  const file = await saved(page, page.locator("button.report"));
  assert.equal(file.name, "cars.report.html");
  assert.doesNotMatch(file.text, /<script|<link|<img|url\(|@import/);
  const origin = await serveHTML(file.text);
  const other = await openPage(t, origin, { origins: [origin] });
  for (const format of /** @type {const} */ (["A4", "Letter"])) {
    const pdf = (await other.pdf({ format, preferCSSPageSize: false })).toString("latin1");
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 1, format);
  }
  const text = (await other.locator("main").innerText()).replace(/\s+/g, " ");
  for (const want of [/Left out: 79 rows are left out by the rule Origin ≠ Japan/, /Weight_in_lbs/, /inside their 90.% interval/, /ifm train \S+\.csv -link /, /[0-9a-f]{64} /]) assert.match(text, want);
  assert.ok(text.includes(verdict), "the same verdict");
  const ridge = await page.locator("[data-row=ridge] td").first().innerText();
  assert.ok(text.includes(ridge), "the same errors");
});
