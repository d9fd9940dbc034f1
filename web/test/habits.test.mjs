// @ts-check
/** What a reader does in passing, away from the way that is meant: scrolls off, holds a phone, prints, opens a link without its file. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, settled } from "./lab.mjs";
import { bring, figureDone as finished, finished as over, little, planned, role, rows, small } from "./table.mjs";

const figure = "ifm-figure";

/** The texts of a chart that stick out of its box, and by how many px. @param {Page} page @param {string} chart */
const cut = (page, chart) =>
  page.locator(`${chart} .plot`).evaluate((plot) => {
    const box = plot.getBoundingClientRect();
    return [...plot.querySelectorAll("svg text")].flatMap((text) => {
      const { left, right } = text.getBoundingClientRect();
      const out = Math.max(box.left - left, right - box.right);
      return out > 0.5 ? [`${text.textContent} ${out.toFixed(1)}`] : [];
    });
  });

test("a setting changed while the figure is out of sight runs when it is seen again", async (t) => {
  const page = await openPage(t, `/?iterations=20&${small}`, { viewport: { width: 360, height: 320 } });
  await finished(page);
  await page.locator("footer").evaluate((foot) => foot.scrollIntoView({ block: "end" }));
  await settled(page);
  await page.locator(figure).evaluate((panel) => panel.dispatchEvent(new CustomEvent("ifm-spec", { detail: { seed: 7 }, bubbles: true })));
  await page.waitForURL(/seed=7/);
  await settled(page);
  assert.equal(await page.locator(`${figure} .controls`).getAttribute("data-phase"), "paused");
  await page.locator("h1").scrollIntoViewIfNeeded();
  await finished(page);
});

test("a link to a run on a reader's own table asks for the file, and repeats the run with it", async (t) => {
  const page = await openPage(t, `/?source=table&target=a&ignore=b&${small}&${little}`);
  const asks = page.locator("ifm-data .asks");
  await settled(page);
  assert.match(await asks.innerText(), /^This link predicts a from a table\./);
  const seen = await page.evaluate(() => {
    const [asked, door] = ["ifm-data .asks", "ifm-data .drop"].map((s) => document.querySelector(s)?.getBoundingClientRect());
    return asked && door && asked.top >= 0 && door.bottom <= innerHeight;
  });
  assert.ok(seen, "and leads to where it is asked for");
  await bring(page, "sum.csv", `a,b,y\n${rows(60, (i) => [(i * 37) % 61, (i * 23) % 59, ((i * 37) % 61) + ((i * 23) % 59)])}`);
  await planned(page);
  assert.deepEqual(await Promise.all(["a", "b"].map((column) => role(page, column).inputValue())), ["target", "ignore"]);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "decided");
  await over(page);
  assert.equal(await asks.count(), 0);
});

test("the page as it opens, on a screen, on a phone and on paper", async (t) => {
  const page = await openPage(t, "/?speed=instant&iterations=40&ranks=2&lambdaf=10&encode=linear");
  await finished(page);

  await t.test("the heat maps begin with the pair that FM gets most wrong, without FM with the strongest", async () => {
    assert.equal(await page.locator("ifm-data .asks").count(), 0, "a page opened without a link asks for no file");
    assert.equal(await page.evaluate(() => scrollY), 0);
    await page.locator(`${figure} input[name=maps]`).evaluate((/** @type {HTMLElement} */ e) => e.click());
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
    await page.getByRole("button", { name: /^More:/ }).click();
    await page.getByText("All settings").click();
    await page.locator(figure).getByLabel("FM", { exact: true }).uncheck();
    await finished(page);
    assert.equal(await page.getByRole("slider", { name: "Pair, strongest first" }).count(), 1);
    await page.locator(figure).getByLabel("FM", { exact: true }).check();
    await finished(page);
  });

  await t.test("the labels at the tips of the curves fit a phone", async () => {
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 320, height: 740 });
    for (const scenario of ["flipped", "psd"]) { // one ends at numbers that are powers of ten
      await page.locator(`${figure} .switch input[value=${scenario}]`).check();
      await finished(page);
      assert.deepEqual(await cut(page, `${figure} .on [data-chart=curve]`), [], scenario);
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

  await t.test("the heat maps stand on one line, on a screen and in print", async () => {
    const aligned = async (/** @type {number} */ width) => {
      await page.setViewportSize({ width, height: 1100 });
      await finished(page);
      const tops = await page.locator(`${figure} ifm-matrix .map`).evaluateAll((maps) => maps.flatMap((map) => [".title b", ".cells"].map((s) => Math.round(map.querySelector(s)?.getBoundingClientRect().top ?? NaN))));
      assert.ok(tops.length >= 6);
      assert.deepEqual(tops, tops.map((_, i) => tops[i % 2]), `${width} px`);
    };
    await aligned(820);
    await page.emulateMedia({ media: "print" });
    await aligned(700);
    await page.emulateMedia({ media: "screen" });
    await page.getByRole("button", { name: /^More:/ }).click();
    await page.locator(figure).getByLabel("gFM").check();
    await aligned(1120);
  });
});

test("a phone, which has no mouse", async (t) => {
  const page = await openPage(t, `/?source=table&sample=penguins&${small}&${little}`, { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });

  await t.test("who has no mouse is asked to choose and to touch", async () => {
    await planned(page);
    await page.locator("button.start").tap();
    await over(page);
    assert.match(await page.locator("[data-chart=predictions] .chart .readout").innerText(), /Touch/);
    assert.doesNotMatch(await page.locator("main").innerText(), /\bDrop\b|Point at|arrow keys/);
  });

  await t.test("what a finger has touched stays to be read until it touches elsewhere", async () => {
    await page.locator("h1").scrollIntoViewIfNeeded();
    await finished(page);
    const chart = page.locator(`${figure} .on [data-chart=curve]`);
    const box = await chart.locator(".over").boundingBox();
    assert.ok(box);
    for (const share of [0.2, 0.6]) {
      await page.touchscreen.tap(box.x + share * box.width, box.y + box.height / 2);
      await settled(page);
      const at = Number(/^Iteration (\d+): FM/.exec(await chart.locator(".readout").innerText())?.[1]);
      assert.ok(Math.abs(at - 20 * share) <= 1, `at ${share} of 20 iterations it reads ${at}`);
    }
    await page.locator("h1").tap();
    await settled(page);
    assert.match(await chart.locator(".readout").innerText(), /^$/);
  });
});

test("a press on the chart reads the iteration under it, also where the lines end early", async (t) => {
  const page = await openPage(t, "/?solver=gauss-newton&scenario=mixed&models=fm&speed=instant&d=10&n=300");
  await finished(page);
  const chart = page.locator(`${figure} .on [data-chart=curve]`);
  const box = await chart.locator(".over").boundingBox();
  const end = Number(await chart.locator(".over input").getAttribute("max"));
  assert.ok(box && end > 4 && end < 100, `FM stops at iteration ${end} of 150`);
  const x = box.x + (4 / 150) * box.width;
  await page.mouse.click(x, box.y + box.height / 2);
  assert.match(await chart.locator(".readout").innerText(), /^Iteration 4: /);
  await page.keyboard.press("ArrowLeft");
  assert.match(await chart.locator(".readout").innerText(), /^Iteration 3: /);
});
