// Chapter "loophole": how FM writes a truth of the wrong sign. A column copies a
// row, and rank by rank the rows are covered.
import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { lineChart, type Drawing, type Line } from "../../charts/lines.js";
import { legend, looks } from "../../charts/looks.js";
import "../../charts/matrices/matrix.js";
import type { Panelled } from "../../charts/matrices/matrix.js";
import type { Matrix, ModelFile } from "../../engine/protocol.js";
import { table } from "../../panel/panel.js";
import { encode, type Spec } from "../../state/spec.js";
import { drawn } from "../../state/strings.js";
import { count, fraction, number, percent } from "../../text/format.js";
import { quantity, say, sentences, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted, duration, short } from "../../text/strings.js";
import { jobs } from "../chapter/cells.js";
import { chapter, formulary, type Run, type Shown } from "../chapter/definition.js";
import { formulas } from "../chapter/formulas.gen.js";
import { shareScale } from "../chapter/decades.js";
import { last } from "../chapter/measure.js";
import type { Job, Track } from "../chapter/runner.js";
import { choice, float, int, seed, settings, specOf, type ValuesOf } from "../chapter/settings.js";
import { labels, waiting } from "../chapter/strings.js";
import { height, hollow, learnt, minus, missed, named, type Learnt } from "./cross.js";
import "./crosses.js";

const words = {
  lead: "FM’s strengths are never below zero. But no prediction uses the diagonal of the maps, a feature’s weight with itself. FM may put anything there.",
  guesses: { none: "None: the sign is wrong", some: "Only those that happen to suit it", all: "Nearly all, signs included" },
  source: "This is not in the paper, which ignores the diagonal.",
  found: (rank: number, names: readonly string[], left: string) => `Rank ${count(rank)}: ${names.length === 0 ? "FM has copied no row" : `FM has copied ${names.length === 1 ? "the row" : "the rows"} of ${named(names)}`}. It misses ${left} of the true matrix.`,
  guess: "What FM has learned appears once you have answered.",
  maps: "True matrix, FM with its hidden diagonal, and what FM misses",
  trick: (missed: Quantity, name: string): Phrase => say`FM gives one feature a large number c. Each other feature gets its true weight with that feature, divided by c. Their products with c are then the true weights. Here the feature is ${name} (dashed): FM of rank 1 is only ${missed} off on its pairs.`,
  square: ["The larger c, the nearer to 0 are FM’s weights of all other pairs: it does not learn them. No prediction uses c² on the diagonal. It is what makes the long stem ✗ of chapter 3."] as Phrase,
  chart: "Error by rank (1: no interaction learned)",
  heading: "Test RMSE ÷ sd of the interactions",
  crosses: "A row of FM’s matrix is a cross (dashed in the map) if its diagonal entry is more than five times every other entry. Each rank is a separate run, on the same data.",
  enough: "From rank d − 1 on FM can represent every true matrix: each of d − 1 columns of U copies the row of one feature, and these rows contain all pairs of the last feature, too. With rank d − 2, let d − 3 of the columns of U copy rows. The remaining column has to represent the three pairs of the remaining three features. It can if they multiply to a positive number. So rank d − 2 fails only if the pairs of every three features multiply to a negative number. The price: gradient descent needs many steps to reach a large c, and each copied row takes d numbers, all learned from the same data.",
  live: (n: number, test: number, d: number, k: number, noise: number, solver: string, iterations: number, seed: number) =>
    `${[counted(n, "training row"), counted(test, "test row"), `d = ${d}`, `${counted(k, "eigenvalue")}, all negative`, ...(noise > 0 ? [drawn.noise(noise)] : []), `seed ${seed}`].join(", ")}; solver: ${labels.options[solver]}, at most ${counted(iterations, "iteration")}.`,
};

const NEARLY = 0.4; // of a row's size: FM that misses no more has copied it, 84 % of its squares at least
const NOTHING = 0.9; // FM that misses more has not
const ENDED = 0.02; // of the second-order part: what is left where the bias is over
const PER_ITERATION = 1.5e-5; // s, of an engine beside the work on rows
const PER_NUMBER = 0.75e-9; // s, for one number of the design and one column of the factors in one iteration, with SIMD

