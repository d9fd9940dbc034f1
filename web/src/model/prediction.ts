import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { EngineFailure } from "../engine/engine.js";
import type { Progress } from "../engine/messages.js";
import { turn } from "../engine/pending.js";
import type { Opened, Pool } from "../engine/pool.js";
import type { Described, EngineError, Gap, Predicted, Table } from "../engine/protocol.js";
import { tables } from "../packed/kinds.js";
import { choose, type Chosen } from "../panel/choice.js";
import { heads, Panel, sentence } from "../panel/panel.js";
import { facts, notices, places, problem } from "../panel/problem.js";
import { files, files as dataStrings } from "../panel/strings.js";
import { field } from "../save/csv.js";
import { offer } from "../save/offer.js";
import { encode, initial, type Spec } from "../state/spec.js";
import { count, number } from "../text/format.js";
import { keeping as strings } from "./strings.js";

const ROWS = 10; // shown
const NAMES = 12; // of the columns that a file needs

/** Predicts a file of the reader's by one model. What was predicted last stays until something else is. */
class Predict extends Panel {
  @property({ attribute: false }) accessor pool!: Pool;
  @property({ attribute: false }) accessor model!: Kept;
  @state() private accessor reading: { readonly name: string; readonly loaded: number; readonly total: number } | null = null;
  @state() private accessor done: (Prediction & { readonly of: Kept }) | null = null;
  @state() private accessor failed: { readonly name: string; readonly error: EngineError; readonly again: (change: Chosen) => void } | null = null;
  @state() private accessor note = "";
  @state() private accessor saving = false;

