// An Excel workbook (Office Open XML): one of its sheets, row by row, as the text
// of a table. core/packed/workbook.go does the same, to the byte.
import { cell, clock, date, numeral } from "./csv.js";
import { Fault, type Choice, type Heed, type Most, type Notice, type Piece, type Unpacked } from "./piece.js";
import type { Source } from "./source.js";
import { packed as strings } from "./strings.js";
import { attributesOf, Xml, type Listener } from "./xml.js";
import { unzipped, type Member } from "./zip.js";

/** Whether an archive is a workbook; those of other kinds than .xlsx are refused. */
export function isWorkbook(all: readonly Member[]): boolean {
  const has = (name: string): boolean => all.some((member) => member.name === name);
  if (has("xl/workbook.bin")) throw new Fault(strings.binaryWorkbook);
  if (has("mimetype") && has("content.xml")) throw new Fault(strings.openDocument);
  return has("[Content_Types].xml") && all.some(({ name }) => /^xl\/[^/]*\.xml$/i.test(name));
}

interface Book {
  readonly sheets: readonly { readonly name: string; readonly hidden: boolean; readonly part: Member }[];
  readonly strings: Member | undefined;
  readonly styles: Member | undefined;
  readonly since1904: boolean;
}

export async function readWorkbook(file: Source, name: string, all: readonly Member[], wanted: string, keep: readonly string[], heed: Heed, most: Most): Promise<Unpacked> {
  const book = await bookOf(file, all, most.held);
  const filled: Book["sheets"][number][] = [];
  for (const sheet of book.sheets) {
    if (await hasCells(file, sheet.part, heed, most.text)) filled.push(sheet);
  }
  const seen = filled.filter(({ hidden }) => !hidden);
  const offered = seen.length > 0 ? seen : filled;
  const names = offered.map((sheet) => sheet.name);
  const sheet = filled.find((one) => one.name === wanted) ?? (wanted === "" && offered.length === 1 ? offered[0] : undefined);
  if (names.length === 0) throw new Fault(strings.noSheets);
  if (!sheet) throw new Fault(wanted === "" ? strings.sheets(names) : strings.noSheet(wanted, names), { key: "sheet", names, chosen: "" });
  const choices: Choice[] = names.length > 1 || wanted !== "" ? [{ key: "sheet", names: names.includes(sheet.name) ? names : [...names, sheet.name], chosen: sheet.name }] : [];
  const notices: Notice[] = [];
  return { name, settings: "charset=utf-8&separator=comma", choices, notices, pieces: lines(file, book, sheet.part, keep, notices, most) };
}

const STEP = 1 << 16; // bytes of XML at a time: a short tag may stand for a long text

async function* heard(file: Source, part: Member, listener: Listener, most: number): AsyncGenerator<number, void, void> {
  const xml = new Xml(listener, strings.damagedWorkbook);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const push = (bytes: Uint8Array, stream: boolean): void => {
    try {
      xml.push(decoder.decode(bytes, { stream }));
    } catch (reason) {
      throw reason instanceof TypeError ? new Fault(strings.damagedWorkbook) : reason; // no UTF-8
    }
  };
  for await (const { bytes, loaded } of unzipped(file, part, most)) {
    for (let at = 0; at < bytes.length; at += STEP) {
      push(bytes.subarray(at, at + STEP), true);
      yield loaded;
    }
  }
  push(new Uint8Array(), false);
  xml.end();
}

async function hear(file: Source, part: Member, most: number, open: Listener["open"], close: Listener["close"] = () => undefined): Promise<void> {
  const reading = heard(file, part, { open, close, text: () => undefined }, most);
  while (!(await reading.next()).done);
}

