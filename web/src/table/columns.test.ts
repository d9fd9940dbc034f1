import assert from "node:assert/strict";
import { test } from "node:test";

import type { Note, Topic } from "../engine/protocol.js";
import { roles } from "./strings.js";

const odd = (topic: Topic, text: string): Note => ({ topic, columns: [], cells: 0, text, ask: false, answers: [] });

test("an oddity that begins with a column's name leaves the name as it is written", () => {
  assert.equal(roles.odd(odd("leak", "outcome_pct and outcome are almost the same")), "outcome_pct and outcome are almost the same.");
  assert.equal(roles.odd(odd("one to one", "the levels of a and b go one to one with each other")), "The levels of a and b go one to one with each other.");
  assert.equal(roles.odd(odd("parts", "a linear model predicts y almost exactly")), "A linear model predicts y almost exactly.");
});
