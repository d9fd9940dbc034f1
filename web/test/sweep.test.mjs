// @ts-check
/** A sweep that ifm ran and merged, dropped on the page. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";

import { assertAccessible, dropFile, openPage, settled } from "./lab.mjs";
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
  assert.deepEqual(rows, [1, 2].flatMap((k) => ["fm", "ifm"].map((model) => [`${model === "fm" ? "FM" : "iFM"}, k = ${k}`, found(model, k, 2), found(model, k, 6)])));
  assert.deepEqual([rows[1]?.[2], rows[3]?.[2]], ["2/2", "2/2"], "iFM finds it from enough rows");
  await swept.locator("select[name=measure]").selectOption("m");
  await settled(page);
  assert.match(await swept.locator("caption").innerText(), /median of a place’s runs/);
  await assertAccessible(page);

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
