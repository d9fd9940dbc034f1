// @ts-check
/** The chapters of the lesson, each alone as a frame shows it: asked, answered and opened, it fits, keeps its places and axe's rules; and all of them on one page, by keyboard. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, assertAccessible, assertFits, follow, openPage, settled, tabTo } from "./lab.mjs";

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

/** Fails unless a chapter that has been asked the last guess has answered it. @param {Locator} chapter */
async function answered(chapter) {
  await settled(chapter.page());
  assert.equal(await chapter.getAttribute("data-phase"), "done");
  const guess = await chapter.locator("[data-guess] .text").last().innerText();
  const answer = await chapter.locator(".answer").innerText();
  assert.ok(answer.startsWith(`You guessed “${guess}”`) || /does not decide/.test(answer), answer);
  assert.match(await chapter.locator(".told").innerText(), /\d/, "the explanation has numbers in it");
  assert.equal(await chapter.locator("[role=alert]").count(), 0);
}

for (const [colorScheme, ...widths] of /** @type {const} */ ([["dark", 360, 320], ["light", 1440]])) {
  test(`each chapter fits, keeps its places and axe's rules, ${colorScheme}, ${widths.join(" and ")} px`, widths[0] === 360 ? {} : acceptance, async (t) => {
    const page = await openPage(t, "/?embed=1&chapter=interaction", { viewport: { width: widths[0], height: 740 }, colorScheme, reducedMotion: "reduce" });
    for (const name of chapters) {
      await t.test(name, async () => {
        await page.setViewportSize({ width: widths[0], height: 740 });
        await follow(page, `/?embed=1&chapter=${name}&${quick}`);
        const chapter = page.locator(`#${name} .chapter`);
        const places = () => chapter.evaluate((section) => Array.from(section.children, (child) => child.getBoundingClientRect().top - section.getBoundingClientRect().top));
        assert.equal(await chapter.locator(".says .unsaid").count(), 1, "nothing is told before it is asked");
        await assertFits(page);
        const before = await places();
        await chapter.locator("[data-guess]").last().press("Enter");
        await answered(chapter);
        const moved = (await places()).map((top, i) => Math.abs(top - (before[i] ?? NaN)));
        if (chapters.indexOf(name) < 6) assert.ok(Math.max(...moved) <= 24, `nothing moves by a line of text: ${moved} px`);
        await chapter.evaluate((section) => section.querySelectorAll("details").forEach((fold) => (fold.open = true)));
        for (const width of widths) {
          await page.setViewportSize({ width, height: 740 });
          await settled(page);
          await assertFits(page);
        }
        await assertAccessible(page, { include: [`#${name}`], exclude: ["tbody tr:nth-child(n + 4)"], without: ["heading-order"] }); // a frame has no h2, and what is asked of all rows is asked of three
      });
    }
  });
}

test("by keyboard alone the lesson is walked from its contents, and its chapters stand beside each other", async (t) => {
  const page = await openPage(t, `/?speed=instant&d=8&k=2&n=100&iterations=20&${quick}`, { viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await settled(page);
  for (const name of ["interaction", "data"]) {
    for (const selector of ["nav a[href='#lesson']", `.contents a[href='#${name}']`, `#${name} [data-guess]:last-child`]) {
      await page.locator("body").evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
      await tabTo(page, selector);
      await page.keyboard.press("Enter");
      await settled(page);
    }
    await answered(page.locator(`#${name} .chapter`));
    assert.match(page.url(), new RegExp(`chapter=${name}`), "and the address leads back here");
    await assertFits(page);
  }
  assert.deepEqual(await page.locator(".contents a").evaluateAll((links) => links.map((link) => link.getAttribute("href")?.slice(1))), chapters);
  await assertAccessible(page, { rules: ["duplicate-id-aria", "heading-order", "landmark-unique", "page-has-heading-one", "region"] }); // what can be wrong with chapters only beside each other
});
