// Chapter "spectrum": which eigenvalues of the truth FM and iFM match, and what FM can
// make up by rank.
import { html, nothing, type TemplateResult } from "lit";
import type { Panelled } from "../../charts/matrices/matrix.js";
import "../../charts/matrices/spectrum.js";
import { pairSigns, type Sign, type Three } from "../../figure/signs.js";
import { signed, triangle } from "../../figure/triangle.js";
import { table } from "../../panel/panel.js";
import { encode, type Spec } from "../../state/spec.js";
import { drawn } from "../../state/strings.js";
import { count, number, percent } from "../../text/format.js";
import { quantity, say, sentences, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted, duration, short } from "../../text/strings.js";
import { chapter, formulary, type Run } from "../chapter/definition.js";
import { formulas } from "../chapter/formulas.gen.js";
import { lineChart, type Drawing, type Line } from "../../charts/lines.js";
import { legend, looks } from "../../charts/looks.js";
import { multiples, roundUp } from "../../charts/ticks.js";
import { shareScale } from "../chapter/decades.js";
import { last, recordOf } from "../chapter/measure.js";
import type { Job } from "../chapter/runner.js";
import { jobs } from "../chapter/cells.js";
import { choice, float, int, ints, seed, settings, specOf, type ValuesOf } from "../chapter/settings.js";
import { labels, waiting } from "../chapter/strings.js";

const words = {
  guesses: { all: "All of them", above: "Only those above zero", none: "None" },
  lead: "A pattern gives each ingredient a number: tea +1, milk −1, lemon −1. A stem shows its strength. A strength below zero flips the sign of each pair’s product.",
  source: "FM’s limit is in section 2 of the paper, which ignores the diagonal. The paper does not say that a high rank removes the limit.",
  cost: (runs: number, seconds: number) => `${counted(runs, "run")}, ${duration(seconds)}.`,
  ranked: (name: string, rank: number) => `${name}, rank ${rank}`,
  more: "The stems are eigenvalues of whole matrices with their diagonals: of UUᵀ for FM, whose lists are the columns of U, and of the symmetric part of UVᵀ for iFM. No prediction uses the diagonal, so FM may have any numbers there. Add a large c to the true diagonal. Then no eigenvalue is below zero, and no prediction has changed. An FM of high enough rank can represent this shifted matrix.",
  heading: "Test RMSE ÷ sd of the interactions",
  stems: "Strength of each pattern",
  title: "Error by rank (1: no interaction learned)",
  x: "rank of the model",
  noise: "noise alone",
  at: (rank: number) => `Rank ${count(rank)}`,
  table: "By rank: numbers in the factors, test RMSE ÷ sd of the interactions, ‖M − M*‖ / ‖M*‖",
  rank: "Rank",
  numbers: { fm: "Numbers in U", ifm: "Numbers in U, V" },
  ends: (name: string) => `${name}: RMSE`,
  errors: (name: string) => `${name}: M`,
  pattern: "One pattern, two strengths",
  strength: (sign: Sign) => `Strength ${sign > 0 ? "above" : "below"} zero`,
  asked: (name: string) => `${name}: ?`,
  squares: ["For each pattern FM has one list, with a number for each feature. A pair’s weight is the product of its two numbers. The pattern’s strength is the sum of the squares of all numbers in the list, so it is never below zero."] as Phrase,
  lists: ["iFM’s lists come in pairs: it multiplies a number of one list by a number of its partner. Each pair of lists makes one strength above zero and one below. So iFM matches every true stem. FM’s stem marked ✗ matches no true pattern. Chapter 5 shows what it is good for."] as Phrase,
  late: (level: number, many: number, need: number, few: number): Phrase => say`With ${counted(level, "list")} (${count(many)} numbers), FM comes close to iFM with ${counted(need, "pair")} of lists (${count(few)} numbers). FM then gives each feature a large weight with itself. No prediction uses these weights. Equal ones, added to the true matrix, raise all its strengths by the same amount. Once none is below zero, FM can match them all.`,
  counts: (name: string, above: Quantity, below: Quantity): Phrase => say`${name}: ${above} stems above zero, ${below} below.`,
  equal: (fm: number, ifm: number): Phrase => [fm === ifm ? `Each has ${count(fm)} numbers in its factors.` : `They have ${count(fm)} and ${count(ifm)} numbers in their factors.`],
  bias: (k: number, fm: Quantity, need: number, ifm: Quantity): Phrase => say`FM of rank ${String(k)} ends with a test error of ${fm}, iFM of rank ${String(need)} with ${ifm} (1: no interaction learned).`,
  hidden: (fm: Quantity, truth: Quantity): Phrase => say`FM’s largest stem is ${fm}, too long to draw; the largest true one is ${truth}. The excess goes into the diagonal, which no prediction uses.`,
  level: (rank: number, fm: number, ifm: number, n: number): Phrase => [`From rank ${rank} on FM comes close to iFM, but with ${count(fm)} numbers instead of ${count(ifm)}, learned from the same ${counted(n, "row")}.`],
  price: (fm: Quantity, ifm: Quantity): Phrase => say`More numbers learn more of the noise: FM’s matrix is off by ${fm}, iFM’s by ${ifm}.`,
  never: (rank: number, left: Quantity, enough: boolean): Phrase => say`Up to rank ${count(rank)} FM does not come close to iFM: it ends at ${left}.${enough ? " That rank could represent the true matrix, but the rows or iterations are too few to find it." : ""}`,
  live: (n: number, test: number, d: number, k: number, noise: number, solver: string, iterations: number, seed: number) =>
    `${[counted(n, "training row"), counted(test, "test row"), `d = ${d}`, `${count(Math.ceil(k / 2))} positive and ${count(Math.floor(k / 2))} negative eigenvalues`, ...(noise > 0 ? [drawn.noise(noise)] : []), `seed ${seed}`].join(", ")}; solver: ${labels.options[solver]}, at most ${counted(iterations, "iteration")}.`,
};

