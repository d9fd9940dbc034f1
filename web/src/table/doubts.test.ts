import assert from "node:assert/strict";
import { test } from "node:test";
import type { Table } from "../engine/protocol.js";
import { parse, type Spec } from "../state/spec.js";
import { guessOf, rolesAgain, rolesFor } from "../file/guess.js";
import { empty, waitsFor, type Loaded } from "../file/loaded.js";
import { asksOf, canWeigh, holds, isLost, keptFrom, leftOut, mayWeigh, rolesOf, withAnswer, withRole } from "./roles.js";
import { column, note, plan, table } from "../engine/tables.test.js";

const marks = note("", {
  topic: "marks", ask: true, answers: [
    { label: "1.1", key: "decimal", value: "price:point", now: true },
    { label: "1100", key: "decimal", value: "price:comma", now: false },
  ],
});
const code = note("", { answers: [{ label: "levels", key: "numeric", value: "", now: true }, { label: "numbers", key: "numeric", value: "zip", now: false }] });

test("an answer takes the place of all others in its list, and leaves what is said of other columns", () => {
  const spec = { ...parse("").spec, decimal: ["other:comma", "price:point"] };
  assert.deepEqual(withAnswer(spec, marks, marks.answers[1]!), { decimal: ["other:comma", "price:comma"] });
  assert.deepEqual(withAnswer({ ...spec, numeric: ["zip"] }, code, code.answers[0]!), { numeric: [] }, "an answer that needs no word leaves none");
});

test("what cells are read as is known from the settings, how they are read from the table", () => {
  const spec = { ...parse("").spec, numeric: ["zip"] };
  assert.deepEqual(code.answers.map((answer) => holds(spec, code, answer)), [false, true]);
  assert.deepEqual(code.answers.map((answer) => holds(parse("").spec, code, answer)), [true, false]);
  assert.deepEqual(marks.answers.map((answer) => holds(spec, marks, answer)), [true, false]);
});

test("training waits for answers about cells first, then for a target that was guessed, and for nothing else", () => {
  const asking = table(column("price", { notes: [marks, code] }), column("y"));
  assert.deepEqual(asksOf(asking).map(({ name, note }) => [name, note.topic]), [["price", "marks"]]);
  assert.equal(waitsFor({ table: asking, guess: { target: "y", sure: false } }), "answers");
  const plain = table(column("a"), column("y"));
  assert.equal(waitsFor({ table: plain, guess: { target: "y", sure: false } }), "target");
  assert.equal(waitsFor({ table: plain, guess: { target: "y", sure: true } }), "nothing");
  assert.equal(waitsFor({ table: plain, guess: null }), "nothing");
});

test("a target is sure where the engine is, and where a built-in table is about it", () => {
  const one = table(column("a"), column("mass", { guess: "target", sure: false }));
  assert.deepEqual(guessOf(one, "mass"), { target: "mass", sure: false });
  assert.deepEqual(guessOf(one, "mass", /^mass$/), { target: "mass", sure: true });
  assert.equal(guessOf(one, ""), null, "no column can be one");
});

test("dates that were taken apart are ignored without a word, since naming them would ignore their parts", () => {
  const when = column("when", { kind: "categorical", guess: "ignore", parts: ["when (year)"] });
  const dated = table(when, column("when (year)"), column("id", { guess: "ignore" }), column("y", { guess: "target" }));
  const roles = rolesFor(dated, parse("").spec);
  assert.deepEqual(roles, { target: "y", weight: "", ignore: ["id"], categorical: [], numeric: [] });
  const spec = { ...parse("").spec, ...roles };
  const now = rolesOf(dated, spec, empty);
  assert.deepEqual(now, ["ignore", "feature", "ignore", "target"]);
  assert.deepEqual(withRole(dated, spec, now, 1, "ignore").ignore, ["when (year)", "id"], "in the order of columns");
  const used = { ...spec, ...withRole(dated, spec, now, 0, "feature") };
  assert.deepEqual([used.categorical, used.ignore], [["when"], ["id"]]);
  assert.deepEqual(withRole(dated, used, rolesOf(dated, used, empty), 0, "ignore").categorical, []);
});

test("what was said of a target's logarithm is forgotten with the target, and with no other column", () => {
  const prices = table(column("a"), column("b"), column("y", { guess: "target" }));
  const spec = { ...parse("log=yes").spec, ...rolesFor(prices, parse("").spec) };
  const now = rolesOf(prices, spec, empty);
  assert.equal(withRole(prices, spec, now, 0, "ignore").log, "yes");
  assert.equal(withRole(prices, spec, now, 0, "target").log, "no");
  assert.equal(withRole(prices, spec, now, 2, "feature").log, "no");
});

