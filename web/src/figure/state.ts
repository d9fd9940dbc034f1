import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { shareAxis } from "../charts/axis.js";
import { curve } from "../charts/curve.js";
import { curve as charts, saved } from "../charts/strings.js";
import type { About } from "../panel/about.js";
import { Panel, prop } from "../panel/panel.js";
import type { Spec } from "../state/spec.js";
import { short } from "../text/strings.js";
import { baselines } from "../training/standing.js";
import type { Training } from "../training/training.js";
import { rankOf } from "./bar.js";
import { figure as strings } from "./strings.js";
import { linear } from "./verdict.js";

/** One side of the flip: the curves of its run over the stems of what was learnt. */
class State extends Panel {
  @prop accessor spec!: Spec;
  @prop accessor scenario!: Spec["scenario"]; // of this side
  @prop accessor training!: Training;
  @prop accessor describe: ((t: Training, spec: Spec) => string) | undefined; // in words, once that is there
  @property() accessor scale: "log" | "linear" = "linear";
  @property({ type: Boolean }) accessor alone = false; // nothing beside it says what its charts are
  @prop accessor curved!: boolean;
  @prop accessor stemmed!: boolean;
  @property({ type: Boolean }) accessor still = false; // what is not finished is not shown

  protected override render(): TemplateResult {
    const { training: t, spec, scenario } = this;
    const name = strings.signs[scenario];
    const whole = linear(t.trials);
    const unseen = this.still && (t.phase === "running" || t.phase === "starting");
    return html`
      ${this.curved
        ? curve({
            lines: t.lines,
            baselines: baselines(t.trials),
            ghost: null,
            caption: html`${this.alone ? strings.alone : nothing}`,
            heading: strings.curve(name),
            axis: t.started && whole > 0 && !unseen ? shareAxis(this.scale, spec.iterations, whole) : null,
            waiting: t.phase === "failed" ? charts.waiting.failed : "",
            whole,
          })
        : nothing}
      ${this.stemmed ? html`<ifm-spectrum .panels=${this.panels(unseen)} .caption=${this.alone ? strings.spectrum(name) : ""} .heading=${strings.spectrum(name)} slots=${Math.min(spec.d, 2 * Math.max(spec.k, rankOf(spec)))}></ifm-spectrum>` : nothing}
    `;
  }

  private panels(unseen: boolean): unknown {
    const { truth, matrices } = this.training;
    const learnt = this.spec.models.map((model) => ({ key: model, title: short[model], note: "", values: unseen ? null : (matrices.get(model) ?? null) }));
    return [{ key: "truth", title: strings.truth, column: strings.whole, note: "", values: truth }, ...learnt];
  }

  override get about(): About {
    const { training, scenario, spec, describe } = this;
    return { name: scenario, says: saved.drawn(scenario, describe?.(training, spec) ?? ""), seed: spec.seed, query: training.query, run: training };
  }
}

customElements.define("ifm-state", State);
