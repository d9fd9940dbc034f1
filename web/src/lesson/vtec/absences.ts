// What the cells of a sweep over the ionosphere say: days without one of their
// stations, and beside them days with the errors at all stations in one sum, as
// Table 1 has them.
import { form, type Settings } from "../../state/spec.js";
import { median, middleHalf } from "../chapter/measure.js";
import { lay, type Entry, type Laid } from "../sweep/lay.js";
import type { Absence, Sweep } from "../sweep/sweep.js";
import { paper } from "./methods.js";
import { fields, read } from "./settings.js";
import { best, fixed } from "./tally.js";
import { isUsable, type Results } from "./windows.js";

export const BASE = "ridge"; // that others are compared with
export const ALL = 0; // where stations count from 1: all of them together

/** A method's error in a cell. */
export interface Outcome {
  readonly absence: Absence | null; // null: of all stations together
  readonly rmse: number; // metres; NaN where no window could be used
  readonly base: number; // that of ridge regression
}

/** What goes along numbers, the likeliest to go across first. */
const ACROSS = ["station", ...fields.filter(({ kind }) => kind === "float" || kind === "int").map(({ key }) => key)];

/** Settings that choose which cells there are, and those that no cell depends on. */
const APART: ReadonlySet<string> = new Set(["seed", "methods", "fixes", "trust", "fixfmrank", "fixfmlambda", "fixifmrank", "fixifmlambda"]);

/** √(Σ squares ÷ Σ differences) by method, of several cells together. */
export function rmseOf(cells: readonly Pick<Absence, "differences" | "squares">[], method: string): number {
  const used = cells.filter(({ differences }) => differences > 0);
  const differences = used.reduce((sum, cell) => sum + cell.differences, 0);
  return differences > 0 ? Math.sqrt(used.reduce((sum, { squares }) => sum + (squares[method] ?? Number.NaN), 0) / differences) : Number.NaN;
}

/** The days of a sweep, each with its cells. */
function daysOf({ absences }: Sweep): readonly (readonly Absence[])[] {
  const days = new Map<string, Absence[]>();
  for (const absence of absences) {
    const name = `${absence.day} ${absence.query}`;
    days.set(name, [...(days.get(name) ?? []), absence]);
  }
  return [...days.values()];
}

/** The cells by station across and method down, or by whatever else their links differ in. */
export function layAbsences(sweep: Sweep): Laid<Outcome> {
  const several = new Set(sweep.absences.map(({ station }) => station)).size > 1;
  const written = settingsOf(sweep);
  const entries = daysOf(sweep).flatMap((day): Entry<Outcome>[] => {
    const query = day[0]?.query ?? "";
    const entry = (method: string, station: number, cells: readonly Absence[], absence: Absence | null): Entry<Outcome> => ({
      of: { absence, rmse: rmseOf(cells, method), base: rmseOf(cells, BASE) },
      at: new Map([["method", method], ["station", String(station)], ...(written.get(query) ?? [])]),
      query,
    });
    return (sweep.skies.get(query)?.methods ?? []).flatMap((method) => [...(several ? [entry(method, ALL, day, null)] : []), ...day.map((cell) => entry(method, cell.station + 1, [cell], cell))]);
  });
  return lay(entries, ACROSS, fields);
}

/** By link what its settings are, as far as they are not as usual in all links. */
function settingsOf({ skies }: Sweep): ReadonlyMap<string, readonly (readonly [string, string])[]> {
  const all = [...skies].map(([query, { part }]) => [query, read(part) as unknown as Settings] as const);
  const told = fields.filter((field) => !APART.has(field.key) && all.some(([, settings]) => form(settings[field.key] ?? "") !== field.default));
  return new Map(all.map(([query, settings]) => [query, told.map(({ key }) => [key, form(settings[key] ?? "")] as const)]));
}

export const measures = ["rmse", "low", "high", "ahead"] as const;
export type Measure = (typeof measures)[number];

/** The median or a quartile of the cells, or the share in which a method is below ridge regression; NaN without such cells. */
export function value(outcomes: readonly Outcome[], of: Measure): number {
  const known = outcomes.filter(({ rmse }) => Number.isFinite(rmse));
  const values = known.map(({ rmse }) => rmse);
  if (of === "rmse") return median(values);
  if (of === "ahead") return known.filter(({ rmse, base }) => rmse < base).length / known.filter(({ base }) => Number.isFinite(base)).length;
  return middleHalf(values)[of === "low" ? 0 : 1];
}

/** The cell in the middle of a place; null if it has all stations together, or no error. */
export function middle(outcomes: readonly Outcome[]): Absence | null {
  const sorted = outcomes.filter(({ absence, rmse }) => absence && Number.isFinite(rmse)).sort((a, b) => a.rmse - b.rmse);
  return sorted[Math.floor((sorted.length - 1) / 2)]?.absence ?? null;
}

/** How iFM stands among the paper's methods on the days that have a number of each, all stations in one sum: won alone or level, or ahead of ridge regression. */
export function standing(sweep: Sweep) {
  const rows = daysOf(sweep).flatMap((day) => {
    const methods = (sweep.skies.get(day[0]?.query ?? "")?.methods ?? []).filter((method) => paper.includes(method));
    const rmse = methods.map((method) => rmseOf(day, method));
    return methods.includes("ifm") && methods.includes(BASE) && rmse.every(Number.isFinite) ? [{ rmse, ifm: methods.indexOf("ifm"), base: methods.indexOf(BASE) }] : [];
  });
  if (rows.length === 0) return null;
  return { days: rows.length, won: rows.filter(({ rmse, ifm }) => best(rmse, false, fixed).has(ifm)).length, ahead: rows.filter(({ rmse, ifm, base }) => (rmse[ifm] ?? Number.NaN) < (rmse[base] ?? Number.NaN)).length };
}

/** What the windows that are over say of their cell. */
export function sumOf({ survey, windows }: Pick<Results, "survey" | "windows">): Pick<Absence, "windows" | "unusable" | "differences" | "squares"> {
  const used = windows.filter(isUsable);
  return {
    windows: used.length,
    unusable: windows.filter(Boolean).length - used.length,
    differences: used.reduce((sum, { test }) => sum + test, 0),
    squares: Object.fromEntries(survey.methods.map((method, m) => [method, used.reduce((sum, { squares }) => sum + (squares[m] ?? Number.NaN), 0)])),
  };
}

export type Agreement = ReturnType<typeof agreement>;

/** By how much sums differ at most, as a share of their size (∞ where one is missing), and whether every RMSE is the same in print. */
export function agreement(here: Pick<Absence, "differences" | "squares">, there: Pick<Absence, "differences" | "squares">) {
  const methods = Object.keys({ ...here.squares, ...there.squares });
  const apart = methods.map((method) => {
    const [x, y] = [here.squares[method] ?? Number.NaN, there.squares[method] ?? Number.NaN];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) && Number.isNaN(y) ? 0 : Number.POSITIVE_INFINITY;
    return Math.abs(x - y) / Math.max(Math.abs(x), Math.abs(y), Number.MIN_VALUE);
  });
  return {
    apart: here.differences === there.differences ? Math.max(0, ...apart) : Number.POSITIVE_INFINITY,
    printed: methods.every((method) => fixed(rmseOf([here], method)) === fixed(rmseOf([there], method))),
  };
}
