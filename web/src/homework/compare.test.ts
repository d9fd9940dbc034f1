import assert from "node:assert/strict";
import { test } from "node:test";

import { csv } from "../save/csv.js";
import { Turns } from "../save/turns.js";
import { columnsOf, counted, gradePart, suspect, unread, type Line } from "./compare.js";
import { costOf, costOfAll } from "./marker.js";
import type { ReplayResult, Part } from "./handin.js";

const found: ReplayResult = { answer: "stuck", numbers: [["fm", 1]], runs: [{ query: "d=3", cell: 0, digest: "a" }, { query: "d=3", cell: 1, digest: "b" }] };
const part: Part = { chapter: "psd", own: "", guess: "same", then: "stuck", ran: true, answer: "stuck", numbers: found.numbers, runs: found.runs, words: "=1+1" };

test("a chapter is graded by what runs anew, and not by what was handed in; what did not run is told from what was not run anew", () => {
  const right = (change: Partial<Part>, answer: string | null = "stuck"): string => gradePart({ ...part, ...change }, { found: { ...found, answer } }, "").right;
  assert.deepEqual([right({}), right({ then: "" }), right({ guess: "", then: "" }), right({ answer: null }, null)], ["right", "wrong", "", "undecided"]);
  assert.deepEqual([gradePart(part, { found }, "").outcome, gradePart(part, { found }, "").why], ["equal", ""]);
  assert.deepEqual(gradePart({ ...part, ran: false }, { found }, "").outcome, "not run");
  assert.deepEqual(gradePart(part, null, "").outcome, "not replayed");
  const refused = gradePart(part, { why: "too long" }, "seed 3, not 4");
  assert.deepEqual([refused.outcome, refused.why, refused.right], ["not replayed", "seed 3, not 4; too long", ""]);
});

test("whatever was altered is found, and said", () => {
  const why = (change: Partial<Part>): string => {
    const graded = gradePart({ ...part, ...change }, { found }, "");
    assert.equal(graded.outcome, "differs");
    return graded.why;
  };
  assert.match(why({ numbers: [["fm", 1.001]] }), /first number: 1\.00100 .*handed in, .* when repeated/);
  assert.match(why({ answer: "same" }), /answer: “same” handed in, “stuck” when repeated/);
  assert.match(why({ runs: part.runs.map((run) => ({ ...run, digest: "b" })) }), /1 of 2 runs gave other curves/);
  assert.match(why({ runs: part.runs.slice(1) }), /1 run handed in; these settings give 2 other runs/);
  assert.match(why({ runs: part.runs.map((run) => ({ ...run, query: "d=4" })) }), /2 runs handed in/);
});

test("the grades have a line for each hand-in, which no spreadsheet takes for a formula", async () => {
  const line = (student: string): Line => ({ file: `${student}.json`, who: "", handIn: { version: "1", assignment: "", student, parts: [part] }, student, parts: [gradePart(part, { found }, "")], remarks: [] });
  const none = (file: string): Line => unread({ file, who: "Bob", found: { fault: "" } }, "no hand-in");
  const lines = counted([line("@SUM(A1)"), line("Ada"), line("ada "), none("x.pdf"), none("y.pdf")]);
  assert.deepEqual(lines.map(suspect), [false, true, true, true, true]);
  const text = await (await csv(columnsOf(lines, ["psd", "samples"]), new Turns(new AbortController().signal, () => undefined))).text();
  const rows = text.split("\r\n");
  assert.equal(rows.length, 1 + 5 + 1);
  assert.equal(rows[1], "'@SUM(A1),'@SUM(A1).json,no,,1,same,stuck,right,equal,,'=1+1,,,,missing,,");
  assert.match(rows[2] ?? "", /^Ada,Ada\.json,yes,one of 2 hand-ins under this name,/);
  assert.equal(rows[4], "Bob,x.pdf,yes,no hand-in,,,,,,,,,,,,,");
});

test("what a run takes is known before it begins", () => {
  const near = (query: string, cells: number, seconds: number): void => {
    const cost = costOf(query);
    assert.ok(cost.cells === cells && Math.abs(cost.seconds / seconds - 1) < 1e-9, `${query}: ${cost.cells} and ${cost.seconds}, want ${cells} and ${seconds}`);
  };
  near("d=8&n=50&test=40&iterations=5&k=2&rank=3&batches=reused&solver=agd", 90 * 8, 400 * 80e-9 + 720 * 8 * 5e-9);
  near("d=8&n=50&test=40&iterations=5&k=4&rank=3&batches=fresh&solver=gauss-newton", 90 * 8, 400 * 5 * 80e-9 + 720 * 10 * 5 * 10e-9);
  near("d=10&test=40&iterations=5&k=2&rank=1&sweep=rank&ks=2,3&ratios=4,2&batches=reused&solver=auto", 160 * 10, 1200 * 80e-9 + 1600 * 8 * 5 * 10e-9);
  near("d=10&test=40&iterations=5&k=2&rank=1&sweep=tau&ks=9&ratios=4,2&batches=reused&solver=agd", 120 * 10, 800 * 80e-9 + 1200 * 6 * 5e-9);
  near("source=table&iterations=5&ranks=1,3&lambdas=1,2,3&lambdaf=1,2&solver=agd", 500 * 20, 10_000 * 8 * 5 * 6e-9);
  const [one, other] = [costOf("d=8&n=50"), costOf("d=9&n=60")];
  assert.deepEqual(costOfAll(["d=8&n=50", "d=9&n=60", "d=8&n=50"]), { seconds: 2 * one.seconds + other.seconds, cells: other.cells });
  assert.deepEqual(costOfAll([]), { seconds: 0, cells: 0 });
});
