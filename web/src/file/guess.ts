// What the settings of a table that has just been read are.
import type { Column, Plan, Table } from "../engine/protocol.js";
import type { Roles } from "../state/groups.js";
import type { Spec } from "../state/spec.js";
import type { Guess } from "./loaded.js";

/** Whether parts stand for a column's dates, which are ignored unless the settings name them. */
export function isApart(column: Column | undefined): boolean {
  return column !== undefined && column.parts.length > 0;
}

/** The settings with the kinds that validation rows have chosen, so that a link repeats them: as Plan.Repeat of core/task/plan.go. */
export function withChoices({ categorical, numeric }: Roles, { uses }: Plan): Pick<Spec, "categorical" | "numeric"> {
  const chosen = (kind: Column["kind"]): string[] => uses.filter((use) => use.chosen === kind && ![...categorical, ...numeric].includes(use.column)).map(({ column }) => column);
  return { categorical: [...categorical, ...chosen("categorical")], numeric: [...numeric, ...chosen("numeric")] };
}

/** The settings without that choice: it was made for one target and one split. */
export function withoutChoices({ categorical, numeric }: Roles, plan: Plan | null): Pick<Spec, "categorical" | "numeric"> {
  const others = (kind: Column["kind"], list: readonly string[]): string[] => list.filter((name) => !plan?.uses.some(({ column, chosen }) => column === name && chosen === kind));
  return { categorical: others("categorical", categorical), numeric: others("numeric", numeric) };
}

/**
 * The roles for a table that was just read. If the settings name a target that the table has, the
 * roles are theirs. If they name another, the engine guesses. If they name none, it guesses the
 * target and keeps their other roles.
 */
export function rolesFor(table: Table, spec: Spec, prefer?: RegExp): Roles {
  const roles = fitting(table, spec, prefer);
  const { target, categorical, numeric } = roles;
  if (target !== spec.target && spec.target !== "") return rolesFor(table, { ...spec, ...unnamed }, prefer);
  const own = spec.ignore.filter((name) => table.columns.some((column) => column.name === name));
  if (spec.target !== "") return { ...roles, ignore: own };
  const ignored = table.columns.filter((column) => column.guess === "ignore" && !isApart(column) && ![...own, ...categorical, ...numeric].includes(column.name));
  return { ...roles, ignore: [...own, ...ignored.map(({ name }) => name)].filter((name) => name !== target) };
}

/** What another table than that of the settings has of their roles. */
export const unnamed = { target: "", ignore: [], categorical: [], numeric: [] } as const satisfies Partial<Roles>;

/** The names in the settings that are no columns of the table. */
export function unknownNames({ columns }: Table, { weight, ignore, categorical, numeric }: Roles): string[] {
  return [weight, ...ignore, ...categorical, ...numeric].filter((name, i, all) => name !== "" && all.indexOf(name) === i && columns.every((column) => column.name !== name));
}

/**
 * The roles for a table that the reader has had read in another way: the
 * reader's, and for columns of which the engine now thinks otherwise its own.
 */
export function rolesAgain(table: Table, before: Table, spec: Spec, prefer?: RegExp): Roles {
  const roles = fitting(table, spec, prefer);
  const was = new Map(before.columns.map(({ name, guess }) => [name, guess]));
  const isIgnored = (column: Column): boolean => {
    const { name, guess } = column;
    if (isApart(column) || name === roles.target) return false;
    return was.has(name) && (guess === "ignore") === (was.get(name) === "ignore") ? spec.ignore.includes(name) : guess === "ignore";
  };
  return { ...roles, ignore: table.columns.filter(isIgnored).map(({ name }) => name) };
}

function fitting({ columns }: Table, { target, weight, categorical, numeric }: Spec, prefer?: RegExp): Omit<Roles, "ignore"> {
  const has = (name: string): boolean => columns.some((column) => column.name === name);
  const likeliest = (prefer && columns.find(({ name }) => prefer.test(name))) ?? columns.find(({ guess }) => guess === "target");
  return { target: has(target) ? target : (likeliest?.name ?? ""), weight: has(weight) ? weight : "", categorical: categorical.filter(has), numeric: numeric.filter(has) };
}

/** Of a target that nobody has named. The built-in tables are about theirs. */
export function guessOf(table: Table, target: string, prefer?: RegExp): Guess | null {
  const column = table.columns.find(({ name }) => name === target);
  return column ? { target, sure: column.sure || (prefer?.test(target) ?? false) } : null;
}
