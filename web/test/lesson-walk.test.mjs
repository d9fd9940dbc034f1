// @ts-check
/** What holds of every chapter, on a screen in the light and on a phone in the dark, in LONG=1 loaded there and on a wide screen too: it fits its window, keeps its places, says little, and has axe's rules. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, assertAccessible, assertFits, openPage, settled } from "./lab.mjs";
import { chapters, quick } from "./lesson.mjs";
import { measured, outside, shift } from "./measure.mjs";

/** At most so much there may be of each measure, at each width or at one. */
const most = { words: 180, windows: 2, "px under 14": 0, "thousandths moved": 20, "inner scrolls": 0, "outside the window": 0, "sticks out": 0, "against axe's rules": 0 };

/** How many faults an assertion tells of. @param {Promise<void>} asserted */
const faults = (asserted) => asserted.then(() => 0, (error) => {
  if (!(error instanceof assert.AssertionError)) throw error;
  return Array.isArray(error.actual) ? error.actual.length : 1;
});

/** The families that formulas are drawn in, and whether the page brings them. @param {Page} page */
async function fonts(page) {
  const devtools = await page.context().newCDPSession(page);
  for (const domain of /** @type {const} */ (["DOM", "CSS"])) await devtools.send(`${domain}.enable`);
  const { root } = await devtools.send("DOM.getDocument");
  const { nodeIds } = await devtools.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector: ".formulas math :not(:has(*))" });
  const found = await Promise.all(nodeIds.map((nodeId) => devtools.send("CSS.getPlatformFontsForNode", { nodeId })));
  await devtools.detach();
  return [...new Set(found.flatMap(({ fonts }) => fonts.map(({ familyName, isCustomFont }) => `${familyName} ${isCustomFont}`)))];
}

for (const [width, height, colorScheme, when] of /** @type {const} */ ([[1280, 800, "light", {}], [390, 844, "dark", acceptance], [1920, 1080, "light", acceptance]])) {
  test(`each chapter holds its measures at ${width} px, ${colorScheme}`, when, async (t) => {
    for (const [at, name] of chapters.entries()) {
      await t.test(name, async (t) => {
        const page = await openPage(t, `/?chapter=${name}&${quick}`, { viewport: { width, height }, colorScheme });
        const chapter = page.locator(`#${name} .chapter`);
        const axe = () => assertAccessible(page, { include: ["#main"], exclude: ["tbody tr:nth-child(n + 4)"] }); // what is asked of all rows is asked of three; chapters take turns in the colours
        await chapter.waitFor();
        await settled(page);
        assert.equal(await chapter.locator(".answer, .told, .explained").count(), 0, "nothing is told before it is asked");
        const before = await measured(page);
        const beside = width >= 1000 ? [".question", "[data-guess]", `#${name} .seen`] : [];
        const out = await outside(page, beside);
        await settled(page, chapter.locator("[data-guess]").last().press("Enter"));
        assert.equal(await chapter.getAttribute("data-phase"), "done");
        assert.equal(await chapter.locator("[role=alert]").count(), 0);
        out.push(...(await outside(page, [...beside, ".outcome"])));
        const after = await measured(page);
        const moved = await shift(page);
        const closed = await faults(assertFits(page));
        await chapter.locator(".details").evaluate((/** @type {HTMLDetailsElement} */ more) => void (more.open = true));
        await settled(page);
        const scrolls = after.scrolls.filter((scroll) => !scroll.endsWith(" 0 down"));
        /** @type {Record<keyof typeof most, number>} */
        const found = {
          words: before.words.length,
          windows: width === 1280 ? Number(after.windows.toFixed(1)) : 0,
          "px under 14": Math.max(0, Math.ceil(14 - after.smallest)),
          "thousandths moved": Math.round(1000 * moved),
          "inner scrolls": scrolls.length,
          "outside the window": out.length,
          "sticks out": closed + (await faults(assertFits(page))),
          "against axe's rules": width === 1280 && at % 2 === 1 ? 0 : await faults(axe()),
        };
        if (width === 1280) {
          await page.setViewportSize({ width: 390, height: 844 });
          await page.emulateMedia({ colorScheme: "dark" });
          await chapter.locator(".details").evaluate((/** @type {HTMLDetailsElement} */ more) => void (more.open = false));
          await settled(page);
          const small = await measured(page);
          scrolls.push(...small.scrolls.filter((scroll) => !scroll.endsWith(" 0 down")));
          found["inner scrolls"] = scrolls.length;
          found["px under 14"] = Math.max(found["px under 14"], Math.ceil(14 - small.smallest));
          found["sticks out"] += await faults(assertFits(page));
          await chapter.evaluate((section) => section.querySelectorAll("details").forEach((fold) => (fold.open = true)));
          await settled(page);
          if (at % 2 === 1) found["against axe's rules"] += await faults(axe());
          if (!["data", "vtec"].includes(name)) assert.deepEqual(await fonts(page), ["STIX Two Math true"]);
        }
        await page.close();
        const wrong = Object.entries(most).flatMap(([what, most]) => {
          const is = found[/** @type {keyof typeof found} */ (what)];
          return is > most ? [`${name} ${width} ${what}: ${is}`] : [];
        });
        if (wrong.length > 0) t.diagnostic([...out, ...scrolls].join("\n"));
        assert.deepEqual(wrong, []);
      });
    }
  });
}
