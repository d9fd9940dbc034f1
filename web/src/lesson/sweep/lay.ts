// A sweep as a table: what varies along its longest axis goes across, all else that
// varies makes rows, and the runs of a place are counted together.
import { fields, form, type Field, type Spec } from "../../state/spec.js";
import { median, SUCCESS } from "../chapter/measure.js";
import type { Run, Sweep } from "./sweep.js";

/** What of runs varies along numbers, the likeliest to go across first. */
const ACROSS = ["ratio", "n", "tau", "k", "d"] as const;

/** Settings that choose which runs there are, or follow from others. */
const APART: ReadonlySet<string> = new Set(["seed", "trials", "models", "sweep", "ratios", "ks", "taus", "test", "iterations"]);

/** A setting that is the same for all runs of a row, or across of a column. */
export interface Setting {
  readonly key: string; // of a Spec; "model" and "ratio", n/(dk), beside them
  readonly value: string;
}

/** What is laid: a run or its like, by what it is. */
export interface Entry<T> {
  readonly of: T;
  readonly at: ReadonlyMap<string, string>; // its settings, each in its written form
  readonly query: string; // that stands for it
}

interface Row<T> {
  readonly settings: readonly Setting[];
  readonly places: readonly Place<T>[]; // one for each value across
}

/** What stands in one row and column. */
export interface Place<T> {
  readonly query: string; // of the run that stands for them; "": there are none
  readonly runs: readonly T[];
}

export interface Laid<T> {
  readonly across: string | null; // null: nothing goes along numbers, and there is one column
  readonly values: readonly number[]; // across, rising; one where nothing does
  readonly rows: readonly Row<T>[];
  readonly same: readonly Setting[]; // what all share and is not as usual
  readonly tied: readonly Tied[]; // what no row needs to say
}

/** Settings that each run of another setting has, and that only follow from it. */
interface Tied {
  readonly by: Setting;
  readonly settings: readonly Setting[];
}

/** Lays entries along one of the axes, the likeliest first. usual: the settings, with their defaults. */
export function lay<T>(entries: readonly Entry<T>[], axes: readonly string[], usual: readonly Field[]): Laid<T> {
  const keys = [...new Set(entries.flatMap(({ at }) => [...at.keys()]))];
  const counts = new Map(keys.map((key) => [key, new Set(entries.map(({ at }) => at.get(key))).size]));
  const distinct = (key: string): number => counts.get(key) ?? 0;
  const differ = keys.filter((key) => distinct(key) > 1);
  const varied = differ.filter((key) => key !== "n" || !differ.includes("ratio")); // beside n/(dk) it says nothing
  const across = axes.filter((key) => varied.includes(key)).sort((a, b) => distinct(b) - distinct(a))[0] ?? null;
  const values = across === null ? [Number.NaN] : [...new Set(entries.map(({ at }) => Number(at.get(across))))].sort((a, b) => a - b);
  const { down, tied } = untied(entries.map(({ at }) => at), keys.filter((key) => varied.includes(key) && key !== across), axes);
  const rows = new Map<string, { settings: Setting[]; places: { query: string; runs: T[] }[] }>();
  for (const { of, at, query } of entries) {
    const settings = down.map((key) => ({ key, value: at.get(key) ?? "" }));
    const name = JSON.stringify(settings);
    const row = rows.get(name) ?? { settings, places: values.map(() => ({ query: "", runs: [] })) };
    rows.set(name, row);
    const place = row.places[across === null ? 0 : values.indexOf(Number(at.get(across)))];
    place?.runs.push(of);
    if (place) place.query ||= query;
  }
  const defaults = new Map(usual.map((field) => [field.key, field.default]));
  const first = entries[0]?.at ?? new Map<string, string>();
  const same = keys.filter((key) => !differ.includes(key) && first.get(key) !== defaults.get(key)).map((key) => ({ key, value: first.get(key) ?? "" }));
  return { across, values, rows: [...rows.values()], same, tied };
}

