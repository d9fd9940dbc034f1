import assert from "node:assert/strict";
import { test } from "node:test";

import { edge, free, lines, type Cliff } from "./cliffs.js";

/** The rank of a matrix, by elimination with the largest pivot. */
function rankOf(rows: number[][]): number {
  const left = rows.map((row) => [...row]);
  let rank = 0;
  for (let column = 0; column < (left[0]?.length ?? 0); column++) {
    const pivot = left.slice(rank).reduce((best, row, i) => (Math.abs(row[column] ?? 0) > Math.abs(left[best]?.[column] ?? 0) ? i + rank : best), rank);
    const [from, to] = [left[pivot], left[rank]];
    if (!from || !to || Math.abs(from[column] ?? 0) < 1e-9) continue; // numbers here are of order 1
    [left[pivot], left[rank]] = [to, from];
    for (const row of left.slice(rank + 1)) {
      const factor = (row[column] ?? 0) / (from[column] ?? 1);
      for (let i = column; i < row.length; i++) row[i] = (row[i] ?? 0) - factor * (from[i] ?? 0);
    }
    rank++;
  }
  return rank;
}

test("the free numbers of M are the directions that its factors can move it in", () => {
  for (const [d, r] of [[5, 1], [6, 2], [7, 3], [4, 4]] as const) {
    const at = (i: number, f: number): number => Math.sin(1 + 3 * i + 7 * f + i * f); // any numbers without a pattern
    const sign = (f: number): number => (f % 2 === 0 ? 1 : -1);
    const moved = (i: number, f: number): number[] => Array.from({ length: d * d }, (_, at_) => sign(f) * ((Math.floor(at_ / d) === i ? at(at_ % d, f) : 0) + (at_ % d === i ? at(Math.floor(at_ / d), f) : 0)));
    const directions = Array.from({ length: d * r }, (_, j) => moved(j % d, Math.floor(j / d)));
    assert.equal(free(d, r, { truth: "orthonormal", scenario: "mixed", diagonal: "kept" }), rankOf(directions) + d + 1, `d = ${d}, rank ${r}`);
  }
});

test("a Gaussian UVᵀ has twice the rank, and no M has more numbers than places", () => {
  assert.equal(free(24, 2, { truth: "gaussian", scenario: "mixed", diagonal: "zero" }), free(24, 4, { truth: "orthonormal", scenario: "mixed", diagonal: "zero" }));
  assert.equal(free(24, 2, { truth: "gaussian", scenario: "psd", diagonal: "zero" }), 24 * 2 - 1 + 24 + 1);
  assert.equal(free(4, 4, { truth: "orthonormal", scenario: "psd", diagonal: "zero" }), 6 + 4 + 1);
});

test("an edge is where the last miss ends, and rows like k²d go through the first", () => {
  const one: Cliff = { name: "k = 1", k: 1, d: 10, unit: 10, n: [10, 20, 30], share: [0, 0.5, 1] };
  const two: Cliff = { name: "k = 2", k: 2, d: 20, unit: 20, n: [20, 40, 60], share: [1, 0.5, 1] };
  assert.equal(edge(one), 30);
  assert.equal(edge(two), 60);
  assert.ok(Number.isNaN(edge({ ...one, share: [0, 0, 0] })));
  const drawn = lines([one, two], (name) => `bound, ${name}`, true);
  assert.deepEqual(drawn.map(({ name, x }) => [name, ...x]), [["k = 1", 1, 2, 3], ["k = 2", 1, 2, 3], ["bound, k = 2", 12, 12]]);
  assert.equal(lines([one, two], String, false).length, 2);
  const many = lines(Array.from({ length: 8 }, () => one), String, false).map(({ dash, symbol }) => `${symbol} ${dash}`);
  assert.deepEqual([new Set(many).size, many[6], many[7]], [6, many[0], many[1]], "after six lines their looks begin again");
  assert.deepEqual(many.slice(2, 5).map((look) => look.split(" ")[0]), ["triangle", "circle", "square"]);
});
