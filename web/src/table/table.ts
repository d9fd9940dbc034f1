import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Pool } from "../engine/pool.js";
import type { Table } from "../engine/protocol.js";
import { awaited, planFor, type Loaded } from "../file/loaded.js";
import { builtIn } from "../file/strings.js";
import { keeping } from "../model/strings.js";
import { tables } from "../packed/kinds.js";
import { choose, chooser, chosen, type Chosen } from "../panel/choice.js";
import { pick } from "../panel/inputs.js";
import { heads, Panel, prop, scrolling, touches } from "../panel/panel.js";
import { facts, notices, places, problem } from "../panel/problem.js";
import { choices, files } from "../panel/strings.js";
import { separators } from "../state/groups.js";
import { optionsOf, type Spec } from "../state/spec.js";
import { samples, type Sample, type View } from "../state/view.js";
import type { Training } from "../training/training.js";
import "./asks.js";
import "./columns.js";
import "./decided.js";
import { planned } from "./plan.js";
import "./result.js";
import { data as strings } from "./strings.js";

const PREVIEW = 5; // rows
const COLUMNS = 40; // of the preview

class Data extends Panel {
  @prop accessor pool!: Pool;
  @prop accessor spec!: Spec;
  @prop accessor view!: View;
  @prop accessor loaded!: Loaded;
  @prop accessor training!: Training;
  @property({ type: Boolean }) accessor dark!: boolean;
  @property({ type: Boolean }) accessor stale!: boolean; // the settings have changed since the run

  protected override render(): TemplateResult {
    const { loaded, spec, training } = this;
    const { table } = loaded;
    return html`
      <h2>${strings.title}</h2>
      <p class="lead">${strings.lead(touches())}</p>
      ${this.door()} ${loaded.failed ? this.failure(loaded.failed) : nothing}
      ${loaded.model ? html`<ifm-model id="model" .pool=${this.pool} .model=${loaded.model} ?dark=${this.dark}></ifm-model>` : nothing}
      ${table
        ? html`<div class="table" data-table=${table.name}>
            ${this.file(table)}<ifm-asks .spec=${spec} .loaded=${loaded}></ifm-asks>${this.preview(table)}<ifm-roles .spec=${spec} .loaded=${loaded}></ifm-roles>
            <ifm-plan>${planned(this, spec, loaded, training)}</ifm-plan>
          </div>`
        : nothing}
      ${training.phase === "idle"
        ? nothing
        : html`<ifm-decided .spec=${spec} .loaded=${loaded} .training=${training} ?stale=${this.stale}></ifm-decided>
            <ifm-result id="result" tabindex="-1" data-player .pool=${this.pool} .spec=${spec} .view=${this.view} .training=${training} .table=${table} .plan=${this.stale ? null : planFor(loaded, spec)} ?dark=${this.dark}></ifm-result>`}
    `;
  }

  private door(): TemplateResult {
    const { loaded, spec, view } = this;
    const { reading, table } = loaded;
    const take = (file: File): void => this.tell("ifm-file", file);
    const sample = (name: Sample): TemplateResult => html`<button data-sample=${name} title=${builtIn.sampleOf[name]} aria-pressed=${String(view.sample === name && table !== null)} ?disabled=${reading !== null} @click=${() => this.tell("ifm-sample", name)}>
      ${builtIn.sample[name]} <small>${builtIn.sampleOf[name]}</small>
    </button>`;
    return html`<div class="door ${table ? "small" : ""}">
      ${awaited(spec, view, loaded) ? html`<p class="asks">${strings.asks(spec.target)}</p>` : nothing}
      ${reading
        ? html`<div class="reading">
            <label for="reading">${files.reading(reading.name, reading.loaded, reading.total)}</label>
            <progress id="reading" max=${Math.max(1, reading.total)} value=${reading.loaded < reading.total ? reading.loaded : nothing}></progress>
            <button @click=${() => this.tell("ifm-cancel", null)}>${files.cancel}</button>
          </div>`
        : html`<div class="drop">
            <p class="big">${strings.dropTitle(touches())}</p>
            <p class="ways">
              ${chooser(strings.browse, tables, take, "table", "primary")} ${chooser(keeping.open, ".json,.libfm,.model,.txt,application/json", take, "model")}
              <span class="private">${files.private}</span>
            </p>
            <p class="kinds">${strings.kinds}</p>
          </div>`}
      <p class="samples"><span>${strings.samples}</span> ${samples.map(sample)}</p>
      <p class="note" role="status">${loaded.note}</p>
    </div>`;
  }

  private readonly choose = (change: Chosen): void => this.tell("ifm-choose", change);

  private failure({ name, error }: NonNullable<Loaded["failed"]>): TemplateResult {
    const { choice } = error;
    return html`<div class=${choice ? "question" : "error"} id="file-error" tabindex="-1" role="alert" data-error="file">
      <p class="what">${choice ? html`<b>${choices.none[choice.key]}</b>` : html`<b>${strings.fileError}:</b> ${name}`}</p>
      <p>${problem(error)}</p>
      ${choice ? choose(choice, this.choose) : nothing} ${facts(error)} ${this.loaded.table ? html`<p>${strings.kept(this.loaded.table.name)}</p>` : nothing}
    </div>`;
  }

  private file(table: Table): TemplateResult {
    const { format, separator, header, charset, fixed, choices = [] } = table;
    const select = <Key extends "separator" | "header" | "charset">(key: Key, label: string, names: Readonly<Record<Spec[Key], string>>, found: string): TemplateResult | typeof nothing =>
      fixed?.includes(key) ? nothing : pick<Spec[Key]>(label, optionsOf(key), this.spec[key], (option) => (option === "auto" ? strings.guessed(found) : names[option]), (option) => this.tell("ifm-spec", { [key]: option }), key);
    const known = separators[separator];
    const between = format !== "text" ? strings.formats[format] : known ? strings.separators[known] : separator;
    return html`<div class="file">
        <h3 id="file" tabindex="-1">${strings.summary(table.name, table.rows, table.columns.length, table.bytes)}</h3>
        ${choices.map((choice) => chosen(choice, this.choose))}
        ${select("separator", strings.separator, strings.separators, between)} ${format === "text" ? select("header", strings.header, strings.headers, header ? strings.headers.yes : strings.headers.no) : nothing} ${select("charset", strings.charset, strings.charsets, strings.charsets[charset])}
      </div>
      ${notices(table.notes.map(({ text }) => text))} ${places(files.badTitle(table.badCount), table.bad, table.badCount)}`;
  }

  private preview({ preview, columns }: Table): TemplateResult {
    const rows = preview.slice(0, PREVIEW);
    const names = columns.slice(0, COLUMNS).map(({ name }) => name);
    const title = strings.preview(rows.length);
    const body = rows.map((row) => html`<tr>${names.map((_, i) => html`<td>${row[i]}</td>`)}</tr>`);
    return html`<details class="preview" open><summary>${title}</summary>${scrolling(title, html`<table class="written">${heads(names)}<tbody>${body}</tbody></table>`)}</details>`;
  }
}

customElements.define("ifm-data", Data);
