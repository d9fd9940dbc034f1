import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { heads, Panel, prop, scrolling } from "../panel/panel.js";
import { problem } from "../panel/problem.js";
import type { Spec } from "../state/spec.js";
import { change, inside, number, percent } from "../text/format.js";
import { capital, measured, short } from "../text/strings.js";
import { bestOf, difference, predicted, type Difference } from "../training/comparison.js";
import { aucInterval, rarer, shareInterval, shareOf, type Measured } from "../training/error.js";
import { Measures } from "../training/measures.js";
import type { Model, Whose } from "../training/series.js";
import { baselines, belowRidge, isModel, standings, wins, type ModelError } from "../training/standing.js";
import { fitted, isMany, type Training } from "../training/training.js";
import { board as strings, decimals, nameOf, repeats, trees } from "./strings.js";

interface Row extends ModelError {
  readonly difference: Difference | null; // from the best; null where it is not known, and of the best itself
}

/** Curves that are no better than lines. */
const NONE: Row = { whose: "additive", error: Number.NaN, difference: null };

/** The errors on test rows as bars from zero, the best first, each with its paired difference from the best. */
class Board extends Panel {
  @prop accessor training!: Training;
  @prop accessor spec!: Spec; // of the run, or of the first that is to come

  private readonly measures = new Measures();
  private held = false; // the focus was on the trees' button before what has changed is drawn

  protected override willUpdate(): void {
    this.held = this.querySelector(".growth")?.contains(document.activeElement) ?? false;
  }

  /** Moves the focus from a button that has gone to the one in its place, or to what is said there. */
  protected override updated(): void {
    const growth = this.querySelector<HTMLElement>(".growth");
    if (!this.held || growth?.contains(document.activeElement)) return;
    (growth?.querySelector<HTMLElement>("button") ?? growth)?.focus({ preventScroll: true });
  }

  /** Whether curves of single columns are tried. */
  private get isCurved(): boolean {
    const { encode, solver } = this.spec;
    return encode !== "linear" && (solver === "default" || solver === "als");
  }

  private get isClasses(): boolean {
    return !!this.training.started?.classes;
  }

  private name(whose: Whose): string {
    return isModel(whose) ? short[whose] : capital(nameOf(whose, this.isClasses));
  }

  /** The rows that there are, the best first, and while a run goes on those that will come. */
  private get rows(): Row[] {
    const { training: t } = this;
    const all = standings(t.trials, t.lines);
    const best = bestOf(all);
    const known = all.map((one): Row => ({ ...one, difference: t.phase === "done" && best && best.whose !== one.whose ? difference(t, best, one.whose) : null }));
    const kept = this.isCurved && t.phase === "done" && !all.some(({ whose }) => whose === "additive") ? [NONE] : []; // its place
    if (t.phase === "done") return [...known, ...kept];
    const order: readonly Whose[] = [...this.spec.models, ...(isMany(t.started) ? [] : (["quadratic"] as const)), ...(this.isCurved ? (["additive"] as const) : []), "ridge", "mean"];
    return order.map((whose) => known.find((one) => one.whose === whose) ?? { whose, error: Number.NaN, difference: null });
  }

