import assert from "node:assert/strict";
import { test } from "node:test";

import { roles } from "./strings.js";
import { note } from "../engine/tables.test.js";

test("an oddity that begins with a column's name leaves the name as it is written", () => {
  assert.equal(roles.odd(note("outcome_pct and outcome are almost the same", { topic: "leak" })), "outcome_pct and outcome are almost the same.");
  assert.equal(roles.odd(note("the levels of a and b go one to one with each other", { topic: "one to one" })), "The levels of a and b go one to one with each other.");
  assert.equal(roles.odd(note("a linear model predicts y almost exactly", { topic: "parts" })), "A linear model predicts y almost exactly.");
});
