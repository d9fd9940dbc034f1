import assert from "node:assert/strict";
import { test } from "node:test";

import { problem } from "./problem.js";

const told = (file: string, message: string): string => problem({ kind: "FileError", message, file, line: 0, column: 0, field: "", found: "" });

test("an error says its line in words, and leaves out the file that stands beside it", () => {
  assert.equal(told("a.csv", "a.csv:3:7: “x” is no number"), "line 3: “x” is no number");
  assert.equal(told("a.csv", "a.csv:3: “x” is no number"), "line 3: “x” is no number", "without a column");
  assert.equal(told("a.csv", "a.csv:1:1: it is empty"), "it is empty", "the file as a whole");
  assert.equal(told("a.csv", "a.csv: it is empty (a.csv:2: it begins)"), "it is empty (line 2: it begins)");
});

test("a file's name within another word is left alone", () => {
  assert.equal(told("y", "y:2:1: none of it is known, so try: y"), "line 2: none of it is known, so try: y");
  assert.equal(told("y", "so my: x"), "so my: x");
  assert.equal(told("a.csv", "data.csv:3:7: aXcsv: x"), "data.csv:3:7: aXcsv: x");
});
