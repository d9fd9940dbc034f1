// Chapter "psd": Figure 1 of the paper. Three truths, FM and iFM, mean and band
// over trials.
import { html, type TemplateResult } from "lit";
import { lineChart, type Drawing, type Line, type Scale } from "../../charts/lines.js";
import { legend, looks } from "../../charts/looks.js";
import { multiples, roundUp } from "../../charts/ticks.js";
import { table } from "../../panel/panel.js";
import { encode, type Spec } from "../../state/spec.js";
import { count, number, percent } from "../../text/format.js";
import { quantity, say, sentences, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted, duration, list, short } from "../../text/strings.js";
import { jobs } from "../chapter/cells.js";
import { logScale } from "../chapter/decades.js";
import { chapter, formulary, type Run, type Shown } from "../chapter/definition.js";
import { formulas } from "../chapter/formulas.gen.js";
import { average, last, meanOf, recordOf, type Mean } from "../chapter/measure.js";
import type { Job, Track } from "../chapter/runner.js";
import { choice, float, floats, int, isLimited, rowsOf, seed, settings, specOf, type ValuesOf } from "../chapter/settings.js";
import { labels, runs, waiting } from "../chapter/strings.js";
import "../followups/element.js";
import { followup } from "../followups/followup.js";
import { start } from "../followups/start.js";

const SCENARIOS = ["psd", "flipped", "mixed"] as const;
const MODELS = ["fm", "ifm"] as const;
type Scenario = (typeof SCENARIOS)[number];
type Model = (typeof MODELS)[number];

const truth: Readonly<Record<Scenario, string>> = { psd: "with the targets as they are", flipped: "with flipped targets", mixed: "with patterns of both signs" };
const keys = recordOf(MODELS, (model) => ({ ...looks[model], name: short[model] }));

const words = {
  guesses: { same: "Nothing: it learns −y just as easily", worse: "It grows, but FM still learns something", stuck: "FM learns nearly nothing" },
  source: "Figure 1 of the paper: d = 100, k = 5, 10 trials. “Run all” runs all of it. The paper plots the RMSE itself.",
  lead: "FM and iFM are trained on the same rows twice: with each target as it is, then with its sign flipped.",
  heading: { psd: "Target as it is: error ÷ a straight-line fit’s", flipped: "Target flipped: error ÷ a straight-line fit’s", mixed: "Both signs: error ÷ a straight-line fit’s" } satisfies Record<Scenario, string>,
  row: { psd: "(a) as it is, UUᵀ", flipped: "(b) flipped, −UUᵀ", mixed: "(c) both signs, UVᵀ" } satisfies Record<Scenario, string>,
  scales: { linear: "linear", log: "log" },
  y: "test RMSE ÷ a straight-line fit’s",
  at: (iteration: number) => `Iteration ${count(iteration)}`,
  guess: "FM: ?",
  brief: (before: Quantity, after: Quantity): Phrase => say`FM’s error ends at ${before} of a straight-line fit’s before the flip and at ${after} after it.`,
  bias: (after: Quantity): Phrase => say`FM’s strengths are never below zero. This is the PSD (positive semidefinite) bias. After the flip every true strength is below zero, and FM’s error ends at ${after} of a straight-line fit’s${after.value > 1 ? ": the little it learned fits only the training rows" : ""}. `,
  before: (fm: Quantity): Phrase => say`Before the flip it ends at ${fm}.`,
  suits: (fm: Quantity, ifm: Quantity): Phrase => say`Before the flip this bias helps, and FM is far better than iFM: ${fm} against ${ifm}.`,
  lists: ["iFM multiplies numbers of two lists. If one list flips its signs, every pair flips, so iFM’s two curves are equal to the last digit."] as Phrase,
  ends: (of: (model: Model, scenario: Scenario) => Quantity): Phrase =>
    say`Errors at the end, as shares of a straight-line fit’s: FM ${of("fm", "psd")} ${truth.psd}, ${of("fm", "flipped")} ${truth.flipped}, ${of("fm", "mixed")} ${truth.mixed}. iFM: ${of("ifm", "psd")}, ${of("ifm", "flipped")} and ${of("ifm", "mixed")}.`,
  live: (ran: Settings, whole: boolean) =>
    `${[runs.rows(spec(ran, "psd").n, isLimited(ran.rows, ran.d, ran.k, ran.test)), counted(ran.test, "test row"), `d = ${ran.d}`, `k = ${ran.k}`, `seed ${ran.seed}`].join(", ")}; ${runs.over("mean", ran.trials, whole)}; solver: ${labels.options[ran.solver]}.`,
};

