import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { gzipSync, zipSync } from "fflate";
import type { Most } from "./piece.js";
import { read } from "./read.test.js";
import { packed as strings } from "./strings.js";
import { crc32 } from "./zip.js";

// As core/packed/packed_test.go has it of the command.

const few: Most = { text: 2 ** 16, held: 2 ** 14 }; // so little that a small file can be too large
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const textOf = async (...how: Parameters<typeof read>): Promise<string> => (await read(...how)).text;

function workbook(rows: string, texts = "", styles = ""): Uint8Array {
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  return zipSync({
    "[Content_Types].xml": bytes("<Types/>"),
    "xl/workbook.xml": bytes('<workbook><sheets><sheet name="Only" r:id="r1"/></sheets></workbook>'),
    "xl/_rels/workbook.xml.rels": bytes(`<Relationships><Relationship Id="r1" Type="${office}/worksheet" Target="sheet.xml"/><Relationship Id="r2" Type="${office}/sharedStrings" Target="texts.xml"/><Relationship Id="r3" Type="${office}/styles" Target="styles.xml"/></Relationships>`),
    "xl/sheet.xml": bytes(`<worksheet><sheetData>${rows}</sheetData></worksheet>`),
    "xl/texts.xml": bytes(`<sst>${texts}</sst>`),
    "xl/styles.xml": bytes(`<styleSheet>${styles}</styleSheet>`),
  });
}

const at = (column: string, row: number): string => `<row r="${row}"><c r="${column}${row}"><v>1</v></c></row>`;

test("a file that unpacks to too much is refused, and no more of it is read", async () => {
  const line = "1,2\n";
  const bomb = bytes(line.repeat(few.text));
  const half = gzipSync(bomb.subarray(0, few.text / 2));
  const lying = zipSync({ "t.csv": bomb });
  const view = new DataView(lying.buffer, lying.byteOffset, lying.length);
  const directory = Array.from(lying.keys()).findIndex((i) => i + 4 <= lying.length && view.getUint32(i, true) === 0x02014b50);
  view.setUint32(directory + 24, line.length, true);
  const held = bytes(`PK\x03\x04${"x".repeat(few.held)}`);
  const files: Record<string, [file: Uint8Array, says: string]> = {
    gzip: [gzipSync(bomb), strings.large(few.text)],
    "gzip in parts": [Buffer.concat([half, half, gzipSync(bytes(line))]), strings.large(few.text)],
    zip: [zipSync({ "t.csv": bomb }), strings.large(few.text)],
    "a zip that says it holds less": [lying, strings.damagedMember("t.csv")],
    "gzip in a zip": [zipSync({ "t.csv.gz": gzipSync(bomb) }), strings.large(few.text)],
    "a zip in a zip": [zipSync({ "t.zip": held }), strings.large(few.held)],
    "a sheet": [workbook(at("A", 1).repeat(few.text / 20)), strings.large(few.text)],
    "texts of a workbook": [workbook(at("A", 1), "<si><t>x</t></si>".repeat(few.held / 10)), strings.large(few.held)],
    "wide rows": [workbook(at("A", 1) + at("XFD", 2).repeat(10)), strings.large(few.text)],
    "many rows": [workbook(at("A", 1) + at("A", 1_048_576)), strings.large(few.text)],
    "a text that many cells share": [workbook('<row><c t="s"><v>0</v></c></row>'.repeat(100), `<si><t>${"x".repeat(1000)}</t></si>`), strings.large(few.text)],
    "a Parquet file of one value, 2049 times": [Buffer.from(PARQUET, "base64"), strings.large(few.held)],
  };
  for (const [what, [file, says]] of Object.entries(files)) await assert.rejects(textOf(file, { most: few }), { name: "Fault", message: says }, what);
  assert.equal((await textOf(Buffer.concat([half, half]), { most: few })).length, few.text, "all that may come does");
  assert.match(await textOf(Buffer.from(PARQUET, "base64"), { most: { ...few, held: 8 * 2049 } }), /^same\n(1234567890123\n){2049}$/);
});

/** The lines of a workbook, and what is told of them. */
async function sheetOf(book: Uint8Array, keep: readonly string[] = []): Promise<readonly [lines: readonly string[], notices: readonly unknown[]]> {
  const { text, notices } = await read(book, { keep });
  return [text.split("\n"), notices.map((notice) => (typeof notice === "string" ? notice : [notice.text, notice.cells, notice.ask, ...notice.answers.map(({ now }) => now)]))];
}

