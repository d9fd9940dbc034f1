import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { EngineFailure } from "../engine/engine.js";
import type { Pool } from "../engine/pool.js";
import type { EngineError, Form } from "../engine/protocol.js";
import { Panel } from "../panel/panel.js";
import { notices, problem } from "../panel/problem.js";
import { offer } from "../save/offer.js";
import { forms as strings } from "./strings.js";

/** The forms in which other programs take a model, to be saved. */
class Forms extends Panel {
  @property({ attribute: false }) accessor pool!: Pool;
  @property({ attribute: false }) accessor bytes!: Uint8Array; // of the model file
  @state() private accessor told: readonly string[] = []; // what the form that was saved last lacks
  @state() private accessor failed: EngineError | null = null;

  /** What was told was of the model before. */
  protected override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has("bytes")) Object.assign(this, { told: [], failed: null });
  }

  protected override render(): TemplateResult {
    return html`<p class="busy">
        <button class="python" @click=${() => void this.save("python")}>${strings.python}</button>
        <button class="sql" @click=${() => void this.save("sql")}>${strings.sql}</button>
        <button class="libfm" @click=${() => void this.save("libfm")}>${strings.libfm}</button>
      </p>
      <div role="status">${this.failed ? html`<p class="error" data-error="form">${problem(this.failed)}</p>` : nothing} ${notices(this.told)}</div>`;
  }

  private async save(form: Form): Promise<void> {
    const { bytes } = this;
    try {
      const { files, notices } = await this.pool.export(bytes, form);
      if (bytes !== this.bytes) return; // another model has taken its place
      for (const { name, bytes } of files) offer(name, new Blob([new Uint8Array(bytes)], { type: "text/plain" }));
      Object.assign(this, { told: notices, failed: null });
      this.tell("ifm-kept", null);
    } catch (reason) {
      if (!(reason instanceof EngineFailure)) throw reason;
      if (bytes === this.bytes) Object.assign(this, { told: [], failed: reason.detail });
    }
  }
}

customElements.define("ifm-forms", Forms);
