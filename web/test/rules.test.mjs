// @ts-check
/** That rules on columns leave rows out of training: by the form, by keyboard, by the address, and as Go does it natively. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { assertAccessible, openPage, settled } from "./lab.mjs";
import { runs } from "./native.mjs";
import { bring, ownErrors, phase, sample, tab, train } from "./table.mjs";

const cars = readFileSync(sample("cars.csv"), "utf8");

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
    await page.keyboard.press("Enter");
    await settled(page);
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
  assert.match((await rules.locator("li small").allInnerTexts()).join(), /^leaves out 79 rows,leaves out \d+ rows$/);
  assert.doesNotMatch(await page.locator("#panel-columns .read").innerText(), /by the rule/, "it is said once");
  await train(page);
  await assertAccessible(page, { include: ["ifm-rules"] });
  const [native] = await runs(new URL(page.url()).search, sample("cars.csv"));
  const { ifm: shown = NaN } = await ownErrors(page);
  assert.ok(Math.abs(shown / (native?.kept ?? 0) - 1) < 1e-9, `${shown}, natively ${native?.kept}`);
  assert.notEqual(shown, all);

  await add("Year", ">", "3000");
  const error = page.locator("#panel-columns [data-error=plan]");
  assert.match(await error.innerText(), /0 of 406 rows meet the rule Origin ≠ Japan and Year > 1971 and Year > 3000/);
  assert.equal((await ownErrors(page))["ifm"], shown, "the run before is not lost");
  await rules.getByRole("button", { name: "Remove the rule Year > 3000" }).focus();
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("name")), "column", "the focus stays in the form");
  assert.equal(await error.count(), 0);
  assert.equal(rows(), "Origin:!=:Japan;Year:>:1971");
  assert.equal((await ownErrors(page))["ifm"], shown);

  await bring(page, "others.csv", cars);
  assert.equal(rows(), null, "another file starts without rules");
});

test("a rule of a link on a column that the file lacks is said, and removed with a press", async (t) => {
  const page = await openPage(t, "/?source=table&models=ifm&ranks=1&iterations=10&trials=2&target=Miles_per_Gallon&rows=country:=:PT&speed=instant");
  await bring(page, "cars.csv", cars);
  assert.equal(await phase(page), "idle");
  assert.match(await page.locator(".table-answer").innerText(), /the rule "country:=:PT" names a column "country", which is not in the table/);
  await page.getByRole("button", { name: "Remove the rule country = PT" }).click();
  await settled(page);
  await train(page);
});
