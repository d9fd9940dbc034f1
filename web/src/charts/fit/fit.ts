// Loaded when there are predictions to look at: two charts and the pairs by name.
import { html, type TemplateResult } from "lit";
import type { Predictions } from "../../engine/protocol.js";
import { Panel } from "../../panel/panel.js";
import { short } from "../../text/strings.js";
import type { Model } from "../../training/series.js";
import "./pairs.js";
import "./refits.js";
import "./residuals.js";
import { rowsOf, type Predictor, type Rows } from "./rows.js";
import "./scatter.js";
import { fit as strings } from "./strings.js";
import "./strongest.js";

/** Predicted against actual and the residuals on the test rows, of a model that the reader chooses. */
class Fit extends Panel {
  static override properties = { predictions: { attribute: false }, models: { attribute: false }, lead: {}, chosen: {}, target: {}, of: {}, note: {} };

  declare predictions: ReadonlyMap<Model, Predictions>;
  declare models: readonly Model[];
  declare lead: Model; // shown until the reader chooses
  declare chosen: Predictor | ""; // by the reader; "": nobody yet
  declare target: string;
  declare of: "line" | "row";
  declare note: string; // what the rows are

  private seen: ReadonlyMap<Model, Predictions> | null = null;
  private rows = new Map<Predictor, Rows>();

  constructor() {
    super();
    this.predictions = new Map();
    this.models = [];
    this.lead = "ifm";
    this.chosen = "";
    this.target = "";
    this.of = "line";
    this.note = "";
  }

  protected override willUpdate(): void {
    const stays = this.seen?.size === this.predictions.size && [...this.predictions].every(([model, p]) => this.seen?.get(model) === p);
    if (!stays) this.rows = rowsOf(this.predictions, this.rows);
    this.seen = this.predictions;
  }

  protected override render(): TemplateResult {
    const whose = this.chosen || this.lead;
    return html`<div class="fit">
      <div class="choose">
        <label class="pick">
          <span>${strings.model}</span>
          <select class="whose" @change=${(e: Event) => this.dispatchEvent(new CustomEvent("ifm-choose", { detail: (e.target as HTMLSelectElement).value }))}>
            ${([...this.models, "ridge"] as const).map((one) => html`<option value=${one} .selected=${one === whose}>${short[one]}</option>`)}
          </select>
        </label>
        <span class="note">${this.note}</span>
      </div>
      <div class="two">
        <ifm-scatter .rows=${this.rows.get(whose) ?? null} .whose=${whose} .of=${this.of} .target=${this.target} .heading=${strings.scatter(short[whose])}></ifm-scatter>
        <ifm-residuals .all=${this.rows} .whose=${whose} .of=${this.of} .target=${this.target}></ifm-residuals>
      </div>
    </div>`;
  }
}

customElements.define("ifm-fit", Fit);
