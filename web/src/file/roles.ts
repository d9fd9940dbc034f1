// What each column of a table is to a model: its role and its kind, and the
// settings that give it others.
import type { Column, Plan, Table } from "../engine/protocol.js";
import type { Roles } from "../state/groups.js";
import type { Spec } from "../state/spec.js";
import { planFor, type Guess, type Loaded, type Planned } from "./loaded.js";

export type Role = Column["guess"] | "weight";
export type Kind = Column["kind"];

/** The plan's roles, which know what settings without a target mean; before there is a plan, what the settings say. */
export function rolesOf(table: Table, spec: Spec, loaded: Loaded): readonly Role[] {
  const used = new Set([...spec.categorical, ...spec.numeric]);
  const own = (column: Column): Role => (column.name === spec.target ? "target" : column.name === spec.weight ? "weight" : spec.ignore.includes(column.name) || (isApart(column) && !used.has(column.name)) ? "ignore" : "feature");
  return planFor(loaded, spec)?.roles ?? table.columns.map(own);
}

/**
 * Why a column is left out that the settings do not ignore, as it stands behind
 * "because": the rows are split by its groups, or it is a part of dates that are
 * ignored or the target. "" where it is not. A kind in the settings overrules
 * that, but for a part of the target.
 */
export function leftOut(table: Table, spec: Spec, at: number, loaded: Loaded): string {
  const use = planFor(loaded, spec)?.uses[at];
  return use?.role === "ignore" && spec.target !== "" && !spec.ignore.includes(use.column) && !isApart(table.columns[at]) ? use.reason : "";
}

/** What would leave a column out if the settings did not name its kind: itself, where rows are split by its groups, or its dates; "" for nothing. */
export function keptFrom({ columns }: Table, spec: Spec, { name }: Column, loaded: Loaded): string {
  const plan = planFor(loaded, spec);
  if (!plan || ![...spec.categorical, ...spec.numeric].includes(name)) return "";
  if (plan.split === "group" && plan.by === name) return name;
  return columns.find(({ name: dates, parts }) => parts.includes(name) && spec.ignore.includes(dates))?.name ?? "";
}

/** A part of the target cannot be used. */
export function isLost({ columns }: Table, roles: readonly Role[], { name }: Column): boolean {
  return columns[roles.indexOf("target")]?.parts.includes(name) ?? false;
}

/** Whether parts stand for a column's dates, which are ignored unless the settings name them. */
function isApart(column: Column | undefined): boolean {
  return column !== undefined && column.parts.length > 0;
}

export function kindsOf(table: Table, spec: Spec, loaded: Loaded): readonly Kind[] {
  return planFor(loaded, spec)?.kinds ?? table.columns.map(({ name, kind }) => kindOf(spec, name, kind));
}

/** The engine's own reading of a column, or what validation rows have chosen. */
export function ownKind(column: Column, at: number, spec: Spec, planned: Planned): Pick<Column, "kind" | "reason"> {
  const use = planFor(planned, spec)?.uses[at];
  return use?.chosen ? { kind: use.chosen as Kind, reason: use.judged } : column;
}

/** The settings with what validation rows have chosen, so that a link repeats it: as Planned.Repeat of core/table.go. */
export function withChoices({ categorical, numeric }: Roles, { uses }: Plan): Pick<Spec, "categorical" | "numeric"> {
  const chosen = (kind: Kind): string[] => uses.filter((use) => use.chosen === kind && ![...categorical, ...numeric].includes(use.column)).map(({ column }) => column);
  return { categorical: [...categorical, ...chosen("categorical")], numeric: [...numeric, ...chosen("numeric")] };
}

/** The settings without it: it was chosen for one target and one split. */
export function withoutChoices({ categorical, numeric }: Roles, plan: Plan | null): Pick<Spec, "categorical" | "numeric"> {
  const others = (kind: Kind, list: readonly string[]): string[] => list.filter((name) => !plan?.uses.some(({ column, chosen }) => column === name && chosen === kind));
  return { categorical: others("categorical", categorical), numeric: others("numeric", numeric) };
}

/** Whether a column is what the engine takes it for by itself. */
export function isGuess({ guess, kind }: Pick<Column, "guess" | "kind">, role: Role, as: Kind): boolean {
  return role === guess && (as === kind || role === "ignore");
}

