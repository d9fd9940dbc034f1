import assert from "node:assert/strict";
import { test } from "node:test";

import type { Second } from "../engine/messages.js";
import type { Opened } from "../engine/pool.js";
import type { Importance, Plan, Started, Table } from "../engine/protocol.js";
import { training, trial } from "../training/results.test.js";
import type { Training } from "../training/training.js";
import { reported } from "./report.js";
import { column, note, plan, table } from "../engine/tables.test.js";

interface Change {
  readonly read?: Partial<Table>;
  readonly planned?: Partial<Plan> | null;
  readonly run?: Partial<Training>;
  readonly second?: Second;
  readonly errors?: readonly (readonly string[])[];
}

const own = table(column("when", { parts: ["year"], notes: [note("dates are apart")] }), column("year"), column("id", { guess: "ignore", reason: "it counts rows" }), column("y", { guess: "target" }));
const started = { target: "y", measure: "rmse" } as Started;

/** The lines of a report, without tags. */
function lines({ read, planned = {}, run, second, errors = [] }: Change = {}): string[] {
  const opened = { file: new File([], "it's.csv"), second, table: { ...own, ...read } } as unknown as Opened;
  const known = { opened, plan: planned && plan(own, planned), training: training({ started, trials: [trial()], ...run }), model: "ifm", verdict: "Use <iFM>.", how: "How.", chosen: "By rank.", seed: 7, link: "https://x/?a=1&b=2" } as const;
  const text = reported(known, { errors, about: "RMSE of y.", covered: "9 of 10.", digests: ["0af9", ""] });
  return text.slice(text.indexOf("<main>")).replaceAll(/<[^>]+>/g, "\n").split(/\n+/).filter((one) => one !== "");
}

test("a report tells what was read and left out, what was decided, and how to repeat it, as text", () => {
  const all = lines();
  assert.deepEqual(all.slice(1, 13), ["Verdict", "Use &lt;iFM>.", "Data", "9 rows and 3 columns were read.  How.", "Left out: Nothing.", "Decisions", "By rank.", "id is not used: it counts rows", "when: dates are apart", "How to repeat it", "Command", "ifm train 'it'\\''s.csv' -link 'https://x/?a=1&amp;b=2'"]);
  assert.deepEqual(all.slice(13), ["Page", "https://x/?a=1&amp;b=2", "Version", "1", "Seed", "7", "SHA-256 of the file", "0af9  it's.csv"]);
  assert.deepEqual([all[0], lines({ planned: null })[0]], ["t.csv: y predicted from 3 of 9 rows", "t.csv: y predicted"]);
});

test("rules, rows that cannot be read and rows without a target are left out; a note says nothing that is said above", () => {
  const said = [note("a rule", { topic: "split", cells: 3 }), note("id counts", { topic: "role", columns: ["id"] }), note("y is long", { topic: "role", columns: ["id", "y"] }), note("all", { topic: "role" }), note("far off", { topic: "beyond", columns: ["id"] })];
  const bad = { message: "line 3" } as Table["bad"][number];
  const of = (hasTests: boolean): string[] => lines({ read: { badCount: 1, bad: [bad] }, planned: { notes: said, droppedCount: 2, dropped: [bad], hasTests } });
  const out = ["Left out:", "a rule", "1 row could not be read and is left out. line 3", "2 rows are left out of training. line 3", "Decisions", "By rank.", "id is not used: it counts rows", "y is long", "all"];
  assert.deepEqual(of(false).slice(5, 16), [...out, "far off", "when: dates are apart"]);
  assert.deepEqual(of(true).slice(5, 16), [...out, "when: dates are apart", "How to repeat it"], "the verdict says what lies beyond");
});

test("a list is cut after its lines, and a text after its letters", () => {
  const rules = Array.from({ length: 7 }, (_, i) => note(`${i}`.repeat(150 + (i % 2)), { topic: "split", cells: 1 }));
  const all = lines({ planned: { notes: [...rules, note("one"), note("two")] } });
  assert.deepEqual(all.slice(6, 12), [..."01234"].map((digit, i) => digit.repeat(150) + (i % 2 ? "…" : "")).concat("and 2 more"));
  assert.deepEqual(all.slice(14, 19), ["id is not used: it counts rows", "one", "two", "and 1 more", "How to repeat it"], "eight lines in all");
});

test("the command names a second file of test rows, and says where it cannot join files", () => {
  const of = (as: Second["as"]): string[] => lines({ second: { file: new File([], "b.csv"), as } });
  assert.match(of("tests").join(" "), /from it's\.csv and b\.csv\. The test rows are those of b\.csv.*ifm train 'it'\\''s\.csv' -test b\.csv -link .* 0af9  it's\.csv .* not known  b\.csv$/);
  assert.match(of("below").join(" "), /ifm train FILE -link '\S+' FILE Put the rows of b\.csv below those of it's\.csv/);
});

test("errors are of all splits, what they are and what matters of the first", () => {
  const errors = [["", "Error"], ["Mean", "8"]];
  const found: Importance = { columns: Array.from({ length: 7 }, (_, i) => `c${i}`), with: ["d"], by: Float64Array.of(3, 2), low: Float64Array.of(1), high: Float64Array.of(4, Infinity), pairs: [] };
  const of = (run: Partial<Training>): string => lines({ errors, run }).join("|");
  assert.match(of({}), /\|Test errors\|Error\|Mean\|8\|RMSE of y\. 9 of 10\.\|How to/);
  const many = of({ trials: [trial(), trial()], importance: new Map([["ifm", found]]) });
  assert.match(many, /\|Test errors, means of 2 splits\|Error\|Mean\|8\|RMSE of y\. On the first split: 9 of 10\.\|What matters, on the first split\|Rise: [^|]*shuffled\.\|/);
  assert.match(many, /\|c0 × d\|\+3\|\+1 to \+4\|c1\|\+2\|too few rows\|.*\|c5\|0\|[^|]*\|How to/);
  assert.match(of({ importance: new Map([["ifm", found]]) }), /\|What matters\|/);
});
