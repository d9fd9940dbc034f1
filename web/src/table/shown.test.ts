// All that the place of a table shows of runs that were made up, as one text:
// testdata/shown.txt, which UPDATE=1 writes anew.
import assert from "node:assert/strict";
import { test } from "node:test";

import { html } from "lit";

import type { Explanations, Question } from "../charts/fit/explanations.js";
import "../charts/fit/fit.js";
import { howTested, tested } from "../charts/fit/pairs.js";
import { rowsOf, type Predictor, type Rows } from "../charts/fit/rows.js";
import "../charts/matrices/all.js";
import type { Cell, Classes, ClassMetrics, EngineError, Explained, Explanation, Importance, Input, Intervals, LevelErrors, Matrix, Pairs, Plan, Predictions, Shapes, Started, Table, Trees } from "../engine/protocol.js";
import type { Opened, Pool } from "../engine/pool.js";
import { blank } from "../engine/run.js";
import { column, note, plan, table } from "../engine/tables.test.js";
import { LOST } from "../engine/workers.test.js";
import { empty, type Loaded } from "../file/loaded.js";
import { digest, fresh, instead, lined, noise, same } from "../charts/drawn.test.js";
import { runFile } from "../save/runfile.js";
import { besideCells, predictedColumns } from "../save/rows.js";
import { Turns } from "../save/turns.js";
import { parse } from "../state/spec.js";
import { readLink } from "../state/view.js";
import { plain, type Phrase } from "../text/phrase.js";
import { trial } from "../training/results.test.js";
import { lines, models, type Model, type Series, type Whose } from "../training/series.js";
import { leader } from "../training/standing.js";
import type { Studied } from "../training/study.js";
import { Trainer } from "../training/trainer.js";
import { UNSTUDIED, type Training } from "../training/training.js";
import { recommended } from "./conclusion.js";
import { reported } from "./report.js";
import "./table.js";

Object.assign(globalThis, { navigator: { hardwareConcurrency: 2 }, requestAnimationFrame: () => 0, addEventListener: () => undefined, history: { state: null } });

const names = ["age", "town", "when", "y"];
const cell = (of: string | number): Cell => (typeof of === "number" ? { kind: "value", number: of, level: "" } : { kind: of === "" ? "missing" : "level", number: Number.NaN, level: of });

/** What was read: numbers, levels, dates with a part, a column of row numbers, and what was decided of them. */
const read: Table = { ...table(
  column("age", { notes: [note("9 cells read as numbers", { topic: "code", columns: ["age"], answers: [{ label: "Numbers", key: "numeric", value: "age", now: true }, { label: "Categories", key: "categorical", value: "age", now: false }] })], missing: 4, unreadable: 1 }),
  column("town", { kind: "categorical", reason: "it holds text", mean: Number.NaN, levels: ["Ulm", "Rome"], distinct: 2 }),
  column("when", { kind: "categorical", mean: Number.NaN, parts: ["when (days)"], guess: "ignore", reason: "its parts are used", levels: [] }),
  column("when (days)", { min: 9000, max: 9900, mean: 9500 }),
  column("id", { guess: "ignore", reason: "it counts rows" }),
  column("weight", { min: 0 }),
  column("y", { guess: "target", reason: "it is the last column", alternatives: ["age"] }),
), rows: 200, preview: [["30", "Ulm", "1994-08-23", "8635", "1", "1", "20"]] };
const opened = { file: new File(["a,y"], "it's.csv"), table: read, query: "", copies: new Map() } as unknown as Opened;

/** What a run is made of. Errors are the share of the spread of y that each leaves. */
interface World {
  readonly query?: string;
  readonly rows?: number; // of the test
  readonly classes?: readonly string[];
  readonly off: Partial<Record<Whose, number>>;
  readonly rare?: number; // rows of the second class, or of another number
  readonly change?: (trainer: Record<string, unknown>, series: readonly Series[]) => object; // of the training
  readonly studies?: Partial<Training>;
  readonly plan?: Partial<Plan>;
  readonly loaded?: Partial<Loaded>;
  readonly started?: Partial<Started>;
  readonly rank?: number; // that is chosen
  readonly valid?: Partial<Record<Model, number>>; // times what it reaches on test rows; 1.05 without
  readonly uneven?: readonly Whose[]; // who errs on three rows alone, so that chance may explain it, where all others err on each alike
  readonly open?: "door" | "target";
  readonly look?: object; // what the reader has chosen
  readonly parts?: readonly string[]; // that are shown; all without
}

const table1 = "source=table&ranks=1,2&lambdaf=100,10&lambdaw=10";
const spread = 4;
const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

