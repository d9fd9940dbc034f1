// Chapter "interaction": what a plane can do with a product of two columns, and
// what FM and iFM make of it.
import { html, type TemplateResult } from "lit";
import type { Matrix } from "../../engine/protocol.js";
import { table } from "../../panel/panel.js";
import { encode, type Spec } from "../../state/spec.js";
import { drawn } from "../../state/strings.js";
import { number, percent } from "../../text/format.js";
import { quantity, say, sentences, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted, short } from "../../text/strings.js";
import { jobs } from "../chapter/cells.js";
import { chapter, formulary, type Run } from "../chapter/definition.js";
import { formulas } from "../chapter/formulas.gen.js";
import { last, recordOf } from "../chapter/measure.js";
import type { Job, Track } from "../chapter/runner.js";
import { choice, float, int, seed, settings, specOf, type ValuesOf } from "../chapter/settings.js";
import { labels, waiting } from "../chapter/strings.js";
import "./surface.js";

const words = {
  lead: "The target y is a plane in x₁ and x₂, plus m times the product x₁·x₂, plus a little noise. With a product, the effect of x₁ depends on x₂. That is an interaction.",
  guesses: { all: "All: the plane’s two slopes absorb it", half: "About half", nothing: "Nothing" },
  source: "Equations 1 and 2 of the paper, for two features. Each seed draws another true model: its linear part and its product.",
  cost: "2 runs, less than a second.",
  table: "The weight of x₁x₂, and how far y is predicted on the test rows",
  who: "Who", weight: "m, of x₁x₂", rmse: "Test RMSE", share: "Of y’s variance explained",
  truth: "true model", plane: "the plane (linear regression)", none: "has none",
  parts: (sd: Quantity, second: Quantity): Phrase => say`Over infinitely many rows, the standard deviation of y is ${sd}, that of its product part ${second}.`,
  ridge: (rmse: Quantity, share: Quantity): Phrase => say`On the test rows the fitted plane is off by ${rmse}: it explains ${share} of the product part.`,
  because: ["That is zero within sampling error."] as Phrase,
  drowned: ["With so few rows, or so much noise, chance is too large to tell."] as Phrase,
  noise: (noise: Quantity): Phrase => say`Noise alone gives an error of ${noise}.`,
  slope: ["With a product, every x₂ has its own slope in x₁. A plane has the same slope at every x₂."] as Phrase,
  brief: (second: Quantity, ridge: Quantity, ifm: Quantity): Phrase => say`The product part of y has a standard deviation of ${second}. The plane misses all of it: its test RMSE is ${ridge}. iFM has a weight for the product; its test RMSE is ${ifm}.`,
  sign: ["With two features FM does as well as iFM. It gives each feature a number, and the product of two numbers can have either sign. The next chapters have more features."] as Phrase,
  live: (n: number, test: number, noise: number, rank: number, seed: number) => `${[counted(n, "training row"), counted(test, "test row"), "d = 2", `models of rank ${rank}`, drawn.noise(noise), `seed ${seed}`].join(", ")}; solver: ${labels.options["agd"]}. The maps and lines show iFM’s model.`,
};

const MODELS = ["fm", "ifm"] as const;
type Model = (typeof MODELS)[number];

const NEAR = 0.1; // of the product's variance: closer to all or nothing than chance and a reader can tell
const HALF = [0.25, 0.75] as const;

const declared = settings({
  scenario: choice<Spec["scenario"]>("mixed", ["psd", "flipped", "mixed"]),
  k: int(2, 1, 2),
  rank: int(1, 1, 2),
  n: int(500, 10, 100000),
  test: int(10000, 100, 100000),
  noise: float(0.1, 0, 2),
  iterations: int(100, 1, 1000),
  seed: seed(),
});
type Settings = ValuesOf<typeof declared>;

type Numbers = ReturnType<typeof read>;

export function read({ settings: values, tracks }: Run<Settings>) {
  const of = (model: Model): Track | undefined => tracks[MODELS.indexOf(model)];
  const ifm = of("ifm");
  const [started, theory] = [ifm?.started ?? undefined, ifm?.theory ?? null];
  return {
    settings: values,
    started,
    theory,
    weight: { truth: weightOf(ifm?.truth), fm: weightOf(of("fm")?.interaction), ifm: weightOf(ifm?.interaction) },
    rmse: recordOf(MODELS, (model) => last(of(model)?.test ?? [])), // of the test rows, so far
    // The share of the product's variance that the plane explains. The plane is ridge regression: 1 − (its RMSE² − noise²) / the product's variance.
    explained: started && theory ? 1 - (started.ridge ** 2 - (values.noise * theory.sd) ** 2) / theory.secondOrder ** 2 : Number.NaN,
  };
}

