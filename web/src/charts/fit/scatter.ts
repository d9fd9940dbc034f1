import { html, nothing, svg, type PropertyValues, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Intervals } from "../../engine/protocol.js";
import { heads, touches } from "../../panel/panel.js";
import { number, signed } from "../../text/format.js";
import { models, short } from "../../text/strings.js";
import { thin } from "../../training/series.js";
import type { Plan } from "../chart.js";
import type * as plot from "../plot.js";
import { Pointed } from "../pointed.js";
import type { Sheet } from "../sheet.js";
import { isModel, worst, type Predictor, type Rows } from "./rows.js";
import { fit, ranges as words, residuals } from "./strings.js";

const POINTS = 2000; // drawn at most, and as many rows for the slider to visit
const ROWS = 100; // of the table at most
const BARS = 200; // ranges drawn at most, beside that of the row that is looked at
const BAND = 0.8; // of a class, of the room between two
const GOLDEN = 0.6180339887; // steps of it fill a band evenly, each row where it always is

type Range = readonly [number, number];

/** A test row on the two axes. */
interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Which row is to be explained, and whether the reader who asks goes on there. */
export interface Asked {
  readonly line: number;
  readonly byKey: boolean;
}

/** What the dots that are there were drawn for: while it stays, they only move. */
interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly whose: Predictor;
  readonly target: string;
  readonly ranges: Intervals | null;
  readonly actual: readonly number[]; // of each dot
}

/** Predicted against actual on the test rows, the residual against predicted, or the probability of class 1 in two bands, a class each; with a cursor from the largest error down. */
class Scatter extends Pointed<number> {
  @property({ attribute: false }) accessor rows: Rows | null = null;
  @property({ attribute: false }) accessor ranges: Intervals | null = null; // around the predictions
  @property() accessor whose: Predictor = "ifm";
  @property() accessor of: "line" | "row" = "line"; // what the rows' numbers count
  @property() accessor what: "predicted" | "residual" | "class" = "predicted"; // what is drawn upwards
  @property({ attribute: false }) accessor names: readonly [string, string] | null = null; // of the classes
  @property() accessor target = "";
  @property() accessor heading = "";
  @property({ type: Boolean }) accessor explains = false; // a row can be chosen, to see why it is predicted so
  @property({ attribute: false }) accessor explained: number | null = null; // the line of the one that was

  private drawn: Drawn | null = null;
  private ranked: { of: Rows | null; worst: readonly number[] } = { of: null, worst: [] };

