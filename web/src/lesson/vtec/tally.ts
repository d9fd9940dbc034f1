// The table that is made of windows: by day and, with the paired interval of what days differ by, by
// station, hour and elevation. Sums are in the survey's order and averages in that of days, so that the bits
// do not depend on which window came first. core/vtec does the same, to the bit:
// core/vtec/testdata/tally.json is an example for both.
import type { EngineError, Fix, Window } from "../../engine/protocol.js";
import { isError, isUsable, type Results } from "./windows.js";

const HOURS = 3; // of a span
const SPANS = Array.from({ length: 24 / HOURS }, (_, i) => `${HOURS * i}–${HOURS * (i + 1)} h UT`);
const FEWEST = 3; // days, from which on they are the blocks
const BANDS = ["15–30°", "30–50°", "50–90°"];
const SMALL = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]; // .975 quantiles of Student's t

/** A part of the test differences. */
export interface Group {
  readonly name: string;
  readonly differences: number;
  readonly rmse: readonly number[]; // a method each: the mean of that of the blocks
  readonly blocks: readonly (readonly number[])[]; // RMSE of each block with differences, a method each
}

export interface Groups {
  readonly hourly: boolean; // blocks are hours: there are less than three days
  readonly all: Group;
  readonly stations: readonly Group[];
  readonly hours: readonly Group[];
  readonly elevations: readonly Group[];
}

const MEMORY = 0.9; // the largest correlation of hours that an interval allows for

/** By how much the RMSE of a method is above another's, and half the width of its 95 % interval; NaN from one block. Hours resemble the next ones, which widens it. */
export function lead({ blocks }: Group, a: number, b: number, hourly: boolean): { readonly mean: number; readonly half: number } {
  const off = blocks.map((rmse) => (rmse[a] ?? Number.NaN) - (rmse[b] ?? Number.NaN));
  const n = off.length;
  const mean = off.reduce((sum, d) => sum + d, 0) / n;
  const squares = off.reduce((sum, d) => sum + (d - mean) * (d - mean), 0);
  if (n < 2) return { mean, half: Number.NaN };
  const products = off.reduce((sum, d, i) => sum + ((off[i - 1] ?? mean) - mean) * (d - mean), 0);
  const rho = hourly && squares > 0 ? Math.min(Math.max(products / squares, 0), MEMORY) : 0;
  return { mean, half: (SMALL[n - 2] ?? 1.96 + 2.6 / (n - 1)) * Math.sqrt(squares / (n * (n - 1))) * Math.sqrt((1 + rho) / (1 - rho)) };
}

/** Sums of squares over blocks, in the order in which these begin. */
class Sums {
  private readonly blocks = new Map<number, { test: number; readonly squares: number[] }>();

  constructor(private readonly methods: number) {}

  add(block: number, test: number, squares: ArrayLike<number>, from = 0): void {
    if (test === 0) return;
    const sum = this.blocks.get(block) ?? { test: 0, squares: Array.from({ length: this.methods }, () => 0) };
    this.blocks.set(block, sum);
    sum.test += test;
    for (let m = 0; m < this.methods; m++) sum.squares[m] = (sum.squares[m] ?? 0) + (squares[from + m] ?? Number.NaN);
  }

  /** RMSE of a block, a method each; NaN without any differences. */
  rmse(block: number): number[] {
    const { test = 0, squares = [] } = this.blocks.get(block) ?? {};
    return Array.from({ length: this.methods }, (_, m) => Math.sqrt((squares[m] ?? 0) / test));
  }

  group(name: string): Group {
    const blocks = [...this.blocks.keys()].map((block) => this.rmse(block));
    const rmse = Array.from({ length: this.methods }, (_, m) => blocks.reduce((sum, block) => sum + (block[m] ?? Number.NaN), 0) / blocks.length);
    return { name, differences: [...this.blocks.values()].reduce((sum, { test }) => sum + test, 0), rmse, blocks };
  }
}

/** Sums up in the survey's order, so that the bits do not depend on that of the windows. */
function groupsOf({ survey, windows }: Pick<Results, "survey" | "windows">): Groups {
  const { methods, stations, day, minute } = survey;
  const used = windows.flatMap((window, i) => (isUsable(window) ? [{ window, i }] : []));
  const hourly = new Set(used.map(({ i }) => day[i])).size < FEWEST;
  const split = (names: readonly string[], add: (parts: readonly Sums[], window: Window, i: number, block: number) => void): Group[] => {
    const parts = names.map(() => new Sums(methods.length));
    for (const { window, i } of used) add(parts, window, i, hourly ? (day[i] ?? 0) * 24 + Math.floor((minute[i] ?? 0) / 60) : (day[i] ?? 0));
    return parts.map((part, k) => part.group(names[k] ?? ""));
  };
  const isBegun = ({ blocks }: Group): boolean => blocks.length > 0;
  return {
    hourly,
    all: split(["all"], ([sums], { test, squares }, _, block) => sums?.add(block, test, squares))[0] as Group,
    stations: split(stations, (parts, { test, squares }, i, block) => parts[survey.station[i] ?? 0]?.add(block, test, squares)).filter(isBegun),
    hours: split(SPANS, (parts, { test, squares }, i, block) => parts[Math.floor((minute[i] ?? 0) / 60 / HOURS)]?.add(block, test, squares)).filter(isBegun),
    elevations: split(BANDS, (parts, { bandTest, bandSquares }, _, block) => parts.forEach((part, k) => part.add(block, bandTest[k] ?? 0, bandSquares, k * methods.length))).filter(isBegun),
  };
}

