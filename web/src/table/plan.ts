import { html, nothing, type TemplateResult } from "lit";
import { SHARED_BYTES } from "../engine/pool.js";
import type { Note, Plan, Table } from "../engine/protocol.js";
import { waitsFor, type Loaded } from "../file/loaded.js";
import "../panel/form.js";
import { pick } from "../panel/inputs.js";
import { sentence, tell } from "../panel/panel.js";
import { notices, places } from "../panel/problem.js";
import { drawnOnly, forTable, solverOf } from "../state/groups.js";
import { optionsOf, type Spec } from "../state/spec.js";
import type { Training } from "../training/training.js";
import { oddities } from "./roles.js";
import { data as strings, plan as planStrings, splits } from "./strings.js";

const LONG = 10; // s, from which the time is foretold
const OFFERED = 3; // other splits
const LISTED = 40; // columns beside which notes about them stand, as in columns.ts at first

function keys(spec: Spec): readonly (keyof Spec)[] {
  const penalties = solverOf(spec) === "als" ? (["lambdaf", "lambdaw", "encode"] as const) : (["lambdas"] as const);
  return ["models", "log", "solver", "ranks", ...penalties, "folds", "iterations", "patience", "rare", "level", "seed", "trials"];
}

/** What would be trained, and the button that starts it. */
export function planned(from: EventTarget, own: Spec, loaded: Loaded, { phase }: Training): TemplateResult | typeof nothing {
  const { plan, planError, table } = loaded;
  if (!table) return nothing;
  const spec = forTable(own);
  const waits = waitsFor(loaded);
  return html`<section class="plan" aria-labelledby="plan" data-state=${planError ? "error" : plan ? "ready" : "waiting"}>
    <h3 id="plan">${planStrings.title}</h3>
    <p class="sentence">${plan ? sentence(planStrings.sentence(plan.target, plan.features, plan.train, plan.valid, plan.test, plan.folds, plan.bytes)) : planError ? `${planStrings.error}: ${planError.message}` : planStrings.planning}</p>
    <ifm-split>${split(from, plan ?? own, table, plan?.suggested ?? [], phase === "idle")}</ifm-split>
    ${drawnOnly.includes(own.solver) ? html`<p class="note" data-note="solver">${planStrings.solver}</p>` : nothing}
    ${own.models.includes("gfm") ? html`<p class="note" data-note="gfm">${planStrings.gfm}</p>` : nothing}
    ${plan ? html`${time(plan, table, spec)} ${consequences(plan, table)}` : nothing}
    <details class="fold">
      <summary>${planStrings.options}</summary>
      <ifm-settings scope="table" .spec=${spec} .keys=${keys(spec)} .without=${drawnOnly}></ifm-settings>
      ${plan ? html`<p class="note">${solverOf(spec) === "als" ? planStrings.candidates(forecast(plan, spec, 1).candidates) : planStrings.steps(plan.steps)}</p>` : nothing}
    </details>
    <p class="go">
      <button class="primary start" ?disabled=${!plan || planError !== null || waits === "answers"} aria-describedby=${waits === "nothing" ? nothing : "waits"} @click=${() => tell(from, "ifm-run", { run: "table", command: "again" })}>${planStrings.start}</button>
      ${waits === "nothing" ? nothing : html`<span class="note" id="waits">${waits === "answers" ? planStrings.waitsForAnswers(table.asks) : planStrings.waitsForTarget} <a href="#asked">${planStrings.toAsked}</a></span>`}
    </p>
  </section>`;
}

function time(plan: Plan, table: Table, spec: Spec): TemplateResult | typeof nothing {
  const { models, trials, folds } = spec;
  const lanes = table.bytes >= SHARED_BYTES ? 1 : Math.min(navigator.hardwareConcurrency || 2, models.length * trials * Math.max(1, folds));
  const { seconds, candidates, bound } = forecast(plan, spec, lanes);
  return seconds <= LONG ? nothing : html`<p class="note" data-note="time">${bound ? planStrings.forecast(seconds) : planStrings.search(seconds, candidates)}</p>`;
}