  protected override render(): TemplateResult {
    const { training: t } = this;
    const { rows } = this;
    const best = t.phase === "done" ? bestOf(rows) : undefined;
    const mean = rows.find(({ whose }) => whose === "mean");
    const bars = rows.filter(({ whose }) => whose !== "mean");
    const most = Math.max(...bars.flatMap(({ error, difference }) => [error, best && difference ? best.error + difference.high : 0]).filter(Number.isFinite), 0) || 1;
    const measure = measured[t.started?.measure ?? "rmse"];
    const [first] = t.predictions.values();
    const isGrown = bars.some(({ whose }) => whose === "trees");
    return html`<div class="board" style=${best ? `--best:${(100 * best.error) / most}%` : nothing}>
      <p class="heading"><b>${t.trials.length > 1 ? strings.titleOver(measure, t.trials.length) : strings.title(measure, first?.actual.length ?? 0)}</b> <span class="note">${this.unit(best)}</span></p>
      ${keyed(
        bars.map(({ whose }) => whose).join(), // rows in another order are others: none moves
        html`<table class="errors">
          <tbody>
            ${bars.map((row) => this.bar(row, best, most))} ${isGrown ? nothing : this.growth()}
          </tbody>
        </table>`,
      )}
      <p class="note">
        ${this.isClasses ? strings.meanClasses : strings.mean}
        ${mean && !Number.isNaN(mean.error) ? html`<span class="num" data-standing="mean" data-value=${mean.error} data-r2=${this.measures.of(t, "mean").r2}>${number(mean.error)}</span>` : nothing}${t.phase === "done" ? this.always() : ""}
      </p>
      <div class="beside note" data-splits=${t.splits.state}>${this.beside(best, bars)}</div>
      ${t.phase === "done" ? this.numbers(rows, best) : nothing}
    </div>`;
  }

  private unit(best: Row | undefined): string {
    const { started } = this.training;
    if (!started) return "";
    const unit = started.classes ? strings.nats : started.target;
    const found = best && this.measures.of(this.training, best.whose);
    if (!best || !found) return unit;
    const mean = this.training.trials.length > 1 ? baselines(this.training.trials).find(({ whose }) => whose === "mean")?.error : undefined;
    const r2 = mean ? 1 - (best.error / mean) ** 2 : found.r2;
    const says = started.classes ? strings.auc(this.auc(found)) : strings.r2(r2);
    return Number.isNaN(started.classes ? found.auc : r2) ? unit : `${unit}; ${says}`;
  }

  /** What always saying the commoner class of the test rows reaches; "" of numbers. */
  private always(): string {
    const { started } = this.training;
    const rows = predicted(this.training);
    if (!started?.classes || !rows) return "";
    const { actual, weight } = rows;
    const { commonest } = rarer(actual, weight);
    const right = shareOf(actual, commonest, weight);
    return strings.always(actual.filter((y) => y === commonest).length, actual.length, started.classes[commonest] ?? "", right);
  }

  /** With its interval, as the accuracy. */
  private auc({ auc }: Measured): string {
    const rows = predicted(this.training);
    if (!rows || Number.isNaN(auc)) return "–";
    if (isMany(this.training.started)) return inside(auc, 1, 2);
    const [low, high] = aucInterval(auc, rows.actual, rows.weight);
    return strings.between(inside(auc, 1, 2), inside(low, 1, 2), inside(high, 1, 2));
  }

  private accuracy({ accuracy }: Measured): string {
    const rows = predicted(this.training);
    if (!rows || Number.isNaN(accuracy)) return "–";
    const [low, high] = shareInterval(accuracy, rows.actual.length, rows.weight);
    return strings.between(percent(accuracy), inside(100 * low, 100, 0), percent(high));
  }

  private bar({ whose, error, difference }: Row, best: Row | undefined, most: number): TemplateResult {
    const found = this.measures.of(this.training, whose);
    const of = (value: number): string => `${(100 * value) / most}%`;
    const at = best && difference ? { low: best.error + difference.low, high: best.error + difference.high } : null;
    const isNone = best !== undefined && whose === "additive" && Number.isNaN(error);
    const says = best && difference ? strings.row(this.name(whose), error, this.name(best.whose), difference.low, difference.high) : "";
    return html`<tr class=${whose} data-standing=${Number.isNaN(error) ? nothing : whose} data-value=${error} data-mae=${found.mae} data-r2=${found.r2} title=${says}>
      <th scope="row">${this.name(whose)}</th>
      <td>
        <div class="extent">
          ${isNone ? html`<span class="note">${strings.noCurves}</span>` : nothing}
          <span class="length" style="width:${Number.isFinite(error) ? of(error) : "0"}"></span>
          ${at ? html`<span class="whisker" data-low=${at.low} data-high=${at.high} style="left:${of(Math.max(0, at.low))};width:${of(at.high - Math.max(0, at.low))}"></span>` : nothing}
        </div>
      </td>
      <td class="num">${Number.isNaN(error) ? "" : number(error)}</td>
    </tr>`;
  }

