// Chapter "diagonal": what gFM recovers, and what it predicts, as its columns come
// near to two values; iFM, which has no diagonal, beside it.
import { html, type TemplateResult } from "lit";
import type { Point } from "../../engine/protocol.js";
import { table } from "../../panel/panel.js";
import { encode, type Spec } from "../../state/spec.js";
import { drawn } from "../../state/strings.js";
import { cell, count, number } from "../../text/format.js";
import { quantity, say, sentences, type Phrase } from "../../text/phrase.js";
import { counted, list, short } from "../../text/strings.js";
import { cells } from "../chapter/cells.js";
import { cycle } from "../chapter/cycle.js";
import { decadesOf, logScale, place } from "../chapter/decades.js";
import { chapter, formulary, type Run } from "../chapter/definition.js";
import { formulas } from "../chapter/formulas.gen.js";
import { lineChart, type Drawing, type Line } from "../../charts/lines.js";
import { legend, looks } from "../../charts/looks.js";
import { diverged, isResult, last, median, refused, rising, succeeded, SUCCESS } from "../chapter/measure.js";
import { pointAt, sweep, trialsAt } from "../chapter/points.js";
import { over, type Track } from "../chapter/runner.js";
import { choice, floats, int, seed, settings, specOf, type ValuesOf } from "../chapter/settings.js";
import { labels, runs, waiting } from "../chapter/strings.js";
import "../followups/element.js";
import { followup } from "../followups/followup.js";
import { laws, least, type Law } from "../followups/least.js";
import "./columns.js";
import "./distribution.js";
import { families, shapeAt, type Family } from "./shape.js";

/** Training rows, in units of d·k. */
const rows = (ratio: number): string => `n = ${number(ratio, 2).replace(/\.0$/, "")} dk`;

const words = {
  guesses: { nothing: "Nothing to speak of", matrix: "Its matrix, not its predictions", both: "Its matrix and its predictions" },
  source: "Definition 2 (moment invertibility), Theorem 3 and Proposition 1 of the paper. The proof of Proposition 1 holds for the diagonal alone.",
  lead: "gFM is like iFM, but it also has a weight for the square of each column x. τ is the variance of x² that a straight line in x leaves unexplained: 2 for Gaussian columns, 0 if all values are ±1.",
  squares: ["The nearer to ±1, the more nearly a column’s square is the same in every row. So the rows tell less and less about the square’s weight (the diagonal of gFM’s matrix M), and predictions hardly need it."] as Phrase,
  hidden: ["iFM predicts without a diagonal, so it has none to lose."] as Phrase,
  honest: [
    "Gradient descent, the default here, learns the diagonal more slowly if τ is smaller. Algorithm 1, the paper’s method, divides by τ. Here it is given the true moments and new rows in each iteration, and a real table offers neither. Theorem 3 assumes new rows, too, but estimated moments.",
    "The paper’s Proposition 1 says that at τ = 0 gFM cannot be learned. Its argument shows only that the rows do not tell the diagonal. But they determine the rest of M, and if the rank is low, the diagonal may follow from the rest. So part of what gFM loses here comes from the solver, not from the model. iFM has no diagonal and no τ to divide by. The true model of gFM’s runs has a diagonal, that of iFM’s runs has none.",
  ],
  cost: (n: number) => `${counted(n, "run")}, ${n > 400 ? "a minute or more" : "some seconds"}.`,
  x: "τ",
  shown: { both: "both errors", errorM: "error of M", errorW: "error of w", rmse: "test RMSE" },
  title: "Errors of M and of predictions, by τ",
  heading: { both: "‖M − M*‖ / ‖M*‖ and test RMSE ÷ sd of y", errorM: "‖M − M*‖ / ‖M*‖", errorW: "‖w − w*‖ / ‖w*‖", rmse: "test RMSE ÷ sd of y" },
  part: { errorM: (name: string) => `${name}: error of M`, rmse: (name: string) => `${name}: test RMSE` },
  line: (name: string, ratio: number) => `${name}, ${rows(ratio)}`,
  live: ({ features, d, k, trials, solver, batches, moments, inverse, seed }: Settings, whole: boolean) =>
    `${[drawn.features[features], `d = ${d}`, `k = ${k}`, `seed ${seed}`].join(", ")}; ${runs.over("median", trials, whole)}; solver: ${labels.options[solver]}${solver === "algorithm1" ? `, ${batches === "fresh" ? "fresh rows each iteration" : "one batch reused"}, ${moments} moments${inverse === "pseudo" ? ", pseudo-inverse" : ""}` : ""}.`,
};

