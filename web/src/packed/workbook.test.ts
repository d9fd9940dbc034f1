import assert from "node:assert/strict";
import { test } from "node:test";

import { formOf, written } from "./workbook.js";

test("a format says whether a number is a date, a time, both or none", () => {
  for (const code of ["yyyy-mm-dd", "d/m/yy", "mmm", "[$-409]mmmm\\ d\\,\\ yyyy;@", '"am" dd.mm.yyyy', "[Red]dd"]) assert.equal(formOf(code), "date", code);
  for (const code of ["yyyy-mm-dd hh:mm", "d/m/yy\\ h:mm\\ AM/PM", "[$-F800]dddd h:mm:ss.000"]) assert.equal(formOf(code), "datetime", code);
  for (const code of ["h:mm", "mm:ss.0", "[$-409]h:mm:ss AM/PM;@"]) assert.equal(formOf(code), "time", code);
  for (const code of ["", "General", "0.00%", "#,##0.00\\ [$€-407]", '0" days"', "0.00E+00", "[h]:mm:ss", "[mm]:ss", "@", '_-* #,##0.00\\ "kr"_-;-* #,##0.00', "[Red]0;[Blue]-0"]) assert.equal(formOf(code), "number", code);
});

test("serial numbers are days since 1900, which had no 29 February, or since 1904", () => {
  assert.equal(written(1, "date", false), "1900-01-01");
  assert.equal(written(59, "date", false), "1900-02-28");
  assert.equal(written(60, "date", false), "60", "the day that never was");
  assert.equal(written(61, "date", false), "1900-03-01");
  assert.equal(written(45292, "date", false), "2024-01-01");
  assert.equal(written(43830, "date", true), "2024-01-01");
  assert.equal(written(2958465, "date", false), "9999-12-31");
  assert.equal(written(2958466, "date", false), "2958466");
  assert.equal(written(-1, "date", false), "-1");
});

test("times are written to the millisecond, and only where there are any", () => {
  assert.equal(written(45292.5, "datetime", false), "2024-01-01T12:00:00");
  assert.equal(written(45292, "datetime", false), "2024-01-01T00:00:00");
  assert.equal(written(45292.75, "date", false), "2024-01-01T18:00:00", "a date's hours are not lost");
  assert.equal(written(45292.9999999999, "datetime", false), "2024-01-02T00:00:00", "what a spreadsheet rounds away");
  assert.equal(written(0.573, "time", false), "13:45:07.2");
  assert.equal(written(1.5, "time", false), "1.5", "more than a day is no time of it");
});
