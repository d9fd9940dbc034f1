// Tables and plans as the engine reads them, for the tests of what the page makes of them.
import type { Column, Note, Plan, Table } from "./protocol.js";

export function column(name: string, more: Partial<Column> = {}): Column {
  return { name, kind: "numeric", guess: "feature", reason: "it has numbers", sure: true, alternatives: [], cells: 40, missing: 0, unreadable: 0, distinct: 9, distinctExact: true, mean: 1, sd: 1, min: 0, max: 2, tau: 2, levels: [], unit: "", parts: [], notes: [], ...more };
}

export function table(...columns: Column[]): Table {
  return { table: 1, name: "t.csv", rows: 9, bytes: 90, format: "text", charset: "utf-8", separator: ",", point: ".", header: true, columns, preview: [], bad: [], badCount: 0, notes: [], asks: columns.flatMap(({ notes }) => notes).filter(({ ask }) => ask).length };
}

export function note(text: string, more: Partial<Note> = {}): Note {
  return { topic: "code", columns: [], text, cells: 0, ask: false, answers: [], ...more };
}

/** The plan for a table's columns as the engine guesses them. */
export function plan({ columns }: Table, more: Partial<Plan> = {}): Plan {
  const uses = columns.map(({ name, kind, guess, reason }) => ({ column: name, role: guess, kind, reason, sure: true, alternatives: [], chosen: "" as const, judged: "" }));
  return {
    target: "y", quantity: "y", measure: "rmse", classes: null, roles: uses.map(({ role }) => role), kinds: columns.map(({ kind }) => kind), uses, split: "random", by: "", suggested: [],
    features: 1, train: 1, valid: 1, test: 1, folds: 0, codes: 0, bytes: 1, steps: 1, trees: 1, treesQuick: true, dropped: [], droppedCount: 0, notes: [], hasTests: false, ...more,
  };
}
