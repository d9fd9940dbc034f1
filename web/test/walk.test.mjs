// @ts-check
/** The way of a reader's own table, walked on the built-in ones. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, assertFits, dropFile, openPage, tabTo } from "./lab.mjs";

/** @typedef {import("playwright-core").Page} Page */

/** @param {Page} page */
async function trained(page) {
  await page.locator("ifm-result .verdict[data-phase=done]").waitFor({ timeout: 60_000 });
}

test("a reader without a mouse opens penguins, changes a role, trains and reads the verdict", async (t) => {
  const page = await openPage(t, "/?speed=instant");
  await tabTo(page, "[data-sample=penguins]");
  await page.keyboard.press("Enter");
  await page.locator(".plan[data-state=ready]").waitFor();
  await page.waitForFunction(() => document.activeElement?.id === "file");
  assert.equal(await page.getByLabel("Role of Body Mass (g)").inputValue(), "target");
  await tabTo(page, '[data-column="Island"] select.role');
  await page.keyboard.press("i"); // Ignore
  await page.waitForURL(/ignore=Island/);
  await page.locator(".plan[data-state=ready]").waitFor();
  await tabTo(page, "button.start");
  await page.keyboard.press("Enter");
  await trained(page);
  const standings = await page.locator("ifm-result [data-standing]").evaluateAll((rows) => rows.map((row) => [row.getAttribute("data-standing"), Number(row.getAttribute("data-value"))]));
  assert.deepEqual(standings.map(([, rmse]) => rmse), standings.map(([, rmse]) => rmse).sort((a, b) => Number(a) - Number(b)), "best first");
  const { mean, ridge, ifm } = Object.fromEntries(standings);
  assert.ok(ridge < mean && ifm < mean, `ridge ${ridge} and iFM ${ifm} beat the mean ${mean}`);
  const says = await page.locator("ifm-result [data-verdict]").innerText();
  assert.match(says, /predicts best on 6\d test rows|Ridge regression wins on 6\d test rows/);
  await tabTo(page, "ifm-scatter input");
  assert.match((await page.locator("ifm-scatter input").getAttribute("aria-valuetext")) ?? "", /^Line \d+: actual .* off by/);
});

for (const [sample, target, rows] of /** @type {const} */ ([["cars", "Miles_per_Gallon", "406"], ["diabetes", "target", "442"]])) {
  test(`${sample} trains, and the reference lines and the scatter are there`, async (t) => {
    const page = await openPage(t, `/?source=table&sample=${sample}&speed=instant`);
    await page.locator(".plan[data-state=ready]").waitFor();
    assert.match(await page.locator("#file").innerText(), new RegExp(`${sample}\\.csv: ${rows} rows`));
    assert.match(await page.locator(".plan .sentence").innerText(), new RegExp(`Predict ${target} from \\d+ encoded features`));
    await page.locator("button.start").click();
    await trained(page);
    assert.match((await page.locator("ifm-result ifm-curve .plot").getAttribute("aria-label")) ?? "", /Reference line: the mean, .*Reference line: ridge regression/);
    assert.match((await page.locator("ifm-scatter .plot").getAttribute("aria-label")) ?? "", /Scatter of predicted against actual for \d+ test rows/);
    assert.match(await page.locator("ifm-result .verdict .note").innerText(), /Chosen on validation rows: FM: rank [24], λ/);
  });
}

test("what was chosen stands in the link: another reader opens it and gets the same numbers", async (t) => {
  const standings = async (/** @type {Page} */ page) => {
    await page.locator(".plan[data-state=ready]").waitFor();
    await page.locator("button.start").click();
    await trained(page);
    return page.locator("ifm-result [data-standing]").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-value")));
  };
  const one = await openPage(t, "/?speed=instant");
  await one.locator("[data-sample=cars]").click();
  await one.locator(".plan[data-state=ready]").waitFor();
  await one.getByLabel("Role of Year").selectOption("ignore");
  await one.getByLabel("Cylinders is read as").selectOption("categorical");
  await one.waitForURL(/categorical=Cylinders/);
  const first = await standings(one);
  const two = await openPage(t, one.url());
  assert.equal(await two.getByLabel("Role of Year").inputValue(), "ignore");
  assert.deepEqual(await standings(two), first);
});

