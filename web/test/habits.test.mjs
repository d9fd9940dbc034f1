// @ts-check
/** What a reader does in passing, away from the way that is meant: scrolls off, holds a phone, prints, opens a link without its file. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, assertFits, openPage, origin, settled } from "./lab.mjs";

/** @typedef {import("playwright-core").Page} Page */

const figure = "ifm-figure";
const small = "d=8&k=2&n=100"; // where the numbers do not matter
const little = "ranks=2&lambdaf=10&encode=linear"; // nor those of a table

/** @param {Page} page @param {string} [panel] */
async function finished(page, panel = figure) {
  await settled(page);
  assert.equal(await page.locator(`${panel} .verdict`).getAttribute("data-phase"), "done");
}

/** @param {Page} page */
async function planned(page) {
  await settled(page);
  assert.equal(await page.locator(".plan").getAttribute("data-state"), "ready");
}

test("a setting that is changed runs where its curves are seen, or just above", async (t) => {
  const page = await openPage(t, `/?speed=instant&iterations=20&${small}`, { viewport: { width: 360, height: 320 } });

  await t.test("a setting changed while the figure is out of sight runs when it is seen again", async () => {
    await page.locator(`${figure} .stage`).scrollIntoViewIfNeeded();
    await finished(page);
    await page.getByText("Settings of this run").click();
    await page.locator(`${figure} .fold:has(ifm-settings)`).evaluate((fold) => fold.scrollIntoView({ block: "end" }));
    await page.locator(figure).getByLabel("Seed").fill("7");
    await page.keyboard.press("Tab");
    await page.waitForURL(/seed=7/);
    await settled(page);
    assert.equal(await page.locator(`${figure} .controls`).getAttribute("data-phase"), "paused");
    await page.locator(`${figure} .stage`).scrollIntoViewIfNeeded();
    await finished(page);
  });

  await t.test("a setting changed beside the eigenvalues runs at once, the curves being above", async () => {
    await page.setViewportSize({ width: 1280, height: 700 });
    await page.locator(`${figure} .stage`).scrollIntoViewIfNeeded();
    await finished(page);
    await page.locator("ifm-spectrum").evaluate((stems) => stems.scrollIntoView());
    await page.locator(`${figure} [data-key=seed]`).fill("8"); // the curves name the seed, too
    await page.keyboard.press("Tab");
    await page.waitForURL(/seed=8/);
    await finished(page);
    assert.match(await page.locator(`${figure} .live`).innerText(), /seed 8\./);
    assert.ok(await page.locator(`${figure} .stage`).evaluate((stage) => stage.getBoundingClientRect().bottom < 100), "the curves are out of sight");
  });
});

/** A table whose target is the sum of two columns: ridge is exact, and everything else is beyond measure. */
const leaky = `a,b,y\n${Array.from({ length: 60 }, (_, i) => [(i * 37) % 61, (i * 23) % 59]).map(([a = 0, b = 0]) => `${a},${b},${a + b}`).join("\n")}\n`;

/** @param {Page} page @param {string} name @param {string} bytes */
async function train(page, name, bytes) {
  await page.locator("input[data-file=table]").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(bytes) });
  await planned(page);
  await page.locator("button.start").click();
  await finished(page, "ifm-result");
}

test("a target that the columns add up to stays within the page, however narrow", acceptance, async (t) => {
  const page = await openPage(t, `/?speed=instant&${small}&${little}#table`, { viewport: { width: 320, height: 740 } });
  await train(page, "sum.csv", leaky);
  assert.match(await page.locator("ifm-result .standings").innerText(), /> 1000 %/);
  assert.doesNotMatch(await page.locator("ifm-result .standings").innerText(), /\d{5} %/);
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    await settled(page);
    await assertFits(page);
    assert.deepEqual(await cut(page, "ifm-result [data-chart=curve]"), [], `${width} px`);
  }
});

/** The texts of a chart that stick out of its box, and by how many px. @param {Page} page @param {string} chart */
async function cut(page, chart) {
  return page.locator(`${chart} .plot`).evaluate((plot) => {
    const box = plot.getBoundingClientRect();
    return [...plot.querySelectorAll("svg text")].flatMap((text) => {
      const { left, right } = text.getBoundingClientRect();
      const out = Math.max(box.left - left, right - box.right);
      return out > 0.5 ? [`${text.textContent} ${out.toFixed(1)}`] : [];
    });
  });
}

test("a label that tells the kept RMSE, not the one where the line ends, says so", acceptance, async (t) => {
  const page = await openPage(t, `/?source=table&sample=penguins&speed=instant&patience=40&${small}&ranks=2&encode=linear`);
  await planned(page);
  await page.locator("button.start").click();
  await finished(page, "ifm-result");
  const plot = page.locator("ifm-result [data-chart=curve] .plot");
  const rings = await plot.locator("circle[r='7']").count();
  assert.ok(rings > 0, "a model is kept from before the end");
  const labels = (await plot.locator("svg text").allTextContents()).filter((text) => /FM kept [\d.,]+/.test(text));
  assert.equal(labels.length, rings);
});

