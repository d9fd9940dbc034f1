import { html, type TemplateResult } from "lit";
import type { Column } from "../../charts/data.js";
import { chart } from "../../charts/element.js";
import { looks } from "../../charts/looks.js";
import { axisX, gridX, share, ticked } from "../../charts/marks.js";
import type { Content } from "../../charts/spec.js";
import { saved } from "../../charts/strings.js";
import { roundUp } from "../../charts/ticks.js";
import type { Sample } from "../../state/view.js";
import { number } from "../../text/format.js";
import { short } from "../../text/strings.js";
import type { Model } from "../../training/series.js";
import { average } from "../chapter/measure.js";

const words = {
  heading: "Each split: test RMSE ÷ that of linear regression",
  x: "÷ linear regression’s; left of 1 is better",
  line: (name: string, model: string) => `${name}, ${model}`,
  table: "Table",
  split: "Split",
};

/** One split of a table: test RMSE in units of the target. */
export interface Split {
  readonly trial: number;
  readonly mean: number;
  readonly ridge: number;
  readonly quadratic: number; // NaN where it could not be fitted
  readonly rmse: ReadonlyMap<Model, number>; // without those that failed
}

/** A table and its splits so far. */
export interface Row {
  readonly sample: Sample;
  readonly name: string;
  readonly target: string; // "" before it was read
  readonly size: number; // rows
  readonly splits: readonly Split[];
  readonly whole: boolean; // all that were asked for are there
  readonly failure: string; // why there is none
}

const TESTED = 1 / 4; // test rows for each row that trains or tunes
const STUDENT = [Number.NaN, 12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26]; // .975 quantiles, by degrees of freedom
const MANY = 2.23; // with more

/** The mean over splits of (b − a) ÷ ridge, its standard deviation from split to split, and whether 0 is outside its 95 % interval. The interval allows for the rows that splits share, as the one of a table's splits does (Nadeau and Bengio, 2003). NaN with fewer than two splits. */
export function chances({ splits }: Row, a: Model, b: Model): { readonly difference: number; readonly spread: number; readonly sure: boolean } {
  const all = splits.map((split) => ((split.rmse.get(b) ?? Number.NaN) - (split.rmse.get(a) ?? Number.NaN)) / split.ridge).filter((v) => !Number.isNaN(v));
  if (all.length < 2) return { difference: Number.NaN, spread: Number.NaN, sure: false };
  const difference = average(all);
  const spread = Math.sqrt(all.reduce((sum, v) => sum + (v - difference) ** 2, 0) / (all.length - 1));
  return { difference, spread, sure: Math.abs(difference) > (STUDENT[all.length - 1] ?? MANY) * spread * Math.sqrt(1 / all.length + TESTED) };
}

const HEIGHT = 28; // px, of one model's line
const MARGIN = { top: 8, bottom: 44, right: 16 }; // px
const TICK = 36; // px, room for a number of the axis
const NEAR = 24; // px, no dot farther from a pointer is meant

/** A dot. */
interface Dot {
  readonly key: string; // sample, split and model
  readonly line: string;
  readonly model: Model;
  readonly split: Split;
  readonly rmse: number;
  readonly ratio: number; // rmse ÷ ridge's
}

/** Each split's test RMSE ÷ ridge's, a dot each, and a bar from ridge to their mean. */
export function splits(rows: readonly Row[], models: readonly Model[], waiting: string): TemplateResult {
  const dots = rows.flatMap((row) => models.flatMap((model) => dotsOf(row, model)));
  const height = MARGIN.top + MARGIN.bottom + HEIGHT * rows.length * models.length;
  return html`<div class="dots">${chart({ name: "splits", title: words.heading, look: "splits", height, waiting, data: "Data of this chart", content: dots.length > 0 ? contentOf(rows, models, dots) : null })}</div>`;
}

/** Those of a line, from the left. */
function dotsOf(row: Row, model: Model): Dot[] {
  const dots = row.splits.flatMap((split): Dot[] => {
    const rmse = split.rmse.get(model);
    return rmse === undefined ? [] : [{ key: `${row.sample} ${split.trial} ${model}`, line: words.line(row.name, short[model]), model, split, rmse, ratio: rmse / split.ridge }];
  });
  return dots.sort((a, b) => a.ratio - b.ratio);
}

