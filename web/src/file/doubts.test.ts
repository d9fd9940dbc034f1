import assert from "node:assert/strict";
import { test } from "node:test";
import type { Column, Decision, Table } from "../engine/protocol.js";
import { parse } from "../state/spec.js";
import { asksOf, holds, waitsFor, withAnswer } from "./doubts.js";
import { empty } from "./loaded.js";
import { guessOf, rolesAgain, rolesFor, rolesOf, withRole } from "./roles.js";

const marks: Decision = {
  what: "marks", text: "", cells: 9, ask: true,
  answers: [
    { label: "1.1", key: "decimal", value: "price:point", now: true },
    { label: "1100", key: "decimal", value: "price:comma", now: false },
  ],
};
const code: Decision = { what: "code", text: "", cells: 9, ask: false, answers: [{ label: "levels", key: "numeric", value: "", now: true }, { label: "numbers", key: "numeric", value: "zip", now: false }] };

function column(name: string, more: Partial<Column> = {}): Column {
  return { name, kind: "numeric", guess: "feature", reason: "it holds numbers", sure: true, alternatives: [], missing: 0, unreadable: 0, distinct: 9, distinctExact: true, mean: 1, sd: 1, min: 0, max: 2, tau: 2, levels: [], unit: "", parts: [], decisions: [], ...more };
}

function table(...columns: Column[]): Table {
  return { table: 1, name: "t.csv", rows: 9, bytes: 90, separator: ",", header: true, columns, preview: [], bad: [], badCount: 0, notices: [], asks: columns.flatMap(({ decisions }) => decisions).filter(({ ask }) => ask).length };
}

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
  const asking = table(column("price", { decisions: [marks, code] }), column("y"));
  assert.deepEqual(asksOf(asking).map(({ column, decision }) => [column.name, decision.what]), [["price", "marks"]]);
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
  assert.deepEqual(roles, { target: "y", ignore: ["id"], categorical: [], numeric: [] });
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
  const before = table(column("when", { guess: "ignore" }), column("a"), column("b"), column("y", { guess: "target" }));
  const after = table(column("when", { guess: "ignore", parts: ["when (year)"] }), column("when (year)"), column("a", { guess: "ignore" }), column("b"), column("y", { guess: "target" }));
  const spec = { ...parse("").spec, target: "y", ignore: ["when", "b"], numeric: ["gone"] };
  assert.deepEqual(rolesAgain(after, before, spec), { target: "y", ignore: ["a", "b"], categorical: [], numeric: [] });
  assert.equal(rolesAgain(after, before, { ...spec, target: "" }).target, "y", "a target that nobody has named is guessed anew");
});
