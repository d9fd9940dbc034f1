// Loaded when there are predictions to look at: two charts and the pairs by name.
import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { after } from "../../engine/pending.js";
import { EngineFailure, unusable } from "../../engine/engine.js";
import type { Pool } from "../../engine/pool.js";
import type { Intervals, ModelFile, Predictions, Trees } from "../../engine/protocol.js";
import { heads, Panel, prop } from "../../panel/panel.js";
import { parse } from "../../state/spec.js";
import { cell, number } from "../../text/format.js";
import { short } from "../../text/strings.js";
import { isMany, type Training } from "../../training/training.js";
import type { Model } from "../../training/series.js";
import { tellingTrees } from "../../training/comparison.js";
import { isModel } from "../../training/standing.js";
import "../classes/classes.js";
import { likeliest } from "../classes/likeliest.js";
import "./errorsby.js";
import { Explanations, type Question } from "./explanations.js";
import "./importance.js";
import "./pairs.js";
import { pending } from "./pending.js";
import "./reasons.js";
import "./residuals.js";
import { rowsOf, type Predictor, type Rows } from "./rows.js";
import { scatter } from "./scatter.js";
import "./search.js";
import { fit as strings, ranges as words } from "./strings.js";

const LARGEST = 4; // errors listed

/** Predicted against actual and the residuals on the test rows, of a model that the reader chooses. */
class Fit extends Panel {
  @prop accessor pool: Pool | null = null; // null: no prediction is explained
  @prop accessor training!: Training;
  @prop accessor models: readonly Model[] = [];
  @property() accessor lead: Model = "ifm"; // shown until the reader chooses
  @property() accessor chosen: Predictor | "" = ""; // by the reader; "": nobody yet
  @property() accessor target = "";
  @property() accessor of: "line" | "row" = "line";
  @property() accessor note = ""; // what the rows are
  @property() accessor split: "random" | "time" | "group" = "random"; // of the rows

  private seen: ReadonlyMap<Model, Predictions> | null = null;
  private grown: Trees | null = null; // that were seen
  private rows: ReadonlyMap<Predictor, Rows> = new Map();
  private measured: ReadonlyMap<Predictor, Rows> = new Map(); // what rows will be
  private measuring = false;
  private hitsFrom: unknown = null;
  private hitRows: Rows | null = null;
  private hit = new Float64Array(); // of the rows that are looked at, as it follows from that
  private opener: HTMLElement | null = null; // what the reader came from who asked for the reason by keyboard
  private arrives = false; // and goes on at the reason, once it is there

  private file: ModelFile | undefined; // of the model that is explained
  private readonly explanations = new Explanations(
    async ({ model, line }, changes) => {
      const { pool, training: { opened, models } } = this;
      const file = models.get(model);
      if (!pool || !opened || !file) throw new EngineFailure(unusable(strings.forgotten));
      try {
        return await pool.callOn(opened, "explain", { model: file.bytes, line, changes });
      } finally {
        pool.settle(opened);
      }
    },
    () => this.requestUpdate(),
  );

  protected override willUpdate(): void {
    const { predictions, models } = this.training;
    const { asked } = this.explanations;
    const file = asked ? models.get(asked.model) : undefined;
    if (asked && file !== this.file && this.file) this.explanations.ask(file ? { ...asked } : null); // its intervals have come, or it is of a run that is over
    this.file = this.explanations.asked ? file : undefined;
    const trees = tellingTrees(this.training);
    const { seen, grown } = this;
    Object.assign(this, { seen: predictions, grown: trees });
    if (grown === trees && seen?.size === predictions.size && [...predictions].every(([model, p]) => seen.get(model) === p)) return;
    if (predictions.size > 0) this.measure();
    else if (this.measured.size > 0) this.rows = this.measured = new Map();
  }

  /** Measures what has come, one in a task: there may be hundreds of thousands of rows. Until then the pictures stay. */
  private measure(): void {
    if (this.measuring) return;
    this.measuring = true;
    after(0, () => {
      this.measuring = false;
      const { rows, whole } = rowsOf(this.training.predictions, this.measured, this.grown?.predicted, isMany(this.training.started));
      this.measured = rows;
      if (!whole) return this.measure();
      this.rows = rows;
      this.requestUpdate();
    });
  }

  /** Whose predictions are explained: of ridge and trees, which are in no file, those of the model that leads. */
  private explained(whose: Predictor): Model {
    return isModel(whose) ? whose : this.lead;
  }

  private readonly explain = (line: number, byKey: boolean): void => {
    this.opener = byKey && document.activeElement instanceof HTMLElement ? document.activeElement : null;
    this.arrives = byKey;
    this.explanations.ask({ model: this.explained(this.chosen || this.lead), line, changes: {} });
  };

