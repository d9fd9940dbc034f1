import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Pool } from "../engine/pool.js";
import type { Table } from "../engine/protocol.js";
import { awaited, type Loaded } from "../file/loaded.js";
import { builtIn } from "../file/strings.js";
import { keeping } from "../model/strings.js";
import { tables } from "../packed/kinds.js";
import { choose, chosen, type Chosen } from "../panel/choice.js";
import { heads, Panel, touches } from "../panel/panel.js";
import { facts, notices, places, problem } from "../panel/problem.js";
import { choices, files } from "../panel/strings.js";
import { fields, type Spec } from "../state/spec.js";
import { samples, type View } from "../state/view.js";
import type { Training } from "../training/training.js";
import "./asks.js";
import "./columns.js";
import "./decided.js";
import "./plan.js";
import "./result.js";
import { data as strings } from "./strings.js";

const PREVIEW = 5; // rows
const COLUMNS = 40; // of the preview

/** The reader's own table, from the file to the curves. */
class Data extends Panel {
  @property({ attribute: false }) accessor pool!: Pool;
  @property({ attribute: false }) accessor spec!: Spec;
  @property({ attribute: false }) accessor view!: View;
  @property({ attribute: false }) accessor loaded!: Loaded;
  @property({ attribute: false }) accessor training!: Training;
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
      ${table ? html`<div class="table" data-table=${table.name}>${this.file(table)}<ifm-asks .spec=${spec} .loaded=${loaded}></ifm-asks>${this.preview(table)}<ifm-roles .spec=${spec} .loaded=${loaded}></ifm-roles><ifm-plan .spec=${spec} .loaded=${loaded} .training=${training}></ifm-plan></div>` : nothing}
      ${training.phase === "idle" ? nothing : html`<ifm-decided .spec=${spec} .loaded=${loaded} .training=${training} ?stale=${this.stale}></ifm-decided><ifm-result id="result" tabindex="-1" data-player .pool=${this.pool} .spec=${this.spec} .view=${this.view} .training=${this.training} .table=${table} .plan=${this.stale || loaded.planned !== this.spec ? null : loaded.plan} ?dark=${this.dark}></ifm-result>`}
    `;
  }

  private door(): TemplateResult {
    const { loaded } = this;
    return html`<div class="door ${loaded.table ? "small" : ""}">
      ${awaited(this.spec, this.view, loaded) ? html`<p class="asks">${strings.asks(this.spec.target)}</p>` : nothing}
      ${loaded.reading
        ? html`<div class="reading">
            <label for="reading">${files.reading(loaded.reading.name, loaded.reading.loaded, loaded.reading.total)}</label>
            <progress id="reading" max=${Math.max(1, loaded.reading.total)} value=${loaded.reading.loaded < loaded.reading.total ? loaded.reading.loaded : nothing}></progress>
            <button @click=${() => this.tell("ifm-cancel", null)}>${files.cancel}</button>
          </div>`
        : html`<div class="drop">
            <p class="big">${strings.dropTitle(touches())}</p>
            <p class="ways">
              <label class="button primary">
                <input type="file" class="seen-not" data-file="table" accept=${tables} @change=${this.pick} />
                <span>${strings.browse}</span>
              </label>
              <label class="button">
                <input type="file" class="seen-not" data-file="model" accept=".json,.libfm,.model,.txt,application/json" @change=${this.pick} />
                <span>${keeping.open}</span>
              </label>
              <span class="private">${files.private}</span>
            </p>
            <p class="kinds">${strings.kinds}</p>
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

  private readonly choose = (change: Chosen): void => this.tell("ifm-choose", change);

  private readonly pick = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = ""; // so that the same file can be chosen again
    if (file) this.tell("ifm-file", file);
  };

  private failure({ name, error }: NonNullable<Loaded["failed"]>): TemplateResult {
    const { choice } = error;
    return html`<div class=${choice ? "question" : "error"} id="file-error" tabindex="-1" role="alert" data-error="file">
      <p class="what"><b>${choice ? choices.none[choice.key] : strings.fileError}${choice ? nothing : ":"}</b> ${choice ? nothing : name}</p>
      <p>${problem(error)}</p>
      ${choice ? choose(choice, this.choose) : nothing} ${facts(error)} ${this.loaded.table ? html`<p>${strings.kept(this.loaded.table.name)}</p>` : nothing}
    </div>`;
  }

  private file(table: Table): TemplateResult {
    const select = <Key extends "separator" | "header" | "charset">(key: Key, label: string, names: Readonly<Record<Spec[Key], string>>, found: string): TemplateResult | typeof nothing =>
      table.fixed?.includes(key)
        ? nothing
        : html`<label class="pick">
            <span>${label}</span>
            <select name=${key} @change=${(e: Event) => this.tell("ifm-spec", { [key]: (e.target as HTMLSelectElement).value })}>
              ${(fields.find((f) => f.key === key)?.options ?? []).map((option) => html`<option value=${option} .selected=${option === this.spec[key]}>${option === "auto" ? strings.guessed(found) : names[option as Spec[Key]]}</option>`)}
            </select>
          </label>`;
    return html`<div class="file">
        <h3 id="file" tabindex="-1">${strings.summary(table.name, table.rows, table.columns.length, table.bytes)}</h3>
        ${table.choices?.map((choice) => chosen(choice, this.choose))}
        ${select("separator", strings.separator, strings.separators, table.format === "text" ? separatorName(table.separator) : strings.formats[table.format])} ${table.format !== "text" ? nothing : select("header", strings.header, strings.headers, table.header ? strings.headers.yes : strings.headers.no)} ${select("charset", strings.charset, strings.charsets, strings.charsets[table.charset])}
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
}

function separatorName(separator: string): string {
  const names: Readonly<Record<string, Spec["separator"]>> = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", " ": "space" };
  const name = names[separator];
  return name ? strings.separators[name] : separator;
}

customElements.define("ifm-data", Data);
