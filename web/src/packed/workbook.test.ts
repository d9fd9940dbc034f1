import assert from "node:assert/strict";
import { test } from "node:test";

import { formOf, written } from "./workbook.js";

test("a format says whether a number is a date, a time, both or none", () => {
  for (const code of ["yyyy-mm-dd", "d/m/yy", "mmm", "[$-409]mmmm\\ d\\,\\ yyyy;@", '"am" dd.mm.yyyy', "[Red]dd"]) assert.equal(formOf(code).kind, "date", code);
  for (const code of ["yyyy-mm-dd hh:mm", "d/m/yy\\ h:mm\\ AM/PM", "[$-F800]dddd h:mm:ss.000"]) assert.equal(formOf(code).kind, "datetime", code);
  for (const code of ["h:mm", "mm:ss.0", "[$-409]h:mm:ss AM/PM;@", "[h]:mm:ss", "[mm]:ss"]) assert.equal(formOf(code).kind, "time", code);
  for (const code of ["", "General", "0.00%", "#,##0.00\\ [$€-407]", '0" days"', "0.00E+00", "@", '_-* #,##0.00\\ "kr"_-;-* #,##0.00', "[Red]0;[Blue]-0"]) assert.equal(formOf(code).kind, "number", code);
});

test("a unit that a format shows is written behind the number", () => {
  for (const [code, value, text] of [["0.0%", 0.0036, "0.36%"], ["#,##0.00\\ [$€-407]", 1549.5, "1549.5 €"], ['_("$"* #,##0.00_);_("$"* (#,##0.00)', -12, "-12 $"], ['0.0" km"', 3.125, "3.1250 km"], ["$#,##0", 7, "7 $"], ['#,##0,"K"', 565000, "565000"], ["0.00", 3, "3"], ['0"."0', 3, "3"]] as const) assert.equal(written(value, formOf(code), false), text, code);
});

test("serial numbers are days since 1900, which had no 29 February, or since 1904", () => {
  assert.equal(written(1, { kind: "date", unit: "" }, false), "1900-01-01");
  assert.equal(written(59, { kind: "date", unit: "" }, false), "1900-02-28");
  assert.equal(written(60, { kind: "date", unit: "" }, false), "60", "the day that never was");
  assert.equal(written(61, { kind: "date", unit: "" }, false), "1900-03-01");
  assert.equal(written(45292, { kind: "date", unit: "" }, false), "2024-01-01");
  assert.equal(written(43830, { kind: "date", unit: "" }, true), "2024-01-01");
  assert.equal(written(2958465, { kind: "date", unit: "" }, false), "9999-12-31");
  assert.equal(written(2958466, { kind: "date", unit: "" }, false), "2958466");
  assert.equal(written(-1, { kind: "date", unit: "" }, false), "-1");
});

test("times are written to the millisecond, and only where there are any", () => {
  assert.equal(written(45292.5, { kind: "datetime", unit: "" }, false), "2024-01-01T12:00:00");
  assert.equal(written(45292, { kind: "datetime", unit: "" }, false), "2024-01-01T00:00:00");
  assert.equal(written(45292.75, { kind: "date", unit: "" }, false), "2024-01-01T18:00:00", "a date's hours are not lost");
  assert.equal(written(45292.9999999999, { kind: "datetime", unit: "" }, false), "2024-01-02T00:00:00", "what a spreadsheet rounds away");
  assert.equal(written(0.573, { kind: "time", unit: "" }, false), "13:45:07.2");
  assert.equal(written(1.5, { kind: "time", unit: "" }, false), "36:00:00", "a duration counts on beyond a day");
  assert.equal(written(45292.5, { kind: "time", unit: "" }, false), "45292.5", "an instant of which the format hides the date");
});
