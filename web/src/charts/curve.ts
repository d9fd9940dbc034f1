// The test error by iteration: the chart of the figure and of a table's result.
import type { TemplateResult } from "lit";
import type { Measure } from "../engine/protocol.js";
import { verdict } from "../panel/strings.js";
import { cell, count, number, power } from "../text/format.js";
import { models, short } from "../text/strings.js";
import { thin, type Line, type Whose } from "../training/series.js";
import type { ModelError } from "../training/standing.js";
import type { Ghost, Phase } from "../training/training.js";
import { beyond, clip, type Axes } from "./axis.js";
import type { Column } from "./data.js";
import { chart } from "./element.js";
import { place, type Box } from "./labels.js";
import { along, axisY, ends, floor, gridY, hold, lineMarks, share, written, type Point } from "./marks.js";
import type * as plot from "./plot.js";
import type { Content, Margin, Room } from "./spec.js";
import { curve as strings, saved } from "./strings.js";
import { lineOf, looks, textOf } from "./styles.js";

interface Options {
  readonly lines: readonly Line[];
  readonly baselines: readonly ModelError[];
  readonly ghost: Ghost | null; // drawn faintly
  readonly faint?: string; // what the ghost has otherwise
  readonly axis: Axes | null;
  readonly waiting: string; // what to say while there is nothing to draw
  readonly heading: string;
  readonly caption?: TemplateResult; // the heading, where its words open
  readonly measure?: Measure;
  readonly unit?: string; // of the error
  readonly whole?: number | undefined; // the error of which all others are written as shares
}

const POINTS = 400; // drawn of a line at most
const ROWS = 200; // of the table at most
const STROKE = 2.5; // px, of ground around a label
const ASIDE = 10; // px, from a tip to its label
const LINE = 21; // px from one label to the next, as high as their letters' box
const TIP = 8; // px, half of the largest mark at a tip with its edge
const RING = 8; // px, the same of a ring
const EXIT = 11; // px, half the height of the triangle where a line leaves the axis; it is narrower
const PHONE = 480; // px, a narrower chart has shorter numbers
const NARROW = 240; // px, one narrower yet has its labels over its lines

/** A line as it is drawn. */
interface Drawn {
  readonly line: Line;
  readonly points: readonly number[]; // indices of its records
  readonly path: readonly Point[];
  readonly exits: readonly Point[]; // where it leaves the axis
  readonly tip: Point; // its end, or where it left for good
  readonly ring: readonly Point[]; // around the model that is kept, if that is not the last one
}

export function curve(options: Options): TemplateResult {
  const { axis, heading, caption, waiting, ghost } = options;
  return chart({ name: "curve", title: heading, caption: caption ?? heading, waiting, data: strings.data, ghost, content: axis && contentOf(axis, options) });
}