/** What a world's test rows are, and what each predicts of them. */
function rowsFor({ rows = 40, classes, off, rare = -1, uneven }: World) {
  const k = classes?.length ?? 0;
  const actual = Float64Array.from({ length: rows }, (_, i) => (rare >= 0 ? Number(i < rare) : k > 0 ? Math.floor(k * noise(i)) : 20 + spread * (noise(i) - 0.5) * 3.46));
  const sd = Math.sqrt(mean([...actual].map((y) => (y - mean([...actual])) ** 2)));
  const predicted = (whose: Whose): Float64Array<ArrayBuffer> => {
    const left = off[whose] ?? Number.NaN;
    if (whose === "mean") return actual.map(() => mean([...actual]) * (k > 2 ? 1 / k : 1));
    if (uneven) return actual.map((y, i) => y + left * sd * (i % 2 ? 1 : -1) * (!uneven.includes(whose) ? 1 + (i % 3) * 1e-4 : i % 20 > 0 ? 0 : Math.sqrt(20)));
    return actual.map((y, i) => {
      const chance = noise(99 * left + i);
      if (k === 0) return y + left * spread * 3.46 * (chance - 0.5);
      const own = 1 - left * chance;
      return k > 2 || y === 1 ? own : 1 - own;
    });
  };
  const error = (whose: Whose): number => {
    const all = predicted(whose);
    return k === 0 ? Math.sqrt(mean([...all].map((p, i) => (p - (actual[i] ?? 0)) ** 2))) : -mean([...all].map((p, i) => Math.log(k > 2 || actual[i] === 1 ? p : 1 - p)));
  };
  const probabilities = (whose: Whose): Float64Array<ArrayBuffer> => (k < 3 ? new Float64Array() : Float64Array.from([...predicted(whose)].flatMap((p, i) => Array.from({ length: k }, (_, c) => (c === actual[i] ? p : (1 - p) * (c === ((actual[i] ?? 0) + 1) % k ? 0.7 : 0.3 / (k - 2)))))));
  return { actual, predicted, error, probabilities };
}

/** How well one tells classes. */
function metrics(world: World, classes: readonly string[], whose: Whose, name: ClassMetrics["whose"]): ClassMetrics {
  const { actual, predicted, error } = rowsFor(world);
  const k = classes.length;
  const all = [...predicted(whose)];
  const from = (of: number) => Float64Array.from({ length: 201 }, (_, step) => all.filter((p, i) => actual[i] === of && p >= step / 200).length);
  const right = all.map((p, i) => Number(k > 2 || actual[i] === 1 ? p >= 0.5 : p < 0.5));
  const confusion = new Float64Array(k > 2 ? k * k : 0).map((_, at) => all.filter((_, i) => actual[i] === Math.floor(at / k) && (right[i] ? actual[i] : ((actual[i] ?? 0) + 1) % k) === at % k).length);
  const [low, middle, high] = [0.1, 0.5, 0.9];
  return {
    whose: name, logLoss: error(whose), brier: mean(all.map((p, i) => (k > 2 ? 1 - p : p - (actual[i] ?? 0)) ** 2)), auc: 0.8, accuracy: mean(right), confusion, calibration: { used: name === "model", slope: 0.9, offset: 0.1, rows: 30, plain: error(whose) * 1.1, fitted: error(whose) },
    roc: { falsePositive: Float64Array.of(0, 0.2, 1), truePositive: Float64Array.of(0, 0.7, 1), threshold: Float64Array.of(Number.POSITIVE_INFINITY, 0.5, 0) }, onesFrom: from(1), zerosFrom: from(0),
    reliability: { rows: Int32Array.of(9, 9), mean: Float64Array.of(0.2, 0.8), share: Float64Array.of(low, high), low: Float64Array.of(0, middle), high: Float64Array.of(middle, 1) },
  };
}

/** What a column or a pair is worth. */
const importance: Importance = {
  columns: ["age", "age", "town", "when"], with: ["", "town", "", ""], by: Float64Array.of(1.2, 0.5, 0.04, -0.01), low: Float64Array.of(0.9, 0.1, -0.02, -0.03), high: Float64Array.of(1.5, 0.8, 0.1, Number.POSITIVE_INFINITY),
  pairs: [0, 1, 2].map((at) => ({ rows: [cell(20), cell(40)], columns: [cell("Ulm"), cell("Rome"), cell("Bonn")], effect: Float64Array.of(1, -2, 0.3 + at, 0.01, 0, 5), near: Float64Array.of(3, 4, 0.6, 1, 0.5, 0.4) })),
};
const point = (of: number | string, effect: number, share: number) => ({ ...cell(of), effect, low: effect - 0.3, high: effect + 0.2, share });
const shapes: Shapes = {
  average: true, quantity: "y",
  shapes: [
    { column: "age", source: "age", days: false, points: [point(20, -1, 0.3), point(30, 0.2, Number.NaN), point(40, 1.1, 0.5), point("", 0.4, 0.2)] },
    { column: "town", source: "town", days: false, points: [point("Ulm", 0.5, 0.6), point("Rome", -0.7, 0.4)] },
  ],
};
const pairs: Pairs = { done: true, stage: "pairs", step: 1, steps: 2, namedCount: 1, work: 1, alpha: 0.05, trained: 160, names, out: Int32Array.of(2), pairs: 6, tested: 2, skipped: [{ first: 1, second: 2, why: "depends", products: 1 }], named: [{ first: 0, second: 1, p: 1e-9, share: 0.2, low: 0.1, high: 0.3 }], full: false };
const idle = { state: "idle", seconds: 0, answers: new Map<number, never>(), error: null } as const;
const study = <T>(answer: T, state: Training["trees"]["state"] = "done"): Studied<T> => ({ ...idle, state, seconds: 42, answers: new Map([[0, answer]]) });

