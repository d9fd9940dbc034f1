// @ts-check
/** The way of a reader's own table, walked on the built-in ones. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, assertAccessible, assertFits, dropFile, follow, openPage, settled, still, tabTo, until } from "./lab.mjs";

/** @typedef {import("playwright-core").Page} Page */

const small = "d=8&k=2&n=100&speed=instant"; // a figure that takes no time
const little = "ranks=2&lambdaf=10&encode=linear"; // and a run on a table that takes little
const brief = `${small}&${little}&iterations=20`;
const slow = `d=8&k=2&n=100&speed=slow&${little}&iterations=600&tolerance=0&patience=600`; // and one that goes on

/** @param {Page} page */
async function planned(page) {
  await settled(page);
  assert.equal(await page.locator(".plan").getAttribute("data-state"), "ready");
}

/** @param {Page} page @param {string} [panel] */
async function trained(page, panel = "ifm-result") {
  await settled(page);
  assert.equal(await page.locator(`${panel} .verdict`).getAttribute("data-phase"), "done");
}

test("a reader without a mouse opens penguins, changes a role, trains and reads the verdict", acceptance, async (t) => {
  const page = await openPage(t, `/?${brief}#table`);
  await tabTo(page, "[data-sample=penguins]");
  await page.keyboard.press("Enter");
  await planned(page);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "decided", "it has trained by itself");
  assert.equal(await page.getByLabel("Role of Body Mass (g)").inputValue(), "target");
  await tabTo(page, '[data-column="Island"] select.role');
  await page.keyboard.press("i"); // Ignore
  await page.waitForURL(/ignore=Island/);
  await planned(page);
  await tabTo(page, "button.start");
  await page.keyboard.press("Enter");
  await trained(page);
  const standings = await page.locator("ifm-result [data-standing]").evaluateAll((rows) => rows.map((row) => [row.getAttribute("data-standing"), Number(row.getAttribute("data-value"))]));
  assert.deepEqual(standings.map(([, rmse]) => rmse), standings.map(([, rmse]) => rmse).sort((a, b) => Number(a) - Number(b)), "best first");
  const { mean, ridge, ifm } = Object.fromEntries(standings);
  assert.ok(ridge < mean && ifm < mean, `ridge ${ridge} and iFM ${ifm} beat the mean ${mean}`);
  const says = await page.locator("ifm-result [data-verdict]").innerText();
  assert.match(says, /^(On|Ridge regression predicts|Factors did not help).* 6\d test rows/);
  await tabTo(page, "ifm-scatter input");
  assert.match((await page.locator("ifm-scatter input").getAttribute("aria-valuetext")) ?? "", /^Line \d+: actual .* off by/);
});

test("a built-in table searches and trains, and the reference lines and the scatter are there", async (t) => {
  const page = await openPage(t, `/?${small}&source=table&sample=diabetes&ranks=2,4&lambdaf=10&encode=linear&iterations=20#table`);
  await planned(page);
  assert.match(await page.locator("#file").innerText(), /diabetes\.csv: 442 rows/);
  assert.match(await page.locator(".plan .sentence").innerText(), /Predict target from \d+ encoded features/);
  await page.locator("button.start").click();
  await trained(page);
  assert.match((await page.locator("ifm-result [data-chart=curve] .plot").getAttribute("aria-label")) ?? "", /Reference line: the mean, .*Reference line: ridge regression/);
  assert.match((await page.locator("ifm-scatter .plot").first().getAttribute("aria-label")) ?? "", /Scatter of predicted against actual for \d+ test rows/);
  assert.match(await page.locator("ifm-result .verdict .note").innerText(), /Chosen on validation rows: FM: rank [24], λ/);
});

test("what was chosen stands in the link: another reader opens it and gets the same numbers", async (t) => {
  const standings = async (/** @type {Page} */ page) => {
    await planned(page);
    await page.locator("button.start").click();
    await trained(page);
    return page.locator("ifm-result [data-standing]").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-value")));
  };
  const one = await openPage(t, `/?${brief}`);
  await settled(one);
  await one.locator("[data-sample=cars]").click();
  await planned(one);
  await one.getByLabel("Role of Year").selectOption("ignore");
  await one.getByLabel("Cylinders is read as").selectOption("numeric");
  await one.waitForURL(/numeric=[^&]*Cylinders/);
  const first = await standings(one);
  const two = await openPage(t, one.url());
  await planned(two);
  assert.equal(await two.getByLabel("Role of Year").inputValue(), "ignore");
  assert.deepEqual(await standings(two), first);
});

