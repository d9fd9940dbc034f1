import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { EngineFailure } from "../engine/engine.js";
import type { Pool } from "../engine/pool.js";
import type { EngineError, ModelFile } from "../engine/protocol.js";
import { Leave } from "../panel/leave.js";
import { Panel } from "../panel/panel.js";
import { problem } from "../panel/problem.js";
import { offer } from "../save/offer.js";
import { short } from "../text/strings.js";
import type { Model } from "../training/series.js";
import "./forms.js";
import "./prediction.js";
import type { Kept } from "./prediction.js";
import { keeping as strings } from "./strings.js";

/** What can be taken along from a run on a table: its models, as files and as scripts, and what they say of another file. */
class Keep extends Panel {
  @property({ attribute: false }) accessor pool!: Pool;
  @property({ attribute: false }) accessor models!: ReadonlyMap<Model, ModelFile>;
  @property({ attribute: false }) accessor order!: readonly Model[]; // best on validation rows first
  @property({ type: Boolean }) accessor own!: boolean; // the table is the reader's: no link brings them back without it
  @property({ type: Boolean }) accessor first!: boolean; // they are the first trial's of several
  @state() private accessor chosen: Model | null = null; // null: the first of the order
  @state() private accessor kept: Kept | null = null; // null: not looked at yet
  @state() private accessor failed: EngineError | null = null;

  private asked: ModelFile | undefined; // what the engine was last asked about
  private readonly taken = new WeakSet<ModelFile>(); // saved, in any form
  private readonly leave = new Leave();

  private get file(): ModelFile | undefined {
    return this.models.get(this.chosen ?? this.order[0] ?? "ifm");
  }

  protected override willUpdate(): void {
    if (this.chosen && !this.models.has(this.chosen)) this.chosen = null;
    const file = this.file;
    if (file !== this.asked) this.failed = null;
    if (!file) Object.assign(this, { asked: undefined, kept: null }); // a model of another run says nothing of the next
    else if (file !== this.asked) void this.look(file);
  }

  /** A run of which nothing was saved is not left in silence. */
  protected override updated(): void {
    const files = [...this.models.values()];
    this.leave.asks(this.own && files.length > 0 && !files.some((file) => this.taken.has(file)));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.leave.asks(false);
  }

  private take(file: ModelFile): void {
    this.taken.add(file);
    this.requestUpdate();
  }

  private download(file: ModelFile): void {
    offer(file.name, new Blob([new Uint8Array(file.bytes)], { type: "application/json" }));
    this.take(file);
  }

  /** Asks the engine what the file holds. */
  private async look(file: ModelFile): Promise<void> {
    this.asked = file;
    try {
      const is = await this.pool.describe(file.bytes);
      if (file === this.asked) Object.assign(this, { kept: { ...file, is }, failed: null });
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      if (file === this.asked) this.failed = reason.detail;
    }
  }

  protected override render(): TemplateResult {
    const { file, kept } = this;
    if (!file) return html``;
    return html`<section class="keep" aria-labelledby="keep-title">
      <h3 id="keep-title">${strings.title}</h3>
      <p class="busy">
        <label class="pick">
          <span>${strings.model}</span>
          <select name="keep" @change=${(e: Event) => (this.chosen = (e.target as HTMLSelectElement).value as Model)}>
            ${this.order.map((model, i) => html`<option value=${model} .selected=${this.models.get(model) === file}>${i === 0 && this.order.length > 1 ? strings.best(short[model]) : short[model]}</option>`)}
          </select>
        </label>
        <button class="download" @click=${() => this.download(file)}>${strings.download}</button>
      </p>
      <ifm-forms .pool=${this.pool} .bytes=${file.bytes} @ifm-kept=${() => this.take(file)}></ifm-forms>
      <p class="note">${strings.what} ${this.first ? strings.firstTrial : nothing}</p>
      ${this.failed ? html`<p class="error" role="alert">${problem(this.failed)}</p>` : nothing}
      ${kept ? html`<ifm-predict .pool=${this.pool} .model=${kept}></ifm-predict>` : nothing}
    </section>`;
  }
}

customElements.define("ifm-keep", Keep);