const MODELS = ["fm", "ifm"] as const;
type Model = (typeof MODELS)[number];

const MATCHES = 0.1; // of the truth's largest eigenvalue: a stem that is nearer than this to a true one matches it
const COUNTS = 0.03; // of the truth's largest eigenvalue: what is nearer to zero is not counted
const HIDDEN = 0.7; // of the second-order part, about what half of its variance leaves
const LEVEL = 0.02; // of the second-order part: what is nearer than this has caught up
const PER_NUMBER = 0.75e-9; // s, for one number of the design and one column of the factors in one iteration, with SIMD

const declared = settings({
  d: int(30, 3, 60),
  k: int(3, 2, 12),
  ranks: ints([1, 2, 3, 6, 12, 20, 28], 1, 60, 10),
  n: int(1800, 10, 20000),
  test: int(1000, 10, 20000),
  noise: float(0.1, 0, 2),
  solver: choice<Spec["solver"]>("agd", ["agd", "gauss-newton", "scaled"]),
  iterations: int(300, 1, 2000),
  seed: seed(),
});
type Settings = ValuesOf<typeof declared>;

/** What a model of one rank ended at; NaN before. */
interface End {
  readonly rank: number;
  readonly left: number; // test RMSE ÷ sd of the second-order part
  readonly error: number; // ‖M − M*‖ / ‖M*‖
}

type Numbers = ReturnType<typeof read>;

/** The ranks to try: those of the settings up to d, and the three that the text speaks of. */
function ranks(values: Settings): number[] {
  return [...new Set([...values.ranks, enough(values), values.k, values.d])].filter((rank) => rank <= values.d).sort((a, b) => a - b);
}

/** A model's ranks: iFM, which needs only k/2, has those up to k and the last. */
function tried(values: Settings, model: Model): number[] {
  return ranks(values).filter((rank) => model === "fm" || rank <= values.k || rank === values.d);
}

/** The rank at which iFM can have the truth's positive and negative eigenvalues. */
function enough({ k }: Settings): number {
  return Math.ceil(k / 2);
}

/** Model and rank of each run, those with eigenvalues to show first. */
function runs(values: Settings): { readonly model: Model; readonly rank: number }[] {
  const shown = [{ model: "fm", rank: values.k }, { model: "ifm", rank: enough(values) }] as const;
  const others = MODELS.flatMap((model) => tried(values, model).map((rank) => ({ model, rank })));
  return [...shown, ...others.filter(({ model, rank }) => !shown.some((run) => run.model === model && run.rank === rank))];
}

function planned({ ranks: _, ...shared }: Settings, all: ReturnType<typeof runs>): Job[] {
  return all.map(({ model, rank }, at) => {
    const shown = at < MODELS.length;
    const query = encode(specOf({ ...shared, scenario: "mixed", truth: "orthonormal", models: [model], rank }));
    return { query, cell: 0, begins: model === "fm" && shown ? ["theory"] : [], weight: columnsOf(model, rank), asks: shown ? ["truth", "interaction"] : [] };
  });
}