test("what a reader does wrong with a table is told where it was done, and taken back", async (t) => {
  const page = await openPage(t, `/?source=table&sample=penguins&${brief}`, { reducedMotion: "reduce" });
  await planned(page);

  await t.test("a role that cannot be trained is marked where it was set, and back undoes it", async () => {
    await page.getByLabel("Role of Species").selectOption("target");
    await settled(page);
    const error = page.locator("[data-error=plan]");
    assert.match(await error.innerText(), /Species/);
    assert.equal(await page.getByLabel("Role of Species").getAttribute("aria-invalid"), "true");
    assert.ok(await page.locator("button.start").isDisabled());
    assert.equal((await page.locator(".plan .sentence").innerText()).trim(), `These settings cannot be trained: ${(await error.innerText()).trim()}`, "it stands above Start too");
    assert.equal(await page.locator("[role=alert]").count(), 1, "and is spoken once");
    await page.goBack();
    await planned(page);
    assert.equal(await page.getByLabel("Role of Body Mass (g)").inputValue(), "target");
  });

  await t.test("a file is read again under another separator, and what cannot be read so is told", async () => {
    await page.getByLabel("Separator").selectOption("semicolon");
    await page.waitForURL(/separator=semicolon/);
    await settled(page);
    assert.ok((await page.locator("[data-error], .plan[data-state=error]").count()) > 0);
    await page.getByLabel("Separator").selectOption("comma");
    await planned(page);
  });

  await t.test("a file that is none is refused where it was dropped, and the table before stays", async (t) => {
    await dropFile(page, "ifm-data h2", { name: "list.json", bytes: '[{"a": 1}' });
    await settled(page);
    const error = page.locator("[data-error=file]");
    assert.match(await error.innerText(), /list\.json[\s\S]*penguins\.csv is still loaded/);
    assert.match(await page.locator("#file").innerText(), /penguins\.csv: 344 rows/);

    await t.test("it leads to what is said of it, wherever it was dropped", async () => {
      for (const file of [{ name: "photo.png", bytes: "\x89PNG" }, { name: "list.json", bytes: "[]" }]) {
        await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
        await dropFile(page, "h1", file);
        await settled(page);
        assert.match(await page.locator("#file-error:focus").innerText(), new RegExp(file.name));
        const { top, bottom } = await page.locator("#file-error").evaluate((e) => e.getBoundingClientRect());
        assert.ok(top >= 0 && bottom <= 900, `it is seen, from ${top} to ${bottom} px`);
      }
    });
  });
});

test("training can be paused, stepped and stopped, and what was drawn stays", async (t) => {
  const page = await openPage(t, `/?source=table&sample=diabetes&${slow}`, { held: true }); // it is as slow as the test
  await planned(page);
  await page.locator("button.start").click();
  const controls = page.locator("ifm-result .controls");
  const running = async () => (await page.locator("ifm-result .controls[data-phase=running]").count()) === 1;
  await until(page, running);
  await controls.getByRole("button", { name: "Pause" }).click();
  await settled(page);
  assert.equal(await controls.getAttribute("data-phase"), "paused");
  await controls.getByRole("button", { name: "Step" }).click();
  await controls.getByRole("button", { name: "Play" }).click();
  await until(page, running);
  await controls.getByRole("button", { name: "Stop" }).click();
  await settled(page);
  assert.equal(await controls.getAttribute("data-phase"), "stopped");
  assert.ok((await page.locator("ifm-result .stand > .ifm").count()) === 1);
  await controls.getByRole("button", { name: "Again" }).click();
  await page.getByLabel("Speed").last().selectOption("instant");
  await trained(page);
});