const MODELS = ["gfm", "ifm"] as const;
type Model = (typeof MODELS)[number];

/** What of an ending is shown. */
type Measure = "errorM" | "errorW" | "rmse";
type Look = Measure | "both";
const BOTH = ["errorM", "rmse"] as const;

/** Iterations that each solver is given unless the reader says otherwise: few of Algorithm 1, whose rows are drawn anew for each. */
const ENOUGH: Partial<Record<Spec["solver"], number>> = { agd: 100, "gauss-newton": 60, algorithm1: 25 };

const DEEPEST = 16; // decades drawn at most
const PREDICTS = 0.05; // of the targets' sd, at most, to be called good
const WORSE = 3; // times as large: a larger error, not another draw of the same
const MOST = 2; // the τ of slider columns that are Gaussian

const declared = settings({
  features: choice<Family>("slider", families),
  taus: floats([2, 0.5, 0.1, 0.02, 0.005, 0.001, 0], 0, 20, 10),
  ratios: floats([10, 30], 1, 500, 4),
  d: int(24, 2, 100),
  k: int(2, 1, 10),
  trials: int(3, 1, 50),
  iterations: int(100, 1, 500),
  solver: choice<Spec["solver"]>("agd", ["agd", "algorithm1", "gauss-newton"]),
  batches: choice<Spec["batches"]>("fresh", ["fresh", "reused"]),
  moments: choice<Spec["moments"]>("true", ["estimated", "true"]),
  inverse: choice<Spec["inverse"]>("refuse", ["refuse", "pseudo", "divide"]),
  seed: seed(),
  law: choice<Law>("true", laws), // of the second picture
});
type Settings = ValuesOf<typeof declared>;

/** What the trials of a model at a τ and a number of rows came to. */
interface End {
  readonly over: number; // trials that came to an end
  readonly refused: number; // of them, for their τ
  readonly diverged: number;
  readonly isRecovered: boolean; // in every trial
  readonly values: Readonly<Record<Measure, readonly number[]>>; // of those that have a model
  readonly middle: Readonly<Record<Measure, number>>; // their medians; NaN without one
  readonly n: number; // training rows
}

/** Where a model ends at the smallest and the largest τ at which gFM has a model, with the most rows. */
interface Span {
  readonly least: number; // τ
  readonly most: number;
  readonly near: End["middle"]; // gFM's at the least
  readonly far: End["middle"];
  readonly isWorse: boolean; // the error of M at the least
  readonly isHidden: boolean; // it does not show in predictions
}

/** What the chapter reads in its runs. */
type Numbers = ReturnType<typeof read>;

/** The sweep of one model: gFM on a truth whose diagonal is kept, iFM on one without. */
function spec(values: Settings, model: Model): Spec {
  return specOf({ ...values, sweep: "tau", scenario: "psd", truth: "orthonormal", diagonal: model === "gfm" ? "kept" : "zero", models: [model], test: 1000 });
}

function read({ settings: values, plan, tracks }: Run<Settings, readonly Point[]>) {
  const points = plan ?? [];
  const ends = MODELS.map((_, i) => points.map(({ n }, at) => endOf(trialsAt(tracks, points, at, MODELS.length, i), n)));
  const most = Math.max(...values.ratios);
  const end = (model: Model, tau: number, ratio = most): End => ends[MODELS.indexOf(model)]?.[pointAt(points, ratio, "tau", tau)] ?? endOf([]);
  return {
    settings: values,
    ratio: most, // the most rows, in units of d·k
    end, // of the most rows where no number is given
    span: spanOf(values.taus.filter((tau) => end("gfm", tau).values.errorM.length > 0), (tau) => end("gfm", tau)), // null where gFM has no model
    gfm: endOf(tracks.filter((_, i) => i % MODELS.length === 0)), // all its runs
    limited: points.filter(({ clipped }) => clipped).length, // points with other rows than asked for
  };
}

function endOf(tracks: readonly Track[], n = Number.NaN): End {
  const of = (measure: Measure): number[] => tracks.filter(({ done }) => done).map((track) => valueOf(track, measure)).filter((v) => Number.isFinite(v));
  const values = { errorM: of("errorM"), errorW: of("errorW"), rmse: of("rmse") };
  return {
    over: tracks.filter(over).length,
    refused: tracks.filter(refused).length,
    diverged: tracks.filter(diverged).length,
    isRecovered: tracks.length > 0 && tracks.every(succeeded),
    values,
    middle: { errorM: median(values.errorM), errorW: median(values.errorW), rmse: median(values.rmse) },
    n,
  };
}

function valueOf(track: Track, measure: Measure): number {
  return measure === "rmse" ? last(track.test) / (track.started?.mean ?? Number.NaN) : last(track[measure]);
}