async function bookOf(file: Source, all: readonly Member[], most: number): Promise<Book> {
  const part = (path: string): Member | undefined => all.find(({ name }) => name.toLowerCase() === path.toLowerCase());
  const needed = (path: string): Member => {
    const found = part(path);
    if (!found) throw new Fault(strings.damagedWorkbook);
    return found;
  };
  let main = "xl/workbook.xml";
  const rels = part("_rels/.rels");
  if (rels) {
    await hear(file, rels, most, (name, text) => {
      const { Type = "", Target = "" } = name === "Relationship" ? attributesOf(text) : {};
      if (Type.endsWith("/officeDocument")) main = resolved("", Target);
    });
  }
  const folder = main.replace(/[^/]*$/, "");
  const targets = new Map<string, { readonly type: string; readonly path: string }>();
  await hear(file, needed(`${folder}_rels/${main.slice(folder.length)}.rels`), most, (name, text) => {
    if (name !== "Relationship") return;
    const { Id = "", Type = "", Target = "" } = attributesOf(text);
    targets.set(Id, { type: Type.replace(/^.*\//, ""), path: resolved(folder, Target) });
  });
  const sheets: Book["sheets"][number][] = [];
  let since1904 = false;
  await hear(file, needed(main), most, (name, text) => {
    if (name === "workbookPr") since1904 = /^(1|true|on)$/.test(attributesOf(text)["date1904"] ?? "");
    if (name !== "sheet") return;
    const { name: title = "", id = "", state = "visible" } = attributesOf(text);
    const target = targets.get(id);
    if (target?.type === "worksheet") sheets.push({ name: title, hidden: state !== "visible", part: needed(target.path) });
  });
  const other = (type: string): Member | undefined => part([...targets.values()].find((target) => target.type === type)?.path ?? "");
  return { sheets, strings: other("sharedStrings"), styles: other("styles"), since1904 };
}

function resolved(folder: string, target: string): string {
  if (target.startsWith("/")) return target.slice(1);
  const path: string[] = [];
  for (const step of `${folder}${target}`.split("/")) {
    if (step === "..") path.pop();
    else if (step !== ".") path.push(step);
  }
  return path.join("/");
}

async function hasCells(file: Source, part: Member, heed: Heed, most: number): Promise<boolean> {
  let found = false;
  let depth = 0; // in a value
  const listener: Listener = {
    open: (name) => void (depth += Number(name === "v" || name === "t")),
    close: (name) => void (depth -= Number(name === "v" || name === "t")),
    text: (text) => void (found ||= depth > 0 && text !== ""),
  };
  for await (const loaded of heard(file, part, listener, most)) {
    if (found) break;
    await heed(loaded);
  }
  return found;
}

const WORDS = 1 << 16; // characters of a cell: twice what Excel takes

/** Listens to cells and shared texts. close also gets the text of what ends, without how it is spoken. */
function listener(open: Listener["open"], close: (name: string, value: string) => void): Listener {
  let value = "";
  let inside = 0; // a value or a text
  let spoken = 0;
  const step = (name: string, by: number): void => {
    if (name === "v" || name === "t") inside += by;
    else if (name === "rPh") spoken += by;
  };
  return {
    open(name, attributes) {
      if (name === "c" || name === "si") value = "";
      step(name, 1);
      open(name, attributes);
    },
    close(name) {
      step(name, -1);
      close(name, value);
    },
    text(text) {
      if (inside === 0 || spoken > 0) return;
      value += text;
      if (value.length > WORDS) throw new Fault(strings.damagedWorkbook);
    },
  };
}

/** A text as it was before characters that XML has not were written _x000D_. */
function unescaped(text: string): string {
  return text.includes("_x") ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))) : text;
}

/** What a number in a cell stands for, and the unit that its format shows: "%", " €". */
interface Form {
  readonly kind: "number" | "date" | "datetime" | "time";
  readonly unit: string;
}

const PLAIN: Form = { kind: "number", unit: "" };

async function formsOf(file: Source, styles: Member | undefined, most: number): Promise<Form[]> {
  const own = new Map<string, string>();
  const forms: Form[] = [];
  let cells = false;
  const open = (name: string, text: string): void => {
    if (name === "numFmt") {
      const { numFmtId = "", formatCode = "" } = attributesOf(text);
      own.set(numFmtId, formatCode);
    } else if (name === "cellXfs") cells = true;
    else if (name === "xf" && cells) {
      const { numFmtId = "" } = attributesOf(text);
      forms.push(formOf(own.get(numFmtId) ?? BUILT_IN.get(numFmtId) ?? ""));
    }
  };
  if (styles) await hear(file, styles, most, open, (name) => void (cells &&= name !== "cellXfs"));
  return forms;
}

/** The formats of dates, times and percentages that no workbook writes out, ECMA-376 18.8.30. */
const BUILT_IN: ReadonlyMap<string, string> = new Map([
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [String(id), "d"] as const),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56].map((id) => [String(id), "h"] as const),
  ["9", "%"],
  ["10", "%"],
  ["22", "d h"],
]);

