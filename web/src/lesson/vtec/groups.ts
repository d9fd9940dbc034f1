// What the table says beyond its days: by station, by hour, by elevation, with the
// paired interval of what days differ by. Groups of core/vtec do the same, to the bit:
// core/vtec/testdata/tally.json is an example for both.
import { isError, type Results } from "./windows.js";

const HOURS = 3; // of a span
const SPANS = 24 / HOURS;
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

/** A group that is being summed up. */
class Gathered {
  private readonly at: number[] = [];
  private readonly blocks: { test: number; readonly squares: number[] }[] = [];

  constructor(private readonly methods: number) {}

  get empty(): boolean {
    return this.at.length === 0;
  }

  add(at: number, test: number, squares: ArrayLike<number>, from = 0): void {
    if (test === 0) return;
    if (this.at.at(-1) !== at) {
      this.at.push(at);
      this.blocks.push({ test: 0, squares: Array.from({ length: this.methods }, () => 0) });
    }
    const block = this.blocks.at(-1);
    if (!block) return;
    block.test += test;
    for (let m = 0; m < this.methods; m++) block.squares[m] = (block.squares[m] ?? 0) + (squares[from + m] ?? Number.NaN);
  }

  group(name: string): Group {
    const blocks = this.blocks.map(({ test, squares }) => squares.map((v) => Math.sqrt(v / test)));
    const rmse = Array.from({ length: this.methods }, (_, m) => blocks.reduce((sum, block) => sum + (block[m] ?? Number.NaN), 0) / blocks.length);
    return { name, differences: this.blocks.reduce((sum, { test }) => sum + test, 0), rmse, blocks };
  }
}

/** Sums up in the survey's order, so that the bits do not depend on that of the windows. */
export function groupsOf({ survey, windows }: Pick<Results, "survey" | "windows">): Groups {
  const methods = survey.methods.length;
  const used = windows.flatMap((window, i) => (window && !isError(window) && window.test > 0 ? [{ window, i, day: survey.day[i] ?? 0, minute: survey.minute[i] ?? 0 }] : []));
  const hourly = new Set(used.map(({ day }) => day)).size < FEWEST;
  const some = (n: number): Gathered[] => Array.from({ length: n }, () => new Gathered(methods));
  const all = new Gathered(methods);
  const [stations, hours, bands] = [some(survey.stations.length), some(SPANS), some(BANDS.length)];
  for (const { window, i, day, minute } of used) {
    const at = hourly ? day * 24 + Math.floor(minute / 60) : day;
    all.add(at, window.test, window.squares);
    stations[survey.station[i] ?? 0]?.add(at, window.test, window.squares);
    hours[Math.floor(minute / 60 / HOURS)]?.add(at, window.test, window.squares);
    bands.forEach((band, k) => band.add(at, window.bandTest[k] ?? 0, window.bandSquares, k * methods));
  }
  const named = (of: readonly Gathered[], name: (i: number) => string): Group[] => of.flatMap((gathered, i) => (gathered.empty ? [] : [gathered.group(name(i))]));
  return {
    hourly,
    all: all.group("all"),
    stations: named(stations, (i) => survey.stations[i] ?? ""),
    hours: named(hours, (i) => `${HOURS * i}–${HOURS * (i + 1)} h UT`),
    elevations: named(bands, (i) => BANDS[i] ?? ""),
  };
}