function spanOf(taus: readonly number[], end: (tau: number) => End): Span | null {
  if (taus.length === 0) return null;
  const [least, most] = [Math.min(...taus), Math.max(...taus)];
  const [near, far] = [end(least).middle, end(most).middle];
  return { least, most, near, far, isWorse: near.errorM > WORSE * far.errorM && near.errorM >= SUCCESS, isHidden: near.rmse < PREDICTS && near.errorM > 2 * near.rmse };
}

/** Whether gFM has no model in most trials. */
function isLost({ over, refused, diverged }: End): boolean {
  return refused + diverged > over / 2;
}

/** What gFM loses where τ is smallest, against where it is largest. */
function answer({ settings: { taus }, end, span }: Numbers): string | null {
  const nearest = Math.min(...taus);
  if (span === null || nearest === span.most || end("gfm", nearest).over === 0) return null;
  if (isLost(end("gfm", nearest))) return "both";
  return !span.isWorse ? "nothing" : span.isHidden ? "matrix" : "both";
}

function brief(numbers: Numbers): Phrase {
  const { settings: { taus }, end, span } = numbers;
  const nearest = Math.min(...taus);
  const { over, refused, diverged } = end("gfm", nearest);
  if (answer(numbers) === null || span === null) return [];
  if (isLost(end("gfm", nearest))) return say`At τ = ${cell(nearest)} gFM was refused or diverged in ${quantity("gfm", refused + diverged, count(refused + diverged))} of ${counted(over, "run")}.`;
  const { least, most, near, far } = span;
  return say`gFM at τ = ${cell(most)}: M off by ${quantity("gfm", far.errorM)}, predictions by ${quantity("gfm", far.rmse)} sd. At τ = ${cell(least)}: M by ${quantity("gfm", near.errorM)}, predictions by ${quantity("gfm", near.rmse)} sd.`;
}

function told(numbers: Numbers, look: string): Phrase {
  const { settings: { taus, solver, moments }, ratio, end, gfm, limited } = numbers;
  const gone = rising(taus).reverse().filter((tau) => {
    const { over, refused, diverged } = end("gfm", tau);
    return over > 0 && refused + diverged === over;
  });
  const isAlgorithm = solver === "algorithm1";
  return sentences([
    ...learnt(numbers, look),
    gone.length > 0 && say`At τ = ${list(gone.map((tau) => [cell(tau)]))} no run of gFM with ${rows(ratio)} came to an end: every one diverged or was refused, so it has neither M nor predictions there.`,
    isAlgorithm ? reach(numbers) : [],
    gfm.diverged > 0 && [`${count(gfm.diverged)} of gFM’s ${counted(gfm.over, "run")} diverged.`],
    gfm.refused > 0 && runs.refusals(gfm.refused, gfm.over, moments === "true"),
    isAlgorithm && gfm.refused + gfm.diverged > 0 && ["Is it the model or the solver? Choose Gauss–Newton in the settings, which does not divide by τ, and run again. Then only τ = 0 is left with an error, in M and not in the test RMSE."],
    limited > 0 && runs.limited(limited, "pair of τ and n", "pairs of τ and n"),
  ]);
}

/** What the largest and the smallest τ at which gFM has a model tell. */
function learnt({ settings: { taus, solver, iterations }, ratio, end, span }: Numbers, look: string): readonly (Phrase | false)[] {
  if (span === null) return [];
  const { least, most, near, far, isWorse, isHidden } = span;
  const ifm = (tau: number): number => end("ifm", tau).middle.errorM;
  if (least === most) return [say`With ${rows(ratio)} and τ = ${cell(least)}, gFM’s error of M is ${quantity("gfm", near.errorM)}, iFM’s ${quantity("ifm", ifm(least))}. ${taus.length > 1 ? "At no other τ did gFM come to an end." : "Give more than one τ to see what it changes."}`];
  const rmse = quantity("gfm", near.rmse);
  return [
    say`With ${rows(ratio)}, gFM’s error of M is ${quantity("gfm", far.errorM)} at τ = ${cell(most)} and ${quantity("gfm", near.errorM)} at τ = ${cell(least)}.`,
    Number.isFinite(ifm(least)) && Number.isFinite(ifm(most)) && say`iFM’s error of M is ${quantity("ifm", ifm(most))} and ${quantity("ifm", ifm(least))}.`,
    !isWorse && ["So gFM loses nothing to speak of here: it finds M within 1 %, or as well as far from ±1."],
    isWorse && isHidden && say`Yet at τ = ${cell(least)} gFM predicts well, with a test RMSE of ${rmse} sd${look === "both" ? ": its two lines separate" : ""}. The error is on the diagonal, which hardly affects predictions there.`,
    isWorse && !isHidden && say`gFM’s test RMSE at the smaller τ is ${rmse} sd.`,
    isWorse && isHidden && least === 0 && solver === "gauss-newton" && ["Which diagonal it ends at is chance: others fit these rows exactly as well."],
    isWorse && isHidden && solver === "agd" && [`Gradient descent learns the diagonal slowly if τ is small: ${counted(iterations, "iteration")} are too few. Algorithm 1, in the settings, divides by τ. For Gauss–Newton only τ = 0 is too small.`],
  ];
}

