import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { axis } from "../charts/axis.js";
import { curve, waiting } from "../charts/curve.js";
import type { Predictor } from "../charts/fit/rows.js";
import type { Panelled } from "../charts/matrices/matrix.js";
import { matrix } from "../charts/matrices/strings.js";
import { charts, curve as words } from "../charts/strings.js";
import type { Pool } from "../engine/pool.js";
import type { Plan, Table, Trees } from "../engine/protocol.js";
import { opening } from "../file/strings.js";
import type { About } from "../panel/about.js";
import { controlBar, verdictPanel } from "../panel/controls.js";
import { painted, Panel, prop } from "../panel/panel.js";
import { notices } from "../panel/problem.js";
import { script } from "../panel/script.js";
import { controls, verdict as shared } from "../panel/strings.js";
import { solverOf } from "../state/groups.js";
import { parse, type Spec } from "../state/spec.js";
import type { View } from "../state/view.js";
import type { Phrase } from "../text/phrase.js";
import { short } from "../text/strings.js";
import type { Choice, Line, Model } from "../training/series.js";
import { searches } from "../training/search.js";
import { baselines, leader } from "../training/standing.js";
import { MATRIX } from "../training/trainer.js";
import type { Training } from "../training/training.js";
import { conclusion, stopped } from "./conclusion.js";
import "./standing.js";
import { result as strings, verdict } from "./strings.js";

class Result extends Panel {
  @prop accessor pool!: Pool;
  @prop accessor spec!: Spec;
  @prop accessor view!: View;
  @prop accessor training!: Training;
  @prop accessor table!: Table | null; // what it was trained on
  @prop accessor plan!: Plan | null; // of the run; null once the settings have changed
  @property({ type: Boolean }) accessor dark!: boolean;
  @state() private accessor chosen: Predictor | "" = ""; // to look at, by the reader; "": the best on validation rows
  @state() private accessor chartsLost = false; // the scripts of the charts that come later
  @state() private accessor keepLost = false; // that of what can be taken along

  private asked = false; // for that

  constructor() {
    super();
    void painted().then(() => script(() => import("../charts/matrices/all.js"), () => undefined));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void script(() => import("../charts/fit/fit.js"), (is) => (this.chartsLost = is));
  }

  protected override willUpdate(): void {
    if (this.asked || this.training.models.size === 0) return;
    this.asked = true;
    void script(() => import("../model/keep.js"), (is) => (this.keepLost = is));
  }

  /** The settings of the run: what is asked for now may be another. */
  private get runSpec(): Spec {
    return parse(this.training.query).spec;
  }

  protected override render(): TemplateResult {
    const { spec, view, training: t } = this;
    const scale = view.scale === "auto" ? "linear" : view.scale;
    const target = t.started?.target ?? spec.target;
    const measure = t.started?.measure ?? "rmse";
    const lead = leader(t.lines);
    const ghost = view.ghost === "1" ? t.ghost : null;
    const references = baselines(t.trials);
    const going = t.lines.filter((line) => !line.done);
    const { models } = this.runSpec;
    const nothingSeen = t.lines.length === 0 && (t.phase === "failed" || t.phase === "stopped"); // before there was anything to see
    return html`<section class="result" style="--models:${models.length}" aria-labelledby="result-title">
      <h3 id="result-title">${strings.title(target)}</h3>
      <div class="stage">
        ${curve({
          lines: t.lines,
          baselines: references,
          ghost,
          query: t.query,
          heading: words.titleOf(target, measure),
          measure,
          unit: target,
          axis: t.started && axis(scale, { ...spec, source: "table" }, t.started, [...t.lines, ...(ghost?.lines ?? [])], references),
          waiting: waiting(t.phase, "table"),
        })}
        ${verdictPanel("table", t, models, { phrase: this.says, note: note(t), live: t.slow ? shared.slow : "" })}
        ${controlBar(this, "table", { phase: t.phase, speed: view.speed, ghost: view.ghost, scale, progress: folding(t) || (t.phase === "running" && t.lines.length > 0 && going.length === 0 ? strings.comparing : going.map(progress).join(" · ")) })}
      </div>
      ${this.search(target, lead)} ${nothingSeen ? nothing : this.evidence(target, lead)} ${this.keep()} ${notices(t.notices)}
    </section>`;
  }

