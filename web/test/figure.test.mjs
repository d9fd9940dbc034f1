// @ts-check
/** The first five seconds: the switch, the curves, the matrices, the verdict; and the link that holds it all. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, assertAccessible, assertFits, contrast, follow, openPage, origin, settled, still } from "./lab.mjs";
import { figureDone as finished, openData } from "./table.mjs";

const figure = "ifm-figure";

/** The numbers of the verdict's sentence, by whose they are. @param {Page | Frame} page @returns {Promise<Record<string, number>>} */
async function verdict(page) {
  await finished(page);
  const numbers = await page.locator(`${figure} [data-verdict] [data-of]`).evaluateAll((all) => all.map((b) => [b.getAttribute("data-of"), Number(b.getAttribute("data-value"))]));
  return Object.fromEntries(numbers);
}

/** @param {Page} page @param {"fm" | "ifm"} model */
async function relativeError(page, model) {
  return page.locator(`${figure} [data-matrix=${model}] .title .noted`).innerText();
}

test("with one page a reader flips the sign, reads exact values, changes what is run and looks at it on a phone", async (t) => {
  const page = await openPage(t, "/?speed=instant");

  await t.test("flip one sign and FM breaks: it stays within a quarter of ridge while iFM goes down", async () => {
    const { fm = NaN, ifm = NaN, ridge = NaN } = await verdict(page);
    assert.ok(fm > 0.75 * ridge, `FM ${fm} is near ridge ${ridge}`);
    assert.ok(ifm < 0.01 * fm, `iFM ${ifm} is under 1 % of FM ${fm}`);
    assert.match(await page.locator(`${figure} [data-verdict]`).innerText(), /FM is stuck/);
    assert.match(await relativeError(page, "ifm"), /relative error (0\.\d|[12]\.\d) %/);
  });

  await t.test("the arrow keys read exact values off the curves", async () => {
    const cursor = page.getByRole("slider", { name: "Iteration under the cursor" });
    await cursor.focus();
    await page.keyboard.press("Home");
    for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
    assert.match((await cursor.getAttribute("aria-valuetext")) ?? "", /^Iteration 5: FM [\d.]+, iFM [\d.]+$/);
    assert.match(await page.locator(`${figure} .chart .readout`).innerText(), /^Iteration 5: /);
  });

  await t.test("a pair of features is read off all matrices at once, with its sign in words", async () => {
    const pairs = page.getByRole("slider", { name: "Pair, largest disagreement first" });
    await pairs.focus();
    await page.keyboard.press("ArrowRight");
    assert.match((await pairs.getAttribute("aria-valuetext")) ?? "", /^x\d+ × x\d+; True M\* [+−][\d.]+, (positive|negative); FM .*; iFM .*$/);
  });

  await t.test("the switch works by keyboard and each choice is a link that back undoes", async () => {
    await page.evaluate((own) => {
      const verdict = /** @type {HTMLElement} */ (document.querySelector(`${own} .verdict`));
      const seen = /** @type {string[][]} */ (Object.assign(window, { seen: [] }).seen);
      const look = () => seen.push([verdict.dataset["phase"] ?? "", verdict.querySelector("[data-verdict]")?.textContent?.trim() ?? ""]);
      new MutationObserver(look).observe(verdict, { attributes: true, childList: true, characterData: true, subtree: true });
    }, figure);
    await page.locator("input[name=scenario]:checked").focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/scenario=mixed/);
    await finished(page);
    const during = await page.evaluate(() => /** @type {string[][]} */ (/** @type {any} */ (window).seen).filter(([phase]) => phase !== "done"));
    assert.ok(during.length > 0, "the new run is seen");
    assert.deepEqual(during.filter(([, says]) => says !== ""), [], "the old verdict does not stand over the new run");
    await page.goBack();
    await page.locator("input[name=scenario][value=flipped]:checked").waitFor({ state: "attached" });
    assert.doesNotMatch(page.url(), /scenario/);
    await page.goForward();
    await page.locator("input[name=scenario][value=mixed]:checked").waitFor({ state: "attached" });
  });

  await t.test("on a truth of both signs FM stops halfway and iFM goes down", async () => {
    await follow(page, "/?scenario=mixed&speed=instant");
    const { fm = NaN, ifm = NaN } = await verdict(page);
    assert.ok(ifm < 0.01 * fm, `iFM ${ifm} is under 1 % of FM ${fm}`);
  });

  await t.test("on a PSD truth FM wins, and the page says so", async () => {
    await follow(page, "/?scenario=psd&speed=instant");
    const { fm = NaN, ifm = NaN } = await verdict(page);
    assert.ok(fm < 1e-3 * ifm, `FM ${fm} is far below iFM ${ifm}`);
    assert.match(await page.locator(`${figure} [data-verdict]`).innerText(), /FM’s assumption holds, and it wins/);
  });

  await t.test("the page keeps axe's rules and its width, dark, 360 px, and light, 1440 px", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: "dark" });
    await follow(page, "/?speed=instant");
    await finished(page);
    await assertAccessible(page);
    await assertFits(page);
    await page.emulateMedia({ colorScheme: "light" });
    if (!process.env["LONG"]) return;
    await page.setViewportSize({ width: 1440, height: 900 });
    await finished(page);
    await assertAccessible(page, { rules: contrast }); // all else is the same there
    await assertFits(page);
  });

  await t.test("the chart's data can be read as a table and its picture as a sentence", async () => {
    await follow(page, "/?speed=instant&iterations=30&ghost=0");
    await finished(page);
    assert.match((await page.locator(`${figure} .plot`).getAttribute("aria-label")) ?? "", /FM starts at .* after 30 iterations.*ridge regression/);
    await openData(page.locator(`${figure} [data-chart=curve]`));
    const rows = page.locator(`${figure} .chart table tbody tr`);
    await settled(page);
    assert.equal(await rows.count(), 31);
  });

  await t.test("a line that grows beyond the axis ends at its edge under an arrow, and the page says that it diverged", async () => {
    await follow(page, "/?solver=printed&models=gfm,ifm&diagonal=kept&truth=orthonormal&scenario=psd&iterations=60&speed=instant");
    await finished(page);
    const { vertices, exits, dots } = await drawn(page, "gfm");
    assert.equal(exits.length, 1);
    const [x = NaN, y = NaN, turned = 0] = exits[0] ?? [];
    assert.ok(y <= 11 && !turned, `the arrow is at the upper edge (${y} px) and points up`);
    assert.ok(vertices.every(([vx = NaN]) => vx <= x + 0.01), "and nothing of the line is drawn behind it");
    assert.equal(dots, 0, "nor a marker");
    const { exits: others, dots: markers } = await drawn(page, "ifm");
    assert.ok(others.length === 0 && markers > 3, "iFM stays on the axis");
    assert.match(await page.locator(`${figure} [data-verdict]`).innerText(), /gFM diverged: its loss has risen since iteration 1\./);
    assert.doesNotMatch(await page.locator(`${figure} [data-verdict]`).innerText(), /iFM diverged/);
    assert.match(await page.locator(`${figure} .verdict .note`).innerText(), /misprint concerns gFM alone: iFM’s step has no diagonal/);
  });

  await t.test("a line that falls below the axis ends at its edge over an arrow, with its label beside it", async () => {
    await follow(page, "/?solver=gauss-newton&scenario=mixed&models=fm,gfm,ifm&speed=instant");
    await finished(page);
    const { vertices, exits, frame } = await drawn(page, "ifm");
    assert.equal(exits.length, 1);
    const [x = NaN, y = NaN, turned = 0] = exits[0] ?? [];
    assert.ok(Math.abs(y - Math.max(...frame)) < 1 && turned === 180, `the arrow is at the lower edge (${y} px) and points down`);
    assert.ok(vertices.length > 2 && vertices.every(([vx = NaN]) => vx <= x + 0.01));
    const says = await page.locator(`${figure} [data-verdict]`).innerText();
    assert.match(says, /Beside them, gFM ends at a test RMSE of [\d.]+\. Why FM stopped: .+ Why iFM stopped: what is left of the training targets is rounding\.$/, "the third model is told too, and why each fit ended");
    assert.doesNotMatch(says, /diverged/);
    assert.doesNotMatch(await page.locator(`${figure} .verdict .note`).innerText(), /misprint/);
  });

  await t.test("where a wanted model ended in an error, the page tells the error and concludes nothing", async () => {
    await follow(page, "/?solver=algorithm1&models=gfm,ifm&features=twopoint&iterations=20&speed=instant");
    await finished(page);
    assert.match(await page.locator(`${figure} .verdict [role=alert]`).innerText(), /τ/);
    assert.match(await page.locator(`${figure} [data-verdict]`).innerText(), /^\s*$/);
    assert.equal(await page.locator(`${figure} .stand > .ifm`).count(), 1, "the other model is shown as far as it came");
    assert.doesNotMatch(await page.locator(`${figure} ifm-matrix`).innerText(), /not trained yet/);
  });

  await t.test("a run that fails before its first iteration claims nothing, and its error speaks to a reader", async () => {
    await follow(page, "/?solver=algorithm1&models=gfm&features=twopoint&speed=instant");
    await settled(page);
    assert.equal(await page.locator(`${figure} .verdict`).getAttribute("data-phase"), "failed");
    assert.match(await page.locator(`${figure} .verdict [role=alert]`).innerText(), /^Feature x1 has τ = /);
    assert.doesNotMatch(await page.locator(figure).innerText(), /Computed live|not trained yet/);
  });

  await t.test("over several trials the verdict and the reference lines are means", async () => {
    await follow(page, "/?trials=3&iterations=40&speed=instant");
    const shown = await verdict(page);
    const trials = await page.locator(figure).evaluate((panel) => /** @type {any} */ (panel).training.trials);
    assert.equal(trials.length, 3);
    assert.notEqual(trials[0].ridge, trials[1].ridge);
    for (const whose of /** @type {const} */ (["ridge", "fm", "ifm"])) {
      const mean = trials.reduce((/** @type {number} */ sum, /** @type {any} */ trial) => sum + trial[whose], 0) / 3;
      assert.ok(Math.abs((shown[whose] ?? Number.NaN) - mean) < 1e-12 * mean, `${whose}: ${shown[whose]}, the mean of the trials is ${mean}`);
    }
    assert.match(await page.locator(`${figure} [data-verdict]`).innerText(), /means over 3 trials; iFM is the best in 3 of them/);
  });

  await t.test("the true matrix and the errors are those of the first trial, however many there are", async () => {
    /** @type {string[][]} */
    const seen = [];
    for (const trials of [1, 2, 5]) {
      await follow(page, `/?trials=${trials}&models=fm,gfm,ifm&d=12&n=300&iterations=30&speed=instant`);
      await finished(page);
      seen.push(await page.locator("ifm-matrix .cells").evaluateAll((all) => all.map((cells) => cells.getAttribute("aria-label") ?? "")));
    }
    assert.ok(seen[0]?.length === 4 && seen[0].every((label) => /\d/.test(label)), `${seen[0]}`);
    assert.deepEqual(seen[1], seen[0]);
    assert.deepEqual(seen[2], seen[0]);
  });

  await t.test("the same link gives the same numbers, whatever the speed", async () => {
    const at = async (/** @type {string} */ rest) => {
      await follow(page, `/?d=12&n=300&iterations=20&${rest}`);
      return verdict(page);
    };
    const one = await at("seed=7");
    const other = await at("seed=8&speed=instant");
    assert.notEqual(one["fm"], other["fm"]);
    assert.deepEqual(await at("seed=7&speed=instant"), one);
  });

  await t.test("the colours follow the system and can be switched", async () => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(await ground(), "rgb(255, 255, 255)");
    await page.emulateMedia({ colorScheme: "dark" });
    assert.notEqual(await ground(), "rgb(255, 255, 255)");
    await page.getByLabel("Colours").selectOption("light");
    assert.equal(await ground(), "rgb(255, 255, 255)");
    assert.match(page.url(), /theme=light/);
  });

  await t.test("a link with wild values is clamped, and the page tells what it used", async () => {
    await page.goto(new URL("/?d=-5&k=NaN&n=20&iterations=5&embed=7&colour=red", page.url()).href);
    const told = page.locator(".told");
    for (const [key, text] of Object.entries({ d: "2", k: "3", embed: "0", colour: "ignored" })) {
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
    return { numbers: await verdict(page), live: await page.locator(`${figure} .live`).innerText() };
  };
  const [fast, slow] = [await seen(true), await seen(false)];
  assert.deepEqual(slow.numbers, fast.numbers, "to the last bit");
  assert.doesNotMatch(fast.live, /SIMD/);
  assert.match(slow.live, /Computed without SIMD/);
});

