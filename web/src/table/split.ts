import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Loaded } from "../file/loaded.js";
import { pick } from "../panel/inputs.js";
import { Panel } from "../panel/panel.js";
import { optionsOf, type Spec } from "../state/spec.js";
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
    const { split, by } = plan ?? this.spec;
    const suggested = plan?.suggested ?? [];
    const names = [...new Set([by, ...suggested.filter((s) => s.split === split).map((s) => s.by), ...table.columns.map(({ name }) => name)])];
    return html`<div class="split" data-split=${split}>
      <div class="picks">
        ${pick(strings.label, optionsOf("split"), split, (kind) => strings.kinds[kind], (split) => this.tell("ifm-spec", { split, by: "" }), "split")}
        ${split === "random" ? nothing : pick(strings.by, names, by, (name) => name || strings.any, (by) => this.tell("ifm-spec", { split, by }), "by")}
      </div>
      <p class="note">${strings.means[split](by)}</p>
      ${suggested.slice(0, OFFERED).map(
        ({ split, by, reason }) => html`<p class="offer" data-suggested=${split}>
          <span><b>${by}</b>: ${strings.reason(reason)}</span>
          <button @click=${() => this.tell(this.idle ? "ifm-spec" : "ifm-train", { split, by })}>${strings.take[split](by)}</button>
        </p>`,
      )}
    </div>`;
  }
}

customElements.define("ifm-split", Split);