function intervals(world: World, model: Model, done = true): Intervals {
  const { actual, predicted } = rowsFor(world);
  const [low, high] = [predicted(model).map((p) => p - 3), predicted(model).map((p) => p + 3)];
  const covered = actual.filter((y, i) => (low[i] ?? 0) <= y && y <= (high[i] ?? 0)).length;
  return { done, stage: "folds", step: 2, steps: 9, model, level: 0.9, folds: 5, rows: 160, low, high, covered, share: covered / actual.length, from: 0.8, to: 0.99, width: 6, file: null };
}

function trees(world: World): Trees {
  const { predicted, error } = rowsFor(world);
  return { grown: 90, most: 1300, done: true, trees: 40, leaves: 15, error: error("trees"), predicted: predicted("trees"), metrics: world.classes ? metrics(world, world.classes, "trees", "trees") : null };
}

/** What a cell of the query has recorded: a search over ridge, two penalties and two ranks. */
function series(world: World, model: Model, at: number, query: string): Series {
  const { classes = null, started, rank = 2 } = world;
  const { actual, predicted, error, probabilities } = rowsFor(world);
  const trial = Math.floor(at / parse(query).spec.models.length);
  const kept = error(model);
  const ranks = [0, 1, 2, 2];
  const lead = ranks.indexOf(rank);
  const curve = ranks.flatMap((_, candidate) => [3, model === "fm" ? 1 : 2, 1].map((step) => kept * (1 + 0.1 * (step - 1) + (candidate === lead ? 0 : 0.2 + 0.1 * candidate + 0.01 * at))));
  const valid = curve.map((v, i) => (world.valid?.[model] ?? 1.05) * v * (model === "ifm" && i % 3 === 2 ? 1.2 : 1)); // rises again, or stays level
  const features = ["age", "town=Ulm", "when (days)"];
  const matrix: Matrix = { d: 3, values: Float64Array.of(0, 2, -1, 2, 0, 0.5, -1, 0.5, 0), eigenvalues: Float64Array.of(2.4, -0.3, -2.1), names: features, rank, lambda: 10, iteration: 2 };
  const own: Predictions = { line: Int32Array.from(actual, (_, i) => 2 + 3 * i), actual, weight: new Float64Array(), predicted: predicted(model), ridge: predicted("ridge"), additive: world.off.additive === undefined ? new Float64Array() : predicted("additive"), error: kept, probabilities: probabilities(model) };
  const found: Classes | null = classes && { names: classes as Classes["names"], counts: Float64Array.from(classes, (_, c) => actual.filter((y) => y === c).length), metrics: [metrics(world, classes, model, "model"), metrics(world, classes, "ridge", "ridge")] };
  return {
    ...blank({ query, cell: at }), starts: ranks.map((_, i) => 3 * i), rank: ranks, lambda: [5, 100, 100, 10], weights: [10, 10, 10, 10], hats: [false, false, true, true], iteration: ranks.flatMap(() => [0, 5, 10]), valid, test: curve, lead, done: true, final: kept * (1 + trial / 50),
    additive: world.off.additive === undefined ? Number.NaN : error("additive"), stop: "it converged",
    started: { run: 1, model, trial, point: 0, candidates: 4, measure: classes ? "log-loss" : "rmse", classes: classes as Started["classes"], mean: error("mean"), ridge: error("ridge") * (1 + trial / 9), ridgeLambda: 1, target: "y", quantity: classes ? `log-odds of y = ${classes[1]}` : "y", features, notes: [note("2 rows have no y")], ...started },
    interaction: trial === 0 ? matrix : null, predictions: trial === 0 ? own : null, classes: trial === 0 ? found : null, importance: trial === 0 ? importance : null,
    model: trial === 0 ? { name: `${model}.json`, bytes: new TextEncoder().encode(JSON.stringify({ target: { mean: mean([...actual]) }, features: features.map(() => ({ scale: 1 })) })) } : null,
    quadratic: world.off.quadratic === undefined || at % 2 > 0 ? null : { error: error("quadratic"), lambda: 1, columns: 9, predicted: predicted("quadratic") },
  };
}

const pool = { size: 2, stale: () => false, settle: () => undefined, call: () => new Promise(() => undefined), callOn: () => new Promise(() => undefined) } as unknown as Pool;

