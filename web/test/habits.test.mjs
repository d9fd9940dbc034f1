// @ts-check
/** What a reader does in passing, away from the way that is meant: scrolls off, holds a phone, prints, opens a link without its file. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, settled } from "./lab.mjs";
import { bring, figureDone as finished, finished as over, planned, role, rows, small, twice } from "./table.mjs";

const figure = "ifm-figure";

test("a link to a run on a reader's own table asks for the file, and repeats the run with it", async (t) => {
  const page = await openPage(t, `/?source=table&target=a&ignore=b&${small}&${twice}`);
  const asks = page.locator("ifm-data .asks");
  await settled(page);
  assert.match(await asks.innerText(), /^This link predicts a from a table\./);
  await bring(page, "sum.csv", `a,b,y\n${rows(60, (i) => [(i * 37) % 61, (i * 23) % 59, ((i * 37) % 61) + ((i * 23) % 59)])}`);
  await planned(page);
  assert.deepEqual(await Promise.all(["a", "b"].map((column) => role(page, column).inputValue())), ["target", "ignore"]);
  await over(page);
  assert.equal(await asks.count(), 0);
});

test("the heat maps stand on one line, on a screen and in print", async (t) => {
  const page = await openPage(t, `/?${small}`);
  await finished(page);
  await page.locator(`${figure} input[name=maps]`).evaluate((/** @type {HTMLElement} */ e) => e.click());
  for (const [media, width] of /** @type {const} */ ([["screen", 820], ["print", 700]])) {
    await page.emulateMedia({ media });
    await page.setViewportSize({ width, height: 1100 });
    await finished(page);
    const tops = await page.locator(`${figure} ifm-matrix .map`).evaluateAll((maps) => maps.flatMap((map) => [".title b", ".cells"].map((s) => Math.round(map.querySelector(s)?.getBoundingClientRect().top ?? NaN))));
    assert.ok(tops.length >= 6);
    assert.deepEqual(tops, tops.map((_, i) => tops[i % 2]), `${width} px`);
  }
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
