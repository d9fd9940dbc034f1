// Chapter "algorithm": Algorithm 1, corrected and as printed, against what its
// analysis says.
import { html, nothing } from "lit";
import { lineChart, type Drawing, type Line } from "../../charts/lines.js";
import { legend, looks } from "../../charts/looks.js";
import { multiples } from "../../charts/ticks.js";
import { table } from "../../panel/panel.js";
import { encode, type Spec } from "../../state/spec.js";
import { drawn } from "../../state/strings.js";
import { count, number } from "../../text/format.js";
import { quantity, say, sentences, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted, duration, list } from "../../text/strings.js";
import { jobs } from "../chapter/cells.js";
import { logScale } from "../chapter/decades.js";
import { chapter, formulary, type Run } from "../chapter/definition.js";
import { formulas } from "../chapter/formulas.gen.js";
import { diverged, isResult, lastAbove, lastHalf, rate, recordOf, recovery, refused } from "../chapter/measure.js";
import type { Job } from "../chapter/runner.js";
import { choice, float, int, ints, isLimited, rowsOf, seed, settings, specOf, type ValuesOf } from "../chapter/settings.js";
import { runs, waiting } from "../chapter/strings.js";
import "../followups/element.js";
import { followup } from "../followups/followup.js";
import { ranks } from "../followups/ranks.js";
import "./iteration.js";

const RUNS = ["printed", "gfm", "centred", "ifm"] as const;
type Which = (typeof RUNS)[number];

const words = {
  guesses: { shrinks: "Nearer than it began", stays: "About as far", grows: "Much farther than it began" },
  source: "Algorithm 1 of the paper, and Theorem 3, which gives its rate. The missing term is −½P⁽⁰⁾(r)·I.",
  lead: "gFM is trained by the paper’s method twice: as printed, and with the missing term. The other lines are told in Details. The data come from a known model, and each iteration should come nearer to that model.",
  heading: "Distance to the true model, by iteration",
  guess: "gFM, as printed: ?",
  axis: "‖w − w*‖ / ‖w*‖ + ‖M − M*‖ / ‖M*‖",
  at: (iteration: number) => `Iteration ${count(iteration)}`,
  name: { gfm: "gFM, corrected", centred: "gFM, centred", printed: "gFM, as printed", ifm: "iFM" },
  corrected: { gfm: "Corrected gFM", ifm: "iFM" },
  floor: "iFM’s pace in the long run",
  term: ["Each iteration adds half the mean residual, ½P⁽⁰⁾(r), to every diagonal entry. The missing term, −½P⁽⁰⁾(r)·I, subtracts it again. The printed algorithm does not."] as Phrase,
  pace: ["iFM predicts without a diagonal and need not estimate one, so it is ahead at first. Corrected gFM then overtakes it. More rows make gFM converge faster, but not iFM."] as Phrase,
  brief: (begins: Quantity, printed: Quantity, corrected: Quantity | null): Phrase => say`As printed, the error goes from ${begins} to ${printed}${corrected ? say`; with the term put back, to ${corrected}` : ""}.`,
  live: (ran: Settings, n: number) =>
    `${[`${runs.rows(n, isLimited(ran.rows, ran.d, ran.k, TEST), "row")}${ran.batches === "fresh" ? " drawn anew for each iteration" : ", the same for each iteration"}`, `d = ${ran.d}`, `k = ${ran.k}`, `${drawn.features[ran.features]}${hasTau(ran) ? `, τ = ${number(ran.tau)}` : ""}`, `seed ${ran.seed}`].join(", ")}; solver: Algorithm 1.`,
};

const DEEPEST = 14; // decades drawn at most
const TEST = 1000; // rows
const TINY = 1e-6; // a τ that no rows nor exact moments let one divide by, as in core/moment
const MOST = 500; // rows of an iteration, in units of d·k
const STANDS = 0.97; // an iteration: a rate from here to its inverse is no change of size that so few iterations tell
const PER_DRAW = 80e-9; // s, for one number of a design that is drawn, with SIMD
const PER_NUMBER = 1e-9; // s, for one number of the design and one column of the factors in one iteration

const keys = {
  gfm: { name: words.name.gfm, ...looks.gfm },
  centred: { name: words.name.centred, colour: "gfm", dash: "9 3 1 3", symbol: "circle" },
  printed: { name: words.name.printed, colour: "gfm", dash: "7 4", symbol: "square" },
  ifm: { name: words.name.ifm, ...looks.ifm },
} as const;
const floorKey = { name: words.floor, colour: "base", dash: "1 4", symbol: "" } as const;

