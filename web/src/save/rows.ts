// Rows to take along: as CSV in the dialect of the file that they come from, or as a workbook.
import { likeliest } from "../charts/classes/likeliest.js";
import type { Column } from "../charts/sheet.js";
import type { Opened, Pool } from "../engine/pool.js";
import { csv, type Dialect } from "./csv.js";
import { offer } from "./offer.js";
import { Turns } from "./turns.js";
import { workbook } from "./workbook.js";

export type Format = "csv" | "xlsx";

/** What a model predicts of rows. */
interface Predicted {
  readonly predicted: Float64Array;
  readonly probabilities: Float64Array; // of more than two classes, those of a row next to each other
  readonly low?: Float64Array;
  readonly high?: Float64Array;
}

/** For two classes the likelier one and the probability of the second, for more the likeliest and the probability of each; else the prediction and the ends of its interval. */
export function predictedColumns({ predicted, probabilities, low, high }: Predicted, classes: readonly string[] | null): Column[] {
  const ends = low?.length && high ? [{ name: "lower", values: low }, { name: "upper", values: high }] : [];
  if (!classes) return [{ name: "prediction", values: predicted }, ...ends];
  const k = classes.length;
  const name = (row: number): string => (k === 2 ? (classes[Number((predicted[row] ?? 0) >= 0.5)] ?? "") : likeliest(probabilities, row, classes));
  const named = Array.from(predicted, (value, row) => (Number.isNaN(value) ? "" : name(row)));
  const each = classes.map((name, c) => ({ name: `P(${name})`, values: predicted.map((_, row) => probabilities[row * k + c] ?? Number.NaN) }));
  return [{ name: "class", values: named }, ...(k === 2 ? [{ name: "probability", values: predicted }] : each)];
}

/** The cells of the rows on these lines, without the parts of dates unless one is the target, whose column comes last. */
export async function cellsOf(pool: Pool, opened: Opened, line: ArrayLike<number>, target: string): Promise<Column[]> {
  const { columns } = opened.table;
  const lines = Float64Array.from(line);
  const parts = new Set(columns.flatMap(({ parts }) => parts));
  const cells: Column[] = [];
  for (const [column, { name }] of columns.entries()) {
    if (parts.has(name) && name !== target) continue;
    const { numbers, texts, days } = await pool.callOn(opened, "cells", { column, lines });
    cells.push({ name, values: Array.from(numbers, (value, i) => (Number.isNaN(value) ? (texts[i] ?? "") : value)), ...(days.length > 0 && { days }) });
  }
  return [...cells.filter(({ name }) => name !== target), ...cells.filter(({ name }) => name === target)];
}

/** The lines and cells of rows with what is added to them, whose names are numbered where the file has them. */
export function besideCells(line: ArrayLike<number>, cells: readonly Column[], added: readonly Column[]): Column[] {
  const taken = new Set(cells.map(({ name }) => name));
  const unique = (column: Column): Column => {
    let { name } = column;
    for (let n = 2; taken.has(name); n++) name = `${column.name} (${n})`;
    taken.add(name);
    return { ...column, name };
  };
  return [unique({ name: "line", values: line }), ...cells, ...added.map(unique)];
}

export async function saveRows(format: Format, name: string, columns: readonly Column[], like: Dialect): Promise<void> {
  const turns = new Turns(new AbortController().signal, () => undefined);
  offer(`${name}.${format}`, await (format === "csv" ? csv(columns, turns, like) : workbook(columns, turns)));
}