test("undo brings back the reader's own file, whichever table was opened after it", async (t) => {
  const page = await openPage(t, `/?${brief}`);
  const rows = (/** @type {string} */ head) => `${head}\n${Array.from({ length: 40 }, (_, i) => `${i % 7},${(i * i) % 11},${(i * 3) % 5}`).join("\n")}\n`;
  const open = async (/** @type {string} */ name) => {
    await planned(page);
    assert.match(await page.locator("#file").innerText(), new RegExp(`^${name}`));
  };
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
    const target = new URL(page.url()).searchParams.get("target");
    assert.ok(columns.split(",").includes(target ?? ""), `${name} has its own target again (${target})`);
  }
  for (const name of ["second.csv", "cars.csv"]) {
    await page.goForward();
    await open(name);
  }
});

test("an engine that dies takes nothing else with it", acceptance, async (t) => {
  const page = await openPage(t, `/?source=table&sample=penguins&${slow}`);
  await planned(page);
  await page.locator("button.start").click();
  await page.locator("ifm-result .controls[data-phase=running]").waitFor();
  for (let i = 0; i < 2; i++) { // the run begins again once
    await page.locator("ifm-result .controls[data-phase=running]").waitFor();
    await page.waitForFunction(() => /** @type {any} */ (document.querySelector("ifm-app")).pool.tables.some((/** @type {any} */ engine) => engine.load > 0));
    await page.evaluate(() => {
      for (const engine of /** @type {any} */ (document.querySelector("ifm-app")).pool.tables) engine.restart({ kind: "Lost", message: "a test ended it", file: "", line: 0, column: 0, field: "", found: "" });
    });
  }
  await page.getByText(/The engine stopped \(a test ended it\)/).first().waitFor();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByLabel("Speed").last().selectOption("instant");
  await trained(page);
});

/**
 * Opens a run in the figure, as a cell of the map does.
 *
 * @param {Page} page
 * @param {Record<string, unknown>} run
 */
async function openRun(page, run) {
  await page.locator("ifm-lesson").evaluate((paper, run) => {
    const spec = { .../** @type {any} */ (document.querySelector("ifm-app")).lab.page.spec, ...run };
    paper.dispatchEvent(new CustomEvent("ifm-open", { detail: spec, bubbles: true }));
  }, run);
  await settled(page);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "figure");
}

/** The table's settings as its inputs show them. @param {Page} page */
const chosen = (page) =>
  page.locator(".plan ifm-settings").evaluate((panel) => ({
    ...Object.fromEntries([...panel.querySelectorAll("[data-key]")].map((input) => [input.getAttribute("data-key"), /** @type {HTMLInputElement} */ (input).value])),
    models: [...panel.querySelectorAll("fieldset input:checked")].map((input) => /** @type {HTMLInputElement} */ (input).value).join(","),
  }));

const ofTheMap = { models: ["ifm"], solver: "gauss-newton", seed: 3, trials: 2, iterations: 30, tolerance: 0, scenario: "mixed", d: 8, k: 2, n: 200 };

