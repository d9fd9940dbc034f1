// What each column of a table is to a model: its role and its kind, and the
// settings that give it others.
import type { Column, Plan, Table } from "../engine/protocol.js";
import type { Roles } from "../state/groups.js";
import type { Spec } from "../state/spec.js";
import type { Guess, Loaded } from "./loaded.js";

export type Role = Column["guess"] | "weight";
export type Kind = Column["kind"];

/** A role for each column: those of the plan for these settings, which knows what settings without a target mean; before it is there, what they say. */
export function rolesOf(table: Table, spec: Spec, { plan, planned }: Loaded): readonly Role[] {
  if (plan && planned === spec) return plan.roles;
  const used = new Set([...spec.categorical, ...spec.numeric]);
  return table.columns.map((column) => (column.name === spec.target ? "target" : column.name === spec.weight ? "weight" : spec.ignore.includes(column.name) || (isApart(column) && !used.has(column.name)) ? "ignore" : "feature"));
}

/**
 * Why a column is left out that the settings do not ignore, as it stands behind
 * "because": the rows are split by its groups, or it is a part of dates that are
 * ignored or the target. "" where it is not. A kind in the settings overrules
 * that, but for a part of the target.
 */
export function leftOut(table: Table, spec: Spec, at: number, { plan, planned }: Loaded): string {
  const use = plan && planned === spec ? plan.uses[at] : undefined;
  return use?.role === "ignore" && spec.target !== "" && !spec.ignore.includes(use.column) && !isApart(table.columns[at]) ? use.reason : "";
}

/** Whether a kind in the settings keeps a column that would be left out otherwise: because of itself, by whose groups rows are split, or of the dates that it is a part of. */
export function keptFrom({ columns }: Table, spec: Spec, { name }: Column, { plan, planned }: Loaded): string {
  if (!plan || planned !== spec || ![...spec.categorical, ...spec.numeric].includes(name)) return "";
  if (plan.split === "group" && plan.by === name) return name;
  return columns.find(({ name: dates, parts }) => parts.includes(name) && spec.ignore.includes(dates))?.name ?? "";
}

/** Whether nothing can keep a column: it is a part of the target. */
export function isLost({ columns }: Table, roles: readonly Role[], { name }: Column): boolean {
  return columns[roles.indexOf("target")]?.parts.includes(name) ?? false;
}

/** Whether parts stand for a column's dates: it is then ignored, and they are not, as long as the settings do not name it. */
function isApart(column: Column | undefined): boolean {
  return column !== undefined && column.parts.length > 0;
}

/** A kind for each column, as above: that of a target is the plan's. */
export function kindsOf(table: Table, spec: Spec, { plan, planned }: Loaded): readonly Kind[] {
  if (plan && planned === spec) return plan.kinds;
  return table.columns.map(({ name, kind }) => kindOf(spec, name, kind));
}

/** What the engine reads a column as by itself, and why: as validation rows have chosen, where they were asked. */
export function ownKind(column: Column, at: number, spec: Spec, { plan, planned }: Pick<Loaded, "plan" | "planned">): Pick<Column, "kind" | "reason"> {
  const use = plan && planned === spec ? plan.uses[at] : undefined;
  return use?.chosen ? { kind: use.chosen, reason: use.judged } : column;
}

/** The settings with what validation rows have chosen written down, so that a link repeats it: as Planned.Repeat of core/table.go. */
export function withChoices({ categorical, numeric }: Roles, { uses }: Plan): Pick<Spec, "categorical" | "numeric"> {
  const chosen = (kind: Kind): string[] => uses.filter((use) => use.chosen === kind && ![...categorical, ...numeric].includes(use.column)).map(({ column }) => column);
  return { categorical: [...categorical, ...chosen("categorical")], numeric: [...numeric, ...chosen("numeric")] };
}

/** The settings without what validation rows have chosen, which was chosen for one target and one split. */
export function withoutChoices({ categorical, numeric }: Roles, plan: Plan | null): Pick<Spec, "categorical" | "numeric"> {
  const others = (kind: Kind, list: readonly string[]): string[] => list.filter((name) => !plan?.uses.some(({ column, chosen }) => column === name && chosen === kind));
  return { categorical: others("categorical", categorical), numeric: others("numeric", numeric) };
}

/** Whether a column is what the engine takes it for by itself. */
export function isGuess({ guess, kind }: Pick<Column, "guess" | "kind">, role: Role, as: Kind): boolean {
  return role === guess && (as === kind || role === "ignore");
}

