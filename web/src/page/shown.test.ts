// What the figure, the dialogs and the places for files and homework show, as one text:
// testdata/shown.txt, which UPDATE=1 writes anew.
import { test } from "node:test";

import { element, fresh, lined, noise, same, tells, type Drawn } from "../charts/drawn.test.js";
import "../charts/matrices/all.js";
import type { Described, Matrix, Predicted, Started } from "../engine/protocol.js";
import { column, note, table } from "../engine/tables.test.js";
import { LOST } from "../engine/workers.test.js";
import "../figure/figure.js";
import * as rest from "../figure/rest.js";
import { gradePart, type Line } from "../homework/compare.js";
import "../homework/homework.js";
import { all } from "../lesson/chapters.js";
import "../lesson/diagonal/columns.js";
import "../lesson/followups/element.js";
import "../lesson/section.js";
import "../lesson/sweep/swept.js";
import { away, line as runLine, read, title } from "../lesson/sweep/sweep.test.js";
import "../lesson/vtec/swept.js";
import "../model/keep.js";
import "../model/opened.js";
import "../present/presenter.js";
import "../share/dialog.js";
import "../table/target.js";
import { Page } from "../state/page.js";
import { parse, type Spec } from "../state/spec.js";
import { readLink } from "../state/view.js";
import { line, training, trial } from "../training/results.test.js";

const { view, parts } = readLink("");
const nothing = (): void => undefined;
const never = (): Promise<void> => new Promise(nothing);
const lease = { engine: { call: never }, call: never, start: never, release: nothing };
const pool = { size: 2, call: never, callOn: never, open: never, openSky: never, handle: never, each: never, up: never, spread: () => 1, lease: () => lease, settle: nothing, close: nothing };
const matrix = (from: number): Matrix => ({ d: 5, values: Float64Array.from({ length: 25 }, (_, at) => noise(from + Math.min(at % 5, Math.floor(at / 5)) * 5 + Math.max(at % 5, Math.floor(at / 5))) - 0.5), eigenvalues: Float64Array.of(2, 0.5, 0, -0.4, -1.9), names: ["a", "b", "c", "d", "e"], rank: 2, lambda: 1, iteration: 3 });
const curve = { iteration: [0, 5, 10], error: [2, 1, 0.6], low: [1.8, 0.9, 0.5], high: [2.2, 1.2, 0.7] };
const started = { trial: 0, model: "ifm", mean: 2, ridge: 2, notes: [], target: "y", features: [] } as unknown as Started;
const run = training({ lines: [line("fm", 1.2, { ...curve, error: [2, 1.5, 1.2] }), line("ifm", 0.6, curve)], trials: [trial({ mean: 2, ridge: 2, fm: 1.2, ifm: 0.6 })], started, truth: matrix(0), matrices: new Map([["fm", matrix(3)], ["ifm", matrix(1)]]) });
const spec = (query: string): object => ({ spec: parse(query).spec });

const described = { model: "ifm", rank: 2, target: "y", quantity: "y", levels: [], level: 0.9, measure: "rmse", fitted: "training rows", classes: null, columns: Array.from({ length: 14 }, (_, i) => `c${i}`), features: ["a", "b"], interaction: matrix(2), bytes: 2048, separator: "comma", header: true, places: false, decimal: [], missingAs: [], present: [], dates: [] } satisfies Described;
const predicted: Predicted = { line: Int32Array.of(2, 5, 9), predicted: Float64Array.of(1.5, Number.NaN, 3), probabilities: new Float64Array(), actual: Float64Array.of(1, 2, Number.NaN), error: 0.5, low: Float64Array.of(1, 2, 3), high: Float64Array.of(2, 3, 4), far: Int32Array.of(0, 0, 1), compared: 2, covered: 1, rows: 3, notes: [note("", { topic: "missing", columns: ["a"], cells: 2 }), note("", { topic: "unseen", columns: ["b"], cells: 1 })], skipped: [{ file: "b.csv", line: 3, column: 1, message: "no number", field: "a", found: "x" }], skippedCount: 3 };
const many = { ...predicted, probabilities: Float64Array.of(0.2, 0.7, 0.1, 0.3, 0.3, 0.4, 0.1, 0.1, 0.8), low: new Float64Array(), high: new Float64Array(), compared: 0 };
const model = (more: object = {}) => ({ name: "m.json", bytes: new Uint8Array(3), is: { ...described, ...more } });
const done = (of: object, by: object = {}) => ({ opened: {}, table: { ...table(), name: "b.csv" }, predicted: of, of: model(by) });
const file = { name: "m.json", bytes: new Uint8Array(3) };
const everyRow = (state: string, more: object = {}) => ({ everyRow: { state, seconds: 3, answers: new Map([[0, { model: "fm", step: 2, steps: 5, file, done: true }]]), error: null, ...more } });

