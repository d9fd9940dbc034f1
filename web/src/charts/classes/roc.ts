import { html, nothing, svg, type PropertyValues, type TemplateResult } from "lit";
import type { ROC } from "../../engine/protocol.js";
import { heads, touches } from "../../panel/panel.js";
import { number } from "../../text/format.js";
import type { Plan } from "../chart.js";
import type * as plot from "../plot.js";
import { Pointed } from "../pointed.js";
import type { Sheet } from "../sheet.js";
import { colour, isModel, look } from "./look.js";
import { classes as shared, named, roc as strings } from "./strings.js";
import type { Teller, Tellers } from "./told.js";

const KEY = { line: 0.1, first: 0.06, next: 0.075 } as const; // of the legend, in rates
const NAME = 190; // px that the longest of its names takes

/** The rates at every threshold, with a cursor along the curve of the model that is looked at. */
class RocChart extends Pointed<number> {
  static override properties = { classes: { attribute: false }, what: {}, threshold: { type: Number } };

  declare classes: Tellers | null;
  declare what: string; // class 1, in words
  declare threshold: number; // that the reader chose

  constructor() {
    super();
    this.classes = null;
    this.what = "";
    this.threshold = 0.5;
  }

  private get whose(): Teller {
    return this.classes?.told[0]?.[0] ?? "ifm";
  }

  private curve(): ROC | undefined {
    return this.classes?.told[0]?.[1].roc;
  }

