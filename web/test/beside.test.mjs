// @ts-check
/** What stands beside the models of a table once they are trained: boosted trees, and the pairs of columns that act together. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { holdCall } from "./calls.mjs";
import { acceptance, assertAccessible, dropFile, follow, openPage, origin, settled } from "./lab.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @param {Page} page @param {string} query */
async function train(page, query) {
  const link = `/?source=table&${query}&speed=instant`;
  if (page.url() !== "about:blank") await follow(page, link);
  else await page.goto(new URL(link, await origin()).href);
  await settled(page);
  await page.locator("button.start").click();
  await page.locator("ifm-result .verdict[data-phase=done]").waitFor();
}

test("boosted trees grow once the models are trained, tell how far, can be stopped and begun again, and stand among the others", async (t) => {
  const page = await openPage(t, "about:blank");
  await holdCall(page, "trees");
  await train(page, "sample=cars&ranks=2&lambdaf=10&lambdaw=10&encode=linear");
  const trees = page.locator("ifm-standing .growth");
  const says = page.locator("ifm-result [data-verdict]");
  const row = page.locator("ifm-result [data-standing=trees]");
  await trees.getByText(/^Growing boosted trees, to compare: \d+ of at most 1,300$/).waitFor();
  assert.ok(Number(await trees.getByLabel(/^Growing boosted trees/).getAttribute("value")) > 0);
  assert.match(await says.innerText(), / 79 test rows/, "the models are judged without them");
  assert.doesNotMatch(await says.innerText(), /trees/);
  assert.equal(await row.count(), 0);
  assert.equal(await page.locator("ifm-keep button").first().isEnabled(), true, "the models can be taken along");
  await assertAccessible(page, { include: ["ifm-standing"] });

  await trees.getByRole("button", { name: "Stop" }).focus();
  await page.keyboard.press("Enter");
  await trees.getByText(/^Boosted trees were stopped after \d+\.$/).waitFor();
  await settled(page);
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Grow boosted trees", "the focus is on the button in place of the one that has gone");
  assert.equal(await page.locator("ifm-result .verdict").getAttribute("data-phase"), "done", "the run itself is over and stays");

  await page.evaluate(() => /** @type {any} */ (window).pass(Number.POSITIVE_INFINITY));
  await trees.getByRole("button", { name: "Grow boosted trees" }).click();
  await row.waitFor();
  await settled(page);
  assert.match(await trees.innerText(), /^Boosted trees: \d+ trees of at most (15|31) leaves/);
  assert.match(await says.innerText(), /boosted trees \([\d.]+\)/i);
  assert.match((await page.locator("ifm-result [data-chart=curve] .plot").getAttribute("aria-label")) ?? "", /Reference line: boosted trees, [\d.]+\./);
  const { ridge, all, error, two } = await page.locator("ifm-result").evaluate((panel) => {
    const { trees, predictions } = /** @type {any} */ (panel).training;
    const { actual, ridge } = predictions.get("ifm");
    const { error, predicted } = trees.answers.get(0);
    const mean = actual.reduce((/** @type {number} */ sum, /** @type {number} */ y) => sum + y, 0) / actual.length;
    const sum = (/** @type {(y: number, i: number) => number} */ of) => actual.reduce((/** @type {number} */ total, /** @type {number} */ y, /** @type {number} */ i) => total + of(y, i), 0);
    const measured = (/** @type {ArrayLike<number>} */ p) => ({ mae: sum((y, i) => Math.abs((p[i] ?? NaN) - y)) / actual.length, r2: 1 - sum((y, i) => ((p[i] ?? NaN) - y) ** 2) / sum((y) => (y - mean) ** 2) });
    return { ridge: measured(ridge), all: measured(predicted), error, two: document.querySelectorAll("[data-auc]").length };
  });
  assert.equal(Number(await row.getAttribute("data-value")), error);
  for (const [whose, want] of /** @type {const} */ ([["trees", all], ["ridge", ridge]])) {
    const own = page.locator(`ifm-result [data-standing=${whose}]`);
    assert.ok(Math.abs(Number(await own.getAttribute("data-mae")) - want.mae) < 1e-12 && Math.abs(Number(await own.getAttribute("data-r2")) - want.r2) < 1e-12, whose);
  }
  const mean = page.locator("ifm-result [data-standing=mean]");
  assert.ok(Number(await mean.getAttribute("data-mae")) > 5 && Number(await mean.getAttribute("data-r2")) < 0, "the training mean explains less than the test rows' own");
  assert.equal(two, 0, "a target of many values has no AUC");
});

