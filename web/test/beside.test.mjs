// @ts-check
/** What stands beside the models of a table once they are trained: boosted trees, and the pairs of columns that act together. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { holdCall, pass } from "./calls.mjs";
import { assertAccessible, follow, openPage, settled } from "./lab.mjs";
import { drop, rows, small, tab, train, uniform } from "./table.mjs";

const few = "ranks=2&lambdaf=10&lambdaw=10&encode=linear";
test("boosted trees grow once the models are trained, tell how far, can be stopped and begun again, and stand among the others", async (t) => {
  const page = await openPage(t, `/?source=table&sample=cars&speed=instant&${few}`, { before: (page) => holdCall(page, "trees") });
  const trees = page.locator("ifm-board .growth");
  const says = page.locator("ifm-result [data-verdict]");
  const row = page.locator("ifm-result [data-standing=trees]");
  await trees.getByLabel(/^Growing boosted trees: \d+ of at most 2,100$/).waitFor();
  assert.ok(Number(await trees.getByLabel(/^Growing boosted trees/).getAttribute("value")) > 0);
  assert.match(await says.innerText(), /(level|beat|ahead)/, "the models are judged without them");
  assert.equal(await row.count(), 0);
  await assertAccessible(page, { include: ["ifm-board"] });

  await trees.getByRole("button", { name: "Stop" }).focus();
  await page.keyboard.press("Enter");
  await trees.getByText(/^stopped after \d+$/).waitFor();
  await settled(page);
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Grow", "the focus is on the button in place of the one that has gone");
  assert.equal(await page.locator("ifm-result .table-answer").getAttribute("data-phase"), "done", "the run itself is over and stays");

  await pass(page);
  await trees.getByRole("button", { name: "Grow boosted trees" }).click();
  await row.waitFor();
  await settled(page);
  const { actual, error, predicted, all } = await page.locator("ifm-result").evaluate((panel) => {
    const { trees, predictions, trials } = /** @type {any} */ (panel).training;
    const { error, predicted } = trees.answers.get(0);
    return { actual: /** @type {number[]} */ ([...predictions.get("ifm").actual]), error, predicted: [...predicted], all: /** @type {number[]} */ (trials.map((/** @type {any} */ trial) => trial.trees)) };
  });
  assert.equal(all[0], error);
  assert.equal(Number(await row.getAttribute("data-value")), all.reduce((sum, own) => sum + own) / all.length, "their mean over the splits, grown after the models too");
  const mae = actual.reduce((sum, y, i) => sum + Math.abs(predicted[i] - y), 0) / actual.length;
  assert.ok(Math.abs(Number(await row.getAttribute("data-mae")) - mae) < 1e-12, "what stands beside it is of the trees' own rows");
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
  await panel.getByRole("button", { name: "Stop" }).focus();
  await page.keyboard.press("Enter");
  await panel.getByText("The test was stopped. It names no pair.").waitFor();
  await pass(page);
  await panel.getByRole("button", { name: "Test pairs of columns" }).click();
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
    const first = await told(page);
    assert.match((await scatter.locator("input").getAttribute("aria-valuetext")) ?? "", new RegExp(`^Line ${first.line}: `), "the row that was pointed at");
    addsUp(first);
    assert.ok(first.parts.slice(1, -1).every(({ value, text }) => (text.at(-1) ?? "").startsWith(value > 0 ? "+" : "−") || /^[0.]+$/.test(text.at(-1) ?? "")), "the sign is told in words, not by colour alone");
    await page.mouse.move(0, 0);
    assert.equal(await scatter.locator(".mark circle").count(), 1, "the row that was chosen stays marked");
    await assertAccessible(page, { include: ["ifm-fit"] });

    await reasons.getByRole("button", { name: "Close" }).click();
    await reasons.waitFor({ state: "detached" });
  });

  await t.test("by keyboard a row is chosen in the scatter or in its table, and Escape or Close leads back", async () => {
    await follow(page, `/?source=table&sample=cars&models=ifm&ranks=1&lambdaf=30&lambdaw=10&encode=linear&trials=2&speed=instant`);
    await train(page);
    const focused = (/** @type {Locator} */ on) => on.evaluate((element) => element === document.activeElement);
    const open = async () => {
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.activeElement?.matches("ifm-reasons section"));
      await page.locator("ifm-reasons section[aria-busy=false] table").waitFor();
      return told(page);
    };
    const slider = scatter.getByRole("slider", { name: /Enter explains the prediction$/ });
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    const reading = await slider.getAttribute("aria-valuetext");
    const reason = await open();
    assert.match(reading ?? "", new RegExp(`^Line ${reason.line}: `));
    addsUp(reason);
    await page.keyboard.press("Escape");
    await reasons.waitFor({ state: "detached" });
    assert.ok(await focused(slider));
    assert.equal(await slider.getAttribute("aria-valuetext"), reading, "where the reader was");

    const row = page.locator(".largest").getByRole("button", { name: /^Line \d+: why this prediction$/ }).nth(2);
    await row.focus();
    assert.equal(String((await open()).line), await row.innerText());
    assert.equal(await row.getAttribute("aria-pressed"), "true");
    await page.keyboard.press("Tab");
    assert.ok(await focused(reasons.getByRole("button", { name: "Close" })));
    await page.keyboard.press("Enter");
    await reasons.waitFor({ state: "detached" });
    assert.ok(await focused(row));

    await page.keyboard.press("Enter");
    await reasons.waitFor();
    await settled(page);
    await tab(page, "training");
    await page.locator("ifm-result .controls").getByRole("button", { name: /again/i }).click();
    await reasons.waitFor({ state: "detached" });
  });
});

/** A reason as the page tells it, and what it must agree with. @param {Page} page */
const told = (page) =>
  page.locator("ifm-fit").evaluate((fit) => {
    const section = /** @type {HTMLElement} */ (fit.querySelector("ifm-reasons section"));
    const { answered } = /** @type {any} */ (fit).explanations;
    const { line, predicted, actual } = /** @type {any} */ (fit).training.predictions.get(answered.model);
    const at = line.indexOf(answered.line);
    const parts = [...section.querySelectorAll("tr[data-part]")].map((row) => ({ part: row.getAttribute("data-part") ?? "", value: Number(row.getAttribute("data-value")), text: /** @type {HTMLElement} */ (row).innerText.split(/\s*\t\s*/) }));
    return { model: section.dataset["model"], line: Number(section.dataset["line"]), parts, predicted: predicted[at], actual: actual[at], says: section.querySelector("[role=status]")?.textContent ?? "" };
  });

/** @param {Awaited<ReturnType<typeof told>>} reason */
function addsUp({ parts, predicted }) {
  const [base, ...rest] = parts;
  const end = rest.pop();
  assert.ok(base && end);
  assert.deepEqual([base.part, end.part], ["base", "predicted"]);
  assert.equal(base.text[0], "Average prediction of the training rows");
  assert.equal(end.value, predicted, "what the scatter draws");
  const largest = Math.max(...parts.map(({ value }) => Math.abs(value)));
  assert.ok(Math.abs(rest.reduce((sum, { value }) => sum + value, base.value) - predicted) <= 1e-12 * largest, "all parts are the prediction");
  const terms = rest.filter(({ part }) => !/ others?$/.test(part)).map(({ value }) => Math.abs(value));
  assert.deepEqual(terms, [...terms].sort((a, b) => b - a), "the largest first");
}