test("what holds no table that can be read says so, and of several files of an archive the likeliest is taken, or which is asked", async () => {
  const zip = (...names: readonly string[]): Uint8Array => zipSync(Object.fromEntries(names.map((name) => [name, bytes(`${name}\n`)])));
  const old = (text: string): Uint8Array => Uint8Array.from(`\xd0\xcf\x11\xe0${text}`, (c) => c.charCodeAt(0));
  const within = (n: number): Uint8Array => (n === 0 ? zip("t.csv") : zipSync({ "t.zip": within(n - 1) }));
  const locked = zip("t.csv");
  for (const at of [6, locked.findIndex((_, i) => locked[i] === 0x50 && locked[i + 2] === 1) + 8]) locked[at] = 1;
  const refused: readonly (readonly [file: Uint8Array, says: string])[] = [
    [bytes("PARE....PARE"), strings.lockedParquet], [old("Workbook"), strings.oldWorkbook], [old([..."EncryptedPackage "].join("\0")), strings.lockedWorkbook],
    [zip("xl/workbook.bin", "t.csv"), strings.binaryWorkbook], [zip("mimetype", "content.xml"), strings.openDocument], [zip("__MACOSX/t.csv", "a/.DS_Store"), strings.empty],
    [within(3), strings.deep], [zip("t.csv", "u.csv"), strings.members(["t.csv", "u.csv"])], [zip("t.csv").subarray(0, -30), strings.notZip], [locked, strings.encryptedMember("t.csv")], [workbook(""), strings.noSheets],
  ];
  for (const [file, says] of refused) await assert.rejects(textOf(file), { name: "Fault", message: says });
  const whole: readonly (readonly [file: Uint8Array, text: string])[] = [[within(2), "t.csv\n"], [zip("mimetype", "t.csv"), "t.csv\n"], [zip("readme.csv", "a/t.csv"), "a/t.csv\n"], [zip("README.csv", "b"), "README.csv\n"], [zip("x.bin"), "x.bin\n"], [zipSync({ "x.bin": [bytes("x"), { comment: "of x" }], "t.csv": bytes("t.csv\n") }), "t.csv\n"], [Buffer.concat([bytes("before"), bytes("\n")]), "before\n"]];
  for (const [file, text] of whole) assert.equal(await textOf(file), text);
});

test("a sheet is read cell by cell as it looks, from the row on that has half as many cells as the fullest", async () => {
  const texts = '<si><t>a &amp; b</t></si><si><r><t>ri</t></r><r><t xml:space="preserve">ch </t></r><rPh><t>spoken</t></rPh></si><si><t>_x0041__x000D_</t></si>';
  const rows = [
    '<row r="1"><c t="str"><v>Of  2024</v></c></row>',
    '<row r="3"><c r="C3" t="s"><v>0</v></c><c t="s"><v>1</v></c><c r="F3" t="s"><v>2</v></c><c t="n"><v>3</v></c></row>',
    '<row><c r="c4" t="b"><v>1</v></c><c t="b"><v>true</v></c><c t="b"><v>0</v></c><c t="e"><v>#DIV/0!</v></c><c t="str"><v>_x0042_ \n c</v></c><c t="inlineStr"><is><t><![CDATA[<d>]]>&#101;&#x66;</t></is></c><c t="d"><v>2024-05-31</v></c></row>',
    '<row r="6"><c r="C6"><v>-1.50</v></c><c><v>1e3</v></c><c><v>.5</v></c><c><v>1.234</v></c><c><v>x1</v></c><c><v>1e999</v></c><c><f>1+1</f></c><c><f>2</f><v>2</v></c></row>',
    '<row r="7" hidden="1"><c r="C7"><v>7</v></c><c><v>8</v></c></row><row hidden="true"><c r="C8"/></row><row hidden="0"><c r="C9"><v>10</v></c></row>',
  ];
  const lines = ["", "", "a & b,rich ,,A ,3,,,", 'true,true,false,"#N/A",B   c,<d>ef,2024-05-31,', "", "-1.5,1000,0.5,1.2340,x1,1e999,,2"];
  const told = (read: string, ...answers: readonly boolean[]): unknown[] => [strings.titles(1, "Of 2024"), [`1 row of the sheet is hidden, perhaps by a filter; it is ${read}`, 1, ...answers], strings.unsavedFormulas(1)];
  const book = workbook(rows.join(""), texts);
  const all = [...lines, "7,8,,,,,,", "", "10,,,,,,,", ""];
  assert.deepEqual(await sheetOf(book), [all, told("read", true, true, false)]);
  assert.deepEqual(await sheetOf(book, ["hidden"]), [all, told("read", false, true, false)]);
  assert.deepEqual(await sheetOf(book, ["visible"]), [[...lines, "", "", "10,,,,,,,", ""], told("left out", false, false, true)]);
});

