// The test rows to take along: the cells of each, and what a model predicts of it.
import type { Column } from "../charts/sheet.js";
import type { Opened, Pool } from "../engine/pool.js";
import { predictedColumns, saveRows, type Format } from "../save/rows.js";
import type { Model } from "../training/series.js";
import type { Training } from "../training/training.js";

/** Saves them under the name of the table. Rejects if the table has gone, or a sheet cannot hold them. */
export async function saveTestRows(format: Format, pool: Pool, opened: Opened, training: Training, model: Model): Promise<void> {
  const { table } = opened;
  const predictions = training.predictions.get(model);
  const { target, classes } = training.started ?? {};
  if (!predictions) return;
  const { line, predicted, actual, probabilities } = predictions;
  const lines = Float64Array.from(line);
  const parts = new Set(table.columns.flatMap(({ parts }) => parts));
  const cells: Column[] = [];
  for (const [column, { name }] of table.columns.entries()) {
    if (parts.has(name) && name !== target) continue; // the file has its dates
    const { numbers, texts } = await pool.callOn(opened, "cells", { column, lines });
    cells.push({ name, values: Array.from(numbers, (value, i) => (Number.isNaN(value) ? (texts[i] ?? "") : value)) });
  }
  const interval = [...training.intervals.answers.values()].find(({ done, model: own }) => done && own === model);
  const order = [...line.keys()].sort((a, b) => (line[a] ?? 0) - (line[b] ?? 0));
  const columns: Column[] = [
    { name: "line", values: line },
    ...cells.filter(({ name }) => name !== target),
    ...cells.filter(({ name }) => name === target),
    ...predictedColumns({ predicted, probabilities, ...(interval && { low: interval.low, high: interval.high }) }, classes ?? null),
    ...(classes ? [] : [{ name: "error", values: predicted.map((one, i) => one - (actual[i] ?? Number.NaN)) }]),
  ];
  const sorted = columns.map(({ name, values }) => ({ name, values: order.map((row) => values[row] ?? "") }));
  await saveRows(format, `${table.name.replace(/\.[^.]*$/, "")}.test-rows`, sorted, table);
}
