import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { answerOf } from "../engine/calls.js";
import type { Pool } from "../engine/pool.js";
import type { EngineError, ModelFile } from "../engine/protocol.js";
import { pick } from "../panel/inputs.js";
import { Panel, prop } from "../panel/panel.js";
import { problem } from "../panel/problem.js";
import { offer } from "../save/offer.js";
import { short } from "../text/strings.js";
import type { Model } from "../training/series.js";
import "./prediction.js";
import type { SavedModel } from "./prediction.js";
import { keeping as strings } from "./strings.js";

class Keep extends Panel {
  @prop accessor pool!: Pool;
  @prop accessor models!: ReadonlyMap<Model, ModelFile>;
  @prop accessor order!: readonly Model[]; // best on validation rows first
  @property({ type: Boolean }) accessor first!: boolean; // they are the first trial's of several
  @state() private accessor chosen: Model | null = null; // null: the first of the order
  @state() private accessor model: SavedModel | null = null; // null: the engine has not said what it is
  @state() private accessor failed: EngineError | null = null;

  private asked: ModelFile | undefined; // what the engine was last asked about

  private get file(): ModelFile | undefined {
    return this.models.get(this.chosen ?? this.order[0] ?? "ifm");
  }

  protected override willUpdate(): void {
    if (this.chosen && !this.models.has(this.chosen)) this.chosen = null;
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
    const { result: is, error } = await answerOf(this.pool.call("describe", { model: file.bytes }, "table"));
    if (file === this.asked) Object.assign(this, is ? { model: { ...file, is } } : { failed: error });
  }

  protected override render(): TemplateResult {
    const { file, model } = this;
    if (!file) return html``;
    const name = (one: Model): string => (one === this.order[0] && this.order.length > 1 ? strings.best(short[one]) : short[one]);
    const now = this.order.find((one) => this.models.get(one) === file) ?? "ifm";
    return html`<section class="keep" aria-labelledby="keep-title">
      <h3 id="keep-title">${strings.title}</h3>
      <p class="busy">
        ${pick(strings.model, this.order, now, name, (chosen) => (this.chosen = chosen), "keep")} <span class="note">${this.first ? strings.firstTrial : nothing}</span>
      </p>
      <div class="taking"><b>${strings.file}</b><span>${strings.what}</span><button class="download" @click=${() => this.download(file)}>${strings.download}</button></div>
      <ifm-forms .pool=${this.pool} .bytes=${file.bytes}></ifm-forms>
      ${this.failed ? html`<p class="error" role="alert">${problem(this.failed)}</p>` : nothing}
      ${model ? html`<ifm-predict .pool=${this.pool} .model=${model}></ifm-predict>` : nothing}
    </section>`;
  }
}

customElements.define("ifm-keep", Keep);
