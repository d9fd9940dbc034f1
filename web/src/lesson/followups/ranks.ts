// The follow-up of chapter "algorithm": what an iteration of gFM's Algorithm 1
// multiplies its error by, times √(n/kd), by the rank. The theorem makes that a
// constant, the abstract has it grow like √k.
import { html } from "lit";
import { lineChart, type Drawing, type Line } from "../../charts/lines.js";
import { legend } from "../../charts/looks.js";
import { table } from "../../panel/panel.js";
import { encode, type Spec } from "../../state/spec.js";
import { cell, number } from "../../text/format.js";
import { quantity, say, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted } from "../../text/strings.js";
import { rate, recordOf, recovery } from "../chapter/measure.js";
import { rowsOf, specOf } from "../chapter/settings.js";
import type { Followup, Measured } from "./followup.js";

const FORMS = ["algorithm1", "centred"] as const satisfies readonly Spec["solver"][];
type Form = (typeof FORMS)[number];

const RATIO = 20; // rows of an iteration, in units of d·k
const ITERATIONS = 15;
const TEST = 10; // rows: the truth is known, and nothing is told of predictions

const words = {
  line: { algorithm1: "corrected", centred: "centred" },
  heading: "Rate of an iteration × √(n ÷ kd)",
  x: "rank k",
  at: (k: number) => `k = ${k}`,
  table: "By rank: ‖M − M*‖ / ‖M*‖ after one iteration, and the rate × √(n ÷ kd)",
  columns: ["k", "corrected, after one", "centred, after one", "corrected, rate", "centred, rate"],
  told: (low: number, high: number, from: Quantity, to: Quantity, fall: number, corrected: Quantity, centred: Quantity): Phrase =>
    say`From k = ${String(low)} to k = ${String(high)} the rate × √(n ÷ kd) goes from ${from} to ${to}: ${fall < 0.95 ? "it falls, so no k² shows on these columns, with or without centring" : fall > Math.sqrt(high / low) ** 0.5 ? "it grows with the rank here" : "it hardly changes"}. What centring changes is the beginning: for k = ${String(high)} the error of M after one iteration is ${corrected} corrected and ${centred} centred.`,
};

const looks = {
  algorithm1: { colour: "gfm", dash: "7 4", symbol: "square" },
  centred: { colour: "gfm", dash: "", symbol: "triangle" },
} as const;
const promise = { name: "growing like √k, as for k²d rows", colour: "base", dash: "1 4", symbol: "" } as const;

type Settings = Readonly<{ d: number; ranks: readonly number[]; seed: number }>;

/** Each rank, in rising order. */
type Numbers = ReturnType<typeof read>;

function read({ settings: { d, ranks }, rounds }: Measured<Settings>) {
  const pace = (k: number, form: Form) => {
    const track = rounds[""]?.[0]?.[ranks.indexOf(k) * FORMS.length + FORMS.indexOf(form)];
    const shaped = rate(track?.done ? recovery(track) : []) * Math.sqrt(rowsOf(RATIO, d, k, TEST) / (d * k)); // rate × √(n/kd)
    return { shaped, first: track?.errorM[1] ?? Number.NaN }; // ‖M − M*‖ / ‖M*‖ after the first iteration
  };
  return ranks.toSorted((a, b) => a - b).map((k) => ({ k, ...recordOf(FORMS, (form) => pace(k, form)) }));
}

function told(numbers: Numbers): Phrase {
  const all = numbers.filter(({ centred }) => Number.isFinite(centred.shaped));
  const [low, high] = [all[0], all.at(-1)];
  if (!low || !high || all.length < 2) return ["Give two ranks or more at which it converges to see what the rank does."];
  const of = (value: number): Quantity => quantity("gfm", value);
  return words.told(low.k, high.k, of(low.centred.shaped), of(high.centred.shaped), high.centred.shaped / low.centred.shaped, of(high.algorithm1.first), of(high.centred.first));
}

