import assert from "node:assert/strict";
import { test } from "node:test";

import { cellIn } from "./days.js";
import { bytes, cell, change, count, decimals, fraction, named, number, percent, power, signed } from "./format.js";
import { plain, quantity, say } from "./phrase.js";
import { list } from "./strings.js";

/** One test a function: what it is given and what a reader sees. */
const tables: readonly (readonly [string, (value: number) => string, readonly (readonly [value: number, text: string])[]])[] = [
  ["a power of ten stands in raised digits", power, [[-3, "10⁻³"], [0, "10⁰"], [1234567890, "10¹²³⁴⁵⁶⁷⁸⁹⁰"]]],
  [
    "a number has three significant digits and keeps the noughts that it measured, unless it is whole",
    number,
    [[0.03149, "0.0315"], [0.5, "0.500"], [1, "1"], [12, "12"], [12.001, "12.0"], [12.34, "12.3"], [999.4, "999"], [1937.4, "1,937"], [0, "0"], [-2.5, "−2.50"], [0.001, "0.00100"], [999_999, "999,999"]],
  ],
  ["a number that is tiny or huge is a power of ten", number, [[0.000999, "9.99 × 10⁻⁴"], [2.4e-5, "2.40 × 10⁻⁵"], [-2.4e-5, "−2.40 × 10⁻⁵"], [1e6, "1.00 × 10⁶"], [-1.5e300, "−1.50 × 10³⁰⁰"]]],
  ["what is no number is a dash, and what is infinite says so", number, [[Number.NaN, "–"], [Number.POSITIVE_INFINITY, "∞"], [Number.NEGATIVE_INFINITY, "−∞"]]],
  ["another number of digits is that many", (value) => number(value, 1), [[0.25, "0.3"], [12.3, "12"], [2.4e-5, "2 × 10⁻⁵"]]],
  ["what may be negative has its sign, and zero none", signed, [[0.021, "+0.0210"], [-0.3, "−0.300"], [0, "0"], [Number.NaN, "–"]]],
  ["a cell of a table has as few digits as it needs, six at most", cell, [[1.5, "1.5"], [0.1 + 0.2, "0.3"], [123456.7, "123457"], [-4, "−4"], [0, "0"], [Number.NaN, "–"]]],
  ["a cell that is tiny or huge is a power of ten", cell, [[1e-4, "0.0001"], [9.9e-5, "9.900 × 10⁻⁵"], [9_999_990, "9999990"], [1e7, "1.000 × 10⁷"], [-1e7, "−1.000 × 10⁷"]]],
  ["days since 1970 are dates, other numbers are not", (value) => `${cellIn(true, value)} ${cellIn(false, value)}`, [[18_758, "2021-05-11 18758"], [-1, "1969-12-31 −1"], [1e12, "1.000 × 10¹² 1.000 × 10¹²"]]],
  ["numbers of a column that is added up have the decimals that the largest needs, and what that leaves nothing of no sign", decimals(27.8), [[27.84, "27.8"], [-4.449, "−4.4"], [-0.04, "0.0"], [0, "0.0"]]],
  ["a column of large numbers has no decimals, one of huge or tiny ones powers of ten", (value) => decimals(value)(value), [[4321.7, "4,322"], [5e-3, "0.00500"], [2.4e-7, "2.40 × 10⁻⁷"], [-2.4e9, "−2.40 × 10⁹"]]],
  ["a whole number has its thousands apart", count, [[7, "7"], [15_000, "15,000"], [1e6, "1,000,000"]]],
  ["a share has a decimal below ten per cent, and none above", percent, [[0.12, "12 %"], [0.004, "0.4 %"], [0, "0 %"], [-0.0004, "−0.04 %"], [0.9996, "99.96 %"], [0.999, "99.9 %"], [1, "100 %"], [0.00004, "0.004 %"], [-0.004, "−0.4 %"], [0.0994, "9.9 %"], [0.0995, "10 %"], [10, "1000 %"], [10.01, "> 1000 %"]]],
  ["a share that may be tiny is a power of ten below a twentieth of a per cent", fraction, [[0.12, "12 %"], [0.0005, "0.1 %"], [0.00049, "4.9 × 10⁻⁴"], [2.4e-5, "2.4 × 10⁻⁵"]]],
  ["a change says whether it is more or less, or neither", change, [[0.12, "+12 %"], [-0.004, "−0.4 %"], [0, "±0 %"], [0.00049, "±0 %"], [-0.00049, "±0 %"], [0.0005, "+0.1 %"], [10, "+1000 %"], [11, "> 1000 %"]]],
  ["bytes go up by thousands", bytes, [[0, "0 bytes"], [999, "999 bytes"], [1000, "1 kB"], [9_900, "9.9 kB"], [12_340, "12.3 kB"], [999_000, "999 kB"], [3_400_000, "3.4 MB"], [56_700_000, "56.7 MB"], [2.5e9, "2.5 GB"]]],
];

for (const [name, format, cases] of tables) {
  test(name, () => {
    for (const [value, text] of cases) assert.equal(format(value), text, `${value}`);
  });
}

test("a name has 80 letters in a sentence at most, the last of which says that there are more", () => {
  assert.deepEqual([79, 80, 81, 3000].map((n) => named("y".repeat(n)).length), [79, 80, 80, 80]);
  assert.deepEqual([80, 81].map((n) => named("y".repeat(n)).at(-1)), ["y", "…"]);
});

test("a sentence keeps its quantities apart from its words, those of the phrases in it too, and reads as one", () => {
  const fm = quantity("fm", 0.0315);
  const inner = say`${fm} against ${"iFM’s"}`;
  assert.deepEqual(say`FM is ahead: ${inner}.`.filter((piece) => piece !== ""), ["FM is ahead: ", fm, " against ", "iFM’s", "."]);
  assert.equal(plain(say`FM ends at ${quantity("fm", 0.03149)}, ${quantity("none", 0.5, "half")} of it chance.`), "FM ends at 0.0315, half of it chance.");
  const row = (...names: string[]): string => plain(list(names.map((name) => [name])));
  assert.deepEqual([row(), row("a"), row("a", "b"), row("a", "b", "c")], ["", "a", "a and b", "a, b and c"]);
});
