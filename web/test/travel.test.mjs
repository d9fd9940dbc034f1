// @ts-check
/** Models that travel: to a database, to libFM, and back. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { assertAccessible, openPage, settled } from "./lab.mjs";
import { drop, folder, sample, tab, train, twice } from "./table.mjs";

const brief = `${twice}&speed=instant`;
const python = spawnSync("python3", ["-c", "import sys, sqlite3; print(sys.executable)"], { encoding: "utf8" }).stdout?.trim();

/** Predicts a file and returns the predictions. @param {Page} page @param {string} within @param {string} file */
async function predicted(page, within, file) {
  await page.locator(`${within} input[data-file=predict]`).setInputFiles(file);
  await settled(page);
  return page.locator(`${within} ifm-predict`).evaluate((panel) => [.../** @type {any} */ (panel).done.predicted.predicted]);
}

/** Clicks a button and returns the files that come of it, by their names. @param {Page} page @param {string} button @param {number} files */
async function saved(page, button, files) {
  /** @type {import("playwright-core").Download[]} */
  const downloads = [];
  const all = new Promise((resolve) => {
    page.on("download", (download) => downloads.push(download) === files && resolve(undefined));
  });
  await page.locator(button).click();
  await all;
  page.removeAllListeners("download");
  return Object.fromEntries(await Promise.all(downloads.map(async (download) => [download.suggestedFilename(), readFileSync(await download.path(), "utf8")])));
}

const query = `import csv, json, sqlite3, sys
rows = list(csv.reader(open(sys.argv[2], encoding="utf-8-sig", newline="")))
db = sqlite3.connect(":memory:")
db.execute("CREATE TABLE my_table (" + ", ".join('"' + name.replace('"', '""') + '" NUMERIC' for name in rows[0]) + ")")
db.executemany("INSERT INTO my_table VALUES (" + ", ".join("?" * len(rows[0])) + ")", rows[1:])
print(json.dumps([row[-1] for row in db.execute(open(sys.argv[1], encoding="utf-8").read())]))`;

test("the SQL that is saved of a model predicts in SQLite what the page does", { skip: !python && "there is no python3 here with SQLite" }, async (t) => {
  const into = folder(t);
  const page = await openPage(t, `/?source=table&sample=penguins&models=ifm&target=Body%20Mass%20(g)&${brief}`);
  await train(page);
  await tab(page, "take");
  const want = await predicted(page, "ifm-keep", sample("penguins.csv"));
  const files = await saved(page, "ifm-keep .sql", 1);
  assert.deepEqual(Object.keys(files), ["predict.sql"]);
  writeFileSync(path.join(into, "predict.sql"), files["predict.sql"]);
  writeFileSync(path.join(into, "run.py"), query);
  const got = JSON.parse(execFileSync(python, [path.join(into, "run.py"), path.join(into, "predict.sql"), sample("penguins.csv")], { encoding: "utf8" }));
  assert.equal(got.length, 344);
  got.forEach((/** @type {number} */ v, /** @type {number} */ i) => assert.ok(Math.abs(v - want[i]) <= 1e-9 * Math.abs(want[i]), `row ${i}: ${v}, want ${want[i]}`));
  await assertAccessible(page, { include: ["ifm-keep"] });
});

test("a model goes to libFM and comes back, and its columns go by their place", async (t) => {
  const into = folder(t);
  const page = await openPage(t, `/?source=table&sample=diabetes&target=target&models=fm,gfm&numeric=sex&${brief}`);
  await train(page);
  await tab(page, "take");
  const keep = page.locator("ifm-keep");
  await keep.locator("select[name=keep]").selectOption("gfm");
  await settled(page);
  await keep.locator(".libfm").click();
  await keep.locator("[data-error=form]").waitFor();
  assert.match(await keep.locator("[data-error=form]").innerText(), /gFM keeps the squares of features, and libFM has none/);
  await keep.locator("select[name=keep]").selectOption("fm");
  await settled(page);
  assert.equal(await keep.locator("[data-error=form]").count(), 0, "it was of another model");
  const want = await predicted(page, "ifm-keep", sample("diabetes.csv"));
  const files = await saved(page, "ifm-keep .libfm", 2);
  assert.deepEqual(Object.keys(files).sort(), ["features.csv", "model.libfm"]);
  assert.match(files["features.csv"], /^index,feature,column,is,of,missing,least,most\n0,age,age,value,,/);

  const plain = path.join(into, "plain.csv");
  writeFileSync(plain, readFileSync(sample("diabetes.csv"), "utf8").replace(/,[^,\n]*$/gm, ""));
  await drop(page, "model.libfm", files["model.libfm"]);
  const panel = page.locator("ifm-model");
  assert.match(await panel.innerText(), /rank 2, 10 columns encoded as 10 features[\s\S]*The model has no column names/);
  const got = await predicted(page, "ifm-model", plain);
  got.forEach((v, i) => assert.ok(Math.abs(v - want[i]) <= 1e-10 * Math.abs(want[i]), `row ${i}: ${v}, want ${want[i]}; some digits go where a mean is a hundred times the spread`));

  await panel.locator("input[data-file=predict]").setInputFiles(sample("diabetes.csv"));
  await settled(page);
  assert.match(await panel.locator("[data-error=predict]").innerText(), /diabetes\.csv has 11 columns, but the model takes 10/);
});
