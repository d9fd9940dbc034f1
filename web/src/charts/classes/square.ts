// What is known of two classes in the unit square: the rates at every threshold, and whether probabilities come true.
import { html, svg, type TemplateResult } from "lit";
import { count, number } from "../../text/format.js";
import { short } from "../../text/strings.js";
import type { Column } from "../data.js";
import { chart } from "../element.js";
import { axisX, axisY, gridX, gridY, written } from "../marks.js";
import type { Content } from "../spec.js";
import { lineOf, textOf } from "../styles.js";
import * as strings from "./strings.js";
import type { Tellers } from "./threshold.js";

/** What such a chart says of itself. */
type Words = typeof strings.roc | typeof strings.reliability;

/** What is particular to one. */
interface Parts extends Pick<Content<number>, "notes" | "legend" | "summary" | "columns" | "marks"> {
  readonly x: ArrayLike<number>; // of the points that the cursor goes through, from 0 to 1
  readonly y: ArrayLike<number>;
  readonly along: boolean; // a pointer means the nearest point along x, at whatever height
  readonly colour: string;
  readonly radius: number; // px, of the cursor's mark
  readonly first: number; // the point that the keyboard begins at
  says(at: number): string;
}

const MARGIN = { left: 56, right: 16, top: 26, bottom: 40 }; // px

/** A chart of the unit square with its diagonal, about what is known of two classes, with a cursor from point to point. what is class 1, in words. */
function square(name: string, words: Words, what: string, of: readonly unknown[], parts: Parts | null): TemplateResult {
  return chart({ name, title: words.title(what), look: "scatter", waiting: strings.classes.soon, data: words.data, of, content: parts && contentOf(parts, words) });
}

function contentOf({ x, y, along, colour, radius, first, says, marks, ...parts }: Parts, words: Words): Content<number> {
  const places = Array.from(x, (_, i) => i);
  const point = (i: number): { readonly x: number; readonly y: number } => ({ x: x[i] ?? 0, y: 1 - (y[i] ?? 0) }); // from the left and the top
  return {
    ...parts,
    rows: places,
    svg: "scatter-svg",
    x: { domain: [0, 1] },
    y: { domain: [0, 1] },
    margin: () => MARGIN,
    cursor: {
      name: words.cursor,
      hint: words.hint,
      places,
      first,
      says,
      mark: (i) => html`<svg class="mark" aria-hidden="true">${svg`<circle cx="${100 * point(i).x}%" cy="${100 * point(i).y}%" r=${radius} style="fill:var(--${colour})" />`}</svg>`,
      at(left, top, { width, height }) {
        const off = places.map((i) => (point(i).x * width - left) ** 2 + (along ? 0 : (point(i).y * height - top) ** 2));
        return places.length === 0 ? null : off.indexOf(Math.min(...off));
      },
      stays: (i) => (places.length === 0 ? null : Math.min(i, places.length - 1)),
    },
    marks: (Plot, room) => [
      gridY(Plot, 5),
      gridX(Plot, 5),
      axisX(Plot, 5, words.x),
      axisY(Plot, 5, words.y, { labelAnchor: "top", labelOffset: 40 }),
      Plot.line([[0, 0], [1, 1]], { stroke: "var(--base)", strokeWidth: 1.5, strokeDasharray: "2 3" }),
      ...marks(Plot, room),
    ],
  };
}

const KEY = { line: 0.1, first: 0.06, next: 0.075 } as const; // of the legend, in rates
const NAME = 190; // px that the longest of its names takes

/** The rates at every threshold, with a cursor along the curve of the model that is looked at. */
export function roc(classes: Tellers | null, what: string, threshold: number): TemplateResult {
  return square("roc", strings.roc, what, [classes, threshold], classes && curvesOf(classes, what, threshold));
}

