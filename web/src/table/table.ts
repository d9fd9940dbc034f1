import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { SHARED_BYTES, type Pool } from "../engine/pool.js";
import type { Column, EngineError, Plan, Table } from "../engine/protocol.js";
import { awaited, type Loaded } from "../file/loaded.js";
import { kindOf, rolesOf, withKind, withRole, type Kind, type Role } from "../file/roles.js";
import { builtIn } from "../file/strings.js";
import { keeping } from "../model/strings.js";
import { heads, painted, Panel, sentence, touches } from "../panel/panel.js";
import { facts, notices, places, problem } from "../panel/problem.js";
import "../panel/settings.js";
import { files } from "../panel/strings.js";
import { drawnOnly, forTable, solverOf } from "../state/groups.js";
import { fields, type Spec } from "../state/spec.js";
import { missing, settings } from "../state/strings.js";
import { samples, type View } from "../state/view.js";
import { cell, count, percent } from "../text/format.js";
import type { Training } from "../training/training.js";
import "./result.js";
import { data as strings, plan as planStrings, roles as roleStrings } from "./strings.js";

const PREVIEW = 5; // rows
const COLUMNS = 40; // of the role table at first, and more at each request
const AT_ONCE = 10; // of them in one frame: their choices take a browser long to lay out
const LONG = 10; // s, from which the time is foretold
const PRODUCT = 0.7e-9; // s that an iteration takes for an element of the design and a column of the factors
/** The settings that the solver of a table knows. */
function keys(spec: Spec): readonly (keyof Spec)[] {
  const penalties = solverOf(spec) === "als" ? (["lambdaf", "lambdaw", "encode"] as const) : (["lambdas"] as const);
  return ["models", "solver", "ranks", ...penalties, "iterations", "patience", "rare", "seed", "trials"];
}

/** The reader's own table, from the file to the curves. */
class Data extends Panel {
  static override properties = { pool: { attribute: false }, spec: { attribute: false }, view: { attribute: false }, loaded: { attribute: false }, training: { attribute: false }, dark: { type: Boolean }, stale: { type: Boolean }, shown: { state: true }, drawn: { state: true } };

  declare pool: Pool;
  declare spec: Spec;
  declare view: View;
  declare loaded: Loaded;
  declare training: Training;
  declare dark: boolean;
  declare stale: boolean; // the settings have changed since the run
  private declare shown: number; // columns
  private declare drawn: number; // of them so far

  constructor() {
    super();
    this.shown = COLUMNS;
    this.drawn = AT_ONCE;
  }

  protected override willUpdate(changed: PropertyValues<Data>): void {
    if (changed.has("loaded") && changed.get("loaded")?.table !== this.loaded.table) this.drawn = AT_ONCE;
  }

  protected override updated(): void {
    const drawn = this.drawn;
    if (drawn >= Math.min(this.shown, this.loaded.table?.columns.length ?? 0)) return;
    const goOn = (): void => {
      if (drawn === this.drawn) this.drawn += AT_ONCE;
    };
    void painted().then(goOn); // once what is there has been laid out
  }

  protected override render(): TemplateResult {
    const { loaded } = this;
    const table = loaded.table;
    return html`
      <h2>${strings.title}</h2>
      <p class="lead">${strings.lead(touches())}</p>
      ${this.door()} ${loaded.failed ? this.failure(loaded.failed.name, loaded.failed.error) : nothing}
      ${loaded.model ? html`<ifm-model id="model" .pool=${this.pool} .model=${loaded.model} ?dark=${this.dark}></ifm-model>` : nothing}
      ${table ? html`<div class="table" data-table=${table.name}>${this.file(table)} ${this.preview(table)} ${this.roles(table)} ${this.plan(table)}</div>` : nothing}
      ${this.training.phase === "idle" ? nothing : html`<ifm-result id="result" tabindex="-1" .pool=${this.pool} .spec=${this.spec} .view=${this.view} .training=${this.training} .table=${table} .plan=${this.stale || loaded.planned !== this.spec ? null : loaded.plan} ?dark=${this.dark}></ifm-result>`}
    `;
  }

