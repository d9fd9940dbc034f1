// @ts-check
/** Files that hold their tables packed, made for tests. */
import { brotliCompressSync } from "node:zlib";

import { parquetWriteBuffer } from "hyparquet-writer";

import { strToU8, zipSync } from "../node_modules/fflate/esm/index.mjs";

/** @typedef {string | number | boolean | null | { readonly date: number } | { readonly percent: number }} Cell a date is days since 1900, as Excel counts them */

/** A workbook as Excel writes one: shared strings, styles, rows and cells with their places. @param {Readonly<Record<string, readonly (readonly Cell[])[]>>} sheets @param {(row: number) => boolean} [hidden] of row 0 and so on */
export function workbook(sheets, hidden = () => false) {
  const names = Object.keys(sheets);
  /** @type {string[]} */
  const shared = [];
  const escape = (/** @type {string} */ text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const place = (/** @type {number} */ row, /** @type {number} */ column) => `${column >= 26 ? String.fromCharCode(64 + Math.floor(column / 26)) : ""}${String.fromCharCode(65 + (column % 26))}${row + 1}`;
  const cell = (/** @type {Cell} */ value, /** @type {string} */ r) => {
    if (value === null) return "";
    if (typeof value === "number") return `<c r="${r}"><v>${value}</v></c>`;
    if (typeof value === "boolean") return `<c r="${r}" t="b"><v>${Number(value)}</v></c>`;
    if (typeof value === "string") return `<c r="${r}" t="s"><v>${shared.push(value) - 1}</v></c>`;
    return "date" in value ? `<c r="${r}" s="1"><v>${value.date}</v></c>` : `<c r="${r}" s="2"><v>${value.percent}</v></c>`;
  };
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const packages = "http://schemas.openxmlformats.org/package/2006/relationships";
  const xml = (/** @type {string} */ text) => strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n${text}`);
  const parts = Object.fromEntries(
    names.map((name, i) => [
      `xl/worksheets/sheet${i + 1}.xml`,
      xml(`<worksheet xmlns="${main}"><sheetData>${(sheets[name] ?? []).map((row, r) => `<row r="${r + 1}"${hidden(r) ? ` hidden="1"` : ""}>${row.map((value, c) => cell(value, place(r, c))).join("")}</row>`).join("")}</sheetData></worksheet>`),
    ]),
  );
  return zipSync({
    "[Content_Types].xml": xml(`<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`),
    "_rels/.rels": xml(`<Relationships xmlns="${packages}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`),
    "xl/workbook.xml": xml(`<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${names.map((name, i) => `<sheet name="${escape(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join("")}</sheets></workbook>`),
    "xl/_rels/workbook.xml.rels": xml(
      `<Relationships xmlns="${packages}">${names.map((_, i) => `<Relationship Id="rId${i + 1}" Type="${office}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`).join("")}<Relationship Id="rId90" Type="${office}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId91" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    ),
    "xl/styles.xml": xml(`<styleSheet xmlns="${main}"><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/></cellXfs></styleSheet>`),
    "xl/sharedStrings.xml": xml(`<sst xmlns="${main}">${shared.map((text) => `<si><t xml:space="preserve">${escape(text)}</t></si>`).join("")}</sst>`),
    ...parts,
  });
}

/** A table of numbers. */
export const houses = Array.from({ length: 60 }, (_, i) => ({ rooms: 1 + (i % 6), age: (7 * i) % 40, price: 100 + 30 * (i % 6) - ((7 * i) % 40) + (i % 4) }));

const names = /** @type {const} */ (["rooms", "age", "price"]);

/** That table in one file for each script that a worker loads for such: a workbook in an archive of two files, and Parquet that Brotli has packed. @type {Readonly<Record<string, Uint8Array>>} */
export const everyReader = {
  "houses.zip": zipSync({ "houses.xlsx": workbook({ Houses: [names, ...houses.map((house) => names.map((name) => house[name]))] }), "other.csv": strToU8("a,b\n1,2\n") }),
  "houses.parquet": new Uint8Array(parquetWriteBuffer({ columnData: names.map((name) => ({ name, data: Float64Array.from(houses, (house) => house[name]) })), codec: "BROTLI", compressors: { BROTLI: (bytes) => brotliCompressSync(bytes) } })),
};
