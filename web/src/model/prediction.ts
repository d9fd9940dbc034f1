import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { Explanations, type Question } from "../charts/fit/explanations.js";
import "../charts/fit/reasons.js";
import { fit } from "../charts/fit/strings.js";
import { likeliest } from "../charts/classes/likeliest.js";
import { answerOf } from "../engine/calls.js";
import { EngineFailure } from "../engine/engine.js";
import type { Progress } from "../engine/messages.js";
import type { Opened, Pool } from "../engine/pool.js";
import type { Described, EngineError, Form, Note, Predicted, Table, Topic } from "../engine/protocol.js";
import { tables } from "../packed/kinds.js";
import { choose, chooser, type Chosen } from "../panel/choice.js";
import { heads, Panel, prop, scrolling, sentence } from "../panel/panel.js";
import { facts, notices, places } from "../panel/places.js";
import { places as badly } from "../panel/places-strings.js";
import { problem } from "../panel/problem.js";
import { files } from "../panel/strings.js";
import { offer } from "../save/offer.js";
import { besideCells, cellsOf, predictedColumns, saveRows, type Format } from "../save/rows.js";
import { saving } from "../save/strings.js";
import { separators } from "../state/groups.js";
import { encode, initial, type Spec } from "../state/spec.js";
import { count, number } from "../text/format.js";
import { isMany } from "../training/training.js";
import { forms, keeping as strings } from "./strings.js";

const ROWS = 10; // shown
const NAMES = 12; // of the columns that a file needs

export interface SavedModel {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly is: Described;
}

interface Prediction {
  readonly opened: Opened; // until other predictions take its place
  readonly table: Table;
  readonly predicted: Predicted;
  readonly of: SavedModel;
}

/** Predicts a file of the reader's. What was predicted last stays until something else is. */
class Predict extends Panel {
  @prop accessor pool!: Pool;
  @prop accessor model!: SavedModel;
  @state() private accessor reading: (Progress & { readonly name: string }) | null = null;
  @state() private accessor done: Prediction | null = null;
  @state() private accessor failed: { readonly name: string; readonly error: EngineError; readonly again: (change: Chosen) => void } | null = null;
  @state() private accessor note = "";
  @state() private accessor saving = false;

