import { html, nothing, type TemplateResult } from "lit";
import { axis } from "./axis.js";
import "./conclusion.js";
import "./controls.js";
import "./curve.js";
import { baselines } from "./figure.js";
import { number, percent } from "./format.js";
import { Panel } from "./panel.js";
import "./scatter.js";
import type { Spec } from "./spec.js";
import { controls, curve, result as strings, short, verdict } from "./strings.js";
import type { Training } from "./trainer.js";
import { leader, standings } from "./verdict.js";
import type { View } from "./view.js";

/** What training on the reader's table gives: curves, verdict, predictions. */
class Result extends Panel {
  static override properties = { spec: { attribute: false }, view: { attribute: false }, training: { attribute: false } };

  declare spec: Spec;
  declare view: View;
  declare training: Training;

  protected override render(): TemplateResult {
    const { spec, view, training: t } = this;
    const scale = view.scale === "auto" ? "linear" : view.scale;
    const target = t.started?.target ?? spec.target;
    const lead = leader(t.lines);
    const predictions = lead ? (t.predictions.get(lead.model) ?? null) : null;
    const going = t.lines.filter((line) => !line.done);
    return html`<section class="result" aria-labelledby="result-title">
      <h3 id="result-title">${strings.title(target)}</h3>
      <div class="stage">
        <ifm-curve .lines=${t.lines} .baselines=${baselines(t)} .heading=${curve.titleOf(target)} .axis=${t.started ? axis(scale, { ...spec, source: "table" }, t.started, t.lines) : null} .waiting=${curve.waiting(t.phase, "table")}></ifm-curve>
        <ifm-verdict
          run="table"
          .lines=${t.lines}
          .phase=${t.phase}
          .phrase=${t.started && t.phase === "done" ? verdict.table(t.started, t.lines, predictions?.actual.length ?? 0) : []}
          .note=${t.lines.length > 0 ? `${verdict.chosen}: ${t.lines.map((line) => verdict.choice(line)).join("; ")}. ${t.phase === "done" ? verdict.ring : ""}` : ""}
          .error=${t.error}
        ></ifm-verdict>
        <ifm-controls run="table" phase=${t.phase} speed=${view.speed} scale=${scale} .progress=${going.map((line) => controls.candidate(line)).join(" · ")}></ifm-controls>
      </div>
      <div class="pairing">
        ${lead ? html`<ifm-scatter .predictions=${predictions} .model=${lead.model} .target=${target}></ifm-scatter>` : html`<div class="chart scatter"></div>`}
        ${this.reference()}
      </div>
      ${t.notices.length > 0
        ? html`<ul class="notices">
            ${t.notices.map((notice) => html`<li>${notice}</li>`)}
          </ul>`
        : nothing}
    </section>`;
  }

  private reference(): TemplateResult | typeof nothing {
    const { started, lines } = this.training;
    if (!started) return nothing;
    return html`<table class="numbers standings">
      <caption>
        ${strings.reference}
      </caption>
      <thead>
        <tr>
          <th scope="col">${strings.who}</th>
          <th scope="col">${strings.rmse}</th>
          <th scope="col">${strings.ofRidge}</th>
        </tr>
      </thead>
      <tbody>
        ${standings(started, lines).map((s) => {
          const gain = s.rmse / started.ridge - 1;
          return html`<tr class=${s.whose} data-standing=${s.whose} data-value=${s.rmse}>
            <th scope="row">${short[s.whose]}</th>
            <td>${number(s.rmse, 4)}</td>
            <td>${s.whose === "ridge" ? "" : `${gain < 0 ? "−" : "+"}${percent(Math.abs(gain))}`}</td>
          </tr>`;
        })}
      </tbody>
    </table>`;
  }
}

customElements.define("ifm-result", Result);
