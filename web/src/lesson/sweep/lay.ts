// A sweep as a table: what varies along its longest axis goes across, all else that
// varies makes rows, and the runs of a place are counted together.
import { fields, form, type Spec } from "../../state/spec.js";
import { median, SUCCESS } from "../chapter/measure.js";
import type { Run, Sweep } from "./sweep.js";

/** What varies along numbers, the likeliest to go across first. */
const ACROSS = ["ratio", "n", "tau", "k", "d"] as const;

/** What says which runs there are, and not what they are; or follows from the rest. */
const APART: ReadonlySet<string> = new Set(["seed", "trials", "models", "sweep", "ratios", "ks", "taus", "test", "iterations"]);

/** A setting that is the same for all runs of a row, or across of a column. */
export interface Setting {
  readonly key: string; // of a Spec; "model" and "ratio", n/(dk), beside them
  readonly value: string;
}

interface Row {
  readonly settings: readonly Setting[];
  readonly places: readonly Place[]; // one for each value across
}

/** The runs of one row and column. */
export interface Place {
  readonly query: string; // of the run that stands for them; "": there are none
  readonly runs: readonly Run[];
}

export interface Laid {
  readonly across: (typeof ACROSS)[number] | null; // null: nothing goes along numbers, and there is one column
  readonly values: readonly number[]; // across, rising; one where nothing does
  readonly rows: readonly Row[];
  readonly same: readonly Setting[]; // what all runs share and is not as a run is by itself
}

export function lay(sweep: Sweep): Laid {
  const all = sweep.runs.map((run) => ({ run, ...settingsOf(sweep, run) }));
  const keys = [...new Set(all.flatMap(({ at }) => [...at.keys()]))];
  const distinct = (key: string): number => new Set(all.map(({ at }) => at.get(key))).size;
  const differ = keys.filter((key) => distinct(key) > 1);
  const varied = differ.filter((key) => key !== "n" || !differ.includes("ratio")); // beside n/(dk) it says nothing
  const across = ACROSS.filter((key) => varied.includes(key)).sort((a, b) => distinct(b) - distinct(a))[0] ?? null;
  const values = across === null ? [Number.NaN] : [...new Set(all.map(({ at }) => Number(at.get(across))))].sort((a, b) => a - b);
  const down = keys.filter((key) => varied.includes(key) && key !== across);
  const rows = new Map<string, { settings: Setting[]; places: { query: string; runs: Run[] }[] }>();
  for (const { run, at, query } of all) {
    const settings = down.map((key) => ({ key, value: at.get(key) ?? "" }));
    const name = JSON.stringify(settings);
    const row = rows.get(name) ?? { settings, places: values.map(() => ({ query: "", runs: [] })) };
    rows.set(name, row);
    const place = row.places[across === null ? 0 : values.indexOf(Number(at.get(across)))];
    place?.runs.push(run);
    if (place) place.query ||= query;
  }
  const usual = new Map(fields.map((field) => [field.key as string, field.default]));
  const first = all[0]?.at ?? new Map<string, string>();
  const same = keys.filter((key) => !differ.includes(key) && first.get(key) !== usual.get(key)).map((key) => ({ key, value: first.get(key) ?? "" }));
  return { across, values, rows: [...rows.values()], same };
}

/** What a run's settings are, each in its written form, and the query that stands for it. */
function settingsOf(sweep: Sweep, run: Run): { readonly at: ReadonlyMap<string, string>; readonly query: string } {
  const link = sweep.links.get(run.query);
  const at = new Map<string, string>([["model", run.model]]);
  if (!link) return { at, query: run.query };
  for (const { key } of fields) if (!APART.has(key)) at.set(key, form(link.spec[key as keyof Spec]));
  const point = link.points[run.point];
  if (!point) return { at, query: run.query };
  at.set("n", String(point.n)).set("k", String(point.k)).set("ratio", String(point.ratio));
  if (link.spec.sweep === "tau") at.set("tau", String(Number(point.tau.toPrecision(9))));
  return { at, query: point.query };
}

export const measures = ["found", "m", "test", "refused"] as const;
export type Measure = (typeof measures)[number];

/** Whether the truth was found: both relative errors are below one per cent at the end. */
export function found({ w, m, refused }: Run): boolean {
  return refused === "" && Math.max(w, m) < SUCCESS;
}

/** What a place says: the share that found the truth or was refused, or a median over those that were not; NaN where there are no such runs. */
export function value(runs: readonly Run[], of: Measure): number {
  if (of === "found" || of === "refused") return runs.filter(of === "found" ? found : ({ refused }) => refused !== "").length / runs.length;
  return median(runs.filter(({ refused }) => refused === "").map((run) => run[of]).filter(Number.isFinite));
}
