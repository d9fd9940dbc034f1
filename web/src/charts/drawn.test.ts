// What templates, elements and charts show as text, for the tests that compare all of it with a file.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

import { LitElement } from "lit";

import type { Column } from "./data.js";
import type { Sheet } from "./sheet.js";
import type { ChartSpec } from "./spec.js";
import type { Phrase } from "../text/phrase.js";

Math.random = () => 0.5;
const colours = { color: "rgb(200, 30, 10)", backgroundColor: "rgb(250, 240, 230)", outlineColor: "rgb(10, 60, 220)" };
const made = { style: {}, remove: () => undefined, getContext: () => null };
Object.assign(globalThis, {
  matchMedia: () => ({ matches: false }), document: { baseURI: "http://here/", querySelector: () => null, createElement: () => made }, getComputedStyle: () => colours,
  scrollY: 0, requestAnimationFrame: () => 0, location: { pathname: "/" }, fetch: () => Promise.resolve(new Response("a,y")),
});
Object.assign(LitElement.prototype, { querySelector: () => null, querySelectorAll: () => [], append: () => undefined, matches: () => false, contains: () => true, dataset: {} });

/** What elements told the page around them since this was looked at. */
const told: string[] = [];
const dispatchEvent = ({ type, detail }: CustomEvent): boolean => told.push(`${type} ${JSON.stringify(detail)}`) > 0;
Object.assign(LitElement.prototype, { dispatchEvent });

/** A function that tells of its calls. */
export const tells = (name: string, answer: unknown = undefined) => (...of: readonly unknown[]): unknown => told.push(`${name} ${JSON.stringify(of)}`) && answer;

/** What presses and changes do, by their place in the text, and the element that draws them. */
const acts: (readonly [act: (event: unknown) => unknown, of: Drawn | undefined])[] = [];
const drawing: Drawn[] = [];

let inner = true; // elements within others are drawn, too

const KEYS = ["Enter", "Escape", "ArrowUp", "ArrowRight", "Home", "End", "5", "-", "+", " ", "Delete"];

/** What an element knows, and what pointers that have not left it found. */
const before = new WeakMap<Drawn, object>();

/** What an act tells, and what its element then draws, as a digest. */
function acted([act, of]: (typeof acts)[number], name: string, key = "Enter"): string {
  told.length = 0;
  const box = { left: 10, top: 20, right: 110, bottom: 120, width: 100, height: 100 };
  const target: object = {
    value: "2", checked: true, open: true, dataset: { i: "1", j: "2" }, files: [], getBoundingClientRect: () => box, closest: (selector: string) => (selector.includes("[data") ? target : null),
    select: () => undefined, contains: () => false, matches: () => false, hasPointerCapture: () => false,
  };
  if (of && !before.has(of)) before.set(of, Object.fromEntries([...of.constructor.elementProperties.keys(), ...Object.keys(of)].map((key) => [key, Reflect.get(of, key)])));
  Object.assign(globalThis.document, { elementFromPoint: () => target });
  inner = false;
  try {
    const drawn = of && text(of.render());
    act({ target, currentTarget: target, detail: 0, clientX: 45, clientY: 76, key, button: 0, newState: "open", preventDefault: () => undefined });
    const now = of && text(of.render());
    return [...(told.length > 0 ? [`→ ${told.join(" ").slice(0, 400)} `] : []), ...(drawn !== now ? [`⇒ ${digest(now ?? "")} `] : [])].join("");
  } catch {
    return ""; // what needs a page
  } finally {
    inner = true;
    if (of && !/^pointer(down|move)$/.test(name)) {
      Object.assign(of, before.get(of));
      before.delete(of);
    }
  }
}

/** Numbers without a pattern, between 0 and 1. */
export const noise = (i: number): number => Math.abs((Math.sin(1 + 3.7 * i) * 43.7) % 1);

/** A sentence, its numbers marked. */
export const sentence = (phrase: Phrase): string => phrase.map((piece) => (typeof piece === "string" ? piece : `[${piece.whose} ${piece.text}]`)).join("");

