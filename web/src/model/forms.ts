import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { answerOf } from "../engine/calls.js";
import type { Pool } from "../engine/pool.js";
import type { EngineError, Form } from "../engine/protocol.js";
import { Panel } from "../panel/panel.js";
import { notices, problem } from "../panel/problem.js";
import { offer } from "../save/offer.js";
import { forms as strings } from "./strings.js";

const FORMS: readonly Form[] = ["python", "sql", "libfm"];

/** Saves a model in the forms that other programs take. */
class Forms extends Panel {
  @property({ attribute: false }) accessor pool!: Pool;
  @property({ attribute: false }) accessor bytes!: Uint8Array; // of the model file
  @state() private accessor lacks: readonly string[] = []; // of the form that was saved last
  @state() private accessor failed: EngineError | null = null;

  protected override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has("bytes")) Object.assign(this, { lacks: [], failed: null });
  }

  protected override render(): TemplateResult {
    return html`<p class="busy">${FORMS.map((form) => html`<button class=${form} @click=${() => void this.save(form)}>${strings[form]}</button> `)}</p>
      <div role="status">${this.failed ? html`<p class="error" data-error="form">${problem(this.failed)}</p>` : nothing} ${notices(this.lacks)}</div>`;
  }

  private async save(form: Form): Promise<void> {
    const { bytes } = this;
    const { result, error } = await answerOf(this.pool.call("export", { model: bytes, form }, "table"));
    if (bytes !== this.bytes) return; // another model has taken its place
    Object.assign(this, { lacks: result?.notices ?? [], failed: error });
    if (!result) return;
    for (const file of result.files) offer(file.name, new Blob([new Uint8Array(file.bytes)], { type: "text/plain" }));
    this.tell("ifm-kept", null);
  }
}

customElements.define("ifm-forms", Forms);