test("a link to a run on a reader's own table asks for the file, and repeats the run with it", async (t) => {
  const page = await openPage(t, `/?source=table&target=a&ignore=b&speed=instant&${small}&${little}`);
  const asks = page.locator("ifm-data .asks");
  await settled(page);
  assert.match(await asks.innerText(), /^This link predicts a from a table\. Choose that file to repeat the run\./);
  const seen = await page.evaluate(() => {
    const [asked, door] = ["ifm-data .asks", "ifm-data .drop"].map((s) => document.querySelector(s)?.getBoundingClientRect());
    return asked && door && asked.top >= 0 && door.bottom <= innerHeight;
  });
  assert.ok(seen, "and leads to where it is asked for");
  await page.locator("input[data-file=table]").setInputFiles({ name: "sum.csv", mimeType: "text/csv", buffer: Buffer.from(leaky) });
  await planned(page);
  assert.equal(await page.getByLabel("Role of a", { exact: true }).inputValue(), "target");
  assert.equal(await page.getByLabel("Role of b", { exact: true }).inputValue(), "ignore");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "decided");
  assert.equal(await page.locator("ifm-result .verdict").getAttribute("data-phase"), "done");
  assert.equal(await asks.count(), 0);
});

test("the page as it opens, on a screen, on a phone and on paper", async (t) => {
  const page = await openPage(t, `/?speed=instant&iterations=40&${little}`);
  await finished(page);

  await t.test("the heat maps begin with the pair that FM gets most wrong, without FM with the strongest", async () => {
    assert.equal(await page.locator("ifm-data .asks").count(), 0, "a page opened without a link asks for no file");
    assert.equal(await page.evaluate(() => scrollY), 0);
    const slider = page.getByRole("slider", { name: "Pair, largest disagreement first" });
    const off = async () => {
      const says = (await slider.getAttribute("aria-valuetext")) ?? "";
      const [truth = NaN, fm = NaN] = [...says.matchAll(/(?:True M\*|FM) ([+−]?[\d.]+)/g)].map(([, value = ""]) => Number(value.replace("−", "-")));
      return Math.abs(truth - fm);
    };
    await slider.focus();
    const first = await off();
    await page.keyboard.press("ArrowRight");
    const next = await off();
    assert.ok(first > 0.1 && first >= next, `FM is off by ${first} at first and by ${next} at the next pair`);
    await page.getByText("Settings of this run").click();
    await page.locator(figure).getByLabel("FM", { exact: true }).uncheck();
    await finished(page);
    assert.equal(await page.getByRole("slider", { name: "Pair, strongest first" }).count(), 1);
    await page.locator(figure).getByLabel("FM", { exact: true }).check();
    await finished(page);
  });

  await t.test("the labels at the tips of the curves fit a phone", async () => {
    await page.locator(`${figure} .stage`).scrollIntoViewIfNeeded();
    for (const width of process.env["LONG"] ? [320, 360] : [320]) {
      await page.setViewportSize({ width, height: 740 });
      await finished(page);
      assert.deepEqual(await cut(page, `${figure} [data-chart=curve]`), [], `${width} px`);
    }
  });

  await t.test("a table that was not opened is not printed, and one that was is", async () => {
    await page.emulateMedia({ media: "print" });
    assert.ok(await page.locator("ifm-data").isHidden());
    await page.emulateMedia({ media: "screen" });
    await page.locator("[data-sample=penguins]").click();
    await planned(page);
    await page.emulateMedia({ media: "print" });
    assert.ok(await page.locator("ifm-data").isVisible());
    await page.emulateMedia({ media: "screen" });
  });

  await t.test("one row and one column are told in the singular", async () => {
    assert.match(await page.locator(`${figure} [data-verdict]`).innerText(), /\d times smaller\./);
    await page.locator("input[data-file=table]").setInputFiles({ name: "one.csv", mimeType: "text/csv", buffer: Buffer.from("a\n1\n") });
    await settled(page);
    assert.match(await page.locator("#file").innerText(), /^one\.csv: 1 row, 1 column, /);
    assert.equal(await page.locator(".preview summary").innerText(), "The first row, as written");
  });

  await t.test("the heat maps stand on one line, on a screen and in print", async () => {
    const aligned = async (/** @type {number} */ width) => {
      await page.setViewportSize({ width, height: 1100 });
      await finished(page);
      const tops = await page.locator(`${figure} ifm-matrix .map`).evaluateAll((maps) => maps.flatMap((map) => [".title b", ".cells"].map((s) => Math.round(map.querySelector(s)?.getBoundingClientRect().top ?? NaN))));
      assert.ok(tops.length >= 6);
      assert.deepEqual(tops, tops.map((_, i) => tops[i % 2]), `${width} px`);
    };
    await aligned(820);
    if (process.env["LONG"]) await aligned(1024);
    await page.emulateMedia({ media: "print" });
    await aligned(700);
    await page.emulateMedia({ media: "screen" });
    await page.locator(figure).getByLabel("gFM").check();
    await page.locator(`${figure} .stage`).scrollIntoViewIfNeeded(); // it runs where it is seen
    await aligned(1120);
  });
});

