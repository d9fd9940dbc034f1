// @ts-check
/** The lab around the first figure: eigenvalues as stems, the run before as a ghost, restart and new seed, labels that keep out of each other's way. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, assertAccessible, assertFits, follow, gate, openPage, origin, settled } from "./lab.mjs";
import { bring, figureDone as finished, openData, train } from "./table.mjs";

const figure = "ifm-figure";
const small = "d=8&k=2&n=100"; // where the numbers do not matter

/** Does what starts a run, and waits for that run's end. @param {Page} page @param {() => Promise<unknown>} act */
async function anew(page, act) {
  const before = await page.locator(figure).evaluateHandle((panel) => /** @type {any} */ (panel).training.started);
  await act();
  await finished(page);
  assert.ok(await page.locator(figure).evaluate((panel, before) => /** @type {any} */ (panel).training.started !== before, before), "another run has begun");
}

/** The stems' exact values by their sign. @param {Page} page @param {string} whose */
async function stems(page, whose) {
  const values = await page.locator(`${figure} [data-spectrum=${whose}] .stem`).evaluateAll((all) => all.map((stem) => Number(/** @type {HTMLElement} */ (stem).dataset["value"])));
  const signs = await page.locator(`${figure} [data-spectrum=${whose}] .stem`).evaluateAll((all) => all.map((stem) => (stem.classList.contains("negative") ? -1 : 1)));
  assert.deepEqual(signs, values.map(Math.sign), "the sign that is shown is the value's");
  return { positive: values.filter((v) => v > 0).length, negative: values.filter((v) => v < 0).length, values };
}

/** Every line's RMSE by iteration, exact. @param {Page} page @returns {Promise<Record<string, number[]>>} */
async function curves(page) {
  return page.locator(figure).evaluate((panel) => Object.fromEntries(/** @type {any} */ (panel).training.lines.map((/** @type {any} */ line) => [line.model, [...line.error]])));
}

test("the run before stands behind this one, and each truth shows its eigenvalues", async (t) => {
  const page = await openPage(t, "/?speed=instant&iterations=40");

  await t.test("the run before stays as a ghost with its own numbers, until it is switched off", async () => {
    await finished(page);
    const before = await curves(page);
    assert.equal(await page.locator(`${figure} .curve-svg .ghost`).count(), 0, "there is no run before the first");
    await page.locator("input[name=scenario]:checked").focus();
    await anew(page, () => page.keyboard.press("ArrowRight"));
    assert.ok((await page.locator(`${figure} .curve-svg g.ghost`).count()) > 1);
    assert.match(await page.locator(`${figure} .chart .readout`).innerText(), /^Faint: the run before \(flipped\)\./);
    assert.match((await page.locator(`${figure} .plot`).getAttribute("aria-label")) ?? "", /Faint, the run before \(flipped\), which ended at FM 0\.0\d+, iFM \d.*\.$/);
    const told = await page.locator(`${figure} [data-chart=curve]`).evaluate((curve) => /** @type {any} */ (curve).spec.ghost.lines.map((/** @type {any} */ line) => [line.model, [...line.error]]));
    assert.deepEqual(Object.fromEntries(told), before, "to the last bit");
    await openData(page.locator(`${figure} [data-chart=curve]`));
    const table = page.locator(`${figure} .chart table`);
    await settled(page);
    assert.equal(await table.locator("tbody tr").count(), 41);
    assert.deepEqual(await table.locator("thead th").allInnerTexts(), ["Iteration", "FM", "iFM", "FM before", "iFM before", "mean", "ridge"]);
    const shown = Number((await table.locator("tbody tr").nth(5).locator("td").nth(2).innerText()).replace(/,/g, ""));
    const was = before["fm"]?.[5] ?? NaN;
    assert.ok(Math.abs(shown - was) <= 5e-4 * was, `the table says ${shown}, FM was at ${was}`); // four digits are shown
    await page.getByRole("checkbox", { name: "Ghost" }).uncheck();
    await page.waitForURL(/ghost=0/);
    await settled(page);
    assert.equal(await page.locator(`${figure} .curve-svg .ghost`).count(), 0);
    assert.doesNotMatch(await page.locator(`${figure} .chart .readout`).innerText(), /Faint/);
  });

  await t.test("the stems of a truth show its eigenvalues by their signs, and FM none below zero", async (t) => {
    await follow(page, "/?speed=instant");
    for (const [scenario, negative, positive] of /** @type {const} */ ([["psd", 0, 3], ["flipped", 3, 0], ["mixed", 3, 3]])) {
      await page.locator(`input[value=${scenario}]`).check();
      await finished(page);
      const truth = await stems(page, "truth");
      assert.deepEqual([truth.positive, truth.negative], [positive, negative], scenario);
      const fm = await stems(page, "fm");
      assert.equal(fm.negative, 0);
      assert.ok(fm.positive > 0, "FM has learnt something");
      const says = await page.locator(`${figure} [data-spectrum=fm] .says`).innerText();
      assert.equal(says === "none below zero: FM cannot", negative > 0, says);
      const ifm = await stems(page, "ifm");
      const most = Math.max(...truth.values.map(Math.abs));
      for (const value of truth.values) assert.ok(ifm.values.some((v) => Math.abs(v - value) < 0.02 * most), `iFM has found ${value} among ${ifm.values}`); // its curve falls like 1/t: 2 % is what 150 iterations leave
      assert.equal(await page.locator(`${figure} [data-spectrum=fm] .ring`).count(), truth.values.length, "the truth's rings stand behind");
      assert.equal(await page.locator(`${figure} [data-spectrum=truth] .ring`).count(), 0);
    }
    await t.test("they are read off all panels at once by the arrow keys, as a sentence and as a table", async () => {
      const slider = page.locator(figure).getByRole("slider", { name: "Eigenvalue, largest first" });
      await slider.focus();
      await page.keyboard.press("End");
      assert.match((await slider.getAttribute("aria-valuetext")) ?? "", /^Eigenvalue 6 of 6; True M\* −[\d.]+, negative; FM 0; iFM −[\d.]+, negative$/);
      assert.match(await page.locator(`${figure} ifm-spectrum .readout`).innerText(), /^Eigenvalue 6 of 6/);
      assert.match((await page.locator(`${figure} [data-spectrum=fm] .stems`).getAttribute("aria-label")) ?? "", /^Eigenvalues of FM: 3 clearly above zero and none clearly below.*none below zero: FM cannot\.$/);
      await page.locator(figure).getByText("The eigenvalues as a table").click();
      await settled(page);
      const rows = page.locator(`${figure} ifm-spectrum tbody tr`);
      assert.equal(await rows.count(), 6);
      assert.match(await rows.nth(5).innerText(), /^6\s+−[\d.]+\s+0\s+−[\d.]+$/);
      await page.locator(`${figure} [data-spectrum=ifm] .stems`).hover({ position: { x: 3, y: 30 } });
      assert.match(await page.locator(`${figure} ifm-spectrum .readout`).innerText(), /^Eigenvalue 1 of 6/);
    });
  });
});

