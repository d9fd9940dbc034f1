import assert from "node:assert/strict";
import { test } from "node:test";
import { ruleOf, rulesOf, says } from "./rules.js";

test("the rules of the setting rows are cut at semicolons and read in words", () => {
  const rules = [ruleOf("price", ">", " 0 "), ruleOf("a;b\\c", "!=", "x;y"), ruleOf("when", ">=", "12:30"), ruleOf("town", "=", ""), ruleOf("town", "!=", "")];
  assert.equal(rules[1], "a\\;b\\\\c:!=:x\\;y");
  assert.deepEqual(rulesOf(rules.join(";")), rules);
  assert.deepEqual(rules.map(says), ["price > 0", "a;b\\c ≠ x;y", "when ≥ 12:30", "town is missing", "town is not missing"]);
  assert.deepEqual([rulesOf(""), rulesOf("a:=:1;;"), says("price~0")], [[], ["a:=:1"], "price~0"]);
});
