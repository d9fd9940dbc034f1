import assert from "node:assert/strict";
import { test } from "node:test";

import { digest, noise, same } from "../charts/drawn.test.js";
import type { Entry, Picture, Sheet } from "../charts/sheet.js";
import type { Charset } from "../engine/protocol.js";
import { read } from "../packed/read.test.js";
import { members } from "../packed/zip.js";
import { csv, type Dialect } from "./csv.js";
import { make } from "./file.js";
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

/** As much of a page's node as what writes pictures asks of it. */
class Part {
  readonly children: Part[] = [];
  readonly childNodes: (Part | string)[] = this.children;
  textContent = "";
  readonly style: Record<string, unknown> = { opacity: "1", getPropertyValue: (name: string) => this.style[name] ?? "", setProperty: () => undefined };
  viewBox = { baseVal: { width: 0, height: 0 } };
  box = { left: 0, top: 0, right: 300, bottom: 200, width: 300, height: 200 };
  classList = { contains: (name: string) => this.values.get("class") === name };

  constructor(readonly localName: string, readonly values = new Map<string, string>(), ...inner: readonly (Part | string)[]) {
    this.append(...inner);
  }

  get attributes(): readonly { readonly name: string; readonly value: string }[] {
    return Array.from(this.values, ([name, value]) => ({ name, value }));
  }

  append(...inner: readonly (Part | string)[]): void {
    for (const part of inner) if (typeof part === "string") this.textContent += part; else this.children.push(part);
  }

  setAttribute = (name: string, value: string): unknown => this.values.set(name, value);
  getAttribute = (name: string): string | undefined => this.values.get(name);
  hasAttribute = (name: string): boolean => this.values.has(name);
  getBoundingClientRect = () => this.box;
  getContext = () => ({ measureText: (text: string) => ({ width: 7.3 * text.length }), fillRect: () => undefined, getImageData: () => ({ data: [9, 8, 7, 255] }), putImageData: () => undefined, drawImage: (...of: number[]) => (this.textContent = of.slice(3).join()) });
  toDataURL = () => "data:a";
  toBlob = (take: (blob: Blob) => void) => take(new Blob([`png ${this.textContent}`]));
  remove = () => undefined;
  querySelector = () => this.children.find((child) => child.values.get("class") !== "seen-not") ?? null;
  querySelectorAll = () => this.children;
  toString = (): string => `<${this.localName}${Array.from(this.values, ([name, value]) => ` ${name}=${value}`).join("")}>${this.textContent}${this.children.join("")}`;
}

const part = (name: string, of: Readonly<Record<string, string | number>> = {}, style: object = {}, ...inner: readonly (Part | string)[]): Part => {
  const made = new Part(name, new Map(Object.entries(of).map(([key, value]) => [key, String(value)])), ...inner);
  Object.assign(made.style, style);
  return made;
};

class Table extends Part {}

const painted = { fill: "rgba(10, 20, 30, 0.5)", stroke: "rgb(1, 2, 3)", "stroke-width": "2px", "stroke-dasharray": "3px, 4px", "font-family": '"Source Sans 3"', "fill-opacity": "0.5" };
const plot = (): Part => part("svg", {}, painted,
  part("g", { transform: "translate(1.23456,2)", class: "a" }, painted, part("path", { d: "M0.123456 1", onclick: "x" }, { ...painted, stroke: "none" }), part("path", { d: "M3 1" }, { ...painted, opacity: "0.3" })),
  part("clipPath", { id: "clip-1" }, { display: "none" }, part("rect", { width: 9 })), part("clipPath", { id: "a b" }), part("line", { "data-cursor": "", x1: 1 }), part("script", {}), part("rect", { x: 1 }, { display: "none" }), part("rect", { x: 2 }, { visibility: "hidden" }),
  part("circle", { r: 3, "clip-path": "url(#clip-1)" }, { fill: "color(srgb 1 0 0)", stroke: "rgb(0, 0, 0, 0)" }), part("circle", { r: 4, "clip-path": "url(http://x)" }, { fill: "transparent" }),
  part("text", { x: 5 }, { "font-weight": "600" }, "a <b>\u0001\ufffe 😀"), part("text", {}, {}, part("tspan", { dy: 3 }, {}, "below")));