test("a trained table, seen and taken further", async (t) => {
  const page = await openPage(t, `/?source=table&sample=cars&seed=5&${brief}`);
  await planned(page);
  await page.locator("button.start").click();
  await trained(page);

  await t.test("a trained table keeps the page's width, and on a phone by night axe's rules", async () => {
    for (const [colorScheme, width] of /** @type {[("light" | "dark"), number][]} */ (process.env["LONG"] ? [["light", 320], ["dark", 360], ["light", 1440], ["light", 1280]] : [["dark", 360], ["light", 1280]])) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      await assertFits(page);
      if (colorScheme === "dark") await assertAccessible(page, { include: ["ifm-data", "ifm-result"] }); // table-walk does a phone's by day and a screen's by night
    }
  });

  await t.test("a run of the map that opens in the figure leaves the table beside it as it was, by any way back to it", acceptance, async () => {
    const before = await chosen(page);
    await openRun(page, ofTheMap);
    assert.equal(await page.getByText("The settings have changed since this run.").count(), 0);
    const link = new URL(page.url()).searchParams;
    assert.deepEqual(["models", "solver", "seed", "trials"].map((key) => link.get(key)), ["ifm", "gauss-newton", "3", "2"]);
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
    await page.locator(".plan").getByLabel("Penalties of the factors").fill("0.1");
    await page.keyboard.press("Tab");
    await page.waitForURL(/lambdaf=0\.1/);
    await page.locator(".plan").getByLabel("Seed").fill("9");
    await page.keyboard.press("Tab");
    await page.waitForURL(/seed=9/);
    assert.deepEqual(await chosen(page), { ...before, lambdaf: "0.1", seed: "9" }, "but for what the reader changes");
    await planned(page);
    assert.equal(await page.getByText("The settings have changed since this run.").count(), 1, "said once, above the curve");
    await page.getByRole("button", { name: "Train again" }).click();
    await trained(page);
    assert.equal(await page.getByText("The settings have changed since this run.").count(), 0);
    assert.equal(await page.locator("ifm-result .stand > div").count(), 2, "FM and iFM");
  });

  await t.test("a table is never fitted by a solver that it does not offer, and says what fits it instead", acceptance, async () => {
    await follow(page, `/?source=table&sample=cars&solver=printed&models=gfm,ifm&${brief}`);
    await planned(page);
    assert.equal(await page.locator(".plan select[data-key=solver]").inputValue(), "default");
    assert.match(await page.locator("[data-note=solver]").innerText(), /Algorithm 1 needs independent columns; tables are fitted by block ALS/);
    await page.locator("button.start").click();
    await trained(page);
    assert.equal(await page.locator("ifm-result .stand > div").count(), 2);
    assert.equal(await page.locator("ifm-result [role=alert]").count(), 0);
    assert.match(await page.locator("ifm-result [data-verdict]").innerText(), /^On 79 test rows gFM \(RMSE [\d.]+\) ((predicts|seems) (better|worse) than|shows no clear difference from) /);
    assert.match(page.url(), /solver=printed/, "the figure keeps its own");
  });
});

test("a table that is opened after a run of the map is trained as if there had been none, and its link says how", acceptance, async (t) => {
  const page = await openPage(t, `/?${small}&${little}&iterations=40`);
  await trained(page, "ifm-figure");
  await openRun(page, ofTheMap);
  await page.locator("[data-sample=penguins]").click();
  await planned(page);
  await page.waitForURL(/source=table/);
  const now = await chosen(page);
  assert.deepEqual({ models: now.models, solver: now["solver"], seed: now["seed"], trials: now["trials"], iterations: now["iterations"] }, { models: "fm,ifm", solver: "default", seed: "1", trials: "1", iterations: "40" });
  const other = await openPage(t, page.url());
  await planned(other);
  assert.deepEqual(await chosen(other), now);
  for (const each of [page, other]) {
    await each.locator("h1").scrollIntoViewIfNeeded();
    await trained(each, "ifm-figure");
  }
  const seen = (/** @type {Page} */ each) => each.locator("ifm-figure .verdict").innerText();
  assert.equal(await seen(page), await seen(other), "and the figure is the same too");
});

test("back from a run of the map leads to where the map was", async (t) => {
  const page = await openPage(t, `/?${small}`, { viewport: { width: 1000, height: 700 }, held: true });
  await trained(page, "ifm-figure");
  await page.locator("nav a[href='#lesson']").click();
  await settled(page);
  await page.locator("#samples").scrollIntoViewIfNeeded();
  await settled(page);
  const before = await page.evaluate(() => scrollY);
  assert.ok(before > 1000, `the map is further down than the figure (${before} px)`);
  await openRun(page, { ...ofTheMap, models: ["fm", "gfm", "ifm"] });
  assert.ok((await page.evaluate(() => scrollY)) < 400);
  assert.equal(await page.locator("ifm-figure .verdict").getAttribute("data-phase"), "done");
  await page.goBack();
  await settled(page);
  const after = await page.evaluate(() => scrollY);
  assert.ok(Math.abs(after - before) < 60, `it was at ${before} px and is at ${after}`); // the figure above may be a line or two lower until its run is over
  const top = () => page.locator("#samples").evaluate((map) => map.getBoundingClientRect().top); // what is seen: the figure far above may grow meanwhile
  const there = await top();
  await still(page, 2000);
  assert.ok(Math.abs((await top()) - there) < 3, "and the page stays there");
});