/** What four panels and a ghost must keep. @param {Page} page */
async function fourPanels(page) {
  await anew(page, () => page.locator("input[value=mixed]").check());
  await page.locator(figure).getByText("The eigenvalues as a table").click();
  await settled(page);
  await assertAccessible(page, { include: ["ifm-figure"] });
  await assertFits(page);
  const missed = await page.locator(`${figure} .controls :is(button, select, .segments label, .check)`).evaluateAll((all) => all.filter((e) => e.getBoundingClientRect().height < 43.5 || e.getBoundingClientRect().width < 43.5).map((e) => e.textContent?.trim()));
  assert.deepEqual(missed, [], "a finger hits every control");
}

test("a run is repeated, drawn anew, compared with the one before and explained, and nothing moves", async (t) => {
  const page = await openPage(t, `/?speed=instant&iterations=40&${small}`);

  await t.test("a ghost moves nothing when it comes, at any width", async () => {
    const places = async () => {
      /** @type {Record<number, number[]>} */
      const found = {};
      for (const width of [320, 360, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await finished(page);
        found[width] = await page.evaluate(() => [".controls", "ifm-verdict", "ifm-matrix", "ifm-spectrum", "ifm-data"].map((s) => Math.round((document.querySelector(s)?.getBoundingClientRect().top ?? 0) + scrollY)));
      }
      return found;
    };
    const before = await places();
    await anew(page, () => page.locator("input[value=mixed]").check());
    assert.equal(await page.locator(`${figure} .readout .before`).count(), 1);
    assert.deepEqual(await places(), before);
  });

  await t.test("restart repeats the curve bit for bit, says so, and keeps the ghost that it had", async () => {
    await follow(page, `/?speed=instant&iterations=60&${small}`);
    await finished(page);
    const flipped = await curves(page);
    await anew(page, () => page.locator("input[value=mixed]").check());
    const mixed = await curves(page);
    const address = page.url();
    assert.doesNotMatch(await page.locator(`${figure} .progress`).innerText(), /same data/);
    await anew(page, () => page.getByRole("button", { name: "Restart" }).click());
    assert.deepEqual(await curves(page), mixed);
    assert.equal(page.url(), address);
    assert.match(await page.locator(`${figure} .progress`).innerText(), /same data, same start/);
    const ghost = await page.locator(`${figure} [data-chart=curve]`).evaluate((curve) => [.../** @type {any} */ (curve).spec.ghost.lines[0].error]);
    assert.deepEqual(ghost, flipped["fm"]);
  });

  await t.test("a new seed changes the curve and the address, by keyboard alone, and back returns", async () => {
    await follow(page, `/?speed=instant&iterations=30&${small}`);
    await finished(page);
    const before = await curves(page);
    await page.locator("input[name=scenario]:checked").focus();
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement?.textContent?.trim() === "New seed")) break;
    }
    await anew(page, () => page.keyboard.press("Enter"));
    const seed = Number(new URL(page.url()).searchParams.get("seed"));
    assert.ok(Number.isInteger(seed) && seed > 1 && seed < 10_000, page.url());
    assert.notDeepEqual(await curves(page), before);
    assert.match(await page.locator(`${figure} .live`).innerText(), new RegExp(`seed ${seed}\\.`));
    assert.match(await page.locator(`${figure} .chart .readout`).innerText(), /^Faint: the run before \(Seed: 1\)\./);
    await anew(page, () => page.goBack());
    assert.deepEqual(await curves(page), before);
  });

  await t.test("the axis is chosen by the arrow keys and stands in the address", async () => {
    await follow(page, `/?speed=instant&iterations=30&${small}`);
    await finished(page);
    await page.getByRole("radio", { name: "log" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/scale=linear/);
    await settled(page);
    assert.equal(await page.locator(`${figure} .frame`).getAttribute("data-scale"), "linear");
    assert.ok(await page.getByRole("radio", { name: "linear" }).isChecked());
  });

  await t.test("gFM is explained where it is among the models, and each model says what it cannot represent", async () => {
    await follow(page, `/?models=fm,gfm,ifm&speed=instant&iterations=40&${small}`);
    await finished(page);
    const note = (/** @type {string} */ key) => page.locator(`${figure} [data-matrix=${key}] .title .noted`).innerText();
    assert.equal(await note("gfm"), "cannot represent a zero diagonal");
    assert.match(await note("ifm"), /^relative error/);
    assert.match(await page.locator("ifm-matrix figcaption .note").innerText(), /^gFM is UVᵀ as it is/);
    await page.getByText("Settings of this run").click();
    await anew(page, () => page.locator(`${figure} [data-key=diagonal]`).selectOption("kept"));
    for (const key of ["fm", "ifm"]) assert.match(await note(key), /^no diagonal, unlike the truth/);
    assert.match(await note("gfm"), /^relative error/);
    await anew(page, () => page.locator(figure).getByRole("checkbox", { name: "gFM" }).uncheck());
    assert.equal(await page.locator("ifm-matrix figcaption .note").count(), 0);
  });

  await t.test("with four panels and a ghost the page keeps axe's rules and its width, dark, 1440 px", acceptance, async () => {
    await page.emulateMedia({ colorScheme: "dark" });
    await fourPanels(page);
  });
});