  private readonly close = (): void => {
    const inside = this.querySelector("ifm-reasons")?.contains(document.activeElement);
    if (inside) (this.opener?.isConnected ? this.opener : this.querySelector<HTMLElement>("[data-chart='predictions'] input"))?.focus();
    this.opener = null;
    this.explanations.ask(null);
  };

  private readonly escape = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && this.explanations.asked) this.close();
  };

  private choose(whose: Predictor): void {
    this.dispatchEvent(new CustomEvent("ifm-choose", { detail: whose }));
    const { asked } = this.explanations;
    if (asked) this.explanations.ask({ ...asked, model: this.explained(whose) });
  }

  protected override updated(): void {
    if (!this.explanations.asked || !this.arrives) return;
    this.arrives = false;
    const panel = this.querySelector<Panel>("ifm-reasons");
    void panel?.updateComplete.then(() => panel.focus());
  }

  protected override render(): TemplateResult {
    const whose = this.chosen || this.lead;
    const { of, target, grown, explanations: { asked, answered } } = this;
    const { started, models, classes, intervals } = this.training;
    const names = started?.classes ?? null;
    const ranged = of === "line" && !names;
    const model = this.explained(whose);
    const explain = models.has(model) ? this.explain : null;
    const explained = asked?.line ?? null;
    const rows = asked ? this.rows.get(asked.model) : undefined;
    return html`<div class="fit">
      <div class="choose">
        <label class="pick">
          <span>${strings.model}</span>
          <select class="whose" @change=${(e: Event) => this.choose((e.target as HTMLSelectElement).value as Predictor)}>
            ${([...this.models, "ridge", ...(grown ? (["trees"] as const) : [])] as const).map((one) => html`<option value=${one} .selected=${one === whose}>${short[one]}</option>`)}
          </select>
        </label>
        <span class="note">${this.note}</span>
      </div>
      <div class="two" @keydown=${this.escape}>
        ${scatter({ rows: this.rows.get(whose) ?? null, ranges: (ranged && rangesOf(intervals.answers, whose)) || null, whose, of, target, what: names ? "class" : "predicted", names, heading: (names ? strings.classes : strings.scatter)(short[whose]), explain, explained })}
        ${of === "line" ? html`<div class="rows">${this.largest(whose, explain)}
          ${explain ? html`<button class="average-row" aria-pressed=${String(explained === 0)} @click=${(event: MouseEvent) => explain(0, event.detail === 0)}>${strings.averageRow}</button>` : nothing}
          ${asked ? html`<ifm-reasons .asked=${asked} .answered=${answered} .ask=${(question: Question) => this.explanations.ask(question)} .actual=${rows?.actual[rows.line.indexOf(asked.line)] ?? Number.NaN} .target=${target} .names=${names} @ifm-close=${this.close}></ifm-reasons>` : nothing}</div>` : nothing}
        ${names ? nothing : html`<ifm-residuals .all=${this.rows} .whose=${whose} .of=${of} .target=${target} .explain=${explain} .explained=${explained}></ifm-residuals>`}
        ${ranged ? this.ranges(whose) : nothing} ${of === "line" ? this.errorsBy(whose) : nothing}
        ${names ? html`<ifm-classes .classes=${classes.get(model) ?? null} .trees=${grown?.metrics ?? null} .model=${model} .whose=${whose} .target=${target} .names=${names}></ifm-classes>` : nothing}
      </div>
    </div>`;
  }

  /** How many test rows a model's prediction intervals hold; while they are computed, the progress. */
  private ranges(whose: Predictor): TemplateResult {
    const { intervals: study, phase } = this.training;
    const own = rangesOf(study.answers, whose);
    const { stage = "training", step = 0, steps = 0, model = "ifm" }: Partial<Intervals> = [...study.answers.values()].find(({ done }) => !done) ?? [...study.answers.values()].at(-1) ?? {};
    const going = { says: words.stages[stage](step, steps, model), step, steps };
    const go = (go: boolean): void => this.tell("ifm-study", { what: "intervals", go });
    return html`<section class="ranges" aria-label=${words.title} data-ranges=${study.state}>
      <h3>${words.title}</h3>
      ${own ? covers(own, this.split) : study.state === "done" ? html`<p class="note">${words.ridge}</p>` : pending(study, words, going, phase === "stopped" || phase === "failed", go)}
    </section>`;
  }

  /** Which rows lie within their intervals, or are classified rightly; none where that is not known, as of trees and ridge with more than two classes. */
  private hits(whose: Predictor, rows: Rows): Float64Array {
    const { started, intervals, predictions } = this.training;
    const names = started?.classes ?? [];
    const from = rangesOf(intervals.answers, whose) ?? (isModel(whose) && names.length > 2 ? predictions.get(whose)?.probabilities : names.length === 2 ? rows.predicted : null);
    if (from !== this.hitsFrom || rows !== this.hitRows) Object.assign(this, { hitsFrom: from, hitRows: rows, hit: from ? hits(rows, from, names) : new Float64Array() });
    return this.hit;
  }

  /** The test errors by the levels of a column that the reader chooses, once training is over. */
  private errorsBy(whose: Predictor): TemplateResult | typeof nothing {
    const { pool, training: { opened, started, phase, query } } = this;
    const rows = this.rows.get(whose);
    if (!pool || !opened || !rows || phase !== "done") return nothing;
    const names = started?.classes ?? [];
    return html`<ifm-errors-by .pool=${pool} .opened=${opened} .rows=${rows} .hit=${this.hits(whose, rows)} .whose=${whose} .target=${this.target} .weight=${parse(query).spec.weight} .measure=${started?.measure ?? "rmse"} .classes=${names.length}></ifm-errors-by>`;
  }

  /** The rows that are predicted worst, each with the press that tells why. */
  private largest(whose: Predictor, explain: ((line: number, byKey: boolean) => void) | null): TemplateResult | typeof nothing {
    const { asked } = this.explanations;
    const names = this.training.started?.classes;
    const rows = this.rows.get(whose);
    if (!rows) return nothing;
    const { line, actual, predicted } = rows;
    const hit = names && this.training.phase === "done" ? this.hits(whose, rows) : new Float64Array();
    const wrong = rows.ranked().filter((row) => hit[row] === 0);
    const listed = [...wrong, ...rows.ranked().filter((row) => hit[row] !== 0)].slice(0, LARGEST);
    const was = (row: number): string => (names ? (names[actual[row] ?? 0] ?? "") : cell(actual[row] ?? Number.NaN));
    const many = isMany(this.training.started);
    const probabilities = names && many && isModel(whose) ? this.training.predictions.get(whose)?.probabilities : null; // of trees and ridge only that of the own class is known
    return html`<table class="numbers largest">
        <caption>${strings.largest}</caption>
        ${heads([strings.columns.line, strings.columns.actual, ...(probabilities ? [strings.columns.predicted] : []), !names ? strings.columns.predicted : many ? strings.itsProbability : strings.probability(names[1] ?? "")])}
        <tbody>
          ${listed.map((row) => {
            const at = line[row] ?? 0;
            return html`<tr>
              <th scope="row">${explain ? html`<button aria-label=${strings.why(strings.place.line(at))} aria-pressed=${String(at === asked?.line)} @click=${(event: MouseEvent) => explain(at, event.detail === 0)}>${at}</button>` : at}</th>
              <td>${was(row)}</td>
              ${names && probabilities ? html`<td>${likeliest(probabilities, row, names)}</td>` : nothing}
              <td>${number(predicted[row] ?? Number.NaN)}</td>
            </tr>`;
          })}
        </tbody>
      </table>
      ${hit.length > 0 && wrong.length < listed.length ? html`<p class="note">${strings.wrong(wrong.length, line.length)}</p>` : nothing}`;
  }
}

