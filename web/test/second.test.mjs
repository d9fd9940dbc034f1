// A second file beside the reader's open table.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { dropFile, openPage, settled } from "./lab.mjs";
import { bring, refusal, title, twice } from "./table.mjs";

const [header = "", ...rows] = readFileSync(new URL("../samples/cars.csv", import.meta.url), "utf8").trim().split("\n");
const first = [header, ...rows.slice(0, 300)].join("\n");
const second = [header, ...rows.slice(300)].join("\n");

/** The question about a second file. @param {import("playwright-core").Page} page */
const question = (page) => page.locator("#second");

/** @param {import("playwright-core").Page} page @param {string} name @param {string} bytes */
async function offer(page, name, bytes) {
  await dropFile(page, "#main", { name, bytes });
  await settled(page);
}

/** @param {import("playwright-core").Page} page @param {"tests" | "below" | "instead" | "leave"} as */
async function answer(page, as) {
  await question(page).locator(`[data-as=${as}]`).click();
  await settled(page);
}

test("a second file with the same columns is the test set, comes below, or is opened instead", async (t) => {
  const page = await openPage(t, `/?source=table&speed=instant&models=ifm&${twice}`);
  await bring(page, "first.csv", first);
  assert.match(await title(page), /^first\.csv: 300 rows/);
  const semicolons = second.split("\n").map((line) => line.split(",").reverse().join(";")).join("\n");
  await offer(page, "second.csv", semicolons);
  assert.match(await question(page).innerText(), /second\.csv has columns of first\.csv/);
  assert.match(await title(page), /^first\.csv: 300 rows/, "nothing has changed yet");
  await answer(page, "leave");
  assert.equal(await question(page).count(), 0);
  await offer(page, "second.csv", semicolons);
  await answer(page, "tests");
  assert.match(await title(page), /^first\.csv: 406 rows/);
  assert.match(await page.locator("[data-second=tests]").innerText(), /The test rows are those of second\.csv/);
  assert.doesNotMatch(await page.locator("ifm-result").innerText(), /ten splits|nine more/);
  await page.getByRole("button", { name: "Remove second.csv" }).focus();
  await page.keyboard.press("Enter");
  await settled(page);
  assert.match(await title(page), /^first\.csv: 300 rows/, "the first file stays");
  assert.equal(await page.locator("[data-second]").count(), 0);
  assert.equal(await page.locator("#file:focus").count(), 1);
  await offer(page, "second.csv", semicolons);
  await answer(page, "tests");
  assert.match(await title(page), /^first\.csv: 406 rows/);
  await offer(page, "third.csv", second);
  await answer(page, "instead");
  assert.match(await title(page), /^third\.csv: 106 rows/);
  assert.equal(await page.locator("[data-second]").count(), 0);
  await page.goBack();
  await settled(page);
  assert.match(await title(page), /^first\.csv: 406 rows/, "with its test rows");
  await offer(page, "second.csv", second);
  await answer(page, "below");
  assert.match(await page.locator("[data-second=below]").innerText(), /The rows of second\.csv come below/);
  assert.match(await title(page), /^first\.csv: 406 rows/);
});

test("a second file that lacks columns leaves the open table as it is", async (t) => {
  const page = await openPage(t, `/?source=table&speed=instant&models=ifm&${twice}`);
  await bring(page, "first.csv", first);
  await offer(page, "second.csv", second.replace("Year", "Jahr").replace("Origin", "Herkunft"));
  await answer(page, "tests");
  assert.match(await refusal(page), /second\.csv: this file lacks Year, Origin of first\.csv/);
  assert.match(await refusal(page), /first\.csv/);
  assert.match(await title(page), /^first\.csv: 300 rows/);
  await answer(page, "instead");
  assert.match(await title(page), /^second\.csv: 106 rows/);
  await offer(page, "other.csv", "a,b\n1,2\n3,4\n");
  assert.equal(await question(page).count(), 0, "its columns are others");
});

test("a test set of a later time or another population says so beside the verdict, and once", async (t) => {
  const day = (/** @type {number} */ i) => new Date(86_400_000 * (18_628 + i)).toISOString().slice(0, 10);
  const file = (/** @type {number} */ from, /** @type {number} */ shift) => `day,size,price\n${Array.from({ length: 90 }, (_, i) => `${day(from + ((i * 37) % 90))},${((i * 29) % 90) / 9 + shift},${(i * 29) % 90}.5`).join("\n")}\n`;
  const page = await openPage(t, `/?source=table&speed=instant&models=ifm&target=price&${twice}`);
  await bring(page, "old.csv", file(0, 0));
  assert.doesNotMatch(await page.locator(".verdict-of").innerText(), /unlike/);
  await offer(page, "new.csv", file(90, 8));
  await answer(page, "tests");
  assert.match(await page.locator(".verdict-of").innerText(), /new\.csv is unlike old\.csv: day \(days\) is outside 2021-01-01 to 2021-03-31 in 90 of 90 rows\.$/);
  assert.equal(await page.getByText(/is unlike/).count(), 1);
});