for (const [width, models] of /** @type {const} */ ([[360, "fm,ifm"], [820, "fm,ifm"], [1440, "fm,ifm"], [1440, "fm,gfm,ifm"]])) {
  test(`what is below keeps its place when the script of heat maps and stems comes, ${width} px, ${models}`, width === 820 || (width === 1440 && models === "fm,ifm") ? acceptance : {}, async (t) => {
    const page = await openPage(t, "about:blank", { viewport: { width, height: 900 } });
    const maps = await gate(page, "**/a/all-*.js");
    await page.goto(new URL(`/?speed=instant&models=${models}&${small}&iterations=20`, await origin()).href);
    await maps.asked;
    await page.locator(`${figure} .verdict[data-phase=done]`).waitFor();
    const below = () => page.locator(`${figure} .fold`).last().evaluate((fold) => fold.getBoundingClientRect().top);
    const before = await below();
    maps.open();
    await settled(page);
    assert.ok((await page.locator("ifm-spectrum .stem").count()) > 0);
    const moved = (await below()) - before;
    assert.ok(Math.abs(moved) < 12, `it moved by ${moved} px`); // less than a line: fonts differ
  });
}

test("who pauses finds both models at the same iteration", async (t) => {
  const page = await openPage(t, "/?iterations=400&d=12&n=300", { held: true });
  const iteration = async () => Number((await page.locator(`${figure} .progress`).innerText()).match(/^Iteration (\d+) of 400/)?.[1] ?? 0);
  await page.locator(`${figure} .progress`).waitFor({ state: "attached" });
  while ((await iteration()) <= 15) await page.clock.runFor(20);
  await page.locator(figure).getByRole("button", { name: "Pause" }).click();
  await settled(page);
  assert.equal(await page.locator(`${figure} .controls`).getAttribute("data-phase"), "paused");
  assert.ok((await iteration()) > 15);
  const ends = Object.values(await curves(page)).map((rmse) => rmse.length);
  assert.ok(ends.length === 2 && ends[0] === ends[1] && (ends[0] ?? 0) > 15, `they stand at ${ends}`);
});

