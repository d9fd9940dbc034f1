// @ts-check
/** A target of classes: what its run is measured by, and what it predicts of other rows. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, assertFits, openPage, settled } from "./lab.mjs";
import { tab, train } from "./table.mjs";

const sexes = "/?source=table&sample=penguins&target=Sex&lambdaf=30,10&ranks=2&iterations=30&trials=2&speed=instant#table";

test("a target of two classes is measured and looked at as classes, and its charts fit a phone in the dark", async (t) => {
  const page = await openPage(t, sexes);
  await train(page);
  assert.match((await page.locator("ifm-result .board .heading").textContent()) ?? "", /log-loss/i);
  await page.setViewportSize({ width: 360, height: 740 });
  await settled(page, page.emulateMedia({ colorScheme: "dark" }));
  const scatter = page.locator("ifm-fit [data-chart=predictions]");
  await scatter.locator("input[type=range]").focus();
  assert.match((await scatter.locator("input[type=range]").getAttribute("aria-valuetext")) ?? "", /^Line \d+: (FE)?MALE, probability of (FE)?MALE 0\.\d{3}$/);
  await settled(page, page.keyboard.press("Enter"));
  assert.match((await page.locator("ifm-reasons").textContent()) ?? "", /log-odds/);
  await assertFits(page);
  await assertAccessible(page, { include: ["ifm-fit"] });
});

test("a target of three classes predicts another file by name, a class and its probabilities a row", async (t) => {
  const page = await openPage(t, "/?source=table&sample=penguins&target=Species&ignore=Beak%20Length%20(mm)&lambdaf=30&ranks=2&iterations=30&trials=2&speed=instant#table");
  await train(page);
  await tab(page, "take");
  const rows = ["Biscoe,39.1,15.0,220,MALE,5500", "Torgersen,39.1,18.7,181,FEMALE,3200"];
  await page.locator("ifm-keep input[type=file]").setInputFiles({ name: "new.csv", mimeType: "text/csv", buffer: Buffer.from(`Island,Beak Length (mm),Beak Depth (mm),Flipper Length (mm),Sex,Body Mass (g)\n${rows.join("\n")}\n`) });
  await settled(page);
  assert.deepEqual(await page.locator(".predicted tbody tr").evaluateAll((all) => all.map((row) => row.querySelector("td")?.textContent)), ["Gentoo", "Adelie"]);
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".predicted button.all").click()]);
  const [head = "", first = ""] = (await (await import("node:fs/promises")).readFile((await download.path()) ?? "", "utf8")).split("\r\n");
  assert.equal(head, "line,Island,Beak Length (mm),Beak Depth (mm),Flipper Length (mm),Sex,Body Mass (g),class,P(Adelie),P(Chinstrap),P(Gentoo)");
  const [said, ...each] = first.split(",").slice(7);
  assert.equal(said, "Gentoo");
  assert.ok(Math.abs(each.reduce((sum, one) => sum + Number(one), 0) - 1) < 1e-12);
});
