// Lines over one x, as the lesson draws them.
import { nothing, type TemplateResult } from "lit";
import { number, power } from "../text/format.js";
import { thin } from "../training/series.js";
import type { Column } from "./data.js";
import { chart } from "./element.js";
import { place } from "./labels.js";
import { lines as strings } from "./lines-strings.js";
import type { Key } from "./looks.js";
import { along, axisX, axisY, floor, gridY, hair, hold, lineMarks, share, ticked, written, type Point } from "./marks.js";
import type * as plot from "./plot.js";
import type { Content, Room } from "./spec.js";
import { saved } from "./strings.js";

export interface Line extends Key {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly low?: readonly number[] | undefined; // the band
  readonly high?: readonly number[] | undefined;
}

export interface Axis {
  readonly domain: readonly [number, number];
  readonly ticks: readonly number[];
  readonly label: string;
  readonly format: (value: number) => string;
  readonly value?: (place: number) => number; // what stands there, where the axis has places of its own
}

/** An axis upwards. */
export interface Scale extends Axis {
  readonly type: "log" | "linear";
}

/** A picture and its words. */
export interface Drawing {
  readonly lines: readonly Line[];
  readonly x: Axis;
  readonly y: Scale;
  readonly at: (x: number) => string; // names the place under the cursor
}

interface Options {
  readonly heading: string;
  readonly drawing: Drawing | null;
  readonly waiting: string; // what to say while there is nothing to draw
  readonly name?: string; // a part of its files' names
  readonly labelled?: boolean; // at the ends of the lines
  readonly mark?: number; // a place on the x axis, told in words elsewhere; NaN: none
}

const POINTS = 400; // drawn of a line at most
const ROWS = 200; // of the table at most
const TOP = 12; // px
const BOTTOM = 44; // px
const LINE = 20; // px, of the chart's texts
const ASIDE = 9; // px, of a label from its line
const GAP = 12; // px, between ticks
const SIDES = 60; // px, about what stands beside the axes
const BOLD = 660; // of labels
const MODELS: ReadonlySet<string> = new Set(["fm", "gfm", "ifm"]); // colours that letters have too

/** A chart of lines, with a band where they have one. */
export function lineChart(options: Options): TemplateResult {
  const { heading, drawing, waiting, name = "curve" } = options;
  const places = [...new Set(drawing?.lines.flatMap(({ x }) => x))].sort((a, b) => a - b);
  const content = drawing && places.length > 0 ? contentOf(drawing, places, options) : null;
  return chart({ name, title: heading, waiting, data: strings.data, content, drawing });
}

function contentOf(d: Drawing, places: readonly number[], { labelled = false, mark = Number.NaN }: Options): Content<number> {
  const ends = labelled ? d.lines.filter(({ y }) => Number.isFinite(y.at(-1))) : [];
  return {
    notes: [strings.axis(d.y.label)],
    legend: d.lines,
    rows: thin(places.length, ROWS),
    x: { domain: [...d.x.domain], label: d.x.label },
    y: { type: d.y.type, domain: [...d.y.domain], label: null },
    margin: ({ long }) => ({
      left: 10 + Math.ceil(Math.max(0, ...d.y.ticks.map((value) => long(d.y.format(value))))),
      right: labelled ? ASIDE + Math.ceil(Math.max(0, ...d.lines.map(({ name }) => long(name, BOLD)))) : 12,
      top: TOP,
      bottom: BOTTOM,
    }),
    summary: () => [strings.describe(d.y.label, d.x.label, d.y.type), ...d.lines.filter(({ y }) => y.length > 0).map(({ name, x, y }) => strings.line(name, d.at(x[0] ?? 0), y[0] ?? Number.NaN, d.at(x.at(-1) ?? 0), y.at(-1) ?? Number.NaN))].join(" "),
    columns: () => columnsOf(d, places),
    stands: () => (Number.isNaN(mark) ? nothing : hair(share(d.x.domain, mark), "here")),
    cursor: {
      ...along(d.x.domain, places),
      name: strings.cursor(d.x.label),
      first: places.length - 1,
      says(x) {
        const parts = d.lines.flatMap((line) => {
          const y = line.y[line.x.indexOf(x)];
          return y === undefined ? [] : [`${line.name} ${number(y)}`];
        });
        return strings.at(d.at(x), parts);
      },
    },
    marks: (Plot, room) => [
      gridY(Plot, d.y.ticks),
      floor(Plot, d.y.domain),
      axisY(Plot, d.y.ticks, null, { tickFormat: (value: number) => d.y.format(value) }),
      axisX(Plot, apart(d.x, room), d.x.label, { ...ticked, tickFormat: (value: number) => d.x.format(value) }),
      ...(labelled ? [...d.lines].reverse() : d.lines).flatMap((line) => marksOf(Plot, line, d.y.domain)), // the first on top: a dash shows what lies beneath it
      ...labels(Plot, d, ends, room),
    ],
  };
}

