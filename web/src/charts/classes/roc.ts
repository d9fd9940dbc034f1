import type { PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import type { ROC, Told } from "../../engine/protocol.js";
import type { Plan } from "../chart.js";
import type * as plot from "../plot.js";
import type { Sheet } from "../sheet.js";
import { colour, isModel, look } from "./look.js";
import { Square, type Column, type Points } from "./square.js";
import { named, roc as strings } from "./strings.js";
import type { Tellers } from "./told.js";

const KEY = { line: 0.1, first: 0.06, next: 0.075 } as const; // of the legend, in rates
const NAME = 190; // px that the longest of its names takes

/** The rates at every threshold, with a cursor along the curve of the model that is looked at. */
class RocChart extends Square<ROC> {
  @property({ type: Number }) accessor threshold = 0.5; // that the reader chose

  protected override readonly words = strings;
  protected override readonly radius = 6;

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (changed.has("threshold")) this.drawSoon();
  }

  protected override of({ roc }: Told): ROC {
    return roc;
  }

  protected override points({ falsePositive, truePositive }: ROC): Points {
    return { x: falsePositive, y: truePositive };
  }

  protected override describe(all: Tellers): string {
    return strings.describe(this.what, all.ones, all.zeros, all.told.map(([whose, { auc }]) => strings.area(named[whose], auc)));
  }

  protected override says({ threshold, falsePositive, truePositive }: ROC, i: number): string {
    return strings.at(threshold[i] ?? 0, falsePositive[i] ?? 0, truePositive[i] ?? 0);
  }

  /** The point of the threshold that the reader chose. */
  protected override first({ threshold }: ROC): number {
    const after = threshold.findIndex((t) => t < this.threshold);
    return Math.max(0, (after < 0 ? threshold.length : after) - 1);
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

  protected override nearest(points: Points, x: number, y: number, { width, height }: DOMRect): number | null {
    let [best, near] = [-1, Number.POSITIVE_INFINITY];
    for (let i = 0; i < points.x.length; i++) {
      const off = (((points.x[i] ?? 0) - x) * width) ** 2 + (((points.y[i] ?? 0) - y) * height) ** 2;
      if (off < near) [best, near] = [i, off];
    }
    return best < 0 ? null : best;
  }

  protected override marks(Plot: typeof plot, { told }: Tellers, curve: ROC): Plan["marks"] {
    const at = this.first(curve);
    const key = Math.max(KEY.line, Math.min(0.6, 1 - NAME / Math.max(1, this.across))); // where its names begin
    return [
      ...[...told].reverse().map(([whose, { roc }]) => {
        const { dash, width } = look(whose);
        return Plot.line(Array.from(roc.falsePositive, (x, i) => [x, roc.truePositive[i] ?? 0]), { stroke: `var(--${colour(whose)})`, strokeWidth: width, strokeDasharray: dash, strokeLinejoin: "round" });
      }),
      Plot.dot([[curve.falsePositive[at] ?? 0, curve.truePositive[at] ?? 0]], { r: 5, fill: "var(--ground)", stroke: `var(--${colour(this.whose)})`, strokeWidth: 2 }),
      ...told.flatMap(([whose, { auc }], i) => {
        const { dash, width } = look(whose);
        const y = KEY.first + KEY.next * (told.length - 1 - i);
        return [
          Plot.line([[key - KEY.line, y], [key - 0.02, y]], { stroke: `var(--${colour(whose)})`, strokeWidth: width, strokeDasharray: dash }),
          Plot.text([[key, y]], { text: [strings.key(named[whose], auc)], textAnchor: "start", fill: isModel(whose) ? `var(--${whose}-text)` : "var(--quiet)", fontWeight: isModel(whose) ? 650 : 400, stroke: "var(--ground)", strokeWidth: 4 }),
        ];
      }),
    ];
  }

  protected override columns({ threshold, falsePositive, truePositive }: ROC): readonly Column[] {
    const names = strings.columns(named[this.whose]);
    return [[names.threshold, threshold], [names.falsePositive, falsePositive], [names.truePositive, truePositive]];
  }
}

customElements.define("ifm-roc", RocChart);
