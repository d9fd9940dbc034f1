// @ts-check
/** What the page promises of its places, in numbers, at three widths; and how it looks in its main states. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, matchPicture, openPage, settled } from "./lab.mjs";
import { measured, outside, shift } from "./measure.mjs";

const sizes = [{ width: 1280, height: 800 }, { width: 390, height: 844 }, { width: 1920, height: 1080 }];
const desk = 1280; // where heights are promised
const long = Boolean(process.env["LONG"]);

/**
 * A place of the page: what of it stands in its first window at which widths, and how much
 * there may be of it, once `ready` is seen. `words` are those of the whole place, or of its
 * first window.
 *
 * @typedef {{ name: string, address: string, ready: string, words: number, first?: boolean, windows: number, fits: Readonly<Record<number, readonly string[]>> }} Place
 */

const opening = ["#figure h1", "#figure .switch", "[data-chart=curve]", "ifm-spectrum .stems", "[data-verdict]", ".controls .play"];
const standing = ["ifm-result [data-verdict]", "ifm-result [data-standing]"];

/** @type {readonly Place[]} */
const places = [
  {
    name: "figure",
    address: "/",
    ready: "#figure .verdict[data-phase=done]",
    words: 120,
    windows: 1.3,
    fits: { 1280: opening, 1920: opening },
  },
  {
    name: "cars",
    address: "/?source=table&sample=cars&ranks=2&lambdaf=10&lambdaw=10&iterations=20",
    ready: "ifm-result :is(.table-answer, .verdict)[data-phase=done]",
    words: 150,
    first: true,
    windows: 2,
    fits: { 390: standing, 1280: standing, 1920: standing },
  },
];

/** A measure, what it is today and at most, and what it is made of. @typedef {{ what: string, is: number, most: number, why: string }} Row */

/** @param {Page} page @param {Place} place @param {number} width @returns {Promise<Row[]>} */
async function rows(page, place, width) {
  const { words, first, scrolls, smallest, windows } = await measured(page);
  const out = await outside(page, place.fits[width] ?? []);
  const said = place.first ? first : words;
  const list = (/** @type {string} */ what, /** @type {string[]} */ all) => ({ what, is: all.length, most: 0, why: all.join("\n") });
  return [
    { what: "words", is: said.length, most: place.words, why: said.join(" ") },
    ...(width === desk ? [{ what: "windows", is: Number(windows.toFixed(1)), most: place.windows, why: "" }] : []),
    { what: "px under 14", is: Math.max(0, Math.round(14 - smallest)), most: 0, why: "" },
    { what: "thousandths moved", is: Math.round(1000 * (await shift(page))), most: 20, why: "" },
    list("inner scrolls", scrolls.filter((scroll) => !scroll.endsWith(" 0 down"))),
    list("outside the window", out),
  ];
}

for (const place of places) {
  test(`the measures of ${place.name} hold at every width${place.name === "figure" ? ", and it looks as in the README" : ""}`, { timeout: 600_000 }, async (t) => {
    /** @type {string[]} */
    const wrong = [];
    let page = await openPage(t, place.address, { viewport: sizes[0] ?? null });
    for (const viewport of long ? sizes : sizes.slice(0, 2)) {
      if (viewport !== sizes[0] && long) page = await openPage(t, place.address, { viewport });
      else await page.setViewportSize(viewport);
      await page.locator(place.ready).waitFor();
      await settled(page);
      for (const { what, is, most, why } of await rows(page, place, viewport.width)) {
        if (is > most) wrong.push(`${place.name}, ${viewport.width} px, ${what}: ${is}, more than ${most}: ${why}`);
      }
      if (place.name === "figure" && viewport.width === desk) await pictured(page, "readme");
    }
    assert.deepEqual(wrong, []);
  });
}

/** @param {Page} page @param {string} name */
async function pictured(page, name) {
  await page.evaluate(() => document.fonts.ready);
  await matchPicture(page, name);
}

/** @type {readonly [name: string, what: string, options: import("playwright-core").BrowserContextOptions, address?: string][]} */
const pictures = [
  ["dark", "the page follows a dark system", { viewport: { width: 1280, height: 800 }, colorScheme: "dark" }],
  ["phone", "the page fits a phone", { viewport: { width: 390, height: 844 } }],
  ["table", "a table's result looks as it did", { viewport: { width: 1280, height: 800 } }, "/?source=table&sample=cars&speed=instant"],
  ["chapter", "a chapter looks as it did, on a phone", { viewport: { width: 390, height: 844 } }, "/?embed=1&chapter=spectrum&speed=instant"],
];

for (const [name, what, options, address] of pictures) {
  test(what, acceptance, async (t) => {
    const page = await openPage(t, address ?? "/", options);
    await settled(page);
    await pictured(page, name);
  });
}
