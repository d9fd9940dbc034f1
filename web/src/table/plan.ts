// What would be trained: how rows are split, the models and their tuning, and how long it takes.
import { html, nothing, type TemplateResult } from "lit";
import { SHARED_BYTES } from "../engine/pool.js";
import type { Note, Plan, Table } from "../engine/protocol.js";
import type { Loaded } from "../file/loaded.js";
import "../panel/form.js";
import { pick } from "../panel/inputs.js";
import { sentence, tell } from "../panel/panel.js";
import { drawnOnly, forTable, solverOf } from "../state/groups.js";
import { encode, optionsOf, parse, type Spec } from "../state/spec.js";
import type { Phrase } from "../text/phrase.js";
import { quantity } from "../text/phrase.js";
import { forecast } from "../training/forecast.js";
import { leader } from "../training/standing.js";
import type { Training } from "../training/training.js";
import { plan as strings, splits } from "./strings.js";

const LONG = 10; // s, from which the time is foretold
const OFFERED = 3; // other splits

function keys(spec: Spec): readonly (keyof Spec)[] {
  const penalties = solverOf(spec) === "als" ? (["lambdaf", "lambdaw", "encode"] as const) : (["lambdas"] as const);
  return ["models", "log", "solver", "ranks", ...penalties, "folds", "iterations", "patience", "rare", "level", "seed", "trials"];
}

/** The models and their tuning. */
export function tuning(own: Spec, { plan, table }: Loaded): TemplateResult | typeof nothing {
  if (!table) return nothing;
  const spec = forTable(own);
  return html`<details class="tuning">
    <summary>${strings.options}</summary>
    <ifm-settings scope="table" .spec=${spec} .keys=${keys(spec)} .without=${drawnOnly}></ifm-settings>
    ${plan ? html`<p class="note">${strings.sentence(plan.target, plan.quantity, plan.features)} ${solverOf(spec) === "als" ? strings.candidates(forecast(plan, spec, 1).candidates) : strings.steps(plan.steps)}</p>` : nothing}
    ${drawnOnly.includes(own.solver) ? html`<p class="note" data-note="solver">${strings.solver}</p>` : nothing}
    ${own.models.includes("gfm") ? html`<p class="note" data-note="gfm">${strings.gfm}</p>` : nothing}
  </details>`;
}

/** How long training may take; "" where that is short. */
export function time(plan: Plan, table: Table, own: Spec): string {
  const spec = forTable(own);
  const { models, trials, folds } = spec;
  const lanes = table.bytes >= SHARED_BYTES ? 1 : Math.min(navigator.hardwareConcurrency || 2, models.length * trials * Math.max(1, folds));
  const { seconds, candidates, bound } = forecast(plan, spec, lanes);
  return seconds <= LONG ? "" : bound ? strings.forecast(seconds) : strings.search(seconds, candidates);
}

/** How rows are split unless a second file has the test rows, the splits that the columns suggest, and what the split before said. A choice starts nothing before the first run. */
export function split(from: EventTarget, own: Spec, { plan, table, opened }: Loaded, training: Training): TemplateResult | typeof nothing {
  if (!table || opened?.second?.as === "tests") return nothing;
  const { split, by } = plan ?? own;
  const suggested = plan?.suggested ?? [];
  const names = [...new Set([by, ...suggested.filter(({ topic }) => topic === split).flatMap(({ columns }) => columns), ...table.columns.map(({ name }) => name)])];
  const take = (cut: Partial<Spec>): void => tell(from, training.phase === "idle" ? "ifm-spec" : "ifm-train", cut);
  const compared = comparedWith(training);
  return html`<div class="split" data-split=${split}>
    <div class="row">
      ${pick(splits.label, optionsOf("split"), split, (kind) => splits.kinds[kind], (split) => tell(from, "ifm-spec", { split, by: "" }), "split")}
      ${split === "random" ? nothing : pick(splits.by, names, by, (name) => name || splits.any, (by) => tell(from, "ifm-spec", { split, by }), "by")}
    </div>
    <p class="note">${splits.means[split](by)} ${compared ? html`<span data-note="split">${sentence(compared)}</span>` : nothing}</p>
    ${split === "random" || compared || training.phase !== "done" ? nothing : html`<button @click=${() => compare(from)}>${splits.random}</button>`}
    ${suggested.slice(0, OFFERED).map((note) => {
      const { split, by } = cutOf(note);
      return html`<p class="offer" data-suggested=${split}>
        <span><b>${by}</b>: ${splits.reason(note.text)}</span>
        <button @click=${() => take({ split, by })}>${splits.take[split](by)}</button>
      </p>`;
    })}
  </div>`;
}

/** The split that a note suggests. */
export function cutOf({ topic, columns: [by = ""] }: Note): { readonly split: "time" | "group"; readonly by: string } {
  return { split: topic === "time" ? topic : "group", by };
}

/** Trains with a random split, with the run that is over as faint lines. */
function compare(from: EventTarget): void {
  tell(from, "ifm-view", { ghost: "1" });
  tell(from, "ifm-train", { split: "random", by: "" });
}

/** The errors of two runs whose splits alone differ, of the model that leads in each. */
function comparedWith({ phase, lines, ghost, query }: Training): Phrase | null {
  if (phase !== "done" || !ghost) return null;
  const [now, before] = [leader(lines), leader(ghost.lines)];
  const [is, was] = [parse(query).spec, parse(ghost.query).spec];
  const same = { split: "random", by: "", categorical: [], numeric: [] } as const; // kinds are chosen for each split
  if (!now || !before || (is.split === was.split && is.by === was.by) || encode({ ...is, ...same }) !== encode({ ...was, ...same })) return null;
  return splits.compared(quantity(before.model, before.kept), splits.of(was.split, was.by), quantity(now.model, now.kept), splits.of(is.split, is.by));
}
