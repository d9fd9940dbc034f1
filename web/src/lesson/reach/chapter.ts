// Chapter "reach": the rule of signs of three features, at rank 1, and where FM and
// iFM go in the space of the three pairs.
import { html, nothing, type TemplateResult } from "lit";
import type { Matrix } from "../../engine/protocol.js";
import type { Sign, Three } from "../../figure/signs.js";
import { encode } from "../../state/spec.js";
import { number, signed } from "../../text/format.js";
import { quantity, sentences, type Phrase } from "../../text/phrase.js";
import { jobs } from "../chapter/cells.js";
import { chapter, formulary, type Run, type Shown } from "../chapter/definition.js";
import { formulas } from "../chapter/formulas.gen.js";
import { last, recordOf } from "../chapter/measure.js";
import type { Job, Track } from "../chapter/runner.js";
import { float, int, seed, settings, specOf, type ValuesOf } from "../chapter/settings.js";
import { waiting } from "../chapter/strings.js";
import { distance, gap, headed, product, standing, type Point } from "./geometry.js";
import { reach as words, space } from "./strings.js";
import "./trio.js";
import "./view.js";
import type { Path, Scene } from "./view.js";

const MODELS = ["fm", "ifm"] as const;
type Model = (typeof MODELS)[number];
const PAIRS = ["m12", "m13", "m23"] as const;

const D = 3;
const GROWS = 1.02; // ‖u‖ at the end ÷ at half of the iterations
const SETTLES = 1.001;

const declared = settings({
  m12: float(0.9, -1, 1),
  m13: float(0.7, -1, 1),
  m23: float(-0.5, -1, 1),
  n: int(2000, 10, 20000),
  test: int(2000, 10, 20000),
  iterations: int(300, 1, 1000),
  seed: seed(),
});
type Settings = ValuesOf<typeof declared>;

type Numbers = ReturnType<typeof read>;

function truthOf({ m12, m13, m23 }: Settings): Point {
  return [m12, m13, m23];
}

export function read({ settings: values, tracks }: Run<Settings>) {
  const track = (model: Model): Track | undefined => tracks[MODELS.indexOf(model)];
  return {
    truth: truthOf(values),
    paths: recordOf(MODELS, (model): Path => {
      const matrices = track(model)?.path ?? [];
      return { points: matrices.map(pointOf), sizes: matrices.map((m) => sizeOf(model, m)) };
    }),
    rmse: recordOf(MODELS, (model) => last(track(model)?.test ?? [])), // of the test rows, so far
    queries: tracks.map(({ job }) => job.query).join(), // of the paths
  };
}

/** The three pairs, for one standard deviation of both columns, whose variance is 1/d. */
function pointOf({ values }: Matrix): Point {
  return [(values[1] ?? Number.NaN) / D, (values[2] ?? Number.NaN) / D, (values[5] ?? Number.NaN) / D];
}

/** ‖u‖ of FM, as UUᵀ has the eigenvalue ‖u‖²; √(‖u‖‖v‖) of iFM, as the eigenvalues of sym(UVᵀ) are ‖u‖‖v‖ apart. */
function sizeOf(model: Model, { eigenvalues }: Matrix): number {
  const [high = Number.NaN, low = Number.NaN] = [eigenvalues[0], eigenvalues[1]];
  return Math.sqrt((model === "fm" ? high : high - low) / D);
}

/** Whether one number for each feature can give the pairs their signs; null where a pair has none, or FM has not learned those that it can. */
export function answer({ truth, paths: { fm: { points } } }: Numbers): string | null {
  const end = points.at(-1);
  if (!end || truth.includes(0)) return null;
  if (standing(truth) === "outside") return "never";
  return end.every((pair, i) => Math.sign(pair) === Math.sign(truth[i] ?? 0)) ? "yes" : null;
}

/** The truth's signs; 0 counts as +. */
function signsOf(truth: Point): Three<Sign> {
  return truth.map((pair): Sign => (pair < 0 ? -1 : 1)) as unknown as Three<Sign>;
}

