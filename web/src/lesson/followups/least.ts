// The follow-up of chapter "diagonal": the smallest τ at which Algorithm 1 finds
// gFM's truth, by the number of rows.
import { html } from "lit";
import { lineChart, type Drawing, type Line } from "../../charts/lines.js";
import { legend } from "../../charts/looks.js";
import { table } from "../../panel/panel.js";
import { encode, type Spec } from "../../state/spec.js";
import { drawn } from "../../state/strings.js";
import { count, number, signed } from "../../text/format.js";
import { quantity, say, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted } from "../../text/strings.js";
import { logScale } from "../chapter/decades.js";
import { median, recordOf, succeeded } from "../chapter/measure.js";
import { rowsOf, specOf } from "../chapter/settings.js";
import type { Followup, Measured, Rounds } from "./followup.js";

/** What Algorithm 1 divides by: the true τ, an estimated one unless that is too small, or any. */
export const laws = ["true", "estimated", "divided"] as const;
export type Law = (typeof laws)[number];

const RATIOS = [20, 40, 80, 160] as const; // rows of an iteration, in units of d·k
const TRIALS = [0, 1, 2] as const;
const HALVINGS = 7; // of the interval of log τ, so that its end is known to 7 %
const INTERVAL = [Math.log(2e-4), Math.log(1)] as const; // of log τ
const ITERATIONS = 25;
const TEST = 10; // rows: the truth is known, and nothing is told of predictions
const SLOPES = [-1, -0.5] as const;

const words = {
  names: { true: "true", estimated: "estimated", divided: "estimated, none refused" },
  line: { true: "true moments", estimated: "estimated", divided: "estimated, none refused" },
  guide: (value: number) => `slope ${slope(value)}`,
  heading: "The smallest τ at which gFM finds the truth",
  x: "rows n of an iteration",
  y: "smallest τ",
  at: (n: number) => `n = ${n.toLocaleString("en")}`,
  table: (name: string) => `Smallest τ, median of the trials; moments: ${name}`,
  columns: ["n", "smallest τ", "τ·n", "τ·√n"],
  told: {
    true: (found: Quantity): Phrase =>
      say`With the true moments the slope is ${found}${unclear(found, -1)}. Algorithm 1 divides the mean of u·r by τ. Here u = x² − 1 − κx is the part of x² beyond x, and r is the residual. u has variance τ, so the noise of the mean is about √(τ/n). Divided by τ, it is 1/√(τn). So τn has to be large: with twice the rows, half the τ is enough.`,
    estimated: (found: Quantity): Phrase =>
      say`With estimated moments the slope is ${found}${unclear(found, -0.5)}. κ is off by about 2/√n, and one of the weights is 2κ/τ. So near τ = 1/√n, a weight that should be 0 is as large as the others. Algorithm 1 refuses smaller τ. So τ√n has to be large: with four times the rows, half the τ is enough. The theorem, whose moments are estimated, also has n ∝ 1/τ².`,
    divided: (found: Quantity): Phrase =>
      say`With estimated moments and no refusal the slope is ${found}${found.value < -0.75 ? ", nearer to −1 than to −½" : ""}. The wrong weight 2κ/τ carries an error of w into the diagonal, but only κ times that error comes back. Together they shrink like κ²/τ, about 1/(τn). So the refusal, like the theorem’s proof, is more careful than necessary.`,
  } satisfies Record<Law, (found: Quantity) => Phrase>,
};

/** A slope on logarithmic axes, as a reader writes it. */
function slope(value: number): string {
  return value === -0.5 ? "−½" : signed(value, 1).replace(/\.0$/, "");
}

/** What to say of a slope that is not that of its law. */
function unclear(found: Quantity, law: number): string {
  return Math.abs(found.value - law) > 0.2 ? `, not yet the ${slope(law)} of more rows` : "";
}

const looks = {
  true: { colour: "gfm", dash: "", symbol: "circle" },
  estimated: { colour: "gfm", dash: "7 4", symbol: "square" },
  divided: { colour: "gfm", dash: "2 4", symbol: "triangle" },
} as const;
const guides = SLOPES.map((value, i) => ({ slope: value, name: words.guide(value), colour: "base", dash: ["1 4", "9 3 1 3"][i] ?? "", symbol: "" as const }));

type Settings = Readonly<Pick<Spec, "features" | "d" | "k" | "seed">>;

type Numbers = ReturnType<typeof read>;

function sizesOf({ d, k }: Settings): number[] {
  return RATIOS.map((ratio) => rowsOf(ratio, d, k, TEST));
}

/** The interval of the smallest log τ of a trial. Each round halves it. */
function interval(rounds: Rounds, size: number, trial: number): readonly [number, number] {
  return rounds.reduce<readonly [number, number]>(([low, high], tracks) => {
    const track = tracks[size * TRIALS.length + trial];
    return track && succeeded(track) ? [low, (low + high) / 2] : [(low + high) / 2, high];
  }, INTERVAL);
}

function middle([low, high]: readonly [number, number]): number {
  return Math.exp((low + high) / 2);
}

/** The smallest τ of each number of rows: of every trial, in rising order, and their median; NaN beyond the interval. */
function found(settings: Settings, rounds: Rounds = []) {
  if (rounds.length === 0) return [];
  return sizesOf(settings).map((n, size) => {
    const all = TRIALS.map((trial) => interval(rounds, size, trial));
    const taus = all.map((one) => (one[0] === INTERVAL[0] || one[1] === INTERVAL[1] ? Number.NaN : middle(one))).sort((a, b) => a - b);
    return { n, taus, tau: median(taus) };
  });
}