/** The ticks along x, or only the first and the last where all would touch. */
function apart({ ticks, format }: Axis, { width, long }: Room): readonly number[] {
  const takes = ticks.reduce((sum, value) => sum + long(format(value)) + GAP, 0);
  return takes < width - SIDES ? ticks : ticks.filter((_, i) => i === 0 || i === ticks.length - 1);
}

function marksOf(Plot: typeof plot, line: Line, domain: Scale["domain"]): plot.Markish[] {
  const { x, y, low, high, symbol } = line;
  const points = thin(x.length, POINTS).filter((i) => Number.isFinite(y[i]));
  const spacing = x.length <= 16 ? 1 : Math.ceil(x.length / 6); // of markers: about six on a long line, one at every point of a short one
  const up = (values: readonly number[], i: number): number => hold(domain, values[i] ?? Number.NaN);
  const spot = (i: number): Point => [x[i] ?? 0, up(y, i)];
  const spots = points.filter((i) => i % spacing === 0 || i === x.length - 1).map(spot);
  const band = low && high ? points.map((i) => [x[i] ?? 0, up(low, i), up(high, i)] as const) : [];
  return lineMarks(Plot, line, symbol === "" ? 1.5 : 2.6, points.map(spot), spots, band);
}

/** A name beside the end of each line, none on another. */
function labels(Plot: typeof plot, { y: { type, domain } }: Drawing, ends: readonly Line[], { height }: Room): plot.Markish[] {
  const bottom = height - BOTTOM;
  const wishes = ends.map(({ y }) => ({ left: 0, right: 1, y: bottom - share(domain, hold(domain, y.at(-1) ?? 0), type) * (bottom - TOP) }));
  return place(wishes, [], LINE, TOP, bottom).map((y, i) => {
    const { name = "", colour = "", x = [] } = ends[i] ?? {};
    return written(Plot, name, MODELS.has(colour) ? `var(--${colour})` : "var(--quiet)", BOLD, { x: [x.at(-1) ?? 0], frameAnchor: "top", dx: ASIDE, dy: y - TOP, lineAnchor: "middle" });
  });
}

function columnsOf({ x, y, lines }: Drawing, places: readonly number[]): Column[] {
  return [
    { name: x.label, head: x.label, values: places.map((place) => x.value?.(place) ?? place), cell: (_, row) => x.format(places[row] ?? Number.NaN) },
    ...lines.flatMap((line): Column[] => {
      const at = new Map(line.x.map((place, i) => [place, i]));
      const row = places.map((place) => at.get(place) ?? -1);
      const of = (values: readonly number[]): number[] => row.map((i) => values[i] ?? Number.NaN);
      const known = (write: (i: number) => string) => (_: number, place: number) => ((row[place] ?? -1) < 0 ? "" : write(row[place] ?? -1));
      const name = saved.of(line.name, y.label);
      const { low, high } = line;
      return [
        { name, head: line.name, values: of(line.y), cell: known((i) => number(line.y[i] ?? Number.NaN, 4)) },
        ...(low && high ? [{ name: saved.low(name), head: strings.range, values: of(low), cell: known((i) => strings.band(low[i] ?? Number.NaN, high[i] ?? Number.NaN)) }, { name: saved.high(name), values: of(high) }] : []),
      ];
    }),
  ];
}

/** A tick of a logarithmic axis: powers of ten as such. */
export function powers(value: number): string {
  const exponent = Math.log10(value);
  return Math.abs(exponent - Math.round(exponent)) < 1e-9 ? power(Math.round(exponent)) : number(value, 2);
}
