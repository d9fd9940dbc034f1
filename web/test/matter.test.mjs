// @ts-check
/** One-hot columns: which signs between columns FM can represent, seen and turned by keyboard alone. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPage, settled, tabTo } from "./lab.mjs";
import { answered, details, over, value } from "./lesson.mjs";

const small = "matter.levels=5&matter.k=1&matter.n=600&matter.test=300&matter.iterations=200";

test("FM fails on three one-hot columns whose signs conflict, and not once a block is turned", async (t) => {
  const page = await openPage(t, `/?embed=1&chapter=matter&${small}`);
  const chapter = await details(page, "matter");
  await tabTo(page, "[data-guess=conflict]");
  await page.keyboard.press("Enter");
  await over(chapter);
  assert.deepEqual(await answered(chapter), ["conflict", "true"]);
  const [fm = NaN, equal = NaN, ifm = NaN] = await Promise.all(["fm 1", "fm 2", "ifm 1"].map((which) => value(chapter.locator(`dl [data-left="${which}"]`))));
  assert.ok(fm > 0.2 && equal < 0.01 && ifm < 0.05, `${fm}, ${equal}, ${ifm}`);

  const maps = chapter.locator(".seen ifm-matrix");
  assert.equal(await maps.locator("[data-matrix=fm] .unseen").count(), 3, "a hatched block for each column");
  assert.match((await maps.locator("[data-matrix=fm] .cells").getAttribute("aria-label")) ?? "", /hatched/);

  await tabTo(page, "[data-block='2']");
  await page.keyboard.press("Enter");
  await over(chapter);
  assert.equal(await chapter.locator("[data-block='2']").getAttribute("aria-pressed"), "false");
  assert.deepEqual((await answered(chapter))[0], "never", "all blocks are positive");
  assert.ok((await value(chapter.locator('dl [data-left="fm 1"]'))) < 0.05);
  assert.match(page.url(), /matter\.blocks=1,1,1/);
});

test("more columns than the rows can tell are refused in a sentence, and a pattern of zeros is replaced", async (t) => {
  const page = await openPage(t, "/?embed=1&chapter=matter&matter.columns=4&matter.levels=20&matter.n=50&matter.blocks=0,0,0,0,0,0");
  const chapter = page.locator("#matter .chapter");
  await settled(page);
  assert.match(await chapter.innerText(), /at least 77, as many as a linear model on 4 columns of 20 levels has parameters/);
  assert.match(await page.locator("body").innerText(), /not 6 numbers from −1 to 1 with at least one that is not 0/);
});
