// @ts-check
/** How the page looks in its main states: the README's picture, what a reader in the dark or on a phone sees, a table's result, a chapter before and after its run, and a file that cannot be used. */
import { test } from "node:test";

import { acceptance, matchPicture, openPage, settled } from "./lab.mjs";

/** @typedef {import("playwright-core").BrowserContextOptions} Options */

/** @type {[name: string, what: string, options: Options][]} */
const figures = [
  ["readme", "the page looks as in the README", { viewport: { width: 1280, height: 1420 } }],
  ["dark", "the page follows a dark system", { viewport: { width: 1280, height: 1420 }, colorScheme: "dark" }],
  ["phone", "the page fits a phone", { viewport: { width: 390, height: 844 } }],
];

for (const [name, what, options] of figures) {
  test(what, name === "readme" ? {} : acceptance, async (t) => {
    const page = await openPage(t, "/", options);
    await settled(page);
    await page.evaluate(() => document.fonts.ready);
    await matchPicture(page, name);
  });
}

/** What says how long a run took. @param {Page} page */
const hideTimes = (page) => page.addStyleTag({ content: ".chapter .cost { visibility: hidden }" });

/** @param {Page} page @param {string} name */
async function answered(page, name) {
  await page.locator(`#${name} [data-guess]`).first().click();
  await settled(page);
  await hideTimes(page);
}

test("a table's result looks as it did", async (t) => {
  const page = await openPage(t, "/?source=table&sample=cars&speed=instant", { viewport: { width: 1280, height: 900 } });
  await settled(page);
  await page.locator("button.start").click();
  await settled(page);
  await matchPicture(page.locator("ifm-result .stage"), "table");
  await matchPicture(page.locator("ifm-result .pairing"), "standings");
});

test("a chapter before its run looks as it did, on a phone", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=spectrum", { viewport: { width: 390, height: 844 } });
  await settled(page);
  await matchPicture(page, "chapter-before");
});

test("a chapter after its run looks as it did, in the dark", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=interaction", { viewport: { width: 1100, height: 1500 }, colorScheme: "dark" });
  await answered(page, "interaction");
  await matchPicture(page, "chapter-after");
});

test("a file that cannot be used looks as it did", async (t) => {
  const page = await openPage(t, "/?speed=instant&iterations=20#table", { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" }); // the page scrolls to the error at once
  await page.locator("ifm-data input[data-file=table]").setInputFiles({ name: "notes.csv", mimeType: "text/csv", buffer: Buffer.from(`a,b\n${"1,2\n3\n".repeat(12)}`) });
  await settled(page);
  await matchPicture(page.locator("[data-error=file]"), "refused");
});
