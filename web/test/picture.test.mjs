// @ts-check
/** How the page looks once Figure 1 has run: the README's picture, and what a reader in the dark or on a phone sees. */
import { test } from "node:test";

import { matchPicture, openPage } from "./lab.mjs";

/** @type {[name: string, what: string, options: import("playwright-core").BrowserContextOptions][]} */
const pictures = [
  ["readme", "the page looks as in the README", { viewport: { width: 1280, height: 1420 } }],
  ["dark", "the page follows a dark system", { viewport: { width: 1280, height: 1420 }, colorScheme: "dark" }],
  ["phone", "the page fits a phone", { viewport: { width: 390, height: 844 } }],
];

for (const [name, what, options] of pictures) {
  test(what, async (t) => {
    const page = await openPage(t, "/", options);
    await page.locator("ifm-figure .verdict[data-phase=done]").waitFor({ timeout: 30_000 });
    await page.evaluate(() => document.fonts.ready);
    await matchPicture(page, name);
  });
}
