import { html, type TemplateResult } from "lit";
import type { Reliability, Told } from "../../engine/protocol.js";
import { count } from "../../text/format.js";
import type { Plan } from "../chart.js";
import type * as plot from "../plot.js";
import type { Sheet } from "../sheet.js";
import { colour, look } from "./look.js";
import { Square, type Column, type Points } from "./square.js";
import { named, reliability as strings } from "./strings.js";
import type { Tellers } from "./told.js";

/** How often what has a probability comes true, on test rows in parts by that probability. */
class ReliabilityChart extends Square<Reliability> {
  protected override readonly words = strings;
  protected override readonly radius = 7;

  protected override of({ reliability }: Told): Reliability {
    return reliability;
  }

  protected override points({ mean, share }: Reliability): Points {
    return { x: mean, y: share };
  }

  protected override below(): TemplateResult {
    return html`<p class="note">${this.calibration()}</p>`;
  }

  private calibration(): string {
    const found = this.own?.calibration;
    if (!found) return "";
    const { used, rows, plain, fitted } = found;
    return used ? strings.calibrated(named[this.whose], rows, plain, fitted) : strings.asTheyAre(named[this.whose], rows);
  }

  protected override describe(_: Tellers, { rows, mean, low, high }: Reliability): string {
    const inside = mean.filter((p, i) => p >= (low[i] ?? 0) && p <= (high[i] ?? 0)).length;
    return strings.describe(this.what, named[this.whose], rows.length, inside);
  }

  protected override says({ rows, mean, share, low, high }: Reliability, i: number): string {
    return strings.at(rows[i] ?? 0, mean[i] ?? 0, share[i] ?? 0, low[i] ?? 0, high[i] ?? 0);
  }

  override sheet(): Sheet | null {
    const { classes: all, own } = this;
    if (!all || !own) return null;
    const { columns } = strings;
    const parts = this.of(own);
    return {
      what: "reliability",
      title: strings.title(this.what),
      described: this.describe(all, parts),
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

  protected override nearest({ x: mean }: Points, x: number): number | null {
    if (mean.length === 0) return null;
    const off = Array.from(mean, (p) => Math.abs(p - x));
    return off.indexOf(Math.min(...off));
  }

  protected override marks(Plot: typeof plot, _: Tellers, { mean, share, low, high }: Reliability): Plan["marks"] {
    const points = Array.from(mean, (p, i) => ({ x: p, y: share[i] ?? 0, low: low[i] ?? 0, high: high[i] ?? 0 }));
    const stroke = `var(--${colour(this.whose)})`;
    return [
      ...points.map(({ x, low, high }) => Plot.line([[x, low], [x, high]], { stroke, strokeWidth: 1.5, strokeOpacity: 0.6 })),
      Plot.line(points, { x: "x", y: "y", stroke, strokeWidth: look(this.whose).width, strokeDasharray: look(this.whose).dash, strokeLinejoin: "round" }),
      Plot.dot(points, { x: "x", y: "y", r: 4, fill: stroke }),
    ];
  }

  protected override columns({ rows, mean, share, low, high }: Reliability): readonly Column[] {
    const { columns } = strings;
    return [[columns.mean, mean], [columns.share, share], [columns.low, low], [columns.high, high], [columns.rows, rows, count]];
  }
}

customElements.define("ifm-reliability", ReliabilityChart);
