// @ts-check
/** A sweep that ifm ran and merged, dropped on the page. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import { assertAccessible, openPage, settled } from "./lab.mjs";
import { ifm } from "./native.mjs";
import { drop, folder, small } from "./table.mjs";

/** The text of a sweep that ifm has run over some links and merged. @param {TestContext} t @param {string[]} lines */
async function merged(t, ...lines) {
  const within = folder(t);
  const [links = "", kept = "", file = ""] = ["links.txt", "kept", "merged.jsonl"].map((name) => path.join(within, name));
  writeFileSync(links, `${lines.join("\n")}\n`);
  await ifm("sweep", links, "-out", kept);
  await ifm("merge", kept, "-o", file);
  const bytes = readFileSync(file, "utf8");
  return bytes;
}

test("a merged sweep opens beside the chapter that sweeps, marked as swept and counted, and runs a place here", async (t) => {
  const bytes = await merged(t, "d=8&scenario=mixed&truth=orthonormal&models=fm,ifm&solver=gauss-newton&noise=0&sweep=rank&ratios=2,6&ks=1,2&trials=2&test=100&iterations=40");
  const page = await openPage(t, `/?${small}`);
  await drop(page, "phase.jsonl", bytes, "ifm-figure h1");
  const swept = page.locator("ifm-swept");
  assert.match(await swept.innerText(), /^swept phase\.jsonl\n[\s\S]*16 runs from ifm sweep/);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "swept");
  const rows = await swept.locator("table.phase tbody tr").evaluateAll((all) => all.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent?.trim())));
  assert.deepEqual([rows.length, rows[1]?.[1], rows[3]?.[1]], [4, "2/2", "2/2"], "iFM finds it from enough rows");
  await settled(page, swept.locator("select[name=measure]").selectOption("m"));
  assert.match(await swept.locator("caption").innerText(), /median per cell/);
  await assertAccessible(page, { include: ["ifm-swept"] });

  await drop(page, "phase.jsonl", bytes.slice(0, -200));
  assert.match(await page.locator("#file-error").innerText(), /phase\.jsonl, line 1[67]: /);
  await settled(page, page.goBack());
  assert.equal(await swept.locator("tbody tr").count(), 4, "what was open is still");

  await settled(page, swept.locator("tbody tr").last().locator("a").last().click());
  const { figureSpec: spec } = await page.evaluate(() => /** @type {any} */ (document.querySelector("ifm-app")).lab.page);
  assert.deepEqual([spec.k, spec.d, spec.n, spec.solver], [2, 8, 96, "gauss-newton"]);
  await settled(page, page.locator("header [data-place=lesson]").click());
  await settled(page, swept.locator("button.close").click());
  assert.equal(await swept.count(), 0);
});
