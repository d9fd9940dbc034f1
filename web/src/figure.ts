import { html, nothing, type TemplateResult } from "lit";
import { axis } from "./axis.js";
import "./controls.js";
import "./curve.js";
import { relativeError, type Panelled } from "./matrix.js";
import "./settings.js";
import "./conclusion.js";
import { Panel } from "./panel.js";
import type { Matrix } from "./protocol.js";
import { kept, type Model } from "./series.js";
import type { Spec } from "./spec.js";
import { controls, curve, figure as strings, matrix, short, verdict } from "./strings.js";
import type { Training } from "./trainer.js";
import { ending, type Standing } from "./verdict.js";
import type { View } from "./view.js";

const SCENARIOS: readonly Spec["scenario"][] = ["psd", "flipped", "mixed"];
const KEYS: readonly (keyof Spec)[] = ["models", "d", "k", "n", "test", "noise", "seed", "iterations", "trials"];

/** The first five seconds: the switch, the curves, what was learnt, the verdict. */
class Figure extends Panel {
  static override properties = { spec: { attribute: false }, view: { attribute: false }, training: { attribute: false }, dark: { type: Boolean }, still: { type: Boolean } };

  declare spec: Spec;
  declare view: View;
  declare training: Training;
  declare dark: boolean;
  declare still: boolean; // the reader wants nothing to move by itself

  private readonly errors = new WeakMap<Matrix, number>(); // relative, by what was learnt

  protected override render(): TemplateResult {
    const { spec, view, training: t } = this;
    const scale = view.scale === "auto" ? "log" : view.scale;
    const shows = (part: View["hide"][number]): boolean => !view.hide.includes(part);
    const last = Math.max(0, ...t.lines.map((line) => line.iteration.at(-1) ?? 0));
    return html`
      ${shows("title")
        ? html`<div class="hero">
            <h1>${strings.title}</h1>
            ${view.embed === "1" ? nothing : html`<p class="lead">${strings.lead}</p>`}
          </div>`
        : nothing}
      ${shows("switch") ? this.switch() : nothing}
      <div class="stage ${shows("verdict") ? "" : "wide"}">
        <ifm-curve
          .lines=${t.lines}
          .baselines=${baselines(t)}
          .axis=${t.started ? axis(scale, { ...spec, source: "synthetic" }, t.started, t.lines) : null}
          .waiting=${curve.waiting(t.phase, "synthetic")}
        ></ifm-curve>
        ${shows("verdict")
          ? html`<ifm-verdict
              run="figure"
              .lines=${t.lines}
              .phase=${t.phase}
              .phrase=${t.started && t.phase === "done" ? verdict.figure(t.started, t.lines, spec.scenario) : []}
              .note=${this.note()}
              .live=${strings.live(spec)}
              .error=${t.error}
            ></ifm-verdict>`
          : nothing}
        ${shows("controls")
          ? html`<ifm-controls run="figure" phase=${t.phase} speed=${view.speed} scale=${scale} .progress=${t.started ? controls.progress(last, spec.iterations) : ""}></ifm-controls>`
          : nothing}
      </div>
      ${shows("matrices") ? html`<ifm-matrix .panels=${this.panels()} ?dark=${this.dark}></ifm-matrix>` : nothing}
      ${view.embed === "1"
        ? nothing
        : html`<details class="fold">
            <summary>${strings.settings}</summary>
            <ifm-settings .spec=${spec} .keys=${KEYS}></ifm-settings>
          </details>`}
    `;
  }

  private switch(): TemplateResult {
    return html`<fieldset class="switch">
      <legend>${strings.switch}</legend>
      <div class="options">
        ${SCENARIOS.map(
          (scenario) => html`<label class=${scenario}>
            <input type="radio" name="scenario" value=${scenario} .checked=${scenario === this.spec.scenario} @change=${() => this.tell("ifm-spec", { scenario })} />
            <span class="face"><b>${strings.scenario[scenario]}</b> <span class="formula">${strings.formula[scenario]}</span><span class="sign">${strings.sign[scenario]}</span></span>
          </label>`,
        )}
      </div>
    </fieldset>`;
  }

  private note(): string {
    const t = this.training;
    if (this.still && t.phase === "paused" && t.lines.every((line) => line.iteration.length <= 1)) return strings.reduced;
    const [fm, ifm] = [t.lines.find((line) => line.model === "fm"), t.lines.find((line) => line.model === "ifm")];
    if (t.phase !== "done" || !ifm || !t.started || this.spec.scenario === "mixed") return "";
    const slow = kept(ifm) > 1e-6 * t.started.mean && (!fm || ending(kept(fm), kept(ifm), t.started.ridge) !== "level");
    return slow ? strings.slowNote : "";
  }

  private error(learnt: Matrix, truth: Matrix): number {
    const known = this.errors.get(learnt) ?? relativeError(learnt, truth);
    this.errors.set(learnt, known);
    return known;
  }

  private panels(): Panelled[] {
    const { truth, matrices } = this.training;
    const learnt = (model: Model): Panelled => {
      const values = matrices.get(model) ?? null;
      const note = values && truth ? (model === "gfm" ? matrix.diagonal : matrix.error(this.error(values, truth))) : "";
      return { key: model, title: short[model], note, values };
    };
    return [{ key: "truth", title: matrix.truth, note: strings.truth[this.spec.scenario], values: truth }, ...this.spec.models.map(learnt)];
  }
}

/** The reference lines of a run. */
export function baselines(t: Training): Standing[] {
  if (!t.started) return [];
  const all: Standing[] = [
    { whose: "mean", rmse: t.started.mean },
    { whose: "ridge", rmse: t.started.ridge },
  ];
  return all.filter((b) => Number.isFinite(b.rmse));
}


customElements.define("ifm-figure", Figure);