const DEPTH = 12; // decades of the log axis, before there is data below them
const DEEPEST = 18; // decades drawn at most
const UNLEARNT = 0.75; // of what a linear model leaves: an ending above it has not learnt the interactions
const STUCK = 0.9; // and one above it explains less than a fifth of their variance
const TIGHT = 0.1; // of what a linear model leaves: an ending below it has found the truth, and only its pace is left to explain
const FAR = 10; // times as large: an error that the pictures show far above another
const EXACT = 1e-9; // of what a linear model leaves: below it is rounding
const PER_NUMBER = 0.75e-9; // s, for one number of the design and one column of the factors in one iteration, with SIMD

const declared = settings({
  d: int(100, 2, 300),
  k: int(5, 1, 20),
  rows: float(30, 0.5, 200), // of training, in units of d·k
  test: int(10000, 10, 50000),
  trials: int(10, 1, 50),
  iterations: int(100, 1, 2000),
  solver: choice<Spec["solver"]>("agd", ["agd", "gauss-newton", "scaled", "auto"]),
  starts: floats([0.01, 1, 10, 100, 1000], 1e-6, 1e6, 8), // of the follow-up
  seed: seed(),
});
type Settings = ValuesOf<typeof declared>;

/** What a model makes of a truth. */
interface Fit {
  readonly mean: Mean;
  readonly left: number; // RMSE at the end ÷ what a linear model leaves, mean over the trials that are over; NaN before
}

/** What the chapter reads in its runs. */
type Numbers = ReturnType<typeof read>;

/** The run of one panel. */
function spec({ rows, starts: _, ...shared }: Settings, scenario: Scenario): Spec {
  return specOf({ ...shared, scenario, models: MODELS, n: rowsOf(rows, shared.d, shared.k, shared.test) });
}

function planned(values: Settings): Job[] {
  const queries = recordOf(SCENARIOS, (scenario) => encode(spec(values, scenario)));
  return Array.from({ length: values.trials }, (_, trial) =>
    SCENARIOS.flatMap((scenario) => MODELS.map((_, model): Job => ({ query: queries[scenario], cell: trial * MODELS.length + model, group: `${scenario} ${trial}`, begins: model === 0 ? ["theory"] : [] }))),
  ).flat();
}

function read({ settings: values, tracks }: Run<Settings>) {
  const panels = SCENARIOS.length * MODELS.length;
  const trials = (scenario: Scenario, model: Model): Track[] => tracks.filter((_, i) => i % panels === SCENARIOS.indexOf(scenario) * MODELS.length + MODELS.indexOf(model));
  const [a, b] = [trials("psd", "ifm"), trials("flipped", "ifm")];
  return {
    settings: values,
    fits: recordOf(SCENARIOS, (scenario) => {
      const linear = trials(scenario, "fm").map(({ theory }) => theory?.secondOrder ?? Number.NaN);
      return recordOf(MODELS, (model): Fit => {
        const all = trials(scenario, model);
        const shares = all.map((track, i) => ({ ...track, test: linear[i] ? track.test.map((v) => v / (linear[i] ?? Number.NaN)) : [] }));
        return { mean: meanOf(shares, values.iterations), left: average(shares.flatMap(({ done, test }) => (done ? [last(test)] : []))) };
      });
    }),
    most: Math.max(...tracks.slice(0, panels).flatMap(({ started, theory }) => (started && theory ? [started.mean / theory.secondOrder] : []))), // what the mean of the targets leaves, the most of the three truths; −∞ before it is known
    isSame: a.every((track, trial) => track.done && track.test.length === b[trial]?.test.length && track.test.every((v, i) => v === b[trial]?.test[i])), // iFM's curves in (a) and (b), bit for bit
  };
}