const declared = settings({
  d: int(40, 2, 200),
  k: int(3, 1, 10),
  rows: float(60, 1, MOST), // of an iteration, in units of d·k
  iterations: int(12, 3, 100),
  features: choice<Spec["features"]>("gaussian", ["gaussian", "uniform", "laplace", "exponential", "threepoint", "slider"]),
  tau: float(1, 0, 20),
  batches: choice<Spec["batches"]>("fresh", ["fresh", "reused"]),
  moments: choice<Spec["moments"]>("estimated", ["estimated", "true"]),
  inverse: choice<Spec["inverse"]>("refuse", ["refuse", "pseudo", "divide"]),
  ranks: ints([2, 4, 8, 12], 1, 20, 6), // of the follow-up
  seed: seed(),
});
type Settings = ValuesOf<typeof declared>;

/** What a run records. */
interface Course {
  readonly iteration: readonly number[];
  readonly errors: readonly number[]; // recovery errors, as many
  readonly begins: number; // the first of them; NaN before
  readonly ends: number; // the last above rounding, ∞ beyond all numbers; NaN before
  readonly rate: number; // what an iteration multiplies them by: iFM's in the last half, since it changes on the way to the long run
  readonly matrix: number; // ‖M − M*‖/‖M*‖ after the first iteration
  readonly isLost: boolean; // it ended beyond all numbers
  readonly isRefused: boolean; // its moments are too near to those of a ±1 column
}

/** What the chapter reads in its runs. */
type Numbers = ReturnType<typeof read>;

/** The run of one line: gFM on a truth whose diagonal is kept, iFM on one without. */
function spec({ rows, ranks: _, ...shared }: Settings, which: Which): Spec {
  return specOf({
    ...shared,
    scenario: "psd",
    truth: "orthonormal",
    diagonal: which === "ifm" ? "zero" : "kept",
    models: [which === "ifm" ? "ifm" : "gfm"],
    solver: which === "printed" || which === "centred" ? which : "algorithm1",
    n: rowsOf(rows, shared.d, shared.k, TEST),
    test: TEST,
  });
}

function planned(values: Settings): Job[] {
  return RUNS.map((which) => ({ query: encode(spec(values, which)), cell: 0, begins: which === "ifm" ? ["theory"] : [] }));
}

function read({ settings: values, tracks }: Run<Settings>) {
  const { n } = spec(values, "gfm");
  const course = (which: Which): Course => {
    const track = tracks[RUNS.indexOf(which)];
    const errors = track ? recovery(track) : [];
    const isLost = track !== undefined && diverged(track);
    return {
      iteration: track?.iteration ?? [],
      errors,
      begins: errors[0] ?? Number.NaN,
      ends: isLost ? Infinity : (errors[lastAbove(errors)] ?? Number.NaN),
      rate: which === "ifm" ? rate(errors, lastHalf(errors)) : rate(errors),
      matrix: track?.errorM[1] ?? Number.NaN,
      isLost,
      isRefused: track !== undefined && refused(track),
    };
  };
  const courses = recordOf(RUNS, course);
  const growth = growthOf(courses.printed);
  return {
    settings: values,
    n, // rows
    courses,
    floor: tracks[RUNS.indexOf("ifm")]?.theory?.floor ?? Number.NaN, // the long-run rate of iFM; NaN before it is known
    shape: Math.sqrt(n / (values.k * values.d)), // √(n/kd), which the theorem's rate falls by
    fate: Number.isNaN(growth) ? null : growth >= 2 ? "grows" : growth > 0.5 ? "stays" : "shrinks", // of the error as printed
  };
}

/** How far from the truth a run ends, in units of its start. */
function growthOf({ isLost, begins, ends }: Course): number {
  return isLost ? Infinity : ends / begins;
}

function brief({ courses: { printed, gfm } }: Numbers): Phrase {
  if (Number.isNaN(printed.ends)) return [];
  return words.brief(quantity("gfm", printed.begins), quantity("gfm", printed.ends), Number.isNaN(gfm.ends) ? null : quantity("gfm", gfm.ends));
}

