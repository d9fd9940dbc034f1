// @ts-check
/** What a reader takes along of a table: rows in the file's own dialect or as a workbook, and a report of one page. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { openPage, serveHTML, settled } from "./lab.mjs";
import { bring, sample, saved, tab, train, twice } from "./table.mjs";

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

for (const [name, address, wants] of /** @type {const} */ ([
  ["cars", "sample=cars", [/Miles_per_Gallon predicted/, /406 rows and 9 columns were read\./, /8 rows are left out of training/, /Weight_in_lbs/, /inside their 90.% interval/]],
  ["penguins by species", "sample=penguins&target=Species", [/Species predicted/, /344 rows and 7 columns were read\./, /Accuracy/]],
])) {
  test(`the report of ${name} says what the page says, on one page of either size, without scripts or requests`, async (t) => {
    const page = await openPage(t, `/?source=table&${address}&models=ifm&speed=instant&${twice}`);
    await train(page);
    const verdict = (await page.locator(".verdict-of").innerText()).replace(/\s+/g, " ").trim();
    await tab(page, "take");
    const file = await saved(page, page.locator("button.report"));
    assert.match(file.name, /^ifm-lab-.*report-seed-1\.html$/);
    assert.doesNotMatch(file.text, /<script|<link|<img|url\(|@import/);
    const origin = await serveHTML(file.text);
    const other = await openPage(t, origin, { origins: [origin] });
    const text = (await other.locator("main").innerText()).replace(/\s+/g, " ");
    for (const want of [...wants, /ifm train \S+\.csv -link /, /[0-9a-f]{64}/, /Seed 1 /]) assert.match(text, want);
    assert.ok(text.includes(verdict), "the same verdict");
    const ridge = await page.locator("[data-row=ridge] td").first().innerText();
    assert.ok(text.includes(ridge), "the same errors");
    for (const format of /** @type {const} */ (["A4", "Letter"])) {
      const pdf = (await other.pdf({ format, preferCSSPageSize: false, ...(process.env["PDF"] ? { path: `${process.env["PDF"]}-${address.length}-${format}.pdf` } : {}) })).toString("latin1");
      assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 1, format);
    }
  });
}
