// The range of a chart of errors. The figure's is fixed when a run starts; a table's
// grows with its lines.
import type { Started } from "../engine/protocol.js";
import type { Spec } from "../state/spec.js";
import type { Line } from "../training/series.js";
import type { ModelError } from "../training/standing.js";
import { hold, share, type Point } from "./marks.js";
import { decades, multiples, roundUp } from "./ticks.js";

export interface Axes {
  readonly scale: "log" | "linear";
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
  readonly ticks: readonly number[]; // of y
}

const DECADES = 4; // below a linear model's error, on the figure's log axis

/** The figure's: the same for all signs, in shares of a linear model's error. */
export function shareAxis(scale: "log" | "linear", iterations: number, whole: number): Axes {
  const x = [0, iterations] as const;
  if (scale === "linear") return { scale, x, y: [0, 1.04 * whole], ticks: [0, 0.5 * whole, whole] };
  const ticks = Array.from({ length: DECADES + 1 }, (_, i) => whole * 10 ** -i);
  return { scale, x, y: [0.8 * whole * 10 ** -DECADES, 1.3 * whole], ticks };
}

/** Around ridge, where the interesting differences are, down to the lowest line, and up to what finished lines have kept where that beats the mean. The x axis doubles when the lines reach its end. */
export function axis(scale: "log" | "linear", spec: Spec, started: Started, lines: readonly Line[], references: readonly ModelError[]): Axes {
  const last = Math.max(0, ...lines.map((line) => line.iteration.at(-1) ?? 0));
  let end = Math.min(20, spec.iterations);
  while (end < last) end = Math.min(2 * end, Math.max(last, spec.iterations));
  const x = [0, end] as const;
  const ridge = Number.isFinite(started.ridge) && started.ridge > 0 ? started.ridge : started.mean;
  const kept = Math.max(...lines.flatMap((line) => (line.done ? [line.kept] : [])).filter(Number.isFinite), 0);
  const high = Math.max(1.15 * ridge, Math.min(1.08 * started.mean, Math.max(1.3 * ridge, 1.08 * kept)));
  const least = Math.min(Number.POSITIVE_INFINITY, ...lines.flatMap((line) => line.error), ...references.map(({ error }) => error));
  let low = 0.8 * ridge;
  while (least < low * 1.02 && low > 1e-3 * ridge) low *= 0.75;
  if (scale === "linear") return linear(x, low, high);
  return high / low > 20 ? logarithmic(x, Math.floor(Math.log10(low)), Math.log10(high)) : { ...linear(x, low, high), scale };
}

/** From 10^low, low being whole, to 10^high. */
function logarithmic(x: readonly [number, number], low: number, high: number): Axes {
  return { scale: "log", x, y: [10 ** low, 10 ** high], ticks: decades(low, Math.floor(high)) };
}

function linear(x: readonly [number, number], low: number, high: number): Axes {
  return { scale: "linear", x, y: [low, high], ticks: multiples(roundUp((high - low) / 5), low, high) };
}

/** Which edge a value is beyond: 1 the upper, −1 the lower, 0 none. */
export function beyond(a: Axes, value: number): -1 | 0 | 1 {
  return value > a.y[1] ? 1 : value < a.y[0] ? -1 : 0;
}

/**
 * A line as far as it lies on the axis. Its path has a gap, a NaN, wherever it
 * is beyond an edge; exits are the points of that edge where it leaves, or
 * where it begins when it begins beyond.
 */
export function clip(a: Axes, points: readonly Point[]): { readonly path: readonly Point[]; readonly exits: readonly Point[] } {
  const path: Point[] = [];
  const exits: Point[] = [];
  /** Where the way from p to q meets an edge; at p where q is infinitely far. */
  const meet = (side: -1 | 1, [x, y]: Point, [toX, toY]: Point): Point => {
    const [from, to] = [share(a.y, y, a.scale), share(a.y, toY, a.scale)];
    const t = ((side > 0 ? 1 : 0) - from) / (to - from);
    return [x + (Number.isFinite(t) ? t : 0) * (toX - x), a.y[side > 0 ? 1 : 0]];
  };
  points.forEach((point, i) => {
    const before = points[i - 1];
    const [was, is] = [before ? beyond(a, before[1]) : 0, beyond(a, point[1])];
    if (before && was !== 0 && is !== was) path.push(meet(was, point, before));
    if (is === 0) path.push(point);
    if (is === 0 || (before && is === was)) return;
    const exit = before ? meet(is, before, point) : ([point[0], hold(a.y, point[1])] as const);
    if (before) path.push(exit);
    path.push([point[0], Number.NaN]);
    exits.push(exit);
  });
  return { path, exits };
}