const declared = settings({
  d: int(10, 4, 16),
  k: int(2, 1, 8),
  n: int(400, 10, 5000),
  test: int(200, 10, 5000),
  noise: float(0, 0, 2),
  solver: choice<Spec["solver"]>("agd", ["agd", "gauss-newton"]),
  iterations: int(300, 1, 3000),
  seed: seed(),
});
type Settings = ValuesOf<typeof declared>;

/** A model of one rank. */
interface Fit {
  readonly rank: number;
  readonly left: number; // test RMSE at its end ÷ sd of the second-order part; NaN before
  readonly error: number; // ‖M − M*‖ / ‖M*‖
  readonly file: ModelFile | null; // of FM's, once it is over
  readonly learnt: Learnt | null; // what is in the file
}

/** The row of FM of rank 1 whose diagonal entry is the largest. */
interface Copy {
  readonly name: string; // of the feature
  readonly missed: number; // of the row, as a share
  readonly negative: number; // pairs, in the truth
  readonly pairs: number;
  readonly height: number; // of the diagonal entry, in units of the row's largest other
}

/** What the chapter reads in its runs. */
type Numbers = ReturnType<typeof read>;

/** FM's ranks, and iFM's: each of those has as many numbers as FM has at twice its rank. */
function ranks({ d }: Settings): { readonly fm: readonly number[]; readonly ifm: readonly number[] } {
  const all = Array.from({ length: d }, (_, i) => i + 1);
  return { fm: all, ifm: all.slice(0, Math.floor(d / 2)) };
}

/** The run of a model at a rank: the rows are the same for all of them. */
function query(values: Settings, model: "fm" | "ifm", rank: number): string {
  return encode(specOf({ ...values, scenario: "flipped", truth: "orthonormal", models: [model], rank }));
}

function planned(values: Settings): Job[] {
  const { fm, ifm } = ranks(values);
  return [
    ...fm.map((rank): Job => ({ query: query(values, "fm", rank), cell: 0, begins: rank === 1 ? ["theory"] : [], asks: rank === 1 ? ["truth", "model"] : ["model"] })),
    ...ifm.map((rank): Job => ({ query: query(values, "ifm", rank), cell: 0 })),
  ];
}

export function read({ settings: values, tracks }: Run<Settings>) {
  const { d, noise } = values;
  const [truth, theory] = [tracks[0]?.truth ?? null, tracks[0]?.theory];
  const fit = (track: Track | undefined, rank: number): Fit => {
    const file = truth && (track?.model ?? null);
    return { rank, left: track?.done ? last(track.test) / (theory?.secondOrder ?? Number.NaN) : Number.NaN, error: last(track?.errorM ?? []), file, learnt: file && learnt(file) };
  };
  const fm = ranks(values).fm.map((rank) => fit(tracks[rank - 1], rank));
  const floor = theory ? (noise * theory.sd) / theory.secondOrder : Number.NaN;
  return {
    d,
    truth,
    fm, // of ranks 1 … d
    ifm: ranks(values).ifm.map((rank) => fit(tracks[d + rank - 1], rank)), // of ranks 1 … d/2
    noise, // of the settings
    copy: truth && fm[0]?.learnt ? copyOf(truth, fm[0].learnt) : null, // null before FM of rank 1 is over
    floor, // what nothing can predict, on the scale of left; NaN before
  };
}

function copyOf(truth: Matrix, { whole, tallest: j }: Learnt): Copy {
  const { d, names, values } = truth;
  const row = values.subarray(j * d, (j + 1) * d).filter((_, i) => i !== j);
  return { name: names[j] ?? "", missed: missed(truth, whole, j), negative: row.filter((v) => v < 0).length, pairs: row.length, height: height(d, whole, j) };
}

/** Whether FM of rank 1 has copied the row. */
function answer({ copy }: Numbers): string | null {
  if (copy === null || Number.isNaN(copy.missed)) return null;
  return copy.missed <= NEARLY ? "all" : copy.missed >= NOTHING ? "none" : "some";
}

function reason(numbers: Numbers): Phrase {
  const { copy } = numbers;
  const found = answer(numbers);
  if (copy === null || found === null) return [];
  const missed = quantity("fm", copy.missed, percent(copy.missed));
  return found === "all" ? words.trick(missed, copy.name) : say`A rank-1 FM is ${missed} off on ${copy.name}’s pairs.`;
}

