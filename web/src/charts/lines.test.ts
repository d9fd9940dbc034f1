import assert from "node:assert/strict";
import { test } from "node:test";

import { lineChart, type Drawing } from "./lines.js";
import type { ChartSpec } from "./spec.js";

const drawing: Drawing = {
  lines: [
    { name: "FM", colour: "fm", dash: "", symbol: "circle", x: [0, 2], y: [1, 0.5], low: [1, 0.25], high: [1, 0.75] },
    { name: "iFM", colour: "ifm", dash: "", symbol: "circle", x: [0, 1], y: [1, Number.NaN] },
  ],
  x: { domain: [0, 2], ticks: [0, 1, 2], label: "rank", format: String },
  y: { type: "linear", domain: [0, 1], ticks: [0, 1], label: "RMSE", format: String },
  at: (x) => `rank ${x}`,
};

function specOf(drawing: Drawing | null): ChartSpec<number> {
  return lineChart({ heading: "RMSE by rank", drawing, waiting: "" }).values[0] as ChartSpec<number>;
}

test("the data has a row for each place of a line, with empty cells, and the cursor goes to the nearest place and reads the lines there", () => {
  const { content } = specOf(drawing);
  assert.ok(content);
  const columns = content.columns();
  assert.deepEqual(columns.map(({ name, values }) => [name, ...Array.from(values)]), [
    ["rank", 0, 1, 2],
    ["FM RMSE", 1, Number.NaN, 0.5],
    ["FM RMSE, smallest", 1, Number.NaN, 0.25],
    ["FM RMSE, largest", 1, Number.NaN, 0.75],
    ["iFM RMSE", 1, Number.NaN, Number.NaN],
  ]);
  const shown = columns.filter(({ head }) => head !== undefined);
  assert.deepEqual(content.rows.map((row) => shown.map(({ cell, values }) => cell?.(Number(values[row]), row))), [
    ["0", "1", "1 – 1", "1"],
    ["1", "", "", "–"],
    ["2", "0.5000", "0.250 – 0.750", ""],
  ]);
  const cursor = specOf(drawing).content?.cursor;
  assert.ok(cursor);
  assert.deepEqual([cursor.places, cursor.first], [[0, 1, 2], 2]);
  assert.deepEqual([cursor.at(30, 0, { width: 100, height: 10 }), cursor.stays(7), cursor.says(2)], [1, 2, "rank 2: FM 0.500"], "what comes has fewer places");
  assert.deepEqual([specOf(null).content, specOf({ ...drawing, lines: [] }).content], [null, null]);
});
