import assert from "node:assert/strict";
import { test } from "node:test";

import type { Charset } from "../engine/protocol.js";
import { read } from "../packed/read.test.js";
import { members } from "../packed/zip.js";
import { csv, type Dialect } from "./csv.js";
import { Turns } from "./turns.js";
import { workbook } from "./workbook.js";

const turns = (): Turns => new Turns(new AbortController().signal, () => undefined);
const bytesOf = async (values: readonly (number | string)[], like?: Dialect): Promise<Uint8Array> => new Uint8Array(await (await csv([{ name: "Größe", values }, { name: "n", values: [1] }], turns(), like)).arrayBuffer());

test("numbers take the decimal mark of the dialect, and cells its separator", async () => {
  const text = async (separator: string, point: string): Promise<string> => new TextDecoder().decode(await bytesOf([1.5, -2, Number.NaN, "a;b", "-3,5", "=1+1", 'x "y"', "a\nb"], { separator, point, charset: "utf-8" }));
  assert.equal(await text(";", ","), 'Größe;n\r\n1,5;1\r\n-2;\r\n;\r\n"a;b";\r\n"-3,5";\r\n\'=1+1;\r\n"x ""y""";\r\n"a\nb";\r\n');
  assert.match(await text(",", ","), /\r\n"1,5",1\r\n-2,\r\n/, "a decimal comma between commas is quoted");
  assert.match(await text("\t", "."), /\r\n1\.5\t1\r\n/);
  assert.match(await text(" ", "."), /\r\n1\.5,1\r\n/, "spaces would lose empty cells");
});

test("bytes are in the charset of the dialect, or in UTF-8 with its mark where that lacks a character", async () => {
  const like = (charset: Charset): Dialect => ({ separator: ";", point: ",", charset });
  const decoded = (bytes: Uint8Array, charset: string): string => new TextDecoder(charset, { ignoreBOM: true }).decode(bytes);
  const codes = Buffer.from(Array.from({ length: 128 }, (_, i) => i + 128));
  for (const charset of ["windows-1252", "latin-1"] as const) assert.deepEqual(Buffer.from(await bytesOf([decoded(codes, "windows-1252")], like(charset))), Buffer.concat([Buffer.from("Größe;n\r\n", "latin1"), codes, Buffer.from(";1\r\n")]));
  assert.match(decoded(await bytesOf(["Ω"], like("windows-1252")), "utf-8"), /^\ufeffGröße;n\r\nΩ;1\r\n$/);
  for (const charset of ["utf-8", "utf-16le", "utf-16be"] as const) assert.match(decoded(await bytesOf(["Ω😀"], like(charset)), charset), /^\ufeffGröße;n\r\nΩ😀;1\r\n$/u, charset);
  assert.equal(decoded(new Uint8Array(await (await csv([{ name: "a", values: [1] }], turns(), like("utf-8"))).arrayBuffer()), "utf-8"), "a\r\n1\r\n", "ASCII needs no mark");
});

test("a workbook is read back as it was written: numbers as numbers, texts as texts, and no formula", async () => {
  const texts = ["=1+1", "-x", "a&b<c>\"d\"", "line\nbreak", " edge ", "_x0041_", "bell\u0007", "Ω😀", "007"];
  const numbers = [1.5, -2e-9, 1e21, Number.NaN, 0, -7, 123456789.125, 3, 4];
  const columns = [{ name: "text", values: texts }, { name: "number", values: numbers }, { name: "short", values: [1] }, ...Array.from({ length: 30 }, (_, i) => ({ name: `c${i}`, values: [i] }))];
  const file = await workbook(columns, turns());
  const sheet = (await members(file)).find(({ name }) => name === "xl/sheet.xml");
  assert.ok(sheet && sheet.packed < sheet.size, "it is packed");
  const rows = (await read(file)).text.trimEnd().split("\n");
  assert.equal(rows.length, 1 + texts.length);
  assert.match(rows[0] ?? "", /^text,number,short,c0,.*,c29$/);
  assert.match(rows[1] ?? "", /^"=1\+1",1\.5,1,0,1,.*,29$/);
  const seen = ['"=1+1"', "-x", '"a&b<c>""d"""', "line break", " edge ", "_x0041_", "bell\u0007", "Ω😀", "007"];
  for (const [i, text] of seen.entries()) assert.ok(rows[i + 1]?.startsWith(`${text},`), rows[i + 1]);
  assert.match(rows[4] ?? "", /^line break,,/, "NaN is an empty cell");
  assert.match(rows[7] ?? "", /,123456789\.125,/);
});

test("texts that are dates are dates in a workbook, from 1 March 1900 on, and more than a sheet can hold is refused", async () => {
  const day = (text: string): number => Date.parse(text) / 86_400_000;
  const plain = { name: "day", values: ["3.4.2024", "28.2.1900", "1.3.1900", "n/a", ""], days: [day("2024-04-03"), day("1900-02-28"), day("1900-03-01"), NaN, NaN] };
  const file = await workbook([plain, { name: "n", values: [1, 2, 3] }], turns());
  assert.deepEqual((await read(file)).text.trimEnd().split("\n").slice(0, 5), ["day,n", "2024-04-03,1", "28.2.1900,2", "1900-03-01,3", "n/a,"]);
  await assert.rejects(workbook([{ name: "a", values: new Float64Array(1_048_576) }], turns()), /1,048,575 rows/);
});
