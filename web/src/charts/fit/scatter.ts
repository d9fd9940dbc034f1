// Test rows one by one: predicted against actual, the residual against
// predicted, or a probability in bands, a class each: that of class 1, or of more than two
// classes that of the row's own.
import { html, nothing, svg, type TemplateResult } from "lit";
import type { Intervals } from "../../engine/protocol.js";
import { signed } from "../../text/format.js";
import { models, short } from "../../text/strings.js";
import { thin } from "../../training/series.js";
import type { Column } from "../data.js";
import { chart } from "../element.js";
import { axisX, axisY, gridX, gridY, hold, share, type Point, type Range } from "../marks.js";
import type { Content, Size } from "../spec.js";
import { lineOf } from "../styles.js";
import { POINTS, type Predictor, type Rows } from "./rows.js";
import { fit, ranges as words, residuals } from "./strings.js";

const MARGIN = { left: 56, right: 16, top: 10, bottom: 40 }; // px
const ROWS = 100; // of the table at most
const NAMES = { room: 104, longest: 14 }; // px and letters of more than two classes, at the left
const BARS = 200; // ranges drawn at most, beside that of the row that is looked at
const NEAR = 24; // px, no row farther from a pointer is meant
const BAND = 0.8; // of a class, of the room between two
const GOLDEN = 0.6180339887; // steps of it fill a band evenly, each row where it always is

interface Options {
  readonly rows: Rows | null;
  readonly ranges?: Intervals | null; // around the predictions
  readonly whose: Predictor;
  readonly of: "line" | "row"; // what the rows' numbers count
  readonly what: "predicted" | "residual" | "class"; // what is drawn upwards
  readonly names?: readonly string[] | null; // of the classes
  readonly target: string;
  readonly heading: string; // "": it stands elsewhere
  readonly explained: number | null; // the line of the row whose prediction is explained
  readonly explain: ((line: number, byKey: boolean) => void) | null; // null: no row's can be
}

/** The chart's cursor goes from the largest error down. */
export function scatter(options: Options): TemplateResult {
  const { rows, ranges = null, whose, what, names = null, target, heading } = options;
  return chart({
    name: what === "residual" ? "residuals" : "predictions",
    title: heading || `${residuals.title(target)}, ${short[whose]}`,
    caption: heading,
    look: "scatter",
    waiting: fit.soon,
    data: fit.data,
    of: [rows, ranges, whose, what, names, target],
    content: rows && contentOf(rows, { ...options, ranges, names }),
  });
}