export function read({ settings: values, tracks }: Run<Settings>) {
  const all = runs(values);
  const theory = tracks[0]?.theory;
  const ends = recordOf(MODELS, (model) =>
    tried(values, model).map((rank): End => {
      const track = tracks[all.findIndex((run) => run.model === model && run.rank === rank)];
      return track?.done ? { rank, left: last(track.test) / (theory?.secondOrder ?? Number.NaN), error: last(track.errorM) } : { rank, left: Number.NaN, error: Number.NaN };
    }),
  );
  const need = enough(values);
  const done = ends.fm.filter(({ left }) => !Number.isNaN(left));
  const fair = ends.ifm.find(({ rank }) => rank === need)?.left ?? Number.NaN;
  return {
    settings: values,
    ends,
    /** Of noise alone, on the scale of left; NaN where it is not known. */
    noise: theory ? (values.noise * theory.sd) / theory.secondOrder : Number.NaN,
    truth: { key: "truth", title: "Truth", note: "", values: tracks[0]?.truth ?? null } satisfies Panelled,
    fm: { key: "fm", title: words.ranked(short.fm, values.k), note: "", values: tracks[0]?.interaction ?? null } satisfies Panelled,
    ifm: { key: "ifm", title: words.ranked(short.ifm, need), note: "", values: tracks[1]?.interaction ?? null } satisfies Panelled,
    /** The rank from which on FM is level with iFM of the rank that the truth needs. */
    level: done.find(({ rank }) => done.every((other) => other.rank < rank || other.left <= fair + LEVEL)),
  };
}

function endOf({ ends }: Numbers, model: Model, rank: number): End {
  return ends[model].find((end) => end.rank === rank) ?? { rank, left: Number.NaN, error: Number.NaN };
}

/** What FM of the highest rank ended at. */
function top({ ends }: Numbers): End | undefined {
  return ends.fm.findLast(({ left }) => !Number.isNaN(left));
}

/** How many eigenvalues are clearly above zero, and how many clearly below. */
function signs({ values }: Panelled, truth: Panelled): readonly [above: number, below: number] {
  const most = Math.max(0, ...(truth.values?.eigenvalues ?? []).map(Math.abs));
  const all = [...(values?.eigenvalues ?? [])];
  return [all.filter((v) => v > COUNTS * most).length, all.filter((v) => v < -COUNTS * most).length];
}

/** Which eigenvalues of the truth FM of its rank matches; null where it matches only some of those of a sign. */
export function answer({ truth, fm }: Numbers): string | null {
  const [wanted, found] = [truth.values?.eigenvalues, fm.values?.eigenvalues];
  if (!wanted || !found || signs(truth, truth)[1] === 0) return null;
  const most = Math.max(...[...wanted].map(Math.abs));
  const counted = [...wanted].filter((v) => Math.abs(v) > COUNTS * most);
  const matched = counted.filter((v) => found.some((own) => Math.abs(own - v) <= MATCHES * most));
  const above = (values: readonly number[]): number => values.filter((v) => v > 0).length;
  if (matched.length === 0) return "none";
  if (matched.length === counted.length) return "all";
  return above(matched) === above(counted) && matched.length === above(matched) ? "above" : null;
}

function explains(numbers: Numbers): Phrase[] {
  const { settings: values, level } = numbers;
  const need = enough(values);
  if (answer(numbers) === null) return [];
  return [words.lists, ...(level ? [words.late(level.rank, factors(values, "fm", level.rank), need, factors(values, "ifm", need))] : [])];
}

function told(numbers: Numbers): Phrase {
  const { settings: values, truth, fm, ifm } = numbers;
  if (!truth.values) return [];
  const need = enough(values);
  const counts = ([["fm", fm], ["ifm", ifm]] as const).flatMap(([model, panel]) => {
    const [above, below] = signs(panel, truth);
    return panel.values ? [words.counts(panel.title, quantity(model, above, count(above)), quantity(model, below, count(below)))] : [];
  });
  const said = [...counts, words.equal(factors(values, "fm", values.k), factors(values, "ifm", need))];
  const [low, fair] = [endOf(numbers, "fm", values.k).left, endOf(numbers, "ifm", need).left];
  if (Number.isNaN(low) || Number.isNaN(fair)) return sentences(said);
  const [largest = Number.NaN, true_ = Number.NaN] = [fm.values?.eigenvalues[0], truth.values.eigenvalues[0]];
  const isHidden = low < HIDDEN && low > fair + LEVEL && largest > 1.5 * true_;
  return sentences([
    ...said,
    words.bias(values.k, quantity("fm", low), need, quantity("ifm", fair)),
    ...(isHidden ? [words.hidden(quantity("fm", largest), quantity("none", true_))] : []),
    ...catching(numbers, need),
  ]);
}

/** The rank from which on FM is level with iFM, and its price. */
function catching(numbers: Numbers, need: number): Phrase[] {
  const { settings: values, level } = numbers;
  const most = top(numbers);
  if (level === undefined) return most === undefined ? [] : [words.never(most.rank, quantity("fm", most.left), most.rank >= values.d - 1)];
  if (level.rank <= need) return [];
  const ifm = endOf(numbers, "ifm", need).error;
  const price = values.noise > 0 && level.error > 1.1 * ifm ? [words.price(quantity("fm", level.error, percent(level.error)), quantity("ifm", ifm, percent(ifm)))] : [];
  return [words.level(level.rank, factors(values, "fm", level.rank), factors(values, "ifm", need), values.n), ...price];
}