function read({ settings, choice, rounds }: Measured<Settings>) {
  const law = laws.find((one) => one === choice) ?? "true";
  const all = recordOf(laws, (one) => found(settings, rounds[one])); // none of a law that has not been measured
  const own = all[law];
  return { law, found: all, fit: powerLaw(own.map(({ n }) => n), own.map(({ tau }) => tau)), sizes: sizesOf(settings) }; // sizes: rows, in rising order
}

/** Fits y ≈ c·xˢ by least squares of the logarithms; both are NaN from fewer than two points. */
export function powerLaw(x: readonly number[], y: readonly number[]): { readonly slope: number; readonly at: (x: number, slope?: number) => number } {
  const points = x.flatMap((v, i) => {
    const to = y[i] ?? Number.NaN;
    return v > 0 && to > 0 && Number.isFinite(to) ? [[Math.log(v), Math.log(to)] as const] : [];
  });
  const mean = (of: (point: readonly [number, number]) => number): number => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [mx, my] = [mean(([v]) => v), mean(([, v]) => v)];
  const slope = points.length < 2 ? Number.NaN : points.reduce((sum, [a, b]) => sum + (a - mx) * (b - my), 0) / points.reduce((sum, [a]) => sum + (a - mx) ** 2, 0);
  return { slope, at: (v, s = slope) => Math.exp(my + s * (Math.log(v) - mx)) };
}

function linesOf({ found: all, fit, sizes }: Numbers): Line[] {
  const measured = laws.flatMap((one): Line[] => {
    const points = all[one].filter(({ tau }) => Number.isFinite(tau));
    if (points.length === 0) return [];
    return [{ ...looks[one], name: words.line[one], x: points.map(({ n }) => Math.log10(n)), y: points.map(({ tau }) => tau), low: points.map(({ taus }) => taus[0] ?? Number.NaN), high: points.map(({ taus }) => taus.at(-1) ?? Number.NaN) }];
  });
  return Number.isNaN(fit.slope) ? measured : [...measured, ...guides.map((guide): Line => ({ ...guide, x: sizes.map(Math.log10), y: sizes.map((n) => fit.at(n, guide.slope)) }))];
}

function drawing(numbers: Numbers): Drawing | null {
  const all = linesOf(numbers);
  const y = logScale(words.y, all.flatMap((line) => line.y));
  if (!y) return null;
  const places = numbers.sizes.map(Math.log10);
  const rows = (x: number): number => Math.round(10 ** x);
  return {
    lines: all,
    x: { domain: [(places[0] ?? 0) - 0.05, (places.at(-1) ?? 1) + 0.05], ticks: places, label: words.x, format: (x) => count(rows(x)), value: rows },
    y,
    at: (x) => words.at(rows(x)),
  };
}

export const least: Followup<Settings, Settings, Numbers> = {
  chapter: "diagonal",
  name: "least",
  title: "With n rows, how small may τ be?",
  lead: [
    "Algorithm 1 divides by τ. So the question is not whether τ is 0, but how small it may be. For each number of rows, we look for the smallest τ at which gFM still recovers w and M within 1 %. Each run halves the range that is left.",
    "Choose which moments Algorithm 1 is given. On the chart’s logarithmic axes, 1/n is a line of slope −1, and 1/√n one of slope −½.",
  ],
  choice: { key: "law", label: "Moments κ and φ", options: words.names },
  settings: ({ features, d, k, seed }) => ({ features, d, k, seed }),
  runs: () => RATIOS.length * TRIALS.length * HALVINGS,
  /** A run of every trial, on columns whose τ is the middle of its interval. */
  jobs(settings, rounds, law) {
    const moments = law === "true" ? "true" : "estimated";
    const inverse = law === "divided" ? "divide" : "refuse";
    return sizesOf(settings).flatMap((n, size) =>
      TRIALS.map((trial) => {
        const tau = middle(interval(rounds, size, trial));
        const query = encode(specOf({ ...settings, n, tau, moments, inverse, test: TEST, trials: TRIALS.length, iterations: ITERATIONS, solver: "algorithm1", batches: "fresh", models: ["gfm"], scenario: "psd", truth: "orthonormal", diagonal: "kept" }));
        return { query, cell: trial };
      }),
    );
  },
  expects: ({ kind }) => kind === "SingularMomentError" || kind === "DivergedError",
  read,
  told: ({ law, fit }) => (Number.isNaN(fit.slope) ? [] : words.told[law](quantity("gfm", fit.slope))),
  cost: (runs) => `${counted(runs, "run")} a choice, some seconds.`,
  live: ({ features, d, k, seed }) =>
    `${[drawn.features[features], `d = ${d}`, `k = ${k}`, `seed ${seed}`].join(", ")}; median of ${counted(TRIALS.length, "trial")}, the band from smallest to largest; solver: Algorithm 1, corrected, ${counted(ITERATIONS, "iteration")} of fresh rows; halved ${number(HALVINGS, 1)} times between τ = 0.0002 and 1.`,
  picture: (numbers, waiting) => html`${legend([...laws.map((law) => ({ ...looks[law], name: words.line[law] })), ...guides])}
    ${lineChart({ heading: words.heading, drawing: drawing(numbers), waiting })}
    ${table(
      words.table(words.names[numbers.law]),
      words.columns,
      numbers.sizes.map((n, i) => { // τn and τ√n, of which one stays
        const tau = numbers.found[numbers.law][i]?.tau ?? Number.NaN;
        return html`<tr>
          <th scope="row">${count(n)}</th>
          <td data-rows=${n} data-value=${tau}>${number(tau)}</td>
          <td>${number(tau * n)}</td>
          <td>${number(tau * Math.sqrt(n))}</td>
        </tr>`;
      }),
    )}`,
};
