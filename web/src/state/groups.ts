// Which settings belong together: those of drawn rows, of any run, of columns.
import { encode, initial, pick, type Spec } from "./spec.js";

/** The settings that only the figure has: how its rows are drawn, and how Algorithm 1 uses them. */
export const drawing = ["scenario", "truth", "pairs", "diagonal", "features", "tau", "share", "rho", "levels", "d", "k", "n", "test", "noise", "rank", "numbers", "batches", "moments", "inverse", "start"] as const satisfies readonly (keyof Spec)[];

export const shared = ["models", "solver", "seed", "trials", "iterations", "tolerance"] as const satisfies readonly (keyof Spec)[];

/** Solvers that need independent columns: no table is fitted by them. */
export const drawnOnly: readonly Spec["solver"][] = ["algorithm1", "centred", "printed"];

/** As Solver of core/train/solver.go. */
export function solverOf({ solver, source }: Spec): Exclude<Spec["solver"], "default"> {
  if (solver !== "default") return solver;
  return source === "table" ? "als" : "agd";
}

/** The settings of the figure's runs, without a table's: no link of the figure names its columns. */
export function forFigure(spec: Spec): Spec {
  return { ...initial, ...pick(spec, drawing), ...pick(spec, shared) };
}

/** The settings of a run on a table, without those that change nothing there. */
export function forTable(spec: Spec): Spec {
  return { ...spec, ...pick(initial, drawing), source: "table", solver: drawnOnly.includes(spec.solver) ? "default" : spec.solver };
}

export function tableQuery(spec: Spec): string {
  return encode(forTable(spec));
}

/** The settings that give columns their roles. */
const naming = ["target", "weight", "ignore", "categorical", "numeric"] as const satisfies readonly (keyof Spec)[];
export type Roles = Pick<Spec, (typeof naming)[number]>;

/** The settings whose values are words of the table: names of columns, of sheets and files in it, or texts of its cells. */
const quoting: readonly string[] = [...naming, "rows", "by", "positive", "decimal", "missingas", "notmissing", "dates", "keep", "member", "sheet"];

/** The settings that say how a file's cells are read. */
export const reading = ["separator", "header", "charset", "decimal", "missingas", "notmissing", "dates", "keep", "member", "sheet"] as const satisfies readonly (keyof Spec)[];

/** What stands between two cells, by the character. */
export const separators: Readonly<Record<string, Exclude<Spec["separator"], "auto">>> = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", " ": "space" };

/** The settings with which another table starts. */
export function tableDefaults(): Partial<Spec> {
  return pick(initial, [...reading, "rows", "split", "by", "log", "loss", "positive"]);
}

/** Whether a setting names columns or cells, perhaps of a reader's own table: nobody else is told. */
export function namesColumns(key: string): boolean {
  return quoting.includes(key);
}
