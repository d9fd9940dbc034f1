// Columns and pairs by importance, and what each adds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible, openPage, settled } from "./lab.mjs";
import { shift } from "./measure.mjs";
import { bring, tab, train } from "./table.mjs";

test("columns and pairs are listed by importance, and each shows what it adds", async (t) => {
  const page = await openPage(t, "/?source=table&sample=cars&models=ifm&encode=hats&ranks=2&lambdaf=10&lambdaw=3&iterations=10&trials=2&speed=instant");
  await train(page);
  await tab(page, "matters");
  await settled(page);
  const rows = page.locator(".important tr[data-column]");
  const listed = await rows.evaluateAll((all) => all.map((row) => ({ column: row.getAttribute("data-column"), other: row.getAttribute("data-with"), rise: Number(row.getAttribute("data-value")), interval: row.lastElementChild?.textContent ?? "" })));
  assert.deepEqual(listed.filter(({ other }) => !other).map(({ column }) => column).sort(), ["Acceleration", "Cylinders", "Displacement", "Horsepower", "Origin", "Weight_in_lbs", "Year"]);
  assert.deepEqual(listed.map(({ rise }) => rise), listed.map(({ rise }) => rise).sort((a, b) => b - a));
  assert.ok((listed[0]?.rise ?? 0) > 1, "miles per gallon");
  for (const { interval } of listed) assert.match(interval, /^[+−\d].* to [+−\d]/);
  const chart = page.locator(".important [data-chart=shape]");
  const picture = () => chart.locator(".plot").getAttribute("aria-label");

  await t.test("the first column's shape is a line over its numbers, whose points are the model's", async () => {
    assert.match((await picture()) ?? "", new RegExp(`^What ${listed[0]?.column} adds to Miles_per_Gallon: least at .*, −.*; most at .*, \\+`));
    const shares = await page.locator("ifm-importance").evaluate((panel, column) => {
      const { points } = /** @type {any} */ (panel).shapes.shapes.find((/** @type {any} */ one) => one.column === column);
      return points.filter((/** @type {any} */ { kind, share }) => kind === "value" && !Number.isNaN(share)).map((/** @type {any} */ { share }) => share);
    }, listed[0]?.column ?? "");
    assert.ok(shares.length > 1);
    assert.equal(await chart.locator(".shape-svg circle").count(), shares.length, "a dot at each knot");
    const share = shares.reduce((/** @type {number} */ sum, /** @type {number} */ one) => sum + one, 0);
    assert.ok(Math.abs(share - 1) < 1e-9, `the training rows are shared by the knots: ${share}`);
  });

  await t.test("the band of further fits contains the model's effects, and is in the table of the picture", async () => {
    await page.locator("[data-ranges=done]").first().waitFor({ state: "attached" });
    await settled(page);
    const points = await page.locator("ifm-importance").evaluate((panel) => /** @type {any} */ (panel).shapes.shapes.flatMap((/** @type {any} */ one) => one.points));
    for (const { effect, low, high } of points) assert.ok(low <= effect && effect <= high, `${low} ≤ ${effect} ≤ ${high}`);
    assert.ok(points.some((/** @type {any} */ { low, high }) => high - low > 0.1), "miles per gallon");
    assert.match(await page.locator(".important").innerText(), /Band: from the lowest to the highest effect .* A confidence interval would be wider/);
    assert.equal(await chart.locator(".shape-svg [aria-label=area]").count(), 2, "the band and the rows");
    assert.match((await chart.locator("input[type=range]").getAttribute("aria-valuetext")) ?? "", /, in all fits [+−].* to [+−]/);
  });

  await t.test("pressing a column of levels shows bars, which average 0 over the training rows, and a table of them", async () => {
    await rows.filter({ hasText: "Origin" }).locator("button").click();
    await settled(page);
    assert.match((await picture()) ?? "", /^What Origin adds to Miles_per_Gallon: least at USA, −/);
    const points = await page.locator("ifm-importance").evaluate((panel) => /** @type {any} */ (panel).shapes.shapes.find((/** @type {any} */ one) => one.column === "Origin").points);
    assert.deepEqual(points.map((/** @type {any} */ { level }) => level), ["Europe", "Japan", "USA"]);
    assert.ok(Math.abs(points.reduce((/** @type {number} */ sum, /** @type {any} */ { effect, share }) => sum + effect * share, 0)) < 1e-9);
    assert.equal(await rows.locator("button[aria-pressed=true]").textContent(), "Origin");
    await chart.locator("input[type=range]").focus();
    assert.match((await chart.locator("input[type=range]").getAttribute("aria-valuetext")) ?? "", /% of the training rows have it$/);
    await assertAccessible(page, { include: ["ifm-importance"] });
  });
});