/** What a chart says, and a digest of all that it holds and draws. */
function chartText(spec: ChartSpec<unknown>): string {
  const { title, waiting, content } = spec;
  if (!content) return text([title, waiting]);
  const { cursor } = content;
  const plot = new Proxy({}, { get: (_, name) => (...args: unknown[]) => [name, ...args, written(args)] });
  const cells = (shown: readonly Column[]) => content.rows.map((row) => shown.map(({ cell, values }) => cell?.(values[row] as never, row) ?? ""));
  const room = { width: 500, height: 300, long: (text: string) => 8 * text.length };
  const says = cursor.places.map((place) => cursor.says(place));
  const drawn = [content.columns(), cells(content.columns()), cursor.first, says, cursor.places.map((place) => cursor.stays(place)), [0, 140, 333].map((x) => cursor.at(x, 30, room)), content.margin(room), content.marks(plot as never, room), content.stands?.(room, null), cursor.places.slice(0, 9).map((place) => cursor.mark(place, room)), [true, false].map((touch) => cursor.hint?.(touch)), content.notes, content.note, content.legend, [content.x, content.y].map(({ domain, type }) => [domain, type])];
  if (!inner) return digest(drawn.map(text).join(" "));
  chartElement ??= new (customElements.get("ifm-chart") as unknown as new () => Drawn)();
  const around = [null, cursor.places.at(-1)].map((cursor) => element(Object.assign(chartElement as Drawn, { spec, room, cursor })));
  return text([title, content.summary(), says[cursor.first], digest([...drawn.map(text), ...around.map((all) => lined(all, true))].join(" "))]);
}
let chartElement: Drawn | undefined; // the element of all charts

/** What the functions among a mark's options make of its data, or of its ticks. */
function written([first, options = first]: readonly unknown[]): unknown {
  const { ticks = [1] } = Object(options) as { readonly ticks?: unknown };
  const data = Array.isArray(first) ? first : [ticks].flat();
  return Object.values(Object(options) as object).map((option: unknown) => (typeof option === "function" ? data.map((...of) => (option as (...of: unknown[]) => unknown)(...of)) : ""));
}

export function digest(all: string): string {
  return createHash("sha256").update(all.replaceAll(/⟦\d+⟧/g, "")).digest("hex").slice(0, 12);
}

/** A long text by its beginning and its digest. */
function brief(all: string, most = 200): string {
  return all.length < most ? all : `${all.slice(0, 60)}… ${digest(all)}`;
}

/** A template or plain data as text. */
export function text(of: unknown): string {
  if (typeof of === "number") return String(Number(of.toPrecision(3)));
  if (typeof of !== "object" || of === null) return typeof of === "string" || typeof of === "boolean" ? brief(String(of), 800) : "";
  if (of instanceof Uint32Array) return text(new Uint8Array(of.buffer)); // colours
  if (ArrayBuffer.isView(of)) return text(Array.from(of as Float64Array));
  if (Array.isArray(of)) {
    const all = of.map(text).filter((part) => part !== "").join(" ");
    return brief(all, of.every((each) => typeof each === "number" || Array.isArray(each)) ? 200 : 3000);
  }
  if ("content" in of && "waiting" in of) return chartText(of as ChartSpec<unknown>);
  if ("strings" in of && "values" in of) return templateText(of.strings as readonly string[], of.values as unknown[]);
  if ("_$litDirective$" in of) return directive((of as unknown as { values: unknown[] }).values);
  return Object.getPrototypeOf(of) === Object.prototype && !("pool" in of) ? `{${Object.entries(of).map(([key, value]) => `${key}: ${text(value)}`).join(", ")}}` : "";
}

/** What a list is drawn as by the function beside it, or what other directives have. */
function directive([first, ...others]: readonly unknown[]): string {
  const of = others.at(-1);
  if (Array.isArray(first) && typeof of === "function") return first.map((item) => text((of as (item: unknown) => unknown)(item))).join(" ");
  return [first, ...others].map((value) => text(typeof value === "function" ? (value as () => unknown)() : value)).join(" ");
}