/** For each number of rows the smallest τ down to which gFM finds the truth in every trial, and what has to be large there: τn where moments are known, τ√n where estimated ones are refused below 1/√n. */
function reach({ settings: { taus, ratios, moments }, end }: Numbers): Phrase {
  const isKnown = moments === "true";
  const all = rising(ratios).flatMap((ratio) => {
    const ordered = rising(taus);
    const tau = ordered[ordered.findLastIndex((tau) => !end("gfm", tau, ratio).isRecovered) + 1];
    if (tau === undefined || tau === 0) return [];
    const { n } = end("gfm", tau, ratio);
    const large = tau * (isKnown ? n : Math.sqrt(n));
    return [{ tau, text: say`down to τ = ${quantity("gfm", tau, cell(tau))} with ${rows(ratio)} (${isKnown ? "τn" : "τ√n"} = ${quantity("none", large, number(large, 2))})` }];
  });
  const [first, final] = [all[0], all.at(-1)];
  return first && final ? say`gFM still finds M within 1 % in every trial ${list(all.map(({ text }) => text))}${final.tau < first.tau ? ": more rows reach further down" : ""}.` : [];
}

/** A measure of a model with a number of rows: a line of the chart, or a column of the table. */
interface Series {
  readonly model: Model;
  readonly ratio: number;
  readonly measure: Measure;
  readonly name: string;
}

/** The lines: of each model one measure for every number of rows, or, for the most of them, what it recovers beside what it predicts. */
function linesOf({ settings: { ratios, trials, taus }, ratio, end }: Numbers, look: Look): Line[] {
  const series = (model: Model): Series[] => (look === "both" ? BOTH.map((measure) => ({ model, ratio, measure, name: words.part[measure](short[model]) })) : ratios.map((ratio) => ({ model, ratio, measure: look, name: words.line(short[model], ratio) })));
  return MODELS.flatMap(series).map(({ model, ratio, measure, name }, i, { length }): Line => {
    const all = rising(taus).map((tau) => ({ x: place(tau, taus), values: end(model, tau, ratio).values[measure] })).filter(({ values }) => values.length > 0);
    const over = (reduce: (values: readonly number[]) => number): number[] => all.map(({ values }) => reduce(values));
    const band = trials > 1 ? { low: over((v) => Math.min(...v)), high: over((v) => Math.max(...v)) } : {};
    return { ...looks[model], dash: cycle(i % (length / MODELS.length)).dash, name, x: all.map(({ x }) => x), y: over(median), ...band };
  });
}

function drawing({ settings: { taus } }: Numbers, lines: readonly Line[], look: Look): Drawing | null {
  const y = logScale(look === "both" ? "error of M, or RMSE" : words.heading[look], lines.flatMap(({ y, low = [], high = [] }) => [...y, ...low, ...high]), { top: 0, bottom: -3, deepest: DEEPEST });
  if (!y) return null;
  const axis = decadesOf(rising(taus), cell);
  return {
    lines,
    x: { ...axis, label: words.x },
    y,
    at: (x) => `τ = ${axis.format(x)}`,
  };
}

/** How the runs of each point ended: the error of M for every number of rows where both are drawn, and beside it the RMSE of the most. */
function endings({ settings: { ratios, taus, trials }, ratio: most, end }: Numbers, look: Look): TemplateResult {
  const columns = MODELS.flatMap((model) =>
    ratios.flatMap((ratio): Series[] => {
      const name = words.line(short[model], ratio);
      if (look !== "both") return [{ model, ratio, measure: look, name }];
      return BOTH.filter((measure) => measure === "errorM" || ratio === most).map((measure) => ({ model, ratio, measure, name: words.part[measure](name) }));
    }),
  );
  const cellOf = (tau: number, { model, ratio, measure }: Series): TemplateResult => {
    const { middle, refused, diverged } = end(model, tau, ratio);
    const value = middle[measure];
    const parts = [...(Number.isNaN(value) ? [] : [number(value)]), ...(refused > 0 ? [refused === trials ? "refused" : `${count(refused)} of ${count(trials)} refused`] : []), ...(diverged > 0 ? [diverged === trials ? "diverged" : `${count(diverged)} of ${count(trials)} diverged`] : [])];
    return html`<td data-cell="${model} ${ratio} ${tau}${look === "both" && measure === "rmse" ? " rmse" : ""}" data-value=${value} data-refused=${refused}>${parts.join("; ") || "–"}</td>`;
  };
  return table(`${words.heading[look]} at the end, median over trials`, [words.x, ...columns.map(({ name }) => name)], rising(taus).reverse().map((tau) => html`<tr><th scope="row">${cell(tau)}</th>${columns.map((column) => cellOf(tau, column))}</tr>`));
}

