import assert from "node:assert/strict";
import { test } from "node:test";

import { unlike } from "./earlier.js";

test("the run before is told by three settings that it had otherwise, in words, and how many more", () => {
  const names = ["a".repeat(32), "b".repeat(33)];
  assert.deepEqual(["", "scenario=psd&seed=7&models=fm", "scenario=psd&seed=7&models=fm&trials=2"].map((before) => unlike("", before)), ["", "PSD; Models: FM; Seed: 7", "PSD; Models: FM; Seed: 7; 1 more"]);
  assert.deepEqual(names.map((name) => unlike("", `target=${name}`)), [`target: ${names[0]}`, `target: ${"b".repeat(32)}…`]);
});
