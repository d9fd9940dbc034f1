import assert from "node:assert/strict";
import { test } from "node:test";

import { formOf, written } from "./workbook.js";

const kinds = {
  date: ["yyyy-mm-dd", "d/m/yy", "mmm", "[$-409]mmmm\\ d\\,\\ yyyy;@", '"am" dd.mm.yyyy', "[Red]dd"],
  datetime: ["yyyy-mm-dd hh:mm", "d/m/yy\\ h:mm\\ AM/PM", "[$-F800]dddd h:mm:ss.000"],
  time: ["h:mm", "mm:ss.0", "[$-409]h:mm:ss AM/PM;@", "[h]:mm:ss", "[mm]:ss"],
  number: ["", "General", "0.00%", "#,##0.00\\ [$€-407]", '0" days"', "0.00E+00", "@", '_-* #,##0.00\\ "kr"_-;-* #,##0.00', "[Red]0;[Blue]-0", "#,##0.00 USD"],
};

test("a format says whether a number is a date, a time, both or none, and which unit is written behind it", () => {
  for (const [kind, codes] of Object.entries(kinds)) for (const code of codes) assert.equal(formOf(code).kind, kind, code);
  for (const [code, value, text] of [["0.0%", 0.0036, "0.36%"], ["#,##0.00\\ [$€-407]", 1549.5, "1549.5 €"], ['_("$"* #,##0.00_);_("$"* (#,##0.00)', -12, "-12 $"], ['0.0" km"', 3.125, "3.1250 km"], ["$#,##0", 7, "7 $"], ['#,##0,"K"', 565000, "565000"], ["0.00", 3, "3"], ['0"."0', 3, "3"]] as const) assert.equal(written(value, formOf(code), false), text, code);
});

const of = (kind: "date" | "time" | "datetime", since1904 = false) => (value: number): string => written(value, { kind, unit: "" }, since1904);

test("serial numbers are days since 1900, which had no 29 February, or since 1904, and times are written to the millisecond", () => {
  assert.deepEqual([1, 59, 60, 61, 45292].map(of("date")), ["1900-01-01", "1900-02-28", "60", "1900-03-01", "2024-01-01"]);
  assert.deepEqual([2958465, 2958466, -1].map(of("date")), ["9999-12-31", "2958466", "-1"]);
  assert.equal(of("date", true)(43830), "2024-01-01");
  assert.equal(of("date")(45292.75), "2024-01-01T18:00:00", "a date's hours are not lost");
  assert.deepEqual([45292, 45292.5, 45292.9999999999].map(of("datetime")), ["2024-01-01T00:00:00", "2024-01-01T12:00:00", "2024-01-02T00:00:00"], "a spreadsheet rounds the last");
  assert.deepEqual([0.573, 1.5, 45292.5].map(of("time")), ["13:45:07.2", "36:00:00", "45292.5"], "a duration goes beyond a day, an instant not");
});