function told(numbers: Numbers): Phrase {
  const { settings: values, n, courses, floor, shape } = numbers;
  const { gfm, centred, ifm } = courses;
  const of = (whose: "gfm" | "ifm" | "none", value: number): Quantity => quantity(whose, value);
  const lost = (["gfm", "ifm"] as const).filter((which) => courses[which].isLost);
  const refusals = RUNS.filter((which) => courses[which].isRefused).length;
  return sentences([
    ...printed(numbers),
    ...(gfm.rate < 1 && !gfm.isLost ? [say`Corrected, gFM multiplies its error by ${of("gfm", gfm.rate)} an iteration. The theorem says that this factor × √(n ÷ kd) is the same for every n; here it is ${of("gfm", gfm.rate * shape)}.`, scales(values, n) ? ["With four times the rows this product hardly changes."] : []] : []),
    Number.isFinite(gfm.matrix) && Number.isFinite(centred.matrix) && say`After the first iteration M is off by ${of("gfm", gfm.matrix)} of its size; in centred gFM, which subtracts the mean of the residuals instead, by ${of("gfm", centred.matrix)}.`,
    gfm.rate >= 1 && !gfm.isLost && say`Corrected, gFM multiplies its error by ${of("gfm", gfm.rate)} an iteration here, so it does not converge: the rows are too few, or these columns’ moments too near to those of a ±1 column.`,
    lost.length > 0 && say`${list(lost.map((which) => [words.corrected[which]]))} diverged: ${counted(n, "row")} ${n === 1 ? "is" : "are"} too few${gfm.isLost && hasTau(values) ? ", or these columns’ moments too near to those of a ±1 column" : ""}.`,
    refusals > 0 && runs.refusals(refusals, RUNS.length - 1, values.moments === "true" || (hasTau(values) && values.tau < TINY)),
    ...(ifm.rate < 1 && floor > 0 && !ifm.isLost ? [say`iFM multiplies its error by ${of("ifm", ifm.rate)} in each of the last iterations. By the paper, more rows bring this factor to 0. Here it tends to ${of("none", floor)}, however many rows there are.`, ...overtaken(courses)] : []),
    ifm.rate >= 1 && !ifm.isLost && say`iFM multiplies its error by ${of("ifm", ifm.rate)} in the last iterations, so it does not converge: ${counted(n, "row")} ${n === 1 ? "is" : "are"} too few.`,
  ]);
}

/** Which of gFM and iFM is ahead, each measured against its own truth, and why. */
function overtaken({ gfm, ifm }: Numbers["courses"]): Phrase[] {
  const end = Math.min(gfm.errors.length, ifm.errors.length) - 1;
  if (end < 1 || gfm.isLost) return [];
  const at = (whose: "gfm" | "ifm", i: number): Quantity => quantity(whose, (whose === "gfm" ? gfm : ifm).errors[i] ?? Number.NaN);
  const isAhead = (i: number): boolean => at("gfm", i).value < at("ifm", i).value;
  if (!isAhead(end)) return [say`iFM is ahead to the end, at ${at("ifm", end)}, gFM at ${at("gfm", end)}: it has no diagonal to estimate. With more rows gFM gets faster and overtakes it, because iFM’s pace does not change.`];
  let from = end;
  while (from > 1 && isAhead(from - 1)) from--;
  if (from === 1) return [];
  return [
    say`After one iteration iFM’s distance to the true model (errors of w and M together, as in the chart) is ${at("ifm", 1)}, gFM’s ${at("gfm", 1)}. From iteration ${String(from)} on gFM is ahead; it ends at ${at("gfm", end)}, iFM at ${at("ifm", end)}.`,
    ["The reason is the diagonal. gFM has one, so each iteration corrects all of M, and with more rows it corrects M better. iFM’s UVᵀ has a diagonal, too, but iFM predicts without it, so no row shows whether it is right. Only the restriction to low rank makes its error smaller, and more rows do not help."],
  ];
}

/** How the algorithm fared as printed. */
function printed({ settings: { k }, courses: { printed: course }, fate }: Numbers): Phrase[] {
  const pace = quantity("none", course.rate);
  const trace = k === 2 ? ["For k = 2 the error grows only because there are few rows. With more rows it keeps its size."] : say`Without the missing term each iteration multiplies the error of the trace (the sum of the diagonal) by about −k/2, here ${quantity("none", -k / 2, number(-k / 2, 2))}.`;
  if (course.isLost) return [["As printed, it diverges."]];
  if (fate === null || Number.isNaN(course.rate)) return [];
  if (fate === "grows") return [say`As printed, it ends ${quantity("none", growthOf(course))} times as far from the truth as it began.`, trace];
  if (fate === "shrinks" && k === 1) return [["With k = 1 it converges even as printed: each iteration halves the error of the trace (the sum of the diagonal) and flips its sign. Try k = 3."]];
  if (fate === "shrinks" || course.rate < STANDS) return [say`As printed, it multiplies its error by ${pace} an iteration; the error of the trace (the sum of the diagonal) is not yet most of it.`];
  if (course.rate > 1 / STANDS) return [say`As printed, it moves away, by a factor of ${pace} an iteration.`, trace];
  return [k === 2 ? ["With k = 2 it comes no closer as printed: the error of the trace (the sum of the diagonal) only flips its sign. Try k = 3."] : ["As printed, it comes no closer in these iterations."]];
}

function hasTau({ features }: Settings): boolean {
  return features === "threepoint" || features === "slider";
}

