import assert from "node:assert/strict";
import { test } from "node:test";
import { latex, markdown } from "./write.js";

const line = { title: "Day 1", cells: [{ text: "0.1", best: true }, { text: "–", best: false }] };
const grid = { caption: "50 % of a_b | c", head: ["Day", "FM", "α"], rows: [line], foot: [line] };

test("a table for a paper marks the best, and no text leaves its place", () => {
  const text = latex(grid, "seed 1\n\\end", "https://a/?b=1");
  assert.ok(text.startsWith("% seed 1 \\end\n% https://a/?b=1\n\\begin{table}\n\\caption{50 \\% of a\\_b | c}"));
  assert.equal(text.split("\n").filter((row) => row === "Day 1 & \\textbf{0.1} & -- \\\\").length, 2);
  assert.equal(text.match(/\\begin/g)?.length, 2);
});

test("a table for a page has as many cells in every row", () => {
  const rows = markdown(grid, "seed 1", "https://a/?b=<1>").split("\n");
  assert.deepEqual(rows, ["50 % of a\\_b \\| c", "", "| Day | FM | α |", "| :-- | --: | --: |", "| Day 1 | **0.1** | – |", "| Day 1 | **0.1** | – |", "", "seed 1 <https://a/?b=%3C1%3E>", ""]);
});
