// @ts-check
/** Braces of formulas fit what they embrace. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { PNG } from "pngjs";

import { laidOut, openPage } from "./lab.mjs";
import { details, quick } from "./lesson.mjs";

test("a brace is as wide as what it embraces, wherever Chromium cuts its tiles", async (t) => {
  const page = await openPage(t, `/?embed=1&chapter=samples&${quick}`);
  await details(page, "samples");
  const braces = page.locator(".formulas munder > mo");
  for (let i = 0; i < (await braces.count()); i++) {
    const brace = braces.nth(i);
    await brace.scrollIntoViewIfNeeded();
    const clip = await brace.evaluate((mo) => {
      const embraced = () => /** @type {Element} */ (mo.previousElementSibling).getBoundingClientRect();
      const { left, width } = embraced();
      /** @type {HTMLElement} */ (mo.closest("math")).style.marginLeft = `${256 - left - width / 4}px`; // a tile ends within it
      const { top, height } = mo.getBoundingClientRect();
      return { x: embraced().left, y: top, width, height };
    });
    const { width, height, data } = PNG.sync.read(await page.screenshot({ clip }));
    const inked = Array.from({ length: width }, (_, x) => Array.from({ length: height }, (_, y) => data[4 * (y * width + x)] ?? 255).some((red) => red < 160));
    const [first, last] = [inked.indexOf(true), inked.lastIndexOf(true)];
    assert.ok(first >= 0 && first <= 3 && last >= width - 4, `brace ${i}: ink from ${first} to ${last} of ${width} px`);
  }
});

test("the brace of cases is as high as they are", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=vtec&vtec.days=1&vtec.stride=720");
  const chapter = await details(page, "vtec");
  await chapter.evaluate((section) => section.querySelectorAll("details").forEach((fold) => (fold.open = true)));
  await laidOut(page);
  const heights = await page.locator(".formulas mtable").evaluateAll((all) => all.filter((table) => table.previousElementSibling?.localName === "mo").map((table) => [table.previousElementSibling?.getBoundingClientRect().height ?? 0, table.getBoundingClientRect().height]));
  assert.ok(heights.length > 0);
  for (const [brace = 0, cases = 0] of heights) assert.ok(brace > 0.9 * cases && cases > 50, `${brace} of ${cases} px`);
});