test("a role that cannot be trained is marked where it was set, and back undoes it", async (t) => {
  const page = await openPage(t, "/?source=table&sample=penguins&speed=instant");
  await page.locator(".plan[data-state=ready]").waitFor();
  await page.getByLabel("Role of Species").selectOption("target");
  const error = page.locator("[data-error=plan]");
  await error.waitFor();
  assert.match(await error.innerText(), /Species/);
  assert.equal(await page.getByLabel("Role of Species").getAttribute("aria-invalid"), "true");
  assert.ok(await page.locator("button.start").isDisabled());
  await page.goBack();
  await page.locator(".plan[data-state=ready]").waitFor();
  assert.equal(await page.getByLabel("Role of Body Mass (g)").inputValue(), "target");
});

test("training can be paused, stepped and stopped, and what was drawn stays", async (t) => {
  const page = await openPage(t, "/?source=table&sample=diabetes&speed=slow");
  await page.locator(".plan[data-state=ready]").waitFor();
  await page.locator("button.start").click();
  const controls = page.locator("ifm-result .controls");
  await controls.getByRole("button", { name: "Pause" }).click();
  await page.locator("ifm-result .controls[data-phase=paused]").waitFor();
  await controls.getByRole("button", { name: "Step" }).click();
  await controls.getByRole("button", { name: "Play" }).click();
  await page.locator("ifm-result .controls[data-phase=running]").waitFor();
  await controls.getByRole("button", { name: "Stop" }).click();
  await page.locator("ifm-result .controls[data-phase=stopped]").waitFor();
  assert.ok((await page.locator("ifm-result .stand > .ifm").count()) === 1);
  await controls.getByRole("button", { name: "Again" }).click();
  await page.getByLabel("Speed").last().selectOption("instant");
  await trained(page);
});

test("a file is read again under another separator, and what cannot be read so is told", async (t) => {
  const page = await openPage(t, "/?source=table&sample=penguins");
  await page.locator(".plan[data-state=ready]").waitFor();
  await page.getByLabel("Separator").selectOption("semicolon");
  await page.waitForURL(/separator=semicolon/);
  await page.locator("[data-error], .plan[data-state=error]").first().waitFor();
  await page.getByLabel("Separator").selectOption("comma");
  await page.locator(".plan[data-state=ready]").waitFor();
});

for (const [colorScheme, viewport] of /** @type {const} */ ([["light", { width: 1440, height: 900 }], ["dark", { width: 360, height: 740 }], ["light", { width: 320, height: 640 }]])) {
  test(`a trained table keeps axe's rules and the page's width, ${colorScheme}, ${viewport.width} px`, async (t) => {
    const page = await openPage(t, "/?source=table&sample=cars&speed=instant", { colorScheme, viewport });
    await page.locator(".plan[data-state=ready]").waitFor();
    await page.locator("button.start").click();
    await trained(page);
    await assertAccessible(page);
    await assertFits(page);
  });
}

test("reading a large file tells how far it is, can be cancelled, and what was loaded stays", async (t) => {
  const page = await openPage(t, "/?source=table&sample=penguins");
  await page.locator(".plan[data-state=ready]").waitFor();
  const rows = "0.1234567,1.2345678,2.3456789,3.4567891,4.5678912,5.6789123\n".repeat(900_000);
  await dropFile(page, "ifm-data h2", { name: "large.csv", bytes: `a,b,c,d,e,f\n${rows}` });
  await page.getByText(/Reading large\.csv: [\d.]+ MB of 54\.0 MB/).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Reading large.csv was cancelled.").waitFor();
  assert.match(await page.locator("#file").innerText(), /penguins\.csv/);
  await page.locator("button.start").click();
  await page.locator("ifm-result .stand > .ifm").waitFor();
});

test("a file that is none is refused where it was dropped, and the table before stays", async (t) => {
  const page = await openPage(t, "/?source=table&sample=penguins");
  await page.locator(".plan[data-state=ready]").waitFor();
  await dropFile(page, "ifm-data h2", { name: "list.json", bytes: '[{"a": 1}]' });
  const error = page.locator("[data-error=file]");
  await error.waitFor();
  assert.match(await error.innerText(), /list\.json[\s\S]*penguins\.csv is still loaded/);
  assert.match(await page.locator("#file").innerText(), /penguins\.csv: 344 rows/);
});

test("a file that is none leads to what is said of it, wherever it was dropped", async (t) => {
  const page = await openPage(t, "/");
  for (const file of [{ name: "photo.png", bytes: "\x89PNG" }, { name: "list.json", bytes: "[]" }]) {
    await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
    await dropFile(page, "h1", file);
    await page.locator("#file-error:focus", { hasText: file.name }).waitFor();
    await page.waitForFunction(() => {
      const { top, bottom } = document.querySelector("#file-error")?.getBoundingClientRect() ?? { top: -1, bottom: Infinity };
      return top >= 0 && bottom <= innerHeight;
    });
  }
});

