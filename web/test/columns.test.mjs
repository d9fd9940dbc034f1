// @ts-check
/** What a reader does with columns and rows: weights, rules, the role of many columns, errors by the levels of one, a second file. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { assertAccessible, dropFile, follow, openPage, settled } from "./lab.mjs";
import { bring, ownErrors, phase, planned, rows, sample, standings, tab, title, train, twice, uniform } from "./table.mjs";

/** The first 160 cars. */
const cars = readFileSync(sample("cars.csv"), "utf8").split("\n").slice(0, 161).join("\n");

test("rules are added and removed in the tab of columns, leave rows out, and what is wrong with one is said", async (t) => {
  const page = await openPage(t, "/?models=ifm&ranks=1&lambdaf=30,10&lambdaw=10&encode=linear&iterations=10&trials=2&target=Miles_per_Gallon&speed=instant#table");
  await bring(page, "cars.csv", cars);
  const rows = () => new URL(page.url()).searchParams.get("rows");
  const rules = page.locator("ifm-rules");
  /** @param {string} column @param {string} operator @param {string} value */
  const add = async (column, operator, value) => {
    await rules.getByLabel("Column of the rule").selectOption(column);
    await rules.getByLabel("Operator").selectOption(operator);
    await rules.getByLabel("Value").fill(value);
    await settled(page, page.keyboard.press("Enter"));
  };
  assert.equal(await phase(page), "done");
  const { ifm: all } = await ownErrors(page);
  await tab(page, "columns");
  await rules.locator("summary").click();

  await add("Origin", "!=", "Japan");
  await add("Year", ">", "1971");
  assert.equal(rows(), "Origin:!=:Japan;Year:>:1971");
  assert.deepEqual(await rules.locator("li span").allInnerTexts(), ["Origin ≠ Japan", "Year > 1971"]);
  assert.equal(await rules.getByLabel("Value").inputValue(), "");
  assert.match((await rules.locator("li small").allInnerTexts()).join(), /^leaves out \d+ rows,leaves out \d+ rows$/);
  await train(page);
  await assertAccessible(page, { include: ["ifm-rules"] });
  const { ifm: shown = NaN } = await ownErrors(page);
  assert.notEqual(shown, all);

  await add("Year", ">", "3000");
  const error = page.locator("#panel-columns [data-error=plan]");
  assert.match(await error.innerText(), /0 of 160 rows meet the rule Origin ≠ Japan and Year > 1971 and Year > 3000/);
  assert.equal((await ownErrors(page))["ifm"], shown, "the run before is not lost");
  await rules.getByRole("button", { name: "Remove the rule Year > 3000" }).focus();
  await settled(page, page.keyboard.press("Enter"));
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("name")), "column", "the focus stays in the form");
  assert.equal(await error.count(), 0);
  assert.equal(rows(), "Origin:!=:Japan;Year:>:1971");
  assert.equal((await ownErrors(page))["ifm"], shown);

  await t.test("a rule of a link on a column that the file lacks is said, and removed with a press", async () => {
    await follow(page, "/?source=table&models=ifm&ranks=1&iterations=10&trials=2&target=Miles_per_Gallon&rows=country:=:PT&speed=instant");
    assert.match(await page.locator(".table-answer").innerText(), /the rule "country:=:PT" names a column "country", which is not in the table/);
    await settled(page, page.getByRole("button", { name: "Remove the rule country = PT" }).click());
    await train(page);
  });
});

const names = Array.from({ length: 8 }, (_, i) => `c${i}`);
const many = `${names.join(",")},y\n${rows(60, (i) => [...names.map((_, j) => uniform(i, j).toFixed(4)), (3 * uniform(i, 0) + uniform(i, 1)).toFixed(4)])}`;