test("the formats that no workbook writes out are of dates, times, both, shares or numbers", async () => {
  const ids = Array.from({ length: 60 }, (_, id) => id);
  const styles = `<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${ids.map((id) => `<xf numFmtId="${id}"/>`).join("")}</cellXfs><dxfs><xf numFmtId="9"/></dxfs>`;
  const [[line = ""], told] = await sheetOf(workbook(`<row>${ids.map((s) => `<c s="${s}"><v>1.25</v></c>`).join("")}<c s="60"><v>1.25</v></c></row>`, "", styles));
  assert.deepEqual(told, []);
  const of = (text: string): string => line.split(",").flatMap((cell, id) => (cell === text ? [id] : [])).join();
  assert.deepEqual(["1900-01-01T06:00:00", "30:00:00", "125%"].map(of), ["14,15,16,17,22,27,28,29,30,31,36,50,51,52,53,54,57,58", "18,19,20,21,32,33,34,35,45,46,47,55,56", "9,10"]);
});

test("a workbook beyond what spreadsheets have is damaged", async () => {
  const words = (n: number): string => "x".repeat(n);
  const cell = (text: string): string => `<row r="1"><c t="inlineStr"><is><t>${text}</t></is></c></row>`;
  const books: Record<string, Uint8Array> = {
    column: workbook(at("XFE", 1)),
    "far column": workbook(at("ZZZZZZZZZZZZZZZZZZZZ", 1)),
    row: workbook(at("A", 1_048_577)),
    cell: workbook(cell(words(2 ** 16 + 1))),
    "rich text": workbook(at("A", 1), `<si>${`<r><t>${words(1000)}</t></r>`.repeat(66)}</si>`),
    tag: workbook(`<row r="1" title="${words(2 ** 21)}"/>`),
    "endless tag": workbook(`${at("A", 1)}<${words(2 ** 21)}`),
    text: workbook(words(2 ** 21) + at("A", 1)),
    entity: workbook(cell("&lol;")),
    word: workbook(cell("&constructor;")),
    "document type": workbook('<!DOCTYPE c [<!ENTITY a "1">]>' + at("A", 1)),
    "document type in a cell": workbook(cell("1<!DOCTYPE c>")),
    ampersand: workbook(cell("a & b")),
    tags: workbook(cell("<<<&&&")),
    crossed: workbook('<row r="1"><c r="A1"><v>1</c></v></row>'),
    open: workbook('<row r="1"><c r="A1"><v>1</v></c>'),
  };
  for (const [what, book] of Object.entries(books)) await assert.rejects(textOf(book), { name: "Fault", message: strings.damagedWorkbook }, what);
  assert.equal(await textOf(workbook(cell(words(2 ** 16)) + at("XFD", 2))), `${words(2 ** 16)}${",".repeat(16_383)}\n${",".repeat(16_383)}1\n`);
});

/** A Parquet file of a footer. */
function footed(footer: readonly number[]): Uint8Array {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, footer.length, true);
  return Buffer.concat([bytes("PAR1"), Uint8Array.from(footer), length, bytes("PAR1")]);
}

type Field = readonly [id: number, kind: number, bytes: readonly number[]];

/** A number as Thrift's compact protocol writes it. */
function zigzag(n: number): number[] {
  let left = n < 0 ? -2 * n - 1 : 2 * n;
  const out: number[] = [];
  for (; left > 127; left = Math.floor(left / 128)) out.push(128 + (left % 128));
  return [...out, left];
}