  private door(): TemplateResult {
    const { loaded } = this;
    return html`<div class="door ${loaded.table ? "small" : ""}">
      ${awaited(this.spec, this.view, loaded) ? html`<p class="asks">${strings.asks(this.spec.target)}</p>` : nothing}
      ${loaded.reading
        ? html`<div class="reading">
            <label for="reading">${files.reading(loaded.reading.name, loaded.reading.loaded, loaded.reading.total)}</label>
            <progress id="reading" max=${Math.max(1, loaded.reading.total)} value=${loaded.reading.loaded}></progress>
            <button @click=${() => this.tell("ifm-cancel", null)}>${files.cancel}</button>
          </div>`
        : html`<div class="drop">
            <p class="big">${strings.dropTitle(touches())}</p>
            <p class="ways">
              <label class="button primary">
                <input type="file" class="seen-not" data-file="table" accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain" @change=${this.pick} />
                <span>${strings.browse}</span>
              </label>
              <label class="button">
                <input type="file" class="seen-not" data-file="model" accept=".json,application/json" @change=${this.pick} />
                <span>${keeping.open}</span>
              </label>
              <span class="private">${files.private}</span>
            </p>
          </div>`}
      <p class="samples">
        <span>${strings.samples}</span>
        ${samples.map(
          (sample) => html`<button data-sample=${sample} title=${builtIn.sampleOf[sample]} aria-pressed=${String(this.view.sample === sample && loaded.table !== null)} ?disabled=${loaded.reading !== null} @click=${() => this.tell("ifm-sample", sample)}>
            ${builtIn.sample[sample]} <small>${builtIn.sampleOf[sample]}</small>
          </button>`,
        )}
      </p>
      <p class="note" role="status">${loaded.note}</p>
    </div>`;
  }

