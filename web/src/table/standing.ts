import { html, nothing, type TemplateResult } from "lit";
import type { ModelFile } from "../engine/protocol.js";
import { Panel } from "../panel/panel.js";
import { problem } from "../panel/problem.js";
import { change, number } from "../text/format.js";
import { short } from "../text/strings.js";
import { auc, errors, type Errors } from "../training/error.js";
import { targetMean } from "../training/model.js";
import { baselines, belowRidge, predicted, standings, type Standing } from "../training/standing.js";
import type { Training } from "../training/training.js";
import { standing as strings, trees } from "./strings.js";

/** How good one is on the test rows of the first trial; NaN where that is not known. */
interface Measured extends Errors {
  readonly auc: number;
}

const UNKNOWN: Measured = { rmse: Number.NaN, mae: Number.NaN, r2: Number.NaN, auc: Number.NaN };

/** All that predicts the test rows in order, the baselines among it, and boosted trees as they grow. */
class StandingPanel extends Panel {
  static override properties = { training: { attribute: false } };

  declare training: Training;

  private readonly measures = new WeakMap<Float64Array, Measured>(); // of predictions: there may be hundreds of thousands
  private held = false; // the focus is where boosted trees are told of, before what has changed is drawn
  private readonly means = new WeakMap<ModelFile, number>();

  protected override willUpdate(): void {
    this.held = this.querySelector(".growth")?.contains(document.activeElement) ?? false;
  }

  /** Moves the focus from a button that has gone to the one in its place, or to what is said there. */
  protected override updated(): void {
    const growth = this.querySelector<HTMLElement>(".growth");
    if (!this.held || growth?.contains(document.activeElement)) return;
    (growth?.querySelector<HTMLElement>("button") ?? growth)?.focus({ preventScroll: true });
  }

  protected override render(): TemplateResult {
    const { started } = this.training;
    return html`<div class="standing">
      ${started ? html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.title}>${this.table()}</div>` : nothing}
      ${this.quadratic()}
      <div class="growth" tabindex="-1" data-trees=${this.training.trees.state}>${this.trees()}</div>
    </div>`;
  }

  private table(): TemplateResult | typeof nothing {
    const { trials, lines, planned, phase } = this.training;
    if (trials.length === 0) return nothing;
    const ridge = baselines(trials).find((b) => b.whose === "ridge")?.rmse ?? Number.NaN;
    const rows = standings(trials, lines).map((s) => ({ ...s, found: this.measure(s.whose) }));
    const several = planned > 1;
    const twoValued = rows.some(({ found }) => !Number.isNaN(found.auc));
    const explained = (name: string, means: string): TemplateResult => html`<th scope="col"><abbr title=${means}>${name}</abbr></th>`;
    return html`<table class="numbers standings">
      <caption>
        ${phase === "done" ? strings.title : strings.titleSoFar}
      </caption>
      <thead>
        <tr>
          <th scope="col">${strings.who}</th>
          <th scope="col">${strings.rmse}</th>
          <th scope="col">${strings.ofRidge}</th>
          ${several ? html`<th scope="col">${strings.below}</th>` : nothing} ${explained(strings.mae, strings.maeMeans(several))} ${explained(strings.r2, strings.r2Means(several))}
          ${twoValued ? explained(strings.auc, strings.aucMeans(several)) : nothing}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ whose, rmse, found }) => html`<tr class=${whose} data-standing=${whose} data-value=${rmse} data-mae=${found.mae} data-r2=${found.r2}>
            <th scope="row">${short[whose]}</th>
            <td>${number(rmse, 4)}</td>
            <td>${whose === "ridge" ? "" : change(rmse / ridge - 1)}</td>
            ${several ? html`<td data-below=${belowRidge(trials, whose)}>${whose === "ridge" ? "" : strings.trials(belowRidge(trials, whose), trials.length)}</td>` : nothing}
            <td>${number(found.mae)}</td>
            <td>${decimals(found.r2)}</td>
            ${twoValued ? html`<td data-auc=${found.auc}>${decimals(found.auc)}</td>` : nothing}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  private measure(whose: Standing["whose"]): Measured {
    const rows = predicted(this.training);
    const own = rows?.by.get(whose);
    if (!rows || (!own && whose !== "mean")) return UNKNOWN;
    const { actual } = rows;
    const known = this.measures.get(own ?? actual); // the rows themselves stand for the mean
    if (known) return known;
    if (own) {
      const found = { ...errors(actual, (row) => own[row] as number), auc: auc(actual, own) };
      this.measures.set(own, found);
      return found;
    }
    const [file] = this.training.models.values();
    if (!file) return UNKNOWN;
    const mean = this.means.get(file) ?? targetMean(file);
    this.means.set(file, mean);
    const found = { ...errors(actual, () => mean), auc: Number.NaN };
    this.measures.set(actual, found);
    return found;
  }

  /** What quadratic ridge is, or why it is not there. */
  private quadratic(): TemplateResult | typeof nothing {
    const found = this.training.quadratic;
    if (!found) return nothing;
    return html`<p class="note" data-quadratic>${"rmse" in found ? strings.quadratic(found.columns, found.lambda) : strings.notFitted(problem(found))}</p>`;
  }

  /** Boosted trees: as they grow, what they are, or a button that grows them. */
  private trees(): TemplateResult | typeof nothing {
    const { trees: study, planned } = this.training;
    const answers = [...study.answers.values()];
    const grown = answers.reduce((sum, one) => sum + one.grown, 0);
    const most = planned * (answers[0]?.most ?? 0);
    const [first] = answers;
    switch (study.state) {
      case "idle":
        return nothing;
      case "going":
        return html`<label class="note" for="trees">${first ? trees.growing(grown, most) : trees.soon}</label>
          <p class="acts"><progress id="trees" max=${Math.max(1, most)} value=${grown}></progress> <button title=${trees.stopHelp} @click=${() => this.tell("ifm-study", { what: "trees", go: false })}>${trees.stop}</button></p>`;
      case "done":
        return first ? html`<p class="note">${first.trees > 0 ? trees.grown(first.trees, first.leaves) : trees.none}</p>` : nothing;
      case "failed":
        return html`<p class="note">${study.error ? trees.notGrown(problem(study.error)) : ""}</p>`;
      case "offered":
      case "stopped":
        return html`<p class="note">${study.state === "offered" ? trees.offered(study.seconds, planned) : trees.stopped(grown)}</p>
          <p class="acts"><button @click=${() => this.tell("ifm-study", { what: "trees", go: true })}>${trees.grow}</button></p>`;
    }
  }
}

/** A share that may be negative, with two decimals. */
function decimals(value: number): string {
  return Math.abs(value) < 1000 ? value.toFixed(2).replace("-", "−") : number(value);
}

customElements.define("ifm-standing", StandingPanel);
