import { html, nothing, type TemplateResult } from "lit";
import { heads, Panel, prop, scrolling } from "../panel/panel.js";
import { problem } from "../panel/problem.js";
import { parse } from "../state/spec.js";
import { change, number, percent } from "../text/format.js";
import { measured, short } from "../text/strings.js";
import { Measures } from "../training/measures.js";
import type { Whose } from "../training/series.js";
import { baselines, belowRidge, standings } from "../training/standing.js";
import { fitted, type Training } from "../training/training.js";
import { logarithm, standing as strings, trees } from "./strings.js";

/** Models and baselines, the best on test rows first, and boosted trees as they grow. */
class StandingPanel extends Panel {
  @prop accessor training!: Training;

  private readonly measures = new Measures();
  private held = false; // the focus was there before what has changed is drawn

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
      ${started ? scrolling(strings.title, this.table()) : nothing}
      ${this.meanings()} ${this.quadratic()} ${started && !started.classes && started.learnt !== started.target ? html`<p class="note" data-learnt=${started.learnt}>${logarithm.is(started.learnt, started.target)}</p>` : nothing}
      <div class="growth" tabindex="-1" data-trees=${this.training.trees.state}>${this.trees()}</div>
      ${this.logarithm()}
    </div>`;
  }

  private table(): TemplateResult | typeof nothing {
    const { trials, lines, planned, phase, started } = this.training;
    if (trials.length === 0) return nothing;
    const ridge = baselines(trials).find((b) => b.whose === "ridge")?.error ?? Number.NaN;
    const rows = standings(trials, lines).map((s) => ({ ...s, found: this.measures.of(this.training, s.whose) }));
    type Column = readonly [name: string, cell: (row: (typeof rows)[number]) => TemplateResult];
    const known = (value: number, text: (value: number) => string): string => (Number.isNaN(value) ? "–" : text(value));
    const ofClasses: readonly Column[] = [
      [strings.auc, ({ found }) => html`<td data-auc=${found.auc}>${known(found.auc, number)}</td>`],
      [strings.accuracy, ({ found }) => html`<td data-accuracy=${found.accuracy}>${known(found.accuracy, percent)}</td>`],
      [strings.brier, ({ found }) => html`<td>${known(found.auc, () => number(found.rmse ** 2))}</td>`],
    ];
    const ofNumbers: readonly Column[] = [
      [strings.mae, ({ found }) => html`<td>${number(found.mae)}</td>`],
      [strings.r2, ({ found }) => html`<td>${decimals(found.r2)}</td>`],
    ];
    const ofTwoValues: Column = [strings.auc, ({ found }) => html`<td data-auc=${found.auc}>${decimals(found.auc)}</td>`];
    const below = (whose: Whose): number => belowRidge(trials, whose);
    const columns: readonly Column[] = [
      [measured[started?.measure ?? "rmse"], ({ error }) => html`<td>${number(error, 4)}</td>`],
      [strings.ofRidge, ({ whose, error }) => html`<td>${whose === "ridge" ? "" : change(error / ridge - 1)}</td>`],
      ...(planned > 1 ? [[strings.below, ({ whose }) => html`<td data-below=${below(whose)}>${whose === "ridge" ? "" : strings.trials(below(whose), trials.length)}</td>`] as Column] : []),
      ...(started?.classes ? ofClasses : ofNumbers),
      ...(!started?.classes && rows.some(({ found }) => !Number.isNaN(found.auc)) ? [ofTwoValues] : []),
    ];
    const row = (of: (typeof rows)[number]): TemplateResult => html`<tr class=${of.whose} data-standing=${of.whose} data-value=${of.error} data-mae=${of.found.mae} data-r2=${of.found.r2}>
      <th scope="row">${short[of.whose]}</th>
      ${columns.map(([, cell]) => cell(of))}
    </tr>`;
    return html`<table class="numbers standings">
      <caption>${phase === "done" ? strings.title : strings.titleSoFar}</caption>
      ${heads([strings.who, ...columns.map(([name]) => name)])}
      <tbody>${rows.map(row)}</tbody>
    </table>`;
  }

  private meanings(): TemplateResult | typeof nothing {
    const { trials, lines, planned, started } = this.training;
    if (started?.classes) return trials.length > 0 ? html`<p class="note" data-learnt=${started.learnt}>${strings.classes(planned > 1, started.learnt, parse(this.training.query).spec.weight)}</p>` : nothing;
    const found = standings(trials, lines).map(({ whose }) => this.measures.of(this.training, whose));
    if (found.every(({ mae }) => Number.isNaN(mae))) return nothing;
    return html`<p class="note">${strings.means(planned > 1, found.some(({ auc }) => !Number.isNaN(auc)), parse(this.training.query).spec.weight)}</p>`;
  }

  private quadratic(): TemplateResult | typeof nothing {
    const found = this.training.quadratic;
    if (!found) return nothing;
    return html`<p class="note" data-quadratic>${fitted(found) ? strings.quadratic(found.columns, found.lambda) : strings.notFitted(problem(found))}</p>`;
  }

  /** What learning the logarithm of the target gains. It comes when nothing above it grows. */
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

  private other(log: "no" | "yes"): void {
    this.tell("ifm-view", { ghost: "1" });
    this.tell("ifm-train", { log });
  }

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

function decimals(value: number): string {
  return Math.abs(value) < 1000 ? value.toFixed(2).replace("-", "−") : number(value);
}

customElements.define("ifm-standing", StandingPanel);