test("a table that is read in another way keeps the reader's roles, and takes the engine's where it thinks otherwise now", () => {
  const before = table(column("when", { guess: "ignore" }), column("used", { guess: "ignore" }), column("a"), column("b"), column("y", { guess: "target" }));
  const after = table(column("when", { guess: "ignore", parts: ["when (year)"] }), column("when (year)"), column("used"), column("a", { guess: "ignore" }), column("b"), column("y", { guess: "target" }));
  const spec = { ...parse("").spec, target: "y", ignore: ["when", "used", "b"], numeric: ["gone"] };
  assert.deepEqual(rolesAgain(after, before, spec), { target: "y", weight: "", ignore: ["a", "b"], categorical: [], numeric: [] });
  assert.equal(rolesAgain(after, before, { ...spec, target: "" }).target, "y", "a target that nobody has named is guessed anew");
});

test("one column weighs the rows at most; a new one makes the old a feature, and it is no target", () => {
  const weighed = table(column("wt", { min: 0, distinct: 9 }), column("count", { min: 1, distinct: 9 }), column("y", { guess: "target" }));
  const first = { ...parse("").spec, target: "y", ...withRole(weighed, { ...parse("").spec, target: "y" }, ["feature", "feature", "target"], 0, "weight") };
  assert.equal(first.weight, "wt");
  const roles = rolesOf(weighed, first, empty);
  assert.deepEqual(roles, ["weight", "feature", "target"]);
  const second = { ...first, ...withRole(weighed, first, roles, 1, "weight") };
  assert.deepEqual(rolesOf(weighed, second, empty), ["feature", "weight", "target"]);
  assert.equal({ ...second, ...withRole(weighed, second, rolesOf(weighed, second, empty), 1, "feature") }.weight, "");
  assert.equal(rolesFor(table(column("y")), first).weight, "", "another table has it not");
});

test("a column's name may speak for weighing rows, and never where its numbers cannot", () => {
  const numbers = { min: 0, cells: 40, missing: 0, distinct: 9 };
  for (const name of ["wt", "Weight", "sample_weight", "freq", "count"]) assert.ok(mayWeigh(column(name, numbers)), name);
  for (const name of ["Weight_in_lbs", "weightless", "county", "y"]) assert.ok(!mayWeigh(column(name, numbers)), name);
  assert.ok(!mayWeigh(column("wt", { ...numbers, min: -1 })));
  assert.ok(!mayWeigh(column("wt", { ...numbers, missing: 2 })));
  assert.ok(!canWeigh(column("wt", { min: Number.NaN })), "texts have no least number");
});

/** What is planned where columns are ignored by the plan alone, and why. */
function planned(spec: Spec, own: Table, out: Readonly<Record<string, string>>, by = ""): Loaded {
  const made = table(...own.columns.map((one) => ({ ...one, guess: one.name in out || spec.ignore.includes(one.name) ? ("ignore" as const) : one.guess, reason: out[one.name] ?? "" })));
  return { ...empty, plan: plan(made, by === "" ? {} : { split: "group", by }), planned: spec };
}

test("a column that the plan leaves out says the plan's reason, and as a feature it is given its kind, which keeps it", () => {
  const user = column("user", { kind: "categorical" });
  const rated = table(user, column("x"), column("y", { guess: "target" }));
  const spec = { ...parse("").spec, target: "y", ignore: ["x"] };
  const out = planned(spec, rated, { user: "the rows are split by it" }, "user");
  assert.deepEqual([0, 1, 2].map((at) => leftOut(rated, spec, at, out)), ["the rows are split by it", "", ""], "but not of one that the settings ignore");
  assert.equal(leftOut(rated, { ...spec, seed: 2 }, 0, out), "", "a plan is of its own settings");
  const change = withRole(rated, spec, rolesOf(rated, spec, out), 0, "feature");
  assert.deepEqual(change, { target: "y", log: "no", weight: "", ignore: ["x"], categorical: ["user"], numeric: [] });
  const used = { ...spec, ...change };
  const kept = planned(used, rated, {}, "user");
  assert.deepEqual([leftOut(rated, used, 0, kept), keptFrom(rated, used, user, kept)], ["", "user"], "which is the reader's choice");
  assert.equal(keptFrom(rated, used, user, planned(used, rated, {})), "", "as long as the rows are split by it");
  assert.equal(keptFrom(rated, spec, user, out), "");
});

test("a part of dates that are ignored can be kept, a part of the target cannot", () => {
  const year = column("when (year)");
  const dated = table(column("when", { parts: ["when (year)"] }), year, column("y"));
  const spec = { ...parse("").spec, target: "y", ignore: ["when"] };
  const out = planned(spec, dated, { "when (year)": "when is ignored" });
  assert.deepEqual([leftOut(dated, spec, 0, out), leftOut(dated, spec, 1, out)], ["", "when is ignored"]);
  const used = { ...spec, ...withRole(dated, spec, rolesOf(dated, spec, out), 1, "feature") };
  assert.deepEqual(used.numeric, ["when (year)"]);
  assert.equal(keptFrom(dated, used, year, planned(used, dated, {})), "when");
  assert.equal(isLost(dated, ["ignore", "ignore", "target"], year), false);
  assert.equal(isLost(dated, ["target", "ignore", "feature"], year), true);
});