test("undo brings back the reader's own file, whichever table was opened after it", async (t) => {
  const page = await openPage(t, "/");
  const rows = (/** @type {string} */ head) => `${head}\n${Array.from({ length: 40 }, (_, i) => `${i % 7},${(i * i) % 11},${(i * 3) % 5}`).join("\n")}\n`;
  const open = (/** @type {string} */ name) => page.locator("#file", { hasText: name }).waitFor();
  await dropFile(page, "h1", { name: "first.csv", bytes: rows("a,b,c") });
  await open("first.csv");
  await dropFile(page, "#file", { name: "second.csv", bytes: rows("u,v,w") });
  await open("second.csv");
  await page.locator("[data-sample=cars]").click();
  await open("cars.csv");
  const undo = page.getByRole("button", { name: "Undo" });
  for (const [name, columns] of /** @type {const} */ ([["second.csv", "u,v,w"], ["first.csv", "a,b,c"]])) {
    await undo.click();
    await open(name);
    await page.locator(".plan[data-state=ready]").waitFor();
    const target = new URL(page.url()).searchParams.get("target");
    assert.ok(columns.split(",").includes(target ?? ""), `${name} has its own target again (${target})`);
  }
  for (const name of ["second.csv", "cars.csv"]) {
    await page.goForward();
    await open(name);
  }
});

test("an engine that dies takes nothing else with it", async (t) => {
  const page = await openPage(t, "/?source=table&sample=penguins&speed=slow");
  await page.locator(".plan[data-state=ready]").waitFor();
  await page.locator("button.start").click();
  await page.locator("ifm-result .controls[data-phase=running]").waitFor();
  for (let i = 0; i < 2; i++) { // the run begins again once
    await page.locator("ifm-result .controls[data-phase=running]").waitFor();
    await page.waitForFunction(() => /** @type {any} */ (document.querySelector("ifm-app")).pool.engines.some((/** @type {any} */ engine) => engine.load > 0));
    await page.evaluate(() => {
      for (const engine of /** @type {any} */ (document.querySelector("ifm-app")).pool.engines) engine.restart({ kind: "Lost", message: "a test ended it", file: "", line: 0, column: 0, field: "", found: "" });
    });
  }
  await page.getByText(/The engine stopped \(a test ended it\)/).first().waitFor();
  await page.getByRole("button", { name: "Train again" }).click();
  await page.getByLabel("Speed").last().selectOption("instant");
  await trained(page);
});

test("a table is never fitted by a solver that it does not offer, and says what fits it instead", async (t) => {
  const page = await openPage(t, "/?source=table&sample=cars&solver=printed&models=gfm,ifm&speed=instant");
  await page.locator(".plan[data-state=ready]").waitFor();
  assert.equal(await page.locator(".plan select[data-key=solver]").inputValue(), "agd");
  assert.match(await page.locator("[data-note=solver]").innerText(), /Algorithm 1 needs independent columns; tables are fitted by alternating gradient descent/);
  await page.locator("button.start").click();
  await trained(page);
  assert.equal(await page.locator("ifm-result .stand > div").count(), 2);
  assert.equal(await page.locator("ifm-result [role=alert]").count(), 0);
  assert.match(await page.locator("ifm-result [data-verdict]").innerText(), /predicts best|wins/);
  assert.match(page.url(), /solver=printed/, "the figure keeps its own");
});

/**
 * Opens a run in the figure, as a cell of the map does.
 *
 * @param {Page} page
 * @param {Record<string, unknown>} run
 */
async function openRun(page, run) {
  await page.locator("ifm-lesson").evaluate((paper, run) => {
    const spec = { .../** @type {any} */ (document.querySelector("ifm-app")).spec, ...run };
    paper.dispatchEvent(new CustomEvent("ifm-open", { detail: spec, bubbles: true }));
  }, run);
  await page.waitForFunction(() => document.activeElement?.id === "figure");
}

/** The table's settings as its inputs show them. @param {Page} page */
const chosen = (page) =>
  page.locator(".plan ifm-settings").evaluate((panel) => ({
    ...Object.fromEntries([...panel.querySelectorAll("[data-key]")].map((input) => [input.getAttribute("data-key"), /** @type {HTMLInputElement} */ (input).value])),
    models: [...panel.querySelectorAll("fieldset input:checked")].map((input) => /** @type {HTMLInputElement} */ (input).value).join(","),
  }));

