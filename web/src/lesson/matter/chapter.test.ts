import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import type { Track } from "../chapter/runner.js";
import { parsed, type Chapter } from "../chapter/definition.js";
import { matrix, runOf, track } from "../chapter/tracks.test.js";
import { balanced, read as blocks, written } from "./blocks.js";
import { matter, read } from "./chapter.js";
import { tables } from "./tables.js";

const settings = { columns: 3, levels: 2, k: 1, n: 100, test: 50, iterations: 10, seed: 1, blocks: "" };

/** Runs that end at these shares of the linear model's error: FM on two columns, FM and iFM of rank 1, FM of rank 2. */
function run(ends: readonly number[], columns = 3): Parameters<typeof read>[0] {
  const truth = matrix(2 * columns, Array.from({ length: 4 * columns ** 2 }, () => 1));
  return runOf({ ...settings, columns }, ends.map((end, i) => track({ test: [4, 2 * end], theory: i < 2 ? ({ secondOrder: 2 } as Track["theory"]) : null, truth: i === 1 ? truth : null })));
}

test("FM fails on three columns alone, on two as well, or not at all, and columns divide into two groups if no triangle has a negative product", () => {
  assert.deepEqual([[0, 0.5], [0.4, 0.5], [0, 0], [0.07, 0.5]].map(([two = 0, many = 0]) => matter.answer(read(run([two, many, 0, 0])))), ["conflict", "always", "never", null]);
  assert.equal(matter.answer(read(run([0]))), null);
  assert.equal(matter.answer(read(run([0, 0, 0, 0], 2))), null, "two columns alone decide nothing");
  for (let bits = 0; bits < 64; bits++) {
    const s = Array.from({ length: 6 }, (_, i) => ((bits >> i) & 1 ? -1 : 1)) as [number, number, number, number, number, number];
    const [ab, ac, ad, bc, bd, cd] = s;
    assert.equal(balanced(s, 4), [ab * ac * bc, ab * ad * bd, ac * ad * cd, bc * bd * cd].every((product) => product > 0), s.join());
  }
});

test("a pattern of zeros, or of another number of blocks, gives its place to the first pattern, and says so", () => {
  for (const bad of ["0,0,0", "1,1", "1,1,x", "1,1,3"]) {
    const { values, notices } = parsed(matter as unknown as Chapter, `blocks=${bad}`);
    assert.equal((values as unknown as typeof settings).blocks, "");
    assert.match(notices[0]?.message ?? "", /not 3 numbers from −1 to 1 with at least one that is not 0/);
  }
  assert.deepEqual(blocks("1,0,-1", 3), [1, 0, -1]);
  assert.deepEqual(blocks("", 3), [1, 1, -1]);
});

test("what a model writes is that of its centred levels, in the units of the rows", () => {
  const file = (of: object): NonNullable<Track["model"]> => ({ name: "", bytes: new TextEncoder().encode(JSON.stringify({ target: { scale: 3 }, features: [1, 2, 1, 1].map((scale) => ({ scale })), ...of })) }) as NonNullable<Track["model"]>;
  // centred: ½, −½ in the first column, 1, −1 in the second
  assert.deepEqual([...written(file({ u: [[2], [2], [5], [3]] }), 2)], [0.5, -0.5, 1, -1].flatMap((a) => [0.5, -0.5, 1, -1].map((b) => 3 * a * b)));
  assert.deepEqual([...written(file({ u: [[2], [2], [5], [3]], v: [[-2], [-2], [-5], [-3]] }), 2)], [0.5, -0.5, 1, -1].flatMap((a) => [0.5, -0.5, 1, -1].map((b) => -3 * a * b)));
});

test("the quoted table is that of the command's README", () => {
  const readme = readFileSync("core/cmd/ifm/README.md", "utf8");
  const cell = (text: string): number[] => text.replaceAll(/[*,]/g, "").split("±").map(Number);
  const section = readme.slice(readme.indexOf("## Does iFM win"), readme.indexOf("## What is the coverage"));
  const rows = section.split("\n").filter((line) => line.startsWith("| ") && line.includes(" ± ") && !line.includes("drawn")).map((line) => line.split("|").slice(1).map((part) => part.trim()));
  assert.equal(rows.length, 14);
  assert.deepEqual(tables.map(({ name, fm, ifm }) => [name, [...fm], [...ifm]]), rows.map((row) => [row[0], cell(row[6] ?? ""), cell(row[7] ?? "")]));
});
