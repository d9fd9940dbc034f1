// What each column of a table is to a model: its role and its kind, and the
// settings that give it others.
import type { Table } from "../engine/protocol.js";
import type { Roles } from "../state/groups.js";
import type { Spec } from "../state/spec.js";
import type { Loaded } from "./loaded.js";

export type Role = "target" | "feature" | "ignore";
export type Kind = "numeric" | "categorical";

/** A role for each column: those of the plan for these settings, which knows what settings without a target mean; before it is there, what they say. */
export function rolesOf(table: Table, spec: Spec, { plan, planned }: Loaded): readonly Role[] {
  if (plan && planned === spec) return plan.roles;
  return table.columns.map(({ name }) => (name === spec.target ? "target" : spec.ignore.includes(name) ? "ignore" : "feature"));
}

/** The settings after column at of roles is given a role. A new target makes the old one a feature. */
export function withRole(table: Table, roles: readonly Role[], at: number, role: Role): Pick<Spec, "target" | "ignore"> {
  const now = roles.map((old, i): Role => (i === at ? role : role === "target" && old === "target" ? "feature" : old));
  const names = (of: Role): string[] => table.columns.flatMap(({ name }, i) => (now[i] === of ? [name] : []));
  return { target: names("target")[0] ?? "", ignore: names("ignore") };
}

export function kindOf(spec: Roles, name: string, guess: Kind): Kind {
  return spec.categorical.includes(name) ? "categorical" : spec.numeric.includes(name) ? "numeric" : guess;
}

/** The settings after column name is read as kind; what the engine guesses anyway is not written down. */
export function withKind(spec: Roles, name: string, kind: Kind, guess: Kind): Partial<Spec> {
  const without = (list: readonly string[]): string[] => list.filter((other) => other !== name);
  const named = (kind_: Kind, list: readonly string[]): string[] => (kind === kind_ && kind !== guess ? [...without(list), name] : without(list));
  return { categorical: named("categorical", spec.categorical), numeric: named("numeric", spec.numeric) };
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