/** Whether four times the rows can be asked for and would keep the theorem's constant, which is for fresh rows: not where estimated moments, or what stands in for their inverse, decide. */
function scales(values: Settings, n: number): boolean {
  const isClear = !hasTau(values) || values.tau >= 1 / Math.sqrt(n);
  return values.batches === "fresh" && values.inverse !== "pseudo" && isClear && 4 * values.rows <= MOST && !isLimited(4 * values.rows, values.d, values.k, TEST);
}

/** About how long the runs take. */
function seconds(values: Settings, engines: number): number {
  const { n, test, d, k, iterations } = spec(values, "gfm");
  const draws = values.batches === "fresh" ? iterations : 1;
  const numbers = n * d * (draws * PER_DRAW + iterations * (k + 2) * PER_NUMBER) + test * d * iterations * k * PER_NUMBER;
  return Math.ceil(RUNS.length / Math.max(1, engines)) * numbers;
}

function linesOf(numbers: Numbers): Line[] {
  const measured = RUNS.map((which): Line => ({ ...keys[which], x: numbers.courses[which].iteration, y: numbers.courses[which].errors }));
  return [...measured.filter(({ y }) => y.length > 0), ...reference(numbers)];
}

/** The long run that iFM tends to, back from its last record and so beside the end of its curve, while that is below its start. */
function reference({ floor, courses: { ifm: { iteration, errors, begins } } }: Numbers): Line[] {
  const end = lastAbove(errors);
  if (!(floor > 0) || end <= 2) return [];
  const level = (i: number): number => (errors[end] ?? Number.NaN) * floor ** (i - end);
  const places = Array.from({ length: end - 1 }, (_, i) => i + 2).filter((i) => level(i) <= begins);
  return [{ ...floorKey, x: places.map((i) => iteration[i] ?? Number.NaN), y: places.map(level) }];
}

/** Before the question is answered the run as printed is left out. */
function drawing(numbers: Numbers, isRevealed: boolean): Drawing | null {
  const { iterations } = numbers.settings;
  const all = linesOf(numbers).filter(({ name }) => isRevealed || name !== words.name.printed);
  const y = logScale(words.axis, all.flatMap((line) => line.y), { top: 1, bottom: -4, deepest: DEEPEST });
  return y && { lines: all, x: { domain: [0, iterations], ticks: multiples(Math.max(1, Math.ceil(iterations / 12)), 0, iterations), label: "iteration", format: String }, y, at: words.at };
}

export const algorithm = chapter({
  id: "algorithm",
  words,
  settings: declared,
  display: ["ranks"],
  work: jobs(planned, isResult),
  read,
  answer: ({ fate }) => fate,
  reason: (numbers) => (numbers.fate === "grows" ? words.term : brief(numbers)),
  told,
  explains(numbers) {
    const { fate, courses: { gfm, ifm } } = numbers;
    return fate === "grows" ? [brief(numbers), ...(gfm.ends < ifm.ends && (gfm.errors[1] ?? 0) > (ifm.errors[1] ?? 0) ? [words.pace] : [])] : [];
  },
  cost: ({ values, pool }) => `${counted(RUNS.length, "run")}, ${duration(seconds(values, pool.size))}.`,
  live: ({ settings: ran }) => words.live(ran, spec(ran, "gfm").n),
  picture: (numbers, { revealed, run: { phase } }) => html`${legend([...RUNS.map((which) => (!revealed && which === "printed" ? { ...keys[which], name: words.guess } : keys[which])), floorKey])}
    ${lineChart({ heading: words.heading, drawing: drawing(numbers, revealed), waiting: waiting[phase] })}`,
  details: () => formulary(formulas.moments, formulas.floor),
  after: (numbers, shown) => html`${table(
      "What an iteration multiplies the error by",
      ["Run", "measured", "× √(n ÷ kd)", words.floor],
      RUNS.map((which) => {
        const { rate: pace } = numbers.courses[which];
        return html`<tr class=${which === "ifm" ? "ifm" : "gfm"}>
          <th scope="row">${words.name[which]}</th>
          <td data-rate=${which} data-value=${pace}>${number(pace)}</td>
          <td>${which === "gfm" || which === "centred" ? number(pace * numbers.shape) : "–"}</td>
          <td data-value=${which === "ifm" ? numbers.floor : nothing}>${which === "ifm" ? number(numbers.floor) : "–"}</td>
        </tr>`;
      }),
      { note: html`<p class="note">Measured from iteration 2, for iFM over the last half. Iterations whose error is below 10⁻¹² of the first do not count. The theorem’s rate falls as 1/√n, so rate × √(n ÷ kd) should be the same for every n. gFM’s true model has a diagonal, iFM’s has none.</p>` },
    )}
    <ifm-iteration .pool=${shown.pool} .seed=${shown.values.seed}></ifm-iteration>
    ${followup(ranks, shown)}`,
});