function curvesOf({ metrics, counts: [zeros = 0, ones = 0] }: Tellers, what: string, chosen: number): Parts | null {
  const [first] = metrics;
  if (!first) return null;
  const [whose, { roc }] = first;
  const { threshold, falsePositive: x, truePositive: y } = roc;
  const after = threshold.findIndex((t) => t < chosen);
  const at = Math.max(0, (after < 0 ? threshold.length : after) - 1); // the point of the threshold that the reader chose
  return {
    x,
    y,
    along: false,
    colour: lineOf(whose).colour,
    radius: 6,
    first: at,
    notes: [],
    legend: [...metrics.map(([whose]) => ({ ...lineOf(whose), name: short[whose], symbol: "" as const })), { name: strings.roc.chance, colour: "base", dash: "2 3", symbol: "" }],
    summary: () => strings.roc.describe(what, ones, zeros, metrics.map(([whose, { auc }]) => strings.roc.area(short[whose], auc))),
    says: (i) => strings.roc.at(threshold[i] ?? 0, x[i] ?? 0, y[i] ?? 0),
    columns: () =>
      metrics.flatMap(([whose, { roc }], i): Column[] => {
        const names = strings.roc.columns(short[whose]);
        const shown = (head: string): Partial<Column> => (i === 0 ? { head, cell: (value) => number(value) } : {});
        return [
          { name: `${names.threshold}, ${short[whose]}`, values: roc.threshold, ...shown(names.threshold) },
          { name: names.falsePositive, values: roc.falsePositive, ...shown(names.falsePositive) },
          { name: names.truePositive, values: roc.truePositive, ...shown(names.truePositive) },
        ];
      }),
    marks(Plot, room) {
      const key = Math.max(KEY.line, Math.min(0.6, 1 - NAME / Math.max(1, room.width - MARGIN.left - MARGIN.right))); // where the legend's names begin
      const lines = metrics.map(([whose]) => {
        const { colour, dash, width } = lineOf(whose);
        return { stroke: `var(--${colour})`, strokeWidth: width, strokeDasharray: dash };
      });
      return [
        ...metrics.map(([, { roc }], i) => Plot.line(Array.from(roc.falsePositive, (x, at) => [x, roc.truePositive[at] ?? 0]), { ...lines[i], strokeLinejoin: "round" })).reverse(),
        Plot.dot([[x[at] ?? 0, y[at] ?? 0]], { r: 5, fill: "var(--ground)", stroke: `var(--${lineOf(whose).colour})`, strokeWidth: 2 }),
        ...metrics.flatMap(([whose, { auc }], i) => {
          const y = KEY.first + KEY.next * (metrics.length - 1 - i);
          return [Plot.line([[key - KEY.line, y], [key - 0.02, y]], lines[i]), written(Plot, strings.roc.key(short[whose], auc), ...textOf(whose), { x: [key], y: [y] })];
        }),
      ];
    },
  };
}

/** How often what has a probability comes true, on test rows in parts by that probability. */
export function reliability(classes: Tellers | null, what: string): TemplateResult {
  const calibration = classes ? calibrated(classes) : "";
  return html`<div class="reliability">
    ${square("reliability", strings.reliability, what, [classes], classes && calibrationOf(classes, what, calibration))}
    <p class="note">${calibration}</p>
  </div>`;
}

function calibrated({ metrics: [first] }: Tellers): string {
  const [whose, { calibration = null } = {}] = first ?? ["ifm"];
  if (!calibration) return "";
  const { used, rows, plain, fitted } = calibration;
  return used ? strings.reliability.calibrated(short[whose], rows, plain, fitted) : strings.reliability.asTheyAre(short[whose], rows);
}

function calibrationOf({ metrics: [first] }: Tellers, what: string, calibration: string): Parts | null {
  if (!first) return null;
  const [whose, { reliability }] = first;
  const { rows, mean, share, low, high } = reliability;
  const { colour, dash, width } = lineOf(whose);
  const { columns } = strings.reliability;
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
    legend: [{ name: short[whose], colour, dash, symbol: "circle" }, { name: strings.reliability.exact, colour: "base", dash: "2 3", symbol: "" }],
    summary: () => strings.reliability.describe(what, short[whose], rows.length, mean.filter((p, i) => p >= (low[i] ?? 0) && p <= (high[i] ?? 0)).length),
    says: (i) => strings.reliability.at(rows[i] ?? 0, mean[i] ?? 0, share[i] ?? 0, low[i] ?? 0, high[i] ?? 0),
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
