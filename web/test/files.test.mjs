// @ts-check
/**
 * What happens to the files a reader drops, good and bad, and whether the
 * browser computes what Go computes without one.
 */
import assert from "node:assert/strict";
import { test } from "node:test";

import { calls, countCalls } from "./calls.mjs";
import { dropFile, openPage, settled } from "./lab.mjs";
import { near } from "./lesson.mjs";
import { runs } from "./native.mjs";
import { bring, drop, finished, openSample, planned, refusal, rows, sample, small, standings, tab, title, train, twice } from "./table.mjs";

const brief = `${small}&${twice}&models=ifm`;

/** Fails unless a table's curves, number by number, are those of these runs. @param {Page} page @param {Awaited<ReturnType<typeof runs>>} want */
async function assertSameCurves(page, want) {
  /** @type {{ model: string, rank: number, lambda: number, errors: number[] }[]} */
  const got = await page.locator("ifm-result").evaluate((panel) =>
    /** @type {any} */ (panel).training.lines.map((/** @type {any} */ line) => ({ model: line.model, rank: line.choice?.rank, lambda: line.choice?.lambda, errors: [...line.error] })),
  );
  const shapes = [got, want].map((all) => all.map(({ model, rank, lambda, errors }) => ({ model, rank, lambda, records: errors.length })));
  assert.deepEqual(shapes[0], shapes[1]);
  for (const [i, { model, errors }] of want.entries()) {
    errors.forEach((v, j) => near(got[i]?.errors[j] ?? NaN, v, `${model}, record ${j}`));
  }
}

test("a table, dropped, trains to what Go computes natively, over ten splits too", async (t) => {
  const file = sample("cars.csv");
  const page = await openPage(t, "/?speed=instant&d=8&k=2&n=100&ranks=2&lambdaf=10,1&lambdaw=10&iterations=30#table");
  await dropFile(page, "#main", { path: file });
  await planned(page);
  assert.match(await title(page), /^cars\.csv: 406 rows/);
  await finished(page);
  const native = await runs(`?trials=10&${new URL(page.url()).search.slice(1)}`, file); // a single split is repeated on nine more
  await assertSameCurves(page, native.slice(0, 2));
  const own = await standings(page);
  for (const model of ["fm", "ifm"]) {
    const kept = native.filter((run) => run.model === model).map((run) => run.kept);
    const mean = kept.reduce((sum, v) => sum + v, 0) / kept.length;
    assert.equal(kept.length, 10);
    near(own[model] ?? NaN, mean, model);
  }
});

const header = "x1,x2,y\n";
const good = (/** @type {number} */ n) => rows(n, (i) => [(i * 7) % 11, (i * 5) % 13, `${(i * 3) % 17}.5`]);

/** @type {{ name: string, bytes: string | Uint8Array, says: RegExp }[]} */
const refused = [
  { name: "movies.json", bytes: '[{"Title": "The Land Girls", "US Gross": 146083', says: /found the end of the file, expected a comma/ },
  { name: "empty.csv", bytes: "", says: /empty|holds no|no bytes/ },
  { name: "utf16.csv", bytes: new Uint8Array([0xff, 0xfe, 0x61, 0, 0x2c, 0, 0x62, 0, 0x0a, 0]), says: /header|no rows/ },
  { name: "ragged.csv", bytes: header + good(20) + "1,2\n".repeat(5), says: /the first: line 22: .*2 fields, but the header has 3/s },
  { name: "photo.png", bytes: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), says: /^photo\.png: this is an image\. / },
];

test("what is brought is refused by name, and what was open stays", async (t) => {
  const page = await openPage(t, `/?${brief}#table`);

  await t.test("a file that is no table is refused beside the door, in words that name it, and what was open stays", async () => {
    await dropFile(page, "#main", { path: sample("cars.csv") });
    await planned(page);
    for (const { name, bytes, says } of refused) {
      await drop(page, name, bytes);
      const text = await refusal(page);
      assert.match(text, says);
      assert.doesNotMatch(text, /:\d+:\d+:|[^.] cars\.csv is still/, "in sentences, without a path");
      assert.ok(text.includes(name) && text.includes("cars.csv"), `${text} names the file, and the one that is still open`);
      assert.match(await title(page), /cars\.csv: 406 rows/);
    }
    await drop(page, "good.csv", header + good(30));
    assert.match(await title(page), /^good\.csv: 30 rows/);
    assert.equal(await page.locator("[data-error=file]").count(), 0);
  });

  await t.test("a few rows that cannot be read are listed with line and column, and the others train", async () => {
    await drop(page, "tec.csv", `${header}${good(40)}1,2\n3,12x,4\n5,6,Inf\n${good(20)}7,8,\n`);
    await planned(page);
    const listed = (await page.locator("ifm-data details.places li").allTextContents()).join("\n");
    for (const line of [/^tec\.csv:42:\d+: .*2 fields/m, /^tec\.csv:43:3: x2 is "?12x/m, /^tec\.csv:44:\d+: y is "?Inf/m, /^tec\.csv:65.*y, the target, is missing/m]) assert.match(listed, line);
    await train(page);
  });
});

test("a run is let go as soon as it is over, whatever comes of it", async (t) => {
  const page = await openPage(t, `/?trials=6&iterations=20&ranks=2&lambdas=0.1&${small}`, { before: countCalls });
  await settled(page);
  const held = (/** @type {readonly string[]} */ all) => all.reduce((sum, call) => sum + Number(call === "start") - Number(call === "close run"), 0);
  const made = await calls(page);
  assert.ok(made.includes("start"));
  assert.equal(held(made), 0);
  assert.ok(made.every((_, i) => held(made.slice(0, i)) <= 8), "a few runs are held at once");
  await openSample(page, "penguins");
  await train(page);
  assert.ok((await calls(page)).length > made.length);
  assert.equal(held(await calls(page)), 0, "those on a table too");
});

test("a guessed charset is overruled, and the file read again", async (t) => {
  const page = await openPage(t, `/?source=table&${twice}&models=ifm&speed=instant#table`);
  await bring(page, "c.csv", Buffer.from(`name,b\n${rows(40, (i) => [i % 2 ? "caf\u0080" : "th\u00e9", i])}`, "latin1"));
  if (await page.locator("#tab-columns").isVisible()) await tab(page, "columns");
  const second = page.locator(".written tbody tr").nth(1).locator("td").first();
  assert.equal(await second.innerText(), "caf€");
  assert.equal(await page.locator("select[name=charset] option").first().innerText(), "guess: windows-1252");
  await page.locator("select[name=charset]").selectOption("latin-1");
  await page.waitForURL(/charset=latin-1/);
  await settled(page);
  assert.equal(await second.textContent(), "caf\u0080");
  await page.locator("select[name=charset]").selectOption("utf-8");
  await page.locator("[data-error=file]").waitFor();
  assert.match(await title(page), /^c\.csv: 40 rows/, "what was open stays");
});
