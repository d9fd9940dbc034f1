import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import "../charts/matrices/matrix.js";
import { answerOf } from "../engine/calls.js";
import { choice, score } from "../charts/matrices/classes.js";
import { matrix } from "../charts/matrices/strings.js";
import { cancelled, EngineFailure, unusable } from "../engine/engine.js";
import type { Pool } from "../engine/pool.js";
import { unread } from "../engine/strings.js";
import { slices } from "../packed/piece.js";
import type { Matrix } from "../engine/protocol.js";
import type { About } from "../panel/about.js";
import { Panel, prop, sentence } from "../panel/panel.js";
import { plain, type Phrase } from "../text/phrase.js";
import { short } from "../text/strings.js";
import { isMany } from "../training/training.js";
import "./prediction.js";
import type { SavedModel } from "./prediction.js";
import { keeping as strings } from "./strings.js";

class Saved extends Panel {
  @prop accessor pool!: Pool;
  @prop accessor model!: SavedModel;
  @property({ type: Boolean }) accessor dark!: boolean;

  @state() private accessor shown = 0; // of more than two classes, whose interactions are shown
  @state() private accessor matrix: Matrix | null = null; // of it, once another than the first was chosen

  protected override willUpdate(changed: PropertyValues<Saved>): void {
    if (changed.has("model")) Object.assign(this, { shown: 0, matrix: null });
  }

  private async show(shown: number): Promise<void> {
    this.shown = shown;
    const { model } = this;
    const { result } = await answerOf(this.pool.call("describe", { model: model.bytes, class: shown }, "table"));
    if (result && model === this.model && shown === this.shown) this.matrix = result.interaction;
  }

  private get holds(): Phrase {
    const { name, is } = this.model;
    return strings.holds(name, is.rank, is.columns.length, is.features.length, is.bytes);
  }

  override get about(): About {
    const { target } = this.model.is;
    return { name: target, says: plain(this.holds), seed: null, query: null };
  }

  protected override render(): TemplateResult {
    const { bytes, is } = this.model;
    const classes = isMany(is) ? is.classes : null;
    const quantity = classes ? score(is.target, classes, this.shown) : is.quantity;
    return html`<section class="keep saved" aria-labelledby="saved-title">
      <h3 id="saved-title" tabindex="-1">${strings.saved(short[is.model], is.target)}</h3>
      <p class="sentence">${sentence(this.holds)} ${strings.fitted[is.fitted]}</p>
      <p class="busy"><button class="close" @click=${() => this.tell("ifm-model", null)}>${strings.close}</button></p>
      <ifm-forms .pool=${this.pool} .bytes=${bytes}></ifm-forms>
      <ifm-predict .pool=${this.pool} .model=${this.model}></ifm-predict>
      ${is.interaction
        ? html`${classes ? choice(is.target, classes, this.shown, (shown) => void this.show(shown)) : nothing}<ifm-matrix .panels=${[{ key: is.model, title: short[is.model], note: matrix.rank(is.rank), values: this.matrix ?? is.interaction }]} .heading=${strings.matrix(quantity)} settled ?dark=${this.dark}></ifm-matrix>`
        : html`<p class="note">${strings.wide(is.features.length)}</p>`}
    </section>`;
  }
}

/** Rejects with an EngineFailure that says what is wrong with the file, or that reading it was cancelled. */
export async function readModel(pool: Pool, file: File, tell: (loaded: number) => void, signal: AbortSignal): Promise<SavedModel> {
  const content = new Uint8Array(file.size);
  try {
    for await (const { bytes, loaded } of slices(file)) {
      if (signal.aborted) throw new EngineFailure(cancelled());
      content.set(bytes, loaded - bytes.length);
      tell(loaded);
    }
  } catch (reason) {
    throw reason instanceof EngineFailure ? reason : new EngineFailure(unusable(unread(file.name, reason)));
  }
  const { result: is, error } = await answerOf(pool.call("describe", { model: content, class: 0 }, "table", signal));
  if (is) return { name: file.name, bytes: content, is };
  throw new EngineFailure(error.kind === "FileError" ? { ...error, message: strings.noModel(error.message) } : error);
}

customElements.define("ifm-model", Saved);
