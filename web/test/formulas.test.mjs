// @ts-check
/** The formulas stand in the font that the page brings, whatever the machine has, with braces that fit. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { PNG } from "pngjs";

import { acceptance, follow, laidOut, openPage, settled } from "./lab.mjs";
import { details } from "./lesson.mjs";

const chapters = ["interaction", "psd", "reach", "spectrum", "loophole", "break", "matter", "diagonal", "samples", "vtec", "algorithm"];

test("the font comes with the lesson and not before, and draws every character of every formula", async (t) => {
  const page = await openPage(t, "/?speed=instant&iterations=5&d=6&n=40");
  const fonts = /** @type {string[]} */ ([]);
  page.on("request", (request) => /stix.*\.woff2$/.test(request.url()) && fonts.push(request.url()));
  await settled(page);
  assert.deepEqual(await page.evaluate(() => performance.getEntriesByType("resource").filter(({ name }) => /stix.*\.woff2$/.test(name))), [], "the first curve waits for no font of formulas");

  await page.locator("header a[data-place=lesson]").click();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("DOM.enable");
  await devtools.send("CSS.enable");
  let drawn = 0;
  for (const name of chapters) {
    await page.locator(`.contents a[href='?chapter=${name}']`).click();
    const chapter = await details(page, name);
    await chapter.evaluate((section) => section.querySelectorAll("details").forEach((fold) => (fold.open = true)));
    await laidOut(page);
    const { root } = await devtools.send("DOM.getDocument");
    const { nodeIds } = await devtools.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector: ".formulas math :not(:has(*))" });
    const found = (await Promise.all(nodeIds.map((nodeId) => devtools.send("CSS.getPlatformFontsForNode", { nodeId })))).flatMap(({ fonts }) => fonts);
    assert.deepEqual([...new Set(found.map(({ familyName, isCustomFont }) => `${familyName} ${isCustomFont}`))], ["STIX Two Math true"], name);
    drawn += found.length;
  }
  assert.ok(drawn > 200, `${drawn} pieces of formulas`);
  assert.equal(fonts.length, 1);

  await t.test("a brace is as wide as what it embraces, wherever Chromium cuts its tiles", async () => {
    await follow(page, "/?embed=1&chapter=samples");
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

  await t.test("the brace of cases is as high as they are", async () => {
    await follow(page, "/?embed=1&chapter=vtec&vtec.days=1&vtec.stride=720");
    const chapter = await details(page, "vtec");
    await chapter.evaluate((section) => section.querySelectorAll("details").forEach((fold) => (fold.open = true)));
    await laidOut(page);
    const heights = await page.locator(".formulas mtable").evaluateAll((all) => all.filter((table) => table.previousElementSibling?.localName === "mo").map((table) => [table.previousElementSibling?.getBoundingClientRect().height ?? 0, table.getBoundingClientRect().height]));
    assert.ok(heights.length > 0);
    for (const [brace = 0, cases = 0] of heights) assert.ok(brace > 0.9 * cases && cases > 50, `${brace} of ${cases} px`);
  });
});

test("what a phone cuts of a formula or a table has a shadow at the side that it goes on, light, dark and in the reader's own colours", acceptance, async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=algorithm", { viewport: { width: 390, height: 844 } });
  await details(page, "algorithm");
  /** Whether there is a shadow at the left edge of a box and at its right one: how far the colours there are from the ground. @param {Locator} box */
  const shadows = async (box) => {
    const clip = await box.evaluate((element) => {
      const { left, width } = element.getBoundingClientRect();
      const { bottom } = (element.querySelector("tbody") ?? element).getBoundingClientRect();
      return { x: Math.ceil(left), y: Math.floor(bottom) - 4, width: Math.floor(width), height: 2 }; // under the ink, and under the ground that forced colours give it
    });
    const { width, data } = PNG.sync.read(await page.screenshot({ clip }));
    return [0, width - 1].map((x) => Math.abs((data[4 * x] ?? NaN) - (data[4 * (width >> 1)] ?? NaN)) > 20);
  };
  for (const media of /** @type {const} */ ([{ colorScheme: "light" }, { colorScheme: "dark" }, { colorScheme: "light", forcedColors: "active" }])) {
    await page.emulateMedia(media);
    for (const selector of [".formulas", ".scroll:has(> table)"]) {
      const box = page.locator(`#algorithm ${selector}`).first();
      await box.scrollIntoViewIfNeeded();
      for (const [scrolled, wanted] of /** @type {const} */ ([[1e6, [true, false]], [0, [false, true]]])) {
        await box.evaluate((element, scrolled) => (element.scrollLeft = scrolled), scrolled);
        assert.deepEqual(await shadows(box), wanted, `${selector}, ${JSON.stringify(media)}, scrolled by ${scrolled}`);
      }
    }
  }
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.locator("#algorithm .formulas").first().scrollIntoViewIfNeeded();
  assert.deepEqual(await shadows(page.locator("#algorithm .formulas").first()), [false, false], "what is whole has none");
});
