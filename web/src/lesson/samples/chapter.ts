// Chapter "samples": from how many rows on the truth is found, by rank or by τ.
import { html, nothing } from "lit";
import type { Point } from "../../engine/protocol.js";
import { encode, type Spec } from "../../state/spec.js";
import { drawn } from "../../state/strings.js";
import { cell, count, number } from "../../text/format.js";
import { plain, quantity, say, sentences, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted, list } from "../../text/strings.js";
import { cells } from "../chapter/cells.js";
import { chapter, formulary, type Run } from "../chapter/definition.js";
import { pick } from "../chapter/element.js";
import { formulas } from "../chapter/formulas.gen.js";
import { lineChart, type Drawing, type Line } from "../../charts/lines.js";
import { multiples, roundUp } from "../../charts/ticks.js";
import { legend } from "../../charts/looks.js";
import { diverged, isResult, refused, rising, succeeded } from "../chapter/measure.js";
import { sweep, trialsAt } from "../chapter/points.js";
import { over, type Track } from "../chapter/runner.js";
import { choice, floats, int, ints, seed, settings, specOf, type ValuesOf } from "../chapter/settings.js";
import { labels, runs, waiting } from "../chapter/strings.js";
import { axes, free, lines as cliffLines, type Axis, type Cliff } from "./cliffs.js";
import { cellAt, rowName, type Cell, type Grid } from "./map.js";

const words = {
  guesses: { falls: "It falls", stays: "It stays about the same", rises: "It rises in proportion to k, like the paper’s bound" },
  source: "Theorem 3 of the paper says how many rows are enough. The map shows that far fewer were enough here.",
  lead: "Each cell: in how many trials the true model was found within 1 %. Upwards: rank k. To the right: rows n ÷ (d·k), with d features. Press a cell to open its run.",
  cost: (n: number) => `${counted(n, "run")}, ${n > 1000 ? "a minute or more" : "some seconds"} with Gauss–Newton; other solvers take longer.`,
  trend: { falls: "falls", stays: "hardly changes", rises: "rises" },
  live: ({ features, truth, scenario, sweep, ks, k, d, trials, solver, iterations, seed }: Settings) =>
    `${[drawn.features[features], `${labels.options[truth]} truth, ${labels.options[scenario]}${truth === "orthonormal" && scenario === "mixed" && (sweep === "rank" ? ks : [k]).includes(1) ? " (k = 1 has a single eigenvalue, positive)" : ""}`, `d = ${d}`, ...(sweep === "rank" ? [] : [`k = ${k}`]), counted(trials, "trial"), `seed ${seed}`].join(", ")}; solver: ${labels.options[solver]}, at most ${counted(iterations, "iteration")}.`,
  axes: { dk: "n ÷ dk", free: "n ÷ parameters" },
  heading: { dk: "Share found, by n ÷ dk", free: "Share found, by n ÷ parameters" },
  bound: (name: string) => `${name}: bound k²d`,
  why: (low: number, from: Quantity, high: number, to: Quantity) => say`Of these parameters, d + 1 are linear; their share falls as k grows. Per parameter, linear or not, the rows needed are ${from} at k = ${count(low)} and ${to} at k = ${count(high)}.`,
};

/** Iterations that each solver is given unless the reader says otherwise. */
const ENOUGH: Partial<Record<Spec["solver"], number>> = { agd: 1000, "gauss-newton": 100, scaled: 500, algorithm1: 100 };

const RATIOS: readonly number[] = [1, 1.5, 2, 2.5, 3, 4, 6];
const RATIOS_OF_ALGORITHM: readonly number[] = [6, 12, 24, 48, 96]; // it needs more rows

const LEVEL = 1.2; // times as many rows, below which it is the same number

