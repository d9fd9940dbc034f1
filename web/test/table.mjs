// @ts-check
/** What a reader does with a table, as tests of the page do it: open a file, train, read the numbers and save what came of it. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { downloaded, dropFile, settled } from "./lab.mjs";

/** Settings of a figure that takes no time. */
export const small = "d=8&k=2&n=100&speed=instant";

/** Settings of a run on a table that takes little. */
const little = "ranks=2&lambdaf=10&lambdaw=10&encode=linear&iterations=20";

/** The same on two splits, where the errors do not matter: a single one would be repeated on nine more. */
export const twice = `${little}&trials=2`;

/** The path of a built-in table, "cars.csv" for instance. @param {string} name */
export const sample = (name) => fileURLToPath(new URL(`../samples/${name}`, import.meta.url));

/** Opens a built-in table, from whatever place is shown. @param {Page} page @param {string} name */
export async function openSample(page, name) {
  await settled(page, page.locator("header [data-place=table]").click());
  const button = page.locator(`[data-sample=${name}]`);
  if ((await button.count()) === 0) await page.getByRole("button", { name: "Open another" }).click();
  await settled(page, button.click());
}

/** The lines of so many rows. @param {number} n @param {(i: number) => readonly unknown[]} row @param {string} [separator] */
export const rows = (n, row, separator = ",") => Array.from({ length: n }, (_, i) => `${row(i).join(separator)}\n`).join("");

/** A number from −½ to ½ for a row of a column, the same each time. @param {number} i @param {number} column */
export const uniform = (i, column) => (Math.abs(Math.sin(i * 12.9898 + column * 78.233) * 43758.5453) % 1) - 0.5;

/** Gives the page a file by its input, which needs no place on the screen. @param {Page | Frame} page @param {string} name @param {string | Uint8Array} bytes */
export async function bring(page, name, bytes, input = "input[data-file=table]") {
  await settled(page); // the place of tables is there
  if ((await page.locator(input).count()) === 0) await page.getByRole("button", { name: "Open another" }).click();
  await settled(page, page.locator(input).setInputFiles({ name, mimeType: "", buffer: Buffer.from(bytes) }));
  await instead(page);
}

/** Opens a file that has the columns of the open table in its place. @param {Page | Frame} page */
async function instead(page) {
  const button = page.locator("#second [data-as=instead]");
  if ((await button.count()) === 0) return;
  await settled(page, button.click());
}

/** Drops a file on the page. @param {Page} page @param {string} name @param {string | Uint8Array} bytes */
export async function drop(page, name, bytes, target = "#main") {
  await settled(page, dropFile(page, target, { name, bytes }));
  await instead(page);
}

/** What stands over the table: the file's name, rows and columns. @param {Page | Frame} page */
export const title = (page) => page.locator("#file").innerText();

/** Why a file was refused. @param {Page | Frame} page */
export const refusal = (page) => page.locator("[data-error=file]").innerText();

/** The select that gives a column its role. @param {Page} page @param {string} column */
export const role = (page, column) => page.getByLabel(`Role of ${column}`, { exact: true });

/** Opens a tab of the table's result. @param {Page | Frame} page @param {"predictions" | "matters" | "columns" | "training" | "take"} name */
export async function tab(page, name) {
  await settled(page, page.locator(`#tab-${name}`).click());
}

/** Fails unless a table is planned once the page has settled. @param {Page | Frame} page */
export async function planned(page) {
  await settled(page);
  assert.equal(await page.locator(".result").getAttribute("data-plan"), "ready");
}

/** How far a table's run is: idle, running, done and so on. @param {Page | Frame} page */
export const phase = (page) => page.locator(".table-answer").getAttribute("data-phase");

/** Fails unless a run is over once the page has settled: a table's, or that of ifm-figure. @param {Page | Frame} page */
export async function finished(page, panel = "ifm-result") {
  await settled(page);
  assert.equal(await page.locator(`${panel} :is(.table-answer, .verdict)`).getAttribute("data-phase"), "done");
}

/** Fails unless the figure's run is over once the page has settled. @param {Page | Frame} page */
export const figureDone = (page) => finished(page, "ifm-figure");

/** Trains on the table that is open, unless it has been trained as the settings say. @param {Page | Frame} page */
export async function train(page) {
  await planned(page);
  const start = page.locator("button.start");
  if ((await start.count()) > 0) await start.click();
  await finished(page);
}

/** The test errors on the first split. @param {Page | Frame} page @returns {Promise<Record<string, number>>} */
export const ownErrors = (page) => page.locator("ifm-result").evaluate((panel) => ({ .../** @type {any} */ (panel).training.trials[0] }));

/** The error of each model and of what it is compared with, best first: means, once other splits have come. @param {Page | Frame} page @returns {Promise<Record<string, number>>} */
export async function standings(page) {
  const all = await page.locator("ifm-result [data-standing]").evaluateAll((rows) => rows.map((row) => [row.getAttribute("data-standing"), Number(row.getAttribute("data-value"))]));
  return Object.fromEntries(all);
}

/** What a button saves. @param {Page} page @param {Locator} button */
export async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  const bytes = await downloaded(download);
  return { name: download.suggestedFilename(), bytes, text: bytes.toString("utf8") };
}

/** What a chart's menu of files saves. @param {Page} page @param {Locator} chart @param {string} kind svg, png, csv or json */
export async function savedChart(page, chart, kind) {
  const control = chart.locator("ifm-save").first();
  await control.locator("button.save").click();
  const file = await saved(page, control.locator(`[data-kind=${kind}]`));
  await settled(page);
  assert.ok(await control.locator(".files").isHidden());
  return file;
}

/** Opens the table of a chart's data, by the chart's menu. @param {Locator} chart */
export async function openData(chart) {
  const control = chart.locator("ifm-save").first();
  await control.locator("button.save").click();
  await control.locator("[data-kind=table]").click();
  await chart.locator(".under table").first().waitFor();
}

/** A folder of the test's own. @param {TestContext} t */
export function folder(t) {
  const made = mkdtempSync(path.join(os.tmpdir(), "ifmlab-test-"));
  t.after(() => rmSync(made, { recursive: true }));
  return made;
}
