// What a column adds to the prediction, by its cell: a line for a number, bars for levels.
import { html, type TemplateResult } from "lit";
import type { Cell, Shape, ShapePoint, Shapes } from "../../engine/protocol.js";
import { cellIn } from "../../text/days.js";
import { signed } from "../../text/format.js";
import { models } from "../../text/strings.js";
import type { Model } from "../../training/series.js";
import { chart } from "../element.js";
import { along, axisX, axisY, gridX, gridY, hold, lineMarks, written, type Point, type Range } from "../marks.js";
import type { Content } from "../spec.js";
import { shapes as strings } from "./strings.js";

const LEVELS = 20; // bars at most
const BAR = 24; // px
const NAME = 18; // letters of a level beside its bar
const DENSITY = 0.16; // of the height, at most
const MARGIN = { left: 64, right: 16, top: 26, bottom: 40 }; // px

export function shape(of: Shape, { quantity, average }: Shapes, model: Model): TemplateResult {
  const numbers = of.points.filter(({ kind }) => kind === "value");
  const levels = of.points.filter(({ kind }) => kind !== "value").sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect));
  const title = strings.title(of.column, quantity);
  const isLine = numbers.length > 1;
  const bars = levels.slice(0, LEVELS);
  const content = isLine ? line(of, numbers, levels[0] ?? null, quantity, model) : bars.length > 0 ? barred(of, bars, quantity, model) : null;
  return html`${chart({ name: "shape", title, look: "scatter", ...(isLine ? {} : { height: MARGIN.top + MARGIN.bottom + BAR * Math.max(3, bars.length) }), waiting: strings.none, data: strings.data, of: [of, quantity, model], content })}
    <p class="note">${average ? strings.average : strings.meanRow}${of.points.some(isBanded) ? ` ${strings.band(isLine)}` : ""}${levels.length > LEVELS && !isLine ? ` ${strings.some(LEVELS, levels.length)}` : ""}</p>`;
}

/** A cell of a column as it is named. */
export function place({ kind, number, level }: Cell, of?: Pick<Shape, "days">): string {
  return kind === "value" ? cellIn(of?.days ?? false, number) : kind === "level" ? level : strings.cells[kind === "missing" ? "missing" : "other"];
}

function says(of: Shape, point: ShapePoint): string {
  return strings.at(place(point, of), point.effect, isBanded(point) ? [point.low, point.high] : null, point.share, point.kind === "value");
}

/** Whether the file has the effects of further fits. */
function isBanded({ low }: ShapePoint): boolean {
  return !Number.isNaN(low);
}

/** What both forms have: the words and the data. */
function told(of: Shape, quantity: string, model: Model): Pick<Content<number>, "legend" | "notes" | "rows" | "summary" | "columns"> {
  const points = [...of.points];
  const known = points.some((point) => !Number.isNaN(point.share));
  return {
    legend: [{ name: models[model], colour: model, dash: "", symbol: "" }],
    notes: points.some(isBanded) ? [strings.band(points.filter(({ kind }) => kind === "value").length > 1)] : [],
    rows: [...points.keys()],
    summary() {
      const [high, low] = [1, -1].map((sign) => points.reduce((best, point) => (sign * point.effect > sign * best.effect ? point : best), points[0] as ShapePoint)) as [ShapePoint, ShapePoint];
      return strings.describe(of.column, quantity, place(low, of), low.effect, place(high, of), high.effect);
    },
    columns: () => [
      { name: of.column, head: of.column, values: points.map((point) => place(point, of)) },
      { name: strings.adds(quantity), head: strings.columns.adds, values: points.map(({ effect }) => effect), cell: (value) => signed(value) },
      ...(points.some(isBanded) ? (["low", "high"] as const).map((end) => ({ name: strings.columns[end], head: strings.columns[end], values: points.map((point) => point[end]), cell: (value: number) => signed(value) })) : []),
      ...(known ? [{ name: strings.columns.share, head: strings.columns.share, values: points.map((point) => point.share) }] : []),
    ],
  };
}