/** What the run says of the τ nearest to that of the column that is looked at, with the most rows. */
function beside({ settings: { taus }, ratio, end }: Numbers, here: number): string {
  const off = (tau: number): number => Math.abs(place(tau, taus) - place(here, taus));
  const ended = taus.filter((tau) => MODELS.every((model) => end(model, tau).over > 0));
  if (ended.length === 0) return "";
  const closest = ended.reduce((best, tau) => (off(tau) < off(best) ? tau : best));
  const error = (model: Model): string => {
    const { errorM } = end(model, closest).middle;
    return Number.isNaN(errorM) ? "none" : number(errorM);
  };
  return `The upright dashed line in the chapter’s first chart is this column. In the run with the nearest τ (${cell(closest)}) and ${rows(ratio)}, the error of M is ${error("gfm")} for gFM, ${error("ifm")} for iFM.`;
}

export const diagonal = chapter({
  id: "diagonal",
  words,
  settings: declared,
  display: ["law"],
  look: { name: "shown", label: "Show", options: words.shown, initial: "both" },
  work: cells<Settings, readonly Point[]>({
    plan: (values, pool) => sweep(pool, MODELS.map((model) => encode(spec(values, model))), values.trials),
    expects: isResult,
  }),
  smallest: ({ settings: { trials }, plan }) => ({ runs: (plan ?? []).length * MODELS.length, trials }), // a trial of every pair of τ and n
  inputs: () => declared.inputs.filter(({ key }) => key !== "law"),
  adjust(values, _, key) {
    const taus = values.features === "slider" ? [...new Set(values.taus.map((tau) => Math.min(tau, MOST)))] : values.taus;
    return { ...values, taus, iterations: key === "solver" ? (ENOUGH[values.solver] ?? values.iterations) : values.iterations };
  },
  read,
  answer,
  reason: (numbers) => (answer(numbers) === "matrix" ? words.squares : brief(numbers)),
  told,
  explains: (numbers) => (answer(numbers) === "matrix" ? [brief(numbers), words.hidden] : []),
  cost: ({ values: { trials, taus, ratios } }) => words.cost(MODELS.length * trials * taus.length * ratios.length),
  live: ({ settings, whole }) => words.live(settings, whole),
  picture(numbers, { revealed, run: { phase }, values: { features }, look, position }) {
    const shown = look as Look;
    const { settings: { taus } } = numbers;
    const all = linesOf(numbers, shown).filter(({ colour }) => revealed || colour !== "gfm");
    const here = shapeAt(features, position).tau;
    return html`
      ${legend(all)}
      ${lineChart({
        heading: shown === "both" ? words.title : words.heading[shown],
        drawing: drawing(numbers, all, shown),
        waiting: waiting[phase],
        mark: here > Math.max(...taus) * (1 + 1e-9) ? Number.NaN : place(here, taus), // where the chart reaches
      })}
    `;
  },
  details: () => formulary(formulas.tau, formulas.slider),
  after: (numbers, shown) => html`
    ${endings(numbers, shown.look as Look)}
    <ifm-distribution
      .family=${shown.values.features}
      .position=${shown.position}
      .beside=${beside(numbers, shapeAt(shown.values.features, shown.position).tau)}
      @family=${(e: CustomEvent<Family>) => shown.change("features", e.detail)}
      @position=${(e: CustomEvent<number>) => shown.move(e.detail)}
    ></ifm-distribution>
    ${followup(least, shown)}
    <section class="holds" aria-labelledby="diagonal-holds">
      <h3 id="diagonal-holds">The solver’s trouble and the model’s</h3>
      ${words.honest.map((paragraph) => html`<p class="about">${paragraph}</p>`)}
    </section>
    <ifm-columns .table=${shown.brought.table} ?framed=${shown.framed}></ifm-columns>
  `,
});