  private file: File | null = null; // the last one that was predicted
  private which: Chosen = {}; // of its tables
  private going: AbortController | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.going?.abort();
  }

  /** A model of the same columns predicts the same file; any other begins anew. */
  protected override willUpdate(changed: PropertyValues<Predict>): void {
    const before = changed.get("model");
    if (!before || before.bytes === this.model.bytes) return;
    const alike = ({ is }: Kept): string => JSON.stringify([is.target, is.columns]);
    if (alike(before) !== alike(this.model)) {
      this.going?.abort();
      Object.assign(this, { file: null, going: null, reading: null, done: null, failed: null, note: "" });
    } else if (this.file) {
      void this.predict(this.file, this.which);
    }
  }

  protected override render(): TemplateResult {
    const { columns } = this.model.is;
    const more = Math.max(0, columns.length - NAMES);
    return html`<div class="another">
      <h4>${strings.another}</h4>
      <p class="note">${this.model.is.places ? strings.needsPlaces(columns.length) : strings.needs(columns.slice(0, NAMES), more, this.model.is.header)}</p>
      ${this.reading
        ? html`<div class="busy">
            <label>${dataStrings.reading(this.reading.name, this.reading.loaded, this.reading.total)} <progress max=${Math.max(1, this.reading.total)} value=${this.reading.loaded}></progress></label>
            <button class="cancel" @click=${() => this.going?.abort()}>${dataStrings.cancel}</button>
          </div>`
        : html`<p class="busy">
            <label class="button">
              <input type="file" class="seen-not" data-file="predict" accept=${tables} @change=${this.pick} />
              <span>${strings.choose}</span>
            </label>
            <span class="private">${dataStrings.private}</span>
          </p>`}
      <p class="seen-not" role="status">${this.note}</p>
      ${this.failed
        ? html`<div class="error" role="alert" data-error="predict">
            <p class="what"><b>${strings.failed}:</b> ${this.failed.name}</p>
            <p>${problem(this.failed.error)}</p>
            ${this.choice()}
            ${facts(this.failed.error)} ${this.done ? html`<p>${strings.stays(this.done.table.name)}</p>` : nothing}
          </div>`
        : nothing}
      ${this.done ? this.predictions(this.done) : nothing}
    </div>`;
  }

  private predictions({ table, predicted, compared, of }: Prediction & { readonly of: Kept }): TemplateResult {
    const first = Array.from({ length: Math.min(ROWS, predicted.rows) }, (_, i) => i);
    const { target, levels, level } = of.is;
    const ranged = predicted.low.length > 0;
    const value = (of: Float64Array, i: number): number => of[i] ?? Number.NaN;
    return html`<div class="predicted" data-predicted=${table.name} data-rows=${predicted.rows}>
      <p class="sentence" data-covered=${predicted.covered}>${sentence(compared > 0 ? strings.error(table.name, predicted.rows, of.is.measure, predicted.error, target, compared, of.is.model) : strings.rows(table.name, predicted.rows))} ${compared > 0 ? strings.flatters : nothing} ${ranged ? strings.ranged(level, compared, predicted.covered) : nothing} ${of.is.classes ? strings.classes(of.is.classes[1]) : levels.length === 2 ? strings.levels(levels[0] ?? "", levels[1] ?? "") : nothing}</p>
      ${notices([...table.notices, ...predicted.notices])} ${places(dataStrings.badTitle(table.badCount), table.bad, table.badCount)} ${places(strings.odd(predicted.skippedCount), predicted.skipped, predicted.skippedCount)}
      ${gaps(predicted.gaps)}
      <div class="scroll" tabindex="0" role="region" aria-label=${strings.first(first.length)}>
        <table class="numbers">
          <caption>
            ${strings.first(first.length)}
          </caption>
          ${heads([strings.columns.line, strings.columns.predicted(target), ...(ranged ? [strings.columns.lower, strings.columns.upper] : []), ...(compared > 0 ? [strings.columns.actual] : [])])}
          <tbody>
            ${first.map(
              (i) =>
                html`<tr>
                <th scope="row">${count(predicted.line[i] ?? 0)}</th>
                <td data-value=${value(predicted.predicted, i)}>${number(value(predicted.predicted, i), 5)}</td>
                ${ranged ? html`<td data-lower=${value(predicted.low, i)}>${number(value(predicted.low, i), 5)}</td><td data-upper=${value(predicted.high, i)}>${number(value(predicted.high, i), 5)}</td>` : nothing}
                ${compared > 0 ? html`<td>${number(value(predicted.actual, i), 5)}</td>` : nothing}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p class="busy"><button class="all" aria-busy=${String(this.saving)} @click=${() => void this.save(table.name, predicted, of.is.classes)}>${strings.save(predicted.rows)}</button></p>
    </div>`;
  }

  private choice(): TemplateResult | typeof nothing {
    const { error, again } = this.failed ?? {};
    return error?.choice && again ? choose(error.choice, again) : nothing;
  }

  private readonly pick = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = ""; // so that the same file can be chosen again
    if (file) void this.predict(file);
  };

  private async predict(file: File, which: Chosen = {}): Promise<void> {
    this.going?.abort();
    const going = new AbortController();
    this.going = going;
    const model = this.model;
    Object.assign(this, { reading: { name: file.name, loaded: 0, total: file.size }, note: "" });
    void this.keepFocus();
    const progress = (at: { readonly loaded: number; readonly total: number }): void => {
      if (this.going === going) this.reading = { name: file.name, ...at };
    };
    const outcome = await predict(this.pool, model, file, which, progress, going.signal).catch((reason: unknown) => {
      if (reason instanceof EngineFailure) return reason.detail;
      throw reason;
    });
    if (this.going !== going) return;
    this.going = null;
    this.reading = null;
    void this.keepFocus();
    if (going.signal.aborted || ("kind" in outcome && outcome.kind === "Cancelled")) {
      this.note = files.cancelled(file.name);
    } else if ("kind" in outcome) {
      this.failed = { name: file.name, error: outcome, again: (change) => void this.predict(file, { ...which, ...change }) };
    } else {
      this.file = file;
      this.which = which;
      Object.assign(this, { done: { ...outcome, of: model }, failed: null, note: strings.done(file.name, outcome.predicted.rows) });
    }
  }

  /** Moves the focus from the button that is about to go to the one that takes its place. */
  private async keepFocus(): Promise<void> {
    if (!this.querySelector(".busy")?.contains(document.activeElement)) return;
    await this.updateComplete;
    this.querySelector<HTMLElement>(".busy input, .cancel")?.focus({ preventScroll: true });
  }

  private async save(name: string, predicted: Predicted, classes: Described["classes"]): Promise<void> {
    if (this.saving) return;
    this.saving = true;
    try {
      offer(`${name.replace(/\.[^.]*$/, "")}.predictions.csv`, await toCSV(predicted, classes));
    } finally {
      this.saving = false;
    }
  }
}

customElements.define("ifm-predict", Predict);

/** What a file lacks of what a model knows, by columns; nothing where it lacks nothing. */
function gaps(gaps: readonly Gap[]): TemplateResult | typeof nothing {
  if (gaps.length === 0) return nothing;
  return html`<details class="gaps">
    <summary>${strings.gaps(gaps.length)}</summary>
    <div class="scroll" tabindex="0" role="region" aria-label=${strings.gaps(gaps.length)}>
      <table class="numbers">
        ${heads([strings.gapColumns.column, strings.gapColumns.missing, strings.gapColumns.unseen, strings.gapColumns.odd])}
        <tbody>
          ${gaps.map(
            ({ column, missing, unseen, odd }) => html`<tr>
              <th scope="row">${column}</th>
              ${[missing, unseen, odd].map((n) => html`<td>${count(n)}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}

/** A model file and what it holds. */
export interface Kept {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly is: Described;
}

interface Prediction {
  readonly table: Table;
  readonly predicted: Predicted;
  readonly compared: number; // rows that have both a prediction and the actual value
}

const SEPARATORS: Readonly<Record<string, Spec["separator"]>> = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", " ": "space" };

const AT_ONCE = 4000; // rows written without a break: some milliseconds

/**
 * Predicts every row of a file. Its header is read as that of the table the
 * model was trained on, its separator is guessed, or, if that finds no rows or not
 * the model's columns, that table's. Rejects with an EngineFailure.
 */
async function predict(pool: Pool, model: Kept, file: File, which: Chosen, progress: (progress: Progress) => void, signal: AbortSignal): Promise<Prediction> {
  let guessed = "";
  const read = async (separator: Spec["separator"]): Promise<Prediction> => {
    const { decimal, missingas, present, dates } = model.is;
    const query = encode({ ...initial, ...which, source: "table", header: model.is.places ? "auto" : model.is.header ? "yes" : "no", separator, decimal, missingas, notmissing: present, dates });
    const opened: Opened = await pool.open(file, query, progress, signal);
    guessed = opened.table.separator;
    try {
      const predicted = await pool.predict(opened, model.bytes, signal);
      return { table: opened.table, predicted, compared: predicted.compared };
    } finally {
      pool.close(opened);
    }
  };
  try {
    return await read("auto");
  } catch (reason) {
    const own = SEPARATORS[model.is.separator];
    const misread = reason instanceof EngineFailure && ["MissingColumnsError", "TooManyBadRowsError"].includes(reason.detail.kind);
    if (!misread || !own || guessed === model.is.separator) throw reason;
    return read(own).catch((second: unknown) => {
      throw second instanceof EngineFailure && second.detail.kind !== "Cancelled" ? reason : second; // the guess says it better
    });
  }
}

/**
 * The predictions as a CSV file: the line of the table, the prediction and the ends of its range, nothing where there is none; of classes the likelier
 * one and the probability of the second. Numbers, and texts that no spreadsheet takes for formulas.
 */
async function toCSV({ line, predicted, low, high }: Predicted, classes: Described["classes"]): Promise<Blob> {
  const encoder = new TextEncoder();
  const names = classes?.map((name) => (Number.isFinite(Number(name)) ? name : field(name))) ?? [];
  const parts = [new Blob([classes ? "line,class,probability\n" : `line,prediction${low.length > 0 ? ",lower,upper" : ""}\n`])];
  const cell = (v = Number.NaN): string => (Number.isNaN(v) ? "" : String(v));
  for (let lo = 0; lo < line.length; lo += AT_ONCE) {
    const rows = Array.from(predicted.subarray(lo, lo + AT_ONCE), (v, i) => {
      const named = classes ? `${Number.isNaN(v) ? "" : names[Number(v >= 0.5)]},` : "";
      return `${line[lo + i]},${named}${cell(v)}${low.length > 0 ? `,${cell(low[lo + i])},${cell(high[lo + i])}` : ""}\n`;
    });
    parts.push(new Blob([encoder.encode(rows.join(""))])); // bytes now: a blob of many texts takes seconds to make of them
    await turn(); // the reader's turn
  }
  return new Blob(parts, { type: "text/csv" });
}
