// @ts-check
/** From a table to its verdict and to the files that are taken along: by mouse on a phone in the light, by keyboard alone on a screen in the dark. */
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { acceptance, assertAccessible, assertFits, downloaded, openPage, settled, tabTo } from "./lab.mjs";

/** @typedef {import("playwright-core").Page} Page */

const cars = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "samples", "cars.csv");

for (const [width, height, colorScheme, by] of /** @type {const} */ ([
  [360, 740, "light", "mouse"],
  [1440, 900, "dark", "keyboard"],
])) {
  test(`a table is opened, trained, read, saved and predicted by ${by} at ${width}×${height}, ${colorScheme}`, acceptance, async (t) => {
    const page = await openPage(t, "/?speed=instant&d=8&k=2&n=100&ranks=2&lambdaf=10&lambdaw=10&encode=linear&iterations=30#table", { viewport: { width, height }, colorScheme });
    /** @param {string} selector */
    const press = async (selector) => {
      if (by === "mouse") return page.locator(selector).first().click();
      await tabTo(page, selector);
      await page.keyboard.press("Enter");
    };
    /** @param {string} selector @param {() => Promise<unknown>} [before] */
    const saved = async (selector, before) => {
      await before?.();
      const [download] = await Promise.all([page.waitForEvent("download"), press(selector)]);
      const bytes = await downloaded(download);
      assert.ok(bytes.length > 50, `${download.suggestedFilename()} holds something`);
      return { name: download.suggestedFilename(), text: bytes.toString("utf8") };
    };
    await settled(page);
    await press("[data-sample=cars]");
    await settled(page);
    assert.equal(await page.locator(".plan").getAttribute("data-state"), "ready");
    await assertFits(page);
    await press("button.start");
    await settled(page);
    assert.equal(await page.locator("ifm-result .verdict").getAttribute("data-phase"), "done");
    assert.match(await page.locator("ifm-result [data-verdict]").innerText(), /^On \d+ test rows .*RMSE [\d.]+/);
    for (const whose of ["mean", "ridge", "quadratic", "fm", "ifm"]) assert.equal(await page.locator(`ifm-result [data-standing=${whose}]`).count(), 1, `${whose} is compared`);
    await assertFits(page);

    const curve = "ifm-result [data-chart=curve] ifm-save";
    for (const kind of ["svg", "png", "csv", "json"]) {
      const file = await saved(`${curve} [data-kind=${kind}]`, () => press(`${curve} button.save`));
      assert.ok(file.name.endsWith(`.${kind}`), file.name);
    }
    const model = await saved("ifm-keep .download");
    assert.equal(JSON.parse(model.text).format, "ifmlab model");
    assert.match((await saved("ifm-keep .python")).text, /^#!|^"""|^#/);

    const chooser = page.waitForEvent("filechooser");
    await press("ifm-keep input[data-file=predict]" + (by === "mouse" ? " + span" : ""));
    await (await chooser).setFiles(cars);
    await settled(page);
    assert.equal(await page.locator('ifm-keep [data-predicted="cars.csv"]').count(), 1);
    const all = await saved("ifm-keep .all");
    assert.equal(all.text.trim().split("\n").length, 407, "a line a row, and the header");
    await assertFits(page);
    await assertAccessible(page, { include: ["ifm-data", "ifm-result"] });
  });
}