test("trees that take long are offered, with what they may take, and not grown unasked", acceptance, async (t) => {
  const page = await openPage(t, "about:blank");
  await train(page, "sample=cars&trials=40&models=ifm&ranks=1&lambdaf=30&lambdaw=10&encode=linear&iterations=2");
  await settled(page);
  const trees = page.locator("ifm-standing .growth");
  assert.match(await trees.innerText(), /^Boosted trees were not grown: here they may take (about \d+ seconds|about a minute) in 40 trials\./);
  assert.equal(await page.locator("ifm-result [data-standing=trees]").count(), 0);
  await trees.getByRole("button", { name: "Grow boosted trees" }).click();
  await settled(page);
  assert.match(await page.locator("ifm-result [data-verdict]").innerText(), /boosted trees.* Over 40 trials the mean test RMSE is .*boosted trees/is);
});

/** Rows of three columns of numbers and one of levels; the first two act together as far as `strength` says. @param {number} rows @param {number} strength */
const drawn = (rows, strength) => {
  const uniform = (/** @type {number} */ i, /** @type {number} */ of) => (Math.abs(Math.sin(i * 12.9898 + of * 78.233) * 43758.5453) % 1) - 0.5;
  const line = (/** @type {number} */ i) => {
    const [a, b, c] = [uniform(i, 1), uniform(i, 2), uniform(i, 3)];
    return `${a},${b},${c},${"uvw".charAt(i % 3)},${a + b * b + c + strength * a * b + 0.2 * (uniform(i, 4) + uniform(i, 5))}`;
  };
  return `a,b,c,kind,y\n${Array.from({ length: rows }, (_, i) => line(i)).join("\n")}\n`;
};

test("pairs that act together are tested step by step, named with their share and effect, and told where there are none", async (t) => {
  const page = await openPage(t, "about:blank");
  await holdCall(page, "pairs", 0); // an engine that is warm does all of it in one slice
  await page.goto(new URL("/?d=8&k=2&n=100&ranks=2&lambdaf=30&lambdaw=10&encode=linear&models=ifm&speed=instant#table", await origin()).href);
  await dropFile(page, "ifm-data .door", { name: "drawn.csv", bytes: drawn(600, 3) }); // whose target is sure, so that it trains at once
  await page.locator("ifm-result .verdict[data-phase=done]").waitFor();
  const panel = page.locator("ifm-pairs");
  await panel.getByText(/^(Reading|Fitting|Multiplying|Testing|Measuring) .* …$/).waitFor();
  assert.equal(await panel.getByRole("progressbar").count(), 1);
  await panel.getByRole("button", { name: "Stop" }).focus();
  await page.keyboard.press("Enter");
  await panel.getByText("The test was stopped, and names no pair.").waitFor();
  await page.evaluate(() => /** @type {any} */ (window).pass(Number.POSITIVE_INFINITY));
  await panel.getByRole("button", { name: "Test pairs of columns" }).click();
  await panel.locator("[data-named]").waitFor();
  await settled(page);
  assert.equal(await panel.locator(".first").innerText(), "1 of 6 pairs stands out.");
  const row = panel.locator("tr[data-pair]");
  assert.equal(await row.getAttribute("data-pair"), "a × b");
  assert.match(await row.innerText(), /%\s+[\d.]+ % to [\d.]+ %\s+[\d.]+ × 10⁻/);
  const { share, effect, seen, rows, columns } = await panel.evaluate((element) => {
    const [pair] = /** @type {any} */ (element).study.answers.get(0).named;
    return { share: pair.share, effect: [...pair.effect], seen: [...pair.seen], rows: pair.rows.length, columns: pair.columns.length };
  });
  assert.equal(Number(await row.getAttribute("data-share")), share);
  assert.ok(share > 0.05 && share < 0.6, `${share}`);
  const cells = await panel.locator("ifm-effect tbody td").allInnerTexts();
  assert.equal(cells.length, rows * columns, "a cell for each two places");
  cells.forEach((text, i) => assert.match(text, Number.isNaN(effect[i]) ? /^–$/ : effect[i] < 0 ? /^−/ : /^[+0]/, "the sign is told in words, not by colour alone"));
  assert.match(await panel.locator("ifm-effect .note").innerText(), /^Highest at a [−\d.]+, b [−\d.]+: \+[\d.]+\. Lowest at a /);
  assert.deepEqual(cells.map((text) => text.endsWith("°")), seen.map((rows, i) => rows < 5 && !Number.isNaN(effect[i])), "a cell of fewer than five rows is marked");
  await panel.getByRole("region", { name: /^What a and b do together/ }).focus();
  await assertAccessible(page, { include: ["ifm-pairs"] });

  await dropFile(page, "ifm-data .door", { name: "drawn.csv", bytes: drawn(601, 0) });
  await settled(page);
  await panel.getByText("No pair stands out among 6.").waitFor();
  assert.equal(await panel.locator("tr[data-pair], ifm-effect").count(), 0);
});

