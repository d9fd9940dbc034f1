// Which settings belong together: those of drawn rows, of any run, of columns.
import { encode, initial, pick, type Spec } from "./spec.js";

/** The settings of the figure that no table has: how its rows are drawn, and how Algorithm 1 uses them. */
export const drawing = ["scenario", "truth", "pairs", "diagonal", "features", "tau", "share", "rho", "d", "k", "n", "test", "noise", "rank", "batches", "moments", "inverse", "start"] as const satisfies readonly (keyof Spec)[];

/** The settings that the figure and a table have in common. */
export const shared = ["models", "solver", "seed", "trials", "iterations", "tolerance"] as const satisfies readonly (keyof Spec)[];
export type Shared = Partial<Pick<Spec, (typeof shared)[number]>>;

/** Solvers of drawn columns, which they need to be independent: no table is fitted by them. */
export const drawnOnly: readonly Spec["solver"][] = ["algorithm1", "centred", "printed"];

/** What fits the models of spec, as solverOf of core/solver.go says. */
export function solverOf({ solver, source, lambdas }: Spec): Exclude<Spec["solver"], "default"> {
  if (solver !== "default") return solver;
  return source === "table" && lambdas.join() === initial.lambdas.join() ? "als" : "agd";
}

/** The settings of the figure's runs: a table's are the defaults, so that no link of the figure names its columns. */
export function forFigure(spec: Spec): Spec {
  return { ...initial, ...pick(spec, drawing), ...pick(spec, shared) };
}

/** The settings to train a table by: the reader's, but for a solver that takes none and for what changes nothing. */
export function forTable(spec: Spec): Spec {
  return { ...spec, ...pick(initial, drawing), source: "table", solver: drawnOnly.includes(spec.solver) ? "default" : spec.solver };
}

/** The query of a run on a table. */
export function tableQuery(spec: Spec): string {
  return encode(forTable(spec));
}

/** The settings that name columns. */
const naming = ["target", "weight", "ignore", "categorical", "numeric"] as const satisfies readonly (keyof Spec)[];
export type Roles = Pick<Spec, (typeof naming)[number]>;

/** The settings that say how a file's cells are read. */
export const reading = ["separator", "header", "charset", "decimal", "missingas", "notmissing", "dates", "keep", "member", "sheet"] as const satisfies readonly (keyof Spec)[];

/** What stands between two cells, by the character. */
export const separators: Readonly<Record<string, Exclude<Spec["separator"], "auto">>> = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", " ": "space" };

/** The settings that belong to one table, its reading, rows and target: another table starts from these. */
export function tableDefaults(): Partial<Spec> {
  return pick(initial, [...reading, "split", "by", "log", "loss", "positive"]);
}

/** Whether a setting names columns or cells, perhaps a reader's own, which nobody else is told. */
export function namesColumns(key: string): boolean {
  return [...naming, ...reading.slice(3), "by", "positive"].includes(key);
}
