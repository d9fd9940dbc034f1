import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { Panel } from "../panel/panel.js";
import { problem } from "../panel/problem.js";
import { parse } from "../state/spec.js";
import { change, number, percent } from "../text/format.js";
import { measured, short } from "../text/strings.js";
import { Measures } from "../training/measures.js";
import { baselines, belowRidge, standings } from "../training/standing.js";
import { fitted, type Training } from "../training/training.js";
import { logarithm, standing as strings, trees } from "./strings.js";

/** All that predicts the test rows in order, the baselines among it, and boosted trees as they grow. */
class StandingPanel extends Panel {
  @property({ attribute: false }) accessor training!: Training;

  private readonly measures = new Measures();
  private held = false; // the focus is where boosted trees are told of, before what has changed is drawn

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
      ${this.meanings()} ${this.quadratic()} ${started && !started.classes && started.learnt !== started.target ? html`<p class="note" data-learnt=${started.learnt}>${logarithm.is(started.learnt, started.target)}</p>` : nothing}
      <div class="growth" tabindex="-1" data-trees=${this.training.trees.state}>${this.trees()}</div>
      ${this.logarithm()}
    </div>`;
  }

  private table(): TemplateResult | typeof nothing {
    const { trials, lines, planned, phase, started } = this.training;
    if (trials.length === 0) return nothing;
    const classes = started?.classes ?? null;
    const ridge = baselines(trials).find((b) => b.whose === "ridge")?.error ?? Number.NaN;
    const rows = standings(trials, lines).map((s) => ({ ...s, found: this.measures.of(this.training, s.whose) }));
    const several = planned > 1;
    const twoValued = rows.some(({ found }) => !Number.isNaN(found.auc));
    return html`<table class="numbers standings">
      <caption>
        ${phase === "done" ? strings.title : strings.titleSoFar}
      </caption>
      <thead>
        <tr>
          <th scope="col">${strings.who}</th>
          <th scope="col">${measured[started?.measure ?? "rmse"]}</th>
          <th scope="col">${strings.ofRidge}</th>
          ${several ? html`<th scope="col">${strings.below}</th>` : nothing}
          ${(classes ? [strings.auc, strings.accuracy, strings.brier] : [strings.mae, strings.r2, ...(twoValued ? [strings.auc] : [])]).map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ whose, error, found }) => html`<tr class=${whose} data-standing=${whose} data-value=${error} data-mae=${found.mae} data-r2=${found.r2}>
            <th scope="row">${short[whose]}</th>
            <td>${number(error, 4)}</td>
            <td>${whose === "ridge" ? "" : change(error / ridge - 1)}</td>
            ${several ? html`<td data-below=${belowRidge(trials, whose)}>${whose === "ridge" ? "" : strings.trials(belowRidge(trials, whose), trials.length)}</td>` : nothing}
            ${classes
              ? html`<td data-auc=${found.auc}>${Number.isNaN(found.auc) ? "–" : number(found.auc)}</td>
                  <td data-accuracy=${found.accuracy}>${Number.isNaN(found.accuracy) ? "–" : percent(found.accuracy)}</td>
                  <td>${Number.isNaN(found.auc) ? "–" : number(found.rmse ** 2)}</td>`
              : html`<td>${number(found.mae)}</td>
                  <td>${decimals(found.r2)}</td>
                  ${twoValued ? html`<td data-auc=${found.auc}>${decimals(found.auc)}</td>` : nothing}`}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  /** What the measures beside the error are. */
  private meanings(): TemplateResult | typeof nothing {
    const { trials, lines, planned, started } = this.training;
    if (started?.classes) return trials.length > 0 ? html`<p class="note" data-learnt=${started.learnt}>${strings.classes(planned > 1, started.learnt, parse(this.training.query).spec.weight)}</p>` : nothing;
    const found = standings(trials, lines).map(({ whose }) => this.measures.of(this.training, whose));
    if (found.every(({ mae }) => Number.isNaN(mae))) return nothing;
    return html`<p class="note">${strings.means(planned > 1, found.some(({ auc }) => !Number.isNaN(auc)), parse(this.training.query).spec.weight)}</p>`;
  }

  /** What quadratic ridge is, or why it is not there. */
  private quadratic(): TemplateResult | typeof nothing {
    const found = this.training.quadratic;
    if (!found) return nothing;
    return html`<p class="note" data-quadratic>${fitted(found) ? strings.quadratic(found.columns, found.lambda) : strings.notFitted(problem(found))}</p>`;
  }

  /** What learning the logarithm of the target gains, where it does or is done, and the press that trains the other way. It comes when nothing above it grows. */
  private logarithm(): TemplateResult | typeof nothing {
    const { logged, started, trees: study } = this.training;
    if (!started || started.classes || study.state === "idle" || study.state === "going") return nothing;
    const is = started.learnt !== started.target;
    if (!is && !logged?.pays) return nothing;
    return html`<div class="logarithm">
      ${logged ? html`<p class="note">${logarithm.compared(logged)}</p>` : nothing}
      <p class="acts"><button @click=${() => this.other(is ? "no" : "yes")}>${logarithm.train(is ? started.target : (logged?.learnt ?? ""))}</button></p>
    </div>`;
  }

  /** Trains with the run that is over as faint lines: both are in units of the target. */
  private other(log: "no" | "yes"): void {
    this.tell("ifm-view", { ghost: "1" });
    this.tell("ifm-train", { log });
  }

  /** Boosted trees: as they grow, what they are, or a button that grows them. */
  private trees(): TemplateResult | typeof nothing {
    const { trees: study, planned } = this.training;
    const answers = [...study.answers.values()];
    const grown = answers.reduce((sum, one) => sum + one.grown, 0);
    const most = planned * (answers[0]?.most ?? 0);
    const first = study.answers.get(0);
    switch (study.state) {
      case "idle":
        return nothing;
      case "going":
        return html`<label class="note" for="trees">${answers.length > 0 ? trees.growing(grown, most) : trees.soon}</label>
          <p class="acts"><progress id="trees" max=${Math.max(1, most)} value=${grown}></progress> <button title=${trees.stopHelp} @click=${() => this.tell("ifm-study", { what: "trees", go: false })}>${trees.stop}</button></p>`;
      case "done":
        return first ? html`<p class="note">${first.trees > 0 ? trees.grown(first.trees, first.leaves, planned > 1) : trees.none}</p>` : nothing;
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
