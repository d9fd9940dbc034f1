// What is open about a table before it can be trained, and the settings that an
// answer makes.
import type { Answer, Column, Note, Plan, Table, Topic } from "../engine/protocol.js";
import type { Spec } from "../state/spec.js";

/** A question about the cells of a column. */
export interface Ask {
  readonly column: Column;
  readonly note: Note;
}

const ODD: readonly Topic[] = ["leak", "parts", "copy", "one to one", "capitals"];

/** What is odd about features: one is almost the target, some add up to it, or columns say the same. Nothing is left out for it. */
export function oddities({ notes }: Plan): Note[] {
  return notes.filter(({ topic }) => ODD.includes(topic));
}

export function asksOf(table: Table): Ask[] {
  return table.columns.flatMap((column) => column.notes.filter(({ ask }) => ask).map((note) => ({ column, note })));
}

/** The settings with one of a note's answers, in place of its others. */
export function withAnswer(spec: Spec, { answers }: Note, chosen: Answer): Partial<Spec> {
  const values = answers.map(({ value }) => value);
  const keys = [...new Set(answers.map(({ key }) => key))];
  const lists = keys.map((key): [Answer["key"], readonly string[]] => {
    const others = spec[key].filter((value) => !values.includes(value));
    return [key, key === chosen.key && chosen.value !== "" ? [...others, chosen.value] : others];
  });
  return Object.fromEntries(lists);
}

/** Whether an answer is the one that holds: the table knows how cells are read, the settings what they are read as. */
export function holds(spec: Spec, { answers }: Note, answer: Answer): boolean {
  const { key, value, now } = answer;
  if (key !== "categorical" && key !== "numeric") return now;
  return value === "" ? !answers.some((other) => other.value !== "" && spec[key].includes(other.value)) : spec[key].includes(value);
}