/** What a format shows: only its first section counts, without what it quotes. */
export function formOf(code: string): Form {
  const plain = code
    .replace(/"[^"]*"|\\.|_.|\*./gs, "")
    .replace(/\[(h+|m+|s+)\]/gi, "$1")
    .replace(/\[[^\]]*\]/g, "")
    .replace(/;.*$/s, "")
    .toLowerCase();
  const number: Form = { kind: "number", unit: unitOf(code.replace(/;.*$/s, ""), plain) };
  if (plain.includes("#")) return number;
  const time = /[hs]/.test(plain);
  if (/[yd]/.test(plain) || (plain.includes("m") && !time)) return { kind: time ? "datetime" : "date", unit: "" };
  return time ? { kind: "time", unit: "" } : number;
}

/** The unit that a section of a format shows with its numbers. plain is the section without quoted text. A format that shows thousands for units shows none. */
function unitOf(section: string, plain: string): string {
  if (plain.includes("%")) return "%";
  if (/[0#?],+([^0#?,]|$)/.test(plain)) return "";
  for (const [, currency = "", text = ""] of section.matchAll(/\[\$([^\]-]+)[^\]]*\]|"([^"]*)"/g)) {
    const unit = (currency + text).trim();
    if (/^([A-Z]{0,2}[$€£¥₹₽₩₺₪₫฿₴]|[A-Za-z°µ²³/]{1,6})$/.test(unit)) return ` ${unit}`;
  }
  const symbol = /[$€£¥]/.exec(plain);
  return symbol ? ` ${symbol[0]}` : "";
}

const DAY = 86_400_000; // ms
const DURATION = 366; // days, at most, of a number that is formatted as a time

/** A number times 100, without rounding. */
function hundredfold(value: number): number {
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  return Number(`${mantissa}e${Number(exponent) + 2}`);
}

export function written(value: number, form: Form, since1904: boolean): string {
  if (form.unit === "%") return `${numeral(hundredfold(value))}%`;
  if (form.kind === "number" || value < 0 || value >= 2_958_466) return numeral(value) + form.unit; // from the year 10000
  let days = Math.floor(value);
  let ms = Math.round((value - days) * DAY);
  if (ms === DAY) [days, ms] = [days + 1, 0];
  if (form.kind === "time") return days > DURATION ? numeral(value) : clock(BigInt(days * DAY + ms), 3); // beyond, an instant of which the format hides the date
  if (!since1904 && (days === 0 || days === 60)) return numeral(value); // no days: 1900 had no 29 February
  const day = date(days - (since1904 ? 24_107 : days < 60 ? 25_568 : 25_569));
  if (day === "") return numeral(value);
  return form.kind === "datetime" || ms > 0 ? `${day}T${clock(BigInt(ms), 3)}` : day;
}

const HEAD = 64; // rows that show how wide the table is, and where it begins

/** The rows of a sheet as lines, each on the line of its number. */
class Lines {
  private text = "";
  private total = 0; // characters
  private head: { readonly row: number; readonly cells: readonly string[] }[] | null = [];
  private first = 0; // column
  private width = 0;
  private line = 1;

  constructor(
    private readonly notices: Notice[],
    private readonly most: number,
  ) {}

  take(): string {
    const { text } = this;
    this.text = "";
    return text;
  }

  add(row: number, cells: readonly string[]): void {
    if (cells.every((text) => text === "")) return;
    if (!this.head) return this.write(row, cells);
    this.head.push({ row, cells });
    if (this.head.length === HEAD) this.begin();
  }

  /** The table begins with the first row that has half as many cells as the fullest. */
  begin(): void {
    const { head } = this;
    if (!head) return;
    this.head = null;
    const filled = ({ cells }: { readonly cells: readonly string[] }): number => cells.filter((text) => text !== "").length;
    const most = Math.max(0, ...head.map(filled));
    const at = most < 2 ? 0 : head.findIndex((row) => filled(row) >= Math.max(2, most / 2));
    const table = head.slice(at);
    if (at > 0) this.notices.push(strings.titles(at, head.slice(0, at).flatMap(({ cells }) => cells.filter((text) => text !== "")).join(" ").replace(/\s+/g, " ").slice(0, 100)));
    this.first = Math.min(...table.map(({ cells }) => cells.findIndex((text) => text !== "")));
    this.width = Math.max(0, ...table.map(({ cells }) => cells.findLastIndex((text) => text !== "") + 1)) - this.first;
    for (const { row, cells } of table) this.write(row, cells);
  }

  private write(row: number, cells: readonly string[]): void {
    const before = this.text.length;
    if (row > this.line) this.text += "\n".repeat(row - this.line);
    this.line = Math.max(row, this.line) + 1;
    const width = Math.max(this.width, cells.findLastIndex((text) => text !== "") + 1 - this.first);
    this.text += `${Array.from({ length: width }, (_, i) => cell(cells[this.first + i] ?? "")).join(",")}\n`;
    this.total += this.text.length - before;
    if (this.total > this.most) throw new Fault(strings.large(this.most));
  }
}

