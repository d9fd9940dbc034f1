// What is one step back from the figure: the heat maps, data and files, all settings, and
// how the rows were drawn. A script that comes after the curves.
import { html, nothing, type TemplateResult } from "lit";
import "../charts/matrices/matrix.js";
import type { Panelled } from "../charts/matrices/panels.js";
import type { Matrix } from "../engine/protocol.js";
import "../panel/form.js";
import { check } from "../panel/inputs.js";
import { controls, verdict } from "../panel/strings.js";
import { drawnOnly, solverOf } from "../state/groups.js";
import type { Spec } from "../state/spec.js";
import { drawn } from "../state/strings.js";
import { isFrame, type View } from "../state/view.js";
import { short } from "../text/strings.js";
import type { Model } from "../training/series.js";
import type { Training } from "../training/training.js";
export { notices } from "../panel/places.js";
import { facts as strings, live, rest as words, sides } from "./rest-strings.js";
import "./rows.js";
import { figure } from "./strings.js";

const errors = new WeakMap<Matrix, number>(); // relative, by what was learnt

function keys({ features, solver }: Spec): readonly (keyof Spec)[] {
  return [
    "models", "d", "k", "n", "test", "noise", "seed", "iterations", "trials", "solver", "rank",
    ...(drawnOnly.includes(solver) ? (["batches", "moments", "inverse"] as const) : []),
    "truth", "diagonal", "features",
    ...(features === "threepoint" || features === "slider" ? (["tau"] as const) : []),
    ...(features === "twopoint" ? (["share"] as const) : []),
    ...(features === "onehot" ? (["levels"] as const) : []),
    "rho",
  ];
}

/** What a reader has asked to see beside the curves. */
export interface Shown {
  readonly maps: boolean;
  readonly files: boolean; // and data
  readonly change: (what: "maps" | "files", is: boolean) => void;
}

export function rest(t: Training, spec: Spec, shown: Shown): TemplateResult {
  return html`
    <p class="progress note"><span>${t.started ? progress(t, spec) : ""}</span> <span>${t.started && t.repeated ? controls.repeated : ""}</span></p>
    <div class="row">${(["maps", "files"] as const).map((what) => check(words[what], shown[what], (is) => shown.change(what, is), what))}</div>
    <details class="fold">
      <summary>${words.settings}</summary>
      <ifm-settings .spec=${spec} .keys=${keys(spec)}></ifm-settings>
    </details>
    <p class="live">${described(t, spec)}</p>
  `;
}

export function maps(t: Training, spec: Spec, view: View, dark: boolean): TemplateResult {
  return html`<div class="learnt">
    <ifm-matrix
      .panels=${panels(t, spec)}
      .note=${spec.models.includes("gfm") ? sides.gfm(spec.diagonal === "kept") : ""}
      doubted=${spec.models.includes("fm") ? "fm" : ""}
      ?settled=${t.phase === "done"}
      ?leads=${!isFrame(view)}
      ?dark=${dark}
    ></ifm-matrix>
    ${isFrame(view) ? nothing : html`<ifm-predicted .training=${t} .models=${spec.models}></ifm-predicted>`}
  </div>`;
}

function panels({ truth, matrices, phase }: Training, { scenario, diagonal, truth: factors, models: wanted }: Spec): Panelled[] {
  const kept = diagonal === "kept";
  const learnt = (model: Model): Panelled => {
    const values = matrices.get(model) ?? null;
    const fits = (model === "gfm") === kept;
    const note = !values || !truth ? "" : fits ? sides.error(error(values, truth)) : kept ? sides.noDiagonal : sides.diagonal;
    return { key: model, title: short[model], note, values };
  };
  const over = phase === "done" || phase === "failed"; // who has learnt nothing by then never will
  const models = over ? wanted.filter((model) => matrices.has(model)) : wanted;
  return [{ key: "truth", title: figure.whole, note: sides.truth(scenario, factors === "orthonormal", kept), values: truth }, ...models.map(learnt)];
}

function error(learnt: Matrix, truth: Matrix): number {
  const known = errors.get(learnt) ?? relativeError(learnt, truth);
  errors.set(learnt, known);
  return known;
}

/** ‖M − truth‖ / ‖truth‖, Frobenius. */
function relativeError(m: Matrix, truth: Matrix): number {
  let [off, all] = [0, 0];
  for (let at = 0; at < truth.values.length; at++) {
    const v = truth.values[at] ?? 0;
    off += ((m.values[at] ?? 0) - v) ** 2;
    all += v ** 2;
  }
  return Math.sqrt(off / all);
}

/** How the rows of a run were drawn, and what fits them, in a sentence. */
export function described({ started, slow }: Training, spec: Spec): string {
  const { n, test, d, k, seed, noise, trials, solver, features, tau, rho, rank, numbers, truth, diagonal } = spec;
  const more = [
    noise > 0 && drawn.noise(noise),
    trials > 1 && strings.trials(trials),
    truth === "orthonormal" && strings.orthonormal,
    diagonal === "kept" && strings.kept,
    features !== "gaussian" && drawn.features[features],
    (features === "threepoint" || features === "slider") && strings.tau(tau),
    rho > 0 && strings.rho(rho),
    rank > 0 && strings.rank(rank),
    numbers === "equal" && strings.equal,
    solverOf({ ...spec, source: "synthetic" }) !== "agd" && strings.solver[solver],
  ].filter((fact) => fact !== false);
  const said = live(started !== null, n, test, d, k, seed, more);
  return slow ? `${said} ${verdict.slow}` : said;
}

function progress({ lines, phase }: Training, { iterations }: Spec): string {
  const ends = lines.map((line) => line.iteration.at(-1) ?? 0);
  const last = Math.max(0, ...ends);
  if (phase === "running" || phase === "starting" || ends.every((end) => end === last)) return controls.progress(last, iterations);
  return controls.progressOfEach(lines.map((line, i) => controls.each(short[line.model], ends[i] ?? 0)), iterations);
}
