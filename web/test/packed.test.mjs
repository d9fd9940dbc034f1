// @ts-check
/** Tables that come packed: by gzip or zip, as workbooks, as Parquet. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { strToU8, zipSync } from "../node_modules/fflate/esm/index.mjs";
import { openPage, settled } from "./lab.mjs";
import { offlineAddress } from "./offline.mjs";
import { everyReader, houses as rows, workbook } from "./packing.mjs";
import { bring, drop, refusal, small as quick, title, train, twice } from "./table.mjs";

const small = `${quick}&${twice}&models=ifm`;
/** No name of a column says that it is the target: such a table waits for its reader, and is not trained at once. */
const houses = strToU8(`a,b,c\n${rows.map(({ rooms, age, price }) => `${rooms},${age},${price}`).join("\n")}\n`);

/** @param {Page | Frame} page @returns {Promise<Record<string, any>>} */
const table = (page) => page.locator("ifm-data").evaluate((panel) => /** @type {any} */ (panel).loaded.table);

test("packed tables are unpacked, asked about where they hold several, and refused where they are damaged", async (t) => {
  const page = await openPage(t, `/?${small}#table`);

  await t.test("a table packed by gzip is the table", async () => {
    await drop(page, "houses.csv", houses);
    const plain = await table(page);
    await drop(page, "houses.csv.gz", gzipSync(houses));
    const { table: _, ...unpacked } = await table(page);
    assert.deepEqual({ ...unpacked, table: plain["table"] }, plain, "its name too is without .gz");
    await train(page);
  });

  await t.test("a gzip file that is cut short or damaged is refused in a sentence, and what was open stays", async () => {
    await drop(page, "houses.csv", houses);
    const packed = gzipSync(houses);
    await drop(page, "cut.csv.gz", packed.subarray(0, packed.length - 100));
    assert.match(await refusal(page), /cut\.csv\.gz: this gzip file is damaged or incomplete/);
    const flipped = Uint8Array.from(packed);
    flipped.fill(1, flipped.length - 8, flipped.length - 4); // its checksum
    await drop(page, "flipped.csv.gz", flipped);
    assert.match(await refusal(page), /flipped\.csv\.gz: this gzip file/);
    assert.match(await title(page), /^houses\.csv: 60 rows/);
  });

  await t.test("a zip with one table is the table, and one with several asks which", async () => {
    await drop(page, "one.zip", zipSync({ "folder/": new Uint8Array(), "folder/houses.csv": houses, "folder/README.txt": strToU8("about"), "__MACOSX/folder/._houses.csv": strToU8("x") }));
    assert.match(await title(page), /^houses\.csv: 60 rows/);
    await drop(page, "two.zip", zipSync({ "train.csv": houses, "sizes.csv": strToU8(`a,b\n${Array.from({ length: 40 }, (_, i) => `${i},${2 * i + (i % 3)}`).join("\n")}\n`) }));
    assert.match(await refusal(page), /two\.zip: this archive contains 2 files: “train\.csv”, “sizes\.csv”\. Which one is the table\?/);
    assert.match(await title(page), /^houses\.csv/, "what was open is there until it is said");
    await settled(page, page.getByRole("button", { name: "sizes.csv" }).click());
    assert.match(await title(page), /^sizes\.csv: 40 rows, 2 columns/);
    assert.equal(new URL(page.url()).searchParams.get("member"), "sizes.csv");
    await settled(page, page.locator("select[name=member]").selectOption("train.csv"));
    assert.match(await title(page), /^train\.csv: 60 rows/);
  });

  await t.test("a workbook with three sheets asks which, and its dates, truths and shares are read", async () => {
    const rows = Array.from({ length: 60 }, (_, i) => [`ware ${i % 4}`, { date: 45000 + i }, i % 3 === 0, { percent: (i % 10) / 10 }, 12.125 + i, 100 + 3 * (i % 10) + i]);
    const book = workbook({ Notes: [["What this is about"]], Sales: [["Sales of 2023"], [], ["ware", "day", "weekend", "discount", "weight", "paid"], ...rows], Returns: [["ware", "n"], ["a", 1], ["b", 2]], Empty: [] });
    await drop(page, "shop.xlsx", book);
    assert.match(await refusal(page), /shop\.xlsx: this workbook has 3 sheets with cells: “Notes”, “Sales”, “Returns”\. Which one is the table\?/);
    await settled(page, page.getByRole("button", { name: "Sales" }).click());
    assert.match(await title(page), /^shop\.xlsx: 60 rows/);
    assert.equal(new URL(page.url()).searchParams.get("sheet"), "Sales");
    const { preview } = await table(page);
    for (const text of ["ware 0", "2023-03-15", "true", "0%", "12.1250", "100"]) assert.ok(preview[0].includes(text), `${text} in ${preview[0]}`);
  });

  await t.test("hidden rows of a workbook are asked about, and both answers hold", async () => {
    const lines = Array.from({ length: 60 }, (_, i) => [`ware ${i % 4}`, i % 7, 100 + (i % 7) * 3]);
    await drop(page, "filtered.xlsx", workbook({ Sales: [["ware", "size", "price"], ...lines] }, (row) => row > 0 && row % 3 === 0));
    const question = page.locator("#asked .question").first();
    assert.match(await question.innerText(), /Which rows should be used\?[^]*20 rows of the sheet are hidden/);
    await settled(page, question.getByRole("button", { name: "Leave out hidden rows" }).click());
    assert.match(await title(page), /^filtered\.xlsx: 40 rows/);
    await settled(page, page.goBack());
    await settled(page, question.getByRole("button", { name: "Read all rows" }).click());
    assert.match(await title(page), /^filtered\.xlsx: 60 rows/);
    assert.equal(new URL(page.url()).searchParams.get("keep"), "hidden");
  });
});

test("packed files of every kind are opened in the offline file, which asks, refuses and trains as the page does", async (t) => {
  const page = await openPage(t, `${await offlineAddress(t)}?${small}#table`, { origins: ["null"] });
  await settled(page);
  for (const [name, bytes] of Object.entries(everyReader)) {
    await bring(page, name, bytes);
    if (name === "houses.zip") {
      assert.match(await refusal(page), /“houses\.xlsx”, “other\.csv”\. Which one is the table\?/);
      await settled(page, page.getByRole("button", { name: "houses.xlsx" }).click());
    }
    const { table: _, ...read } = await table(page);
    assert.match(read["name"], /^houses\.(xlsx|parquet)$/);
    assert.deepEqual([read["rows"], read["preview"][0]], [60, Object.values(rows[0] ?? {}).map(String)], name);
  }
  await bring(page, "cut.parquet", everyReader["houses.parquet"]?.subarray(0, 200) ?? new Uint8Array());
  assert.match(await refusal(page), /cut\.parquet: this Parquet file is damaged/);
  assert.match(await title(page), /^houses\.parquet: 60 rows/);
  await train(page);
});