/** Where FM ends on the flipped truth. */
function answer({ fits: { flipped, psd } }: Numbers): string | null {
  const [before, after] = [psd.fm.left, flipped.fm.left];
  if (Number.isNaN(after) || Number.isNaN(before) || before > UNLEARNT) return null;
  return after > STUCK ? "stuck" : after > 3 * before ? "worse" : "same";
}

function reason(numbers: Numbers): Phrase {
  if (answer(numbers) === null) return [];
  const { psd, flipped } = numbers.fits;
  const [before, after] = [share("fm", psd.fm.left), share("fm", flipped.fm.left)];
  if (answer(numbers) === "same") return words.brief(before, after);
  return [...words.bias(after), ...(FAR * psd.fm.left < psd.ifm.left ? words.suits(before, share("ifm", psd.ifm.left)) : words.before(before))];
}

/** An error as a share of what a linear model leaves. */
function share(model: Model, left: number): Quantity {
  return quantity(model, left, Number.isNaN(left) ? "no result" : left < EXACT ? "0 %" : percent(left));
}

/** What the log axis shows. */
function told(numbers: Numbers): Phrase {
  const { settings: { solver }, fits, isSame } = numbers;
  const { mean: { y }, left } = fits.psd.ifm;
  const end = y.length - 1;
  const half = Math.floor(end / 2);
  const factor = (y[half] ?? Number.NaN) / (y[end] ?? Number.NaN);
  const isSlow = (solver === "agd" || solver === "scaled") && end >= 20 && factor >= 1.5 && factor <= 3 && left < TIGHT;
  return sentences([
    fits.psd.fm.left > UNLEARNT && ["FM does not learn the unflipped truth either, so this run cannot show what the sign does. Try more rows or iterations."],
    words.ends((model, scenario) => share(model, fits[scenario][model].left)),
    above(numbers),
    isSame && ["iFM’s two curves are the same bit for bit: flip y, and V flips with it."],
    isSlow && say`iFM’s error still falls by a factor of ${quantity("ifm", factor, number(factor, 2))} between iterations ${count(half)} and ${count(end)}, roughly as 1/t. If all patterns have one sign, half of iFM’s factors are superfluous, and that slows learning.`,
  ]);
}

/** What ends above what a linear model leaves: for want of rows, or of iterations where it still falls. */
function above({ settings: values, fits }: Numbers): Phrase {
  const worse = SCENARIOS.flatMap((scenario) => MODELS.flatMap((model) => (fits[scenario][model].left > 1 ? [{ name: `${short[model]} ${truth[scenario]}`, ...fits[scenario][model].mean }] : [])));
  if (worse.length === 0) return [];
  const isFalling = worse.every(({ y }) => last(y) < 0.9 * (y[Math.floor((y.length - 1) / 2)] ?? Number.NaN));
  const names = list(worse.map(({ name }) => [name]));
  const [end, fall] = worse.length === 1 ? ["ends", "falls"] : ["end", "fall"];
  const [n, what, still] = isFalling ? ([values.iterations, "iteration", `, and still ${fall}`] as const) : ([spec(values, "psd").n, "training row", ""] as const);
  return say`${names} ${end} above 100 %, worse than without interactions${still}: ${isFalling ? `${counted(n, what)} ${n === 1 ? "is" : "are"} too few` : `part of what was learned from ${counted(n, what)} is chance`}.`;
}

