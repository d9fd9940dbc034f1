// What came of a table: at the left the verdict, the errors of all models and the best advice,
// at the right five tabs. In a frame the columns' tab is left out.
import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { axis } from "../charts/axis.js";
import { curve, waiting } from "../charts/curve.js";
import { unlike } from "../charts/earlier.js";
import type { Predictor } from "../charts/fit/rows.js";
import { choice as classChoice, score } from "../charts/matrices/classes.js";
import type { Panelled } from "../charts/matrices/matrix.js";
import { matrix } from "../charts/matrices/strings.js";
import { curve as words } from "../charts/strings.js";
import { during } from "../engine/pending.js";
import type { Pool } from "../engine/pool.js";
import type { Plan, Table } from "../engine/protocol.js";
import { partLost } from "../engine/strings.js";
import { waitsFor, type Loaded } from "../file/loaded.js";
import type { About } from "../panel/about.js";
import { controlBar } from "../panel/controls.js";
import { bequeath } from "../panel/heir.js";
import { painted, Panel, prop, sentence } from "../panel/panel.js";
import { notices } from "../panel/places.js";
import { problem } from "../panel/problem.js";
import { script } from "../panel/script.js";
import { verdict as shared } from "../panel/strings.js";
import { address, offer } from "../save/offer.js";
import { solverOf } from "../state/groups.js";
import { parse, type Spec } from "../state/spec.js";
import type { View } from "../state/view.js";
import { plain, type Phrase } from "../text/phrase.js";
import { ended, short } from "../text/strings.js";
import { tellingTrees } from "../training/comparison.js";
import { searches } from "../training/search.js";
import type { Choice, Line, Model } from "../training/series.js";
import { baselines, isModel, leader, standings } from "../training/standing.js";
import { MATRIX } from "../training/trainer.js";
import { isMany, type Training } from "../training/training.js";
import { isCalibrated } from "./board.js";
import "./columns.js";
import { conclusion, recommended, stopped } from "./conclusion.js";
import { cutOf, split, time, tuning } from "./plan.js";
import { readingOf } from "./reading.js";
import { oddities } from "./roles.js";
import "./rules.js";
import { advice, choices, nameOf, plan as planned, result as strings, run } from "./strings.js";

const TABS = ["predictions", "matters", "columns", "training", "take"] as const;
const NEAR_ZERO = 0.01; // of the largest learned interaction: a map whose entries are all below it is blank
type Tab = (typeof TABS)[number];

/** What is to be done next, with the press that does it. */
interface Advice {
  readonly name: string;
  readonly says: string;
  readonly press: string;
  readonly isPrimary: boolean;
  readonly go: () => void;
}

class Result extends Panel {
  @prop accessor pool!: Pool;
  @prop accessor spec!: Spec;
  @prop accessor view!: View;
  @prop accessor training!: Training;
  @prop accessor table!: Table | null; // what it was trained on
  @prop accessor plan!: Plan | null; // of the run
  @prop accessor loaded: Loaded | null = null; // null in a frame
  @property({ type: Boolean }) accessor stale = false; // the settings have changed since the run
  @property({ type: Boolean }) accessor dark!: boolean;
  @state() private accessor tab: Tab = "predictions";
  @state() private accessor chosen: Predictor | "" = ""; // to look at, by the reader; "": the best on validation rows
  @state() private accessor chartsLost = false; // the scripts of the charts that come later
  @state() private accessor savingRows = ""; // why the test rows could not be saved
  @state() private accessor keepLost = false; // that of what can be taken along

  private asked = false; // for that

  private readonly panels: Readonly<Record<Tab, () => TemplateResult | typeof nothing>> = {
    predictions: () => this.predictions(),
    matters: () => this.matters(),
    columns: () => this.columns(),
    training: () => this.trained(),
    take: () => this.taken(),
  };

  constructor() {
    super();
    bequeath(this, "#result");
    void painted().then(() => script(() => import("../charts/matrices/all.js"), () => undefined));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void script(() => import("../charts/fit/fit.js"), (is) => (this.chartsLost = is));
  }

  protected override willUpdate(): void {
    if (this.asked || this.training.models.size === 0) return;
    this.asked = true;
    void script(() => import("./report.js"), (is) => (this.keepLost = is));
  }

