import { html, nothing, type TemplateResult } from "lit";
import { axis } from "./axis.js";
import "./controls.js";
import { waiting } from "./curve.js";
import { change, number, percent } from "./format.js";
import type { Panelled } from "./matrix.js";
import { download } from "./model.js";
import { Panel } from "./panel.js";
import { quantity, say, type Phrase, type Quantity } from "./phrase.js";
import "./scatter.js";
import type { Line } from "./series.js";
import type { Spec } from "./spec.js";
import { ahead, baselines, belowRidge, judge, leader, standings, wins, type Standing } from "./standing.js";
import { controls, curve, list, matrix, models, result as strings, short, verdict } from "./strings.js";
import type { Training } from "./trainer.js";
import "./verdict.js";
import type { View } from "./view.js";

/** What training on the reader's table gives: curves, verdict, predictions, interactions, the model to keep. */
class Result extends Panel {
  static override properties = { spec: { attribute: false }, view: { attribute: false }, training: { attribute: false }, dark: { type: Boolean } };

  declare spec: Spec;
  declare view: View;
  declare training: Training;
  declare dark: boolean;

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
        <ifm-curve .lines=${t.lines} .baselines=${baselines(t.trials)} .heading=${curve.titleOf(target)} .axis=${t.started ? axis(scale, { ...spec, source: "table" }, t.started, t.lines) : null} .waiting=${waiting(t.phase, "table")}></ifm-curve>
        <ifm-verdict
          run="table"
          .lines=${t.lines}
          .phase=${t.phase}
          .phrase=${t.phase === "done" && !t.error ? conclusion(t, predictions?.actual.length ?? 0) : []}
          .note=${note(t)}
          .live=${t.slow ? verdict.slow : ""}
          .error=${t.error}
        ></ifm-verdict>
        <ifm-controls run="table" phase=${t.phase} speed=${view.speed} scale=${scale} .progress=${going.map(progress).join(" · ")}></ifm-controls>
      </div>
      <div class="pairing">
        ${lead ? html`<ifm-scatter .predictions=${predictions} .model=${lead.model} .target=${target} .heading=${(t.planned > 1 ? strings.scatterOfFirst : strings.scatter)(lead.model)}></ifm-scatter>` : html`<div class="chart scatter"></div>`}
        <div>${t.started ? html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.reference}>${this.reference()}</div>` : nothing} ${lead ? this.keep(lead) : nothing}</div>
      </div>
      ${this.interactions(target, lead)}
      ${t.notices.length > 0
        ? html`<ul class="notices">
            ${t.notices.map((notice) => html`<li>${notice}</li>`)}
          </ul>`
        : nothing}
    </section>`;
  }

  /** The model to keep, once it is there. */
  private keep(lead: Line): TemplateResult | typeof nothing {
    const file = this.training.models.get(lead.model);
    if (!file) return nothing;
    const label = lead.trials > 1 ? strings.downloadFirst : strings.download;
    return html`<p class="keep">
      <button class="download" @click=${() => download(file)}>${label(short[lead.model])}</button>
      <span class="note">${strings.downloadNote}</span>
    </p>`;
  }

  private interactions(target: string, lead: Line | undefined): TemplateResult | typeof nothing {
    const { matrices, lines } = this.training;
    if (matrices.size === 0) return nothing;
    const shown = [...lines].sort((a, b) => Number(b === lead) - Number(a === lead)); // its pairs come strongest first
    const panels = shown.map(({ model }): Panelled => {
      const values = matrices.get(model) ?? null;
      return { key: model, title: short[model], note: values ? matrix.rank(values.rank) : "", values };
    });
    return html`<ifm-matrix .panels=${panels} .heading=${strings.matrix(target)} ?dark=${this.dark}></ifm-matrix>`;
  }

  private reference(): TemplateResult | typeof nothing {
    const { trials, lines, planned } = this.training;
    if (trials.length === 0) return nothing;
    const ridge = baselines(trials).find((b) => b.whose === "ridge")?.rmse ?? Number.NaN;
    return html`<table class="numbers standings">
      <caption>
        ${strings.reference}
      </caption>
      <thead>
        <tr>
          <th scope="col">${strings.who}</th>
          <th scope="col">${strings.rmse}</th>
          <th scope="col">${strings.ofRidge}</th>
          ${planned > 1 ? html`<th scope="col">${strings.below}</th>` : nothing}
        </tr>
      </thead>
      <tbody>
        ${standings(trials, lines).map((s) => {
          const gain = s.rmse / ridge - 1;
          return html`<tr class=${s.whose} data-standing=${s.whose} data-value=${s.rmse}>
            <th scope="row">${short[s.whose]}</th>
            <td>${number(s.rmse, 4)}</td>
            <td>${s.whose === "ridge" ? "" : change(gain)}</td>
            ${planned > 1 ? html`<td data-below=${belowRidge(trials, s.whose)}>${s.whose === "ridge" ? "" : strings.trials(belowRidge(trials, s.whose), trials.length)}</td>` : nothing}
          </tr>`;
        })}
      </tbody>
    </table>`;
  }
}