function drawing({ settings: { d } }: Numbers, all: readonly Line[]): Drawing | null {
  const y = shareScale(words.heading, all);
  const step = roundUp(d / 10);
  return y && { lines: all, x: { domain: [Math.min(0.5, d / 40), d + 0.5], ticks: multiples(step, step, d), label: words.x, format: String }, y, at: words.at };
}

function linesOf({ settings: values, ends, noise }: Numbers): Line[] {
  const models = MODELS.map((model): Line => {
    const done = ends[model].filter(({ left }) => !Number.isNaN(left));
    return { ...looks[model], name: short[model], x: done.map(({ rank }) => rank), y: done.map(({ left }) => left) };
  });
  const x = Number.isNaN(noise) ? [] : [Math.min(...ranks(values)), Math.max(...ranks(values))];
  return values.noise > 0 ? [...models, { name: words.noise, colour: "base", dash: "", symbol: "", x, y: x.map(() => noise) }] : models;
}

function rowOf(numbers: Numbers, rank: number): TemplateResult {
  return html`<tr>
    <th scope="row">${rank}</th>
    ${MODELS.map((model) => {
      const { left, error } = endOf(numbers, model, rank);
      const run = tried(numbers.settings, model).includes(rank);
      return html`<td>${run ? count(factors(numbers.settings, model, rank)) : ""}</td>
        <td data-left="${model} ${rank}" data-value=${left}>${run ? number(left) : ""}</td>
        <td data-off="${model} ${rank}" data-value=${error}>${run ? number(error) : ""}</td>`;
    })}
  </tr>`;
}

/** How many numbers the factors have. */
function factors({ d }: Settings, model: Model, rank: number): number {
  return (model === "fm" ? 1 : 2) * d * rank;
}

/** The columns that an iteration goes through: those of the factors, and two. */
function columnsOf(model: Model, rank: number): number {
  return (model === "fm" ? 1 : 2) * rank + 2;
}

/** A pattern of three features, and the signs of its pairs at either strength. */
function strengths(): TemplateResult {
  const pattern: Three<Sign> = [1, -1, -1]; // as the lead says
  const number = (at: number): TemplateResult => html`<b>${(pattern[at] ?? 1) > 0 ? "+" : "−"}1</b>`;
  return html`<h3>${words.pattern}</h3>
    <div class="strengths">
      ${([1, -1] as const).map((strength) => {
        const signs = pairSigns(pattern).map((sign) => strength * sign) as unknown as Three<Sign>;
        return html`<figure>${triangle("given", signs, number, signed(signs, signs))}<figcaption>${words.strength(strength)}</figcaption></figure>`;
      })}
    </div>`;
}

export const spectrum = chapter({
  id: "spectrum",
  words,
  settings: declared,
  work: jobs((values: Settings) => planned(values, runs(values))),
  adjust: (values) => ({ ...values, k: Math.min(values.k, values.d) }), // no more eigenvalues than columns
  read,
  smallest: () => ({ runs: MODELS.length, trials: 1 }), // those whose stems are shown
  answer,
  reason: (numbers) => (answer(numbers) === null ? [] : words.squares),
  told,
  explains,
  cost({ values, pool }) {
    const columns = runs(values).reduce((sum, { model, rank }) => sum + columnsOf(model, rank), 0);
    return words.cost(runs(values).length, ((values.n + values.test) * values.d * columns * values.iterations * PER_NUMBER) / Math.max(1, pool.size));
  },
  live: ({ settings: { n, test, d, k, noise, solver, iterations, seed } }) => words.live(n, test, d, k, noise, solver, iterations, seed),
  picture(numbers, { revealed, run: { settings: ran, phase } }) {
    const fm = revealed ? numbers.fm : { ...numbers.fm, key: "unknown", title: words.asked(numbers.fm.title), values: null };
    const all = linesOf(numbers);
    return html`${revealed ? nothing : strengths()}
      <ifm-spectrum .caption=${words.stems} .panels=${[numbers.truth, fm, numbers.ifm]} .slots=${Math.min(ran.d, 2 * enough(ran))}></ifm-spectrum>
      ${revealed ? html`<div class="low">${legend(all)} ${lineChart({ heading: words.title, drawing: drawing(numbers, all), waiting: waiting[phase] })}</div>` : nothing}`;
  },
  details: () => html`<p>${words.more}</p>
    ${formulary(formulas.signed, formulas.shifted)}`,
  after(numbers, { run: { settings: ran } }) {
    const columns = MODELS.flatMap((model) => [words.numbers[model], words.ends(short[model]), words.errors(short[model])]);
    return table(words.table, [words.rank, ...columns], ranks(ran).map((rank) => rowOf(numbers, rank)), { kind: "ranks" });
  },
});
