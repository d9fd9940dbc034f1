// What each column of a table is to a model: its role and its kind, and the
// settings that give it others.
import type { Desk, Roles } from "./desk.js";
import type { Table } from "./protocol.js";
import type { Spec } from "./spec.js";

export type Role = "target" | "feature" | "ignore";
export type Kind = "numeric" | "categorical";

/** A role for each column: those of the plan for these settings, which knows what settings without a target mean; before it is there, what they say. */
export function rolesOf(table: Table, spec: Spec, { plan, planned }: Desk): readonly Role[] {
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
