import type { TemplateResult } from "lit";
import type { ROC } from "../../engine/protocol.js";
import { number } from "../../text/format.js";
import type { Column } from "../data.js";
import { written } from "../marks.js";
import { lineOf, textOf } from "../styles.js";
import { across, square, type Parts } from "./square.js";
import { named, roc as strings } from "./strings.js";
import type { Tellers } from "./told.js";

const KEY = { line: 0.1, first: 0.06, next: 0.075 } as const; // of the legend, in rates
const NAME = 190; // px that the longest of its names takes

/** The rates at every threshold, with a cursor along the curve of the model that is looked at. */
export function roc(classes: Tellers | null, what: string, threshold: number): TemplateResult {
  return square("roc", strings, what, [classes, threshold], classes && partsOf(classes, what, threshold));
}

function partsOf({ told, ones, zeros }: Tellers, what: string, chosen: number): Parts | null {
  const [first] = told;
  if (!first) return null;
  const [whose, { roc }] = first;
  const { threshold, falsePositive: x, truePositive: y }: ROC = roc;
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
    legend: [...told.map(([whose]) => ({ ...lineOf(whose), name: named[whose], symbol: "" as const })), { name: strings.chance, colour: "base", dash: "2 3", symbol: "" }],
    summary: () => strings.describe(what, ones, zeros, told.map(([whose, { auc }]) => strings.area(named[whose], auc))),
    says: (i) => strings.at(threshold[i] ?? 0, x[i] ?? 0, y[i] ?? 0),
    columns: () =>
      told.flatMap(([whose, { roc }], i): Column[] => {
        const names = strings.columns(named[whose]);
        const shown = (head: string): Partial<Column> => (i === 0 ? { head, cell: (value) => number(value) } : {});
        return [
          { name: `${names.threshold}, ${named[whose]}`, values: roc.threshold, ...shown(names.threshold) },
          { name: names.falsePositive, values: roc.falsePositive, ...shown(names.falsePositive) },
          { name: names.truePositive, values: roc.truePositive, ...shown(names.truePositive) },
        ];
      }),
    marks(Plot, room) {
      const key = Math.max(KEY.line, Math.min(0.6, 1 - NAME / Math.max(1, across(room)))); // where the legend's names begin
      const lines = told.map(([whose]) => {
        const { colour, dash, width } = lineOf(whose);
        return { stroke: `var(--${colour})`, strokeWidth: width, strokeDasharray: dash };
      });
      return [
        ...told.map(([, { roc }], i) => Plot.line(Array.from(roc.falsePositive, (x, at) => [x, roc.truePositive[at] ?? 0]), { ...lines[i], strokeLinejoin: "round" })).reverse(),
        Plot.dot([[x[at] ?? 0, y[at] ?? 0]], { r: 5, fill: "var(--ground)", stroke: `var(--${lineOf(whose).colour})`, strokeWidth: 2 }),
        ...told.flatMap(([whose, { auc }], i) => {
          const y = KEY.first + KEY.next * (told.length - 1 - i);
          return [Plot.line([[key - KEY.line, y], [key - 0.02, y]], lines[i]), written(Plot, strings.key(named[whose], auc), ...textOf(whose), { x: [key], y: [y] })];
        }),
      ];
    },
  };
}
