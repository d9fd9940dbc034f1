// @ts-check
/** What a reader takes along of a table: rows in the file's own dialect or as a workbook, and a report of one page. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { dropFile, openPage, serveHTML, settled } from "./lab.mjs";
import { bring, little, rows, sample, saved, tab, train, twice, uniform } from "./table.mjs";

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

test("test rows and predictions of a German file are saved as it was written, or as a workbook, and both are read back", async (t) => {
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

  await tab(page, "take");
  await bring(page, "autos.csv", german(), "input[data-file=predict]");
  await page.locator("ifm-keep .predicted").waitFor();
  const predicted = await saved(page, page.locator("ifm-keep .all"));
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
  await bring(page, predicted.name, predicted.bytes);
  assert.deepEqual((await opened(page)).dialect.slice(0, 2), [";", ","]);
  await settled(page);
});

/** The words of the report, which has no scripts and is on one page of either size. @param {import("node:test").TestContext} t @param {Page} page @param {string} name */
async function report(t, page, name) {
  await tab(page, "take");
  const file = await saved(page, page.locator("button.report"));
  assert.match(file.name, /^(cars|penguins|first)\.report\.html$/, "named after the table");
  assert.doesNotMatch(file.text, /<script|<link|<img|url\(|@import/);
  const origin = await serveHTML(file.text);
  const other = await openPage(t, origin, { origins: [origin] });
  const text = (await other.locator("main").innerText()).replace(/\s+/g, " ");
  for (const format of /** @type {const} */ (["A4", "Letter"])) {
    const pdf = (await other.pdf({ format, preferCSSPageSize: false, ...(process.env["PDF"] ? { path: `${process.env["PDF"]}-${name}-${format}.pdf` } : {}) })).toString("latin1");
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 1, format);
  }
  return text;
}

for (const [name, address, wants] of /** @type {const} */ ([
  ["cars", "sample=cars", [/Miles_per_Gallon predicted/, /406 rows and 9 columns were read\./, /8 rows are left out of training/, /Weight_in_lbs/, /inside their 90.% interval/]],
  ["penguins by species", "sample=penguins&target=Species", [/Species predicted/, /344 rows and 7 columns were read\./, /Log-loss: the mean/]],
])) {
  test(`the report of ${name} says what the page says, on one page of either size, without scripts or requests`, async (t) => {
    const page = await openPage(t, `/?source=table&${address}&models=ifm&speed=instant&${twice}`);
    await train(page);
    const verdict = (await page.locator(".verdict-of").innerText()).replace(/\s+/g, " ").trim();
    const text = await report(t, page, address);
    for (const want of [...wants, /means of 2 splits/, /ifm train \S+\.csv -link /, /[0-9a-f]{64} /, /Seed 1 /]) assert.match(text, want);
    assert.doesNotMatch(text, /MAE|R²|AUC|Accuracy|Brier/, "only what is printed is explained");
    assert.ok(text.includes(verdict), "the same verdict");
    const ridge = await page.locator("[data-row=ridge] td").first().innerText();
    assert.ok(text.includes(ridge), "the same errors");
  });
}

test("the report counts the rows that each rule leaves out, and tells means of ten splits from what the first split gave", async (t) => {
  const page = await openPage(t, `/?source=table&sample=cars&rows=Origin:!=:Japan;Year:>:1971;Horsepower:!=:900&models=ifm&speed=instant&${little}`);
  await train(page);
  const text = await report(t, page, "rules");
  for (const want of [/Miles_per_Gallon predicted from \d+ of 406 rows/, /Left out: 79 rows are left out by the rule Origin ≠ Japan/, /Test errors, means of 10 splits/, /On the first split: \d+ of \d+ actual values/, /What matters, on the first split/]) assert.match(text, want);
  const use = /Use ([^.]*)\./.exec(await page.locator(".verdict-of").innerText())?.[1] ?? "";
  const unsaved = await page.locator("[data-unsaved]").allInnerTexts();
  if (use === "iFM") assert.deepEqual(unsaved, []);
  else assert.match(unsaved.join(), new RegExp(`^${use} cannot be saved here\\. iFM can, with a test error of [\\d.]+ instead of [\\d.]+\\.$`, "i"));
  assert.doesNotMatch(text, /rule Horsepower/, "a rule that leaves out nothing is no decision");
  await tab(page, "columns");
  await page.getByLabel("Role of Acceleration").selectOption("ignore");
  await settled(page);
  assert.equal(await page.locator("[data-advice=stale]").count(), 1);
  assert.equal(await report(t, page, "stale"), text, "of the run, whatever is asked for since");
});

test("the report names both files, so that its command repeats a test set of its own, and says where it cannot", async (t) => {
  const names = Array.from({ length: 24 }, (_, i) => `measurement_${i}`);
  const table = (/** @type {number} */ from, /** @type {number} */ n) => `${names.join()},constant,id,target\n${rows(n, (i) => [...names.map((_, j) => uniform(from + i, j).toFixed(3)), 7, `row-${from + i}`, (uniform(from + i, 0) + uniform(from + i, 1) * uniform(from + i, 2)).toFixed(3)])}`;
  const [first, second] = [table(0, 240), table(240, 80)];
  const page = await openPage(t, `/?source=table&target=target&rows=measurement_5:>:-0.45;measurement_6:>:-0.45;measurement_7:>:-0.45&speed=instant&${little}`);
  await bring(page, "first.csv", first);
  /** @param {"tests" | "below"} as */
  const join = async (as) => {
    await dropFile(page, "#main", { name: "second file.csv", bytes: second });
    await settled(page);
    await page.locator(`#second [data-as=${as}]`).click();
    await train(page);
    return report(t, page, as);
  };
  const tests = await join("tests");
  assert.match(tests, /320 rows and 27 columns were read from first\.csv and second file\.csv\. The test rows are those of second file\.csv/);
  assert.match(tests, /ifm train first\.csv -test 'second file\.csv' -link /);
  for (const [name, bytes] of [["first.csv", first], ["second file.csv", second]]) assert.ok(tests.includes(`${createHash("sha256").update(bytes ?? "").digest("hex")} ${name}`), name);
  const below = await join("below");
  assert.match(below, /ifm train FILE -link /);
  assert.match(below, /Put the rows of second file\.csv below those of first\.csv in one file/);
});