test("a run goes on at its pace, or waits for Play where nothing is to move", async (t) => {
  const page = await openPage(t, "about:blank", { held: true });

  await t.test("a reader sees the run move: it grows as it goes, at its pace", async () => {
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
    assert.ok(steps.length >= 5, `on its way it is seen ${steps.length} times`);
    const [[first = NaN, from = NaN] = [], [last = NaN, to = NaN] = []] = [steps[0], steps.at(-1)];
    const pace = (1000 * (last - first)) / (to - from + 200); // each is shown at most two redraws late
    assert.ok(pace < 75, `it takes ${pace} iterations a second at the most`);
  });

  await t.test("nothing starts by itself for who wants reduced motion, and Play shows the end", async () => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(`${await origin()}/?d=12&n=300&test=200&iterations=80`);
    await still(page, 60_000);
    assert.equal(await page.locator(`${figure} .stand > .fm`).count(), 1);
    assert.match(await page.locator(`${figure} .progress`).innerText(), /Iteration 0 of 80/);
    await page.getByRole("button", { name: "Play" }).click();
    await finished(page);
  });
});

test("a run waits out of sight and while it is paused", async (t) => {
  const page = await openPage(t, "/?speed=slow&d=12&n=300&iterations=2000", { viewport: { width: 1280, height: 500 } });

  await t.test("a run that is scrolled out of sight waits, and goes on in sight", async () => {
    await page.waitForFunction(() => Number(document.querySelector("ifm-figure .progress")?.textContent?.match(/\d+/)?.[0]) > 3);
    await page.locator("footer").scrollIntoViewIfNeeded();
    await page.locator(`${figure} .controls[data-phase=paused]`).waitFor();
    await page.locator("h1").scrollIntoViewIfNeeded();
    await page.locator(`${figure} .controls[data-phase=running]`).waitFor();
  });

  await t.test("pause holds the run, step takes one iteration", async () => {
    const group = page.locator(`${figure} .controls`);
    await page.waitForFunction(() => Number(document.querySelector("ifm-figure .progress")?.textContent?.match(/\d+/)?.[0]) > 3);
    await group.getByRole("button", { name: "Pause" }).click();
    await settled(page);
    const before = Number((await group.locator(".progress").innerText()).match(/\d+/)?.[0]);
    await group.getByRole("button", { name: "Step" }).click();
    await settled(page);
    assert.match(await group.locator(".progress").innerText(), new RegExp(`^Iteration ${before + 1} `));
  });
});