const int = (id: number, n: number): Field => [id, 5, zigzag(n)];
const long = (id: number, n: number): Field => [id, 6, zigzag(n)];
const word = (text: string): number[] => [text.length, ...bytes(text)];
const list = (id: number, kind: number, ...items: readonly (readonly number[])[]): Field => [id, 9, [(items.length << 4) | kind, ...items.flat()]];
const struct = (...fields: readonly Field[]): number[] => [...fields.flatMap(([id, kind, own], i) => [((id - (fields[i - 1]?.[0] ?? 0)) << 4) | kind, ...own]), 0];

/** A footer of a column p; element is of a type, a repetition and the fields from 6 on. */
function footer(rows: number, element: { readonly type: number; readonly optional?: boolean; readonly more?: readonly Field[] }, ...groups: readonly (readonly number[])[]): number[] {
  const { type, optional = false, more = [] } = element;
  const schema = [struct([4, 8, word("r")], int(5, 1)), struct(int(1, type), int(3, Number(optional)), [4, 8, word("p")], ...more)];
  return struct(int(1, 1), list(2, 12, ...schema), long(3, rows), list(4, 12, ...groups));
}

/** A Parquet file of one column, whose values stand in a page as they are. */
function parquetOf(rows: number, values: readonly number[], element: Parameters<typeof footer>[1]): Uint8Array {
  const page = [...struct(int(1, 0), int(2, values.length), int(3, values.length), [5, 12, struct(int(1, rows), int(2, 0), int(3, 3), int(4, 3))]), ...values];
  const chunk = struct(int(1, element.type), list(2, 5, [0]), list(3, 8, word("p")), int(4, 0), long(5, rows), long(6, page.length), long(7, page.length), long(9, 4));
  const group = struct(list(1, 12, struct(long(2, 4), [3, 12, chunk])), long(2, page.length), long(3, rows));
  return Buffer.concat([bytes("PAR1"), Uint8Array.from(page), footed(footer(rows, element, group)).subarray(4)]);
}

const decimal = (scale: number): number[] => footer(0, { type: 1, more: [int(6, 5), int(7, scale), int(8, 9)] });

test("a value is written by what its column says that it is, as older writers have it too", async () => {
  const less = (n: number, size: number): number[] => Array.from({ length: size }, (_, i) => Math.floor(n / 256 ** i) % 256);
  const files: readonly (readonly [text: string, values: readonly number[], type: number, more?: readonly Field[]])[] = [
    ["1970-01-02T00:00:00.000000001", [...less(1, 8), ...less(2_440_589, 4)], 3],
    ["1970-01-02", less(1, 4), 1, [int(6, 6)]],
    ["00:00:01", less(1000, 4), 1, [int(6, 7)]],
    ["00:00:01", less(1_000_000, 8), 2, [int(6, 8)]],
    ["1970-01-01T00:00:01Z", less(1000, 8), 2, [int(6, 9)]],
    ["1970-01-01T00:00:01Z", less(1_000_000, 8), 2, [int(6, 10)]],
    ["-1", less(2 ** 32 - 1, 4), 1],
    ["4294967295", less(2 ** 32 - 1, 4), 1, [int(6, 13)]],
    ["12", less(12, 4), 1, [int(6, 5), int(8, 9)]],
    ["0.12", less(12, 4), 1, [int(6, 5), int(7, 2), int(8, 9)]],
  ];
  for (const [text, values, type, more = []] of files) assert.equal(await textOf(parquetOf(1, values, { type, more })), `p\n${text}\n`, `${type} ${more.join(" ")}`);
  assert.equal(await textOf(parquetOf(2, [2, 0, 0, 0, 4, 0], { type: 1, optional: true })), "p\n\n\n", "a page without a value");
  assert.equal(await textOf(parquetOf(0, [], { type: 1 })), "p\n", "a group without a row");
  const long = [...less(60_000, 4), ...Array<number>(60_000).fill(120)];
  const many = await textOf(parquetOf(20, Array<number[]>(20).fill(long).flat(), { type: 6, more: [int(6, 0)] }));
  assert.ok(many === `p\n${`${"x".repeat(60_000)}\n`.repeat(20)}`, "texts of more than a megabyte");
});