/** m of the truth or of a model, in target units for a standard deviation of both columns, whose variance is ½; NaN before. */
function weightOf(m: Matrix | null | undefined): number {
  return m?.values[1] ?? Number.NaN;
}

/** How much of the product the plane explains; null where chance or noise is too large to tell. */
export function answer({ settings: { noise, test, n }, theory, explained }: Numbers): string | null {
  if (!theory || Number.isNaN(explained)) return null;
  // On the test rows a mean of n squares of products of Gaussians is off by √8/√n of itself, one of noise by √2/√n; of the
  // plane's three weights each costs its share of what the training rows leave, and a weight of x₁ thrice that of the product.
  const share = ((noise * theory.sd) / theory.secondOrder) ** 2;
  const chance = (Math.sqrt(8) + Math.SQRT2 * share) / Math.sqrt(test) + (7 + 3 * share) / n;
  if (2 * chance > HALF[0]) return null;
  if (Math.abs(explained) < Math.max(NEAR, 2 * chance)) return "nothing";
  return explained > 1 - NEAR ? "all" : explained > HALF[0] && explained < HALF[1] ? "half" : null;
}

function brief({ started, theory, rmse: { ifm } }: Numbers): Phrase {
  return started && theory && !Number.isNaN(ifm) ? words.brief(quantity("none", theory.secondOrder), quantity("ridge", started.ridge), quantity("ifm", ifm)) : [];
}

function told(numbers: Numbers): Phrase {
  const { settings: { noise }, started, theory, explained } = numbers;
  if (!started || !theory) return [];
  const found = answer(numbers);
  return sentences([
    words.parts(quantity("none", theory.sd), quantity("none", theory.secondOrder)),
    words.ridge(quantity("ridge", started.ridge), quantity("ridge", explained, percent(explained).replace("-", "−"))),
    ...(found === "nothing" ? [words.because] : found === null ? [words.drowned] : []),
    noise > 0 && words.noise(quantity("none", noise * theory.sd)),
  ]);
}

function rowsOf({ started, theory, weight, rmse }: Numbers): TemplateResult[] {
  const row = (key: "truth" | "ridge" | Model, name: string, m: number, error: number): TemplateResult => html`<tr class=${key} data-row=${key}>
    <th scope="row">${name}</th>
    <td data-weight=${m}>${key === "ridge" && theory ? words.none : number(m)}</td>
    <td data-rmse=${error}>${number(error)}</td>
    <td>${Number.isNaN(error) ? "–" : percent(1 - (error / (started?.mean ?? Number.NaN)) ** 2)}</td>
  </tr>`;
  return [row("truth", words.truth, weight.truth, Number.NaN), row("ridge", words.plane, Number.NaN, started?.ridge ?? Number.NaN), ...MODELS.map((model) => row(model, short[model], weight[model], rmse[model]))];
}

export const interaction = chapter({
  id: "interaction",
  words,
  settings: declared,
  work: jobs((values: Settings) => {
    const query = encode(specOf({ ...values, truth: "orthonormal", d: 2, models: MODELS }));
    return MODELS.map((_, cell): Job => ({ query, cell, group: "", begins: ["theory"], asks: ["truth", "interaction", "model"] }));
  }),
  read,
  answer,
  reason: (numbers) => (answer(numbers) === "nothing" ? words.slope : brief(numbers)),
  told,
  explains: (numbers) => (answer(numbers) === "nothing" ? [brief(numbers), words.sign] : []),
  cost: () => words.cost,
  live: ({ settings: { n, test, noise, rank, seed } }) => words.live(n, test, noise, rank, seed),
  picture: (_, { run: { tracks, phase } }) => html`<ifm-surface .model=${tracks[MODELS.indexOf("ifm")]?.model ?? null} .waiting=${waiting[phase]}></ifm-surface>`,
  details: () => formulary(formulas.plane),
  after: (numbers) => table(words.table, [words.who, words.weight, words.rmse, words.share], rowsOf(numbers)),
});