test("Space plays and pauses what has the focus, and scrolls the page elsewhere alone", async (t) => {
  for (const [link, player] of [["/?speed=slow&d=12&n=300&iterations=2000", "#figure"], ["/?speed=slow&embed=1&source=table&sample=cars&ranks=2&models=ifm", "ifm-result"]]) {
    const page = await openPage(t, link, { viewport: { width: 1280, height: 500 } });
    const own = page.locator(`${player}`);
    await own.locator("ifm-controls .controls[data-phase=running]").waitFor();
    const cursor = own.locator("[data-chart=curve] .over input");
    await cursor.focus();
    const scrolled = () => page.evaluate(() => scrollY);
    await page.keyboard.press("Space");
    await own.locator("ifm-controls .controls[data-phase=paused]").waitFor();
    await settled(page); // all scripts are there, and what they draw
    const before = await scrolled();
    await page.keyboard.press("Space");
    await own.locator("ifm-controls .controls[data-phase=running]").waitFor();
    if (player === "#figure") await own.evaluate((e) => e.focus({ preventScroll: true }));
    await page.keyboard.press("Space");
    await own.locator("ifm-controls .controls[data-phase=paused]").waitFor();
    await settled(page);
    assert.equal(await scrolled(), before, "nothing was scrolled");
    await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
    await page.keyboard.press("Space");
    await page.waitForFunction((before) => scrollY > before, before);
    assert.equal(await own.locator("ifm-controls .controls[data-phase=running]").count(), 0, "what has no focus stays as it is");
  }
});