test("what a prediction is made of is told of any row, by pointer and by keyboard", async (t) => {
  const page = await openPage(t, "about:blank");

  await t.test("a click on a test row tells what its prediction is made of, and nothing above it moves", async () => {
    await train(page, "sample=cars&ranks=2&lambdaf=3&lambdaw=10");
    await settled(page);
    const scatter = page.locator("ifm-fit ifm-scatter").first();
    const reasons = page.locator("ifm-reasons section");
    assert.equal(await reasons.count(), 0);
    const dot = scatter.locator(".scatter-svg circle").nth(7);
    await dot.scrollIntoViewIfNeeded();
    const before = await dot.boundingBox();
    assert.ok(before);
    await page.mouse.click(before.x + before.width / 2, before.y + before.height / 2);
    await reasons.locator("table").waitFor();
    await settled(page);
    assert.deepEqual(await dot.boundingBox(), before, "the row stays under the pointer");
    const reading = await scatter.locator("input").getAttribute("aria-valuetext");
    const first = await told(page);
    assert.match(reading ?? "", new RegExp(`^Line ${first.line}: `), "the row that was pointed at");
    addsUp(first);
    assert.equal(first.parts.length, 11, "the mean row, eight parts, the others, the prediction");
    assert.match(first.parts.at(-2)?.part ?? "", /^20 others$/, "of seven columns and their 21 pairs");
    const pair = first.parts.find(({ part }) => part.includes(" × "));
    assert.match(pair?.text[1] ?? "", /^.+, .+$/, "a pair stands with both its cells");
    assert.ok(first.parts.slice(1, -1).every(({ value, text }) => (text.at(-1) ?? "").startsWith(value > 0 ? "+" : "−") || /^[0.]+$/.test(text.at(-1) ?? "")), "the sign is told in words, not by colour alone");
    assert.equal(await scatter.locator(".mark circle").count(), 1);
    await page.mouse.move(0, 0);
    assert.equal(await scatter.locator(".mark circle").count(), 1, "the row that was chosen stays marked");
    await assertAccessible(page, { include: ["ifm-fit"] });

    const other = first.model === "fm" ? "ifm" : "fm";
    await page.locator("ifm-fit select").selectOption(other);
    await page.locator(`ifm-reasons section[data-model=${other}][aria-busy=false]`).waitFor();
    const second = await told(page);
    assert.equal(second.line, first.line, "the same row, by the model that is looked at");
    addsUp(second);
    await page.locator("ifm-fit select").selectOption("ridge");
    await page.locator(`ifm-reasons section[data-model=${first.model}][aria-busy=false]`).waitFor();
    await reasons.getByRole("button", { name: "Close" }).click();
    assert.equal(await reasons.count(), 0);
  });

  await t.test("by keyboard a row is chosen in the scatter or in its table, and Escape or Close leads back", async () => {
    await train(page, "sample=cars&models=ifm&ranks=1&lambdaf=30&lambdaw=10&encode=linear");
    await settled(page);
    const scatter = page.locator("ifm-fit ifm-scatter").first();
    const reasons = page.locator("ifm-reasons section");
    const slider = scatter.getByRole("slider", { name: /Enter tells why it is predicted so$/ });
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    const reading = await slider.getAttribute("aria-valuetext");
    await page.keyboard.press("Enter");
    await reasons.locator("table").waitFor();
    await page.waitForFunction(() => document.activeElement?.matches("ifm-reasons section"));
    const reason = await told(page);
    assert.match(reading ?? "", new RegExp(`^Line ${reason.line}: `));
    assert.match(await reasons.innerText(), new RegExp(`^What iFM’s prediction of Miles_per_Gallon for line ${reason.line} is made of`));
    addsUp(reason);
    await page.keyboard.press("Escape");
    await reasons.waitFor({ state: "detached" });
    assert.equal(await slider.evaluate((input) => input === document.activeElement), true);
    assert.equal(await slider.getAttribute("aria-valuetext"), reading, "where the reader was");

    await scatter.getByText("The largest errors as a table").click();
    const row = scatter.getByRole("button", { name: /^Line \d+: why it is predicted so$/ }).nth(2);
    await row.focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.matches("ifm-reasons section"));
    await reasons.locator("table").waitFor();
    await page.locator("ifm-reasons section[aria-busy=false]").waitFor();
    assert.equal(String((await told(page)).line), await row.innerText());
    assert.equal(await row.getAttribute("aria-pressed"), "true");
    await page.keyboard.press("Tab");
    assert.equal(await reasons.getByRole("button", { name: "Close" }).evaluate((button) => button === document.activeElement), true);
    await page.keyboard.press("Enter");
    await reasons.waitFor({ state: "detached" });
    assert.equal(await row.evaluate((button) => button === document.activeElement), true);

    await page.keyboard.press("Enter");
    await reasons.waitFor();
    await page.locator("ifm-result .controls").getByRole("button", { name: /again/i }).click();
    await reasons.waitFor({ state: "detached" });
  });

  await t.test("entries of single knots are not listed, as they mean nothing by themselves", acceptance, async () => {
    await train(page, "sample=cars&models=ifm&ranks=1&lambdaf=30&lambdaw=10&encode=hats");
    await settled(page);
    assert.equal(await page.locator("ifm-pairs [data-named]").count(), 1);
    assert.equal(await page.locator("ifm-strongest .strongest").count(), 0);
  });
});