/** The first rank from which on, and the first at which, nothing is left but noise. */
function ends({ fm, ifm, floor }: Numbers): { readonly end: Fit | undefined; readonly even: Fit | undefined } {
  const least = floor + ENDED;
  return { end: fm.find(({ rank }) => fm.every((other) => other.rank < rank || other.left <= least)), even: ifm.find(({ left }) => left <= least) };
}

function explains(numbers: Numbers): Phrase[] {
  const { end, even } = ends(numbers);
  if (answer(numbers) !== "all") return [];
  return [words.square, ...(end && even ? [say`To copy one more row, FM needs one more rank. For the whole matrix rank ${count(end.rank)} is enough here (see Details). iFM needs rank ${count(even.rank)} and no such trick.`] : [])];
}

function told(numbers: Numbers): Phrase {
  const { d, copy, fm } = numbers;
  const { end, even } = ends(numbers);
  if (!copy || answer(numbers) === null) return [];
  const off = quantity("fm", copy.missed, percent(copy.missed));
  const isCopied = copy.missed <= NEARLY;
  const tiled = (below: number): number => fm.filter(({ rank, learnt: its }) => rank < below && its?.crosses.length === rank).length;
  return sentences([
    isCopied && say`At rank 1 FM copies the row of ${copy.name}, ${count(copy.negative)} of its ${counted(copy.pairs, "pair")} negative, and misses ${off} of it.`,
    isCopied && say`The hidden diagonal entry is ${quantity("fm", copy.height)} times the largest other entry of the row.`,
    !isCopied && say`The row that a rank-1 FM copies best is ${copy.name}’s; it misses ${off} of it.`,
    !end && say`At rank ${count(d)} FM’s error is still ${quantity("fm", fm.at(-1)?.left ?? Number.NaN)}; more rows or iterations may end that.`,
    end !== undefined && say`Rank by rank the test error (1: no interaction learned) falls from ${quantity("fm", fm[0]?.left ?? Number.NaN)} to ${near(quantity("fm", end.left))} at rank ${count(end.rank)}${end.rank < d ? ` = d − ${count(d - end.rank)}` : " = d"}, with ${count(end.rank * d)} numbers.`,
    end !== undefined && end.rank > 1 && [`In ${count(tiled(end.rank))} of the ${counted(end.rank - 1, "run")} at lower ranks, FM has copied as many rows as its rank.`],
    even !== undefined && say`iFM of rank ${count(even.rank)} needs ${count(2 * d * even.rank)} numbers, no trick, and ends at ${near(quantity("ifm", even.left))}.`,
  ]);
}

/** With no more digits than mean something to a reader. */
function near(of: Quantity): Quantity {
  return of.value < 0.0005 ? { ...of, text: "less than 0.001" } : of;
}

/** About how long all runs take. */
function seconds(values: Settings, engines: number): number {
  const columns = [...ranks(values).fm, ...ranks(values).ifm.map((rank) => 2 * rank)];
  return columns.reduce((sum, rank) => sum + values.iterations * (PER_ITERATION + (values.n + values.test) * values.d * (rank + 2) * PER_NUMBER), 0) / Math.max(1, engines);
}

/** The truth, FM's UUᵀ and what it misses off the diagonal. */
function panels(truth: Matrix | null, fit: Fit | undefined): Panelled[] {
  const { whole = null, crosses = [] } = fit?.learnt ?? {};
  const of = (values: Float64Array | null): Matrix | null => truth && values && { ...truth, values, eigenvalues: new Float64Array() };
  const left = truth && whole && minus(truth.values, hollow(truth.d, whole));
  return [
    { key: "truth", title: "Truth", note: "off the diagonal", values: truth },
    { key: "fm", title: `FM, rank ${count(fit?.rank ?? 1)}`, note: "hidden diagonal shown", values: of(whole), crosses },
    { key: "left", title: "Missing", note: truth && left ? `${fraction(Math.hypot(...left) / Math.hypot(...truth.values))} of the truth` : "", values: of(left) },
  ];
}

function linesOf({ d, fm, ifm, noise, floor }: Numbers): Line[] {
  const line = (model: "fm" | "ifm", every: readonly Fit[], numbers: number): Line => {
    const done = every.filter(({ left }) => !Number.isNaN(left));
    return { ...looks[model], name: short[model], x: done.map(({ rank }) => numbers * rank), y: done.map(({ left }) => left) };
  };
  return [line("fm", fm, 1), line("ifm", ifm, 2), ...(noise > 0 && !Number.isNaN(floor) ? [{ name: "noise alone", colour: "base", dash: "", symbol: "" as const, x: [1, d], y: [floor, floor] }] : [])];
}

