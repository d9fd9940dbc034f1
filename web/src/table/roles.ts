// What each column of a table is to a model: its role and its kind, and the
// settings that give it others.
import type { Answer, Column, Note, Plan, Table, Topic } from "../engine/protocol.js";
import { isApart, withoutChoices } from "../file/guess.js";
import { planFor, type Loaded, type Planned } from "../file/loaded.js";
import type { Roles } from "../state/groups.js";
import type { Spec } from "../state/spec.js";

export type Role = Column["guess"] | "weight";
export type Kind = Column["kind"];

/** The plan's roles; before there is a plan, those of the settings. */
export function rolesOf(table: Table, spec: Spec, loaded: Loaded): readonly Role[] {
  const used = new Set([...spec.categorical, ...spec.numeric]);
  const own = (column: Column): Role => (column.name === spec.target ? "target" : column.name === spec.weight ? "weight" : spec.ignore.includes(column.name) || (isApart(column) && !used.has(column.name)) ? "ignore" : "feature");
  return planFor(loaded, spec)?.roles ?? table.columns.map(own);
}

/**
 * Why a column is left out that the settings do not ignore: rows are split by it, or it is
 * a part of dates that are ignored or the target. "" if it is not left out.
 */
export function leftOut(table: Table, spec: Spec, at: number, loaded: Loaded): string {
  const use = planFor(loaded, spec)?.uses[at];
  return use?.role === "ignore" && spec.target !== "" && !spec.ignore.includes(use.column) && !isApart(table.columns[at]) ? use.reason : "";
}

/** What would leave a column out if the settings did not name its kind: itself, if rows are split by it, or its dates; "" for nothing. */
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

export function kindsOf(table: Table, spec: Spec, loaded: Loaded): readonly Kind[] {
  return planFor(loaded, spec)?.kinds ?? table.columns.map(({ name, kind }) => kindOf(spec, name, kind));
}

