// The test rows to take along: the cells of each, and what a model predicts of it.
import type { Opened, Pool } from "../engine/pool.js";
import { besideCells, cellsOf, predictedColumns, saveRows, type Format } from "../save/rows.js";
import type { Model } from "../training/series.js";
import type { Training } from "../training/training.js";

/** Saves them under the name of the table. Rejects if the table has gone, or a sheet cannot hold them. */
export async function saveTestRows(format: Format, pool: Pool, opened: Opened, training: Training, model: Model): Promise<void> {
  const { table } = opened;
  const predictions = training.predictions.get(model);
  const { target, classes } = training.started ?? {};
  if (!predictions) return;
  const { line, predicted, actual, probabilities } = predictions;
  const interval = [...training.intervals.answers.values()].find(({ done, model: own }) => done && own === model);
  const order = [...line.keys()].sort((a, b) => (line[a] ?? 0) - (line[b] ?? 0));
  const columns = besideCells(line, await cellsOf(pool, opened, line, target ?? ""), [
    ...predictedColumns({ predicted, probabilities, ...(interval && { low: interval.low, high: interval.high }) }, classes ?? null),
    ...(classes ? [] : [{ name: "error", values: predicted.map((one, i) => one - (actual[i] ?? Number.NaN)) }]),
  ]);
  const sorted = columns.map(({ name, values, days }) => ({ name, values: order.map((row) => values[row] ?? ""), ...(days && { days: order.map((row) => days[row] ?? Number.NaN) }) }));
  await saveRows(format, `${table.name.replace(/\.[^.]*$/, "")}.test-rows`, sorted, table);
}