const ofTheMap = { models: ["ifm"], solver: "gauss-newton", seed: 3, trials: 2, iterations: 30, tolerance: 0, scenario: "mixed" };

test("a run of the map that opens in the figure leaves the table beside it as it was, by any way back to it", async (t) => {
  const page = await openPage(t, "/?source=table&sample=cars&speed=instant&seed=5");
  await page.locator(".plan[data-state=ready]").waitFor();
  await page.locator("button.start").click();
  await trained(page);
  const before = await chosen(page);
  await openRun(page, ofTheMap);
  assert.equal(await page.getByText("The settings have changed since this run.").count(), 0);
  assert.match(page.url(), /models=ifm&solver=gauss-newton&seed=3&trials=2/);
  assert.deepEqual(await chosen(page), before);
  await page.locator("nav a[href='#table']").click();
  await page.waitForURL(/#table$/);
  assert.deepEqual(await chosen(page), before, "after a link within the page");
  await page.goBack();
  await page.goBack();
  await page.waitForURL(/seed=5/);
  await page.goForward();
  await page.waitForURL(/seed=3/);
  assert.deepEqual(await chosen(page), before, "after back and forward");
  await page.locator(".plan").getByText("Models and tuning").click();
  await page.locator(".plan").getByLabel("Penalties").fill("0.1");
  await page.keyboard.press("Tab");
  await page.waitForURL(/lambdas=0\.1/);
  await page.locator(".plan").getByLabel("Seed").fill("9");
  await page.keyboard.press("Tab");
  await page.waitForURL(/seed=9/);
  assert.deepEqual(await chosen(page), { ...before, lambdas: "0.1", seed: "9" }, "but for what the reader changes");
  await page.getByText("The settings have changed since this run.").waitFor();
  await page.locator("button.start").click();
  await page.getByText("The settings have changed since this run.").waitFor({ state: "detached" });
  await trained(page);
  assert.equal(await page.locator("ifm-result .stand > div").count(), 2, "FM and iFM");
});

test("a table that is opened after a run of the map is trained as if there had been none, and its link says how", async (t) => {
  const page = await openPage(t, "/?speed=instant&iterations=40");
  await page.locator("ifm-figure .verdict[data-phase=done]").waitFor();
  await openRun(page, ofTheMap);
  await page.locator("[data-sample=penguins]").click();
  await page.locator(".plan[data-state=ready]").waitFor();
  await page.waitForURL(/source=table/);
  const now = await chosen(page);
  assert.deepEqual({ models: now.models, solver: now["solver"], seed: now["seed"], trials: now["trials"], iterations: now["iterations"] }, { models: "fm,ifm", solver: "agd", seed: "1", trials: "1", iterations: "40" });
  const other = await openPage(t, page.url());
  await other.locator(".plan[data-state=ready]").waitFor();
  assert.deepEqual(await chosen(other), now);
  for (const each of [page, other]) {
    await each.locator("h1").scrollIntoViewIfNeeded();
    await each.locator("ifm-figure .verdict[data-phase=done]").waitFor();
  }
  const seen = (/** @type {Page} */ each) => each.locator("ifm-figure .verdict").innerText();
  assert.equal(await seen(page), await seen(other), "and the figure is the same too");
});

test("back from a run of the map leads to where the map was", async (t) => {
  const page = await openPage(t, "/?speed=instant", { viewport: { width: 1000, height: 700 } });
  await page.locator("ifm-figure .verdict[data-phase=done]").waitFor();
  await page.locator("nav a[href='#lesson']").click();
  await page.locator("ifm-samples").scrollIntoViewIfNeeded();
  await page.waitForTimeout(500);
  const before = await page.evaluate(() => scrollY);
  assert.ok(before > 1000, `the map is further down than the figure (${before} px)`);
  await openRun(page, { ...ofTheMap, models: ["fm", "gfm", "ifm"] });
  await page.waitForFunction(() => scrollY < 400);
  await page.locator("ifm-figure .verdict[data-phase=done]").waitFor();
  await page.goBack();
  await page.waitForFunction((y) => Math.abs(scrollY - y) < 60, before); // the figure above may be a line or two lower until its run is over
  const top = () => page.locator("ifm-samples").evaluate((map) => map.getBoundingClientRect().top); // what is seen: the figure far above may grow meanwhile
  const there = await top();
  await page.waitForTimeout(500);
  assert.ok(Math.abs((await top()) - there) < 3, "and the page stays there");
});
