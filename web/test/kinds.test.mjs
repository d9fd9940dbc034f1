// @ts-check
/** Files of every kind of text that people have: opened, told and trained on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage, settled } from "./lab.mjs";
import { bring, planned, role, standings, tab, title, train, twice } from "./table.mjs";

/** A seeded draw from 0 to 1. */
function draws(seed = 1) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

/** Rows of a table whose target is known from the others: town, x, and y, which the files call c: no name says then what the target is, and a file is not trained before the test wants it. */
function rows(n = 120) {
  const draw = draws();
  const towns = ["Zürich", "Köln", "Malmö"];
  return Array.from({ length: n }, () => {
    const at = Math.floor(draw() * 3), x = Math.round(draw() * 1000) / 100;
    return { town: towns[at] ?? "", x, y: Math.round(100 * (2 * x + 5 * at + draw())) / 100 };
  });
}

const csv = `größe,town,c\r\n${rows().map(({ town, x, y }) => `${x},${town},${y}\r\n`).join("")}`;

/** Text with the bytes of Latin-1, which windows-1252 shares. */
const latin = (/** @type {string} */ text) => Buffer.from(text, "latin1");

function wide() {
  const draw = draws(7);
  return Array.from({ length: 200 }, () => {
    const at = new Set([1, 2, 3, 4, 5, 6].map(() => 1 + Math.floor(draw() * 2000)));
    const x = [...at].sort((a, b) => a - b).map((j) => `${j}:${Math.round(draw() * 1000) / 1000}`);
    return `${Math.round(draw() * 100) / 10} ${x.join(" ")}\n`;
  }).join("");
}

const kinds = [
  { name: "UTF-16", file: "u.csv", bytes: Buffer.from(`\uFEFF${csv}`, "utf16le"), rows: 120, columns: 3, first: "größe", told: /read as UTF-16/ },
  { name: "windows-1252", file: "w.csv", bytes: latin(csv), rows: 120, columns: 3, first: "größe", told: /read as windows-1252/ },
  { name: "JSON Lines", file: "j.jsonl", bytes: Buffer.from(rows().map(({ town, x, y: c }) => `${JSON.stringify({ x, at: { town }, c })}\n`).join("")), rows: 120, columns: 3, first: "x", told: null },
  { name: "a list of objects", file: "j.json", bytes: Buffer.from(JSON.stringify(rows().map(({ town, x, y: c }) => ({ town, x, c })), null, 1)), rows: 120, columns: 3, first: "town", told: null },
  { name: "LIBSVM", file: "agaricus.svm", bytes: Buffer.from(rows().map(({ town, x, y }) => `${y} 1:${x} ${{ Zürich: 3, Köln: 4, Malmö: 7 }[town]}:1\n`).join("")), rows: 120, columns: 5, first: "y", told: /LIBSVM’?'?s format/ },
  { name: "titles, comments and single quotes", file: "t.csv", bytes: Buffer.from(`Report of 2024\n\n# by us\n'x','town','c'\n${rows().map(({ town, x, y }) => `${x},'${town}, CH',${y}\n`).join("")}`), rows: 120, columns: 3, first: "x", told: /are above the table/ },
];

test("files of every kind of text are opened, told of and trained on", async (t) => {
  const page = await openPage(t, `/?source=table&${twice}&models=ifm&speed=instant#table`, { reducedMotion: "reduce" });
  for (const { name, file, bytes, rows, columns, first, told } of kinds) {
    await t.test(name, async () => {
      await bring(page, file, bytes);
      await planned(page);
      assert.match(await title(page), new RegExp(`^${file}: ${rows} rows, ${columns} columns`));
      if (await page.locator("#tab-columns").isVisible()) await tab(page, "columns");
      assert.equal(await page.locator(".written thead th").first().innerText(), first);
      if (told) assert.match((await page.locator("ifm-data .read").textContent()) ?? "", told);
      await role(page, name === "LIBSVM" ? "y" : "c").selectOption("target");
      await planned(page);
      if (name !== "LIBSVM") return;
      await train(page);
      const { ifm = NaN, mean = NaN } = await standings(page);
      assert.ok(ifm < mean / 2, `iFM ${ifm} is far below the mean ${mean}`);
    });
  }

  await t.test("a file of many features that are mostly 0 is one column, and is trained on", async () => {
    await bring(page, "wide.svm", wide());
    await planned(page);
    await tab(page, "columns");
    assert.match(await title(page), /^wide\.svm: 200 rows, 2 columns/);
    assert.match(await page.locator(".roles [data-column=x]").innerText(), /sparse[\s\S]*It has \d+ features/);
    await train(page);
    assert.ok("ifm" in (await standings(page)));
  });

  await t.test("a guessed charset is overruled, and the file read again", async () => {
    await bring(page, "c.csv", latin(`name,b\n${Array.from({ length: 40 }, (_, i) => `${i % 2 ? "caf\u0080" : "th\u00e9"},${i}\n`).join("")}`));
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
});
