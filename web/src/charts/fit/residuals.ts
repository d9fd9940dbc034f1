import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { heads, touches } from "../../panel/panel.js";
import { count, number, percent, signed } from "../../text/format.js";
import { models, short } from "../../text/strings.js";
import type { Plan } from "../chart.js";
import { lineOf } from "../looks.js";
import type * as plot from "../plot.js";
import { Pointed } from "../pointed.js";
import type { Sheet } from "../sheet.js";
import { bin, edges, isModel, nice, type Bins, type Predictor, type Rows } from "./rows.js";
import "./scatter.js";
import { residuals as strings } from "./strings.js";

const LINE = 16; // px from one label to the next

/** What is off, and by how much: predicted − actual on the test rows, counted for every model or row by row for one. */
class Residuals extends Pointed<number> {
  @property({ attribute: false }) accessor all: ReadonlyMap<Predictor, Rows> = new Map();
  @property() accessor whose: Predictor = "ifm"; // the one of the dots
  @property() accessor of: "line" | "row" = "line";
  @property() accessor target = "";
  @property({ type: Boolean }) accessor explains = false; // as the scatter has it
  @property({ attribute: false }) accessor explained: number | null = null;
  @state() private accessor mode: "histogram" | "against" = "histogram";

  private counted: { of: ReadonlyMap<Predictor, Rows> | null; bins: Bins | null } = { of: null, bins: null };

  protected override render(): TemplateResult {
    return html`<div class="residuals">
      <div class="head">
        <p class="caption" id="residuals-${this.of}">${strings.title(this.target)}</p>
        <fieldset class="segments">
          <legend class="seen-not">${strings.mode}</legend>
          ${(["histogram", "against"] as const).map(
            (mode) => html`<label><input type="radio" name="residuals-${this.of}" value=${mode} .checked=${mode === this.mode} @change=${() => (this.mode = mode)} /><span>${strings.modes[mode]}</span></label>`,
          )}
        </fieldset>
      </div>
      <div ?hidden=${this.mode !== "histogram"}>${this.histogram()}</div>
      ${this.mode === "against" ? html`<ifm-scatter what="residual" .rows=${this.all.get(this.whose) ?? null} .whose=${this.whose} .of=${this.of} .target=${this.target} .explains=${this.explains} .explained=${this.explained}></ifm-scatter>` : nothing}
    </div>`;
  }

