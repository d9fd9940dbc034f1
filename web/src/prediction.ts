// A table predicted by a kept model, and its form as a file.
import { turn } from "./engine/pending.js";
import { EngineFailure } from "./engine.js";
import type { Progress } from "./messages.js";
import type { Opened, Pool } from "./pool.js";
import type { Described, Predicted, Table } from "./protocol.js";
import { encode, parse, type Spec } from "./spec.js";

/** A model file and what it holds. */
export interface Kept {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly is: Described;
}

export interface Prediction {
  readonly table: Table;
  readonly predicted: Predicted;
  readonly compared: number; // rows that have both a prediction and the actual value
}

const SEPARATORS: Readonly<Record<string, Spec["separator"]>> = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", " ": "space" };
const AT_ONCE = 4000; // rows written without a break: some milliseconds

/**
 * Predicts every row of a file. Its header is read as that of the table the
 * model was trained on, its separator is guessed, or, if that finds no rows or not
 * the model's columns, that table's. Rejects with an EngineFailure.
 */
export async function predict(pool: Pool, model: Kept, file: File, progress: (progress: Progress) => void, signal: AbortSignal): Promise<Prediction> {
  let guessed = "";
  const read = async (separator: Spec["separator"]): Promise<Prediction> => {
    const query = encode({ ...parse("").spec, source: "table", header: model.is.header ? "yes" : "no", separator });
    const opened: Opened = await pool.open(file, query, progress, signal);
    guessed = opened.table.separator;
    try {
      const predicted = await pool.predict(opened, model.bytes, signal);
      return { table: opened.table, predicted, compared: compared(predicted) };
    } finally {
      pool.close(opened);
    }
  };
  try {
    return await read("auto");
  } catch (reason) {
    const own = SEPARATORS[model.is.separator];
    const misread = reason instanceof EngineFailure && ["MissingColumnsError", "TooManyBadRowsError"].includes(reason.detail.kind);
    if (!misread || !own || guessed === model.is.separator) throw reason;
    return read(own).catch((second: unknown) => {
      throw second instanceof EngineFailure && second.detail.kind !== "Cancelled" ? reason : second; // the guess says it better
    });
  }
}

function compared({ predicted, actual }: Predicted): number {
  let n = 0;
  for (let i = 0; i < predicted.length; i++) if (!Number.isNaN((predicted[i] ?? Number.NaN) - (actual[i] ?? Number.NaN))) n++;
  return n;
}

/** The predictions as a CSV file: the line of the table, the prediction, nothing where there is none. All of it numbers, which no spreadsheet takes for formulas. */
export async function toCSV({ line, predicted }: Predicted): Promise<Blob> {
  const encoder = new TextEncoder();
  const parts = [new Blob(["line,prediction\n"])];
  for (let lo = 0; lo < line.length; lo += AT_ONCE) {
    const rows = Array.from(predicted.subarray(lo, lo + AT_ONCE), (v, i) => `${line[lo + i]},${Number.isNaN(v) ? "" : v}\n`);
    parts.push(new Blob([encoder.encode(rows.join(""))])); // bytes now: a blob of many texts takes seconds to make of them
    await turn(); // the reader's turn
  }
  return new Blob(parts, { type: "text/csv" });
}
