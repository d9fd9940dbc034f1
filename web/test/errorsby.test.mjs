// @ts-check
/** For which rows a model works less well: test errors by the levels of a column. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, openPage, settled } from "./lab.mjs";
import { train, twice } from "./table.mjs";

for (const [name, of, column, least] of /** @type {const} */ ([["cars by weight, in bands", "sample=cars", "Weight_in_lbs", 5], ["penguins by island", "sample=penguins&target=Species", "Island", 3]])) {
  test(`test errors of ${name} are those of their rows, and add up to the error of all`, async (t) => {
    const page = await openPage(t, `/?source=table&${of}&models=ifm&${twice}&speed=instant`);
    await train(page);
    const panel = page.locator("ifm-errors-by");
    await panel.locator("select[name=errors-by]").selectOption(column);
    await settled(page);
    const levels = await panel.locator("tr[data-level]").evaluateAll((rows) => rows.map((row) => ({ level: row.getAttribute("data-level") ?? "", rows: Number(row.getAttribute("data-rows")), error: Number(row.getAttribute("data-value")) })));
    assert.ok(levels.length >= least, `${levels.length}`);
    const [all, ...each] = levels;
    const { losses, isRMSE } = await page.locator("ifm-fit").evaluate((fit) => {
      const { training, lead } = /** @type {any} */ (fit);
      const { actual, predicted } = training.predictions.get(lead);
      const isRMSE = training.started.measure === "rmse";
      return { isRMSE, losses: [...predicted].map((p, i) => (isRMSE ? (p - actual[i]) ** 2 : -Math.log(p))) };
    });
    const whole = losses.reduce((sum, one) => sum + one, 0) / losses.length;
    const loss = (/** @type {number} */ error) => (isRMSE ? error ** 2 : error);
    assert.equal(all?.rows, losses.length);
    assert.ok(Math.abs(loss(all?.error ?? NaN) - whole) < 1e-9 * whole);
    assert.equal(each.reduce((sum, { rows }) => sum + rows, 0), losses.length);
    assert.ok(Math.abs(each.reduce((sum, { rows, error }) => sum + rows * loss(error), 0) / losses.length - whole) < 1e-9 * whole);
    await assertAccessible(page, { include: ["ifm-errors-by"] });
    await page.setViewportSize({ width: 390, height: 844 });
    await settled(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  });
}