  /** Opens a tab and moves the focus there. */
  show(tab: Tab): void {
    this.tab = tab;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(`#tab-${tab}`)?.focus());
  }

  /** Whether there is something to answer or mend before the first run. */
  private get waitsFirst(): boolean {
    const { loaded, training } = this;
    return training.phase === "idle" && loaded !== null && (waitsFor(loaded) !== "nothing" || loaded.planError !== null);
  }

  /** The settings of the run: what is asked for now may be another. */
  private get runSpec(): Spec {
    return parse(this.training.query).spec;
  }

  private get target(): string {
    return this.training.started?.target ?? this.plan?.target ?? this.spec.target;
  }

  protected override render(): TemplateResult {
    const isIdle = this.waitsFirst;
    const tabs = this.loaded ? TABS : TABS.filter((tab) => tab !== "columns");
    const now = isIdle ? "columns" : this.tab;
    const { loaded } = this;
    return html`<div class="result" data-plan=${loaded?.planError ? "error" : loaded?.plan ? "ready" : "waiting"}>
      <section class="table-answer" aria-label=${run.verdict} data-phase=${this.training.phase}>${this.answer()}</section>
      <section class="details" aria-label=${strings.label}>
        <div class="tabs" role="tablist" aria-label=${strings.label} @keydown=${this.steer} ?hidden=${isIdle}>
          ${tabs.map((tab) => html`<button role="tab" id="tab-${tab}" aria-controls="panel-${tab}" aria-selected=${String(tab === now)} tabindex=${tab === now ? 0 : -1} @click=${() => (this.tab = tab)}>${strings.tabs[tab]}</button>`)}
        </div>
        ${tabs.map((tab) => html`<div class="panel" role="tabpanel" id="panel-${tab}" aria-labelledby="tab-${tab}" ?hidden=${tab !== now}>${isIdle && tab !== "columns" ? nothing : this.panels[tab]()}</div>`)}
      </section>
    </div>`;
  }

  /** Arrow keys, Home and End go from tab to tab. */
  private readonly steer = (event: KeyboardEvent): void => {
    const tabs = [...this.querySelectorAll<HTMLElement>("[role=tab]")];
    const at = tabs.findIndex((tab) => tab === event.target);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = tabs.at(to % tabs.length);
    next?.click();
    next?.focus();
  };

  /** What a page around hears. */
  get says(): Phrase {
    return this.sentences.flatMap((one, i) => (i === 0 ? one : [" ", ...one]));
  }

  private get sentences(): readonly Phrase[] {
    const t = this.training;
    if (t.error) return [];
    const unlike = this.plan?.notes.find(({ topic }) => topic === "beyond");
    return t.phase === "done" ? [...conclusion(t), ...(unlike && this.plan?.hasTests ? [[ended(unlike.text)]] : [])] : t.phase === "stopped" ? stopped(t) : [];
  }

  private answer(): TemplateResult {
    const { training: t } = this;
    if (this.waitsFirst) return this.untrained();
    const { sentences } = this;
    const isOver = sentences.length > 0;
    return html`<div role="status" data-verdict="table">
        <h2 class="verdict-of">${isOver ? sentences.map((one) => html`<span>${sentence(one)}</span> `) : html`<span>${this.heading}</span>`}</h2>
      </div>
      ${isOver ? nothing : this.progress()} ${t.error ? html`<p class="error" role="alert">${problem(t.error)}</p>` : nothing}
      ${t.slow ? html`<p class="note">${shared.slow}</p>` : nothing}
      ${t.lines.length === 0 && (t.phase === "failed" || t.phase === "stopped") ? nothing : html`<ifm-board .training=${t} .spec=${t.phase === "idle" ? this.spec : this.runSpec}></ifm-board>`}
      ${this.advised()}`;
  }

  /** What stands in the place of a verdict. */
  private get heading(): string {
    const { phase, error } = this.training;
    if (phase === "starting" || phase === "running") return run.training;
    return phase === "paused" ? run.paused : phase === "failed" || error ? run.failed : run.ready;
  }

  private progress(): TemplateResult | typeof nothing {
    const { training: t } = this;
    if (t.phase === "failed" || t.phase === "stopped" || t.phase === "done") return nothing;
    const { done, of } = share(t);
    return html`<div class="going">
      <progress aria-label=${run.training} max=${Math.max(1, of)} value=${of > 0 ? done : nothing}></progress>
      ${t.phase === "idle" ? html`<button class="primary start" @click=${this.start}>${run.start}</button>` : html`<button class="stop" @click=${() => this.tell("ifm-run", { run: "table", command: "stop" })}>${run.stop}</button>`}
      <p class="note">${progressOf(t)}</p>
    </div>`;
  }

  /** Before the first run: what would be trained, and the button that starts it. */
  private untrained(): TemplateResult {
    const { loaded, table, spec } = this;
    if (!loaded || !table) return html``;
    const { plan, planError } = loaded;
    const waits = waitsFor(loaded);
    const long = plan ? time(plan, table, spec) : "";
    return html`<h2 class="verdict-of">${planError ? run.error : waits === "nothing" ? run.ready : run.waits}</h2>
      <p>${plan ? run.rows(plan.train, plan.valid, plan.test, plan.folds) : planError ? planError.message : run.planning} ${long}</p>
      <p class="row">
        <button class="primary start" ?disabled=${!plan || planError !== null || waits === "answers"} aria-describedby=${waits === "nothing" ? nothing : "waits"} @click=${this.start}>${run.start}</button>
        ${waits === "nothing" ? nothing : html`<span class="note" id="waits">${waits === "answers" ? run.waitsForAnswers(table.asks) : run.waitsForTarget}</span>`}
      </p>`;
  }

  private readonly start = (): void => this.tell("ifm-run", { run: "table", command: "again" });

  private advised(): TemplateResult | typeof nothing {
    if (this.stale) {
      const { plan, planError } = this.loaded ?? {};
      return html`<div class="advice" data-advice="stale">
        <p>${planError ? `${run.error} ${planError.message}` : run.changed}</p>
        <button class="primary start" ?disabled=${!plan} @click=${this.start}>${run.again}</button>
      </div>`;
    }
    const best = this.advice();
    if (!best) return nothing;
    return html`<div class="advice" data-advice=${best.name}>
      <p>${best.says}</p>
      <button class=${best.isPrimary ? "primary" : ""} @click=${best.go}>${best.press}</button>
    </div>`;
  }

  /** The best there is. It comes when nothing above it grows. */
  private advice(): Advice | null {
    const { training: t, plan } = this;
    const { logged, started } = t;
    if (t.phase !== "done" || !started) return null;
    const odd = plan && this.loaded ? new Set(oddities(plan).filter(({ topic }) => topic === "leak" || topic === "parts").flatMap(({ columns }) => columns)).size : 0;
    if (odd > 0) return { name: "leak", says: advice.look(odd), press: advice.columns, isPrimary: true, go: () => this.show("columns") };
    const isLogarithm = !started.classes && started.quantity !== started.target;
    if (logged && !isLogarithm && logged.pays) return { name: "logarithm", says: advice.logarithm(logged), press: advice.try, isPrimary: true, go: () => this.other("yes") };
    const [suggested] = plan?.suggested ?? [];
    if (suggested && this.loaded) {
      const { split, by } = cutOf(suggested);
      return { name: "split", says: advice.split[split](by), press: advice.try, isPrimary: true, go: () => this.tell("ifm-train", { split, by }) };
    }
    if (plan && plan.codes > 2) {
      const { target } = this;
      return { name: "classes", says: advice.codes(target, plan.codes), press: advice.classes, isPrimary: false, go: () => this.tell("ifm-train", { categorical: [...this.runSpec.categorical, target] }) };
    }
    if (isLogarithm) return { name: "logarithm", says: advice.isLogarithm(started.quantity), press: advice.learn(started.target), isPrimary: false, go: () => this.other("no") };
    return null;
  }

  private other(log: "no" | "yes"): void {
    this.tell("ifm-view", { ghost: "1" });
    this.tell("ifm-train", { log });
  }

  override get about(): About {
    const { table, plan, training: run } = this;
    const { query, started } = run;
    const { seed, trials, target } = this.runSpec;
    const name = table?.name ?? "";
    const parts = [...(started ? [strings.features(started.features.length)] : []), ...(plan ? strings.rows(plan.train, plan.valid, plan.test) : []), ...(trials > 1 ? [strings.repeated(trials)] : []), strings.seed(seed)];
    return { name: name.replace(/\.[^.]*$/, ""), says: strings.how(name, started?.target ?? target, parts), seed, query, run };
  }

  private predictions(): TemplateResult {
    const t = this.training;
    const lead = leader(t.lines);
    if (this.chartsLost) return html`<p class="note" role="status">${partLost}</p>`;
    return html`<ifm-fit
      .pool=${this.pool}
      .training=${t}
      .models=${this.runSpec.models}
      .lead=${lead?.model ?? "ifm"}
      .chosen=${this.choice()}
      .target=${this.target}
      .split=${(this.plan ?? this.runSpec).split}
      .note=${lead ? (t.planned > 1 ? strings.leadOfFirst : strings.lead)(short[lead.model]) : ""}
      @ifm-choose=${(e: CustomEvent<Predictor>) => (this.chosen = e.detail)}
    ></ifm-fit>
    ${t.models.size > 0 ? html`<p class="row"><button class="predict-another" @click=${() => this.show("take")}>${strings.another}</button> ${this.testRows(lead?.model)}</p>` : nothing}`;
  }

  /** Saves the test rows with the predictions of the model that is looked at, or of the best. */
  private testRows(lead: Model | undefined): TemplateResult | typeof nothing {
    const { training: t, pool } = this;
    const opened = this.loaded?.opened;
    const choice = this.choice();
    const model = choice !== "" && isModel(choice) ? choice : lead;
    const rows = model && t.predictions.get(model)?.actual.length;
    if (!opened || !model || !rows || t.phase !== "done") return nothing;
    const save = async (format: "csv" | "xlsx"): Promise<void> => {
      this.savingRows = "";
      try {
        await (await during(import("./report.js"))).saveTestRows(format, pool, opened, t, model);
      } catch (reason) {
        this.savingRows = strings.rowsLost(reason instanceof Error ? reason.message : "");
      }
    };
    return html`<button class="test-rows" @click=${() => void save("csv")}>${strings.saveRows(rows, short[model])}</button> <button class="test-rows-workbook" @click=${() => void save("xlsx")}>${strings.saveWorkbook}</button> <span class="note" role="status">${this.savingRows}</span>`;
  }

  /** The columns and pairs by importance, with what each adds to the model that is looked at. */
  private matters(): TemplateResult | typeof nothing {
    const { models, phase, pairs, lines, importance, started, shownClass } = this.training;
    const over = phase === "stopped" || phase === "failed";
    if (this.chartsLost) return nothing;
    const choice = this.choice();
    const model = choice === "" || choice === "ridge" || choice === "trees" ? (leader(lines)?.model ?? "ifm") : choice;
    return html`${this.classOf()}<ifm-importance .pool=${this.pool} .importance=${importance.get(model) ?? null} .file=${models.get(model) ?? null} .study=${pairs} .model=${model} .measure=${started?.measure ?? "rmse"} .target=${this.target} .shown=${shownClass} ?over=${over}></ifm-importance>`;
  }

  private columns(): TemplateResult | typeof nothing {
    const { loaded, spec, training, stale } = this;
    if (!loaded) return nothing;
    return html`${stale && training.phase !== "idle" ? html`<p><button class="with-changes" ?disabled=${!loaded.plan} @click=${this.start}>${run.withChanges}</button></p>` : nothing}
      <ifm-roles .spec=${spec} .loaded=${loaded}></ifm-roles>
      <ifm-rules .spec=${spec} .loaded=${loaded} .training=${training}></ifm-rules>
      ${split(this, spec, loaded, training)} ${readingOf(this, spec, loaded)} ${training.phase === "idle" ? tuning(spec, loaded) : nothing}`;
  }

  private trained(): TemplateResult {
    const { spec, view, training: t, loaded } = this;
    const { target } = this;
    const scale = view.scale === "auto" ? "linear" : view.scale;
    const measure = t.started?.measure ?? "rmse";
    const ghost = view.ghost === "1" ? t.ghost : null;
    const references = baselines(t.trials.slice(0, t.planned)); // of the curves
    return html`${curve({
        lines: t.lines,
        baselines: references,
        ghost,
        faint: ghost ? unlike(t.query, ghost.query) : "",
        heading: words.titleOf(target, measure),
        measure,
        unit: target,
        axis: t.started && axis(scale, { ...spec, source: "table" }, t.started, [...t.lines, ...(ghost?.lines ?? [])], references),
        waiting: waiting(t.phase),
      })}
      ${controlBar(this, { phase: t.phase, speed: view.speed, ghost: view.ghost, scale, progress: progressOf(t) })}
      <p class="note chosen">${chosenIn(t)} ${t.lines.some(({ model }) => isCalibrated(t, model)) ? strings.uncalibrated : ""}</p>
      ${notices(t.notices.filter((text) => !loaded?.plan?.notes.some((note) => note.text === text)))} ${this.search()} ${this.interactions()} ${loaded ? tuning(spec, loaded) : nothing}`;
  }

  private search(): TemplateResult | typeof nothing {
    const { training: t } = this;
    const spec = this.runSpec;
    const lambdas = solverOf(spec) === "als" ? spec.lambdaf : spec.lambdas;
    if (this.chartsLost || (solverOf(spec) !== "als" && spec.ranks.length * lambdas.length < 2)) return nothing;
    return html`<ifm-search .all=${searches(t, spec.models, spec.folds)} .lead=${leader(t.lines)?.model ?? spec.models[0] ?? "ifm"} .lambdas=${lambdas} .measure=${t.started?.measure ?? t.folds[0]?.started.measure ?? "rmse"} .target=${this.target} ?several=${t.planned > 1}></ifm-search>`;
  }

  private interactions(): TemplateResult | typeof nothing {
    const { matrices, started, phase, lines } = this.training;
    const over = phase === "done" || phase === "stopped" || phase === "failed"; // what is not there by then never will be
    if (matrices.size === 0 && (over || (started?.features.length ?? 0) > MATRIX)) return nothing;
    const lead = leader(lines)?.model;
    const shown = [...this.runSpec.models].sort((a, b) => Number(b === lead) - Number(a === lead)); // its pairs come strongest first
    const most = (model: Model): number => matrices.get(model)?.values.reduce((largest, v) => Math.max(largest, Math.abs(v)), 0) ?? 0;
    const largest = Math.max(...shown.map(most));
    const panels = shown.map((model): Panelled => {
      const values = matrices.get(model) ?? null;
      return { key: model, title: short[model], note: values ? `${matrix.rank(values.rank)}${most(model) < NEAR_ZERO * largest ? matrix.nearZero : ""}` : "", values };
    });
    return html`<details class="learned">
      <summary>${planned.learned}</summary>
      ${this.classOf()}
      <ifm-matrix .panels=${panels} .heading=${strings.matrix(this.quantity)} ?dark=${this.dark}></ifm-matrix><ifm-spectrum .panels=${panels}></ifm-spectrum>
    </details>`;
  }

  /** What the interactions that are shown are of. */
  private get quantity(): string {
    const { started, shownClass } = this.training;
    return isMany(started) ? score(this.target, started?.classes ?? [], shownClass) : (started?.quantity ?? this.target);
  }

  /** The choice of one of more than two classes, each of which has interactions. */
  private classOf(): TemplateResult | typeof nothing {
    const { started, shownClass, matrices } = this.training;
    if (!isMany(started) || matrices.size === 0) return nothing;
    return classChoice(this.target, started?.classes ?? [], shownClass, (shown) => this.tell("ifm-class", shown));
  }

  private taken(): TemplateResult | typeof nothing {
    const { models, lines, planned, phase } = this.training;
    if (phase === "failed") return nothing;
    const order = [...lines].sort((a, b) => a.valid - b.valid).flatMap(({ model }) => (models.has(model) ? [model] : []));
    const over = phase !== "starting" && phase !== "running" && phase !== "paused" && order.length > 0;
    if (over && this.keepLost) return html`<p class="note" role="status">${partLost}</p>`;
    return html`${over ? this.unsaved() : html`<p class="note">${strings.notYet}</p>`}<ifm-keep .pool=${this.pool} .models=${over ? models : new Map()} .order=${order} .everyRow=${this.training.everyRow} ?whole=${phase === "done"} ?first=${planned > 1}></ifm-keep>
      ${over ? this.report() : nothing}`;
  }

  /** What can be taken along if the verdict names a baseline. */
  private unsaved(): TemplateResult | typeof nothing {
    const { training: t } = this;
    const [use, lead] = [t.phase === "done" ? recommended(t) : undefined, leader(t.lines)];
    if (!use || !lead || isModel(use.whose)) return nothing;
    if (lead.choice?.rank === 0 && use.whose === (lead.choice.hats ? "additive" : "ridge")) return nothing; // the model is that baseline
    const own = standings(t.trials, t.lines).find(({ whose }) => whose === lead.model)?.error ?? Number.NaN;
    return html`<p data-unsaved=${use.whose}>${strings.unsaved(nameOf(use.whose, !!t.started?.classes), use.error, short[lead.model], own)}</p>`;
  }

  private report(): TemplateResult | typeof nothing {
    const { training: t, plan } = this;
    const opened = this.loaded?.opened;
    const lead = leader(t.lines);
    if (!opened || !lead || t.phase !== "done") return nothing;
    const save = async (): Promise<void> => {
      const { reportOf } = await script(() => import("./report.js"), (is) => (this.keepLost = is));
      const { seed, says: how } = this.about;
      const file = await reportOf({ opened, plan, training: t, model: lead.model, verdict: plain(this.says), how, chosen: chosenIn(t).replace(shared.ring, "").trim(), seed: seed ?? 0, link: address(this.about) }, this);
      offer(`${this.about.name}.report.html`, file);
    };
    return html`<div class="taking"><b>${strings.report}</b><span>${strings.reportIs}</span><button class="report" @click=${() => void during(save())}>${strings.reportFile}</button></div>`;
  }

  private choice(): Predictor | "" {
    return this.chosen === "ridge" || (this.chosen === "trees" && tellingTrees(this.training)) || this.runSpec.models.includes(this.chosen as Model) ? this.chosen : "";
  }
}

