// @ts-check
/** Around the figure: heat maps that explain themselves, labels that keep out of each other's way, the run before as a ghost of a table's. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, assertAccessible, assertFits, openPage, settled } from "./lab.mjs";
import { bring, figureDone as finished, role, tab, train } from "./table.mjs";

const figure = "ifm-figure";
const small = "d=8&k=2&n=100"; // where the numbers do not matter

test("gFM is explained where it is among the models, and each model says what it cannot represent", async (t) => {
  const page = await openPage(t, `/?models=fm,gfm,ifm&speed=instant&iterations=40&scenario=mixed&${small}`);
  await page.getByRole("button", { name: /^More:/ }).click();
  await page.getByRole("checkbox", { name: "Heat maps" }).check();
  await finished(page);
  const note = (/** @type {string} */ key) => page.locator(`${figure} [data-matrix=${key}] .title .noted`).innerText();
  assert.equal(await note("gfm"), "cannot represent a zero diagonal");
  assert.match(await note("ifm"), /^relative error/);
  assert.match(await page.locator("ifm-matrix figcaption .note").innerText(), /^gFM keeps the diagonal of UVᵀ/);
  assert.match(await page.locator(`${figure} .says`).innerText(), /^With both signs, FM leaves \d+ %, gFM leaves \d+ % and iFM leaves .* of a straight-line fit’s error\./);
  await page.getByText("All settings").click();
  await page.locator(`${figure} [data-key=diagonal]`).selectOption("kept");
  await finished(page);
  for (const key of ["fm", "ifm"]) assert.match(await note(key), /^no diagonal, unlike the true matrix/);
  assert.match(await note("gfm"), /^relative error/);
  await assertAccessible(page, { include: [figure] });
  await assertFits(page);
  await page.locator(figure).getByRole("checkbox", { name: "gFM" }).uncheck();
  await finished(page);
  assert.equal(await page.locator("ifm-matrix figcaption .note").count(), 0);
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
  const figureIsClear = await watchLabels(page, `${figure} .on`);
  await finished(page);
  for (const width of [320, 360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const change of ["input[value=psd]", "input[value=mixed]", "input[value=flipped]"]) {
      await page.locator(change).check();
      await finished(page);
    }
  }
  await figureIsClear();
  await page.locator("nav").getByText("Your table").click();
  const tableIsClear = await watchLabels(page, "ifm-result");
  await bring(page, "sum.csv", sum);
  await train(page);
  await tab(page, "training");
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
  await tab(page, "training");
  await page.getByText("Models and tuning").click();
  await page.locator("ifm-data").getByLabel("Seed").fill("5");
  await page.keyboard.press("Tab");
  await page.waitForURL(/seed=5/);
  await train(page);
  assert.doesNotMatch((await ghost()) ?? "none", /none|seed/, "the run of the first seed");
  await tab(page, "columns");
  await role(page, "Beak Length (mm)").selectOption("target");
  await train(page);
  assert.equal(await ghost(), null, "millimetres are not grams");
});
