// @ts-check
/** The figure: flip a sign in either picture, read exact values, change what is run, and the link that holds it all. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, assertFits, follow, openPage, origin, settled } from "./lab.mjs";
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

  await t.test("while all signs agree both models learn everything, and the flip waits where it will be seen", async () => {
    await finished(page);
    assert.equal(await verdict(page), "When signs agree, both models learn everything.");
    assert.equal(await page.locator(`${figure} .primary`).count(), 1, "there is one main button");
    assert.equal(await page.locator(`${figure} .side`).nth(1).locator(".primary").innerText(), "Lemon curdles milk: flip it");
  });

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

  await t.test("who flips back finds the run that was there, and one of other settings is never beside it", async () => {
    await finished(page);
    const shown = () => page.locator(figure).evaluate((/** @type {any} */ panel) => [panel.training.query, panel.other.query]);
    const run = await page.locator(figure).evaluateHandle((/** @type {any} */ panel) => panel.other.started);
    await page.locator("input[name=scenario][value=psd]").check();
    assert.ok(await page.locator(figure).evaluate((/** @type {any} */ panel, run) => panel.training.started === run, run));
    await page.locator(figure).evaluate((panel) => {
      const seen = /** @type {string[][]} */ (Object.assign(window, { seen: [] }).seen);
      const look = () => {
        const { training, other } = /** @type {any} */ (panel);
        seen.push([training.query, other.query].map((/** @type {string} */ query) => query.split("&").filter((/** @type {string} */ pair) => !pair.startsWith("scenario=")).join("&")));
        requestAnimationFrame(look);
      };
      look();
    });
    await page.locator(`${figure} [data-slide=noise]`).fill("0.5");
    await page.waitForURL(/noise=0.5/);
    await finished(page);
    assert.deepEqual(await shown(), ["scenario=psd&noise=0.5", "noise=0.5"], "both are trained anew");
    const seen = await page.evaluate(() => /** @type {string[][]} */ (/** @type {any} */ (window).seen));
    assert.deepEqual(seen.filter(([here, there]) => there !== "" && here !== there), []);
  });

  await t.test("with equal parameters FM gains a part, the verdict says so and the link holds it", async () => {
    await follow(page, "/?speed=instant");
    const { fm: before = NaN } = await errors(page);
    await page.getByRole("switch", { name: "FM: equal parameters" }).press("Space");
    await page.waitForURL(/numbers=equal/);
    const { fm = NaN } = await errors(page);
    assert.ok(fm < 0.9 * before, `FM falls from ${before} to ${fm}`);
    assert.match(await verdict(page), /^With equal parameters FM still leaves 69 %, iFM < 1 %\./);
    assert.equal(await page.locator(`${figure} output[for=figure-rank]`).innerText(), "3, FM 6");
    await follow(page, "/?speed=instant&rank=6&models=fm");
    assert.equal((await errors(page))["fm"], fm, "it is FM of twice the rank");
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
    await page.keyboard.press("Escape");
    await settled(page);
    const pairs = page.getByRole("slider", { name: "Pairs, sorted by disagreement" });
    await pairs.focus();
    await page.keyboard.press("ArrowRight");
    assert.match((await pairs.getAttribute("aria-valuetext")) ?? "", /^x\d+ × x\d+; True M\* [+−][\d.]+, (positive|negative); FM .*; iFM .*$/);
    await openData(page.locator(`${figure} .on [data-chart=curve]`));
    await settled(page);
    assert.equal(await page.locator(`${figure} .on .chart table tbody tr`).count(), 151);
    assert.equal(await page.locator(`${figure} .on .frame`).getAttribute("data-scale"), "log");
    await assertAccessible(page, { include: [figure] });
  });

  await t.test("the page keeps axe's rules and its width, dark, 360 px, and light, 1440 px", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: "dark" });
    await follow(page, "/?speed=instant");
    await finished(page);
    await assertAccessible(page, { include: [figure] });
    await assertFits(page);
    await page.emulateMedia({ colorScheme: "light" });
  });
});

