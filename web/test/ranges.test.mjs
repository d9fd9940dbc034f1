// @ts-check
/** Ranges around the predictions of a table: how they are made, what they say, and where they go with a model. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { holdCall, pass } from "./calls.mjs";
import { assertAccessible, openPage, settled } from "./lab.mjs";
import { openData, sample, saved, tab, twice } from "./table.mjs";

const brief = `models=ifm&${twice}&speed=instant`;

/** What the page holds of the ranges of a model, and of its test rows. @param {Page} page @param {string} model */
const held = (page, model) =>
  page.locator("ifm-result").evaluate((panel, model) => {
    const { intervals, predictions } = /** @type {any} */ (panel).training;
    const { low, high, covered, from, to, level, width } = [...intervals.answers.values()].find((own) => own.model === model);
    return { low: [...low], high: [...high], covered, from, to, level, width, actual: [...predictions.get(model).actual], predicted: [...predictions.get(model).predicted], line: [...predictions.get(model).line] };
  }, model);

test("a real file gets ranges around its predictions, which say how many test rows they hold, in words, in the picture, in its table and in what is taken along", async (t) => {
  const before = (/** @type {Page} */ page) => holdCall(page, "intervals", 0); // a fast machine makes all ranges in two
  const page = await openPage(t, `/?source=table&target=Miles_per_Gallon&ignore=Name&${brief}#table`, { before });
  await page.locator("input[data-file=table]").setInputFiles(sample("cars.csv")); // whose target is plain: it trains at once
  await page.locator(".table-answer[data-phase=done]").waitFor();
  const ranges = page.locator(".ranges");
  await ranges.getByText(/^Intervals: (training|fitting) (FM|iFM) /).waitFor();
  assert.equal(await ranges.getByRole("progressbar").count(), 1);
  await ranges.getByRole("button", { name: "Stop" }).focus();
  await page.keyboard.press("Enter");
  await ranges.getByText("The intervals were stopped.").waitFor();
  assert.equal(await page.locator("ifm-result .table-answer").getAttribute("data-phase"), "done", "the run itself is over and stays");

  await pass(page);
  await ranges.getByRole("button", { name: "Compute intervals" }).click();
  await ranges.locator("[data-covered]").waitFor();
  await settled(page);
  await assertAccessible(page, { include: ["ifm-fit"] });

  const own = await held(page, "ifm");
  const within = own.actual.filter((/** @type {number} */ y, /** @type {number} */ i) => own.low[i] <= y && y <= own.high[i]).length;
  assert.equal(within, own.covered);
  assert.ok(own.from < within / own.actual.length && within / own.actual.length < own.to);
  assert.ok(within / own.actual.length > 0.75, "nominally 90 %");
  assert.match((await ranges.textContent()) ?? "", new RegExp(`${within} of 79 actual values lie inside their 90.% interval: .*319 training and validation rows.*has the 95 % confidence interval`, "s"));
  const scatter = page.locator("ifm-fit [data-chart=predictions]").first();
  const slider = scatter.locator("input[type=range]").first();
  await slider.focus();
  const says = (await slider.getAttribute("aria-valuetext")) ?? "";
  const [, line = "", low = "", to = "", holds = ""] = /^Line (\d+): .*; 90.% interval ([\d.]+) to ([\d.]+), which (covers|misses) it$/.exec(says) ?? [];
  const at = own.line.indexOf(Number(line));
  assert.ok(Math.abs(Number(low) - own.low[at]) < 0.01 && Math.abs(Number(to) - own.high[at]) < 0.01, says);
  assert.equal(holds === "covers", own.low[at] <= own.actual[at] && own.actual[at] <= own.high[at]);
  assert.equal(await scatter.locator(".mark path.range").count(), 1);
  await openData(scatter);
  assert.deepEqual((await scatter.locator(".under").getByRole("columnheader").allInnerTexts()).slice(-2), ["Lower", "Upper"]);
  await page.locator("ifm-fit select.whose").selectOption("ridge");
  await settled(page);
  assert.equal(await scatter.locator(".mark path.range").count(), 0, "what is beside the models has none");

  await tab(page, "take");
  const keep = page.locator("ifm-keep");
  await keep.locator("input[data-file=predict]").setInputFiles(sample("cars.csv"));
  await settled(page);
  assert.match(await keep.locator(".predicted .sentence").innerText(), /The 90 % interval covers \d+ of 398: \d+ %\./);
  const { text } = await saved(page, keep.locator(".all"));
  const lines = new Map(text.trim().split("\n").slice(1).map((row) => row.split(",").map(Number)).map(([line, ...values]) => [line, values.slice(-4)]));
  for (const [i, line] of own.line.entries()) assert.deepEqual(lines.get(line), [own.predicted[i], own.low[i], own.high[i], 0], `line ${line}`);
});