/** The table by day; numbers are NaN before there are any, and groups null before there are windows. */
export type Tally = Omit<ReturnType<typeof tabulate>, "groups"> & { readonly groups: Groups | null };

/** The table before there are any windows. */
export function blank(methods: readonly string[], days: readonly string[], fixes: boolean): Tally {
  const none = methods.map(() => Number.NaN);
  const rows = days.map((day) => ({ day, of: 0, over: 0, used: 0, zero: Number.NaN, rmse: none }));
  const positions = { of: 0, over: 0, used: 0, tried: 0, none: Number.NaN, perfect: Number.NaN, share: none, error: () => Number.NaN };
  return { methods, rows, zero: Number.NaN, average: none, groups: null, positions: fixes ? positions : null, unusable: [] };
}

export function tabulate({ survey, windows, fixes }: Results) {
  const { methods, days, day, minute, fixDay, fixMinute } = survey;
  const daily = new Sums(methods.length + 1); // the last is predicting 0
  windows.forEach((window, i) => {
    if (isUsable(window)) daily.add(day[i] ?? 0, window.test, [...window.squares, window.zero]);
  });
  const rows = days.map((name, d) => {
    const own = windows.filter((_, i) => day[i] === d);
    const rmse: readonly number[] = daily.rmse(d); // metres
    return { day: name, of: own.length, over: own.filter(Boolean).length, used: own.filter(isUsable).length, zero: rmse.at(-1) ?? Number.NaN, rmse: rmse.slice(0, -1) };
  });
  const average = daily.group("").rmse; // over the days that have any
  const reason = (one: Window | Fix | EngineError): string => (isError(one) ? one.message : one.unusable);
  const lost = (what: "window" | "fix", all: readonly (Window | Fix | EngineError | null)[], on: ArrayLike<number>, at: ArrayLike<number>) =>
    all.flatMap((one, i) => (one === null || isUsable(one) ? [] : [{ what, day: days[on[i] ?? 0] ?? "", minute: at[i] ?? 0, reason: reason(one) }]));
  return {
    methods,
    rows,
    zero: average.at(-1) ?? Number.NaN,
    average: average.slice(0, -1),
    groups: groupsOf({ survey, windows }),
    positions: fixes.length === 0 ? null : positionsOf(fixes, methods),
    unusable: [...lost("window", windows, day, minute), ...lost("fix", fixes, fixDay, fixMinute)],
  };
}

/** The row about positions of the test station: shares of those that were tried. */
function positionsOf(fixes: Results["fixes"], methods: readonly string[]) {
  const usable = fixes.filter(isUsable);
  const total = (of: (fix: Fix) => number): number => usable.reduce((sum, fix) => sum + of(fix), 0);
  const tried = total((fix) => fix.tried);
  return {
    of: fixes.length,
    over: fixes.filter(Boolean).length,
    used: usable.length,
    tried,
    none: total(({ none }) => none) / tried, // fixed and within a centimetre with no correction
    perfect: total(({ perfect }) => perfect) / tried, // with the true delays
    share: methods.map((_, m) => total(({ fixed }) => fixed[m] ?? 0) / tried), // with a method
    /** The standard error of the difference of two methods' shares: they have windows and noise in common. */
    error: (a: number, b: number) => errorOf(usable, a, b),
  };
}

/** From the differences of windows, taken for independent and weighted by their attempts; NaN from fewer than two. */
function errorOf(fixes: readonly Fix[], a: number, b: number): number {
  const tried = fixes.reduce((sum, fix) => sum + fix.tried, 0);
  const difference = ({ fixed }: Fix): number => (fixed[a] ?? Number.NaN) - (fixed[b] ?? Number.NaN);
  const mean = fixes.reduce((sum, fix) => sum + difference(fix), 0) / tried;
  const squares = fixes.reduce((sum, fix) => {
    const off = (difference(fix) - mean * fix.tried) * (fixes.length / tried);
    return sum + off * off;
  }, 0);
  return Math.sqrt(squares / (fixes.length * (fixes.length - 1)));
}

/** The places of the best of a row; several if they are equal in print. */
export function best(values: readonly number[], most: boolean, print: (value: number) => string): ReadonlySet<number> {
  const known = values.filter((v) => !Number.isNaN(v));
  const first = print(most ? Math.max(...known) : Math.min(...known));
  return new Set(known.length > 1 ? values.flatMap((v, i) => (!Number.isNaN(v) && print(v) === first ? [i] : [])) : []);
}

/** An RMSE with as many digits as the paper has. */
export function fixed(value: number): string {
  return Number.isNaN(value) ? "–" : value.toFixed(5);
}

/** A share in percent, with its first decimal whatever its size: rows compare. */
export function percent(share: number): string {
  return Number.isNaN(share) ? "–" : `${(100 * share).toFixed(1)} %`;
}

/** How many windows are over, or how many there are. */
export function sum({ rows }: Tally, key: "over" | "of"): number {
  return rows.reduce((total, row) => total + row[key], 0);
}

/** Whether nothing is missing of it. */
export function isWhole({ rows, positions }: Tally): boolean {
  return [...rows, ...(positions ? [positions] : [])].every(({ over, of }) => over === of);
}