/** Warns where a better choice may lie beyond what was tried. */
function edge({ rank, lambda, weights }: Choice, { lambdaf, lambdaw, ranks }: Spec): string {
  if (weights === 0) return "";
  const ends: readonly (readonly [string, number, readonly number[]])[] = [[choices.weights, weights, lambdaw], ...(rank > 0 ? ([[choices.factors, lambda, lambdaf]] as const) : [])];
  const reached = ends.filter(([, value, list]) => list.length > 1 && (value === Math.min(...list) || value === Math.max(...list))).map(([name]) => name);
  if (rank > 0 && ranks.length > 1 && rank === Math.max(...ranks)) reached.push("rank");
  return reached.length === 0 ? "" : choices.edge(reached.join(" and "));
}

/** What validation rows chose. */
function chosenIn({ lines, planned, phase, query }: Training): string {
  if (lines.length === 0) return "";
  const { spec } = parse(query);
  const again = spec.folds > 1 ? "" : choices.again;
  if (planned > 1) return `${choices.inEach} ${again}`;
  const all = lines.flatMap(({ model, choice, done }) => (choice ? [choices.one(short[model], choice, done ? edge(choice, spec) : "")] : []));
  return `${choices.chosen(all.join(" "))} ${again} ${phase === "done" ? shared.ring : ""}`;
}