/** One for the three, known from the first trial; the log axis grows down to where the lines and their bands end. */
function axis({ settings: { iterations }, most }: Numbers, all: readonly Line[], look: string): Scale | null {
  if (most === -Infinity) return null;
  if (look === "log") {
    const heights = all.flatMap(({ y, low = [] }) => [...y, ...low]).filter((v) => v < most);
    return logScale(words.y, [most, ...heights], { bottom: Math.ceil(Math.log10(most)) - Math.min(DEPTH, 4 + Math.ceil(iterations / 8)), deepest: DEEPEST });
  }
  return { type: "linear", domain: [0, 1.12 * most], ticks: multiples(roundUp(most / 5), 0, 1.12 * most), label: words.y, format: String };
}

function linesOf(fits: Numbers["fits"][Scenario]): Line[] {
  return MODELS.flatMap((model) => {
    const { x, y, low, high, trials } = fits[model].mean;
    return x.length > 0 ? [{ ...keys[model], x, y, ...(trials > 1 ? { low, high } : {}) }] : [];
  });
}

function endings({ fits }: Numbers): TemplateResult {
  const rows = SCENARIOS.map(
    (scenario) => html`<tr>
      <th scope="row">${words.row[scenario]}</th>
      ${MODELS.map((model) => html`<td data-ending="${model} ${scenario}" data-value=${fits[scenario][model].left}>${number(fits[scenario][model].left)}</td>`)}
    </tr>`,
  );
  return table("Test RMSE at the end ÷ sd of the interactions", ["Truth", ...MODELS.map((model) => short[model])], rows, { kind: "endings", note: html`<p class="note">1 is what the best linear model reaches. 0.71 (1/√2) would mean that half of the variance is explained.</p>` });
}

/** One truth. Before the question is answered FM’s line on the flipped one is left out. */
function chartOf(numbers: Numbers, scenario: Scenario, { look, revealed, run: { settings: { iterations }, phase } }: Shown<Settings>): TemplateResult {
  const y = axis(numbers, SCENARIOS.flatMap((each) => linesOf(numbers.fits[each])), look);
  const hides = !revealed && scenario === "flipped";
  const lines = linesOf(numbers.fits[scenario]).filter(({ colour }) => !hides || colour !== "fm");
  const x = { domain: [0, iterations], ticks: multiples(roundUp(iterations / 4), 0, iterations), label: "iteration", format: String } as const;
  const drawing: Drawing | null = y && { lines, x, y, at: words.at };
  return html`<div>
    ${legend(MODELS.map((model) => (hides && model === "fm" ? { ...keys[model], name: words.guess } : keys[model])))}
    ${lineChart({ name: scenario, heading: words.heading[scenario], drawing, waiting: waiting[phase] })}
  </div>`;
}

/** About how long all runs take. */
function seconds(values: Settings, engines: number): number {
  const { n, test, d, k, trials, iterations } = spec(values, "psd");
  return ((SCENARIOS.length * MODELS.length * trials * (n + test) * d * (k + 2) * iterations) / Math.max(1, engines)) * PER_NUMBER;
}

export const psd = chapter({
  id: "psd",
  words,
  settings: declared,
  display: ["starts"],
  look: { name: "axis", label: "Axis", options: words.scales, initial: "log" },
  work: jobs(planned),
  first: (values) => ({ ...values, rows: Math.min(values.rows, 10), test: Math.min(values.test, 1000), trials: 1, iterations: Math.min(values.iterations, 40) }),
  read,
  answer,
  reason,
  told,
  explains: (numbers) => (["stuck", "worse"].includes(answer(numbers) ?? "") && numbers.isSame ? [words.lists] : []),
  cost: ({ values, pool }) => `${counted(SCENARIOS.length * MODELS.length * values.trials, "run")}, ${duration(seconds(values, pool.size))} where ${pool.size === 1 ? "one core is" : `${count(pool.size)} cores are`} free.`,
  live: ({ settings: ran, whole }) => words.live(ran, whole),
  picture: (numbers, shown) => html`<div class="two">${(["psd", "flipped"] as const).map((scenario) => chartOf(numbers, scenario, shown))}</div>`,
  details: () => formulary(formulas.psd),
  after: (numbers, shown) => html`<div class="two">${chartOf(numbers, "mixed", shown)}</div>
    ${endings(numbers)} ${followup(start, shown)}`,
});
