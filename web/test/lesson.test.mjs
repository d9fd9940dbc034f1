// @ts-check
/** The paper's experiments: their numbers are the ones that the same settings give natively, and a reader can start, stop and read them by any means. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, follow, matchPicture, openPage, settled, tabTo } from "./lab.mjs";
import { near, open, own, run } from "./lesson.mjs";
import { records } from "./native.mjs";
import { openData } from "./table.mjs";

const small = { d: 12, k: 2, rows: 10, test: 100, trials: 1, iterations: 40 };
const figure = "d=8&k=2&n=100&iterations=20&speed=instant"; // takes no time

test("Figure 1 looks as in the README", acceptance, async (t) => {
  const page = await openPage(t, `/?chapter=psd${own("psd", { d: 50, k: 3, test: 2000, trials: 5 })}`, { viewport: { width: 1280, height: 900 } });
  const experiment = page.locator("#psd .chapter");
  await settled(page);
  await experiment.locator("[data-guess=worse]").click();
  await run(experiment);
  await page.evaluate(() => document.fonts.ready);
  await page.mouse.move(0, 0);
  await experiment.locator(".cost").evaluate((cost) => (cost.style.visibility = "hidden")); // it says how long the run took
  await settled(page);
  await matchPicture(experiment, "figure1");
});

test("Figure 1 of the page is the native runs, in all three panels, and says what they mean", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=psd");
  const experiment = await open(page, "psd", small);
  await run(experiment);
  const chart = (/** @type {string} */ scenario) => experiment.locator(`ifm-chart[data-chart=${scenario}]`);
  for (const scenario of ["psd", "flipped", "mixed"]) {
    const rows = await records(`scenario=${scenario}&d=12&k=2&n=240&test=100&iterations=40`);
    await settled(page, openData(chart(scenario)));
    assert.equal(await chart(scenario).locator("tbody tr").count(), 41);
    const shown = (/** @type {string} */ name) => chart(scenario).locator(`td[data-column=${name}]`).evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute("data-value"))));
    const native = (/** @type {string} */ model, /** @type {number} */ i) => Number(rows.findLast((row) => row["model"] === model && Number(row["iteration"]) <= i)?.["test"]);
    const [fm, ifm] = [await shown("FM"), await shown("iFM")];
    const scale = (fm[0] ?? 0) / native("fm", 0); // the page divides by a straight line's error, which the records lack
    for (const [model, values] of /** @type {const} */ ([["fm", fm], ["ifm", ifm]])) values.forEach((value, i) => near(value, scale * native(model, i), `${scenario}, ${model} at iteration ${i}`));
  }
  assert.match(await experiment.locator(".live").innerText(), /^Live: computed in this browser\. 240 training rows, 100 test rows, d = 12, k = 2, seed 1/);
  const [a, b] = await Promise.all(["psd", "flipped"].map((scenario) => experiment.locator(`[data-ending="ifm ${scenario}"]`).getAttribute("data-value")));
  assert.equal(a, b);
  assert.ok(Number(a) > 0 && Number(a) < 0.2, `iFM ends at ${a} of what a linear model leaves`);
});

