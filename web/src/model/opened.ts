import { html, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import "../charts/matrices/matrix.js";
import { matrix } from "../charts/matrices/strings.js";
import { cancelled, EngineFailure, unusable } from "../engine/engine.js";
import type { Pool } from "../engine/pool.js";
import { unread } from "../engine/strings.js";
import type { About } from "../panel/about.js";
import { Panel, sentence } from "../panel/panel.js";
import { plain } from "../text/phrase.js";
import { short } from "../text/strings.js";
import "./forms.js";
import "./prediction.js";
import type { Kept } from "./prediction.js";
import { keeping as strings } from "./strings.js";

/** A model from a file: what it is, what it found, and what it says of a table. */
class Saved extends Panel {
  @property({ attribute: false }) accessor pool!: Pool;
  @property({ attribute: false }) accessor model!: Kept;
  @property({ type: Boolean }) accessor dark!: boolean;

  /** For what is saved of it. */
  override get about(): About {
    const { name, is } = this.model;
    return { name: is.target, says: plain(strings.holds(name, is.rank, is.columns.length, is.features.length, is.bytes)), seed: null, query: null, unit: is.target };
  }

  protected override render(): TemplateResult {
    const { name, bytes, is } = this.model;
    return html`<section class="keep saved" aria-labelledby="saved-title">
      <h3 id="saved-title" tabindex="-1">${strings.saved(short[is.model], is.target)}</h3>
      <p class="sentence">${sentence(strings.holds(name, is.rank, is.columns.length, is.features.length, is.bytes))}</p>
      <p class="busy"><button class="close" @click=${() => this.tell("ifm-model", null)}>${strings.close}</button></p>
      <ifm-forms .pool=${this.pool} .bytes=${bytes}></ifm-forms>
      <ifm-predict .pool=${this.pool} .model=${this.model}></ifm-predict>
      ${is.interaction
        ? html`<ifm-matrix .panels=${[{ key: is.model, title: short[is.model], note: matrix.rank(is.rank), values: is.interaction }]} .heading=${strings.matrix(is.learnt)} settled ?dark=${this.dark}></ifm-matrix>`
        : html`<p class="note">${strings.wide(is.features.length)}</p>`}
    </section>`;
  }
}

/** Reads a model file, and tells how much of it has been read. Rejects with an EngineFailure that says what is wrong with it, or that it was cancelled. */
export async function readModel(pool: Pool, file: File, loaded: (bytes: number) => void, signal: AbortSignal): Promise<Kept> {
  const content = await bytesOf(file, loaded, signal);
  try {
    return { name: file.name, bytes: content, is: await pool.describe(content, signal) };
  } catch (reason) {
    if (!(reason instanceof EngineFailure) || reason.detail.kind !== "FileError") throw reason;
    throw new EngineFailure({ ...reason.detail, message: strings.noModel(reason.detail.message) });
  }
}

const SLICE = 2 << 20; // bytes between two looks at whether it is still wanted

async function bytesOf(file: File, loaded: (bytes: number) => void, signal: AbortSignal): Promise<Uint8Array> {
  const content = new Uint8Array(file.size);
  for (let at = 0; at < file.size; at += SLICE) {
    const slice = await file.slice(at, at + SLICE).arrayBuffer().catch((reason: unknown) => {
      throw new EngineFailure(unusable(unread(file.name, reason)));
    });
    if (signal.aborted) throw new EngineFailure(cancelled());
    content.set(new Uint8Array(slice), at);
    loaded(at + slice.byteLength);
  }
  return content;
}

customElements.define("ifm-model", Saved);
