import assert from "node:assert/strict";
import { test } from "node:test";
import { note } from "../engine/tables.test.js";
import { leftOutBy, ruleOf, rulesOf, says } from "./rules.js";

test("the rules of the setting rows are cut at semicolons and read in words", () => {
  const rules = [ruleOf("price", ">", " 0 "), ruleOf("a;b\\c", "!=", "x;y"), ruleOf("when", ">=", "12:30"), ruleOf("town", "=", ""), ruleOf("town", "!=", "")];
  assert.equal(rules[1], "a\\;b\\\\c:!=:x\\;y");
  assert.deepEqual(rulesOf(rules.join(";")), rules);
  assert.deepEqual(rules.map(says), ["price > 0", "a;b\\c ≠ x;y", "when ≥ 12:30", "town is missing", "town is not missing"]);
  assert.deepEqual([rulesOf(""), rulesOf("a:=:1;;"), says("price~0")], [[], ["a:=:1"], "price~0"]);
});

test("a rule is told the rows that it leaves out, by the notes that name it, even cut", () => {
  const notes = [["9 rows are left out by the rule town = Ulm", 9], ["4 rows are left out by the rule town = Ul…", 4], ["by the rule town = Ulm", 0], ["by the rule a > 1", 2]] as const;
  const all = { notes: notes.map(([text, cells], i) => note(text, { topic: i < 3 ? "split" : "role", cells })) };
  assert.deepEqual(["town:=:Ulm", "town:=:Ulster", "town:=:U", "a:>:1"].map((rule) => leftOutBy(all, rule)), [13, 4, 0, 0]);
});
