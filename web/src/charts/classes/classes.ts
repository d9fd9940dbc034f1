// How well a model tells two classes apart: at every threshold, at the reader's, and whether its probabilities come true.
import { html, type TemplateResult } from "lit";
import type { Classes } from "../../engine/protocol.js";
import { Panel } from "../../panel/panel.js";
import type { Model } from "../../training/series.js";
import "./reliability.js";
import "./roc.js";
import { classes as strings } from "./strings.js";
import "./threshold.js";
import { THRESHOLDS } from "./told.js";

class ClassesPanel extends Panel {
  static override properties = { classes: { attribute: false }, model: {}, target: {}, one: {}, step: { state: true } };

  declare classes: Classes | null; // null: not yet
  declare model: Model;
  declare target: string;
  declare one: string; // class 1
  private declare step: number; // of the threshold

  constructor() {
    super();
    this.classes = null;
    this.model = "ifm";
    this.target = "";
    this.one = "";
    this.step = THRESHOLDS / 2;
  }

  protected override render(): TemplateResult {
    const what = strings.of(this.target, this.one);
    return html`<div class="classes">
      <ifm-roc .classes=${this.classes} .model=${this.model} .what=${what} .threshold=${this.step / THRESHOLDS}></ifm-roc>
      <ifm-reliability .classes=${this.classes} .model=${this.model} .what=${what}></ifm-reliability>
      <ifm-threshold .classes=${this.classes} .model=${this.model} .target=${this.target} .step=${this.step} @ifm-threshold=${(e: CustomEvent<number>) => (this.step = e.detail)}></ifm-threshold>
    </div>`;
  }
}

customElements.define("ifm-classes", ClassesPanel);