/** What a world's run shows of itself. */
function trained(world: World): Training {
  const query = world.query ?? `${table1}&models=${models.filter((model) => model in world.off).join()}`;
  const { change, studies = {} } = world;
  const { spec } = parse(query);
  const cells = Array.from({ length: spec.models.length * spec.trials }, (_, at) => series(world, spec.models[at % spec.models.length] ?? "ifm", at, query));
  const known = { ...UNSTUDIED, ...(world.off.trees !== undefined && { trees: study(trees(world)) }), ...studies };
  const trainer = new Trainer(pool, "predictions", () => undefined);
  const own = { phase: "done", query, planned: spec.trials, cells, opened, info: { version: "1", body: "simd" }, studies: { snapshot: () => known } };
  Object.assign(trainer, own, change?.(own, cells));
  return trainer.snapshot();
}

instead.set("ifm-fit", (own, given) => {
  own.willUpdate?.(given);
  const { predictions, trees: { answers }, started } = given.get("training") as Training;
  const grown = answers.get(0)?.metrics ? answers.get(0)?.predicted : null;
  const measure = (before: ReadonlyMap<Predictor, Rows>) => rowsOf(predictions, before, grown, (started?.classes?.length ?? 0) > 2);
  let found = measure(new Map());
  while (!found.whole) found = measure(found.rows);
  Object.assign(own, { rows: found.rows });
  const lead = given.get("lead") as Model;
  const line = found.rows.get(lead)?.line[0] ?? 0;
  const drawn = [line, 0].map((line) => {
    const asked = { model: lead, line, changes: line > 0 ? {} : { age: "44", town: "Bonn", at: "" } };
    const { explanations } = own as unknown as { explanations: Explanations };
    Object.assign(explanations, { asked, answered: { ...asked, found: explained(line, started?.classes ?? null) } });
    return own.render();
  });
  return html`${drawn[0]} ${drawn[1]}`;
});
/** What each column and each pair adds to a prediction, with changed cells where it is that of the average row. */
function explained(line: number, classes: readonly string[] | null): Explained {
  const sum = (isAfter: boolean): Explanation => ({
    columns: names, cells: isAfter ? ["44", "Rome", "", "2"] : ["40", "Rome", "", "2"], base: 20, average: line > 0, rest: 0.3, restBefore: 0.2, others: line > 0 ? 4 : 0, predicted: 17.25, raw: classes ? 0.7 : isAfter ? 17.25 : 18,
    terms: [{ first: 0, second: -1, value: -4, before: -3 }, { first: 0, second: 1, value: 0.95, before: 0.95 }, { first: 2, second: -1, value: 0.0001, before: 0 }],
    quantity: classes ? `log-odds of y = ${classes[1]}` : "y", class: 1, probabilities: Float64Array.from((classes?.length ?? 0) > 2 ? [0.1, 0.7, 0.2] : []), low: 15, high: 21.5, level: classes ? 0 : 0.9,
  });
  const input = (column: string, more: Partial<Input>): Input => ({ column, kind: "number", before: "40", after: "44", number: 44, least: 20, most: 60, levels: [], point: ".", clock: false, beyond: false, ...more });
  const inputs = [
    input("age", {}), input("income", { before: "1,5", point: ",", least: 0.25, most: 7.75 }), input("town", { kind: "level", before: "Rome", after: "Bonn", levels: ["Ulm", "Rome"], beyond: true }), input("kind", { kind: "level", before: "a", levels: ["a"] }),
    input("when", { kind: "date", before: "1994-08-23", least: 9000 * 86400, most: 9900 * 86400, number: 9e8 }), input("at", { kind: "date", before: "1994-08-23 13:30", least: 9000 * 86400, most: 9900 * 86400, clock: true }), input("far", { beyond: true, before: "" }), input("one", { least: 3, most: 3 }), input("any", { least: Number.NaN, most: Number.NaN }),
    ...Array.from({ length: 4 }, (_, i) => input(`x${i}`, {})),
  ];
  return { inputs: line > 0 && classes ? [] : inputs, before: sum(false), after: sum(true) };
}
instead.set("ifm-reasons", (own, given) => {
  Object.assign(own, { isOpen: (given.get("asked") as Question).line === 0 });
  return own.render();
});
instead.set("ifm-errors-by", (own, given) => {
  const level = { level: "20 to 46", pooled: 0, rows: 12, error: 1.2, low: 0.9, high: 1.5, share: 0.75, from: 0.4, to: 0.9, differs: 0 };
  const levels: readonly LevelErrors[] = [{ ...level, level: "", pooled: -1, rows: 40, differs: 0 }, level, { ...level, level: "46 to 75", error: 3, differs: 1 }, { ...level, level: "", rows: 2, high: Number.POSITIVE_INFINITY }, { ...level, level: "", pooled: 3, differs: -1 }];
  const empty = own.render();
  Object.assign(own, { column: "age", found: { levels } });
  return given.get("whose") === "ridge" ? empty : own.render();
});
instead.set("ifm-importance", (own, given) => {
  Object.assign(own, { shapes });
  const { picture } = own as unknown as { picture(of: Importance, at: number): unknown };
  return given.get("importance") === null ? own.render() : html`${own.render()} ${picture.call(own, importance, 1)} ${picture.call(own, importance, 2)}`;
});

