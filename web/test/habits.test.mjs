// @ts-check
/** What a reader does in passing, away from the way that is meant: scrolls off, holds a phone, prints, opens a link without its file. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage } from "./lab.mjs";

/** @typedef {import("playwright-core").Page} Page */

const figure = "ifm-figure";

/** @param {Page} page */
async function finished(page) {
  await page.locator(`${figure} .verdict[data-phase=done]`).waitFor({ timeout: 30_000 });
}

test("a setting changed while the figure is out of sight runs when it is seen again", async (t) => {
  const page = await openPage(t, "/?speed=instant&iterations=20", { viewport: { width: 360, height: 320 } });
  await page.locator(`${figure} .stage`).scrollIntoViewIfNeeded();
  await finished(page);
  await page.getByText("Settings of this run").click();
  await page.locator(`${figure} .fold`).evaluate((fold) => fold.scrollIntoView({ block: "end" }));
  await page.locator(figure).getByLabel("Seed").fill("7");
  await page.keyboard.press("Tab");
  await page.waitForURL(/seed=7/);
  await page.locator(`${figure} .controls[data-phase=paused]`).waitFor({ state: "attached" });
  await page.locator(`${figure} .stage`).scrollIntoViewIfNeeded();
  await finished(page);
});

test("a setting changed beside the heat maps runs at once, the curves being above", async (t) => {
  const page = await openPage(t, "/?speed=instant&iterations=20", { viewport: { width: 1280, height: 700 } });
  await page.locator(`${figure} .stage`).scrollIntoViewIfNeeded();
  await finished(page);
  await page.locator("ifm-matrix").evaluate((maps) => maps.scrollIntoView());
  await page.getByText("Settings of this run").click();
  await page.locator(figure).getByLabel("Seed").fill("7");
  await page.keyboard.press("Tab");
  await page.waitForURL(/seed=7/);
  await page.locator(`${figure} .verdict:not([data-phase=done])`).waitFor({ state: "attached" });
  await finished(page);
  assert.ok(await page.locator(`${figure} .stage`).evaluate((stage) => stage.getBoundingClientRect().bottom < 100), "the curves are out of sight");
});
