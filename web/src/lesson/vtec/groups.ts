// What the table says beyond its days: by station, by hour, by elevation, with the
// paired interval of what days differ by. Groups of core/vtec do the same, to the bit:
// core/vtec/testdata/tally.json is an example for both.
import type { Window } from "../../engine/protocol.js";
import { isUsable, type Results } from "./windows.js";

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

/** By how much the RMSE of a method is above that of another, and half the width of the 95 % interval; NaN of less than two blocks. Hours are alike from one to the next, which makes it wider. */
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
export class Sums {
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
export function groupsOf({ survey, windows }: Pick<Results, "survey" | "windows">): Groups {
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
