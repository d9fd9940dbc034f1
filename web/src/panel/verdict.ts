import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { EngineError } from "../engine/protocol.js";
import { number } from "../text/format.js";
import { plain, quantity, say, type Phrase } from "../text/phrase.js";
import { short } from "../text/strings.js";
import type { Line, Model } from "../training/series.js";
import type { Phase } from "../training/training.js";
import { Panel, sentence } from "./panel.js";
import { problem } from "./problem.js";

/** Each model's test error in large figures, and one sentence once the run is over. */
class Verdict extends Panel {
  @property() accessor run = "";
  @property({ attribute: false }) accessor models: readonly Model[] = []; // whose rows keep their places until they come
  @property({ attribute: false }) accessor lines: readonly Line[] = [];
  @property() accessor phase: Phase = "idle";
  @property({ attribute: false }) accessor phrase: Phrase = [];
  @property() accessor note = "";
  @property() accessor live = "";
  @property({ attribute: false }) accessor error: EngineError | null = null;
  @property({ attribute: false }) accessor write: ((text: string) => TemplateResult | string) | undefined = undefined; // how the sentence is shown, where its words open
  @state() private accessor spoken = "";

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("phrase") || changed.has("phase")) this.spoken = this.phase === "done" || this.phase === "stopped" ? plain(this.phrase) : "";
  }

  protected override render(): TemplateResult {
    return html`<div class="verdict" data-phase=${this.phase}>
      <dl class="stand">
        ${this.rows().map(([model, line]) =>
          line
            ? html`<div class=${model}>
                <dt>${short[model]}</dt>
                <dd>${sentence(say`${quantity(model, this.value(line), number(this.value(line)))}`)}</dd>
              </div>`
            : html`<div class="blank" aria-hidden="true">
                <dt>${short[model]}</dt>
                <dd><b class="num">0</b></dd>
              </div>`,
        )}
      </dl>
      <p class="says" role="status" data-verdict=${this.run}>${this.spoken ? sentence(this.phrase, this.write) : nothing}</p>
      ${this.error ? html`<p class="error" role="alert">${problem(this.error)}</p>` : nothing}
      ${this.live ? html`<p class="live">${this.live}</p>` : nothing}
      <p class="note">${this.note}</p>
    </div>`;
  }

  /** A row for each model that may still come or has come. */
  private rows(): readonly (readonly [Model, Line | undefined])[] {
    const over = this.phase === "done" || this.phase === "failed";
    const all = over || this.models.length === 0 ? this.lines.map((line) => line.model) : this.models;
    return all.map((model) => [model, this.lines.find((line) => line.model === model)] as const);
  }

  private value(line: Line): number {
    return line.done ? line.kept : (line.error.at(-1) ?? Number.NaN);
  }
}

customElements.define("ifm-verdict", Verdict);
