// @ts-check
/** What is told of the models of a table once they are trained: what beats them, what a prediction is made of, what columns add, how sure it is. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { holdCall, pass } from "./calls.mjs";
import { assertAccessible, openPage, settled } from "./lab.mjs";
import { shift } from "./measure.mjs";
import { drop, rows, small, tab, train, twice, uniform } from "./table.mjs";

const few = "ranks=2&lambdaf=10&lambdaw=10&encode=linear";

test("boosted trees grow once the models are trained, tell how far, can be stopped by keyboard and begun again", async (t) => {
  const page = await openPage(t, `/?source=table&sample=cars&speed=instant&${few}&trials=2`, { before: (page) => holdCall(page, "trees") });
  const trees = page.locator("ifm-board .growth");
  const row = page.locator("ifm-result [data-standing=trees]");
  await trees.getByLabel(/^Growing boosted trees: \d+ of at most [\d,]+$/).waitFor();
  await assertAccessible(page, { include: ["ifm-board"] });

  await trees.getByRole("button", { name: "Stop" }).focus();
  await page.keyboard.press("Enter");
  await trees.getByText(/^stopped after \d+$/).waitFor();
  await settled(page);
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Grow", "the focus is on the button in place of the one that has gone");
  await pass(page);
  await trees.getByRole("button", { name: "Grow boosted trees" }).click();
  await row.waitFor();
});

/** Rows of three columns of numbers and one of levels; the first two act together as far as `strength` says. @param {number} n @param {number} strength */
const drawn = (n, strength) => `a,b,c,kind,y\n${rows(n, (i) => {
  const [a, b, c] = [uniform(i, 1), uniform(i, 2), uniform(i, 3)];
  return [a, b, c, "uvw".charAt(i % 3), a + b * b + c + strength * a * b + 0.2 * (uniform(i, 4) + uniform(i, 5))];
})}`;

test("pairs that act together are tested step by step, named with their share, and told where there are none", async (t) => {
  const page = await openPage(t, `/?${small}&${few.replace("f=10", "f=30")}&trials=2&models=ifm#table`, { before: (page) => holdCall(page, "pairs", 0) }); // an engine that is warm does all of it in one slice
  await page.locator("ifm-data input[data-file=table]").setInputFiles({ name: "drawn.csv", mimeType: "text/csv", buffer: Buffer.from(drawn(600, 3)) }); // whose target is sure, so that it trains at once
  const panel = page.locator(".important");
  await page.locator("#tab-matters").click();
  await panel.getByText(/^(Reading|Fitting|Multiplying|Testing|Measuring) .* …$/).waitFor();
  assert.equal(await panel.getByRole("progressbar").count(), 1);
  await pass(page);
  await panel.locator("[data-named]").waitFor();
  await settled(page);
  assert.equal(await panel.locator("[data-named]").innerText(), "Test of all pairs, without a model. 1 of 6 pairs stands out: a × b.");
  await panel.getByText("How importance is measured").click();
  const row = panel.locator("tr[data-pair]");
  assert.equal(await row.getAttribute("data-pair"), "a × b");
  const share = Number(await row.getAttribute("data-share"));
  assert.ok(share > 0.05 && share < 0.6, `${share}`);
  await assertAccessible(page, { include: ["ifm-importance"] });

  await drop(page, "drawn.csv", drawn(601, 0));
  await panel.getByText("None of 6 pairs is by itself clearly more than chance.").waitFor();
  assert.equal(await panel.locator("tr[data-pair]").count(), 0);
});