function contentOf(p: Rows, { ranges, whose, of, what, names, target, explained, explain }: Options & Required<Pick<Options, "ranges" | "names">>): Content<number> {
  const { colour } = lineOf(whose);
  const { low, high, reach, rmse, bias, correlation } = p.spread;
  const n = p.actual.length;
  const room = 0.08 * (high - low || 1);
  const isMany = (names?.length ?? 0) > 2;
  const probable = isMany ? fit.ownProbability : fit.probability(names?.[1] ?? "");
  const values: Range = names ? [0, 1] : [low - room, high + room]; // by the actual ones alone, so that it stays while the model learns
  const far = 1.08 * reach || 1;
  const up: Range = what === "predicted" ? values : what === "class" ? [-0.5, (names?.length ?? 2) - 0.5] : [-far, far];
  const drawn = thin(n, POINTS);
  const barred = what === "predicted" && ranges !== null && n <= BARS;
  const chosen = explained === null ? -1 : p.line.indexOf(explained);
  const actual = (row: number): number => p.actual[row] ?? 0;
  const predicted = (row: number): number => p.predicted[row] ?? 0;
  const spots = {
    class: (row) => [predicted(row), actual(row) + BAND * (((row * GOLDEN) % 1) - 0.5)],
    predicted: (row) => [actual(row), hold(values, predicted(row))], // what lies outside is drawn on the edge
    residual: (row) => [hold(values, predicted(row)), p.residual[row] ?? 0],
  } satisfies Record<Options["what"], (row: number) => Point>;
  const spot: (row: number) => Point = spots[what];
  const bar = (row: number): Range => [hold(values, ranges?.low[row] ?? 0), hold(values, ranges?.high[row] ?? 0)];
  const choose = explain && ((row: number, byKey: boolean): void => explain(p.line[row] ?? 0, byKey));

  /** From values to px of the box. */
  const placed = ({ width, height }: Size) => ({ x: (v: number): number => share(values, v) * width, y: (v: number): number => (1 - share(up, v)) * height });

  /** A row that is looked at, and how far off it is. */
  const mark = (row: number, size: Size): TemplateResult => {
    const { x, y } = placed(size);
    const [across, upwards] = spot(row);
    const from = { class: [isMany ? 1 : actual(row), upwards], predicted: [across, across], residual: [across, 0] }[what];
    const [least, most] = bar(row);
    return html`<svg class="mark" aria-hidden="true">
      ${ranges && what === "predicted" ? svg`<path class="range" d=${`M${x(across) - 5} ${y(most)}h10m-5 0V${y(least)}m-5 0h10`} style="stroke:var(--${colour})" />` : nothing}
      ${svg`<line x1=${x(from[0] ?? 0)} x2=${x(across)} y1=${y(from[1] ?? 0)} y2=${y(upwards)} /><circle cx=${x(across)} cy=${y(upwards)} r="6" style="fill:var(--${colour})" />`}
    </svg>`;
  };

  return {
    notes: n > POINTS ? [fit.sampled(POINTS, n)] : [],
    legend: [{ name: models[whose], colour, dash: null, symbol: "circle" }, ...(names ? [] : [{ name: fit.exact, colour: "base", dash: "2 3", symbol: "" as const }])],
    get rows() {
      return p.ranked().slice(0, ROWS);
    },
    svg: "scatter-svg",
    x: { domain: [...values] },
    y: { domain: [...up], ...(what === "class" ? { axis: null } : {}) },
    margin: () => (isMany ? { ...MARGIN, left: NAMES.room } : MARGIN),
    moves:
      what === "predicted"
        ? {
            of: [whose, target, ranges, ...drawn.map(actual)],
            move(drawing, { height }) {
              const { y } = placed({ width: 0, height: height - MARGIN.top - MARGIN.bottom });
              drawing.querySelectorAll("circle").forEach((dot, at) => dot.setAttribute("cy", String(MARGIN.top + y(spot(drawn[at] ?? 0)[1]))));
            },
          }
        : undefined,
    summary() {
      if (names) return fit.describeClasses(whose, n, names);
      if (what === "residual") return fit.describeResiduals(whose, n, rmse, bias);
      return `${fit.describe(whose, n, rmse, correlation)}${ranges && barred ? words.describe(ranges.level) : ""}`;
    },
    columns: (): Column[] => [
      {
        name: fit.columns[of],
        head: fit.columns[of],
        values: p.line,
        cell: (line, row) => (choose ? html`<button aria-label=${fit.why(fit.place[of](line))} aria-pressed=${String(line === explained)} @click=${() => choose(row, true)}>${line}</button>` : line),
      },
      { name: fit.actual(target), head: fit.columns.actual, values: names ? Array.from(p.actual, (y) => names[y] ?? "") : p.actual },
      { name: names ? fit.by(probable, short[whose]) : fit.predictedBy(target, short[whose]), head: names ? probable : fit.columns.predicted, values: p.predicted },
      { name: fit.residual, head: fit.columns.error, values: p.residual, cell: (value) => signed(value) },
      ...(ranges ? [{ name: words.lower, head: words.columns.lower, values: ranges.low }, { name: words.upper, head: words.columns.upper, values: ranges.high }] : []),
    ],
    stands: (size, place) => (chosen < 0 || chosen === place ? nothing : mark(chosen, size)),
    cursor: {
      name: explain ? fit.cursorWhy : fit.cursor,
      hint: (touch) => `${(explain ? fit.hintWhy : fit.hint)(touch)}${n > POINTS ? ` ${fit.sampled(POINTS, n)}` : ""}`,
      get places() {
        return p.ranked();
      },
      get first() {
        return Math.max(0, p.ranked().indexOf(chosen)); // where the reader who comes back from the reason was
      },
      says(row) {
        const place = fit.place[of](p.line[row] ?? 0);
        if (names) return fit.classRow(place, names[actual(row)] ?? "", isMany ? null : (names[1] ?? ""), predicted(row));
        return `${fit.row(place, actual(row), predicted(row))}${ranges ? words.row(ranges.low[row] ?? Number.NaN, ranges.high[row] ?? Number.NaN, p.actual[row] ?? Number.NaN, ranges.level) : ""}`;
      },
      mark,
      at(x, y, size) {
        const box = placed(size);
        let [best, near] = [-1, NEAR ** 2];
        for (const row of drawn) {
          const [across, upwards] = spot(row);
          const off = (box.x(across) - x) ** 2 + (box.y(upwards) - y) ** 2;
          if (off < near) [best, near] = [row, off];
        }
        return best < 0 ? null : best;
      },
      stays: (row) => (row < n ? row : null), // what comes may have fewer rows
      ...(choose && { choose }),
    },
    marks: (Plot) => [
      names ? Plot.ruleY(Array.from({ length: names.length - 1 }, (_, i) => i + 0.5), { stroke: "var(--rule)", strokeOpacity: 1 }) : gridY(Plot, 5),
      gridX(Plot, 5),
      axisX(Plot, 5, names ? probable : what === "predicted" ? fit.actual(target) : fit.predictedOf(target)),
      ...(names && what === "class"
        ? [Plot.text(names, { x: 0, y: names.map((_, i) => i + (isMany ? 0 : 0.44)), text: (name: string) => (isMany ? clipped(name) : fit.are(target, name)), textAnchor: isMany ? "end" : "start", dx: isMany ? -6 : 2, fill: "var(--quiet)", stroke: "var(--ground)", strokeWidth: 4 })]
        : [
            axisY(Plot, 5, what === "residual" ? fit.residual : fit.predicted, { labelAnchor: "top" }),
            Plot.line(values.map((end) => [end, what === "predicted" ? end : 0]), { stroke: "var(--base)", strokeWidth: 1.5, strokeDasharray: "2 3" }),
          ]),
      barred ? Plot.ruleX(drawn, { x: actual, y1: (row: number) => bar(row)[0], y2: (row: number) => bar(row)[1], stroke: `var(--${colour})`, strokeOpacity: 0.35, strokeWidth: 1.5 }) : null,
      Plot.dot(drawn.map(spot), { r: drawn.length > 400 ? 2 : 3.2, fill: `var(--${colour})`, fillOpacity: drawn.length > 400 ? 0.35 : 0.6 }),
    ],
  };
}

function clipped(name: string): string {
  return name.length > NAMES.longest ? `${name.slice(0, NAMES.longest - 1)}…` : name;
}