test("without the script that draws charts, a sentence says so and the figures still come", async (t) => {
  const page = await openPage(t, "about:blank", { expected: [/Failed to load resource/] });
  await page.route("**/a/plot-*.js", (route) => route.abort());
  await page.goto(new URL("/?speed=instant&d=8&k=2&n=100", await origin()).href);
  await finished(page);
  assert.match(await page.locator("ifm-figure [data-chart=curve] .plot").innerText(), /could not be loaded.*reload the page/);
});

for (const viewport of [{ width: 320, height: 640 }, { width: 360, height: 740 }, { width: 820, height: 1100 }, { width: 1440, height: 900 }]) {
  test(`nothing moves its neighbours while a run goes on, ${viewport.width} px`, viewport.width === 360 ? {} : acceptance, async (t) => {
    const page = await openPage(t, { 360: "/", 1440: "/?scenario=flipped&d=12&n=300&iterations=60" }[viewport.width] ?? "/?scenario=flipped", { viewport }); // once with the opening, whose flip moves nothing either
    await page.locator(`${figure} ifm-spectrum .stems`).first().waitFor(); // drawn by the last script that the figure needs
    if (viewport.width < 800) await page.locator(`${figure} .frame`).scrollIntoViewIfNeeded();
    await page.evaluate(() => {
      const seen = /** @type {Set<string>} */ (Object.assign(window, { places: new Set() }).places);
      const look = () => {
        const places = [".switch", ".frame", ".controls", "ifm-matrix", "ifm-data"].map((s) => Math.round((document.querySelector(s)?.getBoundingClientRect().top ?? 0) + scrollY));
        seen.add(places.join(" "));
        requestAnimationFrame(look);
      };
      look();
    });
    await finished(page);
    const seen = await page.evaluate(() => [.../** @type {any} */ (window).places]);
    assert.equal(seen.length, 1, seen.join(", then "));
  });
}

