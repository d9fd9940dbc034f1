// @ts-check
/** A sweep that ifm ran and merged, dropped on the page. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";

import { acceptance, assertAccessible, dropFile, openPage, settled } from "./lab.mjs";
import { ifm } from "./native.mjs";

test("a merged sweep opens beside the chapter that sweeps, marked as swept, counts what its lines say, and runs a place here", async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "ifmlab-sweep-"));
  t.after(() => rm(folder, { recursive: true }));
  const within = (/** @type {string} */ name) => path.join(folder, name);
  const [links, kept, merged] = /** @type {const} */ ([within("links.txt"), within("kept"), within("phase.jsonl")]);
  await writeFile(links, "d=8&scenario=mixed&truth=orthonormal&models=fm,ifm&solver=gauss-newton&noise=0&sweep=rank&ratios=2,6&ks=1,2&trials=2&test=100&iterations=40\n");
  await ifm("sweep", links, "-out", kept);
  await ifm("merge", kept, "-o", merged);
  const bytes = await readFile(merged, "utf8");
  const cells = bytes.trim().split("\n").slice(1).map((line) => JSON.parse(line));
  assert.equal(cells.length, 2 * 2 * 2 * 2);

  const page = await openPage(t, "/?d=8&k=2&n=100&speed=instant");
  await dropFile(page, "ifm-figure h1", { name: "phase.jsonl", bytes });
  await settled(page);
  const swept = page.locator("ifm-swept");
  assert.match(await swept.innerText(), /^swept phase\.jsonl\n[\s\S]*16 runs that ifm sweep made elsewhere, with version \d+\.\d+\.\d+\. None of these numbers was computed on this page/);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "swept");
  const rows = await swept.locator("table.phase tbody tr").evaluateAll((all) => all.map((row) => [row.querySelector("th")?.textContent, ...[...row.querySelectorAll("td")].map((cell) => cell.textContent?.trim())]));
  const found = (/** @type {string} */ model, /** @type {number} */ k, /** @type {number} */ ratio) => {
    const runs = cells.filter((cell) => cell.model === model && [[1, 2], [1, 6], [2, 2], [2, 6]].some(([kk, r], i) => k === kk && ratio === r && points[i] === cell.point));
    return `${runs.filter(({ last }) => Math.max(last.w, last.m) < 0.01).length}/${runs.length}`;
  };
  const points = await page.evaluate(async (query) => {
    const info = await /** @type {any} */ (document.querySelector("ifm-app")).pool.info(query);
    return [[1, 2], [1, 6], [2, 2], [2, 6]].map(([k, ratio]) => info.points.findIndex((/** @type {any} */ point) => point.k === k && point.ratio === ratio));
  }, cells[0].spec);
  assert.deepEqual(rows, [1, 2].flatMap((k) => ["fm", "ifm"].map((model) => [`${model === "fm" ? "FM" : "iFM"}, k\u00a0=\u00a0${k}`, found(model, k, 2), found(model, k, 6)])));
  assert.deepEqual([rows[1]?.[2], rows[3]?.[2]], ["2/2", "2/2"], "iFM finds it from enough rows");
  await swept.locator("select[name=measure]").selectOption("m");
  await settled(page);
  assert.match(await swept.locator("caption").innerText(), /median of a place’s runs/);
  const axes = await swept.locator("ifm-chart .plot svg").evaluate((svg) => ["x", "y"].map((k) => [svg.querySelectorAll(`g[aria-label="${k}-axis tick label"] text`), svg.querySelectorAll(`g[aria-label="${k}-grid"] line`)].map((all) => [...all].map((one) => one.textContent))));
  assert.ok(axes[1]?.[0]?.length === axes[1]?.[1]?.length && axes.every(([labels]) => labels?.every((text) => text !== "")), `each line has its number: ${JSON.stringify(axes)}`);
  await assertAccessible(page, { include: ["ifm-swept"] });

  for (const [text, says] of /** @type {const} */ ([[bytes.slice(0, -200), /phase\.jsonl:17: The line is no JSON object|phase\.jsonl:1[67]: The file ends here/], [bytes.replace('"cells":16', '"cells":16,"shard":1,"of":8'), /part 1 of 8 of a sweep\. Merge the parts/]])) {
    await dropFile(page, "ifm-figure h1", { name: "phase.jsonl", bytes: text });
    await settled(page);
    assert.match(await page.locator("#file-error").innerText(), says);
    assert.equal(await swept.locator("tbody tr").count(), 4, "what was open is still");
  }

  await swept.locator("tbody tr").last().locator("a").last().click();
  await settled(page);
  const { spec } = await page.evaluate(() => /** @type {any} */ (document.querySelector("ifm-app")).lab.page);
  assert.deepEqual([spec.k, spec.d, spec.n, spec.solver], [2, 8, 96, "gauss-newton"]);
  await swept.locator("button.close").click();
  await settled(page);
  assert.equal(await swept.count(), 0);
});

