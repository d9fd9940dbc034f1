// @ts-check
/** From a table to its verdict and to the files that are taken along, by keyboard alone. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, assertFits, downloaded, openPage, settled, tabTo } from "./lab.mjs";
import { finished, planned, sample } from "./table.mjs";

test("a table is opened, trained, read, saved and predicted by keyboard alone, on a phone in the dark", async (t) => {
  const page = await openPage(t, "/?speed=instant&d=8&k=2&n=100&ranks=2,4&lambdaf=10&lambdaw=10&encode=linear&iterations=30#table", { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
  const press = async (/** @type {string} */ selector) => {
    if (selector.startsWith("#tab-")) {
      await tabTo(page, "[role=tab][aria-selected=true]");
      while ((await page.locator(`${selector}:focus`).count()) === 0) await page.keyboard.press("ArrowRight");
    } else await tabTo(page, selector);
    await page.keyboard.press("Enter");
  };
  /** @param {string} selector */
  const saved = async (selector) => {
    const [download] = await Promise.all([page.waitForEvent("download"), press(selector)]);
    const bytes = await downloaded(download);
    assert.ok(bytes.length > 50, `${download.suggestedFilename()} holds something`);
    return { name: download.suggestedFilename(), text: bytes.toString("utf8") };
  };
  await settled(page);
  await press("[data-sample=cars]");
  await planned(page);
  await finished(page);
  await assertFits(page);
  await press("#tab-columns");
  await tabTo(page, '[data-column="Year"] select.role');
  await page.keyboard.press("l"); // left out
  await page.waitForURL(/ignore=[^&]*Year/);
  await planned(page);
  await press("button.start");
  await finished(page);
  await press("#tab-predictions");
  await tabTo(page, "ifm-fit [data-chart=predictions] input");
  await assertFits(page);

  await press("#tab-training");
  const curve = "ifm-result [data-chart=curve] ifm-save";
  await press(`${curve} button.save`);
  const menu = page.locator(`${curve} .files`);
  const box = await menu.boundingBox();
  assert.ok(box && box.x >= 0 && box.x + box.width <= 390 && box.y >= 0 && box.y + box.height <= 844, `all of the menu is seen: ${JSON.stringify(box)}`);
  await assertAccessible(page, { include: ["ifm-result [data-chart=curve]"] });
  await settled(page, page.keyboard.press("Escape"));
  assert.ok(await menu.isHidden());
  assert.equal(await page.locator(`${curve} button.save:focus`).count(), 1, "the focus is back");
  for (const kind of ["svg", "png", "csv", "json"]) {
    await press(`${curve} button.save`);
    const file = await saved(`${curve} [data-kind=${kind}]`);
    assert.ok(file.name.endsWith(`.${kind}`), file.name);
  }
  await press("#tab-take");
  assert.equal(JSON.parse((await saved("ifm-keep .download")).text).format, "ifmlab model");
  assert.match((await saved("ifm-keep .python")).text, /^#!|^"""|^#/);

  const chooser = page.waitForEvent("filechooser");
  await press("ifm-keep input[data-file=predict]");
  await (await chooser).setFiles(sample("cars.csv"));
  await settled(page);
  assert.equal(await page.locator('ifm-keep [data-predicted="cars.csv"]').count(), 1);
  assert.equal((await saved("ifm-keep .all")).text.trim().split("\n").length, 407, "a line a row, and the header");
  await assertFits(page);
  await assertAccessible(page, { include: ["ifm-data", "ifm-result"] });
});