const part = { chapter: "psd", own: "", guess: "same", then: "stuck", ran: true, answer: "stuck", numbers: [["fm", 1]], runs: [{ query: "d=3", cell: 0, digest: "a" }], words: "why" } as const;
const found = { answer: "stuck", numbers: part.numbers, runs: part.runs };
const curves = { fm: [2, 1, 0.02], ifm: [1, 0.003, Number.NaN] };
const graded = (student: string, change: object, remarks: readonly string[] = []): Line => ({ file: `${student}.json`, who: "", handIn: student ? { version: "1", assignment: "", student, parts: [part] } : null, student, parts: student ? [{ ...gradePart({ ...part, ...change }, { found }, ""), curves }] : [], remarks });
const marked = { lines: [graded("Ada", {}), graded("Bob", { answer: "same", then: "" }, ["handed in twice"]), graded("Cy", { guess: "", then: "", ran: false }), graded("", {})], assignment: null };
const homework = { ...parts, psd: "d=12&guess=same&then=stuck", samples: "guess=falls", homework: "title=Week%201&chapters=psd,samples&seed=7&words=0" };

/** Columns of every standing to their squares. */
const taus = [0.1, 0.11, 0.12, 0.31, 0.33, 2, Number.NaN].map((tau, i) => column(`c${i}`, { tau }));
taus.push(column("two", { distinct: 2 }), column("one", { distinct: 1 }), column("level", { kind: "categorical" }), column("rare", { kind: "sparse" }), ...Array.from({ length: 20 }, (_, i) => column(`x${i}`, { tau: 0.005 * i })));

const followup = {
  chapter: "psd", name: "next", title: "What follows", lead: ["One.", "Two."], choice: { key: "how", label: "How", options: { a: "so", b: "otherwise" } },
  settings: ({ seed }: { readonly seed: number }) => ({ seed }), read: (of: unknown) => of, runs: () => 7, jobs: () => [], told: (of: unknown) => [JSON.stringify(of)], cost: (runs: number) => `${runs} runs`, live: () => "live", picture: (of: unknown, waiting: string) => `${JSON.stringify(of)} ${waiting}`,
};
const runner = (phase: string): object => ({ phase, tracks: [], seconds: 12, stop: tells("stop"), begin: tells("begin", Promise.resolve()) });

const state = (query: string, place: string): object => {
  const link = readLink(query);
  return { state: { ...link, place, figureSpec: link.spec, tableSpec: link.spec } };
};
const names = ["course", "element", "vitepress", "docusaurus", "reveal", "jupyter", "quarto", "myst", "hugo", "oembed", "card", "bare", "offline"];

