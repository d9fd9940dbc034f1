// How well a model tells classes apart, and whether its probabilities come true. Of two classes: at every
// threshold, and at the reader's; of more: which it takes for which.
import { html, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Classes, ClassMetrics } from "../../engine/protocol.js";
import { Panel, prop } from "../../panel/panel.js";
import type { Model } from "../../training/series.js";
import { confusion } from "./confusion.js";
import { reliability, roc } from "./square.js";
import { confusion as words, classes as strings } from "./strings.js";
import { tellers as tellersOf, threshold, THRESHOLDS, type Teller, type Tellers } from "./threshold.js";

class ClassesPanel extends Panel {
  @prop accessor classes: Classes | null = null; // null: not yet
  @prop accessor trees: ClassMetrics | null = null; // null: not yet
  @property() accessor model: Model = "ifm"; // whose classes are
  @property() accessor whose: Teller = "ifm"; // that is looked at
  @property() accessor target = "";
  @prop accessor names!: readonly string[];
  @state() private accessor step: number = THRESHOLDS / 2; // of the threshold

  private tellers: Tellers | null = null;

  protected override willUpdate(changed: PropertyValues): void {
    if (["classes", "trees", "model", "whose"].some((name) => changed.has(name))) this.tellers = this.classes && tellersOf(this.classes, this.trees, this.model, this.whose);
  }

  protected override render(): TemplateResult {
    if (this.names.length > 2) return html`<div class="classes">${confusion(this.tellers)} ${reliability(this.tellers, words.rightly)}</div>`;
    const what = strings.of(this.target, this.names[1] ?? "");
    return html`<div class="classes">
      ${roc(this.tellers, what, this.step / THRESHOLDS)} ${reliability(this.tellers, what)}
      ${threshold(this.tellers, this.target, this.step, (step) => (this.step = step))}
    </div>`;
  }
}

customElements.define("ifm-classes", ClassesPanel);
