// A table predicted by a kept model, and its form as a file.
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
}

const SEPARATORS: Readonly<Record<string, Spec["separator"]>> = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe", " ": "space" };
const AT_ONCE = 20_000; // rows written without a break: some 10 ms

/**
 * Predicts every row of a file. Its header is read as that of the table the
 * model was trained on, its separator is guessed, or, if the model's columns are
 * not found so, that table's. Rejects with an EngineFailure.
 */
export async function predict(pool: Pool, model: Kept, file: File, progress: (progress: Progress) => void, signal: AbortSignal): Promise<Prediction> {
  let guessed = "";
  const read = async (separator: Spec["separator"]): Promise<Prediction> => {
    const query = encode({ ...parse("").spec, source: "table", header: model.is.header ? "yes" : "no", separator });
    const opened: Opened = await pool.open(file, query, progress, signal);
    guessed = opened.table.separator;
    try {
      return { table: opened.table, predicted: await pool.predict(opened, model.bytes) };
    } finally {
      pool.close(opened);
    }
  };
  try {
    return await read("auto");
  } catch (reason) {
    const own = SEPARATORS[model.is.separator];
    const lacks = reason instanceof EngineFailure && reason.detail.kind === "MissingColumnsError";
    if (!lacks || !own || guessed === model.is.separator) throw reason;
    return read(own).catch((second: unknown) => {
      throw second instanceof EngineFailure && second.detail.kind !== "Cancelled" ? reason : second; // the guess says it better
    });
  }
}

/** The predictions as a CSV file: the line of the table, the prediction, nothing where there is none. All of it numbers, which no spreadsheet takes for formulas. */
export async function toCSV({ line, predicted }: Predicted): Promise<Blob> {
  const parts = ["line,prediction\n"];
  for (let lo = 0; lo < line.length; lo += AT_ONCE) {
    let part = "";
    for (let i = lo; i < Math.min(lo + AT_ONCE, line.length); i++) {
      const v = predicted[i] ?? Number.NaN;
      part += `${line[i]},${Number.isNaN(v) ? "" : v}\n`;
    }
    parts.push(part);
    await new Promise((resolve) => setTimeout(resolve)); // the reader's turn
  }
  return new Blob(parts, { type: "text/csv" });
}