/** What was chosen on validation rows. */
function note({ lines, planned, phase }: Training): string {
  if (lines.length === 0) return "";
  if (planned > 1) return verdict.chosenInEach;
  const choices = lines.flatMap(({ model, choice, done }) => (choice ? [(done ? verdict.choice : verdict.choiceSoFar)(short[model], choice.rank, choice.lambda)] : []));
  return `${verdict.chosen(choices.join("; "))} ${phase === "done" ? verdict.ring : ""}`;
}

function progress({ model, trials, finished, candidate, candidates }: Line): string {
  return trials > 1 ? controls.trials(short[model], finished, trials) : controls.candidate(short[model], candidate + 1, candidates);
}

/** Who predicts the test rows best, and by how much. */
function conclusion(t: Training, rows: number): Phrase {
  const all = standings(t.trials, t.lines);
  const [best, ...rest] = all;
  if (!best) return [];
  const others = (some: readonly Standing[]): Phrase => list(some.map((s) => verdict.other(short[s.whose], quantity(s.whose, s.rmse))));
  const of = (whose: Standing["whose"]): Quantity => quantity(whose, all.find((s) => s.whose === whose)?.rmse ?? Number.NaN);
  const below = (whose: Standing["whose"]): Quantity => {
    const share = 1 - best.rmse / of(whose).value;
    return quantity("none", share, percent(share));
  };
  const judgement = judge(all, t.planned > 1 || surely(t, best.whose));
  const said = verdict.table[judgement]({
    best: models[best.whose],
    top: quantity(best.whose, best.rmse),
    where: rows === 0 ? "" : t.planned > 1 ? verdict.rowsOfEach(rows, t.trials.length) : verdict.rows(rows),
    next: rest[0] ? models[rest[0].whose] : "",
    rest: others(rest),
    belowRidge: below("ridge"),
    belowMean: below("mean"),
    ridge: of("ridge"),
    mean: of("mean"),
  });
  const beside = ["level", "unsure", "pays"].includes(judgement) ? rest.filter((s) => s.whose !== "ridge" && s.whose !== "mean") : [];
  const trials = t.planned > 1 ? verdict.trials(t.trials.length, models[best.whose], wins(t.trials, best.whose)) : [];
  const chance = beside.length > 0 && t.planned === 1 && tied(t) ? verdict.chance : "";
  return say`${said}${beside.length > 0 ? verdict.others(others(beside)) : []}${chance}${trials}`;
}

/** Whether a model is better than ridge on the same test rows by more than chance explains. */
function surely(t: Training, whose: Standing["whose"]): boolean {
  const p = whose === "mean" || whose === "ridge" ? undefined : t.predictions.get(whose);
  return p !== undefined && ahead(p.actual, p.predicted, p.ridge);
}

/** Whether neither of FM and iFM is better than the other by more than chance explains. */
function tied(t: Training): boolean {
  const [fm, ifm] = [t.predictions.get("fm"), t.predictions.get("ifm")];
  return fm !== undefined && ifm !== undefined && !ahead(fm.actual, fm.predicted, ifm.predicted) && !ahead(fm.actual, ifm.predicted, fm.predicted);
}

customElements.define("ifm-result", Result);