  private histogram(): TemplateResult {
    const bins = this.bins();
    const last = bins ? 2 * bins.half : 0;
    const at = this.cursor === null ? null : Math.min(this.cursor, last); // a bin
    const margin = this.margins();
    return html`<figure class="chart scatter">
      <div class="frame">
        <div class="plot" role="img" aria-label=${bins ? this.describe() : strings.title(this.target)}></div>
        ${bins
          ? this.over({
              box: `left:${margin.left}px;right:${margin.right}px;top:${margin.top}px;bottom:${margin.bottom}px`,
              places: Array.from({ length: last + 1 }, (_, bin) => bin),
              first: bins.half,
              name: strings.cursor,
              says: (bin) => this.says(bins, bin),
              marks: at === null ? nothing : html`<div class="bin" style="left:${(100 * at) / (last + 1)}%;width:${100 / (last + 1)}%"></div>`,
            })
          : html`<p class="empty">${strings.soon}</p>`}
      </div>
      <p class="readout" aria-hidden="true">${!bins ? "" : at === null ? strings.hint(touches()) : this.says(bins, at)}</p>
      <ifm-save .of=${this} heading=${strings.title(this.target)}></ifm-save>
      ${this.folded(strings.data, () => (bins ? this.table(bins) : nothing))}
    </figure>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("all") || changed.has("mode")) this.drawSoon();
  }

  private bins(): Bins | null {
    if (this.counted.of !== this.all) this.counted = { of: this.all, bins: this.all.size > 1 ? bin(this.all) : null };
    return this.counted.bins;
  }

  private describe(): string {
    const rows = this.all.get("ridge")?.actual.length ?? 0;
    return [strings.describe(rows), ...[...this.all].map(([whose, { line, residual, spread: { rmse, bias, within, worst } }]) => strings.spread(short[whose], rmse, bias, within, residual[worst] ?? 0, strings.place[this.of](line[worst] ?? 0)))].join(" ");
  }

  private says(bins: Bins, at: number): string {
    const parts = [...bins.counts].map(([whose, counts]) => strings.count(short[whose], counts[at] ?? 0));
    return strings.at(this.range(bins, at), parts);
  }

  override sheet(): Sheet | null {
    const bins = this.bins();
    if (!bins) return null;
    const all = Array.from({ length: 2 * bins.half + 1 }, (_, at) => edges(bins, at));
    return {
      what: "errors",
      title: strings.title(this.target),
      described: this.describe(),
      notes: [],
      legend: [...bins.counts.keys()].map((whose) => ({ name: models[whose], colour: isModel(whose) ? whose : "base", dash: lineOf(isModel(whose) ? whose : "ridge").dash, symbol: "" as const })),
      columns: [
        { name: strings.from, values: all.map(([low]) => low) },
        { name: strings.to, values: all.map(([, high]) => high) },
        ...[...bins.counts].map(([whose, values]) => ({ name: `${strings.y}, ${short[whose]}`, values })),
      ],
      picture: this.picture(),
    };
  }

  private range(bins: Bins, at: number): string {
    const [low, high] = edges(bins, at);
    return low === Number.NEGATIVE_INFINITY ? strings.below(high) : high === Number.POSITIVE_INFINITY ? strings.above(low) : strings.between(low, high);
  }

  private margins(): { left: number; right: number; top: number; bottom: number } {
    return { left: 56, right: 16, top: 26, bottom: 40 };
  }

  protected override meant(x: number, _: number, box: DOMRect): number | null {
    const bins = this.bins();
    const n = bins ? 2 * bins.half + 1 : 0;
    return bins && Math.min(Math.max(Math.floor((x / box.width) * n), 0), n - 1);
  }

  protected override index(places: readonly number[]): number {
    return this.cursor === null ? -1 : Math.min(this.cursor, places.length - 1);
  }

  protected override plan(Plot: typeof plot, height: number): Plan | null {
    const bins = this.bins();
    if (!bins) return null;
    const margin = this.margins();
    const { width, half } = bins;
    const n = 2 * half + 1;
    const edge = (i: number): number => (i - half - 0.5) * width;
    const most = nice(Math.max(1, ...[...bins.counts.values()].flat()) / 0.94);
    const y = (v: number): number => height - margin.bottom - (v / most) * (height - margin.top - margin.bottom);
    const outlines = [...bins.counts].map(([whose, counts]) => {
      const { dash, width: stroke } = lineOf(isModel(whose) ? whose : "ridge");
      const path = [[edge(0), 0], ...counts.flatMap((c, i) => [[edge(i), c], [edge(i + 1), c]]), [edge(n), 0]];
      return { whose, dash, stroke, path, peak: counts.indexOf(Math.max(...counts)), top: Math.max(...counts) };
    });
    return {
      margin,
      name: "residuals-svg",
      x: { domain: [edge(0), edge(n)] },
      y: { domain: [0, most] },
      marks: [
        Plot.gridY({ ticks: 4, stroke: "var(--rule)", strokeOpacity: 1 }),
        Plot.axisX({ ticks: this.width < 380 ? 3 : 5, tickSize: 0, tickPadding: 8, label: strings.x(this.target), labelArrow: "none", fill: "var(--quiet)" }),
        Plot.axisY({ ticks: 4, tickSize: 0, tickPadding: 8, tickFormat: (v: number) => (Number.isInteger(v) ? count(v) : ""), label: strings.y, labelArrow: "none", labelAnchor: "top", labelOffset: 40, fill: "var(--quiet)" }),
        Plot.line([[0, 0], [0, most]], { stroke: "var(--base)", strokeWidth: 1, strokeDasharray: "2 3" }),
        ...outlines.map(({ whose, dash, stroke, path }) => Plot.line(path, { stroke: colour(whose), strokeWidth: stroke, strokeDasharray: dash, strokeLinejoin: "miter" })),
        ...this.labels(outlines.map(({ whose, peak, top }) => ({ whose, peak, y: y(top) })), n, height).map((label) =>
          Plot.text([label], {
            x: label.left ? edge(label.peak) : edge(label.peak + 1),
            frameAnchor: "top",
            dx: label.left ? -8 : 8,
            dy: label.y - margin.top,
            textAnchor: label.left ? "end" : "start",
            lineAnchor: "middle",
            text: [short[label.whose]],
            fill: isModel(label.whose) ? `var(--${label.whose}-text)` : "var(--quiet)",
            fontWeight: isModel(label.whose) ? 650 : 400,
            stroke: "var(--ground)",
            strokeWidth: 5,
          }),
        ),
      ],
    };
  }

  /** Beside the peaks, pushed apart where they would stand on each other. */
  private labels(peaks: readonly Peak[], n: number, height: number): (Peak & { readonly left: boolean })[] {
    const margin = this.margins();
    const sorted = peaks.map((peak) => ({ ...peak, left: peak.peak > 0.7 * n })).sort((a, b) => a.y - b.y);
    const placed = sorted.map(({ y }) => Math.max(y, margin.top + LINE / 2));
    for (let i = 1; i < placed.length; i++) placed[i] = Math.max(placed[i] ?? 0, (placed[i - 1] ?? 0) + LINE);
    const over = Math.max(0, (placed.at(-1) ?? 0) - (height - margin.bottom - LINE / 2));
    return sorted.map((label, i) => ({ ...label, y: (placed[i] ?? 0) - over }));
  }

  private table(bins: Bins): TemplateResult {
    const all = [...this.all].map(([whose, { residual, spread }]) => ({ whose, residual, ...spread }));
    const facts: readonly (readonly [string, (one: (typeof all)[number]) => string])[] = [
      [strings.facts.rmse, (one) => number(one.rmse)],
      [strings.facts.bias, (one) => signed(one.bias)],
      [strings.facts.within, (one) => percent(one.within)],
      [strings.facts.worst, (one) => signed(one.residual[one.worst] ?? 0)],
    ];
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.data}>
      <table class="numbers">
        ${heads([strings.residual, ...all.map(({ whose }) => short[whose])])}
        <tbody>
          ${facts.map(
            ([name, of]) => html`<tr>
              <th scope="row">${name}</th>
              ${all.map((one) => html`<td>${of(one)}</td>`)}
            </tr>`,
          )}
          ${Array.from({ length: 2 * bins.half + 1 }, (_, at) => at).map(
            (at) => html`<tr data-bin=${at}>
              <th scope="row">${this.range(bins, at)}</th>
              ${all.map(({ whose }) => html`<td>${count(bins.counts.get(whose)?.[at] ?? 0)}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }
}

interface Peak {
  readonly whose: Predictor;
  readonly peak: number; // a bin
  readonly y: number; // px from the top
}

function colour(whose: Predictor): string {
  return `var(--${isModel(whose) ? whose : "base"})`;
}

customElements.define("ifm-residuals", Residuals);
