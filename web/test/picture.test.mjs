// @ts-check
/** How the page looks in its main states: the README's picture, what a reader in the dark or on a phone sees, a table's result, a chapter. */
import { test } from "node:test";

import { acceptance, matchPicture, openPage, settled } from "./lab.mjs";

/** @typedef {import("playwright-core").BrowserContextOptions} Options */

/** @type {[name: string, what: string, options: Options, address?: string][]} */
const figures = [
  ["readme", "the page looks as in the README", { viewport: { width: 1280, height: 800 } }],
  ["dark", "the page follows a dark system", { viewport: { width: 1280, height: 800 }, colorScheme: "dark" }],
  ["phone", "the page fits a phone", { viewport: { width: 390, height: 844 } }],
  ["table", "a table's result looks as it did", { viewport: { width: 1280, height: 800 } }, "/?source=table&sample=cars&speed=instant"],
  ["chapter", "a chapter looks as it did, on a phone", { viewport: { width: 390, height: 844 } }, "/?embed=1&chapter=spectrum&speed=instant"],
];

for (const [name, what, options, address] of figures) {
  test(what, name === "readme" ? {} : acceptance, async (t) => {
    const page = await openPage(t, address ?? "/", options);
    await settled(page);
    await page.evaluate(() => document.fonts.ready);
    await matchPicture(page, name);
  });
}