/** Elements, and what they are given one after the other. */
async function shown(): Promise<Readonly<Record<string, readonly object[]>>> {
  const chapters = await all();
  const sweep = await read(title(6), runLine(0, {}), runLine(1, { model: "fm", point: 1, last: { iteration: 4, test: 0.2, w: 0.1, m: 0.3 } }), runLine(2, { point: 1, last: undefined, refused: "singular" }), away(3, { station: 1 }), away(4, { squares: { ridge: 1, ifm: 2 } }), away(5, { day: 1, windows: 0, unusable: 2, reason: "no satellite", differences: 0, zero: undefined, squares: {} }));
  return {
    "ifm-figure": [
      { ...spec("scenario=flipped"), view, training: run, other: run, dark: false, still: false, rest, mapped: true, filed: true },
      { ...spec("d=7&noise=0.13&numbers=equal&trials=3&rho=0.2&features=slider&truth=orthonormal&diagonal=kept&rank=3&solver=algorithm1"), training: { ...run, phase: "running", repeated: true, slow: true }, other: training({ phase: "idle" }), still: true },
      { ...spec("scenario=mixed&models=fm,gfm,ifm"), view: readLink("embed=1&hide=title,switch,curve").view, training: training({ phase: "failed", error: LOST }) },
      { view: readLink("embed=slide&scale=linear").view, training: { ...run, phase: "paused" } }, { view: readLink("embed=1&hide=title,switch,curve,spectrum,verdict,controls,maps").view, lost: true },
    ],
    "ifm-share": [
      ...names.map((name) => ({ ...state("n=50&d=5", "figure"), name, needed: 900, lacks: ["no cards"] })),
      ...names.slice(0, 5).map((name) => ({ ...state("chapter=psd&psd.d=9", "lesson"), piece: "chapter:psd", name, follow: true, below: false, room: "phone", height: 640, said: "Copied", copied: "#sharing-code", needed: 100, theme: "dark" })),
      { ...state("source=table&sample=cars", "table"), piece: "table", shows: ["title"] }, { ...state("source=table&target=y", "table"), piece: "lab", above: 30, name: "offline", busy: true, previewed: true }, { piece: "curve", name: "course", shows: ["controls"] },
    ],
    "ifm-give": [{ pool, chapters, parts }, { parts: homework, student: "Ada" }, { parts: { ...homework, homework: "title=x" }, student: "", says: "broken" }, { student: "Ada L.", made: { text: "{}", link: "https://x/#1" } }, { made: { text: "{}", link: "" } }],
    "ifm-set": [{ chapters, parts, seed: 17 }, { chosen: ["psd", "samples"], heading: "Week 1", parts: homework, names: "Ada\nBob\nAda" }, { each: false, words: false }],
    "ifm-mark": [{ pool, skies: pool, chapters, parts }, { phase: "reading", parts: homework }, { phase: "running", marker: { done: 2, total: 5, left: 90 } }, { marker: { done: 2, total: 5, left: Number.NaN } }, { phase: "done", says: "3 are marked", marked }, { marked: { ...marked, assignment: { chapters: ["samples", "psd"] } } }],
    "ifm-keep": [
      { pool, models: new Map([["fm", file], ["ifm", file]]), order: ["ifm", "fm"], ...everyRow("idle"), whole: true, first: true, model: model() }, { ...everyRow("going"), wanted: true, chosen: "fm" }, { ...everyRow("done"), first: false },
      { ...everyRow("failed", { error: LOST }), failed: LOST }, { whole: false, wanted: false, order: ["ifm"], chosen: null }, { models: new Map() },
    ],
    "ifm-predict": [
      { pool, model: model() }, { reading: { name: "b.csv", loaded: 2, total: 9 } }, { reading: null, done: done(predicted), failed: { name: "c.csv", error: { ...LOST, line: 3, choice: { key: "sheet", names: ["a", "b"], chosen: "" } }, again: nothing } },
      { failed: null, done: done(many, { classes: ["x", "y", "z"], level: 0 }), saving: true, explanations: { asked: { model: "ifm", line: 5, changes: {} }, answered: null } }, { done: done({ ...many, compared: 2 }, { classes: ["no", "yes"], measure: "log-loss" }) }, { done: done({ ...predicted, compared: 0 }, { levels: ["no", "yes"] }), model: model({ places: true, classes: ["a", "b"] }) },
    ],
    "ifm-forms": [{ pool, bytes: new Uint8Array(1) }, { lacks: ["weights"], failed: LOST }],
    "ifm-model": [{ pool, model: model(), dark: true }, { model: model({ classes: ["x", "y", "z"], fitted: "", rank: 0 }), shown: 1, matrix: matrix(9) }, { model: model({ interaction: null }) }],
    "ifm-lesson": [{ pool, skies: pool, view, parts: homework, table: null, current: "none", open: true }, { current: "vtec", swept: sweep, answered: new Set(["psd"]), lost: new Set(["vtec"]), there: {} }, { current: "samples", view: readLink("path=short").view, there: chapters }, { current: "psd", view: readLink("embed=1").view }],
    "ifm-presenter": [{ chapter: "none", present: "1", chapters: ["psd", "samples"] }, { chapter: "samples", present: "answer", lists: true }, { chapter: "psd", present: "0" }],
    "ifm-columns": [{ table: table(...taus) }, { all: true, framed: true }, { table: null }],
    "ifm-target": [{ label: "Another", names: ["a", "b"], take: tells("take") }, { chosen: "b" }, { chosen: "c" }],
    "ifm-followup": [{ definition: followup, around: { pool, values: { seed: 1, how: "a" }, own: "d=3", change: tells("change") } }, { made: runner("running"), behind: 2, total: 5 }, { made: runner("stopped"), failed: LOST }, { made: runner("done"), failed: null, measured: { settings: { seed: 1 }, rounds: { a: [[1]] } } }, { measured: { settings: { seed: 2 }, rounds: {} } }],
    "ifm-swept": [{ sweep, view }, { shown: "test" }, { shown: "refused", view: readLink("embed=1").view }],
    "ifm-swept-sky": [{ sweep, view }, { shown: "ahead" }, { failed: LOST }],
  };
}