/** What a sheet holds without showing it. */
interface Unseen {
  rows: number; // hidden ones with cells
  formulas: number; // cells whose formula was saved without its value
}

function rowsInto(lines: Lines, shared: readonly string[], forms: readonly Form[], since1904: boolean, visible: boolean, unseen: Unseen): Listener {
  let hidden = false;
  let counted = true;
  let formula = false;
  let row = 0;
  let cells: string[] = [];
  let column = 0;
  let type = "";
  let form = PLAIN;
  const textOf = (value: string): string => {
    if (value === "") return "";
    if (type === "s") {
      const text = shared[whole(value.trim())];
      if (text === undefined) throw new Fault(strings.damagedWorkbook);
      return text;
    }
    if (type === "b") return value === "1" || value === "true" ? "true" : "false";
    if (type === "e") return "#N/A"; // whatever kept it from having a value
    if (type !== "n") return unescaped(value);
    const number = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(value.trim()) ? Number(value) : Number.NaN;
    return Number.isFinite(number) ? written(number, form, since1904) : value;
  };
  const open = (name: string, attributes: string): void => {
    if (name === "row") {
      const { r = "", hidden: unshown = "0" } = attributesOf(attributes);
      const number = whole(r);
      row = Number.isNaN(number) ? row + 1 : number;
      hidden = /^(1|true)$/.test(unshown);
      counted = !hidden;
      if (row > LONGEST) throw new Fault(strings.damagedWorkbook);
      [cells, column] = [[], 0];
    } else if (name === "c") {
      const { r = "", s = "", t = "n" } = attributesOf(attributes);
      column = columnOf(r) || column + 1;
      formula = false;
      type = t;
      form = forms[whole(s) || 0] ?? PLAIN;
    } else if (name === "f") formula = true;
  };
  return listener(open, (name, value) => {
    if (name === "row") lines.add(row, cells);
    if (name !== "c") return;
    if (column > WIDEST) throw new Fault(strings.damagedWorkbook);
    if (!counted && value !== "") unseen.rows++;
    counted ||= value !== "";
    if (hidden && visible) return;
    if (formula && value === "") unseen.formulas++;
    while (cells.length < column) cells.push("");
    cells[column - 1] = textOf(value);
  });
}

/** NaN for what is no whole number in decimal digits. */
function whole(text: string): number {
  return /^[-+]?\d+$/.test(text) ? Number(text) : Number.NaN;
}

const WIDEST = 16_384; // columns of a sheet
const LONGEST = 1_048_576; // rows

/** From 1: AB12 is in the 28th column; 0 without an address. */
function columnOf(address: string): number {
  let column = 0;
  for (const c of address) {
    const letter = c.charCodeAt(0) & ~32;
    if (letter < 65 || letter > 90) break;
    column = 26 * column + letter - 64;
  }
  return column;
}

async function* lines(file: Source, book: Book, part: Member, keep: readonly string[], notices: Notice[], most: Most): AsyncGenerator<Piece, void, void> {
  const shared: string[] = [];
  if (book.strings) {
    const texts = listener(() => undefined, (name, value) => void (name === "si" && shared.push(unescaped(value))));
    for await (const loaded of heard(file, book.strings, texts, most.held)) yield { bytes: new Uint8Array(), loaded };
  }
  const written = new Lines(notices, most.text);
  const visible = keep.includes("visible");
  const unseen: Unseen = { rows: 0, formulas: 0 };
  const rows = rowsInto(written, shared, await formsOf(file, book.styles, most.held), book.since1904, visible, unseen);
  const encoder = new TextEncoder();
  for await (const loaded of heard(file, part, rows, most.text)) yield { bytes: encoder.encode(written.take()), loaded };
  written.begin();
  if (unseen.rows > 0) notices.push({
    topic: "file", columns: [], cells: unseen.rows, text: strings.hiddenRows(unseen.rows, visible), ask: !visible && !keep.includes("hidden"),
    answers: [{ label: strings.readHidden, key: "keep", value: "hidden", now: !visible }, { label: strings.leaveHidden, key: "keep", value: "visible", now: visible }],
  });
  if (unseen.formulas > 0) notices.push(strings.unsavedFormulas(unseen.formulas));
  yield { bytes: encoder.encode(written.take()), loaded: file.size };
}