  get says(): Phrase {
    const t = this.training;
    if (t.error) return [];
    return t.phase === "done" ? conclusion(t) : t.phase === "stopped" ? stopped(t) : [];
  }

  private keep(): TemplateResult | typeof nothing {
    const { models, lines, planned, phase } = this.training;
    if (phase === "failed") return nothing;
    const order = [...lines].sort((a, b) => a.valid - b.valid).flatMap(({ model }) => (models.has(model) ? [model] : []));
    const over = phase !== "starting" && phase !== "running" && phase !== "paused" && order.length > 0;
    if (over && this.keepLost) return html`<p class="note" role="status">${opening.unkept}</p>`;
    return html`<ifm-keep .pool=${this.pool} .models=${over ? models : new Map()} .order=${order} ?own=${this.view.sample === "none"} ?first=${planned > 1}></ifm-keep>`;
  }

  override get about(): About {
    const { table, plan, training: run } = this;
    const { query, started } = run;
    const { seed, trials, target } = this.runSpec;
    const name = table?.name ?? "";
    const parts = [...(started ? [strings.features(started.features.length)] : []), ...(plan ? strings.rows(plan.train, plan.valid, plan.test) : []), ...(trials > 1 ? [strings.repeated(trials)] : []), strings.seed(seed)];
    return { name: name.replace(/\.[^.]*$/, ""), says: strings.how(name, started?.target ?? target, parts), seed, query, run };
  }

  private evidence(target: string, lead: Line | undefined): TemplateResult {
    const t = this.training;
    return html`
      <div class="pairing">
        <ifm-standing .training=${t}></ifm-standing>
        ${this.pairs(target, lead)}
      </div>
      ${this.chartsLost
        ? html`<p class="note" role="status">${charts.late}</p>`
        : html`<ifm-fit
            .predictions=${t.predictions}
            .names=${t.started?.classes ?? null}
            .classes=${t.classes}
            .trees=${this.tellingTrees()}
            .models=${this.runSpec.models}
            .lead=${lead?.model ?? "ifm"}
            .chosen=${this.choice()}
            .target=${target}
            .files=${t.models}
            .intervals=${t.started?.classes ? null : t.intervals}
            .split=${(this.plan ?? this.runSpec).split}
            ?over=${t.phase === "stopped" || t.phase === "failed"}
            .reason=${t.reason}
            .note=${lead ? (t.planned > 1 ? strings.leadOfFirst : strings.lead)(short[lead.model]) : ""}
            @ifm-choose=${(e: CustomEvent<Predictor>) => (this.chosen = e.detail)}
          ></ifm-fit>`}
      ${this.interactions(target, lead)}
    `;
  }

  private search(target: string, lead: Line | undefined): TemplateResult | typeof nothing {
    const { training: t } = this;
    const spec = this.runSpec;
    const lambdas = solverOf(spec) === "als" ? spec.lambdaf : spec.lambdas;
    if (this.chartsLost || (solverOf(spec) !== "als" && spec.ranks.length * lambdas.length < 2)) return nothing;
    return html`<ifm-search .all=${searches(t, spec.models, spec.folds)} .lead=${lead?.model ?? spec.models[0] ?? "ifm"} .lambdas=${lambdas} .measure=${t.started?.measure ?? t.folds[0]?.started.measure ?? "rmse"} .target=${t.started?.target ?? target} ?several=${t.planned > 1}></ifm-search>`;
  }

  /** Boosted trees of classes can be looked at as a model can. */
  private tellingTrees(): Trees | null {
    const grown = this.training.trees.answers.get(0);
    return grown?.told ? grown : null;
  }

  private choice(): Predictor | "" {
    return this.chosen === "ridge" || (this.chosen === "trees" && this.tellingTrees()) || this.runSpec.models.includes(this.chosen as Model) ? this.chosen : "";
  }

