// Parts that several charts are made of.
import { html, type TemplateResult } from "lit";
import type { Key } from "./looks.js";
import type * as plot from "./plot.js";
import type { Cursor } from "./spec.js";

export type Range = readonly [low: number, high: number];
type Ticks = number | readonly number[]; // about how many, or where they are

const grid = { stroke: "var(--rule)", strokeOpacity: 1 } as const;
const axis = { tickSize: 0, tickPadding: 8, labelArrow: "none", fill: "var(--quiet)" } as const;

/** Of an axis with many ticks, the label at its end. */
export const ticked = { labelAnchor: "right", labelArrow: "none" } as const;

export function gridX(Plot: typeof plot, ticks: Ticks): plot.Markish {
  return Plot.gridX({ ticks, ...grid });
}

export function gridY(Plot: typeof plot, ticks: Ticks): plot.Markish {
  return Plot.gridY({ ticks, ...grid });
}

/** The line that a picture stands on. */
export function floor(Plot: typeof plot, [low]: Range): plot.Markish {
  return Plot.ruleY([low], { stroke: "var(--edge)" });
}

export function axisX(Plot: typeof plot, ticks: Ticks, label: string | null, options: plot.AxisXOptions = {}): plot.Markish {
  return Plot.axisX({ ticks, label, ...axis, ...options });
}

export function axisY(Plot: typeof plot, ticks: Ticks, label: string | null, options: plot.AxisYOptions = {}): plot.Markish {
  return Plot.axisY({ ticks, label, ...axis, ...options });
}

/** An axis along x of which only the ends are named, with the line that it is. */
export function ends(Plot: typeof plot, [low, high]: Range, name: (value: number) => string): plot.Markish[] {
  const ends = { tickFormat: name, tickPadding: 6 };
  return [axisX(Plot, [low], null, ends), axisX(Plot, [high], null, { ...ends, textAnchor: "end" })];
}

/** A text with ground around it, so that it can be read on lines. */
export function written(Plot: typeof plot, text: string, fill: string, fontWeight: number, options: plot.TextOptions): plot.Markish {
  return Plot.text([text], { text: [text], fill, fontWeight, stroke: "var(--ground)", strokeWidth: 4, textAnchor: "start", ...options });
}

/** Where a value lies on a scale: at 0 its lower end, at 1 the upper, and beyond. */
export function share([low, high]: Range, value: number, scale: "log" | "linear" = "linear"): number {
  if (scale === "log") return share([Math.log(low), Math.log(high)], Math.log(Math.max(0, value)));
  return (value - low) / (high - low || 1);
}

/** A value held to a scale. */
export function hold([low, high]: Range, value: number): number {
  return Math.min(Math.max(value, low), high);
}

export type Point = readonly [x: number, y: number];

/** A line with its band, a low and a high for each x, and its markers. */
export function lineMarks(Plot: typeof plot, { colour, dash, symbol }: Omit<Key, "name">, strokeWidth: number, path: readonly Point[], spots: readonly Point[], band: readonly (readonly [x: number, low: number, high: number])[]): plot.Markish[] {
  const stroke = `var(--${colour})`;
  return [
    band.length > 0 ? Plot.areaY(band, { x: "0", y1: "1", y2: "2", fill: stroke, fillOpacity: 0.15 }) : null,
    Plot.line(path, { stroke, strokeWidth, strokeDasharray: dash, strokeLinejoin: "round" }),
    symbol === "" ? null : Plot.dot(spots, { symbol, fill: stroke, r: 3.5 }),
  ];
}

/** The nearest of several places to a value; null where there is none. */
function nearest(places: readonly number[], value: number): number | null {
  return places.reduce<number | null>((best, place) => (best !== null && Math.abs(best - value) <= Math.abs(place - value) ? best : place), null);
}

/** A line from the top to the bottom of the box. */
export function hair(x: number, look = ""): TemplateResult {
  return html`<div class="hair ${look}" data-cursor style="left:${100 * x}%"></div>`;
}

/** What a cursor along x has: the nearest place to a pointer is meant, at whatever height. */
export function along(domain: Range, places: readonly number[]): Pick<Cursor<number>, "places" | "mark" | "at" | "stays"> {
  return {
    places,
    mark: (place) => hair(share(domain, place)),
    at: (x, _, { width }) => nearest(places, domain[0] + (x / width) * (domain[1] - domain[0])),
    stays: (place) => nearest(places, place),
  };
}