/** How far a run is, in words. */
function progressOf(t: Training): string {
  const { folds, lines, planned, query, phase } = t;
  const { spec } = parse(query);
  if (phase !== "running" && phase !== "paused") return "";
  if (spec.folds > 1 && lines.length === 0) return run.folds(folds.filter(({ done }) => done).length, spec.folds * spec.models.length * planned);
  const going = lines.filter((line) => !line.done);
  return lines.length > 0 && going.length === 0 ? run.comparing : going.map(lineProgress).join(" · ");
}

function lineProgress({ model, trials, finished, candidate, candidates }: Line): string {
  return trials > 1 ? run.trials(short[model], finished, trials) : run.candidate(short[model], candidate + 1, candidates);
}

/** How many candidates, or trials, are over; of 0 while that is not known. */
function share({ lines, folds, query, planned }: Training): { readonly done: number; readonly of: number } {
  const { spec } = parse(query);
  const sum = (of: (line: Line) => number): number => lines.reduce((all, line) => all + of(line), 0);
  if (lines.length === 0) return spec.folds > 1 ? { done: folds.filter(({ done }) => done).length, of: spec.folds * spec.models.length * planned } : { done: 0, of: 0 };
  return planned > 1 ? { done: sum(({ finished }) => finished), of: sum(({ trials }) => trials) } : { done: sum(({ done, candidate, candidates }) => (done ? candidates : candidate)), of: sum(({ candidates }) => candidates) };
}

customElements.define("ifm-result", Result);