/** The parts of what a world shows, as far as others have not shown them. */
async function shows(name: string, world: World, known: Set<string>): Promise<string> {
  const training = trained(world);
  const { spec } = parse(training.query || "source=table");
  const own = plan(read, { features: 3, train: 128, valid: 32, test: world.rows ?? 40, steps: 900, ...world.plan });
  const loaded: Loaded = { ...empty, table: read, opened, plan: own, planned: spec, ...world.loaded };
  const given = { pool, spec, view: readLink("ghost=1").view, training, table: loaded.table, plan: loaded.plan, loaded, stale: false, dark: false, ...world.look };
  const result = new (customElements.get("ifm-result") as unknown as new () => Record<string, () => unknown>)();
  Object.assign(result, given);
  const { says: how } = result["about"] as unknown as { says: string };
  const lead = leader(training.lines);
  const saved = training.predictions.get(lead?.model ?? "fm");
  const parts: Readonly<Record<string, () => unknown>> = {
    answer: () => result["answer"]?.(),
    predictions: () => result["predictions"]?.(),
    matters: () => result["matters"]?.(),
    columns: () => result["columns"]?.(),
    training: () => result["trained"]?.(),
    take: () => result["taken"]?.(),
    says: () => `${plain(result["says"] as unknown as Phrase)} (${recommended(training)?.whose})`,
    pairs: () => [tested(training.pairs, false, () => undefined), howTested(training.pairs)],
    report: () => lead && training.phase === "done" && reported({ opened: loaded.opened ?? opened, plan: own, training, model: lead.model, verdict: plain(result["says"] as unknown as Phrase), how, chosen: "", seed: 7, link: "https://x/?a=1&b=2" }, { errors: [["FM", "1"]], about: "RMSE of y.", covered: "9 of 10.", digests: ["0af9", ""] }).replace(/^.*<main>/s, ""),
    saved: () => saved && training.phase === "done" && besideCells([2], [{ name: "line", values: [1] }, { name: "class", values: ["x"] }, { name: "class (2)", values: ["x"] }], predictedColumns({ ...saved, ...training.intervals.answers.get(0) }, training.started?.classes ?? null)).map(({ name, values }) => `${name}: ${Array.from(values).slice(0, 3).join(" ")}`),
    place: () => html`<ifm-data .pool=${pool} .spec=${spec} .view=${given.view} .loaded=${loaded} .training=${training} .open=${world.open ?? ""}></ifm-data>`,
  };
  const texts = Object.entries(parts).filter(([part]) => world.parts?.includes(part) ?? !["place", "says", "pairs"].includes(part)).map(([part, of]) => `${name}, ${part}: ${part === "says" ? lined(of()) : fresh(lined(of(), ["answer", "columns", "place", "training", "matters"].includes(part)), known)}\n`);
  const file = await (await runFile(training, how, "link", new Turns(new AbortController().signal, () => undefined))).text();
  assert.ok(!file.includes("<"), "it is harmless within a page");
  return `${texts.join("")}${name}, run: ${name === "numbers" ? file : digest(file)}\n`;
}

const off = { mean: 1, ridge: 0.7, additive: 0.65, quadratic: 0.6, trees: 0.5, fm: 0.45, ifm: 0.3 };
const two = { off: { mean: 1, ridge: 0.8, additive: 0.75, quadratic: 0.72, trees: 0.7, fm: 0.5, ifm: 0.6 }, classes: ["no", "yes"] };
const three = { off: { mean: 1, ridge: 0.9, trees: 0.7, fm: 0.8, ifm: 0.6 }, classes: ["low", "mid", "high"] };
const failure: EngineError = { ...LOST, kind: "TargetError", message: "The target has no two different values. Choose another.", field: "age" };
const leak = [note("age is almost y", { topic: "leak", columns: ["age"] }), note("2 rows are left out by the rule age > 30", { topic: "split", cells: 2 }), note("3 rows lie far beyond the training rows", { topic: "beyond", columns: ["age"] })];
const split = [note("rows of one town are alike", { topic: "group", columns: ["town"] }), note("when has dates", { topic: "time", columns: ["when"] })];
const long = Array.from({ length: 7 }, (_, i) => note(`${i}`.repeat(150 + (i % 2)), { topic: i < 6 ? "split" : "code", cells: 1 }));
const asked = note("1,234 may be a thousand or a fraction", { topic: "marks", columns: ["age"], ask: true, answers: [{ label: "A thousand", key: "numeric", value: "age", now: false }, { label: "A fraction", key: "categorical", value: "age", now: true }] });
const asks: Table = { ...read, asks: 1, columns: read.columns.map((one, i) => (i === 0 ? { ...one, notes: [asked] } : one)), badCount: 2, bad: [{ message: "one cell too few", file: "t.csv", line: 7, column: 0, field: "", found: "" }], notes: [note("The file has no names")] };

