// @ts-check
/** The figure: flip a sign in either picture, read exact values, change what is run, and the link that holds it all. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, follow, gate, openPage, origin, settled } from "./lab.mjs";
import { figureDone as finished, openData } from "./table.mjs";

const figure = "ifm-figure";
const small = "d=8&k=2&n=200&test=100&iterations=20&speed=instant";

/** The errors behind the verdict, by whose they are. @param {Page} page @returns {Promise<Record<string, number>>} */
async function errors(page) {
  await finished(page);
  return page.locator(figure).evaluate((panel) => Object.fromEntries(/** @type {any} */ (panel).training.lines.map((/** @type {any} */ line) => [line.model, line.kept])));
}

/** @param {Page} page */
const verdict = (page) => page.locator(`${figure} [data-verdict]`).innerText();

/** The sign of each pair, as its button says it. @param {Page} page */
const signs = (page) => page.locator(`${figure} .sign`).evaluateAll((all) => all.map((button) => (/: plus/.test(button.ariaLabel ?? "") ? "+" : "−")).join(""));

/** @param {Page} page */
const scenario = (page) => page.locator(`${figure} input[name=scenario]:checked`).inputValue();

test("a reader flips a sign in either picture, and both follow", async (t) => {
  const page = await openPage(t, "/?scenario=psd&speed=instant");

  await t.test("the flip turns one sign on the left and all on the right: FM keeps most of the error, iFM none", async () => {
    await page.locator(`${figure} .invite button`).click();
    const { fm = NaN, ifm = NaN } = await errors(page);
    assert.ok(ifm < 0.01 * fm, `iFM ${ifm} is under 1 % of FM ${fm}`);
    assert.equal(await signs(page), "++−");
    assert.match(await verdict(page), /^When signs clash, FM removes 17 % of the error, iFM all\. +Why\?$/);
    assert.equal(await page.locator(`${figure} .dot.wrong`).count(), 1, "FM has one wrong");
    assert.equal(await page.locator(`${figure} .curve-svg`).count(), 2, "before and after stand side by side");
    assert.doesNotMatch(page.url(), /scenario/);
  });

  await t.test("a sign, a pattern and the switch are one state, which back undoes", async () => {
    await page.getByRole("button", { name: "tea with milk: plus. Flip" }).press("Enter");
    await page.waitForURL(/scenario=psd/);
    assert.deepEqual([await signs(page), await scenario(page)], ["−+−", "psd"]);
    await page.getByRole("button", { name: "Signs − − −" }).click();
    assert.deepEqual([await signs(page), await scenario(page)], ["−−−", "flipped"]);
    await page.locator("input[name=scenario]:checked").focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/scenario=mixed/);
    assert.equal(await signs(page), "−−−", "signs of both kinds leave the triangle");
    assert.equal(await page.locator(`${figure} .side.on h3`).innerText(), "+ − Both");
    await page.goBack();
    await page.locator("input[name=scenario][value=flipped]:checked").waitFor({ state: "attached" });
    await page.locator("input[name=scenario][value=psd]").check();
    assert.equal(await signs(page), "+++");
    await page.locator("input[name=scenario][value=flipped]").check();
    assert.equal(await signs(page), "++−", "the switch flips milk and lemon");
  });

  await t.test("who flips back finds the run that was there, and other settings train both anew", async () => {
    await finished(page);
    const shown = () => page.locator(figure).evaluate((/** @type {any} */ panel) => [panel.training.query, panel.other.query]);
    const run = await page.locator(figure).evaluateHandle((/** @type {any} */ panel) => panel.other.started);
    await page.locator("input[name=scenario][value=psd]").check();
    assert.ok(await page.locator(figure).evaluate((/** @type {any} */ panel, run) => panel.training.started === run, run));
    await page.locator(`${figure} [data-slide=noise]`).fill("0.5");
    await page.waitForURL(/noise=0.5/);
    await finished(page);
    assert.deepEqual(await shown(), ["scenario=psd&noise=0.5", "noise=0.5"], "both are trained anew");
  });

  await t.test("exact values are read off the curves and the stems by the arrow keys", async () => {
    await follow(page, "/?speed=instant");
    await finished(page);
    const cursor = page.locator(`${figure} .on`).getByRole("slider", { name: "Iteration under the cursor" });
    await cursor.focus();
    await page.keyboard.press("Home");
    for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
    assert.match((await cursor.getAttribute("aria-valuetext")) ?? "", /^Iteration 5: FM [\d.]+ %, iFM [\d.]+ %$/);
    assert.ok(await page.locator(`${figure} .on .chart .readout`).isVisible());
    const stems = page.locator(`${figure} .on`).getByRole("slider", { name: "Eigenvalue", exact: true });
    await stems.focus();
    await page.keyboard.press("End");
    assert.match((await stems.getAttribute("aria-valuetext")) ?? "", /^Eigenvalue 6 of 6; True −[\d.]+, negative; FM 0; iFM −[\d.]+, negative$/);
  });

  await t.test("heat maps, data and files come when they are asked for, and the axis is in the address", async () => {
    await page.getByRole("button", { name: /^More:/ }).click();
    await page.getByRole("checkbox", { name: "Heat maps" }).check();
    await page.getByRole("checkbox", { name: "Data and files" }).check();
    await page.getByRole("radio", { name: "log" }).check();
    await page.waitForURL(/scale=log/);
    await settled(page, page.keyboard.press("Escape"));
    const pairs = page.getByRole("slider", { name: "Pairs, sorted by disagreement" });
    await pairs.focus();
    await page.keyboard.press("ArrowRight");
    assert.match((await pairs.getAttribute("aria-valuetext")) ?? "", /^x\d+ × x\d+; True M\* [+−][\d.]+, (positive|negative); FM .*; iFM .*$/);
    await settled(page, openData(page.locator(`${figure} .on [data-chart=curve]`)));
    assert.equal(await page.locator(`${figure} .on .chart table tbody tr`).count(), 151);
    assert.equal(await page.locator(`${figure} .on .frame`).getAttribute("data-scale"), "log");
    await assertAccessible(page, { include: [figure] });
  });
});