test("a footer that takes more memory than any should, and a decimal of millions of zeros, are damage", async () => {
  const long = "its footer is longer than any should be";
  const files: Record<string, [footer: readonly number[], says: string]> = {
    all: [Array<number>(few.held / 32 + 1).fill(0x11), long],
    values: [[0x15, 2, 0x19, 0xfc, 0x81, 1, ...Array<number>(few.held / 128 + 2).fill(0)], long],
    up: [decimal(2 ** 31 - 1), "a decimal has the scale 2147483647"],
    down: [decimal(-(2 ** 31)), "a decimal has the scale -2147483648"],
    "too far": [decimal(101), "a decimal has the scale 101"],
  };
  for (const [what, [footer, says]] of Object.entries(files)) await assert.rejects(textOf(footed(footer), { most: few }), { name: "Fault", message: strings.damagedParquet(says) }, what);
  assert.equal(await textOf(footed(decimal(100)), { most: few }), "p\n", "a scale of 100");
  const short = Buffer.concat([bytes("PAR1"), Uint8Array.of(1, 0, 0, 0), bytes("PAR1")]);
  await assert.rejects(textOf(short), { message: strings.damagedParquet("its footer is said to be longer than the file") });
});

test("of Parquet files whole and with a flipped bit the same is read, and the same refused, as by the command", async () => {
  const data = (name: string): Buffer => readFileSync(new URL(`../../../core/packed/testdata/${name}`, import.meta.url));
  const some = { most: { text: 2 ** 20, held: 2 ** 18 } };
  for (const told of data("flipped.txt").toString().trim().split("\n\n")) {
    const [name = "", ...lines] = told.split("\n");
    const [file, flips, whole] = [data(`${name}.parquet`), lines.pop(), `${lines.join("\n")}\n`];
    assert.equal(await textOf(file, some), whole, name);
    let ends = "";
    for (let bit = 32; bit < 8 * file.length; bit += 97) {
      const flipped = file.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << bit % 8) : byte));
      ends += await textOf(flipped, some).then(
        (text) => (text === whole ? "=" : String.fromCharCode(97 + (crc32(0, bytes(text)) % 26))),
        (reason: Error) => (reason.name === "Fault" ? "!" : reason.message),
      );
    }
    assert.equal(ends, flips, name);
  }
  const checked = Buffer.from(PARQUET, "base64");
  const page = checked.indexOf(Uint8Array.of(0x1f, 0x8b));
  for (let bit = 0; bit < 8; bit++) await assert.rejects(textOf(checked.map((byte, at) => (at === page + 4 ? byte ^ (1 << bit) : byte))), /was changed since it was written/); // a time, which gzip does not check
});

test("what is looked at before the text comes tells how far it is, and can be stopped", async () => {
  const lines = Array.from({ length: 50_000 }, (_, i) => `${i},${Math.sin(i)}\n`).join("");
  const zip = zipSync({ "t.csv.gz": gzipSync(bytes(lines)) }, { level: 0 });
  assert.equal(await textOf(zip), lines);
  for (const file of [zip, workbook(`<row r="1"><c r="A1" s="1"/></row>`.repeat(50_000))]) {
    const told: number[] = [];
    await textOf(file, { heed: async (loaded) => void told.push(loaded) }).catch(() => undefined);
    assert.ok(told.length > 5 && told.every((loaded, i) => loaded >= (told[i - 1] ?? 0) && loaded <= file.length), `${told}`);
    const stop = new Error("stopped");
    await assert.rejects(textOf(file, { heed: () => Promise.reject(stop) }), stop);
  }
});

/** Written by parquet-go: a column “same” of 1234567890123, by a dictionary. */
const PARQUET = "UEFSMRUEFRAVQhW2qtfbBTwVAhUAAAAfiwgAAAluiAD/AAgA9//LBPtxHwEAAAMAQK3+BAgAAAAVBhUGFQYV2fOvpgZMFYIgFQAVgiAVEBUAFQASAAAAgiAZEgAZGAjLBPtxHwEAABkYCMsE+3EfAQAAFQAZFgAAGRwWcBVCFgAAABUEGSxIA3JvdxUCABUEFYABFQAYBHNhbWUlJEysE0ARAAAAFoIgGRwZHCYAHBUEGSUAEBkYBHNhbWUVBBaCIBZ4FqoBJnAmCBxYCMsE+3EfAQAAGAjLBPtxHwEAAAAZLBUEFQAVAgAVBhUQFQIAABbwARUUFrIBFT4AFngWgiAZDBYIFqoBABkMGCBnaXRodWIuY29tL3BhcnF1ZXQtZ28vcGFycXVldC1nbxkcHAAAALEAAABQQVIx";