/**
 * A reason as the page tells it, and what it must agree with.
 *
 * @param {Page} page
 */
const told = (page) =>
  page.locator("ifm-fit").evaluate((fit) => {
    const section = /** @type {HTMLElement} */ (fit.querySelector("ifm-reasons section"));
    const { reason, predictions } = /** @type {any} */ (fit);
    const { line, predicted, actual } = predictions.get(reason.model);
    const at = line.indexOf(reason.line);
    const parts = [...section.querySelectorAll("tr[data-part]")].map((row) => ({ part: row.getAttribute("data-part") ?? "", value: Number(row.getAttribute("data-value")), text: /** @type {HTMLElement} */ (row).innerText.split(/\s*\t\s*/) }));
    return { model: section.dataset["model"], line: Number(section.dataset["line"]), parts, predicted: predicted[at], actual: actual[at], says: section.querySelector("[role=status]")?.textContent ?? "" };
  });

/** @param {Awaited<ReturnType<typeof told>>} reason */
function addsUp({ parts, predicted }) {
  const [mean, ...rest] = parts;
  const end = rest.pop();
  assert.ok(mean && end);
  assert.deepEqual([mean.part, end.part], ["mean", "predicted"]);
  assert.equal(end.value, predicted, "what the scatter draws");
  const largest = Math.max(...parts.map(({ value }) => Math.abs(value)));
  assert.ok(Math.abs(rest.reduce((sum, { value }) => sum + value, mean.value) - predicted) <= 1e-12 * largest, "all parts are the prediction");
  const terms = rest.filter(({ part }) => !/ others?$/.test(part)).map(({ value }) => Math.abs(value));
  assert.deepEqual(terms, [...terms].sort((a, b) => b - a), "the largest first");
}
