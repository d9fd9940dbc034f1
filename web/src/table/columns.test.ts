import assert from "node:assert/strict";
import { test } from "node:test";

import { roles } from "./strings.js";

test("a finding that begins with a column's name leaves the name as it is written", () => {
  assert.equal(roles.found({ kind: "leak", columns: ["outcome_pct"], message: "outcome_pct and outcome are almost the same" }), "outcome_pct and outcome are almost the same.");
  assert.equal(roles.found({ kind: "one to one", columns: ["a", "b"], message: "the levels of a and b go one to one with each other" }), "The levels of a and b go one to one with each other.");
  assert.equal(roles.found({ kind: "parts", columns: ["a", "b"], message: "a linear model predicts y almost exactly" }), "A linear model predicts y almost exactly.");
});
