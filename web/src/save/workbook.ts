// Data as an Excel workbook (Office Open XML) of one sheet. Its texts are texts: no cell is a formula.
import type { Column } from "../charts/sheet.js";
import { crc32 } from "../packed/zip.js";
import { saving as strings } from "./strings.js";
import type { Turns } from "./turns.js";

const ROWS = 1_048_576; // of a sheet at most, the header included
const COLUMNS = 16_384;
const TEXT = 32_767; // characters of a cell at most

const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const FORMAT = "http://schemas.openxmlformats.org";
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const DAYS = 25_569; // of 1 January 1970, as Excel counts them
const FIRST = 61; // 1 March 1900: Excel knows a 29 February before it

/** The second style of cells is that of dates. */
const STYLES = `${HEAD}<styleSheet xmlns="${FORMAT}/spreadsheetml/2006/main"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/></numFmts><fonts count="1"><font/></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`;

function parts(sheet: readonly string[]): readonly (readonly [path: string, text: readonly string[]])[] {
  const relations = (...targets: readonly (readonly [type: string, target: string])[]): readonly string[] => [`${HEAD}<Relationships xmlns="${FORMAT}/package/2006/relationships">${targets.map(([type, target], i) => `<Relationship Id="r${i + 1}" Type="${FORMAT}/officeDocument/2006/relationships/${type}" Target="${target}"/>`).join("")}</Relationships>`];
  return [
    ["[Content_Types].xml", [`${HEAD}<Types xmlns="${FORMAT}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/sheet.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`]],
    ["_rels/.rels", relations(["officeDocument", "xl/workbook.xml"])],
    ["xl/workbook.xml", [`${HEAD}<workbook xmlns="${FORMAT}/spreadsheetml/2006/main" xmlns:r="${FORMAT}/officeDocument/2006/relationships"><sheets><sheet name="${strings.sheet}" sheetId="1" r:id="r1"/></sheets></workbook>`]],
    ["xl/_rels/workbook.xml.rels", relations(["worksheet", "sheet.xml"], ["styles", "styles.xml"])],
    ["xl/styles.xml", [STYLES]],
    ["xl/sheet.xml", [`${HEAD}<worksheet xmlns="${FORMAT}/spreadsheetml/2006/main">`, ...sheet, "</sheetData></worksheet>"]],
  ];
}

/** NaN, and what a shorter column lacks, are empty cells. */
export async function workbook(columns: readonly Column[], turns: Turns): Promise<Blob> {
  const length = Math.max(0, ...columns.map(({ values }) => values.length));
  if (length >= ROWS || columns.length > COLUMNS) throw new RangeError(strings.tooLarge(ROWS - 1, COLUMNS));
  const letters = columns.map((_, i) => lettersOf(i));
  const line = (row: number, cells: readonly string[]): string => `<row r="${row}">${cells.join("")}</row>`;
  const wide = columns.map(({ days }, i) => (days ? `<col min="${i + 1}" max="${i + 1}" width="11" customWidth="1"/>` : "")).join("");
  const texts: string[] = [];
  let text = `${wide && `<cols>${wide}</cols>`}<sheetData>${line(1, columns.map(({ name }, i) => cell(`${letters[i]}1`, name)))}`;
  for (let row = 0; row < length; row++) {
    text += line(row + 2, columns.map(({ values, days }, i) => dated(`${letters[i]}${row + 2}`, days?.[row]) || cell(`${letters[i]}${row + 2}`, values[row] ?? "")));
    if (!turns.due) continue;
    texts.push(text);
    text = "";
    await turns.pass(row / length);
  }
  return zip(parts([...texts, text]), `${TYPE}.sheet`);
}

/** A, B, …, Z, AA, … */
function lettersOf(column: number): string {
  return `${column < 26 ? "" : lettersOf(Math.floor(column / 26) - 1)}${String.fromCharCode(65 + (column % 26))}`;
}

/** A date that Excel has; "" for none. */
function dated(at: string, day = Number.NaN): string {
  const days = day + DAYS;
  return days >= FIRST ? `<c r="${at}" s="1"><v>${days}</v></c>` : "";
}

function cell(at: string, value: number | string): string {
  if (value === "" || Number.isNaN(value)) return "";
  if (typeof value === "number" && Number.isFinite(value)) return `<c r="${at}"><v>${value}</v></c>`;
  return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escaped(String(value).slice(0, TEXT))}</t></is></c>`;
}

/** A text in XML; Excel writes what XML cannot hold as _x000D_. */
function escaped(text: string): string {
  const hex = (one: string): string => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;
  const safe = text.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, hex("_")).replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, hex);
  return safe.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** A zip archive of these files. */
async function zip(files: readonly (readonly [path: string, text: readonly string[]])[], type: string): Promise<Blob> {
  const content: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let [at, size] = [0, 0];
  for (const [path, text] of files) {
    const bytes = new Uint8Array(await new Blob([...text]).arrayBuffer());
    const packed = await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer();
    const name = new TextEncoder().encode(path);
    const about = [[20, 2], [0x800, 2], [8, 2], [0, 2], [0x21, 2], [crc32(0, bytes), 4], [packed.byteLength, 4], [bytes.length, 4], [name.length, 2], [0, 2]] as const; // deflated on 1 January 1980
    const header = little([0x04034b50, 4], ...about);
    const entry = little([0x02014b50, 4], [20, 2], ...about, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]);
    content.push(header, name, packed);
    directory.push(entry, name);
    at += header.length + name.length + packed.byteLength;
    size += entry.length + name.length;
  }
  return new Blob([...content, ...directory, little([0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [at, 4], [0, 2])], { type });
}

/** Numbers of two or four bytes, the lowest byte first. */
function little(...numbers: readonly (readonly [value: number, bytes: 2 | 4])[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(numbers.flatMap(([value, bytes]) => Array.from({ length: bytes }, (_, i) => value >>> (8 * i))));
}