test("whatever a link asks for is shown as it is, or told", async (t) => {
  const page = await openPage(t, `/?${small}`);

  await t.test("a line that grows beyond the axis ends at its edge under an arrow, and the page says that it diverged", async () => {
    await follow(page, "/?solver=printed&models=gfm,ifm&diagonal=kept&truth=orthonormal&scenario=psd&iterations=60&speed=instant");
    await finished(page);
    const { vertices, exits, dots } = await drawn(page, "gfm");
    assert.equal(exits.length, 1);
    const [x = NaN, y = NaN, turned = 0] = exits[0] ?? [];
    assert.ok(y <= 11 && !turned, `the arrow is at the upper edge (${y} px) and points up`);
    assert.ok(vertices.every(([vx = NaN]) => vx <= x + 0.01), "and nothing of the line is drawn behind it");
    assert.equal(dots, 0, "nor a marker");
    assert.match(await verdict(page), /gFM diverged: its loss has risen since iteration 1\./);
    assert.doesNotMatch(await verdict(page), /iFM diverged/);
  });

  await t.test("where a wanted model ended in an error, the page tells the error, and the other is shown as far as it came", async () => {
    await follow(page, "/?solver=algorithm1&models=gfm,ifm&features=twopoint&iterations=20&speed=instant");
    await finished(page);
    assert.match(await page.locator(`${figure} .verdict [role=alert]`).innerText(), /τ/);
    assert.deepEqual(Object.keys(await errors(page)), ["ifm"]);
  });

  await t.test("a run that fails before its first iteration claims nothing, and its error speaks to a reader", async () => {
    await follow(page, "/?solver=algorithm1&models=gfm&features=twopoint&speed=instant");
    await settled(page);
    assert.equal(await page.locator(`${figure} .verdict`).getAttribute("data-phase"), "failed");
    assert.match(await page.locator(`${figure} .verdict [role=alert]`).innerText(), /^Feature x1 has τ = /);
    assert.equal(await verdict(page), "");
  });

  await t.test("rows in which two features are never both away from 0 cannot tell their interaction, and the figure counts such pairs", async () => {
    assert.equal(await page.locator(`${figure} .notices`).count(), 0);
    await follow(page, `/?features=threepoint&tau=30&${small}`);
    await finished(page);
    assert.match(await page.locator(`${figure} .verdict .notices li`).innerText(), /^these rows alone cannot tell \d+ of 28 interactions: /);
  });

  await t.test("over several trials the verdict is of their means", async () => {
    await follow(page, "/?trials=3&iterations=40&speed=instant");
    const shown = await errors(page);
    const trials = await page.locator(figure).evaluate((panel) => /** @type {any} */ (panel).training.trials);
    assert.notEqual(trials[0].ridge, trials[1].ridge);
    for (const whose of /** @type {const} */ (["fm", "ifm"])) {
      const mean = trials.reduce((/** @type {number} */ sum, /** @type {any} */ trial) => sum + trial[whose], 0) / 3;
      assert.ok(Math.abs((shown[whose] ?? Number.NaN) - mean) < 1e-12 * mean, `${whose}: ${shown[whose]}, the mean of the trials is ${mean}`);
    }
    assert.match(await verdict(page), /Means over 3 trials\./);
  });

  await t.test("the same link gives the same numbers, whatever the speed", async () => {
    const at = async (/** @type {string} */ rest) => {
      await follow(page, `/?d=12&n=300&iterations=20&${rest}`);
      return errors(page);
    };
    const one = await at("seed=7");
    const other = await at("seed=8&speed=instant");
    assert.notEqual(one["fm"], other["fm"]);
    assert.deepEqual(await at("seed=7&speed=instant"), one);
  });

  await t.test("a link with wild values is clamped, and the page tells what it used", async () => {
    await page.goto(new URL("/?d=-5&k=NaN&n=20&iterations=5&embed=7&colour=red&numbers=many", page.url()).href);
    const told = page.locator(".told");
    for (const [key, text] of Object.entries({ d: "2", k: "3", embed: "0", colour: "ignored", numbers: "rank" })) {
      assert.ok((await told.locator(`[data-key=${key}]`).innerText()).includes(text), `the notice about ${key} names ${text}`);
    }
    assert.equal(new URL(page.url()).search, "?d=2&n=20&iterations=5");
    await told.getByRole("button").click();
    await told.waitFor({ state: "hidden" });
  });
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

test("a run goes on at its pace", async (t) => {
  const page = await openPage(t, "about:blank", { held: true });
  await page.addInitScript(() => {
    const seen = /** @type {any} */ (window).seen = /** @type {[number, number][]} */ ([]); // iteration and time on the page's clock, as they are shown
    const look = () => {
      const iteration = Number(document.querySelector("ifm-figure .progress")?.textContent?.match(/\d+/)?.[0] ?? NaN);
      if (!Number.isNaN(iteration) && iteration !== seen.at(-1)?.[0]) seen.push([iteration, performance.now()]);
      requestAnimationFrame(look);
    };
    look();
  });
  await page.goto(`${await origin()}/?d=12&n=300&test=200&iterations=80`);
  await finished(page);
  /** @type {[number, number][]} */
  const seen = await page.evaluate(() => /** @type {any} */ (window).seen);
  assert.equal(seen.at(-1)?.[0], 80);
  const steps = seen.filter(([iteration]) => iteration > 10 && iteration < 70);
  assert.ok(steps.length >= 2, `on its way it is seen ${steps.length} times`);
  const [[first = NaN, from = NaN] = [], [last = NaN, to = NaN] = []] = [steps[0], steps.at(-1)];
  assert.ok(last > first);
  const pace = (1000 * (last - first)) / (to - from + 200); // each is shown at most two redraws late
  assert.ok(pace < 75, `it takes ${pace} iterations a second at the most`);
});

test("pause holds the run with both models at one iteration, step takes one, restart repeats it bit for bit", async (t) => {
  const page = await openPage(t, "/?iterations=400&d=12&n=300&speed=slow");
  await page.waitForFunction(() => Number(document.querySelector("ifm-figure .progress")?.textContent?.match(/\d+/)?.[0]) > 3);
  await page.locator(figure).getByRole("button", { name: "Pause" }).click();
  await settled(page);
  const lines = () => page.locator(figure).evaluate((/** @type {any} */ panel) => panel.training.lines.map((/** @type {any} */ line) => [...line.error]));
  const before = await iteration(page);
  const [fm, ifm] = await lines();
  assert.equal(fm.length, ifm.length);
  await page.getByRole("button", { name: /^More:/ }).click();
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await settled(page);
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
  const page = await openPage(t, "about:blank", { expected: [/Failed to load resource/] });
  await page.route("**/a/plot-*.js", (route) => route.abort());
  await page.goto(new URL("/?speed=instant&d=8&k=2&n=100", await origin()).href);
  await finished(page);
  assert.match(await page.locator("ifm-figure .on [data-chart=curve] .plot").innerText(), /could not be loaded.*reload the page/);
});

/**
 * Where the marks of a model lie in the chart: its line's vertices, the
 * triangles where it leaves the axis, its dots, and its label, in px.
 *
 * @param {Page} page
 * @param {string} model
 */
async function drawn(page, model) {
  return page.locator(`${figure} .on .curve-svg`).evaluate((svg, model) => {
    const own = (/** @type {Element} */ e) => [e.getAttribute("fill"), e.getAttribute("stroke"), e.parentElement?.getAttribute("fill"), e.parentElement?.getAttribute("stroke")].includes(`var(--${model})`);
    const at = (/** @type {Element} */ e) => (/translate\(([\d.]+),\s*([\d.]+)\)(?:\s*rotate\((\d+)\))?/.exec(e.getAttribute("transform") ?? "") ?? []).slice(1).map((v) => Number(v ?? 0));
    const marks = [...svg.querySelectorAll("[aria-label=dot] path, [aria-label=dot] circle")].filter(own);
    const line = [...svg.querySelectorAll("[aria-label=line] path")].find(own);
    return {
      vertices: [...(line?.getAttribute("d") ?? "").matchAll(/([\d.]+),([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]),
      exits: marks.filter((e) => e.closest(".exit")).map(at),
      dots: marks.filter((e) => !e.closest(".exit")).length,
    };
  }, model);
}