  private file: File | null = null; // the last one that was predicted
  private which: Chosen = {}; // of its tables
  private going: AbortController | null = null;
  private readonly explanations = new Explanations(
    ({ line }, changes) => (line > 0 && this.done ? this.pool.callOn(this.done.opened, "explain", { model: this.model.bytes, line, changes }) : this.pool.call("explain", { table: 0, model: this.model.bytes, line: 0, changes }, "table")),
    () => this.requestUpdate(),
  );

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.going?.abort();
    this.forget();
  }

  /** Lets go of what was predicted. */
  private forget(): void {
    this.explanations.ask(null);
    if (this.done) this.pool.close(this.done.opened);
    this.done = null;
  }

  /** A model of the same columns predicts the same file; any other begins anew. */
  protected override willUpdate(changed: PropertyValues<Predict>): void {
    const before = changed.get("model");
    if (!before || before.bytes === this.model.bytes) return;
    const columns = ({ is }: SavedModel): string => JSON.stringify([is.target, is.columns]);
    if (columns(before) !== columns(this.model)) {
      this.going?.abort();
      this.forget();
      Object.assign(this, { file: null, going: null, reading: null, failed: null, note: "" });
      return;
    }
    if (this.file) void this.predict(this.file, this.which);
    const { asked } = this.explanations;
    if (asked) this.explanations.ask({ ...asked, model: this.model.is.model });
  }

  protected override render(): TemplateResult {
    const { columns, places, header } = this.model.is;
    const { reading, failed, done } = this;
    const more = Math.max(0, columns.length - NAMES);
    return html`<div class="another">
      <h3>${strings.another}</h3>
      <p class="note">${places ? strings.needsPlaces(columns.length) : strings.needs(columns.slice(0, NAMES), more, header)}</p>
      ${reading
        ? html`<div class="busy">
            <label>${files.reading(reading.name, reading.loaded, reading.total)} <progress max=${Math.max(1, reading.total)} value=${reading.loaded}></progress></label>
            <button class="cancel" @click=${() => this.going?.abort()}>${files.cancel}</button>
          </div>`
        : html`<p class="busy">${chooser(strings.choose, tables, (file) => void this.predict(file), "predict")} <span class="note">${files.private}</span></p>`}
      ${places ? nothing : html`<p><button class="average-row" @click=${() => this.explain(0)}>${fit.averageRow}</button></p>`}
      <p class="seen-not" role="status">${this.note}</p>
      ${failed
        ? html`<div class="error" role="alert" data-error="predict">
            <p class="what"><b>${strings.failed}:</b> ${failed.name}</p>
            <p>${problem(failed.error)}</p>
            ${failed.error.choice ? choose(failed.error.choice, failed.again) : nothing}
            ${facts(failed.error)} ${done ? html`<p>${strings.stays(done.table.name)}</p>` : nothing}
          </div>`
        : nothing}
      ${done ? this.predictions(done) : nothing} ${this.reasons()}
    </div>`;
  }

  private explain(line: number): void {
    this.explanations.ask({ model: this.model.is.model, line, changes: {} });
    void this.updateComplete.then(() => this.querySelector<Panel>("ifm-reasons")?.focus());
  }

  private reasons(): TemplateResult | typeof nothing {
    const { asked, answered } = this.explanations;
    const { target, classes } = this.model.is;
    const { line, actual } = this.done?.predicted ?? { line: new Int32Array(), actual: new Float64Array() };
    return asked ? html`<ifm-reasons .asked=${asked} .answered=${answered} .ask=${(question: Question) => this.explanations.ask(question)} .actual=${actual[line.indexOf(asked.line)] ?? Number.NaN} .target=${target} .names=${classes} @ifm-close=${() => this.explanations.ask(null)}></ifm-reasons>` : nothing;
  }

  private predictions(done: Prediction): TemplateResult {
    const { table, predicted, of } = done;
    const { compared, covered, rows } = predicted;
    const { target, levels, level, classes, measure, model } = of.is;
    const ranged = predicted.low.length > 0;
    const says = compared > 0 ? strings.error(table.name, rows, measure, predicted.error, target, compared, model) : strings.rows(table.name, rows);
    return html`<div class="predicted" data-predicted=${table.name} data-rows=${rows}>
      <p class="sentence" data-covered=${covered}>${sentence(says)} ${compared > 0 ? strings.flatters : nothing} ${ranged ? strings.ranged(level, compared, covered) : nothing} ${classes ? (isMany(of.is) ? strings.manyClasses : strings.classes(classes[1] ?? "")) : levels.length === 2 ? strings.levels(levels[0] ?? "", levels[1] ?? "") : nothing}</p>
      ${notices([...table.notes, ...predicted.notes])} ${places(badly.badTitle(table.badCount), table.bad, table.badCount)} ${places(strings.odd(predicted.skippedCount), predicted.skipped, predicted.skippedCount)}
      ${gaps(predicted.notes)} ${this.first(predicted, target, isMany(of.is) ? classes : null)}
      <p class="busy">${(["csv", "xlsx"] as const).map((format) => html`<button class=${format === "csv" ? "all" : "workbook"} aria-busy=${String(this.saving)} @click=${() => void this.save(format, done)}>${strings.save[format](rows)}</button> `)}</p>
    </div>`;
  }

  private first({ rows, line, predicted, probabilities, low, high, far, actual, compared }: Predicted, target: string, classes: Described["classes"]): TemplateResult {
    const n = Math.min(ROWS, rows);
    const { columns } = strings;
    const ranged = low.length > 0;
    const names = [columns.line, columns.predicted(target), ...(classes ? [columns.probability] : []), ...(ranged ? [columns.lower, columns.upper] : []), ...(compared > 0 ? [columns.actual] : [])];
    const row = (_: unknown, i: number): TemplateResult => {
      const [value, lower, upper, was] = [predicted, low, high, actual].map((of) => of[i] ?? Number.NaN) as [number, number, number, number];
      return html`<tr>
        <th scope="row"><button aria-label=${fit.why(fit.place.line(line[i] ?? 0))} @click=${() => this.explain(line[i] ?? 0)}>${count(line[i] ?? 0)}</button></th>
        ${classes ? html`<td>${Number.isNaN(value) ? "–" : likeliest(probabilities, i, classes)}</td>` : nothing}
        <td data-value=${value}>${number(value, 5)}${far[i] ? html` <span class="far">${strings.far}</span>` : nothing}</td>
        ${ranged ? html`<td data-lower=${lower}>${number(lower, 5)}</td><td data-upper=${upper}>${number(upper, 5)}</td>` : nothing}
        ${compared > 0 ? html`<td>${classes ? (classes[was] ?? "–") : number(was, 5)}</td>` : nothing}
      </tr>`;
    };
    return scrolling(strings.first(n), html`<table class="numbers"><caption>${strings.first(n)}</caption>${heads(names)}<tbody>${Array.from({ length: n }, row)}</tbody></table>`);
  }

  private async predict(file: File, which: Chosen = {}): Promise<void> {
    this.going?.abort();
    const going = new AbortController();
    const { model } = this;
    const { name, size } = file;
    Object.assign(this, { going, reading: { name, loaded: 0, total: size }, note: "" });
    void this.keepFocus();
    const progress = (at: Progress): void => {
      if (this.going === going) this.reading = { name, ...at };
    };
    const { result, error } = await answerOf(predict(this.pool, model, file, which, progress, going.signal));
    if (this.going !== going) return;
    Object.assign(this, { going: null, reading: null });
    void this.keepFocus();
    if (going.signal.aborted || error?.kind === "Cancelled") this.note = files.cancelled(name);
    else if (error) this.failed = { name, error, again: (change) => void this.predict(file, { ...which, ...change }) };
    else {
      const { done } = this;
      if (done) this.pool.close(done.opened);
      if (this.file !== file) this.explanations.ask(null);
      Object.assign(this, { file, which, done: result, failed: null, note: strings.done(name, result.predicted.rows) });
    }
  }

  /** Moves the focus from the button that goes to the one in its place. */
  private async keepFocus(): Promise<void> {
    if (!this.querySelector(".busy")?.contains(document.activeElement)) return;
    await this.updateComplete;
    this.querySelector<HTMLElement>(".busy input, .cancel")?.focus({ preventScroll: true });
  }

  private async save(format: Format, { opened, table, predicted, of }: Prediction): Promise<void> {
    if (this.saving) return;
    this.saving = true;
    const { line, far } = predicted;
    const { target, classes } = of.is;
    try {
      await saveRows(format, `${table.name.replace(/\.[^.]*$/, "")}.predictions`, besideCells(line, await cellsOf(this.pool, opened, line, target), [...predictedColumns(predicted, classes), ...(far.length > 0 ? [{ name: "far", values: far }] : [])]), table);
    } catch (reason) {
      this.note = saving.failed(reason instanceof Error ? reason.message : "");
    } finally {
      this.saving = false;
    }
  }
}