const declared = settings({
  model: choice<"ifm" | "fm" | "gfm">("ifm", ["ifm", "fm", "gfm"]),
  solver: choice<Spec["solver"]>("gauss-newton", ["gauss-newton", "agd", "scaled", "algorithm1"]),
  scenario: choice<Spec["scenario"]>("mixed", ["mixed", "psd", "flipped"]),
  truth: choice<Spec["truth"]>("orthonormal", ["orthonormal", "gaussian"]),
  sweep: choice<"rank" | "tau">("rank", ["rank", "tau"]),
  ratios: floats(RATIOS, 0.2, 200, 10),
  ks: ints([1, 2, 4], 1, 20, 6),
  taus: floats([2, 0.5, 0.1, 0.02], 0, 20, 8),
  features: choice<Spec["features"]>("gaussian", ["gaussian", "uniform", "laplace", "exponential", "threepoint", "slider"]),
  k: int(2, 1, 20), // of a map over τ
  d: int(24, 4, 100),
  trials: int(8, 1, 50),
  iterations: int(100, 1, 10000),
  across: choice<Axis>("free", axes), // of the second picture
  seed: seed(),
});
type Settings = ValuesOf<typeof declared>;

/** What a map of ranks, or of τ, leaves nothing to choose of. */
const IDLE: Readonly<Record<Settings["sweep"], readonly string[]>> = { rank: ["taus", "k", "threepoint", "slider"], tau: ["ks", "gaussian", "uniform", "laplace", "exponential"] };

/** Where a row of the map begins to be found in every trial. */
interface Edge {
  readonly row: number;
  readonly ratio: number | undefined; // n ÷ dk; undefined: nowhere
  readonly n: number;
  readonly each: number; // rows for each free number of the truth
}

/** How the rows ÷ dk change from the lowest rank to the highest. */
interface Trend {
  readonly kind: "falls" | "stays" | "rises";
  readonly low: Edge;
  readonly high: Edge;
}

/** What the chapter reads in its runs. */
type Numbers = ReturnType<typeof read>;

/** The sweep. gFM has a truth whose diagonal is kept, since it can write no other. */
function spec({ model, across: _, ...values }: Settings): Spec {
  return specOf({ ...values, diagonal: model === "gfm" ? "kept" : "zero", models: [model], test: 100 });
}

function read({ settings: values, plan, tracks }: Run<Settings, readonly Point[]>) {
  const { model, solver, sweep, ratios, ks, taus, trials } = values;
  const points = plan ?? [];
  const isRank = sweep === "rank";
  const grid: Grid = {
    caption: `${labels.options[model]} by ${labels.options[solver]}: trials that find the truth`,
    along: isRank ? "k" : "tau",
    rows: rising(isRank ? ks : taus),
    ratios: rising(ratios),
    trials,
    cells: points.map((point, at) => cellOf(point, trialsAt(tracks, points, at, 1, 0))),
  };
  const edges = edgesOf(values, grid);
  return {
    settings: values,
    grid,
    edges, // of the rows that were tried, rising
    trend: isRank ? trendOf(edges, Math.min(...ratios)) : null, // of ranks; null where the map does not tell
    refused: tracks.filter(refused).length, // runs
    diverged: tracks.filter(diverged).length,
    limited: points.filter(({ clipped }) => clipped).length, // points with other rows than asked for
  };
}

/** Of the trials that ended, those count that ended well, or in an error that is a miss. */
function cellOf(point: Point, tracks: readonly Track[]): Cell {
  const ended = tracks.filter(over);
  const valid = ended.filter(({ error }) => error === null || isResult(error));
  return { point, over: ended.length, valid: valid.length, successes: valid.filter(succeeded).length };
}

function edgesOf(values: Settings, grid: Grid): Edge[] {
  return grid.rows.flatMap((row): Edge[] => {
    const tried = grid.ratios.map((ratio) => cellAt(grid, row, ratio)).filter((found) => found !== undefined && found.valid > 0) as Cell[];
    const first = tried[tried.findLastIndex(({ successes, valid }) => successes < valid) + 1]?.point;
    return tried.length === 0 ? [] : [{ row, ratio: first?.ratio, n: first?.n ?? Number.NaN, each: (first?.n ?? Number.NaN) / freeOf(values, grid.along === "k" ? row : values.k) }];
  });
}

