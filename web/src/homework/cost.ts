// What a run will take, before it is begun: a hand-in can ask for anything.
import { limits } from "../state/spec.gen.js";
import { parse } from "../state/spec.js";

const PER_NUMBER = 1e-9; // s, for one number of the design and one column of the factors in one iteration
const PER_DRAW = 80e-9; // s, for one number of a design that is drawn
const TABLE = 500; // rows of the built-in tables, at most
const COLUMNS = 20; // and their columns
const SOLVES = 10; // times as much, for an iteration that solves a system

export interface Cost {
  readonly seconds: number; // of one engine
  readonly cells: number; // numbers of the design
}

/** A rough upper bound for a cell of a query: of a sweep it is that of the largest one. */
export function costOf(query: string): Cost {
  const { spec } = parse(query);
  const table = spec.source === "table";
  const k = spec.sweep === "rank" ? Math.max(...spec.ks) : spec.k;
  const d = table ? COLUMNS : spec.d;
  const n = table ? TABLE : spec.sweep === "none" ? spec.n : Math.min(Math.max(...spec.ratios) * d * k, limits.cells / d);
  const rank = table ? Math.max(...spec.ranks) : Math.max(k, spec.rank);
  const candidates = table ? spec.ranks.length * Math.max(spec.lambdas.length, spec.lambdaf.length) : 1;
  const cells = (n + (table ? 0 : spec.test)) * d;
  const draws = table ? 0 : n * d * (spec.batches === "fresh" ? spec.iterations : 1);
  const solves = spec.solver === "gauss-newton" || spec.solver === "auto" ? SOLVES : 1;
  return { cells, seconds: draws * PER_DRAW + cells * (2 * rank + 2) * spec.iterations * candidates * solves * PER_NUMBER };
}

/** Those of several runs: their seconds together, and the most cells of one. */
export function costOfAll(queries: readonly string[]): Cost {
  const times = new Map<string, number>();
  for (const query of queries) times.set(query, (times.get(query) ?? 0) + 1);
  const costs = [...times].map(([query, n]) => ({ n, ...costOf(query) }));
  return { seconds: costs.reduce((sum, { n, seconds }) => sum + n * seconds, 0), cells: Math.max(0, ...costs.map(({ cells }) => cells)) };
}
