// @ts-check
/** The lesson from its first chapter to its last, as a reader walks it: by keyboard alone on a phone in the dark, by mouse on a screen in the light. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, assertAccessible, assertFits, openPage, settled, tabTo } from "./lab.mjs";

/** Settings that make each chapter short; what they teach is left to the other tests. */
const quick = [
  "psd.d=12&psd.k=2&psd.rows=10&psd.test=100&psd.trials=2&psd.iterations=40",
  "reach.n=200&reach.test=100&reach.iterations=40",
  "break.draws=10",
  "diagonal.d=10&diagonal.trials=2&diagonal.taus=2,0.1,0&diagonal.solver=gauss-newton&diagonal.iterations=40",
  "samples.d=12&samples.trials=2&samples.ratios=1,4,8",
  "spectrum.d=12&spectrum.n=400&spectrum.test=200&spectrum.ranks=1,3,8&spectrum.iterations=60",
  "loophole.d=6&loophole.n=100&loophole.test=50&loophole.iterations=60",
  "algorithm.d=12",
  "vtec.days=2&vtec.stride=360&vtec.fixes=720",
  "data.trials=1&data.ranks=2&data.lambdas=0.1&data.iterations=40",
].join("&");

/** What can be wrong with chapters only beside each other: the tests of each check it by all rules. */
const together = ["duplicate-id-aria", "heading-order", "landmark-unique", "page-has-heading-one", "region"];

for (const [width, height, colorScheme, by] of /** @type {const} */ ([
  [360, 740, "dark", "keyboard"],
  [1440, 900, "light", "mouse"],
])) {
  test(`the lesson is walked by ${by} at ${width}×${height}, ${colorScheme}`, by === "mouse" ? acceptance : {}, async (t) => {
    const page = await openPage(t, `/?speed=instant&d=8&k=2&n=100&iterations=20&${quick}`, { viewport: { width, height }, colorScheme });
    const keyboard = by === "keyboard";
    /** @param {string} selector */
    const press = async (selector) => {
      if (!keyboard) return page.locator(selector).click();
      await tabTo(page, selector);
      await page.keyboard.press("Enter");
    };
    await press("nav a[href='#lesson']");
    await settled(page);
    const chapters = await page.locator(".contents a").evaluateAll((links) => links.map((link) => link.getAttribute("href")?.slice(1) ?? ""));
    assert.deepEqual(chapters, ["interaction", "psd", "reach", "spectrum", "loophole", "break", "diagonal", "samples", "algorithm", "vtec", "data"]);
    const walked = process.env["LONG"] ? chapters : ["interaction", "data"];
    for (const name of walked) {
      await page.locator("nav a[href='#lesson']").focus();
      await press(`.contents a[href='#${name}']`);
      await settled(page);
      const chapter = page.locator(`#${name} .chapter`);
      assert.match(await chapter.locator(".says .unsaid").innerText(), /will stand here/, "nothing is told before it is asked");
      await press(`#${name} [data-guess]:last-child`);
      await settled(page);
      assert.equal(await chapter.getAttribute("data-phase"), "done");
      const guess = await chapter.locator("[data-guess] .text").last().innerText();
      const answer = await chapter.locator(".answer").innerText();
      assert.ok(answer.startsWith(`You guessed “${guess}”`) || /does not decide/.test(answer), answer);
      assert.match(await chapter.locator(".told").innerText(), /\d/, "the explanation has numbers in it");
      assert.match(page.url(), new RegExp(`chapter=${name}`), "and the address leads back here");
      assert.equal(await chapter.locator("[role=alert]").count(), 0);
      await assertFits(page);
    }
    await assertAccessible(page, { rules: by === "keyboard" ? together : [] });
  });
}