function contentOf(a: Axes, { lines, baselines: known, ghost, faint = "", measure = "rmse", unit = "", whole }: Options): Content<number> {
  const baselines = whole === undefined ? known : []; // those that are drawn: shares are of one
  const before = ghost?.lines ?? [];
  const end = Math.max(0, ...lines.map((line) => line.iteration.at(-1) ?? 0));
  const trials = Math.max(1, ...lines.map((line) => line.trials));
  const band = trials > 1 ? [strings.band(trials)] : [];
  const longest = [...lines, ...before].reduce<Line | undefined>((best, line) => (best && best.error.length >= line.error.length ? best : line), undefined);
  const length = longest?.error.length ?? 0;
  const error = (name: string): string => saved.error(name, measure, unit);
  const write = (value: number): string => (whole === undefined ? number(value) : strings.share(number((100 * value) / whole)));
  return {
    notes: [...(whole === undefined ? [] : [strings.whole(whole)]), ...(ghost ? [strings.ghost(faint)] : []), ...band, ...(lines.some(ringed) ? [verdict.ring] : [])],
    legend: [...lines.map(({ model }) => ({ ...looks[model], name: models[model] })), ...baselines.map(({ whose }) => ({ ...lineOf(whose), name: models[whose], symbol: "" as const }))],
    rows: thin(length, ROWS),
    x: { domain: [...a.x], label: strings.x },
    y: { type: a.scale, domain: [...a.y], label: null },
    margin: (room) => marginOf(a, room, textsOf(a, room, lines, baselines, whole), whole),
    summary: () =>
      [
        whole === undefined ? strings.describe[a.scale](measure) : strings.describeShare[a.scale],
        ...lines.map((line) => strings.line(short[line.model], write(line.error[0] ?? Number.NaN), write(line.error.at(-1) ?? Number.NaN), line.iteration.at(-1) ?? 0)),
        ...known.map((b) => strings.reference(models[b.whose], b.error)),
        ...(ghost ? [strings.ghostEnds(faint, before.map((line) => strings.value(short[line.model], line.error.at(-1) ?? Number.NaN)))] : []),
      ].join(" "),
    columns: () => [
      { name: strings.x, head: strings.iteration, values: longest?.iteration ?? [], cell: String },
      ...lines.flatMap(({ model, trials, error: values, low, high }): Column[] => {
        const [head, name] = [short[model], error(short[model])];
        return trials > 1 ? [{ name: saved.mean(name), head, values }, { name: saved.low(name), values: low }, { name: saved.high(name), values: high }] : [{ name, head, values }];
      }),
      ...before.map((line) => ({ name: error(strings.before(short[line.model])), head: strings.before(short[line.model]), values: line.error })),
      ...known.map((b) => ({ name: error(saved.baseline(short[b.whose])), head: short[b.whose], values: Array.from({ length }, () => b.error) })),
    ],
    cursor: {
      ...along(a.x, Array.from({ length: end + 1 }, (_, iteration) => iteration)),
      name: strings.cursor,
      first: end,
      hint: () => [...(ghost ? [strings.ghost(faint)] : []), ...band].join(" "),
      says: (iteration) => strings.at(iteration, lines.flatMap(({ model, error }) => (error[iteration] === undefined ? [] : [`${short[model]} ${write(error[iteration])}`]))),
    },
    marks(Plot, room) {
      const drawn = lines.map((line) => drawnOf(a, line, whole));
      return [
        gridY(Plot, a.ticks),
        floor(Plot, a.y),
        axisY(Plot, a.ticks, null, { tickFormat: (value: number) => tick(a, value, whole) }),
        ...ends(Plot, a.x, (value) => (value === a.x[1] && room.width >= NARROW ? strings.iterations(value) : count(value))),
        ...baselines.filter((b) => beyond(a, b.error) === 0).map((b) => Plot.ruleY([b.error], { stroke: "var(--edge)", strokeWidth: 1.5, strokeDasharray: lineOf(b.whose).dash })),
        ...before.map((line) => {
          const shown = thin(line.error.length, POINTS).map((i) => spot(line, i)).filter(([x]) => x <= a.x[1]);
          return Plot.line(clip(a, shown).path, { className: "ghost", stroke: `var(--${line.model})`, strokeWidth: 1.25, strokeOpacity: 0.5, strokeDasharray: looks[line.model].dash, strokeLinejoin: "round" });
        }),
        ...drawn.flatMap((one) => marksOf(Plot, a, one, whole === undefined)),
        ...labels(Plot, a, room, drawn, textsOf(a, room, lines, baselines, whole), whole),
      ];
    },
  };
}

/** Beside the axes there is room for what is written there now and, so that the box keeps its width as numbers change, for the usual error of a model. */
function marginOf(a: Axes, room: Room, texts: readonly Text[], whole?: number): Margin {
  const usual = whole !== undefined ? `${short.ifm} ${strings.least}` : `${short.ifm} ${number(a.scale === "log" ? 8e-8 : 0.888, digitsIn(room))}`;
  const right = room.width < NARROW ? 0 : Math.max(room.long(usual, textOf("ifm")[1]), ...texts.map(({ says, weight }) => room.long(says, weight)));
  return { left: Math.ceil(Math.max(0, ...a.ticks.map((value) => room.long(tick(a, value, whole))))) + 10, right: Math.ceil(right + ASIDE + STROKE), top: 10, bottom: 28 };
}

function digitsIn(room: Room): number {
  return room.width < PHONE ? 2 : 3;
}

function drawnOf(a: Axes, line: Line, whole?: number): Drawn {
  const points = thin(line.error.length, POINTS);
  const { path, exits: all } = clip(a, points.map((i) => spot(line, i)));
  const comes = whole !== undefined && path.some(([, y]) => y < a.y[1]); // an untrained model is above what counts as the whole
  const exits = comes ? all.filter(([x]) => x > 0) : all;
  const last = spot(line, line.error.length - 1);
  const ring = ringed(line) && line.choice ? [spot(line, line.choice.at)] : [];
  return { line, points, path, exits, tip: beyond(a, last[1]) === 0 ? last : (exits.at(-1) ?? last), ring: ring.filter(([, y]) => beyond(a, y) === 0) };
}

function marksOf(Plot: typeof plot, a: Axes, { line, points, path, exits, tip, ring }: Drawn, marked: boolean): plot.Markish[] {
  const { colour, width } = lineOf(line.model);
  const { symbol } = looks[line.model];
  const fill = `var(--${colour})`;
  const edge = { fill, stroke: "var(--ground)", strokeWidth: 1.5 };
  const markers = (marked ? spaced(line.error.length, a.x[1]) : []).map((i) => spot(line, i)).filter(([, y]) => beyond(a, y) === 0);
  const band = line.trials > 1 ? points.map((i) => [line.iteration[i] ?? 0, hold(a.y, line.low[i] ?? Number.NaN), hold(a.y, line.high[i] ?? Number.NaN)] as const) : [];
  return [
    ...lineMarks(Plot, looks[line.model], width, path, markers, band),
    ring.length > 0 ? Plot.dot(ring, { className: "ring", stroke: fill, strokeWidth: 2, r: 7, fill: "none" }) : null,
    Plot.dot(exits.includes(tip) ? [] : [tip], { className: "tip", symbol, ...edge, r: 5 }),
    Plot.dot(exits, { className: "exit", symbol: "triangle", rotate: ([, y]: Point) => (y === a.y[1] ? 0 : 180), ...edge, r: 7 }),
  ];
}