/** Whether a column's numbers can weigh rows; what it holds in some rows may still be none. */
export function canWeigh({ min, kind }: Column): boolean {
  return kind !== "sparse" && min >= 0;
}

/** Whether its name speaks for it: it is asked then, and never taken for that by itself. */
export function mayWeigh(column: Column): boolean {
  return canWeigh(column) && column.missing === 0 && column.distinct > 1 && /^(row|sample|survey|case)?[ _.-]?(weights?|wts?|wgt|freq|frequency|counts?)$/i.test(column.name);
}

/** The settings after column at of roles is given a role. A new target makes the old one a feature, and so does a new weight of rows. A feature that would be left out otherwise is given its kind, which keeps it. What validation rows have chosen for another target, as plan says, is forgotten. */
export function withRole(table: Table, now: Spec, roles: readonly Role[], at: number, role: Role, plan: Plan | null = null): Partial<Spec> {
  const { columns } = table;
  const column = columns[at];
  if (!column) return {};
  const { name } = column;
  const before = columns[roles.indexOf("target")]?.name ?? "";
  const target = role === "target" ? name : roles[at] === "target" ? "" : before;
  const spec = target === before ? now : { ...now, ...withoutChoices(now, plan) };
  const { categorical, numeric } = spec;
  const written = spec.target === "" ? columns.filter((other, i) => roles[i] === "ignore" && !isApart(other)).map((other) => other.name) : spec.ignore;
  const ignore = written.filter((other) => other !== name);
  const weight = role === "weight" ? name : roles[at] === "weight" ? "" : spec.weight;
  const log = target === before ? spec.log : "no"; // that was said of the one before
  const without = (list: readonly string[]): string[] => list.filter((other) => other !== name);
  if (!isApart(column)) {
    const keep = role === "feature" && roles[at] === "ignore" && (column.guess === "ignore" || (spec.target !== "" && !spec.ignore.includes(name)));
    const kind = kindOf(spec, name, column.kind);
    return { target, log, weight, ...(target === before ? {} : { categorical, numeric }), ignore: role === "ignore" ? [...ignore, name].sort((a, b) => place(table, a) - place(table, b)) : ignore, ...(keep ? withKind(spec, name, kind, kind === "numeric" ? "categorical" : "numeric") : {}) };
  }
  return { target, log, weight, ignore, categorical: role === "feature" ? [...without(categorical), name] : without(categorical), numeric: without(numeric) };
}

function place({ columns }: Table, name: string): number {
  return columns.findIndex((column) => column.name === name);
}

function kindOf(spec: Roles, name: string, guess: Kind): Kind {
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
  const weight = names.has(spec.weight) ? spec.weight : "";
  if (names.has(spec.target)) return { target: spec.target, weight, ignore: known(spec.ignore), categorical: known(spec.categorical), numeric: known(spec.numeric) };
  const target = likeliest(table, prefer);
  const ignore = table.columns.filter((column) => column.guess === "ignore" && !isApart(column) && column !== target).map((column) => column.name);
  return { target: target?.name ?? "", weight, ignore, categorical: [], numeric: [] };
}

/**
 * The roles for a table that the reader has had read in another way: the
 * reader's, and for columns of which the engine now thinks otherwise its own.
 */
export function rolesAgain(table: Table, before: Table, spec: Spec, prefer?: RegExp): Roles {
  const { columns } = table;
  const was = new Map(before.columns.map(({ name, guess }) => [name, guess]));
  const ignored = columns.filter((column) => {
    const { name, guess } = column;
    if (isApart(column)) return false;
    return was.has(name) && (guess === "ignore") === (was.get(name) === "ignore") ? spec.ignore.includes(name) : guess === "ignore";
  });
  const known = (list: readonly string[]): string[] => list.filter((name) => columns.some((column) => column.name === name));
  const target = columns.some(({ name }) => name === spec.target) ? spec.target : (likeliest(table, prefer)?.name ?? "");
  const weight = columns.some(({ name }) => name === spec.weight) ? spec.weight : "";
  return { target, weight, ignore: ignored.map(({ name }) => name).filter((name) => name !== target), categorical: known(spec.categorical), numeric: known(spec.numeric) };
}

/** What a target is that nobody has named. The built-in tables are about theirs. */
export function guessOf(table: Table, target: string, prefer?: RegExp): Guess | null {
  const column = table.columns.find(({ name }) => name === target);
  return column ? { target, sure: column.sure || (prefer?.test(target) ?? false) } : null;
}

function likeliest({ columns }: Table, prefer?: RegExp): Column | undefined {
  return (prefer && columns.find(({ name }) => prefer.test(name))) ?? columns.find(({ guess }) => guess === "target");
}