  protected override render(): TemplateResult {
    const p = this.rows;
    const n = p?.actual.length ?? 0;
    const at = this.cursor !== null && this.cursor < n ? this.cursor : null; // a row; what comes may have fewer rows
    const chosen = this.chosen();
    const row = at ?? (chosen >= 0 ? chosen : (p?.spread.worst ?? 0));
    const says = p && row < n ? this.says(p, row) : "";
    return html`<figure class="chart scatter">
      ${this.heading ? html`<figcaption>${this.heading}</figcaption>` : nothing}
      <div class="frame">
        <div class="plot" role="img" aria-label=${p ? this.describe(p) : this.heading}></div>
        ${p
          ? this.over({
              box: "inset:0",
              places: this.worst(),
              first: Math.max(0, this.worst().indexOf(chosen)), // where the reader who comes back from the reason was
              name: this.explains ? fit.cursorWhy : fit.cursor,
              says: () => says,
              marks: this.width === 0 ? nothing : this.marks(p, at, chosen),
              choose: this.explains ? (row, byKey) => this.choose(p, row, byKey) : null,
            })
          : html`<p class="empty">${fit.soon}</p>`}
      </div>
      <p class="readout" aria-hidden="true">${!p ? "" : at === null ? `${(this.explains ? fit.hintWhy : fit.hint)(touches())}${n > POINTS ? ` ${fit.sampled(POINTS, n)}` : ""}` : says}</p>
      <ifm-save .of=${this} heading=${this.heading || fit.residual}></ifm-save>
      ${this.folded(fit.data, () => (p ? this.table(p) : nothing))}
    </figure>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("rows") || changed.has("ranges") || changed.has("whose") || changed.has("what")) this.drawSoon();
  }

  private says(p: Rows, row: number): string {
    const { line, actual, predicted } = p;
    const [place, a, b] = [fit.place[this.of](line[row] ?? 0), actual[row] ?? 0, predicted[row] ?? 0];
    return this.names ? fit.classRow(place, this.names[a > 0 ? 1 : 0], this.names[1], b) : `${fit.row(place, a, b)}${this.within(p, row)}`;
  }

  private describe(p: Rows): string {
    if (this.names) return fit.describeClasses(this.whose, p.actual.length, this.names);
    const { rmse, bias, correlation } = p.spread;
    return this.what === "predicted" ? `${fit.describe(this.whose, p.actual.length, rmse, correlation)}${this.ranges && this.barred(p) ? words.describe(this.ranges.level) : ""}` : fit.describeResiduals(this.whose, p.actual.length, rmse, bias);
  }

  override sheet(): Sheet | null {
    const p = this.rows;
    if (!p) return null;
    const n = p.actual.length;
    const name = fit.predictedBy(this.target, short[this.whose]);
    return {
      what: this.what === "residual" ? "residuals" : "predictions",
      title: this.heading || `${residuals.title(this.target)}, ${short[this.whose]}`,
      described: this.describe(p),
      notes: n > POINTS ? [fit.sampled(POINTS, n)] : [],
      legend: [
        { name: models[this.whose], colour: isModel(this.whose) ? this.whose : "base", dash: null, symbol: "circle" },
        ...(this.names ? [] : [{ name: fit.exact, colour: "base", dash: "2 3", symbol: "" as const }]),
      ],
      columns: [
        { name: fit.columns[this.of], values: p.line },
        { name: fit.actual(this.target), values: this.names ? Array.from(p.actual, (y) => this.names?.[y > 0 ? 1 : 0] ?? "") : p.actual },
        { name: this.names ? fit.probabilityBy(this.names[1], short[this.whose]) : name, values: p.predicted },
        { name: fit.residual, values: p.residual },
        ...(this.ranges ? [{ name: words.lower, values: this.ranges.low }, { name: words.upper, values: this.ranges.high }] : []),
      ],
      picture: this.picture(),
    };
  }

  /** What the range of a row says of it. */
  private within(p: Rows, row: number): string {
    const { ranges } = this;
    return ranges ? words.row(ranges.low[row] ?? Number.NaN, ranges.high[row] ?? Number.NaN, p.actual[row] ?? Number.NaN, ranges.level) : "";
  }

  /** Whether the ranges of all rows are drawn. */
  private barred(p: Rows): boolean {
    return this.what === "predicted" && this.ranges !== null && p.actual.length <= BARS;
  }

  /** The rows with the largest errors, largest first. */
  private worst(): readonly number[] {
    const p = this.rows;
    if (this.ranked.of !== p) this.ranked = { of: p, worst: p ? worst(p, POINTS) : [] };
    return this.ranked.worst;
  }

  private margins(): { left: number; right: number; top: number; bottom: number } {
    return { left: 56, right: 16, top: 10, bottom: 40 };
  }

  /** Of both values, by the actual ones alone, so that it stays while the model learns. */
  private range({ spread: { low, high } }: Rows): Range {
    if (this.names) return [0, 1];
    const room = 0.08 * (high - low || 1);
    return [low - room, high + room];
  }

  /** Of what is drawn upwards. */
  private upwards(p: Rows): Range {
    if (this.what === "predicted") return this.range(p);
    if (this.what === "class") return [-0.5, 1.5];
    const far = 1.08 * p.spread.reach || 1;
    return [-far, far];
  }

  private spot(p: Rows, [low, high]: Range): (row: number) => Spot {
    const predicted = (row: number): number => Math.min(Math.max(p.predicted[row] ?? 0, low), high); // what lies outside is drawn on the edge
    if (this.what === "class") return (row) => ({ x: p.predicted[row] ?? 0, y: (p.actual[row] ?? 0) + BAND * (((row * GOLDEN) % 1) - 0.5) });
    return this.what === "predicted" ? (row) => ({ x: p.actual[row] ?? 0, y: predicted(row) }) : (row) => ({ x: predicted(row), y: p.residual[row] ?? 0 });
  }

  protected override plan(Plot: typeof plot, height: number): Plan | "stays" | null {
    const p = this.rows;
    if (!p) return null;
    const range = this.range(p);
    const up = this.upwards(p);
    const rows = thin(p.actual.length, POINTS);
    const spot = this.spot(p, range);
    const actual = rows.map((i) => p.actual[i] ?? 0);
    const last = this.drawn;
    this.drawn = { width: this.width, height, whose: this.whose, target: this.target, ranges: this.ranges, actual };
    const dots = this.querySelectorAll(".plot circle");
    const stays = this.what === "predicted" && last && dots.length === rows.length && last.width === this.width && last.height === height && last.whose === this.whose && last.target === this.target && last.ranges === this.ranges && actual.every((v, at) => last.actual[at] === v);
    if (stays) {
      const y = this.down(up, height);
      dots.forEach((dot, at) => dot.setAttribute("cy", String(y(spot(rows[at] ?? 0).y))));
      return "stays";
    }
    return {
      margin: this.margins(),
      name: "scatter-svg",
      x: { domain: [...range] },
      y: { domain: [...up], ...(this.what === "class" ? { axis: null } : {}) },
      marks: [
        ...(this.names ? [Plot.ruleY([0.5], { stroke: "var(--rule)", strokeOpacity: 1 })] : [Plot.gridY({ ticks: 5, stroke: "var(--rule)", strokeOpacity: 1 })]),
        Plot.gridX({ ticks: 5, stroke: "var(--rule)", strokeOpacity: 1 }),
        Plot.axisX({ ticks: 5, tickSize: 0, tickPadding: 8, label: this.names ? fit.probability(this.names[1]) : this.what === "predicted" ? fit.actual(this.target) : fit.predictedOf(this.target), labelArrow: "none", fill: "var(--quiet)" }),
        ...(this.names && this.what === "class"
          ? [Plot.text([0, 1], { x: 0, y: (at: number) => at + 0.44, text: (at: number) => fit.are(this.target, this.names?.[at] ?? ""), textAnchor: "start", dx: 2, fill: "var(--quiet)", stroke: "var(--ground)", strokeWidth: 4 })]
          : [
              Plot.axisY({ ticks: 5, tickSize: 0, tickPadding: 8, label: fit[this.what === "residual" ? "residual" : "predicted"], labelArrow: "none", labelAnchor: "top", fill: "var(--quiet)" }),
              Plot.line([0, 1].map((end) => [range[end] ?? 0, this.what === "predicted" ? (range[end] ?? 0) : 0]), { stroke: "var(--base)", strokeWidth: 1.5, strokeDasharray: "2 3" }),
            ]),
        ...(this.barred(p) ? [Plot.ruleX(rows.map((row) => this.bar(p, row, range)), { x: "x", y1: "low", y2: "high", stroke: `var(--${this.colour()})`, strokeOpacity: 0.35, strokeWidth: 1.5 })] : []),
        Plot.dot(rows.map(spot), { x: "x", y: "y", r: rows.length > 400 ? 2 : 3.2, fill: `var(--${this.colour()})`, fillOpacity: rows.length > 400 ? 0.35 : 0.6 }),
      ],
    };
  }

  /** The range of a row where it is drawn, held to the axes. */
  private bar(p: Rows, row: number, [least, most]: Range): { readonly x: number; readonly low: number; readonly high: number } {
    const held = (v: number): number => Math.min(Math.max(v, least), most);
    return { x: p.actual[row] ?? 0, low: held(this.ranges?.low[row] ?? 0), high: held(this.ranges?.high[row] ?? 0) };
  }

  private colour(): string {
    return isModel(this.whose) ? this.whose : "base";
  }

  /** From a value to px from the left. */
  private across([low, high]: Range, width: number): (v: number) => number {
    const { left, right } = this.margins();
    return (v) => left + ((v - low) / (high - low)) * (width - left - right);
  }

  /** From a value to px from the top. */
  private down([low, high]: Range, height: number): (v: number) => number {
    const { top, bottom } = this.margins();
    return (v) => height - bottom - ((v - low) / (high - low)) * (height - top - bottom);
  }

  private choose(p: Rows, row: number, byKey: boolean): void {
    const line = p.line[row];
    if (line !== undefined) this.dispatchEvent(new CustomEvent<Asked>("ifm-row", { detail: { line, byKey }, bubbles: true }));
  }

  /** The row that is explained; −1: none. */
  private chosen(): number {
    return this.explained === null ? -1 : (this.rows?.line.indexOf(this.explained) ?? -1);
  }

  private marks(p: Rows, at: number | null, chosen: number): readonly TemplateResult[] {
    return [...(chosen >= 0 && chosen !== at ? [this.mark(p, chosen)] : []), ...(at === null ? [] : [this.mark(p, at)])];
  }

  /** A row that is looked at, and how far off it is. */
  private mark(p: Rows, row: number): TemplateResult {
    const range = this.range(p);
    const { x, y } = this.spot(p, range)(row);
    const [wide, down] = [this.across(range, this.width), this.down(this.upwards(p), this.height)];
    const across = wide(x);
    const from = this.what === "class" ? { x: wide(p.actual[row] ?? 0), y: down(y) } : { x: across, y: down(this.what === "predicted" ? x : 0) };
    const bar = this.ranges && this.what === "predicted" ? this.bar(p, row, range) : null;
    return html`<svg class="mark" aria-hidden="true">
      ${bar ? svg`<path class="range" d=${`M${across - 5} ${down(bar.high)}h10m-5 0V${down(bar.low)}m-5 0h10`} style="stroke:var(--${this.colour()})" />` : nothing}
      ${svg`<line x1=${from.x} x2=${across} y1=${from.y} y2=${down(y)} /><circle cx=${across} cy=${down(y)} r="6" style="fill:var(--${this.colour()})" />`}
    </svg>`;
  }

  protected override meant(x: number, y: number, box: DOMRect): number | null {
    const p = this.rows;
    if (!p) return null;
    const range = this.range(p);
    const spot = this.spot(p, range);
    const [across, down] = [this.across(range, box.width), this.down(this.upwards(p), box.height)];
    let [best, near] = [-1, 24 ** 2]; // px², no row farther away is meant
    for (const row of thin(p.actual.length, POINTS)) {
      const at = spot(row);
      const off = (across(at.x) - x) ** 2 + (down(at.y) - y) ** 2;
      if (off < near) [best, near] = [row, off];
    }
    return best < 0 ? null : best;
  }

  protected override index(places: readonly number[]): number {
    return this.cursor === null ? -1 : places.indexOf(this.cursor);
  }

  private table(p: Rows): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${fit.data}>
      <table class="numbers">
        ${heads([fit.columns[this.of], fit.columns.actual, this.names ? fit.probability(this.names[1]) : fit.columns.predicted, fit.columns.error, ...(this.ranges ? [words.columns.lower, words.columns.upper] : [])])}
        <tbody>
          ${this.worst()
            .slice(0, ROWS)
            .map(
              (i) => html`<tr>
                <th scope="row">${this.explains ? html`<button aria-label=${fit.why(fit.place[this.of](p.line[i] ?? 0))} aria-pressed=${String(p.line[i] === this.explained)} @click=${() => this.choose(p, i, true)}>${p.line[i]}</button>` : p.line[i]}</th>
                <td>${this.names ? this.names[(p.actual[i] ?? 0) > 0 ? 1 : 0] : number(p.actual[i] ?? 0, 4)}</td>
                <td>${number(p.predicted[i] ?? 0, 4)}</td>
                <td>${signed(p.residual[i] ?? 0)}</td>
                ${this.ranges ? html`<td>${number(this.ranges.low[i] ?? 0, 4)}</td><td>${number(this.ranges.high[i] ?? 0, 4)}</td>` : nothing}
              </tr>`,
            )}
        </tbody>
      </table>
    </div>`;
  }
}

customElements.define("ifm-scatter", Scatter);
