// @ts-check
/** A target of classes: what its run says, in which measure, and what a threshold decides. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { assertAccessible, assertFits, openPage, settled } from "./lab.mjs";
import { tab, train } from "./table.mjs";

const sexes = "/?source=table&sample=penguins&target=Sex&lambdaf=30,10&ranks=2&iterations=30&trials=2&speed=instant#table";

/** The test rows of a model as the panels got them. @param {Page} page @param {string} model @returns {Promise<{ y: number[], p: number[] }>} */
const rowsOf = (page, model) =>
  page.locator("ifm-result").evaluate((panel, model) => {
    const found = /** @type {any} */ (panel).training.predictions.get(model);
    return { y: [...found.actual], p: [...found.predicted] };
  }, model);

test("a target of two classes is learnt, measured, looked at and decided as classes", async (t) => {
  const page = await openPage(t, sexes);
  await train(page);

  assert.match((await page.locator("ifm-result .board .heading").textContent()) ?? "", /log-loss/i);

  await t.test("the threshold says how many rows of each class are taken for class 1, by keyboard too, and marks its place on the ROC curve", async () => {
    const whose = await page.locator("ifm-fit select.whose").inputValue();
    const { y, p } = await rowsOf(page, whose);
    const panel = page.locator(".threshold");
    const count = (/** @type {number} */ of, at = -1) => p.filter((one, i) => y[i] === of && one >= at).length;
    /** Fails unless the panel counts the rows at a threshold. @param {number} at */
    const counts = async (at) => {
      const cells = (await panel.locator(`[data-told="${whose}"] td`).allTextContents()).slice(-4).map((text) => Number(text.replace(/,/g, "")));
      assert.deepEqual(cells, [count(1, at), count(0, at), count(1) - count(1, at), count(0) - count(0, at)], `from ${at} on`);
    };
    await counts(0.5);
    await panel.locator("input[type=range]").focus();
    await page.keyboard.press("Home");
    for (let i = 0; i < 30; i++) await page.keyboard.press("ArrowRight");
    await counts(0.15);
    await panel.getByRole("button", { name: "Back to 0.5" }).click();
    await counts(0.5);
    assert.match((await page.locator("[data-chart=roc] .plot").getAttribute("aria-label")) ?? "", /Area under the curve: .*linear 0\.\d+.*chance is 0\.5/);
  });

  await t.test("a row of a class says its probability and why, and the charts fit a phone in the dark", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await settled(page, page.emulateMedia({ colorScheme: "dark" }));
    const scatter = page.locator("ifm-fit [data-chart=predictions]");
    await scatter.locator("input[type=range]").focus();
    assert.match((await scatter.locator("input[type=range]").getAttribute("aria-valuetext")) ?? "", /^Line \d+: (FE)?MALE, probability of (FE)?MALE 0\.\d{3}$/);
    await settled(page, page.keyboard.press("Enter"));
    assert.match((await page.locator("ifm-reasons").textContent()) ?? "", /log-odds/);
    await assertFits(page);
    await assertAccessible(page, { include: ["ifm-fit"] });
  });
});

test("a target of three classes is learnt, judged by class, explained, and predicts another file by name", async (t) => {
  const page = await openPage(t, "/?source=table&sample=penguins&target=Species&ignore=Beak%20Length%20(mm)&lambdaf=30&ranks=2&iterations=30&trials=2&speed=instant#table");
  await train(page);
  const result = page.locator("ifm-result");
  const { names, y, p } = await result.evaluate((panel) => {
    const { training } = /** @type {any} */ (panel);
    const { actual, probabilities } = training.predictions.get("ifm");
    return { names: [...training.started.classes], y: [...actual], p: [...probabilities] };
  });
  const likeliest = y.map((_, i) => { const row = p.slice(3 * i, 3 * i + 3); return row.indexOf(Math.max(...row)); });

  await t.test("the matrix counts rows by actual and likeliest class", async () => {
    await settled(page, page.locator("ifm-fit select.whose").selectOption("ifm"));
    const cells = await page.locator(".confusion tbody tr").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].slice(0, 3).map((cell) => Number(cell.textContent))));
    assert.deepEqual(cells, names.map((_, actual) => names.map((_, said) => y.filter((one, i) => one === actual && likeliest[i] === said).length)));
    const right = likeliest.filter((said, i) => said === y[i]).length / y.length;
    assert.ok(Math.abs(Number(await result.locator('[data-row="ifm"] [data-accuracy]').getAttribute("data-accuracy")) - right) < 1e-12);
  });

  await t.test("a row says the probability of its likeliest class and why", async () => {
    const scatter = page.locator("ifm-fit [data-chart=predictions]");
    await scatter.locator("input[type=range]").focus();
    assert.match((await scatter.locator("input[type=range]").getAttribute("aria-valuetext")) ?? "", /^Line \d+: \w+, its probability 0\.\d{3}$/);
    await settled(page, page.keyboard.press("Enter"));
    assert.match((await page.locator("ifm-reasons").textContent()) ?? "", /Probability of (Adelie|Chinstrap|Gentoo): 0\.\d+ \(score of Species = .*\)\. Actual: (Adelie|Chinstrap|Gentoo)\./);
    await tab(page, "matters");
    assert.match((await page.locator(".pairs").textContent()) ?? "", /needs a target of numbers or two classes; Species has 3 classes/);
  });

  await t.test("the model predicts another file, a class and its probability a row", async () => {
    await tab(page, "take");
    const rows = ["Biscoe,39.1,15.0,220,MALE,5500", "Torgersen,39.1,18.7,181,FEMALE,3200"];
    await page.locator("ifm-keep input[type=file]").setInputFiles({ name: "new.csv", mimeType: "text/csv", buffer: Buffer.from(`Island,Beak Length (mm),Beak Depth (mm),Flipper Length (mm),Sex,Body Mass (g)\n${rows.join("\n")}\n`) });
    await settled(page);
    assert.deepEqual(await page.locator(".predicted tbody tr").evaluateAll((all) => all.map((row) => row.querySelector("td")?.textContent)), ["Gentoo", "Adelie"]);
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".predicted button.all").click()]);
    const [head = "", first = ""] = (await (await import("node:fs/promises")).readFile((await download.path()) ?? "", "utf8")).split("\r\n");
    assert.equal(head, "line,Island,Beak Length (mm),Beak Depth (mm),Flipper Length (mm),Sex,Body Mass (g),class,P(Adelie),P(Chinstrap),P(Gentoo)");
    const [said, ...each] = first.split(",").slice(7);
    assert.equal(said, "Gentoo");
    assert.ok(Math.abs(each.reduce((sum, one) => sum + Number(one), 0) - 1) < 1e-12);
  });
});