  /** The pairs that a test names, and the strongest entries of the model that is looked at. */
  private pairs(target: string, lead: Line | undefined): TemplateResult | typeof nothing {
    const { matrices, models, phase, pairs, started } = this.training;
    const learnt = started?.learnt ?? target;
    if (this.chartsLost) return nothing;
    const choice = this.choice();
    const model = choice === "" || choice === "ridge" || choice === "trees" ? (lead?.model ?? "ifm") : choice;
    return html`<div class="named">
      <ifm-pairs .study=${pairs} .target=${learnt} ?over=${phase === "stopped" || phase === "failed"}></ifm-pairs>
      <ifm-strongest .matrix=${matrices.get(model) ?? null} .file=${models.get(model) ?? null} .model=${model} .target=${learnt}></ifm-strongest>
    </div>`;
  }

  private interactions(target: string, lead: Line | undefined): TemplateResult | typeof nothing {
    const { matrices, started, phase } = this.training;
    const over = phase === "done" || phase === "stopped" || phase === "failed"; // what is not there by then never will be
    if (matrices.size === 0 && (over || (started?.features.length ?? 0) > MATRIX)) return nothing;
    const shown = [...this.runSpec.models].sort((a, b) => Number(b === lead?.model) - Number(a === lead?.model)); // its pairs come strongest first
    const panels = shown.map((model): Panelled => {
      const values = matrices.get(model) ?? null;
      return { key: model, title: short[model], note: values ? matrix.rank(values.rank) : "", values };
    });
    return html`<ifm-matrix .panels=${panels} .heading=${strings.matrix(started?.learnt ?? target)} ?dark=${this.dark}></ifm-matrix><ifm-spectrum .panels=${panels}></ifm-spectrum>`;
  }
}

/** Warns where a better choice may lie beyond what was tried. */
function edge({ rank, lambda, weights }: Choice, { lambdaf, lambdaw, ranks }: Spec): string {
  if (weights === 0) return "";
  const ends: readonly (readonly [string, number, readonly number[]])[] = [["λw", weights, lambdaw], ...(rank > 0 ? ([["λf", lambda, lambdaf]] as const) : [])];
  const reached = ends.filter(([, value, list]) => list.length > 1 && (value === Math.min(...list) || value === Math.max(...list))).map(([name]) => name);
  if (rank > 0 && ranks.length > 1 && rank === Math.max(...ranks)) reached.push("rank");
  return reached.length === 0 ? "" : verdict.edge(reached.join(" and "));
}

function note(training: Training): string {
  const { lines, planned, phase, query } = training;
  if (lines.length === 0) return "";
  if (planned > 1) return `${verdict.chosenInEach}${phase === "done" ? calibrated(training) : ""}`;
  const { spec } = parse(query);
  const choices = lines.flatMap(({ model, choice, done }) => (choice ? [done ? verdict.choice(short[model], choice, edge(choice, spec)) : verdict.choiceSoFar(short[model], choice)] : []));
  return `${verdict.chosen(choices.join("; "))} ${phase === "done" ? `${shared.ring}${calibrated(training)}` : ""}`;
}

/** Whose log-loss is not that of the curves; "" where nothing is calibrated. */
function calibrated({ lines, planned, classes }: Training): string {
  const own = lines.filter(({ kept, reached }) => Math.abs(kept - reached) > 0); // in one trial at least
  const ridge = planned > 1 ? undefined : [...classes.values()][0]?.told.find(({ whose }) => whose === "ridge")?.calibration; // known of the first trial
  return own.length > 0 ? ` ${verdict.calibrated(own.map(({ model }) => short[model]).join(" and "), ridge?.used ? ridge.fitted : Number.NaN)}` : "";
}

function folding({ folds, lines, planned, query, phase }: Training): string {
  const { spec } = parse(query);
  if (spec.folds < 2 || lines.length > 0 || (phase !== "running" && phase !== "paused")) return "";
  return controls.folds(folds.filter(({ done }) => done).length, spec.folds * spec.models.length * planned);
}

function progress({ model, trials, finished, candidate, candidates }: Line): string {
  return trials > 1 ? controls.trials(short[model], finished, trials) : controls.candidate(short[model], candidate + 1, candidates);
}

customElements.define("ifm-result", Result);
