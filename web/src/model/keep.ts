import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { answerOf } from "../engine/calls.js";
import type { Pool } from "../engine/pool.js";
import type { EngineError, EveryRow, ModelFile } from "../engine/protocol.js";
import { check, pick } from "../panel/inputs.js";
import { Panel, prop } from "../panel/panel.js";
import { problem } from "../panel/problem.js";
import { offer } from "../save/offer.js";
import { short } from "../text/strings.js";
import type { Model } from "../training/series.js";
import type { Studied } from "../training/study.js";
import "./prediction.js";
import type { SavedModel } from "./prediction.js";
import { keeping as strings } from "./strings.js";

class Keep extends Panel {
  @prop accessor pool!: Pool;
  @prop accessor models!: ReadonlyMap<Model, ModelFile>;
  @prop accessor order!: readonly Model[]; // best on validation rows first
  @prop accessor everyRow!: Studied<EveryRow>; // the models fitted to all rows
  @property({ type: Boolean }) accessor whole!: boolean; // they can be fitted to all rows
  @property({ type: Boolean }) accessor first!: boolean; // they are the first trial's of several
  @state() private accessor chosen: Model | null = null; // null: the first of the order
  @state() private accessor model: SavedModel | null = null; // null: the engine has not said what it is
  @state() private accessor failed: EngineError | null = null;

  @state() private accessor wanted = false; // the model that is fitted to all rows

  private asked: ModelFile | undefined; // what the engine was last asked about

  private get now(): Model {
    return this.chosen ?? this.order[0] ?? "ifm";
  }

  private get file(): ModelFile | undefined {
    const fitted = this.takesAll ? [...this.everyRow.answers.values()].find(({ model }) => model === this.now)?.file : null;
    return fitted ?? this.models.get(this.now);
  }

  private get takesAll(): boolean {
    return this.wanted && (this.everyRow.state === "going" || this.everyRow.state === "done");
  }

  private takeAll(wanted: boolean): void {
    const { state } = this.everyRow;
    this.wanted = wanted;
    if (wanted ? state !== "done" : state === "going") this.tell("ifm-study", { what: "everyRow", go: wanted });
  }

  /** The choice to take a model that was fitted to all rows. */
  private rows(): TemplateResult {
    const { state, error, answers } = this.everyRow;
    const own = [...answers.values()].find(({ model }) => model === this.now);
    return html`<p class="busy">
      ${check(strings.all, this.takesAll, (wanted) => this.takeAll(wanted), "all-rows")}
      ${this.wanted && state === "going" ? html`<progress aria-label=${strings.fitting} max=${Math.max(1, own?.steps ?? 1)} value=${own?.step ?? 0}></progress>` : nothing}
      <span class="note" role="status">${!this.wanted ? nothing : state === "going" ? strings.fitting : state === "done" ? strings.unmeasured : error ? problem(error) : nothing}</span>
    </p>`;
  }

  protected override willUpdate(changed: PropertyValues<Keep>): void {
    if (this.chosen && !this.models.has(this.chosen)) this.chosen = null;
    if (changed.has("everyRow") && (this.everyRow.state === "idle" || this.everyRow.state === "stopped")) this.wanted = false; // of another run, or stopped with it
    const { file } = this;
    if (file === this.asked) return;
    Object.assign(this, { asked: file, failed: null });
    if (file) void this.describe(file);
    else this.model = null; // a model of another run says nothing of the next
  }

  private download(file: ModelFile): void {
    offer(file.name, new Blob([new Uint8Array(file.bytes)], { type: "application/json" }));
    this.tell("ifm-kept", file.bytes);
  }

  private async describe(file: ModelFile): Promise<void> {
    const { result: is, error } = await answerOf(this.pool.call("describe", { model: file.bytes, class: 0 }, "table"));
    if (file === this.asked) Object.assign(this, is ? { model: { ...file, is } } : { failed: error });
  }

  protected override render(): TemplateResult {
    const { file, model } = this;
    if (!file) return html``;
    const name = (one: Model): string => (one === this.order[0] && this.order.length > 1 ? strings.best(short[one]) : short[one]);
    return html`<section class="keep" aria-labelledby="keep-title">
      <h3 id="keep-title">${strings.title}</h3>
      <p class="busy">
        ${pick(strings.model, this.order, this.now, name, (chosen) => (this.chosen = chosen), "keep")} <span class="note">${this.first ? strings.firstTrial : nothing}</span>
      </p>
      ${this.whole ? this.rows() : nothing}
      <div class="taking"><b>${strings.file}</b><span>${strings.what}</span><button class="download" ?disabled=${this.takesAll && this.everyRow.state !== "done"} @click=${() => this.download(file)}>${strings.download}</button></div>
      <ifm-forms .pool=${this.pool} .bytes=${file.bytes}></ifm-forms>
      ${this.failed ? html`<p class="error" role="alert">${problem(this.failed)}</p>` : nothing}
      ${model ? html`<ifm-predict .pool=${this.pool} .model=${model}></ifm-predict>` : nothing}
    </section>`;
  }
}

customElements.define("ifm-keep", Keep);
