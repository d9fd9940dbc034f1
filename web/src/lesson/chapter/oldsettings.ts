// What chapters make their settings of: the inputs that a reader sees, and the
// settings of a run.
import type { Input } from "../../panel/form.js";
import { drawnOnly } from "../../state/groups.js";
import { fields } from "../../state/spec.gen.js";
import { parse, type Spec } from "../../state/spec.js";

/** The settings of a run: the defaults with some of them changed. Algorithm 1, whose loss may rise, is not stopped for that. */
export function settings(change: Partial<Spec>): Spec {
  const defaults = parse("").spec;
  const tolerance = change.solver && drawnOnly.includes(change.solver) ? 0 : defaults.tolerance;
  return { ...defaults, tolerance, ...change };
}

/** The bounds of an input of a setting, its own where none are given. */
export function bounds(key: keyof Spec, min?: number, max?: number): { key: string; kind: "int" | "float"; min: number; max: number } {
  const field = fields.find((f) => f.key === key);
  if (field?.kind !== "int" && field?.kind !== "float") throw new RangeError(`no number is called ${key}`);
  return { key, kind: field.kind, min: min ?? field.min, max: max ?? field.max };
}

export function choice(key: string, options: readonly string[]): Input {
  return { key, kind: "choice", options };
}