customElements.define("ifm-predict", Predict);

/** The cells of which no value is known, a column a row. */
function gaps(notes: readonly Note[]): TemplateResult | typeof nothing {
  const gaps = new Map<string, Partial<Record<Topic, number>>>();
  for (const { topic, columns: [name = ""], cells } of notes) if (cells > 0) gaps.set(name, { ...gaps.get(name), [topic]: cells });
  if (gaps.size === 0) return nothing;
  const { column, missing, unseen, odd } = strings.gapColumns;
  const row = ([name, { missing = 0, unseen = 0, odd = 0 }]: [string, Partial<Record<Topic, number>>]): TemplateResult => html`<tr><th scope="row">${name}</th>${[missing, unseen, odd].map((n) => html`<td>${count(n)}</td>`)}</tr>`;
  const table = html`<table class="numbers">${heads([column, missing, unseen, odd])}<tbody>${[...gaps].map(row)}</tbody></table>`;
  return html`<details class="gaps"><summary>${strings.gaps(gaps.size)}</summary>${scrolling(strings.gaps(gaps.size), table)}</details>`;
}

/**
 * Predicts every row of a file. Its header is read as that of the table the
 * model was trained on, its separator is guessed, or, if that finds no rows or not
 * the model's columns, that table's. Rejects with an EngineFailure.
 */
async function predict(pool: Pool, of: SavedModel, file: File, which: Chosen, progress: (progress: Progress) => void, signal: AbortSignal): Promise<Prediction> {
  const { decimal, missingAs, present, dates, places, header, separator: own } = of.is;
  let guessed = "";
  const read = async (separator: Spec["separator"]): Promise<Prediction> => {
    const query = encode({ ...initial, ...which, source: "table", header: places ? "auto" : header ? "yes" : "no", separator, decimal, missingas: missingAs, notmissing: present, dates, keep: ["extremes"] });
    const opened = await pool.open(file, query, progress, signal);
    const { table } = opened;
    guessed = table.separator;
    try {
      return { opened, table, predicted: await pool.callOn(opened, "predict", { model: of.bytes }, signal), of };
    } catch (reason) {
      pool.close(opened);
      throw reason;
    }
  };
  try {
    return await read("auto");
  } catch (reason) {
    const separator = separators[own];
    const misread = reason instanceof EngineFailure && ["MissingColumnsError", "TooManyBadRowsError"].includes(reason.detail.kind);
    if (!misread || !separator || guessed === own) throw reason;
    return read(separator).catch((second: unknown) => {
      throw second instanceof EngineFailure && second.detail.kind !== "Cancelled" ? reason : second; // the guess says it better
    });
  }
}

const FORMS: readonly Form[] = ["python", "sql", "libfm"];

/** Saves a model in the forms that other programs take. */
class Forms extends Panel {
  @prop accessor pool!: Pool;
  @prop accessor bytes!: Uint8Array; // of the model file
  @state() private accessor lacks: readonly string[] = []; // of the form that was saved last
  @state() private accessor failed: EngineError | null = null;

  protected override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has("bytes")) Object.assign(this, { lacks: [], failed: null });
  }

  protected override render(): TemplateResult {
    return html`${FORMS.map((form) => html`<div class="taking"><b>${forms[form].name}</b><span>${forms[form].says}</span><button class=${form} @click=${() => void this.save(form)}>${forms[form].button}</button></div>`)}
      <div role="status">${this.failed ? html`<p class="error" data-error="form">${problem(this.failed)}</p>` : nothing} ${notices(this.lacks)}</div>`;
  }

  private async save(form: Form): Promise<void> {
    const { bytes } = this;
    const { result, error } = await answerOf(this.pool.call("export", { model: bytes, form }, "table"));
    if (bytes !== this.bytes) return; // another model has taken its place
    Object.assign(this, { lacks: result?.notices ?? [], failed: error });
    if (!result) return;
    for (const file of result.files) offer(file.name, new Blob([new Uint8Array(file.bytes)], { type: "text/plain" }));
    this.tell("ifm-kept", this.bytes);
  }
}

customElements.define("ifm-forms", Forms);
