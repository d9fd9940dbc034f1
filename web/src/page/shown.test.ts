// What the figure, the dialogs and the places for files and homework show, as one text:
// testdata/shown.txt, which UPDATE=1 writes anew.
import { test } from "node:test";

import { element, fresh, lined, noise, same, type Drawn } from "../charts/drawn.test.js";
import "../charts/matrices/all.js";
import type { Described, Matrix, Predicted, Started } from "../engine/protocol.js";
import { note, table } from "../engine/tables.test.js";
import { LOST } from "../engine/workers.test.js";
import "../figure/figure.js";
import * as rest from "../figure/rest.js";
import { gradePart, type Line } from "../homework/compare.js";
import "../homework/homework.js";
import { all } from "../lesson/chapters.js";
import "../lesson/sweep/swept.js";
import { away, line as runLine, read, title } from "../lesson/sweep/sweep.test.js";
import "../lesson/vtec/swept.js";
import "../model/keep.js";
import "../model/opened.js";
import "../share/dialog.js";
import { parse } from "../state/spec.js";
import { readLink } from "../state/view.js";
import { line, training, trial } from "../training/results.test.js";

const { view, parts } = readLink("");
const nothing = (): void => undefined;
const pool = { size: 2, call: () => new Promise(nothing), callOn: () => new Promise(nothing), close: nothing };
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
    "ifm-swept": [{ sweep, view }, { shown: "test" }, { shown: "refused", view: readLink("embed=1").view }],
    "ifm-swept-sky": [{ sweep, view }, { shown: "ahead" }, { failed: LOST }],
  };
}

test("the figure, the dialog that shares, homework, models and sweeps show what they are given", async () => {
  Object.assign(globalThis, { location: { protocol: "https:", origin: "https://lab.example", pathname: "/", href: "https://lab.example/?a=1", search: "", hash: "" } });
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
  same(`${texts.join("\n")}\n`, "web/src/page/testdata/shown.txt");
});