const scaled = Object.assign(plot(), { viewBox: { baseVal: { width: 150, height: 50 } } });
const heat = (d: number, names: readonly string[]) => ({ title: "iFM", note: "rank 2, of a run that is rather long to be told of", values: { d, names, values: Float64Array.from({ length: d * d }, (_, i) => noise(i)) }, pixels: Uint32Array.from({ length: d * d }, (_, i) => 0xff000000 + 0x010305 * (i % 7)) });
const maps = (d: number, names: readonly string[]) => ({ maps: [heat(d, names), { ...heat(d, names), title: "Truth", note: "" }], most: 2.345, ramp: Uint32Array.from({ length: 511 }, (_, i) => 0xff000000 + 0x010203 * i) });
const cells = [["", "start"], ["a long name of a row", "left"], ["12.5", "right"], ["7", "center"]].map(([text = "", textAlign], i) => {
  const style = { textAlign, backgroundColor: i < 2 ? "transparent" : "rgb(200, 210, 220)", fontSize: "14px", fontWeight: "400", color: "rgb(5, 6, 7)", paddingLeft: "6px", paddingRight: "5px", textDecorationLine: i === 2 ? "underline" : "none" };
  const inner = [part("span", { class: "seen-not" }), Object.assign(part("b", {}, { ...style, fontWeight: "600" }), { textContent: text })];
  return Object.assign(part("td", {}, style, ...inner), { box: { left: 10 + 60 * (i % 2), top: 20 + 30 * (i >> 1), right: 70 + 60 * (i % 2), bottom: 50 + 30 * (i >> 1), width: 60, height: 30 } });
});
const symbols = ["circle", "ring", "square", "diamond", "triangle", ""] as const;
const legend = symbols.map((symbol, i): Entry => ({ name: `line ${i}${" of a model".repeat(i)}`, colour: "fm", dash: [null, "", "3 4"][i % 3] ?? null, symbol }));

test("files of charts hold their picture with its colours, legend and words, and their numbers", async () => {
  const document = { createElementNS: (_: string, name: string) => part(name), createElement: (name: string) => part(name) };
  class Image { decode = () => Promise.resolve(); }
  class FileReader { onload = (): void => undefined; result = "data:"; readAsDataURL = () => setTimeout(() => this.onload()); }
  class ImageData { data = new Uint8ClampedArray(4 * 61 * 61); }
  Object.assign(globalThis, { document, getComputedStyle: ({ style }: Part) => ({ ...style, color: "rgb(40, 50, 60)", ...(typeof style["color"] === "string" && style["color"].startsWith("rgb") ? style : {}) }), HTMLTableElement: Table, Element: Part, Comment: class {}, XMLSerializer: class { serializeToString = String; }, Image, FileReader, ImageData });
  const pictures: Readonly<Record<string, unknown>> = { plot: plot(), scaled, named: maps(3, ["age", "a name that takes far more room than there is", "y"]), "more than shapes": maps(61, []), unnamed: maps(2, ["x1", "x2"]), abreast: { drawings: [plot(), scaled].map((drawing, i) => ({ title: `FM ${i}`, note: "positive", drawing })) }, table: new Table("table", new Map(), ...cells) };
  const texts = { tex: (how: string, link: string) => `tex ${how} ${link}`, md: (how: string, link: string) => `md ${how} ${link}` };
  const written = [];
  for (const [at, [name, picture]] of Object.entries(pictures).entries()) {
    const sheet: Sheet = { what: name, title: `Test RMSE of y by iteration = ${"wide".repeat(30 * at)}`, described: "words", notes: ["a note"], legend: at === 0 ? legend : [], ramp: at === 1 ? { shades: ["red", "rgb(3, 4, 5)"], low: "low", high: "high" } : undefined, columns: [{ name: "n", values: [1, 2] }], picture: picture as Picture, texts };
    const place = { host: part("ifm-chart") as unknown as Element, says: "seed 1", label: at % 2 ? "simulated" : undefined, link: "https://x/?seed=1", run: undefined };
    const files = await Promise.all((["svg", "png", "csv", "tex", "md"] as const).map((kind) => make(kind, sheet, place, turns())));
    const all = await Promise.all(files.map(async (file) => `${file.type}: ${await file.text()}`));
    written.push(`${name}: ${all.map((text) => (text.length > 20_000 ? digest(text) : text)).join("\n")}`.replaceAll("><", ">\n<"));
  }
  same(`${written.join("\n")}\n`, "web/src/save/testdata/pictures.txt");
  await assert.rejects(make("svg", { picture: null, columns: [] } as unknown as Sheet, {} as never, turns()), RangeError);
});
