// What lies on the reader's desk: the file being read, the table that was read,
// and what training on it would use.
import { during } from "./engine/pending.js";
import { EngineFailure, unusable } from "./engine.js";
import { file } from "./files.js";
import type { Progress } from "./messages.js";
import type { Kept } from "./prediction.js";
import type { EngineError, Plan, Table } from "./protocol.js";
import { encode, parse, type Spec } from "./spec.js";
import { opening as strings } from "./strings.js";
import type { DrawnSample, Sample, View } from "./view.js";

export interface Desk {
  readonly reading: (Progress & { readonly name: string }) | null;
  readonly table: Table | null;
  readonly failed: { readonly name: string; readonly error: EngineError } | null; // the last file, when it could not be used
  readonly note: string;
  readonly plan: Plan | null;
  readonly planned: Spec | null; // the settings that the plan is for
  readonly planError: EngineError | null;
  readonly model: Kept | null; // from a file
}

export const empty: Desk = { reading: null, table: null, failed: null, note: "", plan: null, planned: null, planError: null, model: null };

/** Whether a link's settings are about a reader's table that has not been opened yet. */
export function awaited(spec: Spec, view: View, desk: Desk): boolean {
  return spec.source === "table" && view.sample === "none" && desk.table === null;
}

/** The settings of the figure that no table has: how its rows are drawn, and how Algorithm 1 uses them. */
export const drawing = ["scenario", "truth", "diagonal", "features", "tau", "share", "rho", "d", "k", "n", "test", "noise", "rank", "batches", "moments", "inverse"] as const satisfies readonly (keyof Spec)[];

/** The settings that the figure and a table have in common. */
export const shared = ["models", "solver", "seed", "trials", "iterations", "tolerance"] as const satisfies readonly (keyof Spec)[];
export type Shared = Partial<Pick<Spec, (typeof shared)[number]>>;

/** Solvers of drawn columns, which they need to be independent: no table is fitted by them. */
export const drawnOnly: readonly Spec["solver"][] = ["algorithm1", "printed"];

/** The settings to train a table by: the reader's, but for a solver that takes none and for what changes nothing. */
export function forTable(spec: Spec): Spec {
  const initial = parse("").spec;
  const idle = Object.fromEntries(drawing.map((key) => [key, initial[key]])) as Partial<Spec>;
  return { ...spec, ...idle, source: "table", solver: drawnOnly.includes(spec.solver) ? "agd" : spec.solver };
}

/** The query of a run on a table. */
export function tableQuery(spec: Spec): string {
  return encode(forTable(spec));
}

/** The settings that name columns. */
export const naming = ["target", "ignore", "categorical", "numeric"] as const satisfies readonly (keyof Spec)[];
export type Roles = Pick<Spec, (typeof naming)[number]>;

/** Whether a setting names columns, a reader's own perhaps, which nobody else is told. */
export function namesColumns(key: string): boolean {
  return naming.some((other) => other === key);
}

/**
 * The roles for a table that has just been read: those the settings name, if
 * they fit it, else the engine's guess, with a target of the caller's choice.
 */
export function rolesFor(table: Table, spec: Spec, prefer?: RegExp): Roles {
  const names = new Set(table.columns.map((column) => column.name));
  const known = (list: readonly string[]): string[] => list.filter((name) => names.has(name));
  if (names.has(spec.target)) return { target: spec.target, ignore: known(spec.ignore), categorical: known(spec.categorical), numeric: known(spec.numeric) };
  const preferred = prefer && table.columns.find((column) => prefer.test(column.name));
  const target = preferred ?? table.columns.find((column) => column.guess === "target");
  const ignore = table.columns.filter((column) => column.guess === "ignore" && column !== target).map((column) => column.name);
  return { target: target?.name ?? "", ignore, categorical: [], numeric: [] };
}

/** The columns that the built-in tables are about; the engine's guesses apply to all else. */
export const sampleTargets: Readonly<Record<Sample, RegExp>> = { penguins: /body.?mass/i, cars: /miles|mpg/i, diabetes: /^(y|target|progression)$/i, signs: /^y$/, binary: /^y$/ };

/** The rows of a drawn table, by the reader's seed: small enough to train in seconds, with noise enough that no model is exact. */
export function drawnQuery(sample: DrawnSample, seed: number): string {
  const rows: Partial<Spec> = sample === "signs" ? { rho: 0.2, noise: 0.4 } : { features: "twopoint", share: 0.5, noise: 0.3 };
  return encode({ ...parse("").spec, scenario: "mixed", d: 10, k: 2, n: 480, test: 120, ...rows, seed });
}

const SAMPLE_WAIT = 20_000; // ms for 20 kB, at the most

/** Fetches a built-in table. Rejects with an EngineFailure that says what to do. */
export async function sampleFile(sample: Sample): Promise<File> {
  const name = `${sample}.csv`;
  try {
    const response = await during(file(`samples/${name}`, AbortSignal.timeout(SAMPLE_WAIT)));
    if (!response.ok) throw new TypeError(`${response.status}`);
    return new File([await during(response.blob())], name, { type: "text/csv" });
  } catch (reason) {
    if (!(reason instanceof TypeError || reason instanceof DOMException)) throw reason; // fetch rejects with a TypeError when the network fails, with the other when it takes too long
    throw new EngineFailure(unusable(strings.sampleError(name)));
  }
}
