// @ts-check
/** The opening: a page with no settings of its own begins with signs that agree and flips one by itself, unless the reader acts first. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, openPage, origin, release, settled, still } from "./lab.mjs";

const figure = "ifm-figure";

/** What is seen at one moment. @param {Page} page */
const look = (page) =>
  page.evaluate(() => {
    const { training, other } = /** @type {any} */ (document.querySelector("ifm-figure"));
    const { lab } = /** @type {any} */ (document.querySelector("ifm-app"));
    return {
      at: performance.now(),
      sign: document.querySelector("input[name=scenario]:checked")?.getAttribute("value") ?? "",
      phase: /** @type {string} */ (training.phase),
      query: /** @type {string} */ (training.query),
      beside: /** @type {string} */ (other.phase),
      iteration: Math.max(0, ...training.lines.map((/** @type {any} */ line) => line.iteration.at(-1) ?? 0)),
      address: location.search,
      shared: /** @type {string} */ (lab.page.query),
    };
  });

/** Lets a held clock go on until what is seen is so. @param {Page} page @param {(seen: Awaited<ReturnType<typeof look>>) => boolean} so */
async function until(page, so) {
  for (let frames = 0; frames < 3000; frames++) {
    const seen = await look(page);
    if (so(seen)) return seen;
    await page.clock.runFor(40);
  }
  return assert.fail("it is seen in time");
}

/** In the middle of the opening. @param {Page} page */
const middle = (page) => until(page, ({ sign, phase, iteration }) => sign === "psd" && phase === "running" && iteration > 30);

test("the opening begins by itself where nothing else is asked for, and gives way to whoever acts", async (t) => {
  const page = await openPage(t, "about:blank", { held: true });

  await t.test("signs agree first; three seconds after that run is over one flips, and both runs stand side by side", async () => {
    await page.goto(`${await origin()}/`);
    const first = await until(page, ({ sign, phase }) => sign === "psd" && phase === "done");
    const flip = await until(page, ({ sign }) => sign === "flipped");
    assert.ok(flip.at - first.at > 2800 && flip.at - first.at < 3400, `it waits three seconds, give or take two redraws: ${flip.at - first.at} ms`);
    const last = await until(page, ({ phase }) => phase === "done");
    assert.deepEqual([first, flip, last].flatMap(({ address, shared }) => [address, shared]).filter((query) => query !== ""), [], "neither the address nor what is shared changes");
    assert.deepEqual([last.query, last.beside], ["", "done"], "the run is one of the default settings");
    assert.equal(await page.locator(`${figure} .invite`).count(), 0);
  });

  await t.test("whoever acts during the opening ends it, and what they want is done", async () => {
    await page.goto("about:blank");
    await page.goto(`${await origin()}/`);
    await middle(page);
    await page.locator("input[value=mixed]").check();
    await still(page, 5000);
    const seen = await look(page);
    assert.deepEqual([seen.sign, seen.phase, seen.address], ["mixed", "done", "?scenario=mixed"]);
  });

  await t.test("who wants nothing to move sees before and after the flip side by side, at rest", async () => {
    await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "dark" });
    await page.goto(`${await origin()}/`);
    await still(page, 500);
    const seen = await look(page);
    assert.deepEqual([seen.sign, seen.phase, seen.beside, seen.address], ["flipped", "done", "done", ""]);
    assert.equal(await page.locator(`${figure} .curve-svg`).count(), 2);
    await release(page);
    await assertAccessible(page, { include: [figure] });
  });
});

test("a word tells what it means where it stands, by keyboard, and Escape closes it; nothing moves", async (t) => {
  const page = await openPage(t, "/?speed=instant&d=8&k=2&n=200&test=100&iterations=20", { viewport: { width: 360, height: 740 } });
  await settled(page);
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  const before = await height();
  for (const word of ["fm", "stem", "copies"]) {
    const term = page.locator(`${figure} ifm-term[word=${word}]`).first();
    await term.locator("button").focus();
    await page.keyboard.press("Enter");
    const meaning = term.locator(".meaning");
    await meaning.filter({ hasText: /\w{3}/ }).waitFor();
    await settled(page);
    const box = await meaning.boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 360, `${word} is within the page`);
    assert.equal(await height(), before, `${word} moves nothing`);
    await page.keyboard.press("Escape");
    await meaning.waitFor({ state: "hidden" });
    assert.ok(await term.locator("button").evaluate((button) => button === document.activeElement), "the focus stays on the word");
  }
});
