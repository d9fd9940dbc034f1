// The table that is made of windows: sums in the survey's order, the average's in
// that of days, so that its bits are the same whatever the order in which the
// windows came. Tabulate of core/vtec does the same, to the bit:
// core/vtec/testdata/tally.json is an example for both.
import type { Fix } from "../../engine/protocol.js";
import { groupsOf, type Groups } from "./groups.js";
import { isError, type Results } from "./windows.js";

/** A row of the table: a day. */
interface Row {
  readonly day: string;
  readonly of: number; // windows
  readonly over: number;
  readonly used: number; // of those that are over
  readonly zero: number; // RMSE of predicting 0, metres; NaN before there is a window, like the next
  readonly rmse: readonly number[]; // metres, a method each
}

/** A window that could not be used. */
interface Unusable {
  readonly what: "window" | "fix";
  readonly day: string;
  readonly minute: number;
  readonly reason: string;
}

/** The row about positions of the test station. */
interface Positions {
  readonly of: number; // windows in which they are tried
  readonly over: number;
  readonly used: number; // of those that are over
  readonly tried: number; // positions in them
  readonly none: number; // of them that are fixed and within a centimetre with no correction, and next with the true delays
  readonly perfect: number;
  readonly share: readonly number[]; // of them that are fixed and within a centimetre, a method each
  /** The standard error of the share of a method less that of another: methods have windows and noise in common. */
  readonly error: (a: number, b: number) => number;
}

export interface Tally {
  readonly methods: readonly string[];
  readonly rows: readonly Row[];
  readonly zero: number; // mean over the days that have any, like the next
  readonly average: readonly number[];
  readonly groups: Groups | null; // null before there are windows
  readonly positions: Positions | null; // null where none are asked for
  readonly unusable: readonly Unusable[];
}

export function tabulate({ survey, windows, fixes }: Results): Tally {
  const { methods, days } = survey;
  const unusable: Unusable[] = [];
  const sums = days.map(() => ({ of: 0, over: 0, used: 0, test: 0, zero: 0, squares: methods.map(() => 0) }));
  windows.forEach((window, i) => {
    const at = survey.day[i] ?? 0;
    const sum = sums[at];
    if (!sum) return;
    sum.of++;
    if (!window) return;
    sum.over++;
    const reason = isError(window) ? window.message : window.unusable;
    if (isError(window) || reason !== "") {
      unusable.push({ what: "window", day: days[at] ?? "", minute: survey.minute[i] ?? 0, reason });
      return;
    }
    sum.used++;
    sum.test += window.test;
    sum.zero += window.zero;
    for (let m = 0; m < methods.length; m++) sum.squares[m] = (sum.squares[m] ?? 0) + (window.squares[m] ?? Number.NaN);
  });
  const rows = sums.map(({ of, over, used, test, zero, squares }, at): Row => ({ day: days[at] ?? "", of, over, used, zero: Math.sqrt(zero / test), rmse: squares.map((sum) => Math.sqrt(sum / test)) }));
  const begun = rows.filter(({ used }) => used > 0);
  const mean = (of: (row: Row) => number): number => begun.reduce((sum, row) => sum + of(row), 0) / begun.length;
  let [over, tried, none, perfect] = [0, 0, 0, 0];
  const usable: Fix[] = [];
  const hits = methods.map(() => 0);
  fixes.forEach((fix, i) => {
    if (!fix) return;
    over++;
    const reason = isError(fix) ? fix.message : fix.unusable;
    if (isError(fix) || reason !== "") {
      unusable.push({ what: "fix", day: days[survey.fixDay[i] ?? 0] ?? "", minute: survey.fixMinute[i] ?? 0, reason });
      return;
    }
    usable.push(fix);
    tried += fix.tried;
    none += fix.none;
    perfect += fix.perfect;
    for (let m = 0; m < methods.length; m++) hits[m] = (hits[m] ?? 0) + (fix.fixed[m] ?? 0);
  });
  return {
    methods,
    rows,
    zero: mean((row) => row.zero),
    average: methods.map((_, m) => mean((row) => row.rmse[m] ?? Number.NaN)),
    groups: groupsOf({ survey, windows }),
    positions: fixes.length === 0 ? null : { of: fixes.length, over, used: usable.length, tried, none: none / tried, perfect: perfect / tried, share: hits.map((n) => n / tried), error: (a, b) => errorOf(usable, a, b) },
    unusable,
  };
}

/** From what windows differ by, which are taken for independent and count by their attempts; NaN for less than two. */
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

/** The places of the best of a row, several where they are level: equal as they are printed. */
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
