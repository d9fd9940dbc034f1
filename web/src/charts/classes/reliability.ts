import { html, nothing, svg, type PropertyValues, type TemplateResult } from "lit";
import type { Reliability, Told } from "../../engine/protocol.js";
import { heads, touches } from "../../panel/panel.js";
import { count, number } from "../../text/format.js";
import type { Plan } from "../chart.js";
import type * as plot from "../plot.js";
import { Pointed } from "../pointed.js";
import type { Sheet } from "../sheet.js";
import { colour, look } from "./look.js";
import { classes as shared, named, reliability as strings } from "./strings.js";
import type { Teller, Tellers } from "./told.js";

/** How often what has a probability comes true, on test rows in parts by that probability. */
class ReliabilityChart extends Pointed<number> {
  static override properties = { classes: { attribute: false }, what: {} };

  declare classes: Tellers | null;
  declare what: string; // class 1, in words

  constructor() {
    super();
    this.classes = null;
    this.what = "";
  }

  private get whose(): Teller {
    return this.classes?.told[0]?.[0] ?? "ifm";
  }

  private get own(): Told | undefined {
    return this.classes?.told[0]?.[1];
  }

  private parts(): Reliability | undefined {
    return this.own?.reliability;
  }

  protected override render(): TemplateResult {
    const parts = this.parts();
    const last = (parts?.rows.length ?? 0) - 1;
    const at = this.cursor === null ? null : Math.min(this.cursor, last);
    const margin = this.margins();
    return html`<figure class="chart scatter">
      <figcaption>${strings.title(this.what)}</figcaption>
      <div class="frame">
        <div class="plot" role="img" aria-label=${parts ? this.describe(parts) : strings.title(this.what)}></div>
        ${parts
          ? this.over({
              box: `left:${margin.left}px;right:${margin.right}px;top:${margin.top}px;bottom:${margin.bottom}px`,
              places: Array.from({ length: last + 1 }, (_, i) => i),
              first: 0,
              name: strings.cursor,
              says: (i) => this.says(parts, i),
              marks: at === null ? nothing : this.mark(parts, at),
            })
          : html`<p class="empty">${shared.soon}</p>`}
      </div>
      <p class="readout" aria-hidden="true">${!parts ? "" : at === null ? strings.hint(touches()) : this.says(parts, at)}</p>
      <ifm-save .of=${this} heading=${strings.title(this.what)}></ifm-save>
      ${this.folded(strings.data, () => (parts ? this.table(parts) : nothing))}
    </figure><p class="note">${this.calibration()}</p>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (["classes", "width", "plot"].some((name) => changed.has(name))) this.drawSoon();
  }

  private calibration(): string {
    const found = this.own?.calibration;
    if (!found) return "";
    const { used, rows, plain, fitted } = found;
    return used ? strings.calibrated(named[this.whose], rows, plain, fitted) : strings.asTheyAre(named[this.whose], rows);
  }

  private describe({ rows, mean, low, high }: Reliability): string {
    const inside = mean.filter((p, i) => p >= (low[i] ?? 0) && p <= (high[i] ?? 0)).length;
    return strings.describe(this.what, named[this.whose], rows.length, inside);
  }

  private says({ rows, mean, share, low, high }: Reliability, i: number): string {
    return strings.at(rows[i] ?? 0, mean[i] ?? 0, share[i] ?? 0, low[i] ?? 0, high[i] ?? 0);
  }

  /** In shares of the box. */
  private mark({ mean, share }: Reliability, i: number): TemplateResult {
    return html`<svg class="mark" aria-hidden="true">${svg`<circle cx="${100 * (mean[i] ?? 0)}%" cy="${100 * (1 - (share[i] ?? 0))}%" r="7" style="fill:var(--${colour(this.whose)})" />`}</svg>`;
  }

  override sheet(): Sheet | null {
    const parts = this.parts();
    if (!parts) return null;
    const { columns } = strings;
    return {
      what: "reliability",
      title: strings.title(this.what),
      described: this.describe(parts),
      notes: [this.calibration()],
      legend: [
        { name: named[this.whose], colour: colour(this.whose), dash: look(this.whose).dash, symbol: "circle" },
        { name: strings.exact, colour: "base", dash: "2 3", symbol: "" },
      ],
      columns: [
        { name: columns.rows, values: parts.rows },
        { name: columns.mean, values: parts.mean },
        { name: columns.share, values: parts.share },
        { name: columns.low, values: parts.low },
        { name: columns.high, values: parts.high },
      ],
      picture: this.picture(),
    };
  }

  private margins(): { left: number; right: number; top: number; bottom: number } {
    return { left: 56, right: 16, top: 26, bottom: 40 };
  }

  protected override meant(x: number, _: number, box: DOMRect): number | null {
    const parts = this.parts();
    if (!parts || parts.rows.length === 0) return null;
    const off = Array.from(parts.mean, (p) => Math.abs(p * box.width - x));
    return off.indexOf(Math.min(...off));
  }

  protected override index(places: readonly number[]): number {
    return this.cursor === null ? -1 : Math.min(this.cursor, places.length - 1);
  }

  protected override plan(Plot: typeof plot): Plan | null {
    const parts = this.parts();
    if (!parts) return null;
    const points = Array.from(parts.mean, (p, i) => ({ x: p, y: parts.share[i] ?? 0, low: parts.low[i] ?? 0, high: parts.high[i] ?? 0 }));
    const stroke = `var(--${colour(this.whose)})`;
    return {
      margin: this.margins(),
      name: "scatter-svg",
      x: { domain: [0, 1] },
      y: { domain: [0, 1] },
      marks: [
        Plot.gridY({ ticks: 5, stroke: "var(--rule)", strokeOpacity: 1 }),
        Plot.gridX({ ticks: 5, stroke: "var(--rule)", strokeOpacity: 1 }),
        Plot.axisX({ ticks: 5, tickSize: 0, tickPadding: 8, label: strings.x, labelArrow: "none", fill: "var(--quiet)" }),
        Plot.axisY({ ticks: 5, tickSize: 0, tickPadding: 8, label: strings.y, labelArrow: "none", labelAnchor: "top", labelOffset: 40, fill: "var(--quiet)" }),
        Plot.line([[0, 0], [1, 1]], { stroke: "var(--base)", strokeWidth: 1.5, strokeDasharray: "2 3" }),
        ...points.map(({ x, low, high }) => Plot.line([[x, low], [x, high]], { stroke, strokeWidth: 1.5, strokeOpacity: 0.6 })),
        Plot.line(points, { x: "x", y: "y", stroke, strokeWidth: look(this.whose).width, strokeDasharray: look(this.whose).dash, strokeLinejoin: "round" }),
        Plot.dot(points, { x: "x", y: "y", r: 4, fill: stroke }),
      ],
    };
  }

  private table({ rows, mean, share, low, high }: Reliability): TemplateResult {
    const { columns } = strings;
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.data}>
      <table class="numbers">
        ${heads([columns.mean, columns.share, columns.low, columns.high, columns.rows])}
        <tbody>
          ${Array.from(mean, (p, i) => html`<tr><th scope="row">${number(p)}</th><td>${number(share[i] ?? 0)}</td><td>${number(low[i] ?? 0)}</td><td>${number(high[i] ?? 0)}</td><td>${count(rows[i] ?? 0)}</td></tr>`)}
        </tbody>
      </table>
    </div>`;
  }
}

customElements.define("ifm-reliability", ReliabilityChart);