test("rows in which two features are never both away from 0 cannot tell their interaction, and the figure counts such pairs", async (t) => {
  const page = await openPage(t, `/?features=threepoint&tau=30&${small}`);
  await finished(page);
  assert.match(await page.locator(`${figure} .verdict .notices li`).innerText(), /^these rows alone cannot tell \d+ of 28 interactions: /);
});

test("a browser without SIMD shows the same numbers, and the page says that it is one", { skip: process.arch !== "x64" }, async (t) => {
  /** @param {boolean} simd */
  const seen = async (simd) => {
    const page = await openPage(t, "/?speed=instant&k=5&iterations=40", { simd });
    return { numbers: await errors(page), live: await page.locator(`${figure} .live`).innerText() };
  };
  const [fast, slow] = [await seen(true), await seen(false)];
  assert.deepEqual(slow.numbers, fast.numbers, "to the last bit");
  assert.doesNotMatch(fast.live, /SIMD/);
  assert.match(slow.live, /This browser lacks SIMD/);
});

/** The iteration that the figure is at. @param {Page} page */
const iteration = async (page) => Number((await page.locator(`${figure} .progress`).innerText()).match(/\d+/)?.[0] ?? 0);

test("pause holds the run with both models at one iteration, step takes one, restart repeats it bit for bit", async (t) => {
  const page = await openPage(t, "/?iterations=400&d=12&n=300&speed=slow");
  await page.waitForFunction(() => Number(document.querySelector("ifm-figure .progress")?.textContent?.match(/\d+/)?.[0]) > 3);
  await settled(page, page.locator(figure).getByRole("button", { name: "Pause" }).click());
  const lines = () => page.locator(figure).evaluate((/** @type {any} */ panel) => panel.training.lines.map((/** @type {any} */ line) => [...line.error]));
  const before = await iteration(page);
  const [fm, ifm] = await lines();
  assert.equal(fm.length, ifm.length);
  await page.getByRole("button", { name: /^More:/ }).click();
  await settled(page, page.getByRole("button", { name: "Step", exact: true }).click());
  assert.equal(await iteration(page), before + 1);
  await page.getByRole("radio", { name: "instant" }).check();
  await page.getByRole("button", { name: "Restart" }).click();
  await finished(page);
  assert.match(await page.locator(`${figure} .progress`).innerText(), /same data, same start/);
  assert.deepEqual((await lines()).map((/** @type {number[]} */ errors) => errors.slice(0, fm.length)), [fm, ifm]);
  await page.getByRole("button", { name: "New seed" }).click();
  await page.waitForURL(/seed=\d+/);
  await finished(page);
  assert.notDeepEqual((await lines())[0].slice(0, fm.length), fm);
});

test("Space plays and pauses what has the focus, and scrolls the page elsewhere alone", async (t) => {
  const page = await openPage(t, "/?speed=slow&d=12&n=300&iterations=2000", { viewport: { width: 1280, height: 500 } });
  const own = page.locator("#figure");
  const phase = (/** @type {string} */ is) => own.locator(`.controls[data-phase=${is}]`).waitFor();
  await phase("running");
  await own.locator(".on [data-chart=curve] .over input").focus();
  await page.keyboard.press("Space");
  await phase("paused");
  await settled(page); // all scripts are there, and what they draw
  const before = await page.evaluate(() => scrollY);
  await page.keyboard.press("Space");
  await phase("running");
  await page.keyboard.press("Space");
  await phase("paused");
  await settled(page);
  assert.equal(await page.evaluate(() => scrollY), before, "nothing was scrolled");
  await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
  await page.keyboard.press("Space");
  await page.waitForFunction((before) => scrollY > before, before);
  await phase("paused");
});

test("without the script that draws charts, a sentence says so and the figures still come", async (t) => {
  const before = (/** @type {Page} */ page) => page.route("**/a/plot-*.js", (route) => route.abort());
  const page = await openPage(t, "/?speed=instant&d=8&k=2&n=100", { expected: [/Failed to load resource/], before });
  await finished(page);
  assert.match(await page.locator("ifm-figure .on [data-chart=curve] .plot").innerText(), /could not be loaded.*reload the page/);
});

test("a script that is on its way is something to do", async (t) => {
  const page = await openPage(t, "about:blank");
  const charts = await gate(page, "**/a/plot-*.js");
  await page.goto(new URL("/?speed=instant", await origin()).href);
  await charts.asked;
  await page.locator("ifm-figure .verdict[data-phase=done]").waitFor();
  assert.ok((await page.locator("html[data-pending]").count()) === 1);
  charts.open();
  await settled(page);
  assert.ok((await page.locator("ifm-figure .curve-svg").count()) > 0);
});