test("columns are selected one by one, as a range and all, and take a role in one change that the browser takes back", async (t) => {
  const page = await openPage(t, "/?source=table&speed=instant&iterations=5&trials=2&ranks=2&models=ifm");
  await bring(page, "many.csv", many);
  await tab(page, "columns");
  const bar = page.locator(".roles .many");
  const box = (/** @type {string} */ name) => page.getByLabel(`Select ${name}`, { exact: true });
  const roles = () => page.locator("ifm-roles select.role").evaluateAll((all) => all.map((one) => /** @type {HTMLSelectElement} */ (one).value).join(" "));
  const before = await roles();
  assert.equal(before, [...names.map(() => "feature"), "target"].join(" "));
  assert.ok(await box("y").isDisabled(), "the target keeps its role");

  await box("c1").click();
  await page.keyboard.down("Shift");
  await box("c4").click();
  await page.keyboard.up("Shift");
  await box("c3").press("Space");
  assert.match(await bar.innerText(), /3 columns selected/);
  await assertAccessible(page, { include: [".roles"] });
  await bar.getByRole("button", { name: "Leave out" }).click();
  await planned(page);
  assert.equal(await roles(), "feature ignore ignore feature ignore feature feature feature target");
  assert.match(new URL(page.url()).search, /ignore=c1,c2,c4/);
  assert.match(await bar.innerText(), /3 columns selected/, "they stay selected");

  await settled(page, page.goBack());
  assert.equal(await roles(), before, "one step back takes all of it back");

  await bar.getByRole("button", { name: "Clear the selection" }).click();
  await box("c6").focus();
  await page.keyboard.press("Space");
  await box("c7").focus();
  await page.keyboard.press("Shift+Space");
  assert.match(await bar.innerText(), /2 columns selected/, "a range by keyboard");
  await bar.getByRole("button", { name: "Leave out" }).click();
  await planned(page);
});

test("test errors are told by bands of a column", async (t) => {
  const page = await openPage(t, `/?source=table&sample=cars&models=ifm&${twice}&speed=instant`);
  await train(page);
  const panel = page.locator("ifm-errors-by");
  await settled(page, panel.locator("select[name=errors-by]").selectOption("Weight_in_lbs"));
  assert.ok((await panel.locator("tr[data-level]").count()) >= 5, "all rows, and bands of them");
  await assertAccessible(page, { include: ["ifm-errors-by"] });
});

const lines = cars.trim().split("\n");
const first = lines.slice(0, 121).join("\n");
const second = [lines[0], ...lines.slice(121)].join("\n");

/** The question about a second file. @param {import("playwright-core").Page} page */
const question = (page) => page.locator("#second");

/** @param {import("playwright-core").Page} page @param {string} name @param {string} bytes */
async function offer(page, name, bytes) {
  await settled(page, dropFile(page, "#main", { name, bytes }));
}

/** @param {import("playwright-core").Page} page @param {"tests" | "below" | "instead" | "leave"} as */
async function answer(page, as) {
  await settled(page, question(page).locator(`[data-as=${as}]`).click());
}

test("a second file with the same columns is the test set, comes below, or is opened instead", async (t) => {
  const page = await openPage(t, `/?source=table&speed=instant&models=ifm&${twice}`);
  await bring(page, "first.csv", first);
  assert.match(await title(page), /^first\.csv: 120 rows/);
  const semicolons = second.split("\n").map((line) => line.split(",").reverse().join(";")).join("\n");
  await offer(page, "second.csv", semicolons);
  assert.match(await question(page).innerText(), /second\.csv has columns of first\.csv/);
  assert.match(await title(page), /^first\.csv: 120 rows/, "nothing has changed yet");
  await answer(page, "tests");
  assert.match(await title(page), /^first\.csv: 160 rows/);
  await page.getByRole("button", { name: "Remove second.csv" }).focus();
  await settled(page, page.keyboard.press("Enter"));
  assert.match(await title(page), /^first\.csv: 120 rows/, "the first file stays");
  assert.equal(await page.locator("[data-second]").count(), 0);
  assert.equal(await page.locator("#file:focus").count(), 1);
  await offer(page, "second.csv", semicolons);
  await answer(page, "tests");
  assert.match(await title(page), /^first\.csv: 160 rows/);
  await train(page);
  const before = await standings(page);
  assert.ok(Object.keys(before).length > 2);
  await offer(page, "third.csv", second);
  await answer(page, "instead");
  assert.match(await title(page), /^third\.csv: 40 rows/);
  assert.equal(await page.locator("[data-second]").count(), 0);
  await settled(page, page.goBack());
  assert.match(await title(page), /^first\.csv: 160 rows/, "with its test rows");
  assert.deepEqual(await standings(page), before, "trained as it was");
  await offer(page, "second.csv", second);
  await answer(page, "below");
  assert.match(await title(page), /^first\.csv: 160 rows/);
  await offer(page, "other.csv", "a,b\n1,2\n3,4\n");
  assert.equal(await question(page).count(), 0, "its columns are others");
});