/** 1 for each row within its interval, or whose likeliest class is its own, else 0. */
function hits({ actual, predicted }: Rows, from: Intervals | Float64Array, names: readonly string[]): Float64Array {
  return actual.map((was, row) => {
    if (!(from instanceof Float64Array)) return Number((from.low[row] ?? Number.NaN) <= was && was <= (from.high[row] ?? Number.NaN));
    return Number(names.length > 2 ? likeliest(from, row, names) === names[was] : (predicted[row] ?? 0) >= 0.5 === (was === 1));
  });
}

/** What holds for the intervals of a model. */
function covers({ covered, share, low, from, to, level, width, folds, rows }: Intervals, split: Fit["split"]): TemplateResult {
  return html`<p role="status" data-covered=${covered} data-rows=${low.length}>${words.covers(covered, low.length, share, level, width)}</p>
    <details><summary>${words.how}</summary><p class="note">${folds > 0 ? words.folds(rows, folds) : words.later(rows)} ${words.holds[split]} ${words.interval(from, to)}</p></details>`;
}

/** The intervals of a model, once they are there. */
function rangesOf(answers: ReadonlyMap<number, Intervals>, whose: Predictor): Intervals | undefined {
  return [...answers.values()].find(({ done, model }) => done && model === whose);
}

customElements.define("ifm-fit", Fit);