/** A table whose target is the sum of two columns: ridge is exact, and everything else is beyond measure. */
const sum = `a,b,y\n${Array.from({ length: 60 }, (_, i) => [(i * 37) % 61, (i * 23) % 59]).map(([a = 0, b = 0]) => `${a},${b},${a + b}`).join("\n")}\n`;

/** Watches a chart's labels from now on; tells which stood on each other or on the end of a line. @param {Page} page @param {string} chart */
async function watchLabels(page, chart) {
  await page.evaluate((chart) => {
    /** @type {Set<string>} */
    const seen = new Set();
    Object.assign(window, { covered: seen, looked: 0 });
    const look = () => {
      const svg = document.querySelector(`${chart} .curve-svg`);
      if (!svg) return;
      const texts = [...svg.querySelectorAll("[aria-label=text] text")];
      const marks = [...svg.querySelectorAll(":is(.tip, .ring, .exit) :is(path, circle)")];
      /** @type {any} */ (window).looked += texts.length;
      texts.forEach((text, i) => {
        const a = text.getBoundingClientRect();
        for (const other of [...texts.slice(i + 1), ...marks]) {
          const b = other.getBoundingClientRect();
          const [x, y] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
          if (x > 1 && y > 1) seen.add(`${text.textContent} on ${other.textContent || other.tagName} by ${x.toFixed(1)} × ${y.toFixed(1)}`);
        }
      });
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    look();
  }, chart);
  return async () => {
    const [covered, looked] = await page.evaluate(() => [[.../** @type {any} */ (window).covered], /** @type {any} */ (window).looked]);
    assert.ok(looked > 4, "there were labels to look at");
    assert.deepEqual(covered, []);
  };
}

test("no label of the curves stands on another or on the end of a line, at any width", acceptance, async (t) => {
  const page = await openPage(t, "/?models=fm,gfm,ifm&iterations=40", { viewport: { width: 320, height: 900 } });
  await page.locator(`${figure} .stage`).scrollIntoViewIfNeeded();
  const figureIsClear = await watchLabels(page, figure);
  await finished(page);
  for (const width of [320, 360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const change of ["input[value=psd]", "input[value=mixed]", "input[value=flipped]"]) await anew(page, () => page.locator(change).check());
  }
  await figureIsClear();
  await page.getByLabel("Speed").first().selectOption("instant");
  const tableIsClear = await watchLabels(page, "ifm-result");
  await bring(page, "sum.csv", sum);
  await train(page);
  for (const width of [360, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
  }
  await tableIsClear();
});

test("a table's run leaves a ghost on the same target, and none on another", acceptance, async (t) => {
  const page = await openPage(t, "/?source=table&sample=penguins&models=ifm&d=8&k=2&n=100&speed=instant&ranks=2&lambdas=0.1&iterations=40");
  const ghost = () => page.locator("ifm-result [data-chart=curve]").evaluate((curve) => /** @type {any} */ (curve).spec.ghost?.query ?? null);
  await train(page);
  assert.equal(await ghost(), null);
  await page.goto(page.url()); // nothing is kept over a reload
  await train(page);
  assert.equal(await ghost(), null);
  await page.getByText("Models and tuning").click();
  await page.locator("ifm-data").getByLabel("Seed").fill("5");
  await page.keyboard.press("Tab");
  await page.waitForURL(/seed=5/);
  await train(page);
  assert.doesNotMatch((await ghost()) ?? "none", /none|seed/, "the run of the first seed");
  await page.getByLabel("Role of Beak Length (mm)").selectOption("target");
  await train(page);
  assert.equal(await ghost(), null, "millimetres are not grams");
});
