// @ts-check
/** That a column can weigh the rows of a table: offered by its name, never taken silently, and used as Go uses it natively. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { assertAccessible, openPage, settled } from "./lab.mjs";
import { runs } from "./native.mjs";
import { drop, folder, role as roleOf, sample, ownErrors, tab, train } from "./table.mjs";

const cars = readFileSync(sample("cars.csv"), "utf8");

/** The cars with a column wt. @param {(row: number) => string} weight */
const weighed = (weight) => cars.trim().split(/\r?\n/).map((line, row) => `${line},${row === 0 ? "wt" : weight(row)}`).join("\n") + "\n";

const search = "models=ifm&ranks=1&lambdaf=30,10&lambdaw=10&encode=linear&iterations=10&trials=2";

test("a column that is named as a weight is asked about, weighs the rows once it is told to, and shows where", async (t) => {
  const page = await openPage(t, `/?${search}&speed=instant#table`);
  const text = weighed((row) => String(1 + (row % 3)));
  await drop(page, "cars.csv", text);
  const role = roleOf(page, "wt");
  assert.equal(await role.inputValue(), "feature", "its name alone gives it no role");
  await page.locator("#asked .primary").click(); // a target in the middle of a table is asked about
  await settled(page);
  await tab(page, "columns");
  await page.getByRole("button", { name: "Weigh the rows by wt" }).click();
  await settled(page);
  assert.equal(await role.inputValue(), "weight");
  assert.equal(new URL(page.url()).searchParams.get("weight"), "wt");
  assert.match((await page.locator("ifm-result").textContent()) ?? "", /rows are weighted by wt, from 1 to 3/);
  await train(page);
  await assertAccessible(page, { include: ["ifm-roles"] });
  const file = path.join(folder(t), "cars.csv");
  writeFileSync(file, text);
  const { search: settings } = new URL(page.url());
  const [native] = await runs(settings, file);
  const { ifm: shown = NaN } = await ownErrors(page);
  assert.ok(Math.abs(shown / (native?.kept ?? 0) - 1) < 1e-9, `${shown}, natively ${native?.kept}`);
  const [plain] = await runs(settings.replace("weight=wt&", "").replace("ignore=Name", "ignore=Name,wt"), file);
  assert.notEqual(plain?.kept, native?.kept);
  assert.match((await page.locator("ifm-board").textContent()) ?? "", /Rows are weighted by wt/);
});