test("a phone, which has no mouse", async (t) => {
  const page = await openPage(t, `/?speed=instant&source=table&sample=penguins&${small}&${little}`, { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });

  await t.test("who has no mouse is asked to choose and to touch, and the hint has its own line", async () => {
    await planned(page);
    await page.locator("button.start").tap();
    await finished(page, "ifm-result");
    const door = await page.locator(".door .big").innerText();
    assert.match(door, /^Choose a table/);
    for (const chart of [page.locator("ifm-result [data-chart=curve] .chart"), page.locator("ifm-scatter .chart")]) {
      assert.match(await chart.locator(".readout").innerText(), /Touch/);
      const [hint, fold] = await chart.evaluate((c) => [".readout", "summary"].map((s) => c.querySelector(s)?.getBoundingClientRect()));
      assert.ok(hint && fold && hint.bottom <= fold.top + 1, "the hint stands above, not beside");
    }
    assert.doesNotMatch(await page.locator("main").innerText(), /\bDrop\b|Point at|arrow keys/);
  });

  await t.test("what a finger has touched stays to be read until it touches elsewhere", async () => {
    await page.locator("h1").scrollIntoViewIfNeeded();
    await finished(page);
    const chart = page.locator(`${figure} [data-chart=curve]`);
    const box = await chart.locator(".over").boundingBox();
    assert.ok(box);
    for (const share of [0.2, 0.6]) {
      await page.touchscreen.tap(box.x + share * box.width, box.y + box.height / 2);
      await settled(page);
      const at = Number(/^Iteration (\d+): FM/.exec(await chart.locator(".readout").innerText())?.[1]);
      assert.ok(Math.abs(at - 150 * share) <= 2, `at ${share} of 150 iterations it reads ${at}`);
    }
    await page.locator("h1").tap();
    await settled(page);
    assert.match(await chart.locator(".readout").innerText(), /^Touch the curves/);
  });
});

test("while the data are drawn the page says so, and shows no scale", async (t) => {
  const page = await openPage(t, "about:blank");
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    /** @type {(() => void)[]} */
    const held = [];
    let drawn = false;
    Object.assign(globalThis, { draw: () => ((drawn = true), held.forEach((go) => go())) });
    Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ transfer) {
      if (message.call === "start" && !drawn) held.push(() => post.call(this, message, transfer)); // drawing takes as long as the test wants
      else post.call(this, message, transfer);
    };
  });
  await page.goto(new URL("/?n=3000&d=8&iterations=1&speed=instant", await origin()).href);
  const live = page.locator(`${figure} .verdict .live`);
  await page.locator(`${figure} .controls[data-phase=starting]`).waitFor();
  assert.match(await live.innerText(), /^Drawing the data: 3,000 training rows/);
  assert.equal(await page.locator(`${figure} .frame .empty`).innerText(), "Drawing the data …");
  assert.ok(await page.locator(`${figure} ifm-matrix .legend`).isHidden());
  await page.evaluate(() => /** @type {any} */ (globalThis).draw());
  await finished(page);
  assert.match(await live.innerText(), /^Computed live: 3,000 training rows/);
  assert.ok(await page.locator(`${figure} ifm-matrix .legend`).isVisible());
});

test("a press on the chart reads the iteration under it, also where the lines end early", async (t) => {
  const page = await openPage(t, "/?solver=gauss-newton&scenario=mixed&models=fm&speed=instant&d=10&n=300");
  await finished(page);
  const chart = page.locator(`${figure} [data-chart=curve]`);
  const box = await chart.locator(".over").boundingBox();
  const end = Number(await chart.locator(".over input").getAttribute("max"));
  assert.ok(box && end > 4 && end < 100, `FM stops at iteration ${end} of 150`);
  const x = box.x + (4 / 150) * box.width;
  await page.mouse.click(x, box.y + box.height / 2);
  assert.match(await chart.locator(".readout").innerText(), /^Iteration 4: /);
  await page.keyboard.press("ArrowLeft");
  assert.match(await chart.locator(".readout").innerText(), /^Iteration 3: /);
});