/** How the rows ÷ dk change from the lowest rank to the highest; null where the map tells that of one of them not, or of neither within it. */
function trendOf([low, ...others]: readonly Edge[], least: number): Trend | null {
  const high = others.at(-1);
  if (low?.ratio === undefined || high?.ratio === undefined || Math.max(low.ratio, high.ratio) <= least) return null;
  return { kind: high.ratio < low.ratio / LEVEL ? "falls" : high.ratio > low.ratio * LEVEL ? "rises" : "stays", low, high };
}

/** The free numbers of a truth of rank k. */
function freeOf({ d, truth, scenario, model }: Settings, k: number): number {
  return free(d, k, { truth, scenario, diagonal: model === "gfm" ? "kept" : "zero" });
}

function answer({ trend }: Numbers): string | null {
  return trend?.kind ?? null;
}

function within(model: Settings["model"], { ratio = Number.NaN }: Edge): Quantity {
  return quantity(model, ratio, cell(ratio));
}

function told({ settings: { model, ratios }, grid, edges, trend, refused, diverged, limited }: Numbers): Phrase {
  const first = (edge: Edge): Phrase => (edge.ratio === undefined ? [`for ${rowName(grid, edge.row)} nowhere on this map`] : say`for ${rowName(grid, edge.row)} from n = ${within(model, edge)} dk on`);
  const missed = [
    ...(refused > 0 ? [`${counted(refused, "run")} ${refused === 1 ? "was" : "were"} refused, because τ is too small to divide by`] : []),
    ...(diverged > 0 ? [`${counted(diverged, "run")} diverged`] : []),
  ];
  const isSomewhere = edges.some(({ ratio }) => ratio !== undefined);
  return sentences([
    isSomewhere ? say`The truth is found in every trial ${list(edges.map(first))}.` : edges.length > 0 ? ["Nowhere on this map is the truth found in every trial."] : [],
    ...(trend ? compared(trend, model) : []),
    edges.length > 0 && edges.every(({ ratio }) => ratio === Math.min(...ratios)) && ["All of this map is found, so it does not tell where success begins. Try fewer rows."],
    limited > 0 && say`* ${runs.limited(limited, "cell")}`,
    missed.length > 0 && [`${missed.join(", and ")}; ${refused + diverged === 1 ? "it counts" : "they count"} as not found.`],
  ]);
}

/** The lowest and the highest rank, in units of d·k, in free numbers and in rows. */
function compared({ kind, low, high }: Trend, model: Settings["model"]): readonly (Phrase | false)[] {
  const each = (edge: Edge): Quantity => quantity(model, edge.each);
  const rows = ({ n }: Edge): Quantity => quantity(model, n, count(n));
  return [
    say`From k = ${count(low.row)} to k = ${count(high.row)}, n ÷ dk ${words.trend[kind]}: from ${within(model, low)} to ${within(model, high)}.`,
    say`Rows for each parameter of the true model: ${each(low)} and ${each(high)}.`,
    high.n > low.n && say`Rows in all: ${rows(low)} for k = ${cell(low.row)} and ${rows(high)} for k = ${cell(high.row)}.`,
  ];
}

/** How rows grow beside the paper's bound. */
function bounded({ low, high }: Trend, model: Settings["model"]): Phrase {
  return say`From k = ${count(low.row)} to k = ${count(high.row)} the paper’s bound k²d grows by a factor of ${number((high.row / low.row) ** 2, 3)}; the rows needed grow by a factor of ${quantity(model, high.n / low.n)}.`;
}

/** The share of trials that found the truth, a line for each row of the map, its rows counted in either unit. */
function linesOf({ settings: values, grid }: Numbers, across: Axis): Line[] {
  const { d, sweep } = values;
  const cliffs = grid.rows.map((row): Cliff => {
    const k = sweep === "rank" ? row : values.k;
    const known = grid.ratios.flatMap((ratio) => cellAt(grid, row, ratio) ?? []).filter(({ valid }) => valid > 0);
    return { name: rowName(grid, row), k, d, unit: across === "dk" ? d * k : freeOf(values, k), n: known.map(({ point }) => point.n), share: known.map(({ successes, valid }) => successes / valid) };
  });
  return cliffLines(cliffs, words.bound, sweep === "rank");
}