test("what a prediction is made of is told of any row, by pointer and by keyboard", async (t) => {
  const page = await openPage(t, "/?source=table&sample=cars&ranks=2&lambdaf=3&lambdaw=10&trials=2&speed=instant");
  const scatter = page.locator("ifm-fit [data-chart=predictions]").first();
  const reasons = page.locator("ifm-reasons section");

  await t.test("a click on a test row tells what its prediction is made of, and nothing above it moves", async () => {
    await train(page);
    assert.equal(await reasons.count(), 0);
    const dot = scatter.locator(".scatter-svg circle").nth(7);
    await dot.scrollIntoViewIfNeeded();
    const before = await dot.boundingBox();
    assert.ok(before);
    await page.mouse.click(before.x + before.width / 2, before.y + before.height / 2);
    await reasons.locator("table").waitFor();
    await settled(page);
    assert.deepEqual(await dot.boundingBox(), before, "the row stays under the pointer");
    await page.mouse.move(0, 0);
    assert.equal(await scatter.locator(".mark circle").count(), 1, "the row that was chosen stays marked");
    await assertAccessible(page, { include: ["ifm-fit"] });

    await reasons.getByRole("button", { name: "Close" }).click();
    await reasons.waitFor({ state: "detached" });
  });

  await t.test("by keyboard a row is chosen in the scatter or in its table, and Escape or Close leads back", async () => {
    const focused = (/** @type {Locator} */ on) => on.evaluate((element) => element === document.activeElement);
    const open = async () => {
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.activeElement?.matches("ifm-reasons section"));
      await page.locator("ifm-reasons section[aria-busy=false] table").waitFor();
      return reasons.getAttribute("data-line");
    };
    const slider = scatter.getByRole("slider", { name: /Enter explains the prediction$/ });
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    const reading = await slider.getAttribute("aria-valuetext");
    assert.match(reading ?? "", new RegExp(`^Line ${await open()}: `));
    await page.keyboard.press("Escape");
    await reasons.waitFor({ state: "detached" });
    assert.ok(await focused(slider));
    assert.equal(await slider.getAttribute("aria-valuetext"), reading, "where the reader was");

    const row = page.locator(".largest").getByRole("button", { name: /^Line \d+: why this prediction$/ }).nth(2);
    await row.focus();
    assert.equal(await open(), await row.innerText());
    assert.equal(await row.getAttribute("aria-pressed"), "true");
    await page.keyboard.press("Escape");
    await reasons.waitFor({ state: "detached" });
    assert.ok(await focused(row));
  });
});

/** The parts before and after a change, and their ends. @param {Locator} reasons */
async function ends(reasons) {
  const all = await reasons.locator("tr[data-part]").evaluateAll((rows) => rows.map((row) => ({ part: row.getAttribute("data-part") ?? "", before: Number(row.getAttribute("data-before")), after: Number(row.getAttribute("data-value")), text: /** @type {HTMLElement} */ (row).innerText })));
  const { before, after } = all.find(({ part }) => part === "predicted") ?? {};
  return { before, after, all };
}

test("cells of a row are changed by keyboard, and prediction, interval and parts follow", async (t) => {
  const page = await openPage(t, `/?source=table&sample=cars&models=ifm&${twice}&speed=instant`);
  await train(page);
  const fit = page.locator("ifm-fit");
  const reasons = fit.locator("ifm-reasons");
  await settled(page, fit.locator(".largest button").nth(1).click());
  const at = await ends(reasons);
  assert.equal(at.before, at.after, "nothing is changed yet");
  await settled(page, reasons.locator(".what-if summary").click());
  await assertAccessible(page, { include: ["ifm-reasons"] });
  const top = () => reasons.evaluate((panel) => /** @type {HTMLElement} */ (panel.querySelector("table")).getBoundingClientRect().top - panel.getBoundingClientRect().top);
  const before = await top();

  const slider = reasons.getByRole("slider", { name: "Horsepower, slider" });
  await slider.focus();
  for (let i = 0; i < 40; i++) await page.keyboard.press("ArrowRight");
  await settled(page);
  const horsepower = await reasons.getByRole("spinbutton", { name: "Horsepower", exact: true }).inputValue();
  await settled(page, reasons.getByRole("combobox", { name: "Origin" }).selectOption("Japan"));
  const changed = await ends(reasons);
  assert.equal(changed.before, at.after);
  assert.notEqual(changed.after, at.after);
  assert.match(changed.all.find(({ part }) => part === "Horsepower")?.text ?? "", new RegExp(`\\d+ → ${horsepower}`));
  assert.equal(await top(), before, "nothing moves");

  await settled(page, reasons.getByRole("button", { name: "All as in the file" }).click());
  assert.equal((await ends(reasons)).after, at.after);
});

test("a column that is pressed shows what it adds", async (t) => {
  const page = await openPage(t, "/?source=table&sample=cars&models=ifm&encode=hats&ranks=2&lambdaf=10&lambdaw=3&iterations=10&trials=2&speed=instant");
  await train(page);
  await tab(page, "matters");
  await settled(page);
  assert.ok((await shift(page)) <= 0.02);
  const rows = page.locator(".important tr[data-column]");
  await settled(page, rows.filter({ hasText: "Origin" }).locator("button").click());
  assert.match((await page.locator(".important [data-chart=shape] .plot").getAttribute("aria-label")) ?? "", /^What Origin adds to Miles_per_Gallon: least at USA, −/);
  await assertAccessible(page, { include: ["ifm-importance"] });
});
