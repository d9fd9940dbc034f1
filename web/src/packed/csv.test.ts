import assert from "node:assert/strict";
import { test } from "node:test";

import { cell, clock, date, fixed, instant, numeral } from "./csv.js";

test("a cell is quoted where it could be taken for more than itself, and stays on its line", () => {
  assert.equal(cell("plain text"), "plain text");
  assert.equal(cell('say "a, b"'), '"say ""a, b"""');
  assert.equal(cell("# of rooms"), '"# of rooms"', "no comment");
  assert.equal(cell("one\r\ntwo\n\nthree"), "one two three");
});

test("numbers keep all their digits, and none can be taken for one with thousands", () => {
  assert.equal(numeral(0.1 + 0.2), "0.30000000000000004");
  assert.equal(numeral(1.234), "1.2340");
  assert.equal(numeral(-123.456), "-123.4560");
  assert.equal(numeral(0.123), "0.123", "nobody writes thousands so");
  assert.equal(numeral(1234.567), "1234.567");
  assert.equal(numeral(-0), "0");
  assert.equal(numeral(Number.NaN), "");
  assert.equal(numeral(1e21), "1e+21");
});

test("decimals of any length are exact", () => {
  assert.equal(fixed(12345n, 2), "123.45");
  assert.equal(fixed(-5n, 2), "-0.05");
  assert.equal(fixed(-12345678901234567890123456789012345678n, 10), "-1234567890123456789012345678.9012345678");
  assert.equal(fixed(7n, 0), "7");
  assert.equal(fixed(7n, -3), "7000");
  assert.equal(fixed(1234n, 3), "1.2340");
});

test("instants are days and times, before 1970 too, and numbers where their year has not four digits", () => {
  assert.equal(date(0), "1970-01-01");
  assert.equal(date(-719162), "0001-01-01");
  assert.equal(date(-719163), "");
  assert.equal(clock(49500500n, 3), "13:45:00.5");
  assert.equal(instant(0n, 3), "1970-01-01T00:00:00");
  assert.equal(instant(-1n, 9), "1969-12-31T23:59:59.999999999");
  assert.equal(instant(1706714096123456789n, 9), "2024-01-31T15:14:56.123456789");
  assert.equal(instant(9223372036854775807n, 3), "9223372036854775807");
});
