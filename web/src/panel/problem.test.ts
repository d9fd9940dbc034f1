import assert from "node:assert/strict";
import { test } from "node:test";

import { nothing } from "lit";

import { facts } from "./places.js";
import { problem } from "./problem.js";
import { problems } from "./strings.js";

const told = (file: string, message: string, kind = "FileError"): string => problem({ kind, message, file, line: 0, column: 0, field: "", found: "" });

test("an engine that went away is told by what is known of it", () => {
  const of = (kind: string, message = "why"): string => told("", message, kind);
  assert.deepEqual([of("Lost"), of("Stopped", ""), of("Full"), of("NotStarted")], [problems.crashed("why"), problems.crashed(problems.silent), problems.full, problems.notStarted("why")]);
});

test("an error says its line in words, and leaves out the file that stands beside it, but no other word", () => {
  for (const place of ["a.csv:3:7", "a.csv:3"]) assert.equal(told("a.csv", `${place}: “x” is no number`), "line 3: “x” is no number");
  assert.equal(told("a.csv", "a.csv:1:1: it is empty"), "it is empty", "the file as a whole");
  assert.equal(told("a.csv", "a.csv: it is empty (a.csv:2: it begins)"), "it is empty (line 2: it begins)");
  assert.equal(told("", "x:2: no file, so all of it stands"), "x:2: no file, so all of it stands");
  assert.equal(told("y", "y:2:1: none of it is known, so try: y"), "line 2: none of it is known, so try: y");
  assert.equal(told("y", "so my: x"), "so my: x");
  assert.equal(told("a.csv", "data.csv:3:7: aXcsv: x"), "data.csv:3:7: aXcsv: x");
});

test("an error's facts are the line, the column, the field and the text that it knows", () => {
  const shown = (line: number, column: number): unknown => {
    const found = facts({ kind: "CellError", message: "", file: "a.csv", line, column, field: "", found: "" });
    return found === nothing ? 0 : (found as { values: unknown[][] }).values[0]?.length;
  };
  assert.deepEqual([shown(1, 1), shown(1, 0), shown(0, 0)], [2, 1, 0]);
});