function told(numbers: Numbers): Phrase {
  const { truth, paths: { fm, ifm }, rmse } = numbers;
  const [end, other] = [fm.points.at(-1), ifm.points.at(-1)];
  if (!end || !other) return [];
  const fmEnds = words.found(fm.points.length - 1, space.point(end), quantity("fm", distance(end, truth)), quantity("fm", last(fm.sizes)));
  const ifmEnds = words.ifm(quantity("ifm", distance(other, truth)), quantity("ifm", rmse.ifm));
  switch (standing(truth)) {
    case "outside":
      return sentences([...outside(numbers, end), ifmEnds]);
    case "approached":
      return sentences([words.approached(space.point(truth)), fmEnds, ifmEnds]);
    case "reached":
      return sentences([words.reached(space.point(truth), quantity("none", product(truth), number(product(truth)))), fmEnds, ifmEnds]);
  }
}

/** How FM fares with a truth outside of what it reaches. */
function outside(numbers: Numbers, end: Point): Phrase[] {
  const { truth, paths: { fm: { points, sizes } }, rmse } = numbers;
  const to = headed(truth, end);
  const away = distance(end, truth);
  const iterations = points.length - 1;
  const half = Math.floor(iterations / 2);
  const growth = last(sizes) / (sizes[half] ?? Number.NaN);
  return [
    words.outside(space.point(truth), quantity("none", product(truth), signed(product(truth))), quantity("none", gap(truth))),
    words.fm(iterations, space.point(end), quantity("fm", product(end), signed(product(end))), quantity("fm", away), quantity("fm", rmse.fm)),
    ...(distance(to, truth) > gap(truth) ? [words.other(quantity("none", distance(to, truth)))] : []),
    words.size(quantity("fm", last(sizes)), half, quantity("fm", sizes[half] ?? Number.NaN)),
    ...(growth > GROWS ? [words.grows] : growth < SETTLES ? [words.settles] : []),
  ];
}

function reason(numbers: Numbers): Phrase {
  const found = answer(numbers);
  return found === "never" ? words.never : found === "yes" ? words.yes : [];
}

/** The true pairs. Once there was a run, another follows when a slider is let go of. */
function sliders({ values, change, rerun }: Shown<Settings>): TemplateResult {
  const flip = (): void => {
    for (const key of PAIRS) change(key, -values[key] + 0); // no −0
    rerun();
  };
  return html`<div class="placing" role="group" aria-label=${words.place}>
    ${PAIRS.map(
      (key, i) => html`<label class="slide">
        <span>${words.axes[i]} <b class="num">${signed(values[key], 2)}</b></span>
        <input
          type="range"
          data-pair=${key}
          min="-1"
          max="1"
          step="0.05"
          .value=${String(values[key])}
          aria-label=${words.keys[key]}
          aria-valuetext=${signed(values[key], 2)}
          @input=${(e: Event) => change(key, Number((e.target as HTMLInputElement).value))}
          @change=${rerun}
        />
      </label>`,
    )}
    <button class="flip" @click=${flip}>${words.flip}</button>
  </div>`;
}

/** Before the question is answered FM’s path is left out. */
function sceneOf({ paths: all, queries }: Numbers, { values, stale, revealed }: Shown<Settings>): Scene {
  const truth = truthOf(values);
  const paths = !revealed ? { ...all, fm: { points: [], sizes: [] } } : all;
  return { truth, paths, stale, key: [truth, stale, queries, paths.fm.points.length, paths.ifm.points.length].join(";") };
}

export const reach = chapter({
  id: "reach",
  words,
  settings: declared,
  work: jobs(({ m12, m13, m23, ...shared }: Settings) => {
    const query = encode(specOf({ ...shared, scenario: "mixed", truth: "orthonormal", pairs: [m12, m13, m23].join(), d: D, k: 1, rank: 1, models: MODELS }));
    return MODELS.map((_, cell): Job => ({ query, cell, group: "", path: true }));
  }),
  read,
  answer,
  reason,
  told,
  explains: (numbers) => (answer(numbers) === null ? [] : [words.four, words.few]),
  cost: () => words.cost,
  live: ({ settings: { n, test, iterations, seed } }) => words.live(n, test, iterations, seed),
  picture: ({ truth }, { revealed }) => html`<ifm-trio .truth=${signsOf(truth)} ?revealed=${revealed}></ifm-trio>`,
  details: (shown, numbers) => html`${shown.revealed ? html`<p>${words.geometry}</p>` : nothing}
    <div>
      <ifm-space .scene=${sceneOf(numbers, shown)} .waiting=${waiting[shown.run.phase]}></ifm-space>
      ${sliders(shown)}
    </div>
    ${formulary(formulas.square, formulas.inverse, formulas.edge)}`,
});
