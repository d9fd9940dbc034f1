// @ts-check
/** The role of many columns at once. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, openPage, settled } from "./lab.mjs";
import { bring, planned, role, rows, tab, uniform } from "./table.mjs";

const names = Array.from({ length: 8 }, (_, i) => `c${i}`);
const file = `${names.join(",")},y\n${rows(60, (i) => [...names.map((_, j) => uniform(i, j).toFixed(4)), (3 * uniform(i, 0) + uniform(i, 1)).toFixed(4)])}`;

test("columns are selected one by one, as a range and all, and take a role in one change that the browser takes back", async (t) => {
  const page = await openPage(t, "/?source=table&speed=instant&iterations=5&ranks=2&models=ifm");
  await bring(page, "many.csv", file);
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

  await page.goBack();
  await settled(page);
  assert.equal(await roles(), before, "one step back takes all of it back");

  await bar.getByRole("button", { name: "Select all" }).click();
  assert.match(await bar.innerText(), /8 columns selected/);
  await bar.getByRole("button", { name: "Clear the selection" }).click();
  await box("c6").focus();
  await page.keyboard.press("Space");
  await box("c7").focus();
  await page.keyboard.press("Shift+Space");
  assert.match(await bar.innerText(), /2 columns selected/, "a range by keyboard");
  await bar.getByRole("button", { name: "Leave out" }).click();
  await planned(page);
  await role(page, "c5").selectOption("ignore");
  await planned(page);
  await bar.getByRole("button", { name: "Use as features" }).click();
  await planned(page);
  assert.equal(await roles(), "feature feature feature feature feature ignore feature feature target");
});