/** The engine's own reading of a column, or what validation rows have chosen. */
export function ownKind(column: Column, at: number, spec: Spec, planned: Planned): Pick<Column, "kind" | "reason"> {
  const use = planFor(planned, spec)?.uses[at];
  return use?.chosen ? { kind: use.chosen, reason: use.judged } : column;
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

/** The columns that are ignored: what the settings name, if they name a target. Dates that were taken apart are ignored without a word. */
function ignoredBy(columns: readonly Column[], { target, ignore }: Spec, roles: readonly Role[]): readonly string[] {
  return target === "" ? columns.filter((column, i) => roles[i] === "ignore" && !isApart(column)).map(({ name }) => name) : ignore;
}

/** The settings with another role for a column. The old target or weight becomes a feature, and a new target forgets what validation rows chose. A feature that would be left out is given its kind, which keeps it. */
export function withRole({ columns }: Table, now: Spec, roles: readonly Role[], at: number, role: Role, plan: Plan | null = null): Partial<Spec> {
  const column = columns[at];
  if (!column) return {};
  const { name } = column;
  const before = columns[roles.indexOf("target")]?.name ?? "";
  const target = role === "target" ? name : roles[at] === "target" ? "" : before;
  const retargeted = target !== before;
  const spec = retargeted ? { ...now, ...withoutChoices(now, plan) } : now;
  const { categorical, numeric } = spec;
  const ignore = without(ignoredBy(columns, spec, roles), name);
  const weight = role === "weight" ? name : roles[at] === "weight" ? "" : spec.weight;
  const log = retargeted ? "no" : spec.log; // that was said of the one before
  const all = { target, log, weight, ignore } as const;
  if (isApart(column)) return { ...all, categorical: role === "feature" ? [...without(categorical, name), name] : without(categorical, name), numeric: without(numeric, name) };
  const keep = role === "feature" && roles[at] === "ignore" && (column.guess === "ignore" || (spec.target !== "" && !spec.ignore.includes(name)));
  const kind = kindOf(spec, name, column.kind);
  const place = (one: string): number => columns.findIndex((other) => other.name === one);
  return { ...all, ...(retargeted ? { categorical, numeric } : {}), ...(role === "ignore" ? { ignore: [...ignore, name].sort((a, b) => place(a) - place(b)) } : {}), ...(keep ? withKind(spec, name, kind, kind === "numeric" ? "categorical" : "numeric") : {}) };
}

/** The settings with another role for many columns at once. None of them is the target; a row weight among them weighs no longer. */
export function withRoles({ columns }: Table, now: Spec, roles: readonly Role[], names: ReadonlySet<string>, role: "feature" | "ignore"): Partial<Spec> {
  const ignored = new Set(ignoredBy(columns, now, roles));
  const kinds = { categorical: new Set(now.categorical), numeric: new Set(now.numeric) };
  for (const [at, column] of columns.entries()) {
    const { name, guess } = column;
    if (!names.has(name)) continue;
    const wasLeftOut = roles[at] === "ignore" && (guess === "ignore" || (now.target !== "" && !ignored.has(name)));
    ignored.delete(name);
    if (isApart(column)) kinds.numeric.delete(name);
    if (isApart(column) && role === "ignore") kinds.categorical.delete(name);
    else if (isApart(column)) kinds.categorical.add(name);
    else if (role === "ignore") ignored.add(name);
    else if (wasLeftOut) kinds[kindOf(now, name, column.kind) === "numeric" ? "numeric" : "categorical"].add(name);
  }
  const place = new Map(columns.map(({ name }, i) => [name, i]));
  const ignore = [...ignored].sort((a, b) => (place.get(a) ?? -1) - (place.get(b) ?? -1));
  const target = columns[roles.indexOf("target")]?.name ?? "";
  return { target, weight: names.has(now.weight) ? "" : now.weight, ignore, categorical: [...kinds.categorical], numeric: [...kinds.numeric] };
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

export function withTarget(table: Table, spec: Spec, loaded: Loaded, name: string): Partial<Spec> {
  return withRole(table, spec, rolesOf(table, spec, loaded), table.columns.findIndex((column) => column.name === name), "target", loaded.plan);
}

export function targetOf(table: Table, spec: Spec, loaded: Loaded): Column | undefined {
  return table.columns[rolesOf(table, spec, loaded).indexOf("target")];
}

/** The columns as the file has them: without the parts of dates, which are made of them. */
export function writtenIn({ columns }: Table): readonly Column[] {
  const made = new Set(columns.flatMap(({ parts }) => parts));
  return columns.filter(({ name }) => !made.has(name));
}

interface Ask {
  readonly name: string; // of the column, "" for the table
  readonly note: Note;
}

const ODD: readonly Topic[] = ["leak", "parts", "copy", "one to one", "capitals"];

/** What is odd about features: one is almost the target, some add up to it, or columns say the same. Nothing is left out for it. */
export function oddities({ notes }: Plan): Note[] {
  return notes.filter(({ topic }) => ODD.includes(topic));
}

const LISTED = 40; // columns beside which notes about them stand

/** Whether a note counts the rows that a rule leaves out. */
export function isRule({ topic, cells }: Note): boolean {
  return topic === "split" && cells > 0;
}

/** Whether a note of the plan stands beside a column, a rule or the verdict. */
export function listed(plan: Plan, { columns }: Table, note: Note): boolean {
  const names = columns.slice(0, LISTED).map(({ name }) => name);
  return isRule(note) || (plan.hasTests && note.topic === "beyond") || (note.topic === "role" || oddities(plan).includes(note)) && note.columns.some((name) => names.includes(name));
}

export function asksOf(table: Table): Ask[] {
  return [{ name: "", notes: table.notes }, ...table.columns].flatMap(({ name, notes }) => notes.filter(({ ask }) => ask).map((note) => ({ name, note })));
}

export function withAnswer(spec: Spec, { answers }: Note, chosen: Answer): Partial<Spec> {
  const values = answers.map(({ value }) => value);
  const keys = [...new Set(answers.map(({ key }) => key))];
  const lists = keys.map((key): [Answer["key"], readonly string[]] => {
    const others = spec[key].filter((value) => !values.includes(value));
    return [key, key === chosen.key && chosen.value !== "" ? [...others, chosen.value] : others];
  });
  return Object.fromEntries(lists);
}

/** Whether an answer holds now: the table knows how cells are read, the settings what they are read as. */
export function holds(spec: Spec, { answers }: Note, answer: Answer): boolean {
  const { key, value, now } = answer;
  if (key !== "categorical" && key !== "numeric") return now;
  return value === "" ? !answers.some((other) => other.value !== "" && spec[key].includes(other.value)) : spec[key].includes(value);
}