  /** Boosted trees while they are not grown. */
  private growth(): TemplateResult | typeof nothing {
    const { trees: study, planned } = this.training;
    const answers = [...study.answers.values()];
    const grown = answers.reduce((sum, one) => sum + one.grown, 0);
    const most = planned * (answers[0]?.most ?? 0);
    const press = (go: boolean, label: string, help: string): TemplateResult => html`<button title=${help} aria-label=${help} @click=${() => this.tell("ifm-study", { what: "trees", go })}>${label}</button>`;
    const says = {
      idle: () => nothing,
      done: () => nothing,
      failed: () => html`<span class="note">${study.error ? trees.notGrown(problem(study.error)) : ""}</span>`,
      going: () => html`<progress aria-label=${answers.length > 0 ? trees.growing(grown, most) : trees.soon} max=${Math.max(1, most)} value=${grown}></progress> ${press(false, trees.stop, trees.stopHelp)}`,
      offered: () => html`<span class="note">${trees.offered(study.seconds)}</span> ${press(true, trees.grow, trees.growHelp)}`,
      stopped: () => html`<span class="note">${trees.stopped(grown)}</span> ${press(true, trees.grow, trees.growHelp)}`,
    }[study.state]();
    return html`<tr class="trees">
      <th scope="row">${this.name("trees")}</th>
      <td colspan="2"><div class="growth" tabindex="-1" data-trees=${study.state}>${says}</div></td>
    </tr>`;
  }

  /** What the whiskers are, or how far other splits of the rows are. */
  private beside(best: Row | undefined, bars: readonly Row[]): TemplateResult {
    const { phase, splits: { state, seconds, answers, error } } = this.training;
    if (phase !== "done") return html`${phase === "idle" ? nothing : strings.soFar}`;
    const press = (go: boolean, label: string): TemplateResult => html`<button @click=${() => this.tell("ifm-study", { what: "splits", go })}>${label}</button>`;
    const over = html`<span>${best && bars.some(({ difference }) => difference) ? strings.whisker : nothing}</span>`;
    return {
      idle: () => over,
      done: () => over,
      going: () => html`<progress aria-label=${repeats.going} max=${repeats.splits} value=${answers.size}></progress><span>${repeats.so(answers.size)}</span>${press(false, trees.stop)}`,
      offered: () => html`${over}${press(true, repeats.start(seconds))}`,
      stopped: () => html`${over}${press(true, repeats.start(seconds))}`,
      failed: () => html`<span>${error ? problem(error) : ""}</span>`,
    }[state]();
  }