const worlds: Readonly<Record<string, World>> = {
  numbers: { off, studies: { intervals: study(intervals({ off }, "ifm")), pairs: study(pairs), everyRow: study({ done: true, model: "ifm", step: 1, steps: 1, file: null }) } },
  "two classes": { ...two, plan: { suggested: split } },
  "three classes": { ...three, studies: { shownClass: 1, pairs: { ...idle, state: "failed", error: failure } } },
  "ten splits": { off, studies: { splits: { ...idle, state: "done", answers: new Map(Array.from({ length: 9 }, (_, i) => [i, trial({ mean: 3.3, ridge: 2.4 + i / 50, additive: i % 2 ? 2.2 : Number.NaN, quadratic: 2, trees: 1.9, fm: 1.8, ifm: 1.3 + i / 40 })])) } } },
  "three trials": { query: `${table1}&trials=3&folds=3`, off, plan: { folds: 3, notes: leak }, studies: { splits: { ...idle, state: "offered", seconds: 70, answers: new Map() }, intervals: study(intervals({ off }, "fm", false), "going") } },
  "split by time": { query: `${table1}&split=time&by=when`, off, plan: { split: "time", by: "when" }, change: ({ cells }) => ({ ghost: { query: table1, lines: lines(cells as readonly Series[], 1), target: "y", measure: "rmse", opened } }), studies: { intervals: study(intervals({ off }, "ifm"), "offered"), trees: { ...idle, state: "offered", seconds: 50, answers: new Map() } } },
  "tried again": { off, change: (_, [fm, ifm]) => ({ cells: [{ ...fm, rank: [0, 2, 2, 2], lambda: [5, 100, 100, 100], hats: [false, true, true, true] }, { ...ifm, test: ifm?.test.map((v, i) => (i === 7 ? Number.NaN : v)) }] }), parts: ["training", "answer"] },
  "no validation rows": { off, change: (_, [fm, ifm]) => ({ cells: [{ ...fm, valid: fm?.valid.map(() => Number.NaN), final: Number.NaN }, { ...ifm, valid: ifm?.valid.map(() => Number.NaN), iteration: [] }] }), parts: ["training", "answer"] },
  "two trials, one of them going": { query: `${table1}&trials=2`, off, change: (_, all) => ({ phase: "running", cells: all.map((one, i) => ({ ...one, done: i < 2, final: Number.NaN, test: i < 2 ? one.test : one.test.map((v) => 1.3 * v), starts: i < 2 ? one.starts : [0, 3, 6, 8] })) }), parts: ["training", "answer"] },
  running: { query: table1, off, change: (_, [fm, ifm]) => ({ phase: "running", cells: [{ ...fm, done: true }, { ...ifm, done: false, starts: [0, 3], predictions: null, model: null }] }), studies: { trees: idle } },
  stopped: { query: table1, off, change: (_, [fm, ifm]) => ({ phase: "stopped", cells: [{ ...fm, done: false, starts: [0, 3], model: null }, { ...ifm, started: null }] }), studies: { trees: study({ ...trees({ off }), done: false }, "stopped"), pairs: study({ ...pairs, done: false }, "stopped") } },
  "stopped early": { off, parts: ["answer"], change: () => ({ phase: "stopped", cells: [] }) },
  folds: { query: `${table1}&folds=3`, off, change: ({ cells }) => ({ phase: "running", cells: [], folds: (cells as readonly Series[]).flatMap((one, cell) => [1, 1.4, 0.7].slice(cell).map((factor, fold) => ({ ...one, job: { ...one.job, cell }, valid: one.valid.map((v, i) => (fold === 1 && i === 4 ? Number.NaN : v * factor * (1 + (i % 3) * 0.1 * (fold - 1)))), starts: fold === 2 ? [0, 1, 2, 4] : one.starts, done: fold < 2 || cell === 0 }))) }), parts: ["answer", "training"] },
  failed: { off, change: () => ({ phase: "failed", cells: [], error: failure }) },
  "few rows": { off, rows: 5, parts: ["answer", "predictions"] },
  "two rows": { off, rows: 2, parts: ["answer"] },
  "few of a class": { ...two, rare: 3, parts: ["answer"] },
  "none of a class": { ...two, rare: 0, parts: ["answer"] },
  "a rare number": { off, rare: 1, parts: ["answer"] },
  "an exact line": { off: { ...off, ridge: 0.004, fm: 0.006, ifm: 0.005 }, parts: ["answer", "take"] },
  "no signal": { off: { mean: 1, ridge: 1.5, fm: 1.4, ifm: 1.6 }, parts: ["answer", "take"] },
  "trees alone": { off: { mean: 1, ridge: 1.5, trees: 0.5, fm: 1.4, ifm: 1.6 }, parts: ["answer", "take", "report"] },
  "trees best": { off: { ...off, trees: 0.1 }, parts: ["answer", "take"] },
  level: { off: { mean: 1, ridge: 0.9, quadratic: 0.55, fm: 0.52, ifm: 0.501 }, parts: ["answer"] },
  "one row": { off, rows: 1, parts: ["answer", "predictions"] },
  "linear is best": { off: { mean: 1, ridge: 0.3, fm: 0.5, ifm: 0.6 }, parts: ["answer", "take"] },
  "factors did not pay": { off: { ...off, ridge: 0.31 }, rank: 0, parts: ["answer", "training", "take"] },
  "a logarithm": { off, started: { quantity: "log(y)" }, parts: ["answer", "predictions", "training"] },
  "a logarithm pays": { off, studies: { logged: { quantity: "log(y)", plain: 2, log: 1.5, by: 0.25, pays: true } }, plan: { codes: 4 }, parts: ["answer"] },
  codes: { off, plan: { codes: 4, suggested: [] }, parts: ["answer", "columns"], change: () => ({ info: { version: "1", body: "go" } }) },
  "one model failed": { off, change: (_, [fm, ifm]) => ({ cells: [fm, { ...ifm, error: failure }], error: failure }), parts: ["answer"] },
  "stopped by a failure": { off, change: () => ({ phase: "stopped", error: failure }), parts: ["answer"] },
  suggested: { off, plan: { suggested: split.slice(1) }, parts: ["answer"], look: { chosen: "ridge" } },
  "a leak": { off, plan: { notes: leak, hasTests: true }, parts: ["answer", "columns", "report", "training"] },
  changed: { off, look: { stale: true }, parts: ["answer", "columns"] },
  "changed to what fails": { off, look: { stale: true }, loaded: { plan: null, planError: failure }, parts: ["answer", "columns"] },
  waiting: { off, change: () => ({ phase: "idle", query: "", cells: [] }), loaded: { table: asks, guess: { target: "y", sure: false } }, parts: ["place", "columns"] },
  guessed: { off, change: () => ({ phase: "idle", query: "", cells: [] }), loaded: { guess: { target: "y", sure: false } }, plan: { steps: 9e5, train: 90000 }, parts: ["place"] },
  ready: { off, change: () => ({ phase: "idle", query: "", cells: [] }), plan: { droppedCount: 1, dropped: [{ ...asks.bad[0] as Plan["dropped"][number] }] }, parts: ["place", "columns"] },
  "another target": { off, open: "target", parts: ["place"] },
  "another file": { off, open: "door", loaded: { opened: { ...opened, second: { file: new File([], "b.csv"), as: "tests" } } as unknown as Opened, note: "b.csv was read." }, parts: ["place"] },
  "roles of the reader’s own": { query: "source=table&target=y&weight=weight&ignore=age&categorical=id,when&numeric=town,when%20(days)", off, parts: ["columns"] },
  "a dated target": { query: "source=table&target=when&split=group&by=town&categorical=town&rows=age:%3E:30;town:!=:;a%5C%5C;b~0", off, plan: { split: "group", by: "town", notes: [...leak, note("4 rows are left out by the rule town is not mi…", { topic: "split", cells: 4 })], roles: ["feature", "feature", "target", "feature", "ignore", "feature", "feature"] }, parts: ["columns"] },
  wide: { off, loaded: { table: table(...Array.from({ length: 60 }, (_, i) => column(i === 7 ? "weight" : `x${i}`, { distinctExact: i % 2 > 0, kind: i === 5 ? "sparse" : "numeric", missing: i })), column("y", { guess: "target" })), plan: null, planned: null }, parts: ["columns"] },
  "rows of two files": { off, loaded: { table: asks, opened: { ...opened, table: asks, second: { file: new File([], "b.csv"), as: "tests" } } as unknown as Opened }, plan: { hasTests: true, notes: [...leak, ...long], droppedCount: 2, dropped: [asks.bad[0] as Plan["dropped"][number]] }, parts: ["report", "columns"] },
  "rows below others": { off, loaded: { opened: { ...opened, second: { file: new File([], "b.csv"), as: "below" } } as unknown as Opened }, plan: { notes: long.slice(0, 4) }, parts: ["report"] },
  door: { off, change: () => ({ phase: "idle", query: "", cells: [] }), loaded: { table: null, failed: { name: "b.csv", error: failure } }, parts: ["place"] },
};

