// @ts-check
/** What holds of every chapter, at three widths, light and dark: it fits its window, keeps its places, says little, and has axe's rules. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, assertAccessible, assertFits, openPage, settled } from "./lab.mjs";
import { measured, outside, shift } from "./measure.mjs";

const chapters = ["interaction", "reach", "spectrum", "psd", "loophole", "break", "matter", "data", "vtec", "diagonal", "samples", "algorithm"];

/** Settings that make each chapter short; what they teach is left to the other tests. */
const quick = [
  "psd.d=12&psd.k=2&psd.rows=10&psd.test=100&psd.trials=2&psd.iterations=8",
  "reach.n=200&reach.test=100&reach.iterations=40",
  "break.draws=10",
  "diagonal.d=10&diagonal.trials=2&diagonal.taus=2,0.1,0&diagonal.solver=gauss-newton&diagonal.iterations=8",
  "samples.d=12&samples.trials=2&samples.ratios=1,4,8",
  "spectrum.d=12&spectrum.n=400&spectrum.test=200&spectrum.ranks=1,3,8&spectrum.iterations=60",
  "matter.levels=5&matter.n=400&matter.test=100&matter.iterations=100",
  "loophole.d=6&loophole.n=100&loophole.test=50&loophole.iterations=60",
  "algorithm.d=12&algorithm.iterations=8",
  "vtec.days=2&vtec.stride=360&vtec.fixes=720",
  "data.trials=1&data.ranks=2&data.lambdas=0.1&data.iterations=40",
].join("&");

/** At most so much there may be of each measure, at each width or at one. */
const most = { words: 180, windows: 2, "px under 14": 0, "thousandths moved": 20, "boxes with room": 0, "inner scrolls": 0, "outside the window": 0, "sticks out": 0, "against axe's rules": 0 };

/** How many faults an assertion tells of. @param {Promise<void>} asserted */
const faults = (asserted) => asserted.then(() => 0, (error) => {
  if (!(error instanceof assert.AssertionError)) throw error;
  return Array.isArray(error.actual) ? error.actual.length : 1;
});

for (const [width, height, colorScheme, when] of /** @type {const} */ ([[1280, 800, "light", {}], [390, 844, "dark", {}], [1920, 1080, "dark", acceptance], [390, 844, "light", acceptance], [1280, 800, "dark", acceptance], [1920, 1080, "light", acceptance]])) {
  test(`each chapter holds its measures at ${width} px, ${colorScheme}`, when, async (t) => {
    for (const name of chapters) {
      await t.test(name, async (t) => {
        const page = await openPage(t, `/?chapter=${name}&${quick}`, { viewport: { width, height }, colorScheme });
        const chapter = page.locator(`#${name} .chapter`);
        await chapter.waitFor();
        await settled(page);
        assert.equal(await chapter.locator(".answer, .told, .explained").count(), 0, "nothing is told before it is asked");
        const before = await measured(page);
        const beside = width >= 1000 ? [".question", "[data-guess]", `#${name} .seen`] : [];
        const out = await outside(page, beside);
        await chapter.locator("[data-guess]").last().press("Enter");
        await settled(page);
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
          "boxes with room": after.slack.length,
          "inner scrolls": scrolls.length,
          "outside the window": out.length,
          "sticks out": closed + (await faults(assertFits(page))),
          "against axe's rules": await faults(assertAccessible(page, { include: ["#main"], exclude: ["tbody tr:nth-child(n + 4)"] })), // what is asked of all rows is asked of three
        };
        await page.close();
        const wrong = Object.entries(most).flatMap(([what, most]) => {
          const is = found[/** @type {keyof typeof found} */ (what)];
          return is > most ? [`${name} ${width} ${what}: ${is}`] : [];
        });
        if (wrong.length > 0) t.diagnostic([...out, ...after.slack, ...scrolls].join("\n"));
        assert.deepEqual(wrong, []);
      });
    }
  });
}