test("a merged sweep over the ionosphere opens beside the chapter on vTEC, runs among its lines beside their own; a cell of it that is run here says the same", acceptance, async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "ifmlab-sweep-"));
  t.after(() => rm(folder, { recursive: true }));
  const within = (/** @type {string} */ name) => path.join(folder, name);
  const [links, kept, merged] = /** @type {const} */ ([within("links.txt"), within("kept"), within("table1.jsonl")]);
  await writeFile(links, ["d=4&k=1&n=40&test=20&iterations=2&models=ifm", ...[1, 2, 3].map((seed) => `chapter=vtec&vtec.stations=all&vtec.fixes=0&vtec.days=1&vtec.stride=720&vtec.methods=ridge,fm,ifm&vtec.seed=${seed}`)].join("\n"));
  await ifm("sweep", links, "-out", kept);
  await ifm("merge", kept, "-o", merged);
  const bytes = await readFile(merged, "utf8");
  const cells = bytes.trim().split("\n").slice(2).map((line) => JSON.parse(line));
  assert.equal(cells.length, 3 * 17);

  const page = await openPage(t, "/?d=8&k=2&n=100&speed=instant");
  await dropFile(page, "ifm-figure h1", { name: "table1.jsonl", bytes });
  await settled(page);
  assert.match(await page.locator("ifm-swept").innerText(), /1 run that ifm sweep made elsewhere[\s\S]* The file has 51 cells on the ionosphere, too/);
  const swept = page.locator("ifm-swept-sky");
  const text = await swept.innerText();
  assert.match(text, /^swept table1\.jsonl: the ionosphere\n[\s\S]*51 cells that ifm sweep made elsewhere[\s\S]*102 windows in all[\s\S]* The file has 1 run on drawn rows or tables, too[\s\S]*Minutes between two windows: 720/);
  assert.match(text, /on \d of 3 days, and ahead of ridge regression on \d/);
  const rmse = (/** @type {any[]} */ of, /** @type {string} */ method) => Math.sqrt(of.reduce((sum, { squares }) => sum + squares[method], 0) / of.reduce((sum, { differences }) => sum + differences, 0));
  const median = (/** @type {number[]} */ of) => of.toSorted((a, b) => a - b)[1];
  const shown = await swept.locator("table.phase tbody tr").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].slice(0, 3).map((cell) => Number(cell.dataset["value"]))));
  const days = [0, 17, 34].map((first) => cells.slice(first, first + 17));
  for (const [row, method] of ["ridge", "fm", "ifm"].entries()) assert.deepEqual(shown[row], [median(days.map((day) => rmse(day, method))), ...[0, 1].map((station) => median(days.map((day) => rmse([day[station]], method))))], method);
  await assertAccessible(page, { include: ["ifm-swept-sky"] });

  await swept.locator("table.phase tbody tr").last().locator("button").first().click();
  await settled(page);
  const seed = 1 + days.findIndex((day) => rmse([day[0]], "ifm") === shown[2]?.[1]);
  const here = swept.locator(".live-cell");
  assert.match(await here.innerText(), new RegExp(`^live seed ${seed}, TestDay1 without S01\\n[\\s\\S]*2 windows, fitted in this browser: every (sum|RMSE)`));
  const [there = [], live = []] = await here.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)));
  assert.deepEqual(live, there);
  assert.equal(live.length, 3);

  const lines = bytes.split("\n");
  for (const [name, text, says] of /** @type {const} */ ([["cut.jsonl", lines.slice(0, 30).join("\n").slice(0, -40), /cut\.jsonl:30: The line is no JSON object/], ["other.jsonl", bytes.replace('"station":5', '"station":99'), /other\.jsonl:8: The link has no station 99/]])) {
    await dropFile(page, "ifm-figure h1", { name, bytes: text });
    await settled(page);
    assert.match(await page.locator("#file-error").innerText(), says);
    assert.match(await here.innerText(), /TestDay1 without S01/, "what was open is still");
  }
  await here.locator("button.take").click();
  await settled(page);
  assert.match(page.url(), seed === 1 ? /vtec\.stations=all/ : new RegExp(`vtec\\.seed=${seed}`));
  await swept.locator("button.close").click();
  await settled(page);
  assert.equal(await page.locator("ifm-swept, ifm-swept-sky").count(), 0);
});
