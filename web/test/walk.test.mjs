// @ts-check
/** The way of a reader's own table, walked on the built-in ones. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { acceptance, dropFile, openPage, settled, still, until } from "./lab.mjs";
import { drop, finished, little, planned, role, rows, small, standings, title, train } from "./table.mjs";

const brief = `${small}&${little}`;
const slow = brief.replace("instant", "slow").replace("iterations=20", "iterations=600&tolerance=0&patience=600");

test("what was chosen stands in the link: another reader opens it and gets the same numbers", async (t) => {
  const one = await openPage(t, `/?${brief}`);
  await settled(one);
  await one.locator("[data-sample=cars]").click();
  await planned(one);
  await role(one, "Year").selectOption("ignore");
  await one.getByLabel("Cylinders is read as").selectOption("numeric");
  await one.waitForURL(/numeric=[^&]*Cylinders/);
  await train(one);
  const two = await openPage(t, one.url());
  await planned(two);
  assert.equal(await role(two, "Year").inputValue(), "ignore");
  await train(two);
  assert.deepEqual(await standings(two), await standings(one));
});

test("what a reader does wrong with a table is told where it was done, and taken back", async (t) => {
  const page = await openPage(t, `/?source=table&sample=penguins&${brief}`, { reducedMotion: "reduce" });
  await planned(page);

  await t.test("a role that cannot be trained is marked where it was set, and back undoes it", async () => {
    await role(page, "Species").selectOption("target");
    await settled(page);
    const error = (await page.locator("[data-error=plan]").innerText()).trim();
    assert.match(error, /Species/);
    assert.equal(await role(page, "Species").getAttribute("aria-invalid"), "true");
    assert.ok(await page.locator("button.start").isDisabled());
    assert.ok((await page.locator(".plan .sentence").innerText()).includes(error), "it stands above Start too");
    assert.equal(await page.locator("[role=alert]").count(), 1, "and is spoken once");
    await page.goBack();
    await planned(page);
    assert.equal(await role(page, "Body Mass (g)").inputValue(), "target");
  });

  await t.test("a file is read again under another separator, and what cannot be read so is told", async () => {
    await page.getByLabel("Separator").selectOption("semicolon");
    await page.waitForURL(/separator=semicolon/);
    await settled(page);
    assert.ok((await page.locator("[data-error], .plan[data-state=error]").count()) > 0);
    await page.getByLabel("Separator").selectOption("comma");
    await planned(page);
  });

  await t.test("a file that is none leads to what is said of it, wherever it was dropped", async () => {
    for (const file of [{ name: "photo.png", bytes: "\x89PNG" }, { name: "list.json", bytes: "[]" }]) {
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      await dropFile(page, "h1", file);
      await settled(page);
      assert.ok((await page.locator("#file-error:focus").innerText()).includes(file.name));
      const { top, bottom } = await page.locator("#file-error").evaluate((e) => e.getBoundingClientRect());
      assert.ok(top >= 0 && bottom <= 900, `it is seen, from ${top} to ${bottom} px`);
    }
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
  assert.match(await page.locator("ifm-result .verdict [role=status]").innerText(), /^Stopped at iteration \d+ \(FM: candidate \d+ of \d+, iFM: candidate \d+ of \d+\)\./);
  assert.ok((await page.locator("ifm-result .stand > .ifm").count()) === 1);
  await controls.getByRole("button", { name: "Again" }).click();
  await page.getByLabel("Speed").last().selectOption("instant");
  await finished(page);
});

test("undo brings back the reader's own file, whichever table was opened after it", async (t) => {
  const page = await openPage(t, `/?${brief}`);
  const lines = rows(40, (i) => [i % 7, (i * i) % 11, (i * 3) % 5]);
  const open = async (/** @type {string} */ name) => {
    await planned(page);
    assert.ok((await title(page)).startsWith(name));
  };
  await drop(page, "first.csv", `a,b,c\n${lines}`, "h1");
  await drop(page, "second.csv", `u,v,w\n${lines}`, "#file");
  await open("second.csv");
  await page.locator("[data-sample=cars]").click();
  await open("cars.csv");
  for (const [name, columns] of /** @type {const} */ ([["second.csv", "uvw"], ["first.csv", "abc"]])) {
    await page.getByRole("button", { name: "Undo" }).click();
    await open(name);
    assert.ok(columns.includes(new URL(page.url()).searchParams.get("target") ?? "none"), `${name} has its own target again`);
  }
  for (const name of ["second.csv", "cars.csv"]) {
    await page.goForward();
    await open(name);
  }
});

/** Opens a run in the figure, as a cell of the map does. @param {Page} page @param {Record<string, unknown>} run */
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

test("a run of the map that opens in the figure leaves the table beside it as it was, by any way back to it", acceptance, async (t) => {
  const page = await openPage(t, `/?source=table&sample=cars&seed=5&${brief}`);
  await train(page);
  const before = await chosen(page);
  await openRun(page, ofTheMap);
  assert.equal(await page.getByText("The settings have changed since this run.").count(), 0);
  const link = new URL(page.url()).searchParams;
  assert.deepEqual(["models", "solver", "seed", "trials"].map((key) => link.get(key)), ["ifm", "gauss-newton", "3", "2"]);
  await page.locator("nav a[href='#table']").click();
  await page.waitForURL(/#table$/);
  assert.deepEqual(await chosen(page), before, "after a link within the page");
  await page.goBack();
  await page.goBack();
  await page.waitForURL(/seed=5/);
  await page.goForward();
  await page.waitForURL(/seed=3/);
  assert.deepEqual(await chosen(page), before, "after back and forward");
  await page.locator("[data-sample=penguins]").click();
  await planned(page);
  const now = await chosen(page);
  const other = await openPage(t, page.url());
  await planned(other);
  assert.deepEqual(await chosen(other), now, "a table that is opened then has a link that says how it is trained");
});

test("a table is never fitted by a solver that it does not offer, and says what fits it instead", acceptance, async (t) => {
  const page = await openPage(t, `/?source=table&sample=cars&solver=printed&models=gfm,ifm&${brief}`);
  await planned(page);
  assert.equal(await page.locator(".plan select[data-key=solver]").inputValue(), "default");
  assert.match(await page.locator("[data-note=solver]").innerText(), /tables are fitted by block ALS/);
  await train(page);
  assert.equal(await page.locator("ifm-result .stand > div").count(), 2);
  assert.equal(await page.locator("ifm-result [role=alert]").count(), 0);
  assert.match(page.url(), /solver=printed/, "the figure keeps its own");
});

test("back from a run of the map leads to where the map was", async (t) => {
  const page = await openPage(t, `/?${small}`, { viewport: { width: 1000, height: 700 }, held: true });
  await finished(page, "ifm-figure");
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