/** What is said of test errors, as shares of the mean's, and whose are uneven. */
const verdicts: readonly (readonly [off: World["off"], uneven?: readonly Whose[] | undefined, more?: Partial<World>])[] = [
  [{ ridge: 0.00125, fm: 0.0025, trees: 0.05 }],
  [{ ridge: 0.0099, fm: 0.02 }],
  [{ ridge: 0.0101, fm: 0.02 }],
  [{ ridge: 1.1, fm: 0.991, trees: 1.1 }],
  [{ ridge: 1.1, fm: 0.989, trees: 1.1 }],
  [{ ridge: 1.1, fm: 1.25, trees: 0.989 }],
  [{ ridge: 1.1, fm: 1.25, trees: 0.991 }],
  [{ ridge: 0.989, fm: 1.1 }],
  [{ ridge: 1.1, quadratic: 0.989, fm: 1.1 }],
  [{ ridge: 0.991, fm: 0.991 }, [], { rank: 0 }],
  [{ ridge: 0.5, fm: 0.5 }, [], { rank: 0 }],
  [{ ridge: 0.5, quadratic: 0.381, fm: 0.375, ifm: 0.375 }, ["quadratic"]],
  [{ ridge: 0.5, fm: 0.388, ifm: 0.375 }, ["fm"]],
  [{ ridge: 0.5, fm: 0.4375, ifm: 0.375 }],
  [{ ridge: 0.5, fm: 0.375, gfm: 0.375, ifm: 0.375 }],
  [{ ridge: 0.5, fm: 0.4, gfm: 0.42, ifm: 0.375 }],
  [{ ridge: 0.5, ifm: 0.75 }],
  [{ ridge: 0.5, ifm: 0.475 }, ["ifm"]],
  [{ ridge: 0.5, ifm: 0.4375 }, ["ifm"]],
  [{ ridge: 0.5, ifm: 0.6 }, ["ifm"]],
  [{ ridge: 0.5, trees: 0.3125, ifm: 0.375 }, ["trees"]],
  [{ ridge: 0.5, quadratic: 0.375, ifm: 0.75 }],
  [{ ridge: 0.5, additive: 0.25, quadratic: 0.375, ifm: 0.1875 }],
  [{ ridge: 0.5, additive: 0.25, quadratic: 0.375, ifm: 0.2375 }, ["ifm"]],
  [{ ridge: 0.5, additive: 0.4375, ifm: 0.376 }, ["additive"]],
  [{ ridge: 0.5, additive: 0.5125, ifm: 0.525 }],
  [{ ridge: 0.5, additive: 0.5125, ifm: 0.375 }],
  [{ ridge: 0.5, trees: 0.48125, ifm: 0.4875 }, ["trees"]],
  [{ ridge: 0.5, quadratic: 0.4, ifm: 0.375 }],
  [{ ridge: 0.5, quadratic: 0.3875, ifm: 0.375 }, ["quadratic"]],
  [{ ridge: 0.5, fm: 0.25, ifm: 0.375 }, [], { valid: { ifm: 0.1 } }],
  [{ ridge: 0.5, fm: 0.35, ifm: 0.375 }, ["fm"], { valid: { ifm: 0.1 } }],
  [{ ridge: 0.5, ifm: 0.49875, quadratic: 0.375, trees: 0.25 }, [], { rank: 0 }],
  [{ ridge: 0.5, ifm: 0.375 }, [], { rank: 0, change: (_, [ifm]) => ({ cells: [{ ...ifm, hats: [true, true, true, true] }] }) }],
  [{ ridge: 0.5, ifm: 0.375 }, [], { query: `${table1}&models=ifm&trials=6` }],
  [{ ridge: 0.5, ifm: 0.375 }, [], { query: `${table1}&models=ifm&trials=2` }],
  [{ ridge: 0.5, ifm: 0.375 }, [], { rows: 6 }],
  [{ ridge: 0.5, fm: 0.625 }, [], { change: (_, [fm]) => ({ cells: [{ ...fm, predictions: null }] }) }],
  [{ ridge: 0.8, ifm: 0.5 }, undefined, { classes: ["no", "yes"], rare: 59 }],
  [{ ridge: 0.8, ifm: 0.5 }, undefined, { classes: ["a", "b", "c"], rare: 2 }],
  [{ ridge: 0.5, ifm: 0.375 }, undefined, { rare: 6 }],
  [{ ridge: 0.5, ifm: 0.375 }, undefined, { rare: 2, query: `${table1}&models=ifm&trials=10` }],
  [{ ridge: 0.5, ifm: 0.375 }, undefined, { rare: 1, query: `${table1}&models=ifm&trials=10` }],
];