function drawing(lines: readonly Line[], across: Axis): Drawing | null {
  const places = lines.flatMap(({ x }) => x);
  if (places.length === 0) return null;
  const most = Math.max(...places);
  return {
    lines,
    x: { domain: [0, 1.02 * most], ticks: multiples(roundUp(most / 8), 0, most), label: words.axes[across], format: (x) => cell(Number(x.toPrecision(3))) },
    y: { type: "linear", domain: [0, 1], ticks: [0, 0.5, 1], label: "share found", format: String },
    at: (x) => `${words.axes[across]} = ${number(x, 3)}`,
  };
}

export const samples = chapter({
  id: "samples",
  words,
  settings: declared,
  display: ["across"],
  work: cells<Settings, readonly Point[]>({
    plan: (values, pool) => sweep(pool, [encode(spec(values))], values.trials),
    expects: isResult,
  }),
  smallest: ({ settings: { trials }, plan }) => ({ runs: plan?.length ?? 0, trials }), // a trial of every cell
  inputs({ model, sweep }) {
    const idle = [...IDLE[sweep], ...(model === "fm" ? ["algorithm1"] : [])]; // Algorithm 1 has no FM
    return declared.inputs.flatMap((input) => (idle.includes(input.key) ? [] : input.options ? { ...input, options: input.options.filter((option) => !idle.includes(option)) } : input));
  },
  adjust(values, before, key) {
    const solver = values.model === "fm" && values.solver === "algorithm1" ? "gauss-newton" : values.solver;
    const [isAlgorithm, wasAlgorithm] = [solver, before.solver].map((one) => one === "algorithm1");
    return {
      ...values,
      solver,
      iterations: solver === before.solver ? values.iterations : (ENOUGH[solver] ?? values.iterations),
      ratios: isAlgorithm === wasAlgorithm ? values.ratios : isAlgorithm ? RATIOS_OF_ALGORITHM : RATIOS,
      features: key !== "sweep" ? values.features : values.sweep === "tau" ? "threepoint" : "gaussian",
    };
  },
  read,
  answer,
  reason: ({ settings: { model }, trend }) => (trend ? say`The rows needed, n, follow the number of parameters of the true model${trend.kind === "falls" ? ", which grows more slowly than d·k" : ""}. n ÷ dk is ${within(model, trend.low)} at k = ${count(trend.low.row)} and ${within(model, trend.high)} at k = ${count(trend.high.row)}.` : []),
  told,
  cost: ({ values: { sweep, ratios, ks, taus, trials } }) => words.cost(ratios.length * (sweep === "rank" ? ks : taus).length * trials),
  live: ({ settings }) => words.live(settings),
  explains: ({ trend, settings: { model } }) => (trend ? [...(trend.kind === "falls" ? [words.why(trend.low.row, quantity(model, trend.low.each), trend.high.row, quantity(model, trend.high.each))] : []), bounded(trend, model)] : []),
  picture(numbers, { revealed, run: { phase }, view, values: { across }, change }) {
    const { grid } = numbers;
    const [lowest] = grid.rows;
    const shown = revealed ? grid : { ...grid, cells: grid.cells.filter(({ point }) => point[grid.along] === lowest) }; // the lowest rank alone tells no trend
    const all = linesOf(numbers, across);
    return html`<ifm-success-map .grid=${shown} .view=${view} .says=${phase === "done" ? plain(told(numbers)) : ""}></ifm-success-map>
      ${revealed
        ? html`<div class="stack cliffs">
            <div class="row">${pick({ name: "across", label: "Count rows in", options: words.axes }, across, (axis) => change("across", axis))} ${legend(all)}</div>
            ${lineChart({ heading: words.heading[across], drawing: drawing(all, across), waiting: waiting[phase] })}
          </div>`
        : nothing}`;
  },
  details: () => formulary(formulas.numbers, formulas.room),
});