/** What the plan passes over that stands nowhere else. */
function consequences(plan: Plan, table: Table): TemplateResult {
  const listed = new Set(table.columns.slice(0, LISTED).map(({ name }) => name));
  const odd = oddities(plan);
  const beside = (note: Note): boolean => (note.topic === "role" || odd.includes(note)) && note.columns.some((name) => listed.has(name)); // a column in columns.ts
  const shown = new Set(table.bad.map((place) => `${place.line}:${place.message}`));
  const dropped = plan.dropped.filter((place) => !shown.has(`${place.line}:${place.message}`));
  const n = plan.droppedCount - (plan.dropped.length - dropped.length);
  return html`${notices(plan.notes.filter((note) => !beside(note)).map(({ text }) => text))} ${places(strings.droppedTitle(n), dropped, n)}`;
}

/** How rows are split, and the splits that the columns suggest. A choice starts nothing before the first run. */
function split(from: EventTarget, { split, by }: Pick<Spec, "split" | "by">, { columns }: Table, suggested: Plan["suggested"], idle: boolean): TemplateResult {
  const names = [...new Set([by, ...suggested.filter((s) => s.split === split).map((s) => s.by), ...columns.map(({ name }) => name)])];
  return html`<div class="split" data-split=${split}>
    <div class="picks">
      ${pick(splits.label, optionsOf("split"), split, (kind) => splits.kinds[kind], (split) => tell(from, "ifm-spec", { split, by: "" }), "split")}
      ${split === "random" ? nothing : pick(splits.by, names, by, (name) => name || splits.any, (by) => tell(from, "ifm-spec", { split, by }), "by")}
    </div>
    <p class="note">${splits.means[split](by)}</p>
    ${suggested.slice(0, OFFERED).map(
      ({ split, by, reason }) => html`<p class="offer" data-suggested=${split}>
        <span><b>${by}</b>: ${splits.reason(reason)}</span>
        <button @click=${() => tell(from, idle ? "ifm-spec" : "ifm-train", { split, by })}>${splits.take[split](by)}</button>
      </p>`,
    )}
  </div>`;
}

const PRODUCT = 0.7e-9; // s of a descent's iteration, for an element of the design and a column of the factors
const MULTIPLY = 1.5e-9; // s of a multiply-add of als
const SWEEPS = 30; // of als within which most candidates stop
const NUMBERS = 2; // a piecewise-linear basis has two elements where a number has one

interface Forecast {
  readonly candidates: number; // of a model
  readonly seconds: number; // on an ordinary laptop, with so many lanes
  readonly bound: boolean; // nothing takes longer; else some candidates may
}

export function forecast({ bytes, steps, features }: Pick<Plan, "bytes" | "steps" | "features">, spec: Spec, lanes: number): Forecast {
  const { models, trials, ranks, encode, iterations, folds } = spec;
  const candidates = Math.round(steps / (iterations * (1 + (folds > 1 ? folds : 0))));
  const elements = bytes / 8;
  if (solverOf({ ...spec, source: "table" }) !== "als") {
    const rank = ranks.reduce((sum, k) => sum + k, 0) / Math.max(1, ranks.length);
    return { candidates, seconds: (steps * models.length * trials * elements * rank * PRODUCT) / lanes, bound: true };
  }
  const encodings = encode === "auto" ? [1, NUMBERS] : [encode === "hats" ? NUMBERS : 1];
  const sweeps = Math.min(iterations, SWEEPS);
  const penalties = (candidates / encodings.length - 1) / Math.max(1, ranks.length); // of a rank
  let products = 0;
  for (const model of models) {
    for (const k of ranks) {
      const p = model === "ifm" ? 2 * k + 1 : k + 1; // unknowns of a feature's block; gFM has two
      const blocks = model === "gfm" ? 2 : 1;
      for (const wider of encodings) products += blocks * penalties * (wider * elements * (p * p + 4 * p) + wider * features * p ** 3);
    }
  }
  return { candidates, seconds: (products * sweeps * trials * (folds > 1 ? folds + 1 : 1) * MULTIPLY) / lanes, bound: false };
}
