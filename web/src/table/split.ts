import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Loaded } from "../file/loaded.js";
import { Panel } from "../panel/panel.js";
import { fields, type Spec } from "../state/spec.js";
import { splits as strings } from "./strings.js";

const OFFERED = 3; // other splits

/** How rows become training, validation and test rows, and what the columns speak for instead. */
class Split extends Panel {
  @property({ attribute: false }) accessor spec!: Spec;
  @property({ attribute: false }) accessor loaded!: Loaded;
  @property({ type: Boolean }) accessor idle!: boolean; // nothing has been trained on this table: a choice starts nothing

  protected override render(): TemplateResult | typeof nothing {
    const { table, plan } = this.loaded;
    if (!table) return nothing;
    const split = plan?.split ?? this.spec.split;
    const by = plan?.by ?? this.spec.by;
    const suggested = plan?.suggested ?? [];
    const names = [...new Set([by, ...suggested.filter((s) => s.split === split).map((s) => s.by), ...table.columns.map(({ name }) => name)])];
    const options = fields.find(({ key }) => key === "split")?.options ?? [];
    return html`<div class="split" data-split=${split}>
      <div class="picks">
        <label class="pick"><span>${strings.label}</span>
          <select name="split" @change=${(e: Event) => this.tell("ifm-spec", { split: (e.target as HTMLSelectElement).value as Spec["split"], by: "" })}>
            ${options.map((option) => html`<option value=${option} .selected=${option === split}>${strings.kinds[option as Spec["split"]]}</option>`)}
          </select></label>
        ${split === "random"
          ? nothing
          : html`<label class="pick"><span>${strings.by}</span>
              <select name="by" @change=${(e: Event) => this.tell("ifm-spec", { split, by: (e.target as HTMLSelectElement).value })}>
                ${names.map((name) => html`<option value=${name} .selected=${name === by}>${name === "" ? strings.any : name}</option>`)}
              </select></label>`}
      </div>
      <p class="note">${strings.means[split](by)}</p>
      ${suggested.slice(0, OFFERED).map(
        (other) => html`<p class="offer" data-suggested=${other.split}>
          <span><b>${other.by}</b>: ${strings.reason(other.reason)}</span>
          <button @click=${() => this.tell(this.idle ? "ifm-spec" : "ifm-train", { split: other.split, by: other.by })}>${strings.take[other.split](other.by)}</button>
        </p>`,
      )}
    </div>`;
  }
}

customElements.define("ifm-split", Split);