test("the map counts what was found, and a cell opens its run in the figure", async (t) => {
  const page = await openPage(t, `/?theme=dark&seed=5&${figure}${own("samples", { d: 12, trials: 4, ks: "1,2", ratios: "1,8" })}#samples`);
  const experiment = page.locator("#samples .chapter");
  await settled(page);
  await run(experiment);
  assert.equal(await experiment.locator('[data-cell="2 8"]').innerText(), "4/4");
  const link = experiment.getByRole("link", { name: /^k = 2, n = 8 dk: found in/ });
  const href = await link.getAttribute("href");
  await link.click();
  await page.waitForURL(/k=2&n=192/);
  await settled(page);
  assert.equal(await page.locator("main").getAttribute("data-place"), "figure");
  assert.equal(page.url().replaceAll(/&samples\.[^&#]*/g, ""), new URL(href ?? "", page.url()).href.replace("#figure", ""), "the link says where it goes; the map's own settings stay");
  assert.match(page.url(), /solver=gauss-newton.*theme=dark/);
  assert.equal(await page.locator("ifm-figure .verdict").getAttribute("data-phase"), "done");
  assert.match(await page.locator("ifm-figure .live").innerText(), /192 training rows.*Gauss–Newton/);
  await page.goBack();
  await page.waitForURL((url) => url.searchParams.get("seed") === "5" && url.searchParams.get("n") === "100");
});

/** What stands on each guess. @param {Locator} chapter */
const marks = async (chapter) => Object.fromEntries(await chapter.locator("[data-guess]").evaluateAll((all) => all.map((button) => [button.getAttribute("data-guess"), [button.querySelector("svg")?.getAttribute("class") ?? "", button.querySelector(".came")?.textContent?.trim() ?? ""]])));

/** The chapter's own settings in the address. @param {Page} page @param {string} name */
const chosen = (page, name) => [...new URL(page.url()).searchParams].filter(([key]) => key.startsWith(`${name}.`)).map(([key, value]) => `${key.slice(name.length + 1)}=${value}`).join("&");

test("a guess is answered where it was made, by a sign and in words, and a change of mind is told apart", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=interaction");
  const chapter = page.locator("#interaction .chapter");
  const outcome = chapter.locator(".outcome[role=status]");
  await settled(page);
  assert.equal(await chapter.getAttribute("data-phase"), "done", "it runs by itself");
  assert.equal(await chapter.locator(".answer, .told").count(), 0, "and tells nothing before the guess");
  assert.deepEqual(await marks(chapter), { all: ["", ""], half: ["", ""], nothing: ["", ""] });
  await tabTo(page, "[data-guess=half]");
  await settled(page, page.keyboard.press("Enter"));
  assert.deepEqual(await marks(chapter), { all: ["", ""], half: ["cross", "Your guess: wrong"], nothing: ["tick", "The answer"] });
  assert.match(await outcome.innerText(), /^Not quite: /);
  assert.equal(chosen(page, "interaction"), "guess=half");
  await tabTo(page, "[data-guess=nothing]");
  await settled(page, page.keyboard.press("Space"));
  assert.deepEqual(await marks(chapter), { all: ["", ""], half: ["cross", "Your first guess: wrong"], nothing: ["tick", "Your last guess: right"] });
  assert.match(await outcome.innerText(), /^Correct/);
  assert.equal(chosen(page, "interaction"), "guess=half&then=nothing");

  await t.test("who opens the address again finds the guesses as they were made, and their answer", async () => {
    await settled(page, page.reload());
    assert.equal((await marks(chapter))["nothing"]?.[1], "Your last guess: right");
    assert.equal(await chapter.locator("[aria-pressed=true]").getAttribute("data-guess"), "nothing");
  });
});

test("a small run answers, the first trial does while the others go on, and a stop keeps what it said", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=psd&psd.d=30&psd.k=3&psd.test=1000&psd.trials=50", { viewport: { width: 390, height: 844 } });
  const chapter = page.locator("#psd .chapter");
  await settled(page);
  await chapter.locator("[data-guess=worse]").click();
  const answer = chapter.locator(".answer");
  await answer.waitFor();
  assert.equal(await answer.getAttribute("data-early"), "true");
  const box = await chapter.locator(".outcome").boundingBox();
  assert.ok(box && box.y >= 0 && box.y + box.height <= 844, `on a phone the answer is in sight: ${JSON.stringify(box)}`);
  await chapter.locator(".run").click();
  await chapter.locator(".stop").waitFor();
  await answer.waitFor();
  await settled(page, chapter.locator(".stop").click());
  assert.equal(await chapter.getAttribute("data-phase"), "stopped");
  assert.match(await chapter.locator(".cost").innerText(), /^Stopped: \d+ of 300 runs/);
  assert.doesNotMatch(await chapter.innerText(), /will be added/);
  assert.equal(await answer.count(), 1);
});

test("one walks from chapter to chapter by keyboard, Back leads back, and what was run is there still", async (t) => {
  const page = await openPage(t, `/?chapter=interaction&psd.d=12&psd.k=2&psd.rows=10&psd.test=100&psd.trials=2&psd.iterations=40`);
  const lesson = page.locator("ifm-lesson");
  await settled(page);
  assert.equal(await lesson.locator("ifm-chapter").count(), 1);
  assert.match(await lesson.locator(".next").innerText(), /Skip/);
  await tabTo(page, "[data-guess=nothing]");
  await settled(page, page.keyboard.press("Enter"));
  assert.equal(await lesson.locator("li[data-state=answered]").count(), 1);
  assert.ok(await lesson.locator(".next.primary").isVisible(), "the way on is the main button now");
  await tabTo(page, ".onward .next");
  await settled(page, page.keyboard.press("Enter"));
  assert.match(page.url(), /chapter=reach/);
  assert.match(page.url(), /interaction\.guess=nothing/, "the guess stays in the address");
  assert.equal(await lesson.locator("ifm-chapter").getAttribute("id"), "reach");
  assert.equal(await page.evaluate(() => scrollY), 0);
  await settled(page, page.goBack());
  const chapter = page.locator("#interaction .chapter");
  assert.equal(await chapter.getAttribute("data-phase"), "done");
  assert.equal(await chapter.locator(".answer").getAttribute("data-answer"), "nothing");

  await t.test("a run that is left waits, and goes on when one comes back", async () => {
    await follow(page, "/?chapter=psd&psd.trials=50&psd.d=30&psd.test=1000");
    const psd = page.locator("#psd .chapter");
    await settled(page);
    await psd.locator("[data-guess=stuck]").click();
    await psd.locator(".run").click();
    await psd.and(page.locator("[data-phase=running]")).waitFor();
    await settled(page, page.locator(".contents a[href='?chapter=interaction']").click());
    await page.locator(".contents a[href='?chapter=psd']").click();
    await psd.and(page.locator("[data-phase=running]")).waitFor();
    await settled(page, psd.locator(".stop").click());
  });
  await t.test("on a phone the contents open from a bar, and close with the choice", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const bar = page.locator(".drawer");
    assert.match(await bar.innerText(), /^\s*4 of 12: /);
    await bar.press("Enter");
    await settled(page, page.locator(".contents a[href='?chapter=spectrum']").press("Enter"));
    assert.match(await bar.innerText(), /^\s*3 of 12: /);
    assert.equal(await page.locator(".contents").isVisible(), false);
  });
});

test("a guess while the whole run is on waits for it, and runs nothing a second time", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=break&break.draws=600");
  const chapter = page.locator("#break .chapter");
  await page.locator("#break .chapter[data-phase=running]").waitFor();
  await chapter.evaluate((element) => {
    const phases = /** @type {any} */ (window).phases = /** @type {(string | null)[]} */ ([]);
    new MutationObserver(() => phases.push(element.getAttribute("data-phase"))).observe(element, { attributeFilter: ["data-phase"] });
  });
  await settled(page, chapter.locator("[data-guess]").first().click());
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).phases), ["done"]);
});