/**
 * Where the marks of a model lie in the chart: its line's vertices, the
 * triangles where it leaves the axis, its dots, and its label, in px.
 *
 * @param {Page} page
 * @param {string} model
 */
async function drawn(page, model) {
  return page.locator(`${figure} .curve-svg`).evaluate((svg, model) => {
    const own = (/** @type {Element} */ e) => [e.getAttribute("fill"), e.getAttribute("stroke"), e.parentElement?.getAttribute("fill"), e.parentElement?.getAttribute("stroke")].includes(`var(--${model})`);
    const at = (/** @type {Element} */ e) => (/translate\(([\d.]+),\s*([\d.]+)\)(?:\s*rotate\((\d+)\))?/.exec(e.getAttribute("transform") ?? "") ?? []).slice(1).map((v) => Number(v ?? 0));
    const marks = [...svg.querySelectorAll("[aria-label=dot] path, [aria-label=dot] circle")].filter(own);
    const line = [...svg.querySelectorAll("[aria-label=line] path")].find(own);
    return {
      vertices: [...(line?.getAttribute("d") ?? "").matchAll(/([\d.]+),([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]),
      exits: marks.filter((e) => e.closest(".exit")).map(at),
      dots: marks.filter((e) => !e.closest(".exit")).length,
      frame: [...svg.querySelectorAll("[aria-label='y-grid'] line")].map((e) => Number(e.getAttribute("y1") ?? 0)),
    };
  }, model);
}
