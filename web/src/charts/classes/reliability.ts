import { html, type TemplateResult } from "lit";
import type { Reliability } from "../../engine/protocol.js";
import { count, number } from "../../text/format.js";
import type { Column } from "../data.js";
import { lineOf } from "../styles.js";
import { square, type Parts } from "./square.js";
import { named, reliability as strings } from "./strings.js";
import type { Tellers } from "./told.js";

/** How often what has a probability comes true, on test rows in parts by that probability. */
export function reliability(classes: Tellers | null, what: string): TemplateResult {
  const calibration = classes ? calibrated(classes) : "";
  return html`<div class="reliability">
    ${square("reliability", strings, what, [classes], classes && partsOf(classes, what, calibration))}
    <p class="note">${calibration}</p>
  </div>`;
}

function calibrated({ told: [first] }: Tellers): string {
  const [whose, { calibration = null } = {}] = first ?? ["ifm"];
  if (!calibration) return "";
  const { used, rows, plain, fitted } = calibration;
  return used ? strings.calibrated(named[whose], rows, plain, fitted) : strings.asTheyAre(named[whose], rows);
}

function partsOf({ told: [first] }: Tellers, what: string, calibration: string): Parts | null {
  if (!first) return null;
  const [whose, { reliability }] = first;
  const { rows, mean, share, low, high }: Reliability = reliability;
  const { colour, dash, width } = lineOf(whose);
  const { columns } = strings;
  const stroke = `var(--${colour})`;
  const shown = (name: string, values: ArrayLike<number>): Column => ({ name, head: name, values, cell: (value) => number(value) });
  return {
    x: mean,
    y: share,
    along: true,
    colour,
    radius: 7,
    first: 0,
    notes: [calibration],
    legend: [{ name: named[whose], colour, dash, symbol: "circle" }, { name: strings.exact, colour: "base", dash: "2 3", symbol: "" }],
    summary: () => strings.describe(what, named[whose], rows.length, mean.filter((p, i) => p >= (low[i] ?? 0) && p <= (high[i] ?? 0)).length),
    says: (i) => strings.at(rows[i] ?? 0, mean[i] ?? 0, share[i] ?? 0, low[i] ?? 0, high[i] ?? 0),
    columns: () => [{ name: columns.rows, values: rows }, shown(columns.mean, mean), shown(columns.share, share), shown(columns.low, low), shown(columns.high, high), { head: columns.rows, values: rows, cell: count }],
    marks(Plot) {
      const points = Array.from(mean, (p, i) => [p, share[i] ?? 0]);
      return [
        ...Array.from(mean, (p, i) => Plot.line([[p, low[i] ?? 0], [p, high[i] ?? 0]], { stroke, strokeWidth: 1.5, strokeOpacity: 0.6 })),
        Plot.line(points, { stroke, strokeWidth: width, strokeDasharray: dash, strokeLinejoin: "round" }),
        Plot.dot(points, { r: 4, fill: stroke }),
      ];
    },
  };
}