export function canWeigh({ min, kind }: Column): boolean {
  return kind !== "sparse" && min >= 0;
}

/** Whether its name speaks for it: then the page asks. */
export function mayWeigh(column: Column): boolean {
  return canWeigh(column) && column.missing === 0 && column.distinct > 1 && /^(row|sample|survey|case)?[ _.-]?(weights?|wts?|wgt|freq|frequency|counts?)$/i.test(column.name);
}

/** The settings with another role for a column. A new target makes the old one a feature and forgets what validation rows have chosen; a new weight does the same to the old. A feature that would be left out is given its kind, which keeps it. */
export function withRole({ columns }: Table, now: Spec, roles: readonly Role[], at: number, role: Role, plan: Plan | null = null): Partial<Spec> {
  const column = columns[at];
  if (!column) return {};
  const { name } = column;
  const before = columns[roles.indexOf("target")]?.name ?? "";
  const target = role === "target" ? name : roles[at] === "target" ? "" : before;
  const retargeted = target !== before;
  const spec = retargeted ? { ...now, ...withoutChoices(now, plan) } : now;
  const { categorical, numeric } = spec;
  const ignored = spec.target === "" ? columns.filter((other, i) => roles[i] === "ignore" && !isApart(other)).map((other) => other.name) : spec.ignore;
  const ignore = without(ignored, name);
  const weight = role === "weight" ? name : roles[at] === "weight" ? "" : spec.weight;
  const log = retargeted ? "no" : spec.log; // that was said of the one before
  const all = { target, log, weight, ignore } as const;
  if (isApart(column)) return { ...all, categorical: role === "feature" ? [...without(categorical, name), name] : without(categorical, name), numeric: without(numeric, name) };
  const keep = role === "feature" && roles[at] === "ignore" && (column.guess === "ignore" || (spec.target !== "" && !spec.ignore.includes(name)));
  const kind = kindOf(spec, name, column.kind);
  const place = (one: string): number => columns.findIndex((other) => other.name === one);
  return { ...all, ...(retargeted ? { categorical, numeric } : {}), ...(role === "ignore" ? { ignore: [...ignore, name].sort((a, b) => place(a) - place(b)) } : {}), ...(keep ? withKind(spec, name, kind, kind === "numeric" ? "categorical" : "numeric") : {}) };
}

function without(names: readonly string[], name: string): string[] {
  return names.filter((other) => other !== name);
}

function kindOf(spec: Roles, name: string, guess: Kind): Kind {
  return spec.categorical.includes(name) ? "categorical" : spec.numeric.includes(name) ? "numeric" : guess;
}

/** The settings with another kind for a column; what the engine guesses anyway is not written down. */
export function withKind(spec: Roles, name: string, kind: Kind, guess: Kind): Partial<Spec> {
  const named = (list: "categorical" | "numeric"): string[] => [...without(spec[list], name), ...(kind === list && kind !== guess ? [name] : [])];
  return { categorical: named("categorical"), numeric: named("numeric") };
}

/**
 * The roles for a table that has just been read: those the settings name, if
 * they fit it, else the engine's guess, with a target of the caller's choice.
 */
export function rolesFor(table: Table, spec: Spec, prefer?: RegExp): Roles {
  const roles = fitting(table, spec, prefer);
  if (roles.target === spec.target && roles.target !== "") return { ...roles, ignore: spec.ignore.filter((name) => table.columns.some((column) => column.name === name)) };
  const ignored = table.columns.filter((column) => column.guess === "ignore" && !isApart(column) && column.name !== roles.target);
  return { ...roles, ignore: ignored.map(({ name }) => name), categorical: [], numeric: [] };
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

export function withTarget(table: Table, spec: Spec, loaded: Loaded, name: string): Partial<Spec> {
  return withRole(table, spec, rolesOf(table, spec, loaded), table.columns.findIndex((column) => column.name === name), "target", loaded.plan);
}

export function targetOf(table: Table, spec: Spec, loaded: Loaded): Column | undefined {
  return table.columns[rolesOf(table, spec, loaded).indexOf("target")];
}
