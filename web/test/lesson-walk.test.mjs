// @ts-check
/** What holds of every chapter, at three widths, light and dark: it fits its window, keeps its places, says little, and has axe's rules. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, assertAccessible, assertFits, openPage, settled } from "./lab.mjs";
import { measured, outside, shift } from "./measure.mjs";

const chapters = ["interaction", "psd", "reach", "spectrum", "loophole", "break", "diagonal", "samples", "algorithm", "vtec", "data"];

/** Settings that make each chapter short; what they teach is left to the other tests. */
const quick = [
  "psd.d=12&psd.k=2&psd.rows=10&psd.test=100&psd.trials=2&psd.iterations=8",
  "reach.n=200&reach.test=100&reach.iterations=40",
  "break.draws=10",
  "diagonal.d=10&diagonal.trials=2&diagonal.taus=2,0.1,0&diagonal.solver=gauss-newton&diagonal.iterations=8",
  "samples.d=12&samples.trials=2&samples.ratios=1,4,8",
  "spectrum.d=12&spectrum.n=400&spectrum.test=200&spectrum.ranks=1,3,8&spectrum.iterations=60",
  "loophole.d=6&loophole.n=100&loophole.test=50&loophole.iterations=60",
  "algorithm.d=12&algorithm.iterations=8",
  "vtec.days=2&vtec.stride=360&vtec.fixes=720",
  "data.trials=1&data.ranks=2&data.lambdas=0.1&data.iterations=40",
].join("&");

const WORDS = 180; // before the answer
const WINDOWS = 2; // high at 1280 × 800, once it is answered
const MOVED = 0.02; // of the window, by itself

for (const [width, height, colorScheme] of /** @type {const} */ ([[1280, 800, "light"], [390, 844, "dark"], [1920, 1080, "dark"], [390, 844, "light"], [1280, 800, "dark"], [1920, 1080, "light"]])) {
  test(`each chapter holds its measures at ${width} px, ${colorScheme}`, (width === 1920) === (colorScheme === "light") ? {} : acceptance, async (t) => {
    for (const name of chapters) {
      await t.test(name, async (t) => {
        /** @type {string[]} */
        const wrong = [];
        const page = await openPage(t, `/?chapter=${name}&${quick}`, { viewport: { width, height }, colorScheme });
        const chapter = page.locator(`#${name} .chapter`);
        await chapter.waitFor();
        await settled(page);
        assert.equal(await chapter.locator(".answer, .told, .explained").count(), 0, "nothing is told before it is asked");
        const before = await measured(page);
        if (before.words.length > WORDS) wrong.push(`${before.words.length} words: ${before.words.join(" ")}`);
        const beside = width >= 1000 ? [".question", "[data-guess]", `#${name} .seen`] : [];
        wrong.push(...(await outside(page, beside)));
        await chapter.locator("[data-guess]").last().press("Enter");
        await settled(page);
        assert.equal(await chapter.getAttribute("data-phase"), "done");
        assert.equal(await chapter.locator("[role=alert]").count(), 0);
        wrong.push(...(await outside(page, [...beside, ".outcome"])));
        const after = await measured(page);
        if (width === 1280 && after.windows > WINDOWS) wrong.push(`${after.windows.toFixed(1)} windows`);
        if (after.smallest < 14) wrong.push(`letters of ${after.smallest} px`);
        wrong.push(...after.slack, ...after.scrolls.filter((scroll) => !scroll.endsWith(" 0 down")));
        const moved = await shift(page);
        if (moved > MOVED) wrong.push(`moved by ${moved.toFixed(3)}`);
        await assertFits(page);
        await chapter.locator(".details").evaluate((/** @type {HTMLDetailsElement} */ more) => void (more.open = true));
        await settled(page);
        await assertFits(page);
        await assertAccessible(page, { include: ["#main"], exclude: ["tbody tr:nth-child(n + 4)"] }); // what is asked of all rows is asked of three
        await page.close();
        assert.deepEqual(wrong, []);
      });
    }
  });
}