/** What is written at the end of a line. */
interface Text {
  readonly whose: Whose;
  readonly value: number;
  readonly says: string;
  readonly fill: string;
  readonly weight: number;
}

/** The names and errors of baselines and, after them, of models. */
function textsOf(a: Axes, room: Room, lines: readonly Line[], baselines: readonly ModelError[], whole?: number): Text[] {
  const text = (whose: Whose, name: string, value: number): Text => {
    const says = `${name} ${whole === undefined ? number(value, digitsIn(room)) : rounded(value / whole)}`;
    const [fill, weight] = textOf(whose);
    return { whose, value, says: [strings.below(says), says, strings.above(says)][1 + beyond(a, value)] ?? says, fill, weight };
  };
  return [
    ...baselines.map(({ whose, error }) => text(whose, short[whose], error)),
    ...lines.map((line) => text(line.model, ringed(line) ? strings.kept(short[line.model]) : short[line.model], line.done ? line.reached : (line.error.at(-1) ?? Number.NaN))),
  ].filter(({ value }) => !Number.isNaN(value));
}

/** At the tips of the lines and the ends of the reference lines, where they cover neither each other nor a mark. */
function labels(Plot: typeof plot, a: Axes, room: Room, drawn: readonly Drawn[], texts: readonly Text[], whole?: number): plot.Markish[] {
  const margin = marginOf(a, room, texts, whole);
  const [top, bottom] = [margin.top, room.height - margin.bottom];
  const x = (value: number): number => margin.left + (value / Math.max(1, a.x[1])) * (room.width - margin.left - margin.right);
  const y = (value: number): number => bottom - share(a.y, hold(a.y, value), a.scale) * (bottom - top);
  const wishes = texts.map((text) => {
    const [across] = drawn.find(({ line }) => line.model === text.whose)?.tip ?? [a.x[1]];
    const width = room.long(text.says, text.weight) + STROKE;
    const left = Math.min(x(across) + ASIDE, room.width - width);
    return { ...text, across, left, right: left + width, width, y: y(text.value) };
  });
  const all = wishes.map((wish) => {
    const beside = wishes.filter((other) => other.left < wish.right && wish.left < other.right);
    const left = Math.min(Math.max(...beside.map((other) => other.left)), room.width - wish.width); // those that crowd begin together
    return { ...wish, left, right: left + wish.width };
  });
  const mark = (half: number) => ([at, value]: Point): Box => ({ left: x(at) - Math.min(half, ASIDE - 1), right: x(at) + Math.min(half, ASIDE - 1), top: y(value) - half, bottom: y(value) + half });
  const marks = drawn.flatMap(({ exits, tip, ring }) => [...exits.map(mark(EXIT)), ...(exits.includes(tip) ? [] : [mark(TIP)(tip)]), ...ring.map(mark(RING))]);
  const placed = place(all, marks, LINE, top, bottom - 4);
  return all.map(({ says, weight, fill, across, left, y }, i) =>
    written(Plot, says, fill, weight, { x: [across], frameAnchor: "top", dx: left - x(across), dy: (placed[i] ?? y) - top, lineAnchor: "middle", strokeWidth: 2 * STROKE }),
  );
}

function spot(line: Line, i: number): Point {
  return [line.iteration[i] ?? 0, line.error[i] ?? Number.NaN];
}

/** What to say while there is nothing to draw of a table. */
export function waiting(phase: Phase): string {
  if (phase === "failed" || phase === "stopped") return strings.waiting[phase];
  return phase === "starting" ? strings.waiting.fitting : strings.waiting.soon;
}

/** Whether the model that is kept is not the last one. */
function ringed(line: Line): boolean {
  return line.done && line.trials === 1 && line.choice !== null && line.choice.at < line.error.length - 1;
}

/** A share in whole percents, as the verdict beside the chart has it. */
function rounded(share: number): string {
  return share < 0.005 ? strings.least : strings.share(`${Math.round(100 * share)}`);
}

function tick(a: Axes, value: number, whole?: number): string {
  if (whole !== undefined) return strings.share(`${Number(((100 * value) / whole).toPrecision(3))}`);
  const exponent = Math.log10(value);
  return a.scale === "log" && Math.abs(exponent - Math.round(exponent)) < 1e-9 ? power(Math.round(exponent)) : cell(value).replace(/\.?0+ ×/, " ×");
}

/** About six markers over the whole axis, none at the tip. */
function spaced(length: number, end: number): number[] {
  const every = Math.max(1, Math.round(end / 6));
  const spots: number[] = [];
  for (let i = every; i < length - every / 4; i += every) spots.push(i);
  return spots;
}
