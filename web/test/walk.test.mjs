// @ts-check
/** The way of a reader's own table, walked on the built-in ones. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./lab.mjs";
import { drop, planned, role, rows, small, standings, tab, title, train, twice } from "./table.mjs";

const brief = `${small}&${twice}`;

test("what was chosen stands in the link: another reader opens it and gets the same numbers", async (t) => {
  const one = await openPage(t, `/?source=table&sample=cars&models=ifm&${brief}`);
  await planned(one);
  await tab(one, "columns");
  await role(one, "Year").selectOption("ignore");
  await one.getByLabel("Cylinders is read as").selectOption("numeric");
  await one.waitForURL(/numeric=[^&]*Cylinders/);
  await train(one);
  const two = await openPage(t, one.url());
  await planned(two);
  await tab(two, "columns");
  assert.equal(await role(two, "Year").inputValue(), "ignore");
  await train(two);
  assert.deepEqual(await standings(two), await standings(one));
});

test("undo brings back the reader's own file, whichever table was opened after it", async (t) => {
  const page = await openPage(t, `/?${brief}`);
  const lines = rows(40, (i) => [i % 7, (i * i) % 11, (i * 3) % 5]);
  const open = async (/** @type {string} */ name) => {
    await planned(page);
    assert.ok((await title(page)).startsWith(name));
  };
  await drop(page, "first.csv", `a,b,c\n${lines}`, "#main");
  await drop(page, "second.csv", `u,v,w\n${lines}`, "#file");
  await open("second.csv");
  for (const [name, columns] of /** @type {const} */ ([["first.csv", "abc"]])) {
    await page.getByRole("button", { name: "Undo" }).click();
    await open(name);
    assert.ok(columns.includes(new URL(page.url()).searchParams.get("target") ?? "none"), `${name} has its own target again`);
  }
  for (const name of ["second.csv"]) {
    await page.goForward();
    await open(name);
  }
});