function line(of: Shape, numbers: readonly ShapePoint[], missing: ShapePoint | null, quantity: string, model: Model): Content<number> {
  const places = numbers.map(({ number }) => number);
  const [first = 0, last = 1] = [places[0], places.at(-1)];
  const across: Range = [first, last];
  const up = reach([...numbers, ...(missing ? [missing] : [])]);
  const floor = up[0];
  const knots = numbers.filter((point) => !Number.isNaN(point.share));
  const density = densities(knots);
  const most = Math.max(...density) || 1;
  return {
    ...told(of, quantity, model),
    svg: "shape-svg",
    x: { domain: [...across] },
    y: { domain: [...up] },
    margin: () => MARGIN,
    cursor: {
      ...along(across, places),
      name: strings.cursor(of.column),
      hint: () => (knots.length > 0 ? strings.density : ""),
      first: 0,
      says: (at) => says(of, numbers.find(({ number }) => number === at) ?? (numbers[0] as ShapePoint)),
    },
    marks: (Plot, { width }) => [
      gridY(Plot, 4),
      knots.length > 1
        ? Plot.areaY(knots.map(({ number }, i): [number, number, number] => [number, floor, floor + DENSITY * (up[1] - floor) * ((density[i] ?? 0) / most)]), { x: "0", y1: "1", y2: "2", fill: "var(--base)", fillOpacity: 0.3 })
        : null,
      axisX(Plot, width < 380 ? 3 : 5, of.column, { tickFormat: (v: number) => cellIn(of.days, v) }),
      axisY(Plot, 4, strings.adds(quantity), { labelAnchor: "top", tickFormat: (v: number) => signed(v) }),
      Plot.ruleY([0], { stroke: "var(--edge)" }),
      ...(missing ? [Plot.ruleY([missing.effect], { stroke: `var(--${model})`, strokeDasharray: "2 4" }), written(Plot, place(missing, of), "var(--quiet)", 400, { x: [last], y: [missing.effect], textAnchor: "end", dy: -8 })] : []),
      ...lineMarks(Plot, { colour: model, dash: "", symbol: "circle" }, 2, numbers.map((p): Point => [p.number, p.effect]), knots.map((p): Point => [p.number, p.effect]), numbers.filter(isBanded).map(({ number, low, high }) => [number, low, high])),
    ],
  };
}

/** How many training rows lie near each of these numbers, for each unit of the column. */
function densities(knots: readonly ShapePoint[]): number[] {
  return knots.map(({ share, number }, i) => (2 * share) / ((knots[i + 1]?.number ?? number) - (knots[i - 1]?.number ?? number)));
}

function barred(of: Shape, bars: readonly ShapePoint[], quantity: string, model: Model): Content<number> {
  const across = reach(bars);
  const up: Range = [bars.length - 0.5, -0.5]; // the farthest from 0 on top
  const names = bars.map((bar) => place(bar, of));
  const longest = Math.min(NAME, Math.max(...names.map(({ length }) => length)));
  return {
    ...told(of, quantity, model),
    svg: "shape-svg",
    x: { domain: [...across] },
    y: { domain: [...up], axis: null },
    margin: () => ({ ...MARGIN, left: 24 + 8 * longest, top: 8 }),
    cursor: {
      name: strings.cursor(of.column),
      places: [...bars.keys()],
      first: 0,
      says: (at) => says(of, bars[at] ?? (bars[0] as ShapePoint)),
      mark: (at) => html`<div class="bin" style="left:0;right:0;top:${(100 * at) / bars.length}%;bottom:${100 - (100 * (at + 1)) / bars.length}%"></div>`,
      at: (_, y, { height }) => hold([0, bars.length - 1], Math.floor((y / height) * bars.length)),
      stays: (at) => (at < bars.length ? at : null),
    },
    marks: (Plot) => [
      gridX(Plot, 4),
      axisX(Plot, 4, strings.adds(quantity), { tickFormat: (v: number) => signed(v) }),
      Plot.ruleY(bars, { y: (_: ShapePoint, i: number) => i, x1: 0, x2: "effect", stroke: `var(--${model})`, strokeWidth: 0.6 * BAR }),
      Plot.ruleX([0], { stroke: "var(--edge)" }),
      Plot.ruleY(bars, { y: (_: ShapePoint, i: number) => i, x1: "low", x2: "high", stroke: "var(--ink)", strokeWidth: 1.5 }),
      Plot.text(names, { x: () => across[0], y: (_: string, i: number) => i, text: (name: string) => (name.length > NAME ? `${name.slice(0, NAME - 1)}…` : name), textAnchor: "end", dx: -8, fill: "var(--ink)" }),
    ],
  };
}

/** From the lowest to the highest effect and 0, with room for the density below. */
function reach(points: readonly ShapePoint[]): Range {
  const effects = [0, ...points.flatMap((point) => (isBanded(point) ? [point.low, point.high] : [point.effect]))];
  const [low, high] = [Math.min(...effects), Math.max(...effects)];
  const room = high - low || 1;
  return [low - 0.12 * room, high + 0.08 * room];
}

