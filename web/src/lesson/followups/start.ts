// The follow-up of chapter "psd": where FM and iFM end, by the size of the U that
// they start from.
import { html } from "lit";
import { lineChart, type Drawing, type Line } from "../../charts/lines.js";
import { legend, looks } from "../../charts/looks.js";
import { table } from "../../panel/panel.js";
import { encode } from "../../state/spec.js";
import { cell, count, number } from "../../text/format.js";
import { quantity, say, type Phrase, type Quantity } from "../../text/phrase.js";
import { counted, short } from "../../text/strings.js";
import { logScale } from "../chapter/decades.js";
import { last, median, recordOf } from "../chapter/measure.js";
import { specOf } from "../chapter/settings.js";
import type { Followup, Measured } from "./followup.js";

const MODELS = ["fm", "ifm"] as const;
type Model = (typeof MODELS)[number];

const D = 30;
const K = 3;
const N = 1800;
const TRIALS = 5;
const ITERATIONS = 60;
const STUCK = 0.05; // of the second-order part: an end above it has not found the truth
const CLOSE = 1e-6; // as a share: what is nearer differs by rounding
const DEEPEST = 12; // decades drawn at most

const words = {
  heading: "Test RMSE ÷ sd of the interactions",
  x: "‖U‖ at the start",
  at: (norm: string) => `‖U‖ = ${norm}`,
  table: `By ‖U‖ at the start: test RMSE ÷ sd of the interactions after ${counted(ITERATIONS, "iteration")}, median of the trials`,
  column: "‖U‖",
  same: (low: Quantity, high: Quantity, level: boolean): Phrase => (level ? say`iFM ends at ${low} whatever the start: the symmetry makes its curves the same up to rounding.` : say`iFM ends between ${low} and ${high}: its curves are the same but for rounding, which shows by now.`),
  stuck: (stuck: number) => (stuck > 0 ? `; ${stuck} of ${TRIALS} above 5 %` : ""),
  fm: (worst: string, stuck: Quantity, best: string, fewer: Quantity): Phrase => say`From ‖U‖ = ${worst}, FM ends more than 5 % off in ${stuck} of ${String(TRIALS)} trials; from ‖U‖ = ${best}, in ${fewer}. FM has no such symmetry: in UUᵀ both factors are U.`,
  level: ["FM finds the truth from every one of these starts about as often, so here its size matters little."] as Phrase,
  ahead: ["From a good start FM is ahead here: half of iFM’s factors have nothing to fit, which slows it."] as Phrase,
};

type Settings = Readonly<{ starts: readonly number[]; seed: number }>;

/** Each start, in rising order. */
type Numbers = ReturnType<typeof read>;

function read({ settings: { starts }, rounds }: Measured<Settings>) {
  const tracks = rounds[""]?.[0] ?? [];
  const ends = (norm: number, model: Model) => {
    const first = starts.indexOf(norm) * TRIALS * MODELS.length;
    const own = tracks.slice(first, first + TRIALS * MODELS.length).filter((track, i) => i % MODELS.length === MODELS.indexOf(model) && track.done);
    const all = own.map((track) => last(track.test) / (track.theory?.secondOrder ?? Number.NaN)); // a trial each
    return { all, median: median(all), stuck: all.filter((end) => !(end < STUCK)).length }; // stuck: trials that miss the truth
  };
  return starts.toSorted((a, b) => a - b).map((norm) => ({ norm, ...recordOf(MODELS, (model) => ends(norm, model)) }));
}

function told(numbers: Numbers): Phrase {
  const order = numbers.toSorted((a, b) => a.fm.stuck - b.fm.stuck || a.norm - b.norm);
  const [best, worst] = [order[0], order.at(-1)];
  if (!best || !worst) return [];
  const stuck = ({ fm }: typeof best): Quantity => quantity("fm", fm.stuck, count(fm.stuck));
  const size = worst.fm.stuck > best.fm.stuck ? words.fm(cell(worst.norm), stuck(worst), cell(best.norm), stuck(best)) : words.level;
  const ifm = numbers.map((one) => one.ifm.median);
  const [low, high] = [Math.min(...ifm), Math.max(...ifm)];
  const isAhead = Math.min(...numbers.map(({ fm }) => fm.median)) < low;
  return say`${size} ${words.same(quantity("ifm", low), quantity("ifm", high), high < low * (1 + CLOSE))}${isAhead ? say` ${words.ahead}` : ""}`;
}

function drawing(numbers: Numbers): Drawing | null {
  const places = numbers.map(({ norm }) => Math.log10(norm));
  const all = MODELS.map((model): Line => {
    const ends = numbers.map((one) => one[model]);
    return { ...looks[model], name: short[model], x: places, y: ends.map((end) => end.median), low: ends.map((end) => Math.min(...end.all)), high: ends.map((end) => Math.max(...end.all)) };
  });
  const y = logScale(words.heading, numbers.flatMap(({ fm, ifm }) => [...fm.all, ...ifm.all]), { deepest: DEEPEST });
  if (!y) return null;
  const norm = (x: number): string => cell(Number((10 ** x).toPrecision(6)));
  return {
    lines: all,
    x: { domain: [(places[0] ?? 0) - 0.2, (places.at(-1) ?? 0) + 0.2], ticks: places, label: words.x, format: norm, value: (x) => 10 ** x },
    y,
    at: (x) => words.at(norm(x)),
  };
}

export const start: Followup<Settings, Settings, Numbers> = {
  chapter: "psd",
  name: "start",
  title: "How large may ‖U‖ be at the start?",
  lead: [
    "By Section 2 of the paper, FM is harder to optimize than iFM: its result depends on the size of the random U at the start. iFM has a symmetry: cU and V/c are the same model as U and V. If every step has the best length, training that starts from cU and V/c gives the same models as from U and V.",
    "Each point of the chart is one training on truth (a), which both models can represent. The random U at the start has the size given below the point.",
  ],
  settings: ({ starts, seed }) => ({ starts, seed }),
  runs: ({ starts }) => MODELS.length * TRIALS * starts.length,
  jobs: ({ starts, seed }) =>
    starts.flatMap((norm) => {
      const query = encode(specOf({ d: D, k: K, n: N, seed, start: norm, test: 1000, trials: TRIALS, iterations: ITERATIONS, solver: "agd", models: [...MODELS], scenario: "psd" }));
      return Array.from({ length: TRIALS * MODELS.length }, (_, cell) => ({ query, cell, group: `${norm} ${Math.floor(cell / MODELS.length)}`, begins: ["theory"] as const }));
    }),
  read,
  told,
  cost: (runs) => `${counted(runs, "run")}, some seconds.`,
  live: ({ seed }) => `${["truth (a)", `d = ${D}`, `k = ${K}`, counted(N, "training row"), counted(ITERATIONS, "iteration"), `seed ${seed}`].join(", ")}; median of ${counted(TRIALS, "trial")}, the band from smallest to largest; solver: alternating gradient descent.`,
  picture: (numbers, waiting) => html`${legend(MODELS.map((model) => ({ ...looks[model], name: short[model] })))}
    ${lineChart({ heading: words.heading, drawing: drawing(numbers), waiting })}
    ${table(
      words.table,
      [words.column, ...MODELS.map((model) => short[model])],
      numbers.map(
        (one) => html`<tr>
          <th scope="row">${cell(one.norm)}</th>
          ${MODELS.map((model) => html`<td data-start="${model} ${one.norm}" data-value=${one[model].median} data-stuck=${one[model].stuck}>${number(one[model].median)}${words.stuck(one[model].stuck)}</td>`)}
        </tr>`,
      ),
    )}`,
};