  protected override render(): TemplateResult {
    const curve = this.curve();
    const last = (curve?.threshold.length ?? 0) - 1;
    const at = this.cursor === null ? null : Math.min(this.cursor, last);
    const margin = this.margins();
    return html`<figure class="chart scatter">
      <figcaption>${strings.title(this.what)}</figcaption>
      <div class="frame">
        <div class="plot" role="img" aria-label=${this.classes ? this.describe(this.classes) : strings.title(this.what)}></div>
        ${curve
          ? this.over({
              box: `left:${margin.left}px;right:${margin.right}px;top:${margin.top}px;bottom:${margin.bottom}px`,
              places: Array.from({ length: last + 1 }, (_, i) => i),
              first: this.chosen(curve),
              name: strings.cursor,
              says: (i) => this.says(curve, i),
              marks: at === null ? nothing : this.mark(curve, at),
            })
          : html`<p class="empty">${shared.soon}</p>`}
      </div>
      <p class="readout" aria-hidden="true">${!curve ? "" : at === null ? strings.hint(touches()) : this.says(curve, at)}</p>
      <ifm-save .of=${this} heading=${strings.title(this.what)}></ifm-save>
      ${this.folded(strings.data, () => (curve ? this.table(curve) : nothing))}
    </figure>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (["classes", "threshold", "width", "plot"].some((name) => changed.has(name))) this.drawSoon();
  }

  private describe(all: Tellers): string {
    return strings.describe(this.what, all.ones, all.zeros, all.told.map(([whose, { auc }]) => strings.area(named[whose], auc)));
  }

  private says({ threshold, falsePositive, truePositive }: ROC, i: number): string {
    return strings.at(threshold[i] ?? 0, falsePositive[i] ?? 0, truePositive[i] ?? 0);
  }

  /** The point of the threshold that the reader chose. */
  private chosen({ threshold }: ROC): number {
    const after = threshold.findIndex((t) => t < this.threshold);
    return Math.max(0, (after < 0 ? threshold.length : after) - 1);
  }

  /** In shares of the box. */
  private mark({ falsePositive, truePositive }: ROC, i: number): TemplateResult {
    return html`<svg class="mark" aria-hidden="true">${svg`<circle cx="${100 * (falsePositive[i] ?? 0)}%" cy="${100 * (1 - (truePositive[i] ?? 0))}%" r="6" style="fill:var(--${colour(this.whose)})" />`}</svg>`;
  }

  override sheet(): Sheet | null {
    const all = this.classes;
    if (!all) return null;
    const { told } = all;
    return {
      what: "roc",
      title: strings.title(this.what),
      described: this.describe(all),
      notes: [],
      legend: [...told.map(([whose]) => ({ name: named[whose], colour: colour(whose), dash: look(whose).dash, symbol: "" as const })), { name: strings.chance, colour: "base", dash: "2 3", symbol: "" as const }],
      columns: told.flatMap(([whose, { roc }]) => {
        const { threshold, falsePositive, truePositive } = strings.columns(named[whose]);
        return [
          { name: `${threshold}, ${named[whose]}`, values: roc.threshold },
          { name: falsePositive, values: roc.falsePositive },
          { name: truePositive, values: roc.truePositive },
        ];
      }),
      picture: this.picture(),
    };
  }

  private margins(): { left: number; right: number; top: number; bottom: number } {
    return { left: 56, right: 16, top: 26, bottom: 40 };
  }

  protected override meant(x: number, y: number, box: DOMRect): number | null {
    const curve = this.curve();
    if (!curve) return null;
    let [best, near] = [-1, Number.POSITIVE_INFINITY];
    for (let i = 0; i < curve.threshold.length; i++) {
      const off = ((curve.falsePositive[i] ?? 0) * box.width - x) ** 2 + ((1 - (curve.truePositive[i] ?? 0)) * box.height - y) ** 2;
      if (off < near) [best, near] = [i, off];
    }
    return best < 0 ? null : best;
  }

  protected override index(places: readonly number[]): number {
    return this.cursor === null ? -1 : Math.min(this.cursor, places.length - 1);
  }

  protected override plan(Plot: typeof plot): Plan | null {
    const all = this.classes;
    if (!all) return null;
    const { told } = all;
    const [own] = told;
    const at = own ? this.chosen(own[1].roc) : 0;
    const { left, right } = this.margins();
    const key = Math.max(KEY.line, Math.min(0.6, 1 - NAME / Math.max(1, this.width - left - right))); // where its names begin
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
        ...[...told].reverse().map(([whose, { roc }]) => {
          const { dash, width } = look(whose);
          return Plot.line(Array.from(roc.falsePositive, (x, i) => [x, roc.truePositive[i] ?? 0]), { stroke: `var(--${colour(whose)})`, strokeWidth: width, strokeDasharray: dash, strokeLinejoin: "round" });
        }),
        ...(own ? [Plot.dot([[own[1].roc.falsePositive[at] ?? 0, own[1].roc.truePositive[at] ?? 0]], { r: 5, fill: "var(--ground)", stroke: `var(--${colour(own[0])})`, strokeWidth: 2 })] : []),
        ...told.flatMap(([whose, { auc }], i) => {
          const { dash, width } = look(whose);
          const y = KEY.first + KEY.next * (told.length - 1 - i);
          return [
            Plot.line([[key - KEY.line, y], [key - 0.02, y]], { stroke: `var(--${colour(whose)})`, strokeWidth: width, strokeDasharray: dash }),
            Plot.text([[key, y]], { text: [strings.key(named[whose], auc)], textAnchor: "start", fill: isModel(whose) ? `var(--${whose}-text)` : "var(--quiet)", fontWeight: isModel(whose) ? 650 : 400, stroke: "var(--ground)", strokeWidth: 4 }),
          ];
        }),
      ],
    };
  }

  private table(curve: ROC): TemplateResult {
    const names = strings.columns(named[this.whose]);
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${strings.data}>
      <table class="numbers">
        ${heads([names.threshold, names.falsePositive, names.truePositive])}
        <tbody>
          ${Array.from(curve.threshold, (t, i) => html`<tr><th scope="row">${number(t)}</th><td>${number(curve.falsePositive[i] ?? 0)}</td><td>${number(curve.truePositive[i] ?? 0)}</td></tr>`)}
        </tbody>
      </table>
    </div>`;
  }
}

customElements.define("ifm-roc", RocChart);