function drawing(d: number, all: readonly Line[]): Drawing | null {
  const y = shareScale(words.heading, all);
  return y && {
    lines: all,
    x: { domain: [0.5, d + 0.5], ticks: Array.from({ length: d }, (_, i) => i + 1), label: "numbers for each feature: FM’s rank, twice iFM’s", format: String },
    y,
    at: (rank) => `${count(rank * d)} numbers`,
  };
}

/** The maps of a rank that a slider chooses, and what is seen there in words. */
function maps({ d, truth, fm }: Numbers, { position, move, revealed, run: { phase } }: Shown<Settings>): TemplateResult {
  const rank = Math.min(position + 1, d);
  const fit = !revealed ? undefined : fm[rank - 1];
  const waits = !revealed && truth ? words.guess : waiting[phase];
  const said = fit?.learnt ? words.found(rank, fit.learnt.crosses.map((j) => truth?.names[j] ?? ""), percent(fit.error)) : waits;
  return html`${guard([rank, fit?.file, truth], () => html`<ifm-matrix .heading=${words.maps} .panels=${panels(truth, fit)}></ifm-matrix>`)}
    ${truth
      ? html`<div class="turned">
          <label class="slide">
            <span>Rank of FM <b class="num">${rank}</b></span>
            <input type="range" data-slider="rank" min="1" max=${d} .value=${String(rank)} ?disabled=${!fit} aria-valuetext=${said} @input=${(e: Event) => move(Number((e.target as HTMLInputElement).value) - 1)} />
          </label>
          <p class="note found" aria-hidden="true">${said}</p>
        </div>`
      : nothing}`;
}

function rowsOf({ d, truth, fm, ifm }: Numbers): TemplateResult[] {
  return fm.map(({ rank, left, learnt: its }) => {
    const same = rank % 2 === 0 ? (ifm[rank / 2 - 1]?.left ?? Number.NaN) : Number.NaN;
    return html`<tr>
      <th scope="row">${rank}</th>
      <td>${count(rank * d)}</td>
      <td data-crosses=${rank} data-value=${its?.crosses.join(",") ?? ""}>${its ? its.crosses.map((j) => truth?.names[j] ?? "").join(", ") || "none" : ""}</td>
      <td>${its ? number(height(d, its.whole, its.tallest)) : ""}</td>
      <td data-left="fm ${rank}" data-value=${left}>${Number.isNaN(left) ? "" : number(left)}</td>
      <td data-left="ifm ${rank / 2}" data-value=${same}>${Number.isNaN(same) ? "" : number(same)}</td>
    </tr>`;
  });
}

export const loophole = chapter({
  id: "loophole",
  words,
  settings: declared,
  work: jobs(planned),
  adjust: (values) => ({ ...values, k: Math.min(values.k, values.d) }), // no more eigenvalues than columns
  smallest: () => ({ runs: 1, trials: 1 }), // FM of rank 1, which alone the question is about
  read,
  answer,
  reason,
  told,
  explains,
  cost: ({ values, pool }) => `${counted(ranks(values).fm.length + ranks(values).ifm.length, "run")}, ${duration(seconds(values, pool.size))}.`,
  live: ({ settings: { n, test, d, k, noise, solver, iterations, seed } }) => words.live(n, test, d, k, noise, solver, iterations, seed),
  picture: maps,
  details: () => html`${formulary(formulas.cross, formulas.spilt, formulas.triangle)}
    <p>${words.enough}</p>`,
  after(numbers, { position, run: { phase } }) {
    const all = linesOf(numbers);
    return html`<ifm-crosses .truth=${numbers.truth}></ifm-crosses>
      ${legend(all)} ${lineChart({ heading: words.chart, drawing: drawing(numbers.d, all), waiting: waiting[phase], mark: position + 1 })}
      ${table("By rank: FM’s crosses and test RMSE, and iFM’s with as many numbers", ["Rank of FM", "Numbers", "Crosses", "Largest diagonal entry ÷ its row’s others", "FM: RMSE", "iFM: RMSE"], rowsOf(numbers), { kind: "", note: html`<p class="note">${words.crosses}</p>` })}`;
  },
});
