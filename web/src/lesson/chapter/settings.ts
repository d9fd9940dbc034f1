// What chapters declare their settings with, and the settings of their runs.
import type { Input, Value } from "../../panel/form.js";
import { drawnOnly } from "../../state/groups.js";
import { fields, limits } from "../../state/spec.gen.js";
import { form, parse, type Field, type Spec } from "../../state/spec.js";

/** One setting: its bounds or options, and its value before the reader has changed it. */
type Setting<V extends Value> = Omit<Input, "key"> & { readonly initial: V };

/** The settings of a chapter, as fields of an address and as inputs. */
export interface Settings<S> {
  readonly fields: readonly Field[];
  readonly inputs: readonly Input[];
  readonly of?: S; // their type; never there
}

/** The type of declared settings. */
export type ValuesOf<T> = T extends Settings<infer S> ? S : never;

export function int(initial: number, min: number, max: number): Setting<number> {
  return { kind: "int", initial, min, max };
}

export function float(initial: number, min: number, max: number): Setting<number> {
  return { kind: "float", initial, min, max };
}

/** A list of at most so many whole numbers. */
export function ints(initial: readonly number[], min: number, max: number, most: number): Setting<readonly number[]> {
  return { kind: "ints", initial, min, max, most };
}

/** A list of at most so many numbers. */
export function floats(initial: readonly number[], min: number, max: number, most: number): Setting<readonly number[]> {
  return { kind: "floats", initial, min, max, most };
}

export function choice<Option extends string>(initial: Option, options: readonly Option[]): Setting<Option> {
  return { kind: "choice", initial, options };
}

/** The seed, as a run has it. */
export function seed(): Setting<number> {
  const field = fields.find(({ key }) => key === "seed");
  return int(1, field?.min ?? 0, field?.max ?? 0);
}

/** Declares settings, in the order in which an address has them. */
export function settings<T extends Readonly<Record<string, Setting<Value>>>>(declared: T): Settings<{ readonly [K in keyof T]: T[K]["initial"] }> {
  const inputs = Object.entries(declared).map(([key, { initial: _, ...input }]): Input => ({ key, ...input }));
  const field = ({ key, kind, min = 0, max = 0, options = [] }: Input): Field => ({ key, kind, default: form(declared[key]?.initial ?? ""), min, max, options });
  return { inputs, fields: inputs.map(field) };
}

/** The settings of a run: the defaults with some of them changed. Algorithm 1, whose loss may rise, is not stopped for that. */
export function specOf(change: Partial<Spec>): Spec {
  const defaults = parse("").spec;
  const tolerance = change.solver && drawnOnly.includes(change.solver) ? 0 : defaults.tolerance;
  return { ...defaults, tolerance, ...change };
}

/** Training rows from their number in units of d·k, within what a design may hold. */
export function rowsOf(ratio: number, d: number, k: number, test: number): number {
  return Math.min(Math.max(10, Math.round(ratio * d * k)), 1e6, Math.floor(limits.cells / d) - test);
}

/** Whether those are other rows than asked for. */
export function isLimited(ratio: number, d: number, k: number, test: number): boolean {
  return rowsOf(ratio, d, k, test) !== Math.round(ratio * d * k);
}