function contentOf(rows: readonly Row[], models: readonly Model[], dots: readonly Dot[]): Content<string> {
  const lines = rows.flatMap((row) => models.map((model) => words.line(row.name, short[model])));
  const drawn = [...new Set(dots.map(({ line }) => line))].map((line) => {
    const own = dots.filter((dot) => dot.line === line);
    return { line, model: own[0]?.model ?? "ifm", ratios: own.map(({ ratio }) => ratio) };
  });
  const ratios = [1, ...dots.map(({ ratio }) => ratio)]; // ridge's is 1
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  const step = roundUp((most - least + 0.02) / 5);
  const [low, high] = [step * Math.floor(least / step - 0.1), step * Math.ceil(most / step + 0.1)];
  const left = Math.max(...lines.map((name) => 12 + 7 * name.length));
  const all = rows.flatMap((row) => row.splits.map((split) => ({ row, split })));
  const rmse = (of: string, head: string, get: (split: Split) => number | undefined): Column => ({ name: saved.error(of, "rmse", saved.theTarget), head, values: all.map(({ split }) => get(split) ?? Number.NaN) });
  const at = ({ line, ratio }: Dot): readonly [x: number, y: number] => [share([low, high], ratio), (lines.indexOf(line) + 0.5) / lines.length];
  const find = (key: string): Dot | undefined => dots.find((dot) => dot.key === key);
  return {
    legend: models.map((model) => ({ ...looks[model], name: short[model], dash: null })),
    rows: [...all.keys()],
    note: "Test RMSE, in the units of each target.",
    x: { domain: [low, high], label: words.x },
    y: { type: "point", domain: lines, label: null, padding: 0.5 },
    margin: () => ({ ...MARGIN, left }),
    summary: () => ["Dot plot of test RMSE divided by linear regression’s, a dot for each split, and a bar from 1 to their mean.", ...drawn.map(({ line, ratios }) => `${line}: ${number(average(ratios))} on average, from ${number(Math.min(...ratios))} to ${number(Math.max(...ratios))}.`)].join(" "),
    columns: () => [
      { name: words.table, head: words.table, values: all.map(({ row }) => row.name) },
      { name: saved.target, values: all.map(({ row }) => row.target) },
      { name: words.split, head: words.split, values: all.map(({ split }) => split.trial + 1), cell: String },
      rmse(saved.baseline(short.mean), short.mean, (split) => split.mean),
      rmse(saved.baseline(short.ridge), short.ridge, (split) => split.ridge),
      rmse(saved.baseline(short.quadratic), short.quadratic, (split) => split.quadratic),
      ...models.map((model) => rmse(short[model], short[model], (split) => split.rmse.get(model))),
    ],
    cursor: {
      name: "Split under the cursor",
      places: dots.map(({ key }) => key),
      first: 0,
      says(key) {
        const dot = find(key);
        return dot ? `${dot.line}, split ${dot.split.trial + 1}: test RMSE ${number(dot.rmse, 4)} ÷ linear regression’s ${number(dot.split.ridge, 4)} = ${(dot.rmse / dot.split.ridge).toFixed(3)}` : "";
      },
      mark(key) {
        const dot = find(key);
        const [x, y] = dot ? at(dot) : [0, 0];
        return html`<div class="pin" data-cursor style="left:${100 * x}%;top:${100 * y}%"></div>`;
      },
      at(left, top, { width, height }) {
        const off = (dot: Dot): number => Math.hypot(at(dot)[0] * width - left, at(dot)[1] * height - top);
        return dots.reduce<{ key: string | null; off: number }>((best, dot) => (off(dot) < best.off ? { key: dot.key, off: off(dot) } : best), { key: null, off: NEAR }).key;
      },
      stays: (key) => (find(key) ? key : null),
    },
    marks(Plot, { width }) {
      const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => low + i * step);
      const room = ((width - left - MARGIN.right) * step) / (high - low);
      const named = ticks.filter((v) => room >= TICK || Math.round((v - 1) / step) % 2 === 0); // with 1 among them
      return [
        gridX(Plot, ticks),
        Plot.gridX([1], { stroke: "var(--ink)", strokeOpacity: 1 }),
        axisX(Plot, named, words.x, { ...ticked, tickFormat: (v: number) => v.toFixed(step < 0.1 ? 2 : 1) }),
        Plot.axisY(lines, { tickSize: 0, tickPadding: 8, fill: "var(--ink)" }),
        ...drawn.map(({ line, model, ratios }) => Plot.line([[1, line], [average(ratios), line]], { stroke: `var(--${looks[model].colour})`, strokeWidth: 8, strokeOpacity: 0.3 })),
        ...models.map((model) => Plot.dot(dots.filter((dot) => dot.model === model), { x: "ratio", y: "line", symbol: looks[model].symbol, fill: `var(--${looks[model].colour})`, stroke: "var(--ground)", strokeWidth: 1, r: 5 })),
      ];
    },
  };
}