/** Splits the settings that vary into those that tell rows apart and those that follow from one of them. Models, numbers and solvers tell before others. */
function untied(entries: readonly ReadonlyMap<string, string>[], varied: readonly string[], axes: readonly string[]): { down: readonly string[]; tied: readonly Tied[] } {
  const telling = ["model", "method", ...axes, "solver"];
  const rank = (key: string): number => (telling.includes(key) ? telling.indexOf(key) : telling.length);
  const by = (key: string, other: string): ReadonlyMap<string, string> | null => {
    const known = new Map<string, string>();
    for (const at of entries) {
      const [value = "", given = ""] = [at.get(key), at.get(other)];
      if ((known.get(given) ?? value) !== value) return null;
      known.set(given, value);
    }
    return known;
  };
  let down = [...varied];
  for (const key of varied.toSorted((a, b) => rank(b) - rank(a))) {
    const rest = down.filter((other) => other !== key);
    if (rest.some((other) => by(key, other))) down = rest;
  }
  const tied = new Map<string, { by: Setting; settings: Setting[] }>();
  for (const key of varied.filter((one) => !down.includes(one))) {
    const other = down.toSorted((a, b) => rank(a) - rank(b)).find((one) => by(key, one));
    for (const [given, value] of other === undefined ? [] : (by(key, other) ?? [])) {
      const name = JSON.stringify([other, given]);
      const held = tied.get(name) ?? { by: { key: other ?? "", value: given }, settings: [] };
      held.settings.push({ key, value });
      tied.set(name, held);
    }
  }
  return { down, tied: [...tied.values()] };
}

/** The values of one setting, preferably a number, that split the rows into parts of at most so many; none if there are no more rows, or no setting does. */
export function slices<T>({ rows }: Laid<T>, most: number): readonly Setting[] {
  if (rows.length <= most) return [];
  const found = (rows[0]?.settings ?? []).flatMap(({ key }) => {
    const values = rows.map(({ settings }) => settings.find((one) => one.key === key)?.value ?? "");
    const distinct = [...new Set(values)];
    const fits = distinct.every((value) => values.filter((one) => one === value).length <= most);
    return fits ? [{ settings: distinct.map((value) => ({ key, value })), number: distinct.every((value) => Number.isFinite(Number(value))) }] : [];
  });
  return found.sort((a, b) => Number(b.number) - Number(a.number) || a.settings.length - b.settings.length)[0]?.settings ?? [];
}

/** The runs of a sweep. */
export function layRuns(sweep: Sweep): Laid<Run> {
  return lay(sweep.runs.map((run) => entryOf(sweep, run)), ACROSS, fields);
}

function entryOf(sweep: Sweep, run: Run): Entry<Run> {
  const link = sweep.links.get(run.query);
  const at = new Map<string, string>([["model", run.model]]);
  if (!link) return { of: run, at, query: run.query };
  for (const { key } of fields) if (!APART.has(key)) at.set(key, form(link.spec[key as keyof Spec]));
  const point = link.points[run.point];
  if (!point) return { of: run, at, query: run.query };
  at.set("n", String(point.n)).set("k", String(point.k)).set("ratio", String(point.ratio));
  if (link.spec.sweep === "tau") at.set("tau", String(Number(point.tau.toPrecision(9))));
  return { of: run, at, query: point.query };
}

export const measures = ["found", "m", "test", "refused"] as const;
export type Measure = (typeof measures)[number];

/** Whether the truth was found: both relative errors are below one per cent at the end. */
export function found({ w, m, refused }: Run): boolean {
  return refused === "" && Math.max(w, m) < SUCCESS;
}

/** The share of runs that found the truth or were refused, or the median of those that were not; NaN without such runs. */
export function value(runs: readonly Run[], of: Measure): number {
  if (of === "found" || of === "refused") return runs.filter(of === "found" ? found : ({ refused }) => refused !== "").length / runs.length;
  return median(ends(runs, of));
}

/** Where the runs that were not refused end: ∞ for one that diverged, left out if it has no truth. */
export function ends(runs: readonly Run[], of: "m" | "test"): readonly number[] {
  return runs.filter(({ refused }) => refused === "").map((run) => (Number.isFinite(run.test) ? run[of] : Number.POSITIVE_INFINITY)).filter((v) => !Number.isNaN(v));
}