function linesOf(numbers: Numbers): Line[] {
  const measured = FORMS.map((form): Line => {
    const all = numbers.filter((one) => Number.isFinite(one[form].shaped));
    return { ...looks[form], name: words.line[form], x: all.map(({ k }) => k), y: all.map((one) => one[form].shaped) };
  });
  const from = numbers.find(({ centred }) => Number.isFinite(centred.shaped));
  return from ? [...measured, { ...promise, x: numbers.map(({ k }) => k), y: numbers.map(({ k }) => from.centred.shaped * Math.sqrt(k / from.k)) }] : measured;
}

function drawing(all: readonly Line[]): Drawing | null {
  const places = [...new Set(all.flatMap(({ x }) => x))].sort((a, b) => a - b);
  const heights = all.flatMap(({ y }) => y);
  if (heights.length === 0) return null;
  const top = Math.ceil(Math.max(...heights));
  return {
    lines: all,
    x: { domain: [Math.min(...places) - 0.5, Math.max(...places) + 0.5], ticks: places, label: words.x, format: String },
    y: { type: "linear", domain: [0, top], ticks: Array.from({ length: top + 1 }, (_, i) => i), label: words.heading, format: String },
    at: words.at,
  };
}

export const ranks: Followup<Settings, Settings, Numbers> = {
  chapter: "algorithm",
  name: "ranks",
  title: "Do the rows needed grow like k²?",
  lead: [
    "By the paper’s abstract, the rows must grow like k²d. By its theorem, the rate is like √(kd/n): rows in proportion to k are enough. Here n = 20 kd for every rank k, and the rate is multiplied by √(n ÷ kd). By the theorem the result is constant. By the abstract it grows like √k.",
    "Centred gFM is another correction: it subtracts the mean of the residuals r before it computes H(r). The missing term −½P⁽⁰⁾(r)·I is then not needed. On average, both corrections give the same step. Centring has less noise: the mean of r no longer multiplies chance correlations of the columns.",
  ],
  settings: ({ d, ranks: all, seed }) => ({ d: Math.max(d, ...all), ranks: all, seed }), // as many columns as the highest rank takes
  runs: ({ ranks: all }) => FORMS.length * all.length,
  jobs: ({ d, ranks: all, seed }) =>
    all.flatMap((k) =>
      FORMS.map((solver) => ({
        query: encode(specOf({ d, k, n: rowsOf(RATIO, d, k, TEST), seed, test: TEST, iterations: ITERATIONS, solver, batches: "fresh", models: ["gfm"], scenario: "psd", truth: "orthonormal", diagonal: "kept" })),
        cell: 0,
      })),
    ),
  expects: ({ kind }) => kind === "DivergedError",
  read,
  told,
  cost: (runs) => `${counted(runs, "run")} of gFM, some seconds.`,
  live: ({ d, seed }) => `${["Gaussian columns", `d = ${d}`, `n = ${RATIO} dk fresh rows in each of ${counted(ITERATIONS, "iteration")}`, `seed ${seed}`].join(", ")}; gFM on a PSD truth with its diagonal kept; the rate is measured from iteration 2 on.`,
  picture: (numbers, waiting) => html`${legend([...FORMS.map((form) => ({ ...looks[form], name: words.line[form] })), promise])}
    ${lineChart({ heading: words.heading, drawing: drawing(linesOf(numbers)), waiting })}
    ${table(
      words.table,
      words.columns,
      numbers.map(
        (one) => html`<tr>
          <th scope="row">${cell(one.k)}</th>
          ${FORMS.map((form) => html`<td data-first="${form} ${one.k}" data-value=${one[form].first}>${number(one[form].first)}</td>`)}
          ${FORMS.map((form) => html`<td data-shaped="${form} ${one.k}" data-value=${one[form].shaped}>${number(one[form].shaped)}</td>`)}
        </tr>`,
      ),
    )}`,
};