test("a pair in the list shows its surface where a column has its shape, by keyboard too", async (t) => {
  const page = await openPage(t, "/?source=table&sample=diabetes&models=ifm&encode=linear&ranks=2&lambdaf=1&lambdaw=3&iterations=10&trials=2&speed=instant");
  await train(page);
  await tab(page, "matters");
  await settled(page);
  const rows = page.locator(".important tr[data-column]");
  const listed = await rows.evaluateAll((all) => all.map((row) => ({ column: row.getAttribute("data-column"), other: row.getAttribute("data-with"), rise: Number(row.getAttribute("data-value")) })));
  assert.deepEqual(listed.map(({ rise }) => rise), listed.map(({ rise }) => rise).sort((a, b) => b - a), "in one order");
  await t.test("below the line of a number without knots stand the training rows", async () => {
    const column = listed.find(({ other }) => !other)?.column ?? "";
    await rows.getByRole("button", { name: column, exact: true }).click();
    await page.locator("[data-ranges=done]").first().waitFor({ state: "attached" });
    await settled(page);
    const shares = await page.locator("ifm-importance").evaluate((panel, column) => /** @type {any} */ (panel).shapes.shapes.find((/** @type {any} */ one) => one.column === column).points.map((/** @type {any} */ { share }) => share), column);
    assert.deepEqual(shares.flatMap((/** @type {number} */ share, /** @type {number} */ at) => (Number.isNaN(share) ? [] : [at])), [0, 4, 8, 12, 16, 20, 24, 28], "at equal distances");
    const sum = shares.reduce((/** @type {number} */ sum, /** @type {number} */ share) => sum + (share || 0), 0);
    assert.ok(Math.abs(sum - 1) < 1e-9, `${sum}`);
    const shape = page.locator(".important [data-chart=shape]");
    assert.equal(await shape.locator(".shape-svg [aria-label=area]").count(), 2, "the band and the rows");
    await shape.locator("input[type=range]").focus();
    assert.match((await shape.locator("input[type=range]").getAttribute("aria-valuetext")) ?? "", /% of the training rows are near$/);
  });

  const pairs = listed.filter(({ other }) => other);
  assert.ok(pairs.length > 0 && pairs.length <= 3, `${pairs.length}`);
  const [{ column, other, rise } = { column: "", other: "", rise: 0 }] = pairs;
  assert.ok(rise > 0.01 * (listed[0]?.rise ?? 0));
  const button = rows.getByRole("button", { name: `${column} × ${other}`, exact: true });
  await button.focus();
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await button.getAttribute("aria-pressed"), "true");
  assert.equal(await page.locator(".important [data-chart=shape]").count(), 0, "one thing at a time");
  const surface = page.locator(".important .effect");
  assert.equal(await surface.locator("figcaption").innerText(), `What ${column} and ${other} together add to target`);
  const known = await page.locator("ifm-importance").evaluate((panel) => {
    const [{ effect, near }] = /** @type {any} */ (panel).importance.pairs;
    return /** @type {number[]} */ ([...effect].filter((_, at) => near[at] >= 0.5));
  });
  const cells = await surface.locator("tbody td").allInnerTexts();
  const shown = cells.filter((text) => text !== "–");
  assert.equal(shown.length, known.length, "a cell for each two that test rows are near");
  shown.forEach((text, i) => assert.match(text, (known[i] ?? 0) < 0 ? /^−/ : /^[+0]/, "the sign is told in words, not by colour alone"));
  assert.equal(cells.length, (await surface.locator("thead th").count()) * (await surface.locator("tbody th").count()));
  assert.match(await surface.locator(".note").innerText(), /beyond what each adds alone.* Highest at .*: \+.* Lowest at .*: −/);
  await assertAccessible(page, { include: ["ifm-importance"] });
});

test("a pair with the days of dates shows dates in its surface", async (t) => {
  const page = await openPage(t, "/?source=table&target=y&models=ifm&encode=linear&ranks=2&lambdaf=1&lambdaw=3&iterations=10&trials=2&speed=instant");
  const rows = Array.from({ length: 200 }, (_, i) => {
    const [day, x] = [(i * 37) % 499, ((i * 13) % 31) - 15];
    return `${new Date(86_400_000 * (18_628 + day)).toISOString().slice(0, 10)},${x}.5,${x * (day - 250) + (i % 7)}`;
  });
  await bring(page, "sales.csv", `day,x,y\n${rows.join("\n")}\n`);
  await train(page);
  await tab(page, "matters");
  await settled(page);
  await page.locator(".important tr[data-column]").getByRole("button", { name: "day (days) × x", exact: true }).click();
  await settled(page);
  const surface = page.locator(".important .effect");
  for (const day of await surface.locator("tbody th").allInnerTexts()) assert.match(day, /^202[12]-\d\d-\d\d$/);
  for (const x of await surface.locator("thead th").allInnerTexts()) assert.match(x, /^−?[\d.]+$/);
  assert.match(await surface.locator(".note").innerText(), /Highest at .*202[12]-\d\d-\d\d/);
});

test("the tab is at most two windows high, and moves little by itself while a run ends", async (t) => {
  for (const sample of ["cars", "diabetes"]) {
    const page = await openPage(t, `/?source=table&sample=${sample}`, { viewport: { width: 1280, height: 800 } });
    await page.locator("#tab-matters").click();
    await page.locator("[data-pairs=done]").waitFor();
    await settled(page);
    const moved = await shift(page);
    assert.ok(moved <= 0.02, `${sample} moved ${moved}`);
    const windows = await page.evaluate(() => document.documentElement.scrollHeight / innerHeight);
    assert.ok(windows <= 2, `${sample}: ${windows}`);
    await page.close();
  }
});