/** What is done on the page, one thing after the other. */
const deeds: Readonly<Record<string, (page: Page) => unknown>> = {
  "as it came": () => "",
  "a setting that does not fit": (page) => page.change({ d: 3, k: 30, seed: 2 } as Partial<Spec>),
  "the same again": (page) => page.change({ seed: 2 }),
  "a view": (page) => page.changeView({ speed: "instant", embed: "0" }),
  "to a chapter": (page) => page.visit("lesson", "samples"),
  "its settings": (page) => page.changePart("samples", "d=9", []),
  "a guess": (page) => page.changePart("samples", "d=9&guess=falls", []),
  "what it does not know": (page) => page.changePart("samples", "d=9", [{ key: "x", found: "1", message: "unknown" }]),
  "the first again": (page) => page.visit("lesson"),
  homework: (page) => page.visit("lesson", "homework"),
  "parts of it": (page) => page.changeParts({ homework: "chapters=psd", psd: "seed=3" }, "push"),
  "to the table": (page) => page.visit("table"),
  "a sample": (page) => page.changeTable(parse("target=y").spec, "cars", "push"),
  "a setting of it": (page) => page.change({ target: "x" }),
  "a link to the figure": (page) => page.show(readLink("d=7&psd.d=3&n=50"), ""),
  "a link to a table": (page) => page.show(readLink("source=table&target=z&sample=signs"), ""),
  "a link to a chapter": (page) => page.show(readLink("chapter=vtec&vtec.days=2&present=run"), "#vtec"),
  "a hand-in": (page) => page.show(readLink("homework=chapters%3Dpsd"), "#handin=abc"),
  "a note": (page) => page.note([{ key: "", found: "", message: "noted" }]),
  "a frame": (page) => [page.changeView({ embed: "1" }), page.changeParts({ psd: "" }, "push")],
  "a frame of a table": (page) => [page.visit("table"), page.leave()],
};

/** The page and its history after each of them, the last of which may not be written. */
function history(query: string): string[] {
  const entries: unknown[] = [];
  const put = (how: string) => (entry: object, _: string, address?: string) => {
    if (entries.length > 40) throw new Error("a sandbox");
    entries.push(how, entry, address ?? "");
    const { pathname, search, hash } = new URL(address ?? location.href, "https://lab.example");
    Object.assign(globalThis.history, { state: entry });
    Object.assign(location, { pathname, search, hash, href: `https://lab.example${pathname}${search}${hash}` });
  };
  Object.assign(globalThis, { scrollY: 70, history: { state: null, pushState: put("push"), replaceState: put("replace") } });
  Object.assign(location, { pathname: "/", search: query, hash: "", href: `https://lab.example/${query}` });
  const page = new Page(tells("changed") as () => void, () => (query === "" ? -1 : 4));
  return Object.entries(deeds).map(([name, act]) => {
    entries.length = Math.min(entries.length, 40);
    const from = entries.length;
    const answer = act(page);
    const { place, chapter, atHomework, notices, query, addressQuery, canUndo, isTableFrame, view } = page;
    return `${name}: ${JSON.stringify([answer, place, chapter, atHomework, notices, query, addressQuery, canUndo, isTableFrame, view.sample, view.present, ...entries.slice(from)])}`;
  });
}

test("the figure, the dialog that shares, homework, models and sweeps show what they are given", async () => {
  class Observer { observe = nothing; disconnect = nothing; }
  Object.assign(globalThis, { ResizeObserver: Observer, MutationObserver: Observer, IntersectionObserver: Observer, location: { protocol: "https:", origin: "https://lab.example", pathname: "/", href: "https://lab.example/?a=1", search: "", hash: "" } as object });
  const known = new Set<string>();
  const texts: string[] = [];
  for (const [tag, given] of Object.entries(await shown())) {
    const own = new (customElements.get(tag) as unknown as new () => Drawn)();
    for (const [at, one] of given.entries()) {
      Object.assign(own, one);
      own.willUpdate?.(new Map(Object.keys(one).map((key) => [key, undefined])));
      Object.assign(own, one);
      texts.push(`${tag} ${at}: ${fresh(lined(element(own), true), known)}`);
    }
  }
  texts.push(...["", "?source=table&sample=cars&d=7", "?chapter=psd&homework=chapters%3Dpsd"].flatMap(history));
  same(`${texts.join("\n")}\n`, "web/src/page/testdata/shown.txt");
});