  private readonly pick = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = ""; // so that the same file can be chosen again
    if (file) this.tell("ifm-file", file);
  };

  private failure(name: string, error: EngineError): TemplateResult {
    return html`<div class="error" id="file-error" tabindex="-1" role="alert" data-error="file">
      <p class="what"><b>${strings.fileError}:</b> ${name}</p>
      <p>${problem(error)}</p>
      ${facts(error)} ${this.loaded.table ? html`<p>${strings.kept(this.loaded.table.name)}</p>` : nothing}
    </div>`;
  }

  private file(table: Table): TemplateResult {
    const select = <Key extends "separator" | "header">(key: Key, label: string, names: Readonly<Record<Spec[Key], string>>, found: string): TemplateResult => html`<label class="pick">
      <span>${label}</span>
      <select name=${key} @change=${(e: Event) => this.tell("ifm-spec", { [key]: (e.target as HTMLSelectElement).value })}>
        ${(fields.find((f) => f.key === key)?.options ?? []).map((option) => html`<option value=${option} .selected=${option === this.spec[key]}>${option === "auto" ? strings.guessed(found) : names[option as Spec[Key]]}</option>`)}
      </select>
    </label>`;
    return html`<div class="file">
        <h3 id="file" tabindex="-1">${strings.summary(table.name, table.rows, table.columns.length, table.bytes)}</h3>
        ${select("separator", strings.separator, strings.separators, separatorName(table.separator))} ${select("header", strings.header, strings.headers, table.header ? strings.headers.yes : strings.headers.no)}
      </div>
      ${notices(table.notices)} ${places(files.badTitle(table.badCount), table.bad, table.badCount)}`;
  }

  private preview(table: Table): TemplateResult {
    const rows = table.preview.slice(0, PREVIEW);
    const columns = table.columns.slice(0, COLUMNS);
    return html`<details class="preview" open>
      <summary>${strings.preview(rows.length)}</summary>
      <div class="scroll" tabindex="0" role="region" aria-label=${strings.preview(rows.length)}>
        <table class="written">
          ${heads(columns.map((column) => column.name))}
          <tbody>
            ${rows.map((row) => html`<tr>${columns.map((_, i) => html`<td>${row[i]}</td>`)}</tr>`)}
          </tbody>
        </table>
      </div>
    </details>`;
  }

  private roles(table: Table): TemplateResult {
    const names = roleStrings.columns;
    const shown = table.columns.slice(0, Math.min(this.shown, this.drawn));
    const roles = rolesOf(table, this.spec, this.loaded);
    const more = table.columns.length - Math.min(this.shown, table.columns.length);
    const error = this.loaded.planError;
    const elsewhere = error && !table.columns.some((column) => column.name === error.field);
    return html`<section class="roles" aria-labelledby="roles">
      <h3 id="roles">${roleStrings.title}</h3>
      <div class="scroll" tabindex="0" role="region" aria-label=${roleStrings.scroll}>
        <table class="numbers">
          <thead>
            <tr>
              <th scope="col">${names.name}</th>
              <th scope="col">${names.role}</th>
              <th scope="col">${names.kind}</th>
              <th scope="col">${names.missing}</th>
              <th scope="col">${names.distinct}</th>
              <th scope="col">${names.mean}</th>
              <th scope="col">${names.sd}</th>
              <th scope="col">${names.min}</th>
              <th scope="col">${names.max}</th>
              <th scope="col"><abbr title=${roleStrings.tau}>${names.tau}</abbr></th>
            </tr>
          </thead>
          <tbody>
            ${repeat(
              shown,
              (column) => column.name,
              (column, i) => this.column(column, i, table, roles, error?.field === column.name ? error : null),
            )}
          </tbody>
        </table>
      </div>
      ${more > 0 ? html`<button @click=${() => (this.shown += COLUMNS)}>${roleStrings.more(Math.min(more, COLUMNS))}</button>` : nothing}
      ${elsewhere ? html`<div class="error" role="alert" data-error="plan"><p class="what"><b>${planStrings.error}.</b> ${error.message}</p></div>` : nothing}
      <div class="options">
        <label class="pick">
          <span>${settings.missing}</span>
          <select name="missing" @change=${(e: Event) => this.tell("ifm-spec", { missing: (e.target as HTMLSelectElement).value as Spec["missing"] })}>
            ${(["flag", "drop"] as const).map((option) => html`<option value=${option} .selected=${option === this.spec.missing}>${missing[option]}</option>`)}
          </select>
        </label>
        <p class="note">${roleStrings.tau} <a href="#diagonal">${roleStrings.tauChapter}</a></p>
      </div>
    </section>`;
  }

  private column(column: Column, at: number, table: Table, roles: readonly Role[], error: EngineError | null): TemplateResult {
    const role = roles[at] ?? "feature";
    const kind = kindOf(this.spec, column.name, column.kind);
    const id = `role-error-${at}`;
    const numeric = !Number.isNaN(column.mean);
    return html`<tr class="role-${role} ${error ? "bad" : ""}" data-column=${column.name}>
        <th scope="row" title=${column.name}>${column.name}</th>
        <td>
          <select class="role" aria-label=${roleStrings.roleOf(column.name)} aria-invalid=${error ? "true" : "false"} aria-describedby=${error ? id : nothing} @change=${(e: Event) => this.tell("ifm-spec", withRole(table, roles, at, (e.target as HTMLSelectElement).value as Role))}>
            ${(["target", "feature", "ignore"] as const).map((option) => html`<option value=${option} .selected=${option === role}>${roleStrings.role[option]}</option>`)}
          </select>
        </td>
        <td>
          <select class="kind" aria-label=${roleStrings.kindOf(column.name)} @change=${(e: Event) => this.tell("ifm-spec", withKind(this.spec, column.name, (e.target as HTMLSelectElement).value as Kind, column.kind))}>
            ${(["numeric", "categorical"] as const).map((option) => html`<option value=${option} .selected=${option === kind}>${roleStrings.kind[option]}</option>`)}
          </select>
          ${kind === column.kind || role === "ignore" ? nothing : html`<small class="cast">${kind === "numeric" ? roleStrings.asNumber : roleStrings.asCategory}</small>`}
        </td>
        <td>${column.missing > 0 ? percent(column.missing / Math.max(1, table.rows)) : "0"}${column.unreadable > 0 ? html`<small>${roleStrings.unreadable(column.unreadable)}</small>` : nothing}</td>
        <td>${column.distinctExact ? count(column.distinct) : roleStrings.atLeast(column.distinct)}</td>
        ${numeric
          ? html`<td>${cell(column.mean)}</td>
              <td>${cell(column.sd)}</td>
              <td>${cell(column.min)}</td>
              <td>${cell(column.max)}</td>
              <td>${column.distinct === 2 && column.distinctExact ? html`<a href="#diagonal">${roleStrings.twoValues}</a>` : Number.isNaN(column.tau) ? "–" : column.tau.toFixed(2)}</td>`
          : html`<td colspan="5" class="levels">${(column.distinct > column.levels.length ? roleStrings.levelsAndMore : roleStrings.levels)(column.levels)}</td>`}
      </tr>
      ${error ? html`<tr class="bad"><td colspan="10"><div class="error" role="alert" id=${id} data-error="plan">${error.message}</div></td></tr>` : nothing}`;
  }

  private plan(table: Table): TemplateResult {
    const { plan, planError } = this.loaded;
    const busy = ["starting", "running", "paused"].includes(this.training.phase);
    return html`<section class="plan" aria-labelledby="plan" data-state=${planError ? "error" : plan ? "ready" : "waiting"}>
      <h3 id="plan">${planStrings.title}</h3>
      <p class="sentence">${plan ? sentence(planStrings.sentence(plan.target, plan.features, plan.train, plan.valid, plan.test, plan.bytes)) : planError ? `${planStrings.error}: ${planError.message}` : planStrings.planning}</p>
      ${drawnOnly.includes(this.spec.solver) ? html`<p class="note" data-note="solver">${planStrings.solver}</p>` : nothing}
      ${this.spec.models.includes("gfm") ? html`<p class="note" data-note="gfm">${planStrings.gfm}</p>` : nothing}
      ${plan && this.seconds(plan, table) > LONG ? html`<p class="note" data-note="time">${planStrings.forecast(this.seconds(plan, table))}</p>` : nothing}
      ${plan ? this.consequences(plan, table) : nothing}
      <details class="fold">
        <summary>${planStrings.options}</summary>
        <ifm-settings scope="table" .spec=${forTable(this.spec)} .keys=${keys(forTable(this.spec))} .without=${drawnOnly}></ifm-settings>
        ${plan ? html`<p class="note">${planStrings.steps(plan.steps)}</p>` : nothing}
      </details>
      <p class="go">
        <button class="primary start" ?disabled=${!plan || planError !== null} @click=${() => this.tell("ifm-run", { run: "table", command: "again" })}>${this.training.phase === "idle" ? planStrings.start : planStrings.again}</button>
        ${this.stale && !busy ? html`<span class="note">${planStrings.changed}</span>` : nothing}
      </p>
    </section>`;
  }

  /** A rough bound of how long training takes. */
  private seconds(plan: Plan, table: Table): number {
    const { models, trials, ranks } = this.spec;
    const rank = ranks.reduce((sum, k) => sum + k, 0) / Math.max(1, ranks.length);
    const lanes = table.bytes >= SHARED_BYTES ? 1 : Math.min(navigator.hardwareConcurrency || 2, models.length * trials);
    return (plan.steps * models.length * trials * (plan.bytes / 8) * rank * PRODUCT) / lanes;
  }

  private consequences(plan: Plan, table: Table): TemplateResult {
    const told = new Set(table.notices);
    const shown = new Set(table.bad.map((place) => `${place.line}:${place.message}`));
    const dropped = plan.dropped.filter((place) => !shown.has(`${place.line}:${place.message}`));
    const n = plan.droppedCount - (plan.dropped.length - dropped.length);
    return html`${notices(plan.notices.filter((notice) => !told.has(notice)))} ${places(strings.droppedTitle(n), dropped, n)}`;
  }
}

function separatorName(separator: string): string {
  const names: Readonly<Record<string, Spec["separator"]>> = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", " ": "space" };
  const name = names[separator];
  return name ? strings.separators[name] : separator;
}

customElements.define("ifm-data", Data);