export type Drawn = Readonly<{ willUpdate?(changed: ReadonlyMap<string, unknown>): void; render(): unknown; sheet?(): Sheet | null; constructor: { readonly elementProperties: ReadonlyMap<string, unknown> } }>;

/** What is drawn in place of elements that ask engines, by tag. */
export const instead = new Map<string, (own: Drawn, given: ReadonlyMap<string, unknown>) => unknown>();

/** What an element draws. */
export function element(own: Drawn): string {
  drawing.push(own);
  const drawn = text(own.render());
  drawing.pop();
  if (!own.sheet || own === chartElement) return drawn;
  const found = { querySelector: () => found, querySelectorAll: () => [found] };
  Object.assign(own, found);
  const sheet = own.sheet();
  for (const key of Object.keys(found)) Reflect.deleteProperty(own, key);
  return [drawn, ...(sheet ? [`sheet ${digest(text([sheet, Object.values(sheet.texts ?? {}).map((write) => write("how", "https://x/"))]))}`] : [])].join("\n");
}

/** A template, and below it what its elements draw. */
function templateText(strings: readonly string[], values: readonly unknown[]): string {
  let written = "";
  const elements: { readonly tag: string; readonly own: Drawn; readonly given: Map<string, unknown> }[] = [];
  strings.forEach((part, i) => {
    written += part;
    const [, tag = "", before = "", key = ""] = /<(ifm-[a-z-]+)([^<>]*)\s[.?]?([a-zA-Z]+)=$/.exec(written) ?? [];
    const made = customElements.get(tag);
    if (made && tag !== "ifm-chart") {
      if (!before.includes("…")) elements.push({ tag, own: new made() as unknown as Drawn, given: new Map() });
      const { own, given } = elements.at(-1) ?? assert.fail();
      Object.assign(own, { [key]: values[i] });
      given.set(key, values[i]);
      written += "…";
    } else if (/ @[a-z-]+=$/.test(part)) written += `⟦${acts.push([values[i] as (typeof acts)[number][0], drawing.at(-1)]) - 1}⟧`;
    else if (values[i] instanceof LitElement && !part.endsWith("=")) {
      const own = values[i] as unknown as Drawn;
      own.willUpdate?.(new Map([["own", ""]]));
      written += element(own);
    } else written += text(values[i]);
  });
  const drawn = elements.map(({ tag, own, given }) => {
    const other = instead.get(tag);
    if (!inner) return "";
    if (other) return text(other(own, given));
    own.willUpdate?.(given);
    return element(own);
  });
  return [written, ...drawn].join("\n");
}

/** The same with lines to read: without formulas and ends of tags; with what presses tell, if they are to be tried. */
export function lined(of: unknown, isTried = false): string {
  const act = (_: string, name: string, at: string): string => (isTried ? (name === "keydown" ? KEYS : ["Enter"]).map((key) => acted(acts[Number(at)] ?? assert.fail(), name, key)).join("") : "");
  const option = (_: string, selected: string, disabled = ""): string => (selected === "true" ? "● " : disabled === "true" ? "× " : "○ ");
  return (typeof of === "string" ? of : text(of))
    .replaceAll(/<option value=.*? \.selected=(true|false)(?: \?disabled=(true|false))?>/g, option)
    .replaceAll(/@([a-z-]+)=⟦(\d+)⟧/g, act)
    .replaceAll(/<math.*?<\/math>|<\/[a-z0-9-]+>/gs, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll("> <", ">\n<")
    .replaceAll(/\d+\.\d{5,}/g, (number) => String(Number(Number(number).toPrecision(4))));
}

/** The lines of a text that no earlier text had, below the digest of the whole. */
export function fresh(all: string, known: Set<string>): string {
  const lines = all.split("\n");
  const own = lines.filter((line) => !known.has(line) && known.add(line));
  return own.length === lines.length ? all : [digest(all), ...own].join("\n");
}

/** Fails unless a file has that text; UPDATE=1 writes it anew. */
export function same(all: string, file: string): void {
  if (process.env["UPDATE"]) writeFileSync(file, all);
  assert.equal(all, readFileSync(file, "utf8"));
}