  /** The same as a table, with all that is measured beside the error. */
  private numbers(rows: readonly Row[], best: Row | undefined): TemplateResult {
    const { trials, started } = this.training;
    const ridge = rows.find(({ whose }) => whose === "ridge")?.error ?? Number.NaN;
    const all = rows.filter(({ error }) => !Number.isNaN(error)).map((row) => ({ ...row, found: this.measures.of(this.training, row.whose) }));
    type Column = readonly [name: string, cell: (row: (typeof all)[number]) => TemplateResult];
    const known = (value: number, text: (value: number) => string): string => (Number.isNaN(value) ? "–" : text(value));
    const ofClasses: readonly Column[] = [
      [strings.aucHead, ({ found }) => html`<td data-auc=${found.auc}>${this.auc(found)}</td>`],
      [strings.accuracy, ({ found }) => html`<td data-accuracy=${found.accuracy}>${this.accuracy(found)}</td>`],
      [strings.brier, ({ found }) => html`<td>${known(found.auc, () => number(found.rmse ** 2))}</td>`],
    ];
    const ofNumbers: readonly Column[] = [
      [strings.mae, ({ found }) => html`<td>${number(found.mae)}</td>`],
      [strings.r2Head, ({ found }) => html`<td>${known(found.r2, decimals)}</td>`],
    ];
    const isTwoValues = !started?.classes && all.some(({ found }) => !Number.isNaN(found.auc));
    const ofAll: readonly Column[] = [
      [measured[started?.measure ?? "rmse"], ({ error }) => html`<td>${number(error, 4)}</td>`],
      ...(best ? [[strings.difference, ({ difference }) => html`<td>${difference ? strings.interval(difference.low, difference.high) : ""}</td>`] as Column] : []),
      [strings.ofRidge, ({ whose, error }) => html`<td>${whose === "ridge" ? "" : change(error / ridge - 1)}</td>`],
      ...(trials.length > 1 ? [[strings.below, ({ whose }) => html`<td data-below=${belowRidge(trials, whose)}>${whose === "ridge" ? "" : strings.of(belowRidge(trials, whose), trials.length)}</td>`] as Column] : []),
    ];
    const ofFirst: readonly Column[] = [
      ...(started?.classes ? ofClasses : ofNumbers),
      ...(isTwoValues ? [[strings.aucHead, ({ found }) => html`<td data-auc=${found.auc}>${this.auc(found)}</td>`] as Column] : []),
    ];
    const { weight } = this.spec;
    const part = (label: string, columns: readonly Column[]): TemplateResult =>
      scrolling(
        label,
        html`<table class="numbers">
          ${heads([strings.who, ...columns.map(([name]) => name)])}
          <tbody>
            ${all.map((row) => html`<tr data-row=${row.whose}><th scope="row">${this.name(row.whose)}</th>${columns.map(([, cell]) => cell(row))}</tr>`)}
          </tbody>
        </table>`,
      );
    return html`<details class="numbers-of">
      <summary>${strings.all}</summary>
      ${part(strings.all, ofAll)} ${best && trials.length > 1 ? html`<p class="note">${strings.splits(this.name(best.whose), wins(trials, best.whose), trials.length)}</p>
        <h3>${strings.first}</h3>` : nothing} ${part(strings.first, ofFirst)}
      <p class="note" data-quantity=${started?.quantity ?? ""}><span>${strings.weights(weight)}${started?.classes ? strings.logLoss(started.quantity) : ""}${this.calibrated()}</span> ${started?.classes ? strings.classes(isMany(started)) : strings.means(isTwoValues)}${strings.close}</p>
      ${this.fits()}
    </details>`;
  }

  /** Whose log-loss is of calibrated probabilities; "" where nothing is calibrated. */
  private calibrated(): string {
    const own = this.training.lines.filter(({ model }) => isCalibrated(this.training, model));
    return own.length > 0 ? strings.calibrated(own.map(({ model }) => short[model]).join(" and ")) : "";
  }

  /** What is known of the fits beside the models. */
  private fits(): TemplateResult {
    const { quadratic, trees: study } = this.training;
    const grown = study.answers.get(0);
    return html`${quadratic ? html`<p class="note" data-quadratic>${fitted(quadratic) ? strings.quadratic(quadratic.columns, quadratic.lambda) : strings.notFitted(problem(quadratic))}</p>` : nothing}
      ${study.state === "done" && grown ? html`<p class="note" data-grown>${grown.trees > 0 ? trees.grown(grown.trees, grown.leaves) : trees.none}</p>` : nothing}`;
  }
}

/** Whether a model's probabilities are calibrated in the first trial, the only one of which that is known. */
export function isCalibrated({ classes }: Training, model: Model): boolean {
  return classes.get(model)?.metrics[0]?.calibration.used ?? false;
}

customElements.define("ifm-board", Board);