/** How the test of pairs ended: all pairs, those tested, and those of them that depend on others. */
const ends = [[0, 0, 0], [1, 0, 0], [44850, 0, 0], [6, 6, 0], [21, 9, 0], [6, 6, 6], [6, 6, 1]] as const;

test("a table's place shows what its run came to, in sentences, tables and charts", async () => {
  const known = new Set<string>();
  const texts = [];
  for (const [name, world] of Object.entries(worlds)) texts.push(await shows(name, world, known));
  for (const [own, uneven = undefined, more = {}] of verdicts) texts.push(await shows(`${JSON.stringify(own)} ${uneven?.join() ?? ""}`, { off: { mean: 1, ...own }, rows: 60, uneven: uneven ?? (more.rare === undefined ? [] : undefined), parts: ["says"], ...more } as World, known));
  for (const [all, many, depend] of ends) {
    const skipped = Array.from({ length: depend }, (_, i) => ({ first: 0, second: i, why: "depends", products: 1 }) as const);
    texts.push(await shows(`${many} of ${all} pairs`, { off, studies: { pairs: study({ ...pairs, named: [], pairs: all, tested: many, skipped, out: new Int32Array() }) }, parts: ["pairs"] }, known));
  }
  same(texts.join("\n"), "web/src/table/testdata/shown.txt");
});
